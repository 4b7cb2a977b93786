"""One table of the pit: its queue of commands, how it stands, and everybody who watches it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Final, NamedTuple, TypeVar

import msgspec
from anyio import CapacityLimiter, to_thread

from croupier.errors import BadRequest, CroupierError, Refusal
from croupier.ledger.batch_writer import BatchWriter
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.history.past_rounds import Moment, moments, round_moments
from croupier.ledger.records.table_entries import Asker
from croupier.progressives import Link
from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.deciding import standing
from croupier.rounds.declaration import Actor
from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.rules import Rules
from croupier.runtime.clock import now
from croupier.runtime.dealer import DueCommand, PaceName, Times, due, software_may_deal
from croupier.runtime.journal_session import Draft, Expected, JournalSession
from croupier.runtime.software_staff import software_step
from croupier.tables import commands as table_commands
from croupier.tables import events as table_events
from croupier.tables.commands import TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.planning import CommandPlan
from croupier.tables.state import NO_QUESTION, Table, question_of, rules_of
from croupier.web.accounts.trial import is_rehearsal
from croupier.web.server.problems import Overloaded
from croupier.web.server.settings import Settings
from croupier.web.tables.forms import ClockForm, PaceForm, TableForm
from croupier.web.tables.presence import Presence, Wish, pace_of, slowest
from croupier.web.tables.table_watch import TableWatch
from croupier.web.tables.views import Choices, Onlooker, Shown, happened

__all__ = ["Acknowledgement", "ServedTable", "Subscriber", "ToldNews"]

SOON: Final = 0.05
"""Seconds that views wait in which only meters or readiness are new."""
MOST_AT_ONCE: Final = 100
MOST_QUEUED: Final = 200
"""Commands of people that wait at one table; the next is sent away."""
MOST_DRAFTED: Final = 20
"""Commands of one table that are worked out in a row before the other tables get their turn."""
AT_WORK: Final = 60.0
"""Seconds for which somebody counts as at work after his last command."""
STAYS: Final = 900.0
"""Seconds after which software stops at a rehearsal table where nobody does anything."""
_CHANCE: Final = SystemRandom()
TRIES: Final = 10
REMEMBERED: Final = 400
"""How many events are kept for clients that come back after a lost connection."""

_encode: Final = msgspec.json.Encoder().encode
T = TypeVar("T")


class Acknowledgement(NamedTuple):
    """The table's version with the command done; `repeated`: it had been done before; `waits`: a
    second person confirms it first."""

    version: int
    repeated: bool
    waits: bool = False


class _Asked:
    """A command in the queue of the table, and what became of it."""

    def __init__(
        self, command: TableCommand, actor: Actor, request: str | None, expected: Expected
    ) -> None:
        self.command, self.actor = command, actor
        self.request, self.expected = request, expected
        self.answer: Acknowledgement | None = None
        self.error: Exception | None = None

    @property
    def is_answered(self) -> bool:
        return self.answer is not None or self.error is not None


def _waits(events: Iterable[TableEvent]) -> bool:
    return any(isinstance(event, table_events.Proposed) for event in events)


class ToldNews(NamedTuple):
    """What happened; `veiled`: as those read it who do not sit at a table of the house, if they
    do."""

    version: int
    text: bytes
    veiled: bytes | None


class Subscriber:
    """A connected client. What it has not taken yet waits here: of views only the last one, and the
    last in which a round was settled. However fast the table goes on, a player sees his result."""

    def __init__(self, who: Onlooker, wake: Callable[[], None]) -> None:
        self.who = who
        self.wish = Wish(who.name)
        self._wake = wake
        self._settled: _Frame | None = None
        self._last: _Frame | None = None
        self.is_dismissed = False
        """His session has ended: the connection does, too."""

    def dismiss(self) -> None:
        self.is_dismissed = True
        self._wake()

    def put(self, seq: int, view: bytes, told: list[bytes], *, settled: bool = False) -> None:
        earlier = self._last
        if earlier is not None and earlier.settled:
            self._settled, earlier = earlier.after(self._settled), None
        self._last = _Frame(seq, view, tuple(told), settled).after(earlier)
        self._wake()

    def take(self) -> bytes | None:
        """The next frame, or nothing if the client has everything."""
        frame = self._settled or self._last
        if self._settled is not None:
            self._settled = None
        else:
            self._last = None
        return None if frame is None else frame.text


class _Frame(NamedTuple):
    seq: int
    view: bytes
    happened: tuple[bytes, ...]
    settled: bool

    def after(self, earlier: _Frame | None) -> _Frame:
        """With what happened before it as well: nobody took that."""
        told = () if earlier is None else earlier.happened
        return self._replace(happened=(told + self.happened)[-REMEMBERED:])

    @property
    def text(self) -> bytes:
        told = b",".join(self.happened)
        return b'{"seq":%d,"view":%b,"happened":[%b]}' % (self.seq, self.view, told)


class ServedTable:
    """All methods but the constructor belong to the event loop; what blocks goes to a thread."""

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
        self._writer = writer
        self._turn = asyncio.Lock()
        self._queue: deque[_Asked] = deque()
        self._told: deque[ToldNews] = deque(maxlen=REMEMBERED)
        self._subscribers: set[Subscriber] = set()
        self._choices = Choices()
        self._later: asyncio.TimerHandle | None = None
        self.watch = TableWatch(session.journal, session.name)
        """For the floor; nothing is read before somebody of the staff looks."""
        self._link_version = 0
        self._times = Times(now())
        self._question = NO_QUESTION
        self._seen: dict[str, datetime] = {}
        self._presence = Presence()
        self._shown_people: tuple[frozenset[str], PaceName] = frozenset(), "casino"
        self._placed: dict[int, int] = {}
        self._people: dict[str, float] = {}
        self._last_person = float("-inf")
        self._rests_at = 0
        self.taken_by = ""
        """At a rehearsal table: who works there."""
        self.ready: set[int] = set()
        self.changed = asyncio.Event()
        """Set whenever something happened: the dealer looks again."""
        self.link_changed: Callable[[str], None] = lambda _: None
        self.is_dealt_here: Callable[[], bool] = lambda: False
        """Is this table dealt by software, and by this process?"""

    # -- how it stands ----------------------------------------------------------------------

    @property
    def table(self) -> Table:
        known = self._session.known
        assert known is not None, "load first"
        return known.table

    @property
    def is_shut(self) -> bool:
        """The cards of the round in play are sealed with a key that is not here."""
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

    @property
    def watching(self) -> int:
        return len(self._subscribers)

    def due(self) -> DueCommand | None:
        return self._due(self.table, self._times, self.ready)

    def _due(self, table: Table, times: Times, ready: set[int]) -> DueCommand | None:
        settings = self._settings
        if self.is_rehearsal:
            return self._rehearsal_due(table, times)
        if not settings.software_dealer:
            return None
        floor, away = settings.validates_by_software, self.away
        rules, declines = rules_of(table), settings.demo
        pace = pace_of(self._wishes, settings.pace)
        return due(table, rules, times, ready, pace, floor=floor, away=away, declines=declines)

    @property
    def away(self) -> frozenset[str]:
        """Players who have gone away. Where several servers share the tables, nobody is: a player
        may be connected to another. At a live table people sit there without a page."""
        if self._session.journal.is_shared or self.table.source == "live":
            return frozenset()
        return frozenset(n for n in self._playing if self._presence.seconds_left(n) == 0)

    @property
    def _playing(self) -> set[str]:
        return {seat.player for seat in self.table.round.seats} | set(self.table.seats.values())

    @property
    def _wishes(self) -> list[Wish]:
        """Of the players who are there; where several servers share the tables, only one of them
        would know."""
        if self._session.journal.is_shared or not self._settings.own_pace:
            return []
        seated = set(self.table.seats.values())
        return [one.wish for one in self._subscribers if one.who.name in seated]

    def hear_wish(self, subscriber: Subscriber, told: PaceForm) -> None:
        """A page has said how fast its player wants it."""
        if told.pace is not None:
            subscriber.wish.pace = told.pace
        if told.skip and self.table.round.phase not in ("betting", "deciding"):
            subscriber.wish.skips = True
        self.changed.set()

    def _note_here(self, name: str) -> None:
        if name in self._playing:
            self._presence.acted(name)

    def note_people(self) -> None:
        """Everybody sees who has gone away or is back, and how fast the table goes with them."""
        if (self.away, slowest(self._wishes)) != self._shown_people:
            self._publish([], at_once=False)

    def next_look(self, most: float) -> float:
        """In how many seconds somebody may count as away, at most so many."""
        left = [self._presence.seconds_left(name) for name in self._playing]
        return min([most, *(seconds + 0.1 for seconds in left if seconds)])

    # -- rehearsals -------------------------------------------------------------------------

    @property
    def is_rehearsal(self) -> bool:
        return self._settings.demo and is_rehearsal(self.name)

    @property
    def is_worked(self) -> bool:
        """Is anybody here, or was a moment ago?"""
        return bool(self._subscribers) or bool(self._roles_taken())

    def dismiss(self) -> None:
        """Nobody works here any more, software neither."""
        self._people.clear()
        self._last_person = float("-inf")

    def note_person(self, role: str) -> None:
        """Somebody in this role is at work here: software leaves the role to him."""
        self._last_person = self._people[role] = time.monotonic()
        self.changed.set()

    def rest(self) -> None:
        """What software wanted to do was refused: it waits until something has happened."""
        self._rests_at = self.table.version

    def people_at_work(self, role: str) -> set[str]:
        """Who looks at the table in this role, and who works here."""
        watching = {one.who.name for one in self._subscribers if one.who.role == role}
        return watching | ({self.taken_by} if self.taken_by and role in self._people else set())

    def _roles_taken(self) -> set[str]:
        since = time.monotonic() - AT_WORK
        recently = {role for role, at in self._people.items() if at > since}
        return recently | {one.who.role for one in self._subscribers if one.who.role is not None}

    def _rehearsal_due(self, table: Table, times: Times) -> DueCommand | None:
        """Software plays on only while people are there."""
        here = time.monotonic() - self._last_person < STAYS
        if not here or not self.is_worked or table.version == self._rests_at:
            return None
        at = int(now().timestamp())
        step = software_step(table, rules_of(table), self._roles_taken(), at, _CHANCE.sample)
        if step is None:
            return None
        actor, command = step
        pause = timedelta(seconds=self._settings.pace.step)
        return DueCommand(times.last + pause, "", actor, command)

    def idle(self, at: datetime) -> list[tuple[int, str]]:
        """Seats whose players have neither sat down nor bet for a long time, nor bet now. Where a
        person deals, they see that for themselves, and at a live table only people act."""
        betting = {seat.player for seat in self.table.round.seats}
        if self.table.round.phase not in ("over", "betting") or not self.is_dealt_by_software:
            return []
        return [
            (seat, player)
            for seat, player in self.table.seats.items()
            if (self.table.round.phase == "over" or player not in betting)
            and (at - self._seen.setdefault(player, at)).total_seconds() > self._settings.pace.idle
        ]

    def form(self, who: Onlooker) -> TableForm:
        self._note_here(who.name)
        return self._shown().to(who)

    @property
    def is_dealt_by_software(self) -> bool:
        return (
            self._settings.software_dealer
            and self.table.source == "virtual"
            and software_may_deal(self.table)
        )

    def _shown(self) -> Shown:
        dealt_by = "software" if self.is_dealt_by_software else "people"
        clock = self._clock()
        pace = slowest(self._wishes)
        return Shown(self.table, self.meters, self.ready, clock, dealt_by, self.away, pace)

    def _clock(self) -> ClockForm | None:
        coming = self.due()
        if coming is None or not coming.what:
            return None
        left = (coming.at - now()).total_seconds()
        at = coming.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        clock = self.rules.clock
        on_people = self.table.round.phase in ("betting", "deciding")
        more = clock.extension if clock is not None and on_people else 0
        return ClockForm(coming.what, at, round(max(0.0, left), 1), coming.seat, more)

    # -- reading and doing ------------------------------------------------------------------

    async def _blocking(self, work: Callable[[], T]) -> T:
        return await to_thread.run_sync(work, limiter=self._limiter)

    async def load(self) -> None:
        async with self._turn:
            found = await self._blocking(self._read_last_round)
            for moment in found:
                self._take_in(moment)
            await self._blocking(lambda: self._session.links.read(self.table.link))
            self._link_version = self._known_link_version()
            await self._follow()
            # Limits by the most that can be won take a moment to work out: before anybody waits.
            await self._blocking(lambda: limits_in_force(self.rules))

    def _read_last_round(self) -> list[Moment]:
        """From its opening, or all there is where none was played: enough to know how the table
        stands and what its people have just seen. Another worker may end the round meanwhile, and
        open the next: then it is read again."""
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
        found = round_moments(journal, self.name, last) if last else moments(journal, self.name)
        return [moment for moment in found if moment.entry.version <= known.version]

    async def do(
        self,
        command: TableCommand,
        actor: Actor,
        *,
        request: str | None = None,
        expected: Expected = Expected(),  # noqa: B008 - a constant
    ) -> Acknowledgement:
        """Carry a command out and tell everybody. `request` is the key under which it is asked."""
        if request is not None and len(self._queue) >= MOST_QUEUED:
            raise Overloaded(f"too many people ask something of table {self.name}: try again")
        self._note_here(actor.name)
        asked = _Asked(command, actor, request, expected)
        self._queue.append(asked)
        try:
            async with self._turn:
                if not asked.is_answered:
                    await self._answer_all()
        finally:
            with suppress(ValueError):  # cancelled before its turn came: it is not done
                self._queue.remove(asked)
        if asked.error is not None:
            raise asked.error
        assert asked.answer is not None
        return asked.answer

    async def note_refused(
        self, command: TableCommand, asker: Asker, refusal: CroupierError
    ) -> None:
        """Of somebody who has no role at a table, or of a device, before the table was asked."""
        await self._blocking(lambda: self._session.record_attempt(command, asker, refusal))

    async def foresee(self, command: TableCommand, actor: Actor) -> CommandPlan:
        """What a command would lead to; nothing is written."""
        async with self._turn:
            try:
                return await self._blocking(lambda: self._session.foresee(command, actor))
            finally:
                self._tell_news()

    async def _answer_all(self) -> None:
        """Everything in the queue, in order, with the journal waited for once if all goes well."""
        queue, self._queue = self._queue, deque()
        everything = list(queue)
        try:
            while queue:
                drafts = self._draft(queue)
                planned = [draft for _, draft in drafts]
                if drafts and await self._append(planned + self._draft_dealing(planned)):
                    for asked, draft in drafts:
                        version = draft.after.table.version
                        asked.answer = Acknowledgement(version, False, _waits(draft.plan.events))
                    continue
                for asked in [asked for asked, _ in drafts] or [queue.popleft()]:
                    await self._answer(asked)
        finally:
            for asked in everything:
                if not asked.is_answered:
                    asked.error = JournalUnavailable("the server stops: try the same again")

    def _draft(self, queue: deque[_Asked]) -> list[tuple[_Asked, Draft]]:
        """As many from the front as can be worked out without asking the journal."""
        drafts: list[tuple[_Asked, Draft]] = []
        last: Draft | None = None
        keys: set[str | None] = set()
        while self._writer is not None and queue and len(drafts) < MOST_DRAFTED:
            asked = queue[0]
            if asked.request and asked.request in keys:
                break
            if not self._session.can_draft(asked.command, asked.expected, last):
                break
            try:
                last = self._session.draft(
                    asked.command, asked.actor, asked.request, asked.expected, on=last
                )
            except Exception:  # told, and noted, when it is answered alone
                break
            keys.add(asked.request)
            drafts.append((queue.popleft(), last))
        return drafts

    def _draft_dealing(self, drafts: list[Draft]) -> list[Draft]:
        """What the dealer by software does right after: nobody is told anything in between, so the
        journal need not be waited for. Bets and decisions are for people."""
        more: list[Draft] = []
        last = drafts[-1]
        while self.is_dealt_here() and len(more) < MOST_AT_ONCE:
            state = last.after.table
            if state.round.phase in ("betting", "deciding"):
                break
            coming = self._due(state, Times(last.write.at), set())
            if coming is None or coming.at > now():
                break
            if not self._session.can_draft(coming.command):
                break
            try:
                last = self._session.draft(coming.command, coming.actor, on=last)
            except Exception:  # told when it is the dealer's turn
                break
            more.append(last)
        return more

    async def _append(self, drafts: list[Draft]) -> bool:
        """Unless somebody else was first: then nothing of it has happened."""
        assert self._writer is not None
        try:
            await self._writer.write([draft.write for draft in drafts])
        except CroupierError:
            return False
        for draft in drafts:
            self._session.adopt(draft)
        self._tell_news()
        return True

    async def _answer(self, asked: _Asked) -> None:
        """One command by itself, asking the journal."""
        try:
            done = await self._blocking(
                lambda: self._session.carry_out(
                    asked.command, asked.actor, asked.request, asked.expected
                )
            )
        except Exception as error:
            asked.error = error
        else:
            version = self.table.version
            asked.answer = Acknowledgement(version, done.repeated, _waits(done.events))
        self._tell_news()

    def _tell_news(self) -> None:
        """Everybody learns what has happened at the table and on its link."""
        news = self._session.take_news()
        told = [one for moment in news if (one := self._take_in(moment)) is not None]
        if self._link_version != self._known_link_version():
            self._link_version = self._known_link_version()
            self.link_changed(self.table.link)
        if news:
            self._publish(told)
        self.changed.set()

    def _known_link_version(self) -> int:
        held = self._session.links.known(self.table.link)
        return 0 if held is None else held.version

    async def catch_up(self, version: int = 0) -> None:
        """Another worker has gone on with the table, to this version at least."""
        async with self._turn:
            if not version or version > self.table.version:
                await self._follow()

    def show_link(self) -> None:
        """Another table has moved the meters that this one shares."""
        if self._link_version != self._known_link_version():
            self._link_version = self._known_link_version()
            self._publish([], at_once=False)

    async def _follow(self) -> None:
        await self._blocking(self._session.catch_up)
        self._tell_news()

    def _take_in(self, moment: Moment) -> ToldNews | None:
        at = datetime.fromisoformat(moment.entry.at)
        self._keep_time(moment.event, moment.after, at)
        form = happened(moment.event, moment.after)
        if form is None:
            return None
        text = _encode(form)
        veiled = None if self._settings.demo else happened(moment.event, moment.after, veil=True)
        told = ToldNews(form.version, text, None if veiled is None else _encode(veiled))
        self._told.append(told)
        return told

    def _told_to(self, who: Onlooker, told: Iterable[ToldNews]) -> list[bytes]:
        if who.is_kept_out(self.table):
            return [one.veiled for one in told if one.veiled is not None]
        return [one.text for one in told]

    def _keep_time(self, event: TableEvent, after: Table, at: datetime) -> None:
        at = min(at, now())  # a clock that was ahead when it was written keeps nobody waiting
        first, asked, closed = self._times.first_bet, self._times.asked_at, self._times.closed
        question = question_of(after)
        if question != self._question:
            self._question, asked = question, at
        if after.round.phase in ("betting", "deciding"):
            for subscriber in self._subscribers:
                subscriber.wish.skips = False
        match event:
            case round_commands.OpenBetting():
                first = None
                self.ready.clear()
                self._placed.clear()
            case round_events.WagersPlaced():
                first = first or at
                self.ready.discard(event.seat)
                self._placed[event.seat] = after.version
                self._seen[event.player] = at
            case round_events.BetsClosed():
                self.ready.clear()
                closed = at
            case table_commands.TakeSeat():
                self._seen[event.player] = at
                if len(set(after.seats.values())) == 2:  # only now somebody waits
                    first, asked = first and at, at
            case round_events.WagersTakenBack():
                self.ready.discard(event.seat)
                first = first if after.round.seats else None
        self._times = Times(at, first, asked, closed)

    def check_ready(self, seat: int, player: str) -> None:
        """May the player say that he is done betting?"""
        state = self.table.round
        held = state.seat(seat)
        if state.phase != "betting":
            raise Refusal("the bets are not open", code="not_now")
        if held is None and self.table.seats.get(seat) == player:
            return  # he sits this round out
        if held is None:
            raise Refusal(f"nothing is placed at seat {seat}", code="nothing_placed")
        if held.player != player:
            raise Refusal(f"seat {seat} is not yours", code="not_yours")
        if not standing(held, self.rules):
            needed = ", ".join(self.rules.book.wagers[name].title for name in self.rules.required)
            raise Refusal(
                f"these wagers cannot stand yet: the round takes {needed}",
                code="not_enough_placed",
                clause=self.rules.book.required_clause or None,
            )

    def set_ready(self, said: Mapping[int, int]) -> None:
        """Who has said so, and at which version: a bet changed afterwards takes it back."""
        seats = {seat for seat, at in said.items() if at >= self._placed.get(seat, 0)}
        if seats != self.ready:
            self.ready = seats
            self._publish([], at_once=False)
            self.changed.set()

    # -- telling everybody ------------------------------------------------------------------

    def subscribe(self, subscriber: Subscriber, after: int | None) -> None:
        """The first frame is how the table stands, with what happened since `after`."""
        self._subscribers.add(subscriber)
        self._presence.came(subscriber.who.name)
        self._last_person = time.monotonic()
        self.changed.set()
        missed = [] if after is None else [t for t in self._told if t.version > after]
        view = self._shown().text(subscriber.who, self._choices)
        subscriber.put(self.table.version, view, self._told_to(subscriber.who, missed))

    def unsubscribe(self, subscriber: Subscriber) -> None:
        if subscriber in self._subscribers:
            self._subscribers.remove(subscriber)
            self._presence.went(subscriber.who.name)
            self._presence.forget_all_but(self._playing)
            self.changed.set()

    def _publish(self, told: list[ToldNews], *, at_once: bool = True) -> None:
        """What is not urgent waits a moment and is sent with what comes next."""
        if at_once:
            self._send_views(told)
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(SOON, self._send_views, told)

    def _send_views(self, told: list[ToldNews]) -> None:
        """A view is made once for each person, however many windows he has open."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self._shown_people = self.away, slowest(self._wishes)
        if not self._subscribers:
            return
        views: dict[Onlooker, bytes] = {}
        version, shown = self.table.version, self._shown()
        settled = self.table.round.phase == "collecting"
        for subscriber in self._subscribers:
            who = subscriber.who
            text = views.get(who)
            if text is None:
                text = views[who] = shown.text(who, self._choices)
            subscriber.put(version, text, self._told_to(who, told), settled=settled)
