"""Nobody ever receives a card that he may not see: every frame to every client is recorded and
compared with what follows from the journal."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from croupier.web.desk import Desk, Subscriber
from croupier.web.keeping import Expected, Keeper, KeptLink
from croupier.web.orders import order_of

from croupier.cards import Card
from croupier.ledger.entries import Entry, stamp
from croupier.ledger.past_rounds import Moment
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import FAST
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, OpenTable, TableCommand, TakeSeat
from croupier.tables.events import TableEvent
from croupier.tables.evolving import evolve
from croupier.tables.planning import plan_opening
from croupier.tables.state import Table
from croupier.web import forms
from croupier.web.demo import OPERATOR, submission_for
from croupier.web.seeing import NOBODY, Onlooker
from croupier.web.settings import Settings
from tests.web.hidden import Sight, check_frame, check_told, check_view
from tests.web.kit import GAMES

PLAYERS = ("ann", "ben", "cat")
WATCHERS = (
    NOBODY,
    Onlooker("player", "eve"),
    Onlooker("dealer", "dee"),
    Onlooker("floorperson", "flo"),
    Onlooker("auditor", "otto"),
)


class InMemory(Keeper):
    """The journal's place taken by a list: for volume."""

    def __init__(self, rulebook: str) -> None:
        self.name = rulebook
        command = OpenTable(rulebook, rulebook, submission_for(rulebook), inventory=10**9)
        made = plan_opening(command, OPERATOR, with_link=True)
        self.running = TableSession(made.table, made.link)
        self.written: list[Moment] = []
        self._write(made.happenings[0].event, None, made.table)

    def _write(self, event: TableEvent, before: Table | None, after: Table) -> None:
        at = stamp(datetime.now(UTC))
        entry = Entry(self.name, after.version, at, "", b"", (), "")
        self.written.append(Moment(entry, event, "", before, after, []))

    def do(
        self,
        before: Table,
        command: TableCommand,
        actor: Actor,
        request: str | None = None,
        expected: Expected = Expected(),  # noqa: B008
    ) -> list[Moment]:
        expected.check(before)
        first = len(self.written)
        for event in self.running.do(command, actor):
            after, _ = evolve(before, event)
            self._write(event, before, after)
            before = after
        return self.written[first:]

    def opening_moments(self) -> Iterator[Moment]:
        return iter(self.written)

    def read_on(self, table: Table) -> Iterator[Moment]:
        new = []
        for moment in reversed(self.written):
            if moment.entry.version <= table.version:
                break
            new.append(moment)
        return reversed(new)

    def link(self, name: str, known: KeptLink | None) -> KeptLink:
        return KeptLink(self.running.link, 0)


class DirectDesk(Desk):
    """Nothing blocks in memory: no threads."""

    async def _blocking(self, work: Any) -> Any:
        return work()


class ComparingDesk(DirectDesk):
    """What is put together from parts is, to the byte, what the whole would be."""

    compared = 0

    def _send_views(self, told: list[bytes]) -> None:
        for subscriber in self._subscribers:
            shown = self._shown()
            whole = msgspec.json.encode(shown.to(subscriber.who))
            assert shown.text(subscriber.who, self._choices) == whole
            self.compared += 1
        super()._send_views(told)


class Recorder(Subscriber):
    """Keeps every view as it is put, before anything could be left out."""

    def __init__(self, who: Onlooker, checker: Checker) -> None:
        super().__init__(who, lambda: None)
        self._checker = checker

    def put(self, seq: int, view: bytes, told: list[bytes]) -> None:
        self._checker.check(seq, view.decode(), [text.decode() for text in told], self.who)
        self._view = view

    @property
    def latest(self) -> Any:
        return json.loads(self._view)


class Checker:
    """Follows the journal, and compares every frame with it as it is sent."""

    def __init__(self, keeper: InMemory) -> None:
        self._keeper = keeper
        self._sight = Sight(_first_look(keeper), folds=_folds(keeper))
        self._read = 0
        self._allowed: dict[str | None, dict[int, frozenset[Card]]] = {}
        self.frames = 0
        self.cards = 0

    def check(self, seq: int, view: str, told: list[str], who: Onlooker) -> None:
        self._follow()
        player, name = who.name if who.role == "player" else None, who.name or "a stranger"
        allowed = self._allowed[player]
        self.cards += check_view(view, seq, allowed, name)
        for text in told:
            check_told(text, json.loads(text)["version"], allowed, name)
        self.frames += 1

    def _follow(self) -> None:
        names: list[str | None] = [*PLAYERS, "eve", "", None]
        for moment in self._keeper.written[self._read :]:
            self._sight.take_in(moment.event)
            for name in names:
                known = self._allowed.setdefault(name, {})
                known[moment.entry.version] = self._sight.may_see(name)
                known.pop(moment.entry.version - 200, None)
        self._read = len(self._keeper.written)


def _first_look(keeper: InMemory) -> int:
    book = keeper.running.rules.book
    return 2 if book.id == "md-235" else book.cards.player


def _folds(keeper: InMemory) -> bool:
    return keeper.running.rules.book.id != "md-235"


