"""One table's way into the journal: commands with what their giver expected, and reading on.

A `House` locks all its tables at once, so every table of the pit has a house of its own; they share
the store, and the journal itself settles who was first.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from croupier import progressives
from croupier.errors import Refusal
from croupier.ledger.entries import Entry
from croupier.ledger.schema import requests
from croupier.ledger.store import Store
from croupier.progressives import Link
from croupier.rounds.records import from_json
from croupier.rounds.script import Ask, script_of
from croupier.tables.chapters import table_stream
from croupier.tables.commands import Actor, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.evolving import evolve
from croupier.tables.house import House, link_stream, record_of
from croupier.tables.recall import Moment, moments, round_moments
from croupier.tables.state import Table, rules_of

__all__ = ["Expected", "Keeper", "KeptLink"]


class Expected(NamedTuple):
    """What the giver of a command had before his eyes."""

    round: int = 0
    decision: str = ""
    version: int = 0
    """The dealer by software has looked at the whole table: anything new, and he looks again."""

    def check(self, table: Table) -> None:
        state = table.round
        if self.version and self.version != table.version:
            raise Refusal("the table has gone on meanwhile", code="stale")
        if self.round and self.round != state.number:
            raise Refusal(
                f"this was meant for round {self.round}, but round {state.number} is in play",
                code="stale",
            )
        if self.decision and state.phase == "deciding":
            step = script_of(rules_of(table)).steps[state.step]
            assert isinstance(step, Ask)
            if step.decision.name != self.decision:
                raise Refusal(
                    f"the {self.decision} decision is over: {step.decision.name} is asked now",
                    code="stale",
                )


class KeptLink(NamedTuple):
    link: Link | None
    version: int


class _House(House):
    """Checks what was expected in the same breath as the rules, also when it has to try again."""

    expected = Expected()

    def _try(
        self, name: str, command: TableCommand, actor: Actor, request: str | None
    ) -> tuple[TableEvent, ...]:
        if self.expected != Expected() and (
            request is None or self.store.answered(table_stream(name), request) is None
        ):
            self.expected.check(self._hold(name).table)
        return super()._try(name, command, actor, request)


class Keeper:
    """Blocking: for a thread, one call at a time."""

    def __init__(self, store: Store, table: str) -> None:
        self.store = store
        self.name = table
        self.stream = table_stream(table)
        self._house = _House(store)

    def do(
        self,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = Expected(),  # noqa: B008 - a constant
    ) -> tuple[TableEvent, ...]:
        self._house.expected = expected
        return self._house.do(self.name, command, actor, request)

    def request_key(self, person: str, key: str, body: bytes) -> tuple[str, bool]:
        """The journal's key for a request, and whether it was done before. The same key with
        another content is a mistake of the client's."""
        start = f"{person}:{key}:"
        whole = start + sha256(body).hexdigest()[:16]
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
            return moments(self.store, self.name)
        return round_moments(self.store, self.name, last)

    def read_on(self, table: Table) -> Iterator[Moment]:
        """What has been written since the table stood like this."""
        state = table
        for entry in self.store.read(self.stream, after=table.version):
            record = record_of(entry)
            before = state
            state, moves = evolve(before, record.event)
            yield Moment(entry, record.event, record.by, before, state, moves)

    def link(self, name: str, known: KeptLink | None) -> KeptLink:
        """The progressive as it is now."""
        if known is None or known.link is None:
            held = self._house._load_link(name)
            return KeptLink(None, 0) if held is None else KeptLink(held.link, held.version)
        link, version = known
        for entry in self._entries(name, version):
            event: progressives.Event = from_json(entry.body, progressives.Event)
            link, version = progressives.evolve(link, event), entry.version
        return KeptLink(link, version)

    def _entries(self, link: str, after: int) -> Iterator[Entry]:
        return self.store.read(link_stream(link), after=after)
