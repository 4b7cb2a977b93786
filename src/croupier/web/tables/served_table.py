"""One table of the pit: a journal session with its command queue, clock and audience."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Final, TypeVar

from anyio import CapacityLimiter, to_thread

from croupier.errors import BadRequest, CroupierError
from croupier.ledger.batch_writer import BatchWriter
from croupier.ledger.history.past_rounds import Moment, moments, round_moments
from croupier.ledger.records.table_entries import Asker
from croupier.progressives import Link
from croupier.rounds.declaration import Actor
from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.rules import Rules
from croupier.runtime.clock import now
from croupier.runtime.dealer import DueCommand, Times, due, software_may_deal
from croupier.runtime.journal_session import Draft, Expected, JournalSession
from croupier.runtime.software_staff import software_step
from croupier.tables.commands import TableCommand
from croupier.tables.planning import CommandPlan
from croupier.tables.state import Table, rules_of
from croupier.web.accounts.trial import is_rehearsal
from croupier.web.server.settings import Settings
from croupier.web.tables.audience import Audience, News, Subscriber
from croupier.web.tables.command_queue import Acknowledgement, CommandQueue
from croupier.web.tables.forms import PaceForm, TableForm
from croupier.web.tables.presence import Presence, Rehearsal, Wish, pace_of, slowest
from croupier.web.tables.table_clock import TableClock, check_ready, clock_form
from croupier.web.tables.table_watch import TableWatch
from croupier.web.tables.views import KeptViews, Onlooker, Shown

_CHANCE: Final = SystemRandom()
TRIES: Final = 10
_ON_PEOPLE: Final = ("betting", "deciding")
T = TypeVar("T")


class ServedTable:
    """A table that this process serves. All methods except the constructor belong to the event
    loop; blocking work goes to a thread."""

    def __init__(
        self,
        session: JournalSession,
        settings: Settings,
        limiter: CapacityLimiter | None = None,
        writer: BatchWriter | None = None,
    ) -> None:
        self.name = session.name
        self._session = session
        self._settings = settings
        self._limiter = limiter
        self._is_shared = session.journal.is_shared
        self._floor_by_software = settings.validates_by_software
        self._queue = CommandQueue(self, session, writer)
        self._presence = Presence()
        self._kept_views = KeptViews()
        self.is_rehearsal = settings.demo and is_rehearsal(self.name)
        self.rehearsal = Rehearsal()
        self.clock = TableClock()
        self.audience = Audience(self._shown, names_everybody=settings.demo)
        self.watch = TableWatch(session.journal, session.name)
        """For the floor; it reads nothing until staff look at the table."""
        self._link_version = 0
        self.changed = asyncio.Event()
        """Set whenever something has happened, so that the dealer looks again."""
        self.link_changed: Callable[[str], None] = lambda _: None
        self.is_dealt_here: Callable[[], bool] = lambda: False
        """Returns whether software in this process deals the table."""

    # -- state ------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        known = self._session.known
        assert known is not None, "load first"
        return known.table

    @property
    def is_shut(self) -> bool:
        """The key that sealed the cards of the round in play is missing."""
        known = self._session.known
        return known is not None and known.shut

    @property
    def rules(self) -> Rules:
        return rules_of(self.table)

    @property
    def link(self) -> Link | None:
        held = self._session.links.known(self.table.link)
        return None if held is None else held.link

    @property
    def meters(self) -> dict[str, int]:
        link = self.link
        return link.shown() if link is not None else {}

    def form(self, who: Onlooker) -> TableForm:
        self._note_here(who.name)
        return self._shown().to(who)

    def _shown(self) -> Shown:
        table, rules, away = self.table, self.rules, self.away
        wishes = self._wishes()
        coming = self._due(table, rules, self.clock.times, self.clock.ready, away, wishes)
        return Shown(
            table,
            self.meters,
            self.clock.ready,
            clock_form(coming, table, rules),
            "software" if self.is_dealt_by_software else "people",
            away,
            slowest(wishes),
            self._kept_views,
        )

    # -- the software dealer's next step ------------------------------------------------------

    @property
    def is_dealt_by_software(self) -> bool:
        table = self.table
        return (
            self._settings.software_dealer
            and table.source == "virtual"
            and software_may_deal(table)
        )

    def due(self) -> DueCommand | None:
        table, clock = self.table, self.clock
        return self._due(
            *(table, rules_of(table), clock.times, clock.ready, self.away, self._wishes())
        )

    def _due(
        self,
        table: Table,
        rules: Rules,
        times: Times,
        ready: set[int],
        away: frozenset[str],
        wishes: list[Wish],
    ) -> DueCommand | None:
        settings = self._settings
        if self.is_rehearsal:
            return self._rehearsal_due(table, rules, times)
        if not settings.software_dealer:
            return None
        floor, pace = self._floor_by_software, pace_of(wishes, settings.pace)
        declines = settings.demo
        return due(table, rules, times, ready, pace, floor=floor, away=away, declines=declines)

    def next_of_software(self, draft: Draft) -> DueCommand | None:
        """Return what the software dealer does right after a draft, without a pause. Bets and
        decisions are left to people."""
        table = draft.after.table
        if table.round.phase in _ON_PEOPLE or not self.is_dealt_here():
            return None
        times = Times(draft.write.at)
        coming = self._due(table, rules_of(table), times, set(), self.away, self._wishes())
        return None if coming is None or coming.at > now() else coming

    def _rehearsal_due(self, table: Table, rules: Rules, times: Times) -> DueCommand | None:
        """Return the software's next step at a rehearsal table, or None if nobody is there."""
        if not self.is_worked or self.rehearsal.rests(table.version):
            return None
        at = int(now().timestamp())
        step = software_step(table, rules, self._roles_taken(), at, _CHANCE.sample)
        if step is None:
            return None
        actor, command = step
        pause = timedelta(seconds=self._settings.pace.step)
        return DueCommand(times.last + pause, "", actor, command)

    def idle(self, at: datetime) -> list[tuple[int, str]]:
        """Return seats whose players have done nothing for a long time; none unless software deals,
        because a human dealer sees that, and at a live table only people act."""
        table = self.table
        if table.round.phase not in ("over", "betting") or not self.is_dealt_by_software:
            return []
        return self.clock.idle(table, at, self._settings.pace.idle)

    # -- presence ---------------------------------------------------------------------------

    @property
    def away(self) -> frozenset[str]:
        """Players who are away. None if several servers share the tables, because a player may be
        connected to another; none at a live table, where people sit without a page."""
        if self._is_shared or self.table.source == "live":
            return frozenset()
        return self._presence.away(self._playing)

    @property
    def _playing(self) -> set[str]:
        table = self.table
        return {*[seat.player for seat in table.round.seats], *table.seats.values()}

    def _wishes(self) -> list[Wish]:
        """Return the wishes of the seated players; none if several servers share the tables,
        because only one of them would know."""
        if self._is_shared or not self._settings.own_pace:
            return []
        seated = set(self.table.seats.values())
        return [watcher.wish for watcher in self.audience.subscribers if watcher.who.name in seated]

    def hear_wish(self, subscriber: Subscriber, message: PaceForm) -> None:
        """Note the pace that a player's page asks for."""
        if message.pace is not None:
            subscriber.wish.pace = message.pace
        if message.skip and self.table.round.phase not in _ON_PEOPLE:
            subscriber.wish.skips = True
        self.changed.set()

    def _note_here(self, name: str) -> None:
        if name in self._playing:
            self._presence.acted(name)

    def note_people(self) -> None:
        """Show changes of who is away and of the pace that the players want."""
        shown = self.audience.last_shown
        before = (shown.away, shown.pace) if shown is not None else (frozenset(), "casino")
        if (self.away, slowest(self._wishes())) != before:
            self.audience.publish([], at_once=False)

    def next_look(self, most: float) -> float:
        """Return the seconds until a player may count as away, at most `most`."""
        return self._presence.next_look(self._playing, most)

    @property
    def is_worked(self) -> bool:
        """Whether anybody watches, or has worked here within the last minute."""
        return bool(self.audience.subscribers) or bool(self.rehearsal.roles_at_work())

    def people_at_work(self, role: str) -> set[str]:
        """Return the people who watch the table in this role or work here in it."""
        watching = {
            watcher.who.name for watcher in self.audience.subscribers if watcher.who.role == role
        }
        worker = self.rehearsal.taken_by
        return watching | ({worker} if worker and self.rehearsal.has_worked(role) else set())

    def _roles_taken(self) -> set[str]:
        watching = {
            watcher.who.role
            for watcher in self.audience.subscribers
            if watcher.who.role is not None
        }
        return self.rehearsal.roles_at_work() | watching

    def note_work(self, role: str) -> None:
        """Note that somebody works at this rehearsal table in this role."""
        self.rehearsal.note_work(role)
        self.changed.set()

    def check_ready(self, seat: int, player: str) -> None:
        """Refuse unless this player may say that they are done betting."""
        check_ready(self.table, self.rules, seat, player)

    def set_ready(self, said: Mapping[int, int]) -> None:
        """Note which seats are done betting, and at which version they said so."""
        if self.clock.set_ready(said):
            self.audience.publish([], at_once=False)
            self.changed.set()

    # -- reading and commands ---------------------------------------------------------------

    async def blocking(self, work: Callable[[], T]) -> T:
        return await to_thread.run_sync(work, limiter=self._limiter)

    async def load(self) -> None:
        async with self._queue.turn:
            for moment in await self.blocking(self.read_last_round):
                self._take_in(moment)
            await self.blocking(lambda: self._session.links.read(self.table.link))
            self._link_version = self._known_link_version()
            await self._follow()
            # Limits on the largest win take a moment to compute: do it before anybody waits.
            await self.blocking(lambda: limits_in_force(self.rules))

    def read_last_round(self) -> list[Moment]:
        """Return the moments since the last round opened, or all of them if none was played: enough
        for the table's state and what its people have just seen. It reads again if another worker
        opens a new round meanwhile. Blocking."""
        for left in reversed(range(TRIES)):
            try:
                return self._read_round()
            except BadRequest:
                if not left:
                    raise
                self._session.catch_up()
        raise AssertionError("the last try returns or raises")

    def _read_round(self) -> list[Moment]:
        known, journal = self._session.load().table, self._session.journal
        last = known.round.number
        read = round_moments(journal, self.name, last) if last else moments(journal, self.name)
        return [moment for moment in read if moment.entry.version <= known.version]

    async def do(
        self,
        command: TableCommand,
        actor: Actor,
        *,
        request: str | None = None,
        expected: Expected = Expected(),  # noqa: B008 - a constant
    ) -> Acknowledgement:
        """Carry a command out and show everyone the result. `request` is its idempotency key."""
        self._note_here(actor.name)
        return await self._queue.do(command, actor, request, expected)

    async def note_refused(
        self, command: TableCommand, asker: Asker, refusal: CroupierError
    ) -> None:
        """Record an attempt refused before it reached the table, from somebody without a role there
        or from a device."""
        await self.blocking(lambda: self._session.record_attempt(command, asker, refusal))

    async def foresee(self, command: TableCommand, actor: Actor) -> CommandPlan:
        """Return what a command would do; nothing is written."""
        async with self._queue.turn:
            try:
                return await self.blocking(lambda: self._session.foresee(command, actor))
            finally:
                self.show_news()

    async def catch_up(self, version: int = 0) -> None:
        """Follow another worker's changes, unless the table has already reached `version` (0:
        always)."""
        async with self._queue.turn:
            if not version or version > self.table.version:
                await self._follow()

    async def _follow(self) -> None:
        await self.blocking(self._session.catch_up)
        self.show_news()

    # -- updates ----------------------------------------------------------------------------

    def show_news(self) -> None:
        """Show everyone what has happened at the table and on its link."""
        happened = self._session.take_news()
        news = [item for moment in happened if (item := self._take_in(moment)) is not None]
        if self._link_version != self._known_link_version():
            self._link_version = self._known_link_version()
            self.link_changed(self.table.link)
        if happened:
            self.audience.publish(news)
        self.changed.set()

    def show_link(self) -> None:
        """Show the meters again if another table has moved them."""
        if self._link_version != self._known_link_version():
            self._link_version = self._known_link_version()
            self.audience.publish([], at_once=False)

    def _known_link_version(self) -> int:
        held = self._session.links.known(self.table.link)
        return 0 if held is None else held.version

    def _take_in(self, moment: Moment) -> News | None:
        after = moment.after
        self.clock.note(moment.event, after, datetime.fromisoformat(moment.entry.at))
        if after.round.phase in _ON_PEOPLE:
            for subscriber in self.audience.subscribers:
                subscriber.wish.skips = False
        return self.audience.note(moment)

    def subscribe(self, subscriber: Subscriber, after: int | None) -> None:
        """Add a subscriber and send the current view, with the events since version `after`."""
        self._presence.came(subscriber.who.name)
        self.rehearsal.note_watching()
        self.changed.set()
        self.audience.add(subscriber, after)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        if subscriber in self.audience.subscribers:
            self.audience.subscribers.remove(subscriber)
            self._presence.went(subscriber.who.name)
            self._presence.forget_all_but(self._playing)
            self.changed.set()
