"""One table's way into the journal: commands with what their giver expected, and reading on.

A `House` locks all its tables at once, so every table of the pit has a house of its own; they share
the store, and the journal itself settles who was first.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from croupier import progressives
from croupier.errors import Refusal
from croupier.ledger.chapters import table_stream
from croupier.ledger.entries import Entry, Head, seconds, stamp
from croupier.ledger.schema import requests
from croupier.ledger.scribe import Line
from croupier.ledger.store import Store
from croupier.progressives import Link
from croupier.rounds.events import BettingOpened
from croupier.rounds.records import from_json
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.rules import progressive_wager
from croupier.runtime.house import House, _Held, _HeldLink, link_stream, record_of
from croupier.runtime.recall import Moment, moments, round_moments
from croupier.tables.commands import Actor, Correct, OpenTable, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.evolving import evolve
from croupier.tables.planning import Plan
from croupier.tables.state import Table, rules_of
from croupier.web.problems import Stale

__all__ = ["Draft", "Expected", "Keeper", "KeptLink"]


class Expected(NamedTuple):
    """What the giver of a command had before his eyes."""

    round: int = 0
    decision: str = ""
    version: int = 0
    """The dealer by software has looked at the whole table: anything new, and he looks again."""

    def check(self, table: Table) -> None:
        state = table.round
        if self.version and self.version != table.version:
            raise Stale("the table has gone on meanwhile")
        if self.round and self.round != state.number:
            raise Stale(
                f"this was meant for round {self.round}, but round {state.number} is in play"
            )
        if self.decision and state.phase == "deciding":
            step = flow_of(rules_of(table)).steps[state.step]
            assert isinstance(step, Ask)
            if step.decision.name != self.decision:
                raise Stale(
                    f"the {self.decision} decision is over: {step.decision.name} is asked now"
                )


class KeptLink(NamedTuple):
    link: Link | None
    version: int


class Draft(NamedTuple):
    """A command worked out and not written yet."""

    line: Line
    moments: list[Moment]


class _House(House):
    """Checks what was expected in the same breath as the rules, also when it has to try again."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, clock=self._look_at_clock)
        self.expected = Expected()
        self.last_at = datetime.now(UTC)

    def _look_at_clock(self) -> datetime:
        self.last_at = datetime.now(UTC)
        return self.last_at

    def hold(self, table: Table, began: str) -> None:
        """The table as somebody else has brought it: without it, rules would be asked of an old
        one, and refuse what is lawful by now."""
        held = self._held.get(table.id)
        if held is None or held.table.version < table.version:
            self._held[table.id] = _Held(table, began)

    def version_held(self, name: str) -> int:
        held = self._held.get(name)
        return 0 if held is None else held.table.version

    def draft(
        self, name: str, command: TableCommand, actor: Actor, request: str | None
    ) -> tuple[Plan, Line] | None:
        """Without the journal: nothing where it would have to be asked. The house goes on from
        what it has drafted; if that is not written, it has to forget."""
        held = self._held.get(name)
        if held is None or isinstance(command, OpenTable | Correct):
            return None
        held_link = self._links.get(held.table.link)
        rules = rules_of(held.table)
        if held_link is None and progressive_wager(rules.book) in rules.offered:
            return None
        self.expected.check(held.table)
        now = self._clock()
        made = self._plan(held.table, held_link, command, actor, seconds(now))
        drafted = self._draft(held, held_link, made, actor, request, now)
        self._keep(drafted)
        return made, Line(drafted.additions, now)

    def link_held(self, name: str) -> _HeldLink | None:
        return self._links.get(name)

    def _try(
        self, name: str, command: TableCommand, actor: Actor, request: str | None
    ) -> tuple[TableEvent, ...]:
        if self.expected != Expected() and (
            request is None or self.store.answered(table_stream(name), request) is None
        ):
            self.expected.check(self._hold(name).table)
        return super()._try(name, command, actor, request)


