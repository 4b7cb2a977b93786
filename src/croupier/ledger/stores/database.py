"""The interface between the journal and its database; SQLite and PostgreSQL differ only here.

SQLAlchemy does reading, schema and pooling. A write goes straight to the driver, with one
`executemany` per table, so that it costs little more than the driver itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec
from sqlalchemy import Connection, Engine

from croupier.ledger.entries import Fence
from croupier.ledger.faults import JournalUnavailable

Driver: TypeAlias = Any
"""A connection of sqlite3 or psycopg, which have no common type."""

Rows: TypeAlias = Sequence[tuple[Any, ...]]
EntryRow: TypeAlias = tuple[str, int, str, str, bytes, str, str, str]
"""Stream, version, at, kind, body, transfers, MAC, hash."""


class StreamGrown(msgspec.Struct, frozen=True):
    """A stream has grown; it is at `version` or later."""

    stream: str
    version: int


class TransactionRows(msgspec.Struct):
    """One transaction: the rows of each table."""

    entries: list[EntryRow]
    requests: Rows = ()
    chapters: Rows = ()
    marks: Rows = ()
    snapshots: Rows = ()
    balances: Rows = ()
    fences: frozenset[Fence] = frozenset()
    """The transaction is written only if each of these leases is still held."""

    def rows(self) -> tuple[Rows, ...]:
        """Return the rows in the order of `schema.WRITES`."""
        first = (self.entries, self.requests, self.chapters)
        return (*first, self.marks, self.snapshots, self.balances)

    def stream_versions(self) -> dict[str, int]:
        """Return the version of each stream after the transaction."""
        return {row[0]: row[1] for row in self.entries}


class Listener(Protocol):
    """Reports which streams have grown, also by other processes. Use it in a `with` statement."""

    def wait(self, seconds: float) -> tuple[StreamGrown, ...]:
        """Return at most one `StreamGrown` per stream; empty after the timeout."""

    def close(self) -> None: ...

    def __enter__(self) -> Listener: ...

    def __exit__(self, *_: object) -> None: ...


class Address(NamedTuple):
    """Where another process finds the same database, including its password, if any."""

    url_or_path: str
    read_only: bool = False


class Database(Protocol):
    """A journal's database. `name` is for people: the file, or the URL without its password."""

    name: str
    engine: Engine
    address: Address
    writers: int
    """The number of connections of one process that may write at once."""

    errors: type[Exception]
    """The base class of the driver's errors."""

    broken_constraint: type[Exception]
    """The driver's error if a row exists already."""

    def migrating(self, connection: Connection) -> AbstractContextManager[None]:
        """Context of a transaction that only one process at a time can hold."""

    def consistent_read(self, connection: Connection) -> AbstractContextManager[None]:
        """Context in which several reads see the same state."""

    def open_writer(self) -> Driver: ...

    def hash_at(self, writer: Driver, stream: str, version: int) -> str | None: ...

    def write(self, writer: Driver, work: TransactionRows) -> None:
        """Write all rows or none; on return they are on disk."""

    def is_lost(self, writer: Driver) -> bool:
        """Whether the connection broke, so that it is unknown whether a commit was written."""

    def explain(self, error: BaseException | None) -> JournalUnavailable: ...

    def listen(self) -> Listener: ...

    def close(self) -> None: ...


def latest_only(moved: Iterator[StreamGrown]) -> tuple[StreamGrown, ...]:
    newest: dict[str, int] = {}
    for grown in moved:
        newest[grown.stream] = max(grown.version, newest.get(grown.stream, 0))
    return tuple(StreamGrown(stream, version) for stream, version in newest.items())
