"""Tables that live in a journal: every command is worked out, written, and only then true.

A house may run in any number of processes on one journal. Each keeps the tables it knows in memory
and finds out by a conflict that another has gone on; then it reads what it missed and tries again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from threading import RLock
from typing import Final

import msgspec

from croupier import progressives
from croupier.care.steps import NextStep, next_steps
from croupier.errors import BadData, BadRequest, CroupierError, Refusal, RuleBroken, plain, suggest
from croupier.ledger.chapters import (
    Pointer,
    chapter_of,
    corrections_stream,
    ledger_transfers,
    record_of,
    table_stream,
)
from croupier.ledger.entries import Addition, Chapter, NewEntry, Transfer, seconds, stamp
from croupier.ledger.store import Conflict, Repeated, Store
from croupier.progressives import Link
from croupier.randomness.shuffling import Source, from_system, seal, shuffle
from croupier.rounds.commands import OpenBetting
from croupier.rounds.records import from_json, to_json
from croupier.runtime.recall import finished_round
from croupier.tables.commands import Actor, Correct, OpenTable, TableCommand
from croupier.tables.deciding import check_correction
from croupier.tables.events import Corrected, Record, TableEvent, ends_round
from croupier.tables.evolving import evolve
from croupier.tables.planning import (
    Happening,
    LinkHappening,
    Plan,
    check_foreseeable,
    plan,
    plan_opening,
)
from croupier.tables.state import Table, rules_of

__all__ = [
    "Attempt",
    "House",
    "attempts_stream",
    "entry_of",
    "link_addition",
    "link_stream",
    "record_of",
]

SNAPSHOT_EVERY: Final = 20
TRIES: Final = 50


def link_stream(link: str) -> str:
    return f"link:{link}"


def attempts_stream(table: str) -> str:
    return f"attempts:{table}"


class Attempt(msgspec.Struct, frozen=True):
    """A command that was refused, for those who ask what was tried."""

    command: TableCommand
    by: str
    code: str
    message: str
    clause: str | None


class _Held(msgspec.Struct):
    """A table as this process last saw it, and when its last round began."""

    table: Table
    began: str = ""


class _HeldLink(msgspec.Struct):
    link: Link
    version: int


class _Drafted(msgspec.Struct):
    """A plan ready to be written, and what this process holds once it is."""

    additions: tuple[Addition, ...]
    held: _Held
    link: _HeldLink | None = None


class House:
    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        draw: Source = from_system,
    ) -> None:
        self.store = store
        self._clock = clock
        self._draw = draw
        self._held: dict[str, _Held] = {}
        self._links: dict[str, _HeldLink] = {}
        self._lock = RLock()

    def tables(self) -> tuple[str, ...]:
        prefix = table_stream("")
        return tuple(stream.removeprefix(prefix) for stream in self.store.streams(prefix))

    def table(self, name: str) -> Table:
        """The table as the journal has it now."""
        with self._lock:
            held = self._hold(name)
            if self.store.head(table_stream(name)).version != held.table.version:
                self._forget(name)
                held = self._hold(name)
            return held.table

    def link(self, name: str) -> Link | None:
        with self._lock:
            self._links.pop(name, None)
            held = self._hold_link(name)
            return None if held is None else held.link

    def do(
        self, name: str, command: TableCommand, actor: Actor, request: str | None = None
    ) -> tuple[TableEvent, ...]:
        """Carry a command out. When this returns, its events are on disk.

        `request` is the asker's own key: a command that arrives twice under it is done once.
        """
        with self._lock:
            for _ in range(TRIES):
                try:
                    return self._try(name, command, actor, request)
                except Conflict:
                    self._forget(name)
                except Repeated:
                    self._forget(name)
                    return self._answered(name, request)
                except (Refusal, RuleBroken) as refusal:
                    # What another process has done since may have made the command lawful.
                    if not self._is_current(name):
                        self._forget(name)
                        continue
                    self._record_attempt(name, command, actor, refusal)
                    raise
            raise Conflict(f"table {name} is too busy: try again")

    def foresee(self, name: str, command: TableCommand, actor: Actor) -> Plan:
        """What a report or a floorperson's decision would lead to, for whoever has to confirm it.
        Nothing is written, and nobody's attempt is noted."""
        check_foreseeable(command)
        with self._lock:
            table = self.table(name)
            self._links.pop(table.link, None)
            link = self._hold_link(table.link)
            return self._plan(table, link, command, actor, self.now())

    def open_betting(self, name: str, actor: Actor) -> tuple[TableEvent, ...]:
        """The next round, with a freshly shuffled and sealed deck where cards are virtual."""
        table = self.table(name)
        number = table.round.number + 1
        if table.source == "live":
            return self.do(name, OpenBetting(number, "live"), actor)
        sealed = seal(shuffle(self._draw), self._draw)
        command = OpenBetting(number, "virtual", sealed.commitment, sealed.salt, sealed.order)
        return self.do(name, command, actor)

    def next_steps(self, name: str) -> tuple[NextStep, ...]:
        """What is to be done with the cards of a table now, by whom and by which clause."""
        table = self.table(name)
        return next_steps(table, rules_of(table), self.now())

    def now(self) -> int:
        """The time as rules about hours know it: in seconds since 1970."""
        return seconds(self._clock())

    def _try(
        self, name: str, command: TableCommand, actor: Actor, request: str | None
    ) -> tuple[TableEvent, ...]:
        if request is not None:
            done = self.store.answered(table_stream(name), request)
            if done is not None:
                return self._answered(name, request)
        if isinstance(command, OpenTable):
            return self._open(name, command, actor, request)
        held = self._hold(name)
        held_link = self._hold_link(held.table.link)
        now = self._clock()
        made = self._plan(held.table, held_link, command, actor, seconds(now))
        return self._write(held, held_link, made, actor, request, now)

    def _plan(
        self,
        table: Table,
        held_link: _HeldLink | None,
        command: TableCommand,
        actor: Actor,
        at: int,
    ) -> Plan:
        link = held_link.link if held_link is not None else None
        made = plan(table, link, command, actor, at)
        if isinstance(command, Correct) and command.round != table.round.number:
            check_correction(finished_round(self.store, table.id, command.round), command)
        return made

    def _open(
        self, asked: str, command: OpenTable, actor: Actor, request: str | None
    ) -> tuple[TableEvent, ...]:
        name = command.table
        if name != asked:
            raise BadRequest(f"this opens table {plain(name)}, not {plain(asked)}")
        held = self._hold(name) if self.store.head(table_stream(name)).version else None
        before = held.table if held is not None else None
        held_link = self._hold_link(command.link or name)
        link = held_link.link if held_link is not None else None
        made = plan_opening(command, actor, before, link)
        return self._write(held, held_link, made, actor, request, self._clock())

    def _write(
        self,
        held: _Held | None,
        held_link: _HeldLink | None,
        made: Plan,
        actor: Actor,
        request: str | None,
        at: datetime,
    ) -> tuple[TableEvent, ...]:
        drafted = self._draft(held, held_link, made, actor, request, at)
        self.store.add(*drafted.additions, at=at)
        self._keep(drafted)
        return made.events

    def _draft(
        self,
        held: _Held | None,
        held_link: _HeldLink | None,
        made: Plan,
        actor: Actor,
        request: str | None,
        at: datetime,
    ) -> _Drafted:
        """What the plan means for the journal."""
        table = made.table
        by = str(actor)
        entries = tuple([entry_of(table.id, happening, by) for happening in made.happenings])
        after = _Held(table, held.began if held is not None else "")
        if table.began > table.version - len(entries):
            after.began = stamp(at)
        addition = Addition(
            table_stream(table.id),
            table.version - len(entries),
            entries,
            chapters=_chapters(made, after.began, stamp(at)),
            snapshot=to_json(table) if _is_due(made) else None,
            request=request,
        )
        if not made.link_happenings:
            return _Drafted((addition, *_corrections(self.store, made)), after)
        assert made.link is not None
        seen = held_link.version if held_link is not None else 0
        fed = link_addition(made.link, seen, made.link_happenings)
        link = _HeldLink(made.link, seen + len(fed.entries))
        return _Drafted((addition, fed, *_corrections(self.store, made)), after, link)

    def _keep(self, drafted: _Drafted) -> None:
        self._held[drafted.held.table.id] = drafted.held
        if drafted.link is not None:
            self._links[drafted.link.link.id] = drafted.link

    def _hold(self, name: str) -> _Held:
        held = self._held.get(name)
        if held is None:
            held = self._held[name] = self._load(name)
        return held

    def _load(self, name: str) -> _Held:
        stream = table_stream(name)
        snapshot = self.store.snapshot(stream)
        held = None
        if snapshot is not None:
            with suppress(BadData):  # a damaged one only costs time
                held = _Held(from_json(snapshot.body, Table))
        for entry in self.store.read(stream, after=held.table.version if held else 0):
            table, _ = evolve(held.table if held else None, record_of(entry).event)
            opens_round = table.began == entry.version
            held = _Held(table, entry.at if opens_round or held is None else held.began)
        if held is None:
            raise suggest("table", name, self.tables())
        return held

    def _hold_link(self, name: str) -> _HeldLink | None:
        held = self._links.get(name)
        if held is None:
            found = self._load_link(name)
            if found is not None:
                held = self._links[name] = found
        return held

    def _load_link(self, name: str) -> _HeldLink | None:
        stream = link_stream(name)
        snapshot = self.store.snapshot(stream)
        link, version = None, 0
        if snapshot is not None:
            with suppress(BadData):
                link, version = progressives.from_json(snapshot.body), snapshot.version
        for entry in self.store.read(stream, after=version):
            event: progressives.Event = from_json(entry.body, progressives.Event)
            link, version = progressives.evolve(link, event), entry.version
        return None if link is None else _HeldLink(link, version)

    def _forget(self, name: str) -> None:
        """Read the table anew; and all links, since a table that opens joins one unheld so far."""
        self._held.pop(name, None)
        self._links.clear()

    def _is_current(self, name: str) -> bool:
        """Are the table and the links that this process holds as the journal has them?"""
        versions = {link_stream(link): held.version for link, held in self._links.items()}
        held = self._held.get(name)
        versions[table_stream(name)] = held.table.version if held is not None else 0
        return all(self.store.head(stream).version == seen for stream, seen in versions.items())

    def _answered(self, name: str, request: str | None) -> tuple[TableEvent, ...]:
        assert request is not None
        entries = self.store.answered(table_stream(name), request) or ()
        return tuple([record_of(entry).event for entry in entries])

    def _record_attempt(
        self, name: str, command: TableCommand, actor: Actor, refusal: CroupierError
    ) -> None:
        """Who tried what: in a stream of its own, since nothing happened at the table."""
        if name not in self._held:
            return
        attempt = Attempt(command, str(actor), refusal.code, refusal.message, refusal.clause)
        entry = NewEntry("refused", to_json(attempt))
        stream = attempts_stream(name)
        for _ in range(TRIES):
            try:
                self.store.add(
                    Addition(stream, self.store.head(stream).version, (entry,)), at=self._clock()
                )
            except Conflict:
                continue
            return


