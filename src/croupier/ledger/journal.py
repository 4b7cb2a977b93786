"""A journal in a database: streams of entries, balances, snapshots, and chapters by which rounds
are found.

`unique(stream, version)` is the only lock: a writer names the version it saw, and of two writers
that saw the same one, one gets a `Conflict`. Nothing is changed or deleted; corrections are
additions.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from datetime import datetime
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final

import msgspec
from sqlalchemy import (
    URL,
    Column,
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    and_,
    func,
    literal,
    make_url,
    select,
    text,
    tuple_,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from croupier.errors import BadRequest, CroupierError, not_installed, plain, shown
from croupier.ledger.entries import (
    Addition,
    Chapter,
    Entry,
    Fence,
    Mark,
    Snapshot,
    StreamHead,
    add_transfers,
    check_additions,
    fingerprint,
    stamp,
)
from croupier.ledger.faults import (
    Conflict,
    JournalDamaged,
    JournalUnavailable,
    LeaseLost,
    Repeated,
)
from croupier.ledger.rules_texts import RULES, keep_journal_rules, rules_key, rules_text
from croupier.ledger.signatures.chain import GENESIS, ChainBroken, chain_rows, entry_of
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.signatures.macs import (
    EntryForged,
    Identity,
    JournalMacs,
    Macs,
    same_mac,
)
from croupier.ledger.signatures.sealing import RoundKeys
from croupier.ledger.stores.database import (
    Address,
    Database,
    Driver,
    EntryRow,
    Listener,
    TransactionRows,
)
from croupier.ledger.stores.recognizing import check_is_journal
from croupier.ledger.stores.schema import (
    STREAM_VERSIONS,
    balances,
    chapters,
    check_form,
    entries,
    identity,
    latest,
    marks,
    migrate,
    requests,
    snapshots,
)

WAIT_SECONDS: Final = 5.0
BATCH: Final = 1000
MOST_REFUSED: Final = 1000
_log = logging.getLogger("croupier.ledger")

_encode: Final = msgspec.json.Encoder().encode
_decode_marks: Final = msgspec.json.Decoder(tuple[Mark, ...]).decode


def open_journal(url_or_path: str | Path, *, wait_seconds: float = WAIT_SECONDS) -> Journal:
    """Open a journal and bring its tables up to date.

    A path or `sqlite:///…` is a file, created if needed; `postgresql://…` is a server. After
    `wait_seconds` of waiting for a lock it raises `JournalUnavailable`.
    """
    journal = Journal(database_at(url_or_path, wait_seconds))
    try:
        journal.bring_up_to_date()
        journal.learn_rules()
    except BaseException:
        journal.close()
        raise
    return journal


def open_to_read(
    url_or_path: str | Path, *, read_only: bool = False, wait_seconds: float = WAIT_SECONDS
) -> Journal:
    """Open an existing journal and create nothing. With `read_only`, or if the file or its folder
    is not writable, nothing is written to the file or beside it."""
    path = file_of(url_or_path)
    if path is not None:
        check_is_journal(path)
        read_only = read_only or not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))
    journal = Journal(database_at(url_or_path, wait_seconds, read_only=read_only))
    try:
        with journal.reader() as connection:
            journal.form = check_form(connection)
        journal.learn_rules()
    except BaseException:
        journal.close()
        raise
    return journal


def open_address(address: Address) -> Journal:
    """Open the same journal in another process."""
    return open_to_read(address.url_or_path, read_only=address.read_only)


def database_at(
    url_or_path: str | Path, wait_seconds: float = WAIT_SECONDS, *, read_only: bool = False
) -> Database:
    """Return the database of a journal without changing its tables; a missing file is created
    unless `read_only`."""
    from croupier.ledger.stores.sqlite import SQLite

    path = file_of(url_or_path)
    if path is not None:
        return SQLite(path, wait_seconds, read_only=read_only)
    url = _url(str(url_or_path))
    dialect = url.drivername.partition("+")[0]
    if dialect not in {"postgresql", "postgres"}:
        raise BadRequest(f"unknown database {shown(dialect)}: write a path, sqlite or postgresql")
    try:
        from croupier.ledger.stores.postgres import Postgres
    except ImportError:
        raise not_installed("PostgreSQL", "psycopg", "postgres") from None
    return Postgres(url, wait_seconds)


def file_of(url_or_path: str | Path) -> Path | None:
    """Return the path of a journal that is a file, existing or not; None for a journal on a
    server."""
    if isinstance(url_or_path, Path) or "://" not in url_or_path:
        return Path(url_or_path)
    url = _url(url_or_path)
    if url.drivername.partition("+")[0] != "sqlite":
        return None
    if url.database in {None, "", ":memory:"}:
        raise BadRequest("a journal needs a file: sqlite:///path/to/journal.db")
    return Path(str(url.database))


def _url(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        dialect = url.partition("://")[0]
        raise BadRequest(f"the {plain(dialect)} URL of the journal cannot be understood") from None


class ConsistentView(msgspec.Struct, frozen=True):
    """The journal at one moment, for checks while others write."""

    heads: dict[str, StreamHead]
    balances: dict[str, int]
    mentioned: tuple[tuple[str, int, str], ...]
    """(stream, last entry mentioned, database table that mentions it)"""
    indexed: dict[str, int]
    """For each stream, the sum of the fingerprints of all marks in the index."""
    requested: dict[str, int] = {}
    """For each stream, the sum of the fingerprints of its requests: each key with its first and
    last entry."""


class Journal:
    """A journal in a database. Any number of threads may share one journal, and any number of
    processes one database."""

    _rules_seen = 0
    """The version up to which this process has read the rulebooks in the journal."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.heads: dict[str, StreamHead] = {}
        """The last entries of streams that this process knows. A hash never changes, so they stay
        true; the insert shows whether an entry is still the last."""
        self.keys = RoundKeys(self)
        self.macs = JournalMacs(self.identity)
        self.form = latest
        """The form of the journal's tables. An older form can be read; it is brought up to date
        before anything is written."""
        self.entries_added = 0
        """The number of entries that this process has written."""
        self.refused: dict[tuple[str, int], ChainBroken] = {}
        """The entries that this process refused because no process with the key of this machine
        wrote them."""
        self._rules_there: set[str] = set()
        self._rules_checked = 0
        self._trusting = False
        self._closed = False
        self._idle: list[Driver] = []  # connections to write with, the most recently used last
        self._turns: SimpleQueue[None] = SimpleQueue()
        for _ in range(database.writers):
            self._turns.put(None)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to it as well, and notify each other."""
        return self.database.writers > 1

    @property
    def name(self) -> str:
        """The file, or the URL without its password."""
        return self.database.name

    def close(self) -> None:
        self._closed = True
        while self._idle:
            self._idle.pop().close()
        self.database.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- writing ----------------------------------------------------------------------------

    def add(
        self, *additions: Addition, at: datetime, fence: Fence | None = None
    ) -> tuple[Entry, ...]:
        """Write additions to several streams in one transaction, all or nothing, and return the
        entries in the order passed.

        Raises `Conflict` if a stream has grown since the writer read it, `Repeated` if a request
        key was used before, and `LeaseLost` if another process holds the lease of `fence` now.
        """
        check_additions(additions)
        macs = self.macs_to_write()
        time = stamp(at)
        written: list[Entry] = []
        writer: Driver | None = self._take_writer()
        try:
            chained = []
            for addition in additions:
                previous = self._hash_at(writer, addition.stream, addition.after)
                chained.append(chain_rows(macs.of_contents, previous, addition, time, written))
            if additions:
                work = transaction_rows(macs, additions, chained)
                work.fences = frozenset() if fence is None else frozenset({fence})
                self.database.write(writer, work)
        except (Conflict, BadRequest, LeaseLost):
            raise
        except self.database.broken_constraint as error:
            raise self._explain_constraint(additions, error) from error
        except self.database.errors as error:
            lost = self.database.is_lost(writer)
            writer = self._discarded(writer)
            # The server may have committed although its reply was lost, so check.
            if not (lost and written and self._is_written(written[-1])):
                fault = self.database.explain(error)
                fault.perhaps_written = lost
                raise fault from error
        except BaseException:
            writer = self._discarded(writer)
            raise
        finally:
            self._give_back(writer)
        self.entries_added += len(written)
        for rows in chained:
            stream, version, *_, digest = rows[-1]
            self.heads[stream] = StreamHead(version, digest)
        return tuple(written)

    def _hash_at(self, writer: Driver, stream: str, version: int) -> str:
        """Return the hash of an entry, from memory if known: it never changes, and the insert shows
        who was first."""
        known = self.heads.get(stream)
        if known is not None and known.version == version:
            return known.hash
        if version == 0:
            return GENESIS
        digest = self.database.hash_at(writer, stream, version)
        if digest is None:
            raise Conflict(f"{stream} has no entry {version} yet: reload it and try again")
        return digest

    def _is_written(self, last: Entry) -> bool:
        try:
            entry = next(self.read(last.stream, last.version - 1, last.version), None)
        except CroupierError:
            return False
        return entry is not None and entry.hash == last.hash

    def _explain_constraint(
        self, additions: tuple[Addition, ...], error: Exception
    ) -> CroupierError:
        """Find out which row existed already, because the databases report it differently."""
        for addition in additions:
            stream, request = addition.stream, addition.request
            if request is not None and self.answered(stream, request) is not None:
                return Repeated(f"{stream} has answered request {shown(request)} already")
            version = self._find_head(stream).version
            if version != addition.after:
                return Conflict(
                    f"{stream} is at entry {version} now, not {addition.after}: "
                    "reload it and try again"
                )
            for chapter in addition.chapters:
                if self.chapter(stream, chapter.number) is not None:
                    return BadRequest(f"{stream} has a chapter {chapter.number} already")
        if any(
            len(set(marked.marks)) < len(marked.marks) for a in additions for marked in a.chapters
        ):
            return BadRequest("a chapter has the same mark twice")
        if "cents_are_exact" in str(error):
            return BadRequest("an account would hold more money than can be counted exactly")
        return Conflict("another writer wrote at the same moment: reload and try again")

    def _take_writer(self) -> Driver:
        if self._closed:
            raise JournalUnavailable(f"the journal {self.name} is closed")
        self._turns.get()
        if self._idle:
            return self._idle.pop()
        try:
            with self.explaining():
                return self.database.open_writer()
        except BaseException:
            self._turns.put(None)
            raise

    def _give_back(self, writer: Driver | None) -> None:
        if writer is not None:
            self._idle.append(writer)
        self._turns.put(None)

    def _discarded(self, writer: Driver) -> Driver | None:
        """Close the connection after an error and return None; the next call opens a new one."""
        self.heads.clear()
        with suppress(self.database.errors):
            writer.close()
        return None

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Turn database errors inside this context into errors with readable messages."""
        try:
            yield
        except DBAPIError as error:
            raise self.database.explain(error.orig) from error
        except (SQLAlchemyError, self.database.errors) as error:
            raise self.database.explain(error) from error

    # -- reading ----------------------------------------------------------------------------

    def head(self, stream: str) -> StreamHead:
        """Return the last version and its hash; version 0 for a stream without entries."""
        known = self.heads.get(stream)
        row = self._first(self._of_stream(stream).order_by(entries.c.version.desc()).limit(1))
        head = StreamHead(0, GENESIS) if row is None else StreamHead(row.version, row.hash)
        if known is not None and head.version < known.version:
            message = "it is missing: this process has seen it, and the stream ends before it now"
            raise ChainBroken(stream, head.version + 1, message)
        if row is not None:
            self._check(entry_of(row, row.version))
            self.heads[stream] = head
        return head

    def remember(self, entry: Entry) -> None:
        """Keep a last entry that was read, because the next write needs its hash."""
        self.heads[entry.stream] = StreamHead(entry.version, entry.hash)

    def _find_head(self, stream: str) -> StreamHead:
        query = (
            select(entries.c.version, entries.c.hash)
            .where(entries.c.stream == stream)
            .order_by(entries.c.version.desc())
            .limit(1)
        )
        row = self._first(query)
        return StreamHead(0, GENESIS) if row is None else StreamHead(row.version, row.hash)

    def read(self, stream: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        """Yield entries in order, opened if their keys are available. Only a batch is in memory at
        a time, and nothing is locked between batches. Raises `EntryForged` at an entry with a wrong
        MAC."""
        return map(self._checked, self.stored(stream, after, up_to))

    def learn_rules(self) -> None:
        """Read the rulebooks added since the last call. Tables refer to them by hash, so their MACs
        do not matter here."""
        for entry in self.stored(RULES, after=self._rules_seen):
            keep_journal_rules(entry)
            self._rules_seen = max(self._rules_seen, entry.version)

    def rules_there(self) -> tuple[set[str], int]:
        """Return the keys of the rulebooks in the journal, and the last version of their stream.
        Each is read only once; otherwise tables would open more slowly with every rulebook."""
        for entry in self.read(RULES, after=self._rules_checked):
            self._rules_there.add(rules_key(rules_text(entry)))
            self._rules_checked = entry.version
        return self._rules_there, self._rules_checked

    def stored(self, stream: str, after: int = 0, up_to: int | None = None) -> Iterator[Entry]:
        """Yield entries in order as they are stored, whatever their MACs."""
        c = entries.c
        query = self._of_stream(stream).order_by(c.version).limit(BATCH)
        if up_to is not None:
            query = query.where(c.version <= up_to)
        while rows := self._all(query.where(c.version > after)):
            if len(rows) > 1:
                self.keys.learn(stream, [(row.version, row.body) for row in rows])
            for expected, row in enumerate(rows, after + 1):
                yield entry_of(row, expected)
            if len(rows) < BATCH:
                return
            after = rows[-1].version

    def since(self, stream: str, at: str, kinds: Collection[str] = ()) -> Iterator[Entry]:
        """Yield the entries since this time, newest first; only of these kinds, if any are
        named."""
        c, head = entries.c, self.head(stream).version
        query = self._of_stream(stream).order_by(c.version.desc())
        if kinds:
            query = query.where(c.kind.in_(tuple(kinds)))
        while head > 0:
            first = max(0, head - BATCH)
            for row in self._all(query.where(c.version > first, c.version <= head)):
                entry = self._checked(entry_of(row, row.version))
                if entry.at < at:
                    return
                yield entry
            oldest = next(self.stored(stream, first, first + 1), None)
            if oldest is None or oldest.at < at:
                return
            head = first

    def recent(self, prefix: str, at: str, kinds: Collection[str]) -> Iterator[Entry]:
        """Yield the entries of these kinds since this time, newest first, in all streams whose
        names begin with the prefix."""
        c = entries.c
        query = (
            select(*self._columns)
            .where(begins_with(c.stream, prefix), c.kind.in_(tuple(kinds)), c.at >= at)
            .order_by(c.at.desc())
        )
        for row in self._all(query):
            yield self._checked(entry_of(row, row.version))

    @property
    def _columns(self) -> tuple[ColumnElement[Any], ...]:
        c = entries.c
        return (c.stream, c.version, c.at, c.kind, c.body, c.transfers, c.hash, c.mac)

    def _of_stream(self, stream: str) -> Select[Any]:
        return select(*self._columns).where(entries.c.stream == stream)

    def _checked(self, entry: Entry) -> Entry:
        self._check(entry)
        return self.keys.opened(entry)

    def _check(self, entry: Entry) -> None:
        """Refuse an entry that no process with the key wrote, so that nothing is played or paid
        from it."""
        macs = None if self._trusting else self.macs.to_check()
        if macs is not None and not macs.vouches_for(entry):
            error = EntryForged(entry.stream, entry.version)
            self.refuse(error)
            raise error

    def refuse(self, error: ChainBroken) -> None:
        """Remember the refused entry for the pages of the floor and the auditor, and log it
        once."""
        if (error.stream, error.version) not in self.refused and len(self.refused) < MOST_REFUSED:
            self.refused[error.stream, error.version] = error
            _log.error("%s", error)

    def as_stored(self) -> Journal:
        """Return the same journal, read whatever its MACs, for checks that list every
        difference."""
        journal = copy(self)
        journal._trusting = True  # noqa: SLF001 - it is one of ours
        journal.heads, journal.keys = {}, RoundKeys(journal)
        return journal

    def snapshot(self, stream: str) -> Snapshot | None:
        """Return the snapshot of a stream, or None. One with a wrong MAC is ignored: the state is
        then rebuilt from the entries."""
        c = snapshots.c
        row = self._first(select(c.stream, c.version, c.body, c.mac).where(c.stream == stream))
        if row is None:
            return None
        _, version, body, written = next(_typed([row], snapshots, str, int, bytes, str))
        macs = None if self._trusting else self.macs.to_check()
        if macs is not None and not same_mac(macs.of_snapshot(stream, version, body), written):
            _log.error("the snapshot of %s has a wrong MAC: it counts for nothing", stream)
            return None
        return Snapshot(version, body)

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        with self.reader() as connection:
            return _stream_names(connection, prefix)

    def versions(self) -> dict[str, int]:
        """Return the last version of every stream."""
        with self.reader() as connection:
            return {row.stream: row.version for row in connection.execute(text(STREAM_VERSIONS))}

    def balance(self, account: str) -> int:
        """Return a balance in cents; 0 for an unknown account."""
        row = self._first(select(balances.c.cents).where(balances.c.account == account))
        return 0 if row is None else int(row.cents)

    def balances(self, prefix: str = "") -> dict[str, int]:
        with self.reader() as connection:
            return _balances(connection, prefix)

    def answered(self, stream: str, request: str) -> tuple[Entry, ...] | None:
        """Return the entries that an earlier `add` with that request key wrote, or None."""
        c = requests.c
        query = select(c.first, c.last).where(c.stream == stream, c.request == request)
        row = self._first(query)
        return None if row is None else tuple(self.read(stream, row.first - 1, row.last))

    def chapter(self, stream: str, number: int) -> Chapter | None:
        c = chapters.c
        row = self._first(select(chapters).where(c.stream == stream, c.number == number))
        return None if row is None else _chapter_of_row(row)

    def chapters(
        self,
        stream: str | None = None,
        marks: Sequence[Mark] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        newest_first: bool = True,
        before: int | None = None,
    ) -> Iterator[Chapter]:
        """Yield the chapters that have all the marks, overlap the time from `since` to `until`, and
        come before number `before`.

        Chapters of one stream are ordered by number, since the clock may have been set back; those
        of several streams by the time they began.
        """
        query = _matching(marks)
        c = chapters.c
        if stream is not None:
            query = query.where(c.stream == stream)
        if since is not None:
            query = query.where(c.ended >= stamp(since))
        if until is not None:
            query = query.where(c.began <= stamp(until))
        if before is not None:
            query = query.where(c.number < before)
        order = (c.began, c.stream, c.number) if stream is None else (c.number,)
        return self._pages(query, order, limit, newest_first)

    def _pages(
        self,
        query: Select[Any],
        order: tuple[Column[Any], ...],
        limit: int | None,
        newest_first: bool,
    ) -> Iterator[Chapter]:
        query = query.order_by(*(column.desc() if newest_first else column for column in order))
        page, left = query, limit
        while left is None or left > 0:
            size = BATCH if left is None else min(BATCH, left)
            rows = self._all(page.limit(size))
            for row in rows:
                yield _chapter_of_row(row)
            if len(rows) < size:
                return
            left = None if left is None else left - size
            here = tuple_(
                *(literal(getattr(rows[-1], column.name), column.type) for column in order)
            )
            place = tuple_(*order)
            page = query.where(place < here if newest_first else place > here)

    def consistent_view(self) -> ConsistentView:
        """Return the heads, balances and indexes of one moment."""
        with self.reader() as connection, self.database.consistent_read(connection):
            query = select(entries.c.hash, entries.c.version).order_by(entries.c.version.desc())
            heads: dict[str, StreamHead] = {}
            for stream in _stream_names(connection, ""):
                row = connection.execute(query.where(entries.c.stream == stream).limit(1)).one()
                heads[stream] = StreamHead(row.version, row.hash)
            mentioned, indexed = _mentioned(connection), _indexed(connection)
            requested = _requested(connection)
            return ConsistentView(heads, _balances(connection, ""), mentioned, indexed, requested)

    def marks_of(self, stream: str) -> dict[int, set[Mark]]:
        """Return the marks of each chapter of a stream, from the index."""
        marks_by_number: dict[int, set[Mark]] = {}
        columns = (marks.c.number, marks.c.name, marks.c.value)
        for row in self._all(select(*columns).where(marks.c.stream == stream)):
            marks_by_number.setdefault(row.number, set()).add(Mark(row.name, row.value))
        return marks_by_number

    def requested(self, stream: str) -> dict[str, tuple[int, int]]:
        """Return all request keys of a stream, each with the first and last entry written for
        it."""
        c = requests.c
        rows = self._all(select(c.request, c.first, c.last).where(c.stream == stream))
        return {row.request: (row.first, row.last) for row in rows}

    def listen(self) -> Listener:
        """Listen for growing streams, by any process: at once on PostgreSQL, by polling every few
        hundredths of a second on SQLite. Additions from this call on are reported."""
        with self.explaining():
            return self.database.listen()

    # -- connections ------------------------------------------------------------------------

    def bring_up_to_date(self) -> None:
        """Create the tables if there are none, and migrate older ones to the current form."""
        with self.reader() as connection:
            locked = partial(self.database.migrating, connection)
            self.form = migrate(connection, locked, lambda: machine_key().public)
        self.macs.forget()

    def macs_to_write(self) -> Macs:
        """Return the MACs for writing; raises `AnotherKey` if this machine may not write."""
        if self.form < latest:
            self.bring_up_to_date()
        return self.macs.to_make()

    def identity(self) -> Identity | None:
        """Return which key vouches for the entries; None if somebody emptied that table."""
        row = self._first(select(identity.c.journal, identity.c.key))
        return None if row is None else Identity(str(row.journal), str(row.key))

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """A transaction in which nobody else can write."""
        with self.reader() as connection, self.database.migrating(connection):
            if connection.dialect.name != "sqlite":
                connection.exec_driver_sql("LOCK TABLE entries IN SHARE ROW EXCLUSIVE MODE")
            yield connection

    @contextmanager
    def reader(self) -> Iterator[Connection]:
        if self._closed:
            raise JournalUnavailable(f"the journal {self.name} is closed")
        with self.explaining(), self.database.engine.connect() as connection:
            yield connection

    def _first(self, query: Select[Any]) -> Row[Any] | None:
        with self.reader() as connection:
            return connection.execute(query).first()

    def _all(self, query: Select[Any]) -> Sequence[Row[Any]]:
        with self.reader() as connection:
            return connection.execute(query).all()


def transaction_rows(
    macs: Macs, additions: tuple[Addition, ...], chained: list[list[EntryRow]]
) -> TransactionRows:
    """Return the rows of each table, in the order that keeps writers from blocking each other."""
    if len(additions) > 1:
        additions = tuple(sorted(additions, key=lambda added: added.stream))
        chained = sorted(chained, key=lambda rows: rows[0][0])
    work = TransactionRows(chained[0])
    for rows in chained[1:]:
        work.entries = work.entries + rows
    sums: dict[str, int] = {}
    for addition in additions:
        for new in addition.entries:
            if new.transfers:
                add_transfers(new.transfers, sums)
        if addition.request is not None or addition.snapshot is not None or addition.chapters:
            _add_others(macs, work, addition)
    if sums:
        work.balances = sorted(sums.items())
    return work


def _add_others(macs: Macs, work: TransactionRows, addition: Addition) -> None:
    stream, last = addition.stream, addition.after + len(addition.entries)
    if addition.request is not None:
        work.requests = (*work.requests, (stream, addition.request, addition.after + 1, last))
    if addition.snapshot is not None:
        body = addition.snapshot
        row = (stream, last, body, macs.of_snapshot(stream, last, body))
        work.snapshots = (*work.snapshots, row)
    for chapter in addition.chapters:
        text = _encode(chapter.marks).decode()
        place = (
            stream,
            chapter.number,
            chapter.first,
            chapter.last,
            chapter.began,
            chapter.ended,
            text,
        )
        work.chapters = (*work.chapters, place)
        mark_rows = ((mark.name, mark.value, stream, chapter.number) for mark in chapter.marks)
        work.marks = (*work.marks, *mark_rows)


def _chapter_of_row(row: Row[Any]) -> Chapter:
    stream, number, first, last, began, ended, marks_text = next(
        _typed([row], chapters, str, int, int, int, str, str, str)
    )
    try:
        return Chapter(stream, number, first, last, began, ended, _decode_marks(marks_text))
    except msgspec.MsgspecError:
        raise _damaged(chapters) from None


def _matching(wanted: Sequence[Mark]) -> Select[Any]:
    """Select the chapters with these marks. One join per mark lets the database begin with the
    rarest."""
    query, source = select(chapters), chapters
    for mark in dict.fromkeys(wanted):
        alias = marks.alias()
        here = and_(alias.c.stream == chapters.c.stream, alias.c.number == chapters.c.number)
        source = source.join(alias, here)  # type: ignore[assignment]
        query = query.where(alias.c.name == mark.name, alias.c.value == mark.value)
    return query.select_from(source)


_NAMES: Final = text("""
WITH RECURSIVE names (stream) AS (
    SELECT min(stream) FROM entries WHERE stream >= :prefix
    UNION ALL
    SELECT (SELECT min(stream) FROM entries WHERE stream > names.stream)
    FROM names WHERE names.stream IS NOT NULL
)
SELECT stream FROM names WHERE stream IS NOT NULL AND stream < :beyond
""")


def _stream_names(connection: Connection, prefix: str) -> tuple[str, ...]:
    """Return the names of streams, by jumps from stream to stream in the index instead of reading
    all rows."""
    rows = connection.execute(_NAMES, {"prefix": prefix, "beyond": _beyond(prefix)})
    return tuple(row.stream for row in rows)


def _balances(connection: Connection, prefix: str) -> dict[str, int]:
    query = select(balances).order_by(balances.c.account)
    if prefix:
        query = query.where(begins_with(balances.c.account, prefix))
    return dict(_typed(connection.execute(query), balances, str, int))


def _mentioned(connection: Connection) -> tuple[tuple[str, int, str], ...]:
    mentioned: list[tuple[str, int, str]] = []
    for table, column in (
        (requests, requests.c.last),
        (chapters, chapters.c.last),
        (snapshots, snapshots.c.version),
    ):
        stream = table.c.stream
        query = select(stream, func.max(column)).group_by(stream).order_by(stream)
        rows = _typed(connection.execute(query), table, str, int)
        mentioned += [(name, last, table.name) for name, last in rows]
    return tuple(mentioned)


def _typed(rows: Iterable[Any], table: Table, *types: type) -> Iterator[tuple[Any, ...]]:
    """Yield rows whose values have these types. SQLite takes any value in any column, so a damaged
    file can hold values that the journal did not write."""
    for row in rows:
        values = tuple(row)
        if tuple(map(type, values)) != types:
            raise _damaged(table)
        yield values


def _damaged(table: Table) -> JournalDamaged:
    return JournalDamaged(
        f"the table {table.name} holds what no journal writes: the database is damaged. "
        "`croupier reindex` rebuilds it from the entries, if those can be read; else restore a "
        "backup"
    )


def _indexed(connection: Connection) -> dict[str, int]:
    query = select(marks.c.stream, marks.c.number, marks.c.name, marks.c.value)
    sums: dict[str, int] = {}
    rows = connection.execution_options(yield_per=BATCH).execute(query)
    for stream, *mark in _typed(rows, marks, str, int, str, str):
        sums[stream] = sums.get(stream, 0) + fingerprint(*mark)
    return sums


def _requested(connection: Connection) -> dict[str, int]:
    query = select(requests.c.stream, requests.c.first, requests.c.request, requests.c.last)
    sums: dict[str, int] = {}
    rows = connection.execution_options(yield_per=BATCH).execute(query)
    for stream, first, key, last in _typed(rows, requests, str, int, str, int):
        sums[stream] = sums.get(stream, 0) + fingerprint(first, key, str(last))
    return sums


def begins_with(column: Column[Any], prefix: str) -> ColumnElement[bool]:
    # Not LIKE, which ignores case in SQLite.
    return and_(column >= prefix, column < _beyond(prefix))


def _beyond(prefix: str) -> str:
    return prefix + chr(0x10FFFF)
