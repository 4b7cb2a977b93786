"""Search over the entries of every stream, newest first: by person, command, time, amount and
words.

A page is bounded work however large the journal is: it looks at `WINDOW` entries at most, along an
index by time, and reports how far back it came. Cards that lie face down in a round in play cannot
be searched for; otherwise a patient searcher could find them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Row, Select, and_, inspect, literal, or_, select, tuple_

from croupier.cashier import CASHIER_COMMANDS
from croupier.errors import BadRequest, plain
from croupier.ledger.entries import Entry, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import masked, table_stream
from croupier.ledger.signatures.chain import entry_of
from croupier.ledger.stores.bodies import BodyText
from croupier.ledger.stores.schema import entries
from croupier.money import format_cents
from croupier.tables.commands import COMMANDS

WINDOW: Final = 20_000
BATCH: Final = 500
KINDS: Final = {"tables": "table:", "links": "link:", "attempts": "attempts:"} | {
    "corrections": "corrections:",
    "people": "people:",
    "cashier": "cashier:",
    "program": "program:",
}
"""The kinds of streams, and the prefixes of their names."""

SECRET: Final = ("cards", "deck", "salt")
"""Fields of commands that are secret while the round is in play."""
_INDEX: Final = "entries_by_time"
_CLAUSES: Final = frozenset({"clause", "limited_by", "saves_clause"})


class Place(NamedTuple):
    """The end of a page. Later entries come first; entries of the same time are ordered by stream
    and version."""

    at: str
    stream: str
    version: int

    def __str__(self) -> str:
        return f"{self.at} {self.stream} {self.version}"

    @classmethod
    def parse(cls, text: str) -> Place:
        parts = text.split(" ")
        if len(parts) != 3 or not (parts[2].isascii() and parts[2].isdecimal()):
            raise BadRequest(f"{plain(text, 80)} is not where a page ended: take it from `before`")
        if len(parts[2]) > 18:
            raise BadRequest("no stream has that many entries")
        return cls(parts[0], parts[1], int(parts[2]))


class Sought(msgspec.Struct, frozen=True):
    """Search criteria; an empty field does not restrict the search."""

    kinds: tuple[str, ...] = ()
    streams: tuple[str, ...] = ()
    command: str = ""
    person: str = ""
    role: str = ""
    clause: str = ""
    cents: int | None = None
    words: str = ""
    since: datetime | None = None
    until: datetime | None = None
    first: int = 0
    last: int = 0
    """Only entries `first` to `last` of the one stream that is named."""

    @property
    def terms(self) -> list[str]:
        return self.words.lower().split()


class FoundPage(msgspec.Struct, frozen=True):
    found: tuple[ReadEntry, ...]
    before: Place | None
    """Where the next page continues; None at the beginning of the journal."""
    back_to: str
    """The time of the last entry that was looked at."""


class ReadEntry:
    """An entry opened, whatever its stream: person, command, clauses, amount."""

    def __init__(self, entry: Entry, *, is_open: bool = False) -> None:
        self.entry = entry
        self.is_open = is_open
        """The entry may belong to a round still in play: its cards stay face down."""

    @cached_property
    def data(self) -> dict[str, Any]:
        data = msgspec.json.decode(self.entry.body or b"{}")
        return data if isinstance(data, dict) else {}

    @property
    def command(self) -> dict[str, Any]:
        command = self.data.get("command")
        return command if isinstance(command, dict) else {}

    @property
    def tag(self) -> str:
        """The command's type; for an entry without a command, its kind."""
        return str(self.command.get("type") or self.entry.kind)

    @property
    def role(self) -> str:
        return self._by[0]

    @property
    def name(self) -> str:
        return self._by[1]

    @property
    def _by(self) -> tuple[str, str]:
        by = self.data.get("by")
        if isinstance(by, dict):
            return str(by.get("role", "")), str(by.get("name", ""))
        role, _, name = str(self.command.get("by", "")).partition(" ")
        return role, name

    @property
    def events(self) -> list[Any]:
        return [*self.data.get("followed", ()), *self.data.get("events", ())]

    @property
    def clauses(self) -> tuple[str, ...]:
        clauses = [str(self.data["clause"])] if self.data.get("clause") else []
        return tuple(dict.fromkeys([*clauses, *_clauses(self.events)]))

    @property
    def cents(self) -> int:
        """The sum of all transfers."""
        return sum(transfer.cents for transfer in self.entry.transfers)

    def is_of(self, sought: Sought) -> bool:
        entry, text = self.entry, self.entry.body.decode()
        clause = sought.clause
        return (
            (not sought.command or self.tag == sought.command)
            and (not sought.person or self._names(sought.person))
            and (not sought.role or self.role == sought.role)
            and (not clause or any(term.startswith(clause) for term in self.clauses))
            and (sought.cents is None or _moves(entry, text, sought.cents))
            and (not sought.words or self._says(sought.terms))
        )

    def _names(self, person: str) -> bool:
        """Whether this person gave the command, or the entry is about them."""
        if person in (self.name, self.command.get("player")):
            return True
        name, text = _escaped(person), self.entry.body.decode()
        return not self.is_open and (f'"{name}"' in text or f' {name}"' in text)

    def _says(self, terms: list[str]) -> bool:
        entry = self.entry
        text = f"{entry.stream} {self.tag} {label_of(self.tag)} {self.role} {self.name}"
        if self.is_open:
            said = {name: part for name, part in self.command.items() if name not in SECRET}
            text += masked(msgspec.json.encode(said).decode())
        else:
            text += entry.body.decode()
        text = text.lower()
        return all(_escaped(term) in text for term in terms)


