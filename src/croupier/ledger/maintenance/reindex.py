"""`croupier reindex`: rebuild indexes, balances and snapshots from the entries, in one transaction.

It rebuilds rounds and their marks, request keys, balances and snapshots. Nobody can write
meanwhile. The entries are only read. If their chain is broken, or the old index mentions entries
that are gone, nothing is changed: `verify` lists what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Table, delete, insert, or_

from croupier import progressives
from croupier.errors import CroupierError, plain
from croupier.ledger.checkpoints.checkpoints import CHECKPOINTS
from croupier.ledger.entries import Chapter, Entry, StreamHead, add_transfers
from croupier.ledger.journal import Journal, begins_with
from croupier.ledger.records.cashier_entries import account_record, account_stream
from croupier.ledger.records.table_entries import (
    RequestAnswer,
    answers,
    chapter_of,
    link_record,
    link_stream,
    table_record,
    table_stream,
)
from croupier.ledger.signatures.chain import GENESIS, ChainBroken, check_chain
from croupier.ledger.stores import schema
from croupier.progressives import Link
from croupier.rounds.commands import OpenBetting
from croupier.rounds.declaration import to_json
from croupier.tables.events import ends_round
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.state import Table as TableState

MANY: Final = 1000
_encode: Final = msgspec.json.Encoder().encode


class Reindexed(msgspec.Struct):
    """How many rows were rebuilt, and from how many entries."""

    streams: int = 0
    entries: int = 0
    rounds: int = 0
    requests: int = 0
    accounts: int = 0
    snapshots: int = 0


def reindex(
    journal: Journal, progress: Callable[[int], None] = lambda _: None, *, even_if_cut: bool = False
) -> Reindexed:
    """Rebuild everything that follows from the entries. With `even_if_cut`, do so even if the index
    mentions entries that do not exist, although it may be the only trace of them."""
    journal.macs_to_write()  # raises before anything is rebuilt
    with journal.alone() as connection:
        picture = journal.consistent_view()
        for stream, last, source in () if even_if_cut else picture.mentioned:
            reached = picture.heads[stream].version if stream in picture.heads else 0
            if last > reached:
                message = f"it is missing: {source} of the stream speak of entry {last}"
                raise ChainBroken(stream, reached + 1, message)
        # From here on only entries are read, because on a server the other tables are locked.
        with schema.rewriting(connection, "requests"):
            made = _Rebuild(journal, connection, progress)
            made.clear()
            for stream in picture.heads:
                made.walk(stream)
            return made.end()


class _Rebuild:
    def __init__(
        self, journal: Journal, connection: Connection, progress: Callable[[int], None]
    ) -> None:
        self._journal = journal
        self._connection = connection
        self._told = progress
        self._macs = journal.macs_to_write()
        self._found = Reindexed()
        self._balances: dict[str, int] = {}
        self._rows: dict[Table, list[dict[str, Any]]] = {}

    def clear(self) -> None:
        """Delete all balances, and the index rows of tables, links and accounts. Other streams keep
        theirs, because the rebuild only knows the money they moved."""
        self._connection.execute(delete(schema.balances))
        of_tree = schema.snapshots.c.stream == CHECKPOINTS  # the next checkpoint rebuilds it
        self._connection.execute(delete(schema.snapshots).where(of_tree))
        for table in (schema.requests, schema.chapters, schema.marks, schema.snapshots):
            stream = table.c.stream
            kinds = (table_stream(""), link_stream(""), account_stream(""))
            ours = or_(*(begins_with(stream, prefix) for prefix in kinds))
            self._connection.execute(delete(table).where(ours))

    def walk(self, stream: str) -> None:
        self._found.streams += 1
        entries = self._checked(stream)
        if stream.startswith(table_stream("")):
            for answer in answers(self._played(stream, entries)):
                self._add_answer(stream, answer)
        elif stream.startswith(link_stream("")):
            for answer in answers(self._told_to_link(stream, entries)):
                self._add_answer(stream, answer)
        elif stream.startswith(account_stream("")):
            for answer in answers(_of_account(entries)):
                self._add_answer(stream, answer)
        else:
            for _ in entries:
                pass

    def _checked(self, stream: str) -> Iterator[Entry]:
        last = StreamHead(0, GENESIS)
        for entry in self._journal.read(stream):
            last = check_chain([entry], last)
            add_transfers(entry.transfers, self._balances)
            self._found.entries += 1
            if self._found.entries % MANY == 0:
                self._told(self._found.entries)
            yield entry

    def _played(self, stream: str, entries: Iterator[Entry]) -> Iterator[tuple[str, int]]:
        """Add the rounds of a table; yield the request and version of each entry."""
        table: TableState | None = None
        at_rest: TableState | None = None
        began = ""
        for entry in entries:
            with _playing(entry):
                record = table_record(entry)
                table = next_entry(table)
                for event in record.events:
                    table, _ = evolve(table, event)
                    if isinstance(event, OpenBetting):
                        began = entry.at
                assert table is not None, "an entry has events"
            if any(map(ends_round, record.events)):
                version, played = entry.version, table.round
                self._add_round(chapter_of(table.id, played, table.began, version, began, entry.at))
            at_rest = table if table.round.phase == "over" else at_rest
            yield record.request, entry.version
        if at_rest is not None:
            self._add_snapshot(stream, at_rest.version, to_json(at_rest))

    def _add_round(self, chapter: Chapter) -> None:
        row = msgspec.structs.asdict(chapter)
        self._add(schema.chapters, row | {"marks": _encode(chapter.marks).decode()})
        for mark in chapter.marks:
            self._add(
                schema.marks,
                {
                    "name": mark.name,
                    "value": mark.value,
                    "stream": chapter.stream,
                    "number": chapter.number,
                },
            )
        self._found.rounds += 1

    def _add_answer(self, stream: str, answer: RequestAnswer) -> None:
        self._add(schema.requests, {"stream": stream, **answer._asdict()})
        self._found.requests += 1

    def _told_to_link(self, stream: str, entries: Iterator[Entry]) -> Iterator[tuple[str, int]]:
        """Replay the meters of a link; yield the request and version of each entry."""
        link: Link | None = None
        version = 0
        for entry in entries:
            with _playing(entry):
                record = link_record(entry)
                for event in record.events:
                    link = progressives.evolve(link, event)
            version = entry.version
            yield record.request, version
        if link is not None:
            self._add_snapshot(stream, version, progressives.to_json(link))

    def _add_snapshot(self, stream: str, version: int, body: bytes) -> None:
        mac = self._macs.of_snapshot(stream, version, body)
        row = {"stream": stream, "version": version, "body": body, "mac": mac}
        self._add(schema.snapshots, row)
        self._found.snapshots += 1

    def _add(self, table: Table, row: dict[str, Any]) -> None:
        rows = self._rows.setdefault(table, [])
        rows.append(row)
        if len(rows) >= MANY:
            self._flush(table)

    def _flush(self, table: Table) -> None:
        self._connection.execute(insert(table), self._rows.pop(table))

    def end(self) -> Reindexed:
        for account, cents in sorted(self._balances.items()):
            self._add(schema.balances, {"account": account, "cents": cents})
        for table in list(self._rows):
            self._flush(table)
        self._found.accounts = len(self._balances)
        return self._found


def _of_account(entries: Iterator[Entry]) -> Iterator[tuple[str, int]]:
    """Yield the request and version of each entry of an account with the cashier."""
    for entry in entries:
        with _playing(entry):
            record = account_record(entry)
        yield record.request, entry.version


@contextmanager
def _playing(entry: Entry) -> Iterator[None]:
    """Turn any error in replaying an entry into a `ChainBroken` that names the entry."""
    try:
        yield
    except CroupierError as error:
        message = f"it cannot be played: {error.message}"
        raise ChainBroken(entry.stream, entry.version, message) from error
    except Exception as error:
        message = f"it cannot be played ({plain(repr(error), 200)})"
        raise ChainBroken(entry.stream, entry.version, message) from error
