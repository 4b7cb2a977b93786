"""One table of the pit: its queue of commands, how it stands, and everybody who watches it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeVar

import msgspec
from anyio import CapacityLimiter, to_thread

from croupier.errors import CroupierError, Refusal
from croupier.ledger.faults import StoreUnavailable
from croupier.ledger.scribe import Page, Scribe
from croupier.progressives import Link
from croupier.rounds import events as of_rounds
from croupier.rounds.deciding import standing
from croupier.rounds.payout_limits import limits_in_force
from croupier.rulebooks.rules import Rules
from croupier.runtime.recall import Moment
from croupier.tables import events as of_tables
from croupier.tables.commands import Actor, TableCommand
from croupier.tables.events import TableEvent
from croupier.tables.state import Table, rules_of
from croupier.web.dealing import Due, Times, due
from croupier.web.forms import ClockForm, TableForm
from croupier.web.keeping import Draft, Expected, Keeper, KeptLink
from croupier.web.seeing import Choices, Onlooker, Shown
from croupier.web.settings import Settings
from croupier.web.telling import happened

__all__ = ["Desk", "Done", "Subscriber"]

SOON: Final = 0.05
"""Seconds that views wait in which only meters or readiness are new."""
MOST_AT_ONCE: Final = 100
REMEMBERED: Final = 400
"""How many happenings are kept for clients that come back after a lost connection."""

_encode: Final = msgspec.json.Encoder().encode
_TOUCHES_LINK: Final = (
    of_rounds.BetsClosed,
    of_rounds.ChipsCounted,
    of_rounds.ProgressivePaid,
    of_rounds.RoundVoided,
    of_rounds.CardsCollected,
)
T = TypeVar("T")


class Done(NamedTuple):
    version: int
    repeated: bool


class _Carried(NamedTuple):
    moments: list[Moment]
    link: KeptLink | None
    repeated: bool


class _Asked:
    """A command in the queue of the table, and what became of it."""

    def __init__(
        self,
        command: TableCommand,
        actor: Actor,
        request: tuple[str, str, bytes] | None,
        expected: Expected,
    ) -> None:
        self.command, self.actor = command, actor
        self.request, self.expected = request, expected
        self.done: Done | None = None
        self.error: Exception | None = None

    @property
    def is_answered(self) -> bool:
        return self.done is not None or self.error is not None


class _Told(NamedTuple):
    version: int
    text: bytes


class Subscriber:
    """A connected client. What it has not taken yet waits here: of views only the last one."""

    def __init__(self, who: Onlooker, wake: Callable[[], None]) -> None:
        self.who = who
        self._wake = wake
        self._view = b""
        self._seq = 0
        self._happened: deque[bytes] = deque(maxlen=REMEMBERED)

    def put(self, seq: int, view: bytes, told: list[bytes]) -> None:
        self._seq, self._view = seq, view
        self._happened.extend(told)
        self._wake()

    def take(self) -> bytes | None:
        """The next frame, or nothing if the client has everything."""
        if not self._view:
            return None
        frame = b'{"seq":%d,"view":%b,"happened":[%b]}' % (
            self._seq,
            self._view,
            b",".join(self._happened),
        )
        self._view = b""
        self._happened.clear()
        return frame


class Desk:
    """All methods but the constructor belong to the event loop; what blocks goes to a thread."""

    def __init__(
        self,
        keeper: Keeper,
        settings: Settings,
        limiter: CapacityLimiter | None = None,
        scribe: Scribe | None = None,
    ) -> None:
        self.name = keeper.name
        self._settings = settings
        self._keeper = keeper
        self._limiter = limiter
        self._scribe = scribe
        self._turn = asyncio.Lock()
        self._queue: deque[_Asked] = deque()
        self._told: deque[_Told] = deque(maxlen=REMEMBERED)
        self._subscribers: set[Subscriber] = set()
        self._choices = Choices()
        self._later: asyncio.TimerHandle | None = None
        self._link: KeptLink | None = None
        self._table: Table | None = None
        self._times = Times(datetime.now(UTC))
        self._seen: dict[str, datetime] = {}
        self._placed: dict[int, int] = {}
        self.ready: set[int] = set()
        self.changed = asyncio.Event()
        """Set whenever something happened: the dealer looks again."""
        self.link_changed: Callable[[str], None] = lambda _: None
        self.is_dealt_here: Callable[[], bool] = lambda: False
        """Does software go on with this table in this very process?"""

    # -- how it stands ----------------------------------------------------------------------

    @property
    def table(self) -> Table:
        assert self._table is not None, "load first"
        return self._table

    @property
    def rules(self) -> Rules:
        return rules_of(self.table)

    @property
    def link(self) -> Link | None:
        return None if self._link is None else self._link.link

    @property
    def meters(self) -> dict[str, int]:
        return self.link.shown() if self.link is not None else {}

    @property
    def watching(self) -> int:
        return len(self._subscribers)

    def due(self) -> Due | None:
        return due(self.table, self.rules, self._times, self.ready, self._settings)

    def idle(self, now: datetime) -> list[tuple[int, str]]:
        """Seats whose players have neither sat down nor bet for a long time, nor bet now."""
        betting = {seat.player for seat in self.table.round.seats}
        if self.table.round.phase not in ("over", "betting"):
            return []
        return [
            (seat, player)
            for seat, player in self.table.seats.items()
            if (self.table.round.phase == "over" or player not in betting)
            and (now - self._seen.setdefault(player, now)).total_seconds()
            > self._settings.clocks.idle
        ]

    def form(self, who: Onlooker) -> TableForm:
        return self._shown().to(who)

    def _shown(self) -> Shown:
        by_software = self._settings.software_dealer and self.table.source == "virtual"
        dealt_by = "software" if by_software else "people"
        return Shown(self.table, self.meters, self.ready, self._clock(), dealt_by)

    def _clock(self) -> ClockForm | None:
        coming = self.due()
        if coming is None or not coming.what:
            return None
        left = (coming.at - datetime.now(UTC)).total_seconds()
        at = coming.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return ClockForm(coming.what, at, round(max(0.0, left), 1), coming.seat)

    # -- reading and doing ------------------------------------------------------------------

    async def _blocking(self, work: Callable[[], T]) -> T:
        return await to_thread.run_sync(work, limiter=self._limiter)

    async def load(self) -> None:
        async with self._turn:
            found = await self._blocking(lambda: list(self._keeper.opening_moments()))
            for moment in found:
                self._take_in(moment)
            await self._read_link()
            await self._follow()
            # Limits by the most that can be won take a moment to work out: before anybody waits.
            await self._blocking(lambda: limits_in_force(self.rules))

    async def do(
        self,
        command: TableCommand,
        actor: Actor,
        *,
        request: tuple[str, str, bytes] | None = None,
        expected: Expected = Expected(),  # noqa: B008 - a constant
    ) -> Done:
        """Carry a command out and tell everybody. `request` is person, key and content."""
        asked = _Asked(command, actor, request, expected)
        self._queue.append(asked)
        async with self._turn:
            if not asked.is_answered:
                await self._answer_all()
        if asked.error is not None:
            raise asked.error
        assert asked.done is not None
        return asked.done

    async def _answer_all(self) -> None:
        """Everything in the queue, in order, with the journal waited for once if all goes well."""
        queue, self._queue = self._queue, deque()
        everything = list(queue)
        try:
            while queue:
                drafts = self._draft(queue)
                written = [draft for _, draft in drafts]
                if drafts and await self._write(written + self._draft_dealing(written)):
                    for asked, draft in drafts:
                        asked.done = Done(draft.moments[-1].after.version, repeated=False)
                    continue
                for asked in [asked for asked, _ in drafts] or [queue.popleft()]:
                    await self._answer(asked)
        finally:
            for asked in everything:
                if not asked.is_answered:
                    asked.error = StoreUnavailable("the server stops: the same can be tried again")

    def _draft(self, queue: deque[_Asked]) -> list[tuple[_Asked, Draft]]:
        """As many from the front as can be worked out without asking the journal."""
        drafts: list[tuple[_Asked, Draft]] = []
        state, keys = self.table, set[tuple[str, str]]()
        while self._scribe is not None and queue:
            asked = queue[0]
            if asked.request is not None and asked.request[:2] in keys:
                break
            try:
                draft = self._keeper.draft(
                    state, asked.command, asked.actor, asked.request, asked.expected
                )
            except Exception:  # told, and noted, on the long way
                break
            if draft is None:
                break
            if asked.request is not None:
                keys.add(asked.request[:2])
            state = draft.moments[-1].after
            drafts.append((queue.popleft(), draft))
        return drafts

    def _draft_dealing(self, drafts: list[Draft]) -> list[Draft]:
        """What the dealer by software does in the same breath: nobody is told anything in between,
        so the journal need not be waited for. Bets and decisions are for people."""
        more: list[Draft] = []
        last = drafts[-1]
        while self.is_dealt_here() and len(more) < MOST_AT_ONCE:
            state = last.moments[-1].after
            if state.round.phase in ("betting", "deciding"):
                break
            coming = due(state, self.rules, Times(last.line.at), (), self._settings)
            if coming is None or coming.at > datetime.now(UTC):
                break
            try:
                draft = self._keeper.draft(
                    state, coming.make(), coming.actor, None, Expected(version=state.version)
                )
            except Exception:  # told on the long way, when it is his turn
                break
            if draft is None:
                break
            last = draft
            more.append(draft)
        return more

    async def _write(self, drafts: list[Draft]) -> bool:
        """Unless somebody else was first: then nothing of it has happened."""
        assert self._scribe is not None
        try:
            await self._scribe.write(Page([draft.line for draft in drafts]))
        except BaseException as error:
            self._keeper.forget()
            if isinstance(error, CroupierError):
                return False
            raise
        found = [moment for draft in drafts for moment in draft.moments]
        link = self._link
        if any(isinstance(moment.event, _TOUCHES_LINK) for moment in found):
            link = self._keeper.link_written(found[-1].after.link)
        self._adopt(found, link)
        return True

    async def _answer(self, asked: _Asked) -> None:
        """One command the long way, asking the journal."""
        before, link = self.table, self._link
        try:
            done = await self._blocking(
                lambda: self._carry_out(
                    asked.command, asked.actor, asked.request, asked.expected, before, link
                )
            )
        except Exception as error:
            asked.error = error
            return
        self._adopt(done.moments, done.link)
        asked.done = Done(self.table.version, done.repeated)

    def _carry_out(
        self,
        command: TableCommand,
        actor: Actor,
        request: tuple[str, str, bytes] | None,
        expected: Expected,
        before: Table,
        link: KeptLink | None,
    ) -> _Carried:
        """Everything that blocks, in one go."""
        keeper, key, repeated = self._keeper, None, False
        if request is not None:
            key, repeated = keeper.request_key(*request)
        if repeated:
            found = list(keeper.read_on(before))
        else:
            found = keeper.do(before, command, actor, key, expected)
        return _Carried(found, self._link_after(found, link), repeated)

    def _link_after(self, found: list[Moment], link: KeptLink | None) -> KeptLink | None:
        if not any(isinstance(moment.event, _TOUCHES_LINK) for moment in found):
            return link
        return self._keeper.link(found[-1].after.link, link)

    def _adopt(self, found: list[Moment], link: KeptLink | None) -> None:
        told = [text for moment in found if (text := self._take_in(moment)) is not None]
        if link is not self._link and link is not None:
            moved = self._link is None or link.version != self._link.version
            self._link = link
            if moved:
                self.link_changed(self.table.link)
        if found:
            self._publish(told)
        self.changed.set()

    async def catch_up(self, version: int = 0) -> None:
        """Another worker has gone on with the table, to this version at least."""
        async with self._turn:
            if not version or version > self.table.version:
                await self._follow()

    async def refresh_link(self, version: int = 0) -> None:
        """Another table has moved the meters that this one shares."""
        if version and self._link is not None and self._link.version >= version:
            return
        async with self._turn:
            if await self._read_link():
                self._publish([], at_once=False)

    async def _follow(self) -> None:
        before, link = self.table, self._link
        found = await self._blocking(lambda: list(self._keeper.read_on(before)))
        after = await self._blocking(lambda: self._link_after(found, link)) if found else link
        self._adopt(found, after)

    async def _read_link(self) -> bool:
        before, name = self._link, self.table.link
        self._link = await self._blocking(lambda: self._keeper.link(name, before))
        return before is not None and before.version != self._link.version

    def _take_in(self, moment: Moment) -> bytes | None:
        self._table = moment.after
        at = datetime.fromisoformat(moment.entry.at)
        self._keep_time(moment.event, at)
        form = happened(moment.event, moment.after)
        if form is None:
            return None
        text = _encode(form)
        self._told.append(_Told(form.version, text))
        return text

    def _keep_time(self, event: TableEvent, at: datetime) -> None:
        first = self._times.first_bet
        match event:
            case of_rounds.BettingOpened():
                first = None
                self.ready.clear()
                self._placed.clear()
            case of_rounds.WagersPlaced():
                first = first or at
                self.ready.discard(event.seat)
                self._placed[event.seat] = self.table.version
                self._seen[event.player] = at
            case of_rounds.BetsClosed():
                self.ready.clear()
            case of_tables.SeatTaken():
                self._seen[event.player] = at
            case of_rounds.WagersTakenBack():
                self.ready.discard(event.seat)
                first = first if self.table.round.seats else None
        self._times = Times(at, first)

    def check_ready(self, seat: int, player: str) -> None:
        """May the player say that he is done betting?"""
        state = self.table.round
        held = state.seat(seat)
        if state.phase != "betting":
            raise Refusal("the bets are not open", code="not_now")
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
        missed = [] if after is None else [t.text for t in self._told if t.version > after]
        view = self._shown().text(subscriber.who, self._choices)
        subscriber.put(self.table.version, view, missed)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self._subscribers.discard(subscriber)

    def _publish(self, told: list[bytes], *, at_once: bool = True) -> None:
        """What is not urgent waits a moment and is sent with what comes next."""
        if at_once:
            self._send_views(told)
        elif self._later is None:
            self._later = asyncio.get_running_loop().call_later(SOON, self._send_views, told)

    def _send_views(self, told: list[bytes]) -> None:
        """A view is made once for each person, however many windows he has open."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if not self._subscribers:
            return
        views: dict[Onlooker, bytes] = {}
        version, shown = self.table.version, self._shown()
        for subscriber in self._subscribers:
            who = subscriber.who
            text = views.get(who)
            if text is None:
                text = views[who] = shown.text(who, self._choices)
            subscriber.put(version, text, told)