def entry_of(table: str, happening: Happening, by: str) -> NewEntry:
    event = happening.event
    body = to_json(Record(event, by))
    kind = str(type(event).__struct_config__.tag)
    return NewEntry(kind, body, ledger_transfers(table, happening.moves))


def link_addition(link: Link, seen: int, happenings: tuple[LinkHappening, ...]) -> Addition:
    entries = tuple(
        [
            NewEntry(
                str(type(event).__struct_config__.tag),
                to_json(event),
                tuple([Transfer(*transfer) for transfer in transfers]),
            )
            for event, transfers in happenings
        ]
    )
    last = seen + len(entries)
    is_due = last // 200 > seen // 200
    return Addition(
        link_stream(link.id), seen, entries, snapshot=progressives.to_json(link) if is_due else None
    )


def _corrections(store: Store, made: Plan) -> tuple[Addition, ...]:
    """Where to find what was added to a past round."""
    table, before = made.table, made.table.version - len(made.happenings)
    pointers = [
        NewEntry("corrected", to_json(Pointer(event.round, before + place)))
        for place, event in enumerate(made.events, 1)
        if isinstance(event, Corrected)
    ]
    if not pointers:
        return ()
    stream = corrections_stream(table.id)
    return (Addition(stream, store.head(stream).version, tuple(pointers)),)


def _is_due(made: Plan) -> bool:
    """A snapshot now and then, always between rounds."""
    is_due = made.table.round.number % SNAPSHOT_EVERY == 0
    return is_due and any(map(ends_round, made.events))


def _chapters(made: Plan, began: str, ended: str) -> tuple[Chapter, ...]:
    """The round that ends with this plan, if one does."""
    table, before = made.table, made.table.version - len(made.happenings)
    return tuple(
        [
            chapter_of(table.id, table.round, table.began, before + place, began, ended)
            for place, event in enumerate(made.events, 1)
            if ends_round(event)
        ]
    )
