"""A live table worked by what `work` says, step by step: nobody enters a card that it does not ask
for, and everybody is paid as at a virtual table with the same cards."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.cards import Card
from croupier.rounds.actions import legal_actions
from croupier.rounds.commands import Act, Collect, EnterCards, OpenBetting, PlaceWagers
from croupier.rounds.dealing import Dealt, dealt, whole_order
from croupier.rulebooks.bundled import DOCUMENTS, GAMES
from croupier.rulebooks.decks import cards_of
from croupier.tables.work import WorkStep, work
from tests.rounds.engine.walking import a_deck
from tests.tables.seated import DEALER, FLOOR, NAMES, Game, Sitting, every_way

SEATS = (1, 2, 3, 4)
EVERY_GAME = [every_way(book)[-1] for book in (*DOCUMENTS, *GAMES)]


def _sitting(played: Game, source: str) -> Sitting:
    told = json.loads(played.submission)
    return Sitting(played.rulebook, *SEATS, source=source, **told)


def _bets(virtual: Sitting, chance: random.Random) -> list[PlaceWagers]:
    """Every side bet at one seat, only the progressive at another, none at the rest."""
    rules = virtual.rules
    everything = {name: rules.stakes.get(name, (500,))[0] for name in rules.offered}
    least = dict.fromkeys(rules.required, 1000)
    only = {name: cents for name, cents in everything.items() if name == "progressive"}
    sides = chance.sample([everything, only, {}, {}], len(SEATS))
    return [
        PlaceWagers(seat, NAMES[seat - 1], least | more)
        for seat, more in zip(SEATS, sides, strict=True)
    ]


def _play_virtual(virtual: Sitting, deck: tuple[Card, ...], chance: random.Random) -> None:
    virtual.do(OpenBetting(virtual.round.number + 1, "virtual", "sealed", "salt", deck))
    for bet in _bets(virtual, chance):
        virtual.do(bet)
    virtual.deal()
    virtual.go()
    while virtual.round.phase == "deciding":
        seat = virtual.seat(virtual.round.turn)
        choices = legal_actions(virtual.round, virtual.rules, seat.number, seat.player)
        said = [choice.action for choice in choices if choice.do == "say"]
        virtual.say(seat.number, said[-1] if chance.random() < 0.7 else said[0])
        virtual.go()
    virtual.settle()
    virtual.do(Collect())


class Worked:
    """The live table, and the cards that lie on it."""

    def __init__(self, live: Sitting, virtual: Sitting, lies: Dealt) -> None:
        self.live, self.virtual, self.lies = live, virtual, lies
        self.entered: set[int] = set()

    def play(self) -> None:
        self.live.do(OpenBetting(self.live.round.number + 1, "live"))
        for seat in self.virtual.round.seats:
            self.live.do(PlaceWagers(seat.number, seat.player, seat.wagers))
        while self.live.round.phase != "over":
            self._do(work(self.live.table, self.live.rules, 0)[0])

    def _do(self, step: WorkStep) -> None:
        command: Any = step.command
        if isinstance(command, Act):
            held = self.live.seat(command.seat)
            said = self.virtual.seat(command.seat).actions[len(held.actions)]
            command = replace(command, action=said)
        if step.cards:
            command = replace(command, cards=self._cards(step))
        if isinstance(command, EnterCards) and command.place == "player":
            self.entered.add(command.seat)
        self.live.do(command, DEALER if "dealer" in step.by else FLOOR)

    def _cards(self, step: WorkStep) -> tuple[Card, ...]:
        """The next cards of the place that are not known yet."""
        if step.place == "player":
            return self.lies.players[step.seat]
        state = self.live.round
        lies = {"community": self.lies.community, "dealer": self.lies.dealer, "box": self.lies.box}
        known = {"community": state.community, "dealer": state.dealer, "box": state.box}
        first = len(known[step.place])
        return lies[step.place][first : first + step.cards]


def _compare(played: Game, seed: int, rounds: int) -> None:
    chance = random.Random(f"{played} {seed}")
    virtual, live = _sitting(played, "virtual"), _sitting(played, "live")
    for _ in range(rounds):
        deck = a_deck(chance.randrange(10**6), cards_of(virtual.rules.book.deck))
        _play_virtual(virtual, deck, chance)
        order = [delivery for _, delivery in whole_order(virtual.rules, SEATS)]
        worked = Worked(live, virtual, dealt(deck, order))
        worked.play()
        for theirs, mine in zip(virtual.round.seats, live.round.seats, strict=True):
            assert mine.lines == theirs.lines, f"seat {mine.number}"
            assert bool(mine.cards) == (mine.number in worked.entered), "nothing else is entered"
        assert live.table.money == virtual.table.money
        if live.running.link is not None:
            assert live.link.shown() == virtual.link.shown()


@pytest.mark.parametrize("played", EVERY_GAME, ids=lambda played: played.rulebook)
def test_what_the_work_asks_for_is_enough(played: Game) -> None:
    _compare(played, seed=1, rounds=15)


@pytest.mark.full
@pytest.mark.parametrize("played", EVERY_GAME, ids=lambda played: played.rulebook)
def test_what_the_work_asks_for_is_enough_at_length(played: Game) -> None:
    _compare(played, seed=2, rounds=300)