@cache
def label_of(tag: str) -> str:
    """Return the label that people see for the command."""
    entry_kind = COMMANDS.get(tag) or CASHIER_COMMANDS.get(tag)
    return (
        entry_kind.declared.label if entry_kind is not None else tag.replace("_", " ").capitalize()
    )


def index_by_time(journal: Journal) -> None:
    """Create the index that pages use, unless it exists. Servers do it when they start."""
    with journal.reader() as connection:
        if any(index["name"] == _INDEX for index in inspect(connection).get_indexes("entries")):
            return
        with journal.database.migrating(connection):
            connection.exec_driver_sql(
                f"CREATE INDEX IF NOT EXISTS {_INDEX} ON entries (at, stream, version)"
            )


def search(journal: Journal, sought: Sought, before: Place | None, limit: int) -> FoundPage:
    """Return the next page of matching entries."""
    walk = _Walk(sought)
    end = walk.end(journal, before)
    open_from = _OpenRounds(journal)
    page: list[ReadEntry] = []
    place = before
    while rows := _rows(journal, walk.rows(place, end)):
        for row in rows:
            entry = journal.keys.opened(entry_of(row, row.version))
            place = Place(entry.at, entry.stream, entry.version)
            read = ReadEntry(entry, is_open=open_from.has(entry))
            if read.is_of(sought):
                page.append(read)
                if len(page) == limit:
                    return FoundPage(tuple(page), place, entry.at)
        if len(rows) < BATCH:
            break
    return FoundPage(tuple(page), end, end.at if end is not None else walk.beginning(journal))


