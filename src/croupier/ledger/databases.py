"""What the store needs of a database, and the little in which the two differ.

Reading, schema and pooling are SQLAlchemy's. A write goes straight to the driver: one prepared
`executemany` a table, so that journaling costs little more than the driver itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

import msgspec
from sqlalchemy import Connection, Engine

from croupier.ledger.faults import JournalUnavailable

__all__ = ["Database", "Driver", "EntryRow", "Grown", "Listener", "Rows", "Work"]

Driver: TypeAlias = Any
"""A connection of sqlite3's or psycopg's: both untyped where it matters."""

Rows: TypeAlias = Sequence[tuple[Any, ...]]
EntryRow: TypeAlias = tuple[str, int, str, str, str, str, str]


class Grown(msgspec.Struct, frozen=True):
    """A stream has grown; it is at least at `version` now."""

    stream: str
    version: int


class Work(msgspec.Struct):
    """One transaction: the rows of each table."""

    entries: list[EntryRow]
    requests: Rows = ()
    chapters: Rows = ()
    marks: Rows = ()
    snapshots: Rows = ()
    balances: Rows = ()

    def rows(self) -> tuple[Rows, ...]:
        """In the order of `schema.WRITES`."""
        first = (self.entries, self.requests, self.chapters)
        return (*first, self.marks, self.snapshots, self.balances)

    def moved(self) -> dict[str, int]:
        """Which stream is at which version afterwards."""
        return {row[0]: row[1] for row in self.entries}


class Listener(Protocol):
    """Tells which streams have grown, whoever appended. Use it in a `with`."""

    def wait(self, seconds: float) -> tuple[Grown, ...]:
        """At most one `Grown` a stream; nothing when the time is over."""

    def close(self) -> None: ...

    def __enter__(self) -> Listener: ...

    def __exit__(self, *_: object) -> None: ...


class Database(Protocol):
    """`name` is for people: the file, or the URL without its password."""

    name: str
    engine: Engine
    writers: int
    """How many writers of one process may write at once."""

    errors: type[Exception]
    """What the driver raises."""

    broken_constraint: type[Exception]
    """What it raises when a row is there already."""

    def migrating(self, connection: Connection) -> AbstractContextManager[None]:
        """A transaction that no other process can begin as well."""

    def one_moment(self, connection: Connection) -> AbstractContextManager[None]:
        """Several reads that all see the same moment."""

    def open_writer(self) -> Driver: ...

    def hash_at(self, writer: Driver, stream: str, version: int) -> str | None: ...

    def write(self, writer: Driver, work: Work) -> None:
        """All of it or nothing; on return it is on the disk."""

    def is_lost(self, writer: Driver) -> bool:
        """Did the connection break, so that nobody knows whether a commit got through?"""

    def explain(self, error: BaseException | None) -> JournalUnavailable: ...

    def listen(self) -> Listener: ...


def latest_only(moved: Iterator[Grown]) -> tuple[Grown, ...]:
    newest: dict[str, int] = {}
    for one in moved:
        newest[one.stream] = max(one.version, newest.get(one.stream, 0))
    return tuple(Grown(stream, version) for stream, version in newest.items())
