"""The progressive links of a journal: their last known state, and a person's commands to them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from threading import Lock
from typing import NamedTuple

import msgspec

from croupier import progressives
from croupier.errors import BadData, CroupierError, Refusal, RuleBroken, suggest
from croupier.ledger.entries import Addition, Entry
from croupier.ledger.faults import Conflict, Repeated
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    Asker,
    link_attempts_stream,
    link_entry,
    link_record,
    link_stream,
)
from croupier.progressives import Link, LinkClosed, LinkCommand, MoveTo, ReceiveMoney
from croupier.rounds.declaration import Actor, to_json, wrong_role
from croupier.runtime.attempts import attempt_log
from croupier.runtime.clock import now
from croupier.tables.command_input import checked_actor
from croupier.tables.planning import LinkChange, plan_for_link


class HeldLink(NamedTuple):
    link: Link
    version: int


class Links:
    """The progressive links as this process last read or wrote them, shared by all its tables."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._held: dict[str, HeldLink] = {}
        self._lock = Lock()

    def known(self, name: str) -> HeldLink | None:
        """Return the link in memory, without reading the journal."""
        return self._held.get(name)

    def get(self, name: str) -> HeldLink | None:
        return self._held.get(name) or self.read(name)

    def read(self, name: str) -> HeldLink | None:
        """Return the link as it is in the journal now."""
        held = self._held.get(name)
        link, version = held if held is not None else self._snapshot(name)
        stream = link_stream(name)
        self._journal.head(stream)  # the journal caches the head, whose hash the next write needs
        for entry in self._journal.read(stream, after=version):
            for event in link_record(entry).events:
                link = progressives.evolve(link, event)
            version = entry.version
        if link is None:
            return None
        self.adopt(name, HeldLink(link, version))
        return self._held[name]

    def _snapshot(self, name: str) -> tuple[Link | None, int]:
        snapshot = self._journal.snapshot(link_stream(name))
        if snapshot is not None:
            with suppress(BadData):  # without a snapshot, reading takes longer
                return progressives.from_json(snapshot.body), snapshot.version
        return None, 0

    def adopt(self, name: str, held: HeldLink) -> None:
        """Keep what was written or read, unless a newer version is known."""
        with self._lock:
            known = self._held.get(name)
            if known is None or known.version < held.version:
                self._held[name] = held

    def is_current(self, name: str) -> bool:
        held = self._held.get(name)
        version = held.version if held is not None else 0
        return self._journal.head(link_stream(name)).version == version


TRIES = 50


class LinkResult(NamedTuple):
    """The result of a command; `repeated` means that it was done before under the same key."""

    events: tuple[progressives.Event, ...]
    version: int
    repeated: bool = False
    moved_to: tuple[str, ...] = ()
    """Other links that received money."""


class _Told(NamedTuple):
    change: LinkChange
    before: int
    after: HeldLink


def link_names(journal: Journal) -> tuple[str, ...]:
    prefix = link_stream("")
    return tuple(stream.removeprefix(prefix) for stream in journal.streams(prefix))


class LinkSession:
    def __init__(
        self,
        journal: Journal,
        name: str,
        *,
        links: Links | None = None,
        clock: Callable[[], datetime] = now,
    ) -> None:
        self.name = name
        self._journal = journal
        self._links = links if links is not None else Links(journal)
        self._clock = clock

    @property
    def held(self) -> HeldLink:
        """The link as it is in the journal now."""
        held = self._links.read(self.name)
        if held is None:
            raise suggest("link", self.name, link_names(self._journal))
        return held

    @property
    def link(self) -> Link:
        return self.held.link

    def carry_out(
        self, command: LinkCommand, actor: Actor, request: str | None = None
    ) -> LinkResult:
        """Carry out a command. On return it is on disk; a refusal is recorded as an attempt."""
        checked_actor(actor)
        for _ in range(TRIES):
            try:
                return self._try(command, actor, request)
            except (Repeated, Conflict):
                continue
            except (Refusal, RuleBroken) as refusal:
                self._record_attempt(command, actor, refusal)
                raise
        raise Conflict(f"link {self.name} is too busy: try again")

    def _try(self, command: LinkCommand, actor: Actor, request: str | None) -> LinkResult:
        held = self.held
        if request is not None:
            entries = self._journal.answered(link_stream(self.name), request)
            if entries is not None:
                return self._answered(command, actor, entries)
        if actor.role not in command.declared.by:
            clause = held.link.game.clauses.meter or None
            raise wrong_role(actor.role, command, command.declared.by, clause)
        steps = self._told(held, command, actor)
        own = Addition(
            link_stream(self.name),
            held.version,
            (link_entry(steps[0].change, actor, request or ""),),
            request=request,
        )
        others = [
            Addition(
                link_stream(step.after.link.id), step.before, (link_entry(step.change, actor),)
            )
            for step in steps[1:]
        ]
        self._journal.add(own, *_joined(others), at=self._clock())
        for step in steps:
            self._links.adopt(step.after.link.id, step.after)
        names = tuple(dict.fromkeys(step.after.link.id for step in steps[1:]))
        return LinkResult(steps[0].change.events, steps[0].after.version, moved_to=names)

    def _told(self, held: HeldLink, command: LinkCommand, actor: Actor) -> list[_Told]:
        """Return the change of this link, then the changes of the links that receive its money."""
        change, after = plan_for_link(held.link, command.message(actor.name))
        steps = [_Told(change, held.version, HeldLink(after, held.version + 1))]
        standing: dict[str, HeldLink] = {}
        for event in change.events:
            for meter, moved in event.goes.items() if isinstance(event, LinkClosed) else ():
                if isinstance(moved.to, MoveTo):
                    heir = standing.get(moved.to.link) or self._heir(moved.to)
                    got = self._receive(heir, moved.to, meter, moved.microcents, actor)
                    standing[moved.to.link] = got.after
                    steps.append(got)
        return steps

    def _heir(self, to: MoveTo) -> HeldLink:
        held = self._links.read(to.link)
        if held is None:
            raise suggest("link", to.link, link_names(self._journal))
        return held

    def _receive(
        self, heir: HeldLink, to: MoveTo, meter: str, microcents: int, actor: Actor
    ) -> _Told:
        received = ReceiveMoney(
            meter=to.meter,
            microcents=microcents,
            from_link=self.name,
            from_meter=meter,
            by=actor.name,
        )
        change, after = plan_for_link(heir.link, received)
        return _Told(change, heir.version, HeldLink(after, heir.version + 1))

    def _answered(
        self, command: LinkCommand, actor: Actor, entries: tuple[Entry, ...]
    ) -> LinkResult:
        records = [link_record(entry) for entry in entries]
        if all(record.command != command.message(actor.name) for record in records):
            raise Refusal(
                "this request key was used for another command: take a new one for each",
                code="key_reused",
            )
        events = tuple(event for record in records for event in record.events)
        return LinkResult(events, entries[-1].version, repeated=True)

    def _record_attempt(self, command: LinkCommand, actor: Actor, refusal: CroupierError) -> None:
        asker, text = Asker(actor.role, actor.name), to_json(command.outside())
        log = attempt_log(self._journal)
        log.record(link_attempts_stream(self.name), text, asker, refusal, self._clock)


def _joined(additions: list[Addition]) -> list[Addition]:
    """Return one addition for each stream: several meters may move to one link."""
    by_stream: dict[str, Addition] = {}
    for addition in additions:
        there = by_stream.get(addition.stream)
        by_stream[addition.stream] = (
            addition
            if there is None
            else msgspec.structs.replace(there, entries=(*there.entries, *addition.entries))
        )
    return list(by_stream.values())