class _OpenRounds:
    """Tests whether an entry comes after the last finished round, so that it may belong to a round
    in play."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[str, tuple[int, str]] = {}

    def has(self, entry: Entry) -> bool:
        entry_kind, _, name = entry.stream.partition(":")
        if entry_kind == "table":
            return entry.version > self._finished(name)[0]
        return entry_kind == "attempts" and entry.at >= self._finished(name)[1]

    def _finished(self, table: str) -> tuple[int, str]:
        if table not in self._known:
            last = next(self._journal.chapters(table_stream(table), limit=1), None)
            self._known[table] = (0, "") if last is None else (last.last, last.ended)
        return self._known[table]


class _Walk:
    """The order of the search: along one stream, or by time over all of them."""

    def __init__(self, sought: Sought) -> None:
        self._sought = sought
        self._alone = len(sought.streams) == 1 and not (sought.since or sought.until)
        c = entries.c
        self._key: Sequence[Any] = (c.version,) if self._alone else (c.at, c.stream, c.version)

    def end(self, journal: Journal, before: Place | None) -> Place | None:
        """Return the last entry that this page looks at, or None if it reaches the beginning."""
        c = entries.c
        query = self._ordered(select(c.at, c.stream, c.version), before)
        rows = _rows(journal, query.offset(WINDOW - 1).limit(1))
        return Place(rows[0].at, rows[0].stream, rows[0].version) if rows else None

    def beginning(self, journal: Journal) -> str:
        """Return the time of the first entry in range. The last row that the database returned
        would not do: it may match something that lies face down."""
        query = self._bounded(select(entries.c.at)).order_by(*self._key).limit(1)
        rows = _rows(journal, query)
        return str(rows[0].at) if rows else ""

    def rows(self, before: Place | None, end: Place | None) -> Select[Any]:
        c = entries.c
        columns = (c.stream, c.version, c.at, c.kind, c.body, c.transfers, c.hash)
        query = self._ordered(select(*columns), before).where(*_perhaps(self._sought))
        if end is not None:
            query = query.where(tuple_(*self._key) >= self._here(end))
        return query.limit(BATCH)

    def _ordered(self, query: Select[Any], before: Place | None) -> Select[Any]:
        query = self._bounded(query)
        if before is not None:
            query = query.where(tuple_(*self._key) < self._here(before))
        return query.order_by(*(column.desc() for column in self._key))

    def _bounded(self, query: Select[Any]) -> Select[Any]:
        c, sought = entries.c, self._sought
        if self._alone:
            query = query.where(c.stream == sought.streams[0])
        if sought.since is not None:
            query = query.where(c.at >= stamp(sought.since))
        if sought.until is not None:
            query = query.where(c.at <= stamp(sought.until))
        if sought.last:
            query = query.where(c.version.between(sought.first, sought.last))
        return query

    def _here(self, place: Place) -> Any:
        values = (place.version,) if self._alone else place
        pairs = zip(values, self._key, strict=True)
        return tuple_(*(literal(value, column.type) for value, column in pairs))


def _perhaps(sought: Sought) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions that the database can check cheaply; `is_of` checks again. A page looks
    at the same number of entries for any query, so its end reveals nothing about hidden matches."""
    c = entries.c
    # Concatenated with "", so that the database uses the index by time and not the one by stream.
    stream = c.stream + ""
    if sought.streams:
        yield stream.in_(sought.streams)
    if sought.kinds:
        names = [KINDS[entry_kind] for entry_kind in sought.kinds]
        yield or_(*[and_(stream >= name, stream < name[:-1] + ";") for name in names])
    body = BodyText(c.body)
    sealed = body.startswith('{"sealed":"')  # its contents are only known once it is opened
    for text in (sought.person, sought.clause, sought.role):
        if text:
            yield or_(body.contains(_escaped(text), autoescape=True), sealed)
    if sought.command:
        tag = f'"type":"{sought.command}"'
        yield or_(c.kind == sought.command, body.contains(tag, autoescape=True))
    for term in sought.terms:
        called = [tag for tag in COMMANDS if term in tag or term in label_of(tag).lower()]
        yield or_(
            body.icontains(_escaped(term), autoescape=True),
            stream.icontains(term, autoescape=True),
            c.kind.in_([*called, "refused"]),  # the body names the refused command
            sealed,
        )
    if sought.cents is not None:
        written = f'"{format_cents(sought.cents)}"'
        yield or_(
            c.transfers.contains(f",{sought.cents}]", autoescape=True),
            body.contains(written, autoescape=True),
            sealed,
        )


def _rows(journal: Journal, query: Select[Any]) -> Sequence[Row[Any]]:
    with journal.reader() as connection:
        return connection.execute(query).all()


def _clauses(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.items():
            if name in _CLAUSES and isinstance(part, str) and part:
                yield part
            else:
                yield from _clauses(part)
    elif isinstance(value, list):
        for part in value:
            yield from _clauses(part)


def _moves(entry: Entry, text: str, cents: int) -> bool:
    return (
        any(move.cents == cents for move in entry.transfers) or f'"{format_cents(cents)}"' in text
    )


def _escaped(text: str) -> str:
    """Return the text as it is written within JSON."""
    return msgspec.json.encode(text).decode()[1:-1]
