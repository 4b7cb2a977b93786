"""Everyone's practice and school records, in a database table of their own beside the journal.

A record is stored by person, record type, and key. Its type says how to decode it:

    LAST = RecordType("drill", Drill)
    store.change("Ann", LAST, "md-uth/river", lambda drill: answered(drill, "fold"))
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, Generic, NamedTuple, TypeVar

import msgspec
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    MetaData,
    Row,
    Select,
    Table,
    Text,
    delete,
    insert,
    select,
    update,
)

from croupier.errors import BadData, BadRequest, Refusal, plain
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.side_tables import create_missing, writing
from croupier.ledger.stores.schema import NAME
from croupier.runtime import clock

GUEST: Final = "guest-"
"""The prefix of guests' names."""
MOST_NAME: Final = 200
MOST_RECORD: Final = 4_000_000
TOLERANCE: Final = timedelta(seconds=2)
"""The most by which the clocks of two workers may differ."""

T = TypeVar("T")

_metadata = MetaData()
_progress = Table(
    "school_progress",
    _metadata,
    Column("person", NAME, primary_key=True),
    Column("kind", NAME, primary_key=True),
    Column("key", NAME, primary_key=True),
    Column("changed_at", Text, nullable=False),
    Column("record", Text, nullable=False),
)


class RecordType(Generic[T]):
    """A name for records and their Python type. Extend the type as the journal's: by fields with
    defaults at its end."""

    def __init__(self, name: str, of: type[T]) -> None:
        self.name = name
        self._decode = msgspec.json.Decoder(of).decode

    def text_of(self, record: T) -> str:
        text = msgspec.json.encode(record)
        if len(text) > MOST_RECORD:
            raise BadRequest(f"a {self.name} of {len(text)} bytes: at most {MOST_RECORD} are kept")
        return text.decode()

    def record_of(self, text: str) -> T:
        try:
            return self._decode(text)
        except msgspec.MsgspecError as error:
            raise BadData(f"a {self.name} that was kept cannot be read: {error}") from None


class Kept(NamedTuple, Generic[T]):
    """A record with its person, key, and time of change."""

    person: str
    key: str
    changed_at: str
    record: T


class ProgressStore:
    """Everyone's records. Its methods block: call them in a thread. Any number of threads and
    workers may use it at once."""

    def __init__(self, journal: Journal, now: Callable[[], datetime] = clock.now) -> None:
        self._journal = journal
        self._now = now
        create_missing(journal, _metadata)

    def get(self, person: str, record_type: RecordType[T], key: str) -> T | None:
        with self._journal.reader() as connection:
            row = connection.execute(_one(person, record_type, key)).first()
        return None if row is None else record_type.record_of(row.record)

    def change(
        self, person: str, record_type: RecordType[T], key: str, change: Callable[[T | None], T]
    ) -> T:
        """Replace the record by `change` of it (None: there is none yet). Nobody else changes it
        meanwhile; if `change` raises, everything stays as it was."""
        _check_names(person, record_type.name, key)
        now = self._now()
        with writing(self._journal) as connection:
            _one_at_a_time(connection, person, record_type.name, key)
            row = connection.execute(_one(person, record_type, key)).first()
            if row is not None:
                _check_clock(now, row.changed_at)
            made = change(None if row is None else record_type.record_of(row.record))
            values = {"changed_at": stamp(now), "record": record_type.text_of(made)}
            if row is None:
                named = {"person": person, "kind": record_type.name, "key": key}
                connection.execute(insert(_progress).values(**named, **values))
            else:
                connection.execute(
                    update(_progress).where(*_named(person, record_type, key)).values(**values)
                )
        return made

    def put(self, person: str, record_type: RecordType[T], key: str, record: T) -> None:
        """Store a record, replacing any earlier one."""
        self.change(person, record_type, key, lambda _: record)

    def of_person(self, person: str, record_type: RecordType[T]) -> list[Kept[T]]:
        """Return the person's records of this type, by key."""
        c = _progress.c
        return self._listed(
            record_type,
            select(_progress).where(c.person == person, c.kind == record_type.name).order_by(c.key),
        )

    def of_everybody(self, record_type: RecordType[T], key: str | None = None) -> list[Kept[T]]:
        """Return everybody's records of this type, by person and key; with `key`, only those with
        this key."""
        c = _progress.c
        query = select(_progress).where(c.kind == record_type.name).order_by(c.person, c.key)
        return self._listed(record_type, query if key is None else query.where(c.key == key))

    def drop(self, person: str, record_type: RecordType[T], key: str) -> bool:
        """Delete a record. Return whether there was one."""
        with writing(self._journal) as connection:
            done = connection.execute(delete(_progress).where(*_named(person, record_type, key)))
            return bool(done.rowcount)

    def forget(self, person: str) -> None:
        """Delete everything of a person."""
        with writing(self._journal) as connection:
            connection.execute(delete(_progress).where(_progress.c.person == person))

    def _listed(self, record_type: RecordType[T], query: Select[tuple[str, ...]]) -> list[Kept[T]]:
        with self._journal.reader() as connection:
            rows = connection.execute(query).all()
        return [_kept(record_type, row) for row in rows]


def forget_gone_guests(connection: Connection, people: Select[tuple[str]]) -> None:
    """Delete the records of guests who are no longer among these people."""
    c = _progress.c
    gone = c.person.startswith(GUEST, autoescape=True) & c.person.not_in(people)
    connection.execute(delete(_progress).where(gone))


def _kept(record_type: RecordType[T], row: Row[tuple[str, ...]]) -> Kept[T]:
    return Kept(row.person, row.key, row.changed_at, record_type.record_of(row.record))


def _named(person: str, record_type: RecordType[T], key: str) -> tuple[ColumnElement[bool], ...]:
    c = _progress.c
    return c.person == person, c.kind == record_type.name, c.key == key


def _one(person: str, record_type: RecordType[T], key: str) -> Select[tuple[str, ...]]:
    return select(_progress).where(*_named(person, record_type, key))


def _check_names(*names: str) -> None:
    for name in names:
        if not name or len(name) > MOST_NAME or "\0" in name:
            raise BadRequest(f"{plain(name)}: a name here has 1 to {MOST_NAME} characters")


def _check_clock(now: datetime, changed_at: str) -> None:
    if now < datetime.fromisoformat(changed_at) - TOLERANCE:
        raise Refusal(
            f"the clock was set back: this was last changed at {changed_at}, and the clock says "
            f"{stamp(now)}. Set the clock right; nothing was counted",
            code="clock_set_back",
        )


def _one_at_a_time(connection: Connection, *names: str) -> None:
    """Make concurrent changes of one record wait for each other. SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        named = "\n".join(("school", *names))
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext(%s))", (named,))