class Keeper:
    """Blocking: for a thread, one call at a time. `is_shared`: other processes write as well."""

    def __init__(self, store: Store, table: str, *, is_shared: bool = False) -> None:
        self.store = store
        self.name = table
        self.stream = table_stream(table)
        self.is_shared = is_shared
        self._house = _House(store)
        self._began = ""

    def do(
        self,
        before: Table,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = Expected(),  # noqa: B008 - a constant
    ) -> list[Moment]:
        """Everything that has happened since the table stood as before, the command's own doing
        included."""
        self._house.expected = expected
        if not self.is_shared:
            events = self._house.do(self.name, command, actor, request)
            return self._moments_of(before, events, actor)
        found = list(self.read_on(before))
        state = found[-1].after if found else before
        self._house.hold(state, self._began)
        events = self._house.do(self.name, command, actor, request)
        return found + self._moments_of(state, events, actor)

    def draft(
        self,
        before: Table,
        command: TableCommand,
        actor: Actor,
        request: tuple[str, str, bytes] | None,
        expected: Expected,
    ) -> Draft | None:
        """Does not block. Nothing where the journal has to be asked first; refusals as ever."""
        self._house.hold(before, self._began)
        if self._house.version_held(self.name) != before.version:
            return None
        self._house.expected = expected
        start = whole = None
        if request is not None:
            start, whole = _key_of(*request)
        found = self._house.draft(self.name, command, actor, whole)
        if found is None:
            return None
        made, line = found
        if len(made.happenings) > 1:
            passed = self._moments_of(before, made.events, actor)
        else:
            ((event, moves),) = made.happenings
            entry = Entry(self.stream, made.table.version, stamp(line.at), "", b"", (), "")
            moment = Moment(entry, event, str(actor), before, made.table, list(moves))
            passed = [self._noted(moment)]
        return Draft(line._replace(key=start or ""), passed)

    def forget(self) -> None:
        """What was drafted has not been written."""
        self._house._forget(self.name)

    def link_written(self, name: str) -> KeptLink:
        """The progressive as this process has last written it."""
        held = self._house.link_held(name)
        return KeptLink(None, 0) if held is None else KeptLink(held.link, held.version)

    def _moments_of(
        self, before: Table, events: tuple[TableEvent, ...], actor: Actor
    ) -> list[Moment]:
        """What has just been written, told without reading it again; unless others have written
        in between."""
        if before.version + len(events) != self._house.version_held(self.name):
            return list(self.read_on(before))
        at, state, found = stamp(self._house.last_at), before, []
        for event in events:
            entry = Entry(self.stream, state.version + 1, at, "", b"", (), "")
            earlier = state
            state, moves = evolve(earlier, event)
            found.append(self._noted(Moment(entry, event, str(actor), earlier, state, moves)))
        return found

    def _noted(self, moment: Moment) -> Moment:
        if isinstance(moment.event, BettingOpened):
            self._began = moment.entry.at
        return moment

    def request_key(self, person: str, key: str, body: bytes) -> tuple[str, bool]:
        """The journal's key for a request, and whether it was done before. The same key with
        another content is a mistake of the client's."""
        start, whole = _key_of(person, key, body)
        c = requests.c
        query = requests.select().where(
            c.stream == self.stream, c.request >= start, c.request < start + "g"
        )
        row = self.store._first(query)
        if row is None:
            return whole, False
        if row.request != whole:
            raise Refusal(
                "this Idempotency-Key was used for another command: take a new one for each",
                code="key_reused",
            )
        return whole, True

    def opening_moments(self) -> Iterator[Moment]:
        """The last round from its opening, or all there is where none was played: enough to know
        how the table stands and what its people have just seen."""
        last = self._house.table(self.name).round.number
        if not last:
            return map(self._noted, moments(self.store, self.name))
        return map(self._noted, round_moments(self.store, self.name, last))

    def read_on(self, table: Table) -> Iterator[Moment]:
        """What has been written since the table stood like this."""
        state = table
        for entry in self.store.read(self.stream, after=table.version):
            record = record_of(entry)
            before = state
            state, moves = evolve(before, record.event)
            self.store._heads[self.stream] = Head(entry.version, entry.hash)
            yield self._noted(Moment(entry, record.event, record.by, before, state, moves))

    def link(self, name: str, known: KeptLink | None) -> KeptLink:
        """The progressive as it is now."""
        if known is None or known.link is None:
            held = self._house._hold_link(name)
            self.store.head(link_stream(name))  # known from now on: whoever writes on needs it
            return KeptLink(None, 0) if held is None else KeptLink(held.link, held.version)
        link, version = known
        for entry in self._entries(name, version):
            event: progressives.Event = from_json(entry.body, progressives.Event)
            link, version = progressives.evolve(link, event), entry.version
        return KeptLink(link, version)

    def _entries(self, link: str, after: int) -> Iterator[Entry]:
        return self.store.read(link_stream(link), after=after)


def _key_of(person: str, key: str, body: bytes) -> tuple[str, str]:
    """How the journal's key for a request begins, whatever its content, and all of it."""
    start = f"{person}:{key}:"
    return start, start + sha256(body).hexdigest()[:16]
