"""A journal as version 0.1 wrote it, read as it stands at one moment. Nothing is written to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from sqlalchemy import Connection, MetaData, Table, func, select

from croupier.errors import BadRequest, plain
from croupier.ledger.chain import ChainBroken, check_chain, entry_of
from croupier.ledger.entries import Chapter, Entry, StreamHead
from croupier.ledger.journal import Journal, chapter_of_row, database_at, file_of
from croupier.ledger.schema import (
    balances,
    chapters,
    entries,
    latest,
    metadata,
    requests,
    snapshots,
    version_of,
)

__all__ = ["OldJournal", "OldRequest", "open_old"]

PAGE: Final = 100
"""Entries of a stream that are in memory at once: many streams are read side by side."""
MANY: Final = 1000
_events: Final = entries.to_metadata(MetaData(), name="events")


class OldRequest(NamedTuple):
    """A key, and the entries that were written for it."""

    key: str
    first: int
    last: int


@contextmanager
def open_old(where: str) -> Iterator[OldJournal]:
    """A journal of 0.1; anything else is refused."""
    path = file_of(where)
    if path is not None and not path.exists():
        raise BadRequest(f"there is no journal at {plain(where, 200)}")
    with Journal(database_at(where)) as found, found.reader() as connection:
        _check_version(version_of(connection), found.name)
        connection.rollback()  # what was looked at so far is not of the moment that is read
        with found.database.consistent_read(connection):
            yield OldJournal(connection, found.name)


def _check_version(version: int, name: str) -> None:
    if version == 0:
        raise BadRequest(f"{name} is not a journal: it is empty")
    if 1 < version <= latest:
        raise BadRequest(f"{name} is in today's form already: there is nothing to migrate")
    if version > latest:
        raise BadRequest(f"{name} was written by a newer Croupier: use that one")


class OldJournal:
    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self.name = name
        self.heads = self._heads()

    def _heads(self) -> dict[str, StreamHead]:
        c = _events.c
        ends = select(c.stream, func.max(c.version).label("version")).group_by(c.stream).subquery()
        here = (c.stream == ends.c.stream) & (c.version == ends.c.version)
        found = self._connection.execute(
            select(c.stream, c.version, c.hash).join(ends, here).order_by(c.stream)
        )
        return {row.stream: StreamHead(row.version, row.hash) for row in found}

    @property
    def entries(self) -> int:
        return sum(head.version for head in self.heads.values())

    def streams(self, prefix: str) -> list[str]:
        return [stream for stream in self.heads if stream.startswith(prefix)]

    def read(self, stream: str) -> Iterator[Entry]:
        c = _events.c
        query = (
            select(c.stream, c.version, c.at, c.kind, c.body, c.transfers, c.hash)
            .where(c.stream == stream)
            .order_by(c.version)
            .limit(PAGE)
        )
        after = 0
        while rows := self._connection.execute(query.where(c.version > after)).all():
            for expected, row in enumerate(rows, after + 1):
                yield entry_of(row, expected)
            after = rows[-1].version

    def check_chains(self, told: Callable[[int], None]) -> None:
        """`ChainBroken` names the first entry that is not as it was written, or is missing."""
        done = 0
        for stream, head in self.heads.items():
            found = check_chain(self.read(stream))
            if found != head:
                raise ChainBroken(stream, found.version + 1, "it is missing")
            done += head.version
            told(done)
        for table, column in (
            (requests, requests.c.last),
            (chapters, chapters.c.last),
            (snapshots, snapshots.c.version),
        ):
            ends = select(table.c.stream, func.max(column)).group_by(table.c.stream)
            for stream, last in self._connection.execute(ends):
                reached = self.heads[stream].version if stream in self.heads else 0
                if last > reached:
                    what = f"it is missing: {table.name} of the stream speak of entry {last}"
                    raise ChainBroken(stream, reached + 1, what)

    def requests(self, stream: str) -> Iterator[OldRequest]:
        """In the order of their entries."""
        c = requests.c
        query = select(c.request, c.first, c.last).where(c.stream == stream).order_by(c.first)
        after = 0
        while rows := self._connection.execute(query.where(c.first > after).limit(PAGE)).all():
            for row in rows:
                yield OldRequest(row.request, row.first, row.last)
            after = rows[-1].first

    def all_requests(self) -> int:
        """How many keys there are in all."""
        query = select(func.count()).select_from(requests)
        return int(self._connection.execute(query).scalar_one())

    def chapter(self, stream: str, number: int) -> Chapter | None:
        c = chapters.c
        query = select(chapters).where(c.stream == stream, c.number == number)
        row = self._connection.execute(query).first()
        return None if row is None else chapter_of_row(row)

    def rounds(self, stream: str) -> int:
        """How many the index knows."""
        query = select(func.count()).where(chapters.c.stream == stream)
        return int(self._connection.execute(query).scalar_one())

    def balances(self) -> dict[str, int]:
        found = self._connection.execute(select(balances).order_by(balances.c.account))
        return {row.account: int(row.cents) for row in found}

    def other_tables(self) -> list[Table]:
        """Those that the journal knows nothing of, such as the web's people."""
        known = {*metadata.tables, _events.name}
        found = MetaData()
        found.reflect(self._connection, only=lambda name, _: name not in known)
        return list(found.sorted_tables)

    def rows(self, table: Table) -> Iterator[list[dict[str, object]]]:
        """All rows of a table, some at a time."""
        query = select(table).execution_options(yield_per=MANY)
        for part in self._connection.execute(query).mappings().partitions(MANY):
            yield [dict(row) for row in part]