async def _play(
    rulebook: str, rounds: int, kind: type[DirectDesk] = DirectDesk
) -> tuple[Checker, DirectDesk]:
    """Three players by chance, each from what his own last frame lets him do; the dealer by
    software; five people who watch."""
    chance = random.Random(f"leaks {rulebook}")
    keeper = InMemory(rulebook)
    settings = Settings("", clocks=FAST, software_floor=True)
    desk = kind(keeper, settings)
    await desk.load()
    checker = Checker(keeper)
    players = {name: Recorder(Onlooker("player", name), checker) for name in PLAYERS}
    for subscriber in (*players.values(), *(Recorder(who, checker) for who in WATCHERS)):
        desk.subscribe(subscriber, 0)
    for seat, name in enumerate(PLAYERS, 1):
        await desk.do(TakeSeat(name, seat), Actor("player", name))
    while desk.table.round.number <= rounds:
        state = desk.table.round
        if state.phase == "betting":
            await _bet(desk, players, chance)
        if state.phase == "deciding":
            asked = state.seat(state.turn)
            assert asked is not None
            await _answer(desk, players[asked.player], chance)
            continue
        if state.phase in ("revealing", "showdown") and chance.random() < 0.01:
            form = forms.VoidRoundForm("a card was exposed")
            flo = Onlooker("floorperson", "flo")
            await desk.do(order_of(form, flo, desk.table), Actor("floorperson", "flo"))
            continue
        coming = desk.due()
        assert coming is not None, desk.table.round.phase
        await desk.do(coming.make(), coming.actor)
    return checker, desk


async def _bet(desk: Desk, players: dict[str, Recorder], chance: random.Random) -> None:
    said: dict[int, int] = {}
    for seat, name in desk.table.seats.items():
        actor = Actor("player", name)
        if desk.table.rack(name) < 50_000:
            await desk.do(BuyIn(name, 500_000), actor)
        wagers: dict[str, str] = {}
        for _ in range(chance.choice((1, 1, 3))):
            for action in players[name].latest["actions"]:
                if action["do"] == "place" and action["seat"] == seat:
                    stakes = action.get("stakes")
                    wagers[action["wager"]] = stakes[0] if stakes else action["least"]
            form = forms.PlaceWagersForm(seat, wagers)
            await desk.do(order_of(form, players[name].who, desk.table), actor)
        said[seat] = desk.table.version
    desk.set_ready(dict.fromkeys(said, desk.table.version))


async def _answer(desk: Desk, player: Recorder, chance: random.Random) -> None:
    says = [action for action in player.latest["actions"] if action["do"] == "say"]
    assert says, "whose turn it is has something to say"
    said = chance.choice(says)
    actor = Actor("player", player.who.name)
    form: forms.CommandForm = forms.ActForm(said["seat"], said["action"])
    if chance.random() < 0.02:
        form = forms.LeaveRoundForm(said["seat"])
    await desk.do(order_of(form, player.who, desk.table), actor)


@pytest.mark.parametrize("rulebook", GAMES)
def test_no_frame_holds_a_card_that_its_receiver_may_not_see(rulebook: str) -> None:
    checker, desk = asyncio.run(_play(rulebook, 60))
    assert checker.frames > 60 * 7 * 10
    assert checker.cards > checker.frames
    assert sum(desk.table.money.values()) > 0


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_view_put_together_from_parts_is_the_whole_one(rulebook: str) -> None:
    _, desk = asyncio.run(_play(rulebook, 10, ComparingDesk))
    assert isinstance(desk, ComparingDesk)
    assert desk.compared > 10 * 7 * 10


@pytest.mark.full
@pytest.mark.parametrize("rulebook", GAMES)
def test_no_frame_holds_a_hidden_card_over_many_rounds(rulebook: str) -> None:
    asyncio.run(_play(rulebook, 4_000))


def test_the_check_would_find_a_leak() -> None:
    """A test that cannot fail proves nothing: one hidden card in a frame is found."""
    sight = Sight(2)
    from croupier.rounds.events import CardsDealt, OpenBetting, WagersPlaced

    ace, king, two = (Card.parse(name) for name in ("As", "Kd", "2c"))
    for event in (
        OpenBetting(1, "virtual", deck=(ace, king, two)),
        WagersPlaced(1, "ann", {"ante": 500}),
        CardsDealt(3, {1: (ace, king)}, dealer=(two,)),
    ):
        sight.take_in(event)
    allowed = {1: sight.may_see("ann")}
    frame = '{"seq": 1, "view": {"cards": ["As", "%s"]}, "happened": %s}'
    assert check_frame(frame % ("Kd", "[]"), allowed, "ann") == 2
    with pytest.raises(AssertionError, match="ann was shown"):
        check_frame(frame % ("2c", "[]"), allowed, "ann")
    told = '[{"version": 1, "kind": "cards_dealt", "words": ["dealer: 2c"]}]'
    with pytest.raises(AssertionError, match="ann was told"):
        check_frame(frame % ("Kd", told), allowed, "ann")
    with pytest.raises(AssertionError, match="ben was shown"):
        check_frame(frame % ("Kd", "[]"), {1: sight.may_see("ben")}, "ben")
