"""At a live table only the cards that the table asks for are entered, and the round is settled as
with all cards known: the same lines, clauses, sentences and meters.

Every settlement case under tests/rules, tests/rounds and tests/playthroughs is played live as well
(`also_live` in tests/conftest.py). Here are the rounds that are made for it: many seats, all side
bets, folds.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from croupier.errors import CroupierError
from croupier.rounds import commands as cmd
from croupier.rounds.actions import legal_actions
from croupier.rounds.dealing import dealt, whole_order
from croupier.rounds.explaining import Holdings, explanation
from croupier.rounds.irregularities import possible_irregularities
from croupier.rounds.settle_requests import RequestSettler, RoundRequest
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.bundled import DOCUMENTS, GAMES
from croupier.rulebooks.decks import cards_of
from croupier.rulebooks.decoding import read_json
from croupier.rulebooks.rules import Rules
from tests.oracle.rounds import random_request
from tests.rounds.as_live import DealtRound, check_live
from tests.rounds.engine.walking import a_deck
from tests.rounds.small_games import GAMES as SMALL_GAMES
from tests.tables.seated import BOOKS, NAMES, Game, every_way

_SETTLER = RequestSettler()
EVERY_GAME = [way for book in (*BOOKS, *GAMES, *SMALL_GAMES) for way in every_way(book)]


def folding(request: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The round with most seats bare of side bets and folded, as many a player does."""
    rules = _SETTLER.rules(request["rulebook"], json.dumps(request.get("submission", {})).encode())
    last = rules.book.decisions[-1]
    folds = [decision.otherwise for decision in rules.book.decisions]
    for seat in request["seats"]:
        if last.otherwise == "fold" and chance.random() < 0.7:
            seat["actions"] = folds
            kept = chance.choice(((), (), ("progressive",), tuple(seat["wagers"])))
            seat["wagers"] = {
                name: stake
                for name, stake in seat["wagers"].items()
                if name in rules.required or name in kept
            }
    return request


def not_entered(rulebook: str, seed: int, rounds: int) -> int:
    """Play rounds; how many hands nobody had to enter."""
    chance, count = random.Random(f"{rulebook} {seed}"), 0
    for _ in range(rounds):
        made = folding(random_request(chance, rulebook), chance)
        request = read_json(json.dumps(made), RoundRequest)
        meters = request.meters_in_cents()
        played, rules, settlement = _SETTLER.settle(request)
        live = check_live(played, rules, meters, settlement)
        count += sum(not seat.cards for seat in live.state.seats)
    return count


@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_a_document_is_settled_live_as_with_all_cards_known(rulebook: str) -> None:
    count = not_entered(rulebook, seed=1, rounds=150)
    assert count > 20 or rulebook == "md-235", "a hand that nothing looks at is not asked for"


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 5))
@pytest.mark.parametrize("rulebook", DOCUMENTS)
def test_a_document_is_settled_live_at_length(rulebook: str, seed: int) -> None:
    not_entered(rulebook, seed, rounds=1500)


# -- the same commands at both tables ------------------------------------------------------------


class TwoTables:
    """The same round at two tables, command by command: `all_known`, from a sealed deck or live
    with every card scanned as it is dealt, and `live`, where only the cards that the table asks for
    are entered."""

    def __init__(self, rules: Rules, chance: random.Random, *, scanned: bool) -> None:
        self.rules, self.chance, self.scanned = rules, chance, scanned
        most = min(rules.book.positions.most, 6)
        self.seats = sorted(chance.sample(range(1, most + 1), chance.randint(1, most)))
        deck = a_deck(chance.randrange(10**6), cards_of(rules.book.deck))
        order = [delivery for _, delivery in whole_order(rules, self.seats)]
        out = dealt(deck, order)
        seats = tuple(PlayedSeat(n, "", out.players[n], {}, ()) for n in self.seats)
        meters = {name: cents + chance.randrange(9973) for name, cents in rules.resets.items()}
        self._spare = list(reversed(out.stub))
        lies = CompletedRound(seats, out.community, out.dealer, out.box)
        self.all_known, self.live = (DealtRound(lies, rules, meters) for _ in range(2))
        sealed = cmd.OpenBetting(1, "virtual", "sealed", "salt", deck)
        self.all_known.do(cmd.OpenBetting(1, "live") if scanned else sealed)
        self.live.do(cmd.OpenBetting(1, "live"))

    def both(self, command: cmd.RoundCommand) -> None:
        known = self.all_known.with_cards(command) if self.scanned else command
        self.all_known.do(known)
        if self.scanned and isinstance(command, cmd.Deal):
            self.all_known.scan()
        if isinstance(command, cmd.Settle):
            self.live.enter_asked()
        self.live.do(self.live.with_cards(command))

    def play(self) -> None:
        for number in self.seats:
            self._bet(number)
        while self.all_known.state.phase != "over":
            if self.all_known.state.phase == "deciding":
                self._answer()
            else:
                self.both(self.all_known.next_of_staff())
            if self.chance.random() < 0.02:
                self._somebody_leaves()
            if self.scanned and self.chance.random() < 0.05:
                self._accident()

    def _bet(self, number: int) -> None:
        """Now every side bet, now none; some people play two boxes."""
        eager, rules = self.chance.choice((0.0, 0.1, 0.5, 1.0)), self.rules
        wagers = dict.fromkeys(rules.required, 1000)
        for name in rules.offered:
            if self.chance.random() < eager:
                wagers |= dict.fromkeys(rules.book.wagers[name].needs, 500)
                wagers[name] = self.chance.choice(rules.stakes.get(name, (500,)))
        wagers |= dict.fromkeys(rules.required, 1000)
        before = NAMES[number - 2] if number - 1 in self.seats else NAMES[number - 1]
        for player in (before, NAMES[number - 1]):
            try:
                self.both(cmd.PlaceWagers(number, player, wagers))
            except CroupierError:
                assert player == before
            else:
                return

    def _answer(self) -> None:
        state = self.all_known.state
        seat = state.seat(state.turn)
        assert seat is not None
        said = [
            x.action
            for x in legal_actions(state, self.rules, seat.number, seat.player)
            if x.do == "say"
        ]
        action = said[-1] if self.chance.random() < 0.6 else self.chance.choice(said)
        self.both(cmd.Act(seat.number, seat.player, action))

    def _somebody_leaves(self) -> None:
        """Sometimes the floor rules the wagers abandoned."""
        if self.all_known.state.phase in ("closed", "over"):
            return
        seat = self.chance.choice(self.all_known.state.seats)
        for command in (
            cmd.LeaveRound(seat.number, seat.player),
            cmd.RuleAbandoned(seat.number),
        ):
            try:
                self.both(command)
            except CroupierError:
                return
            if self.chance.random() < 0.5:
                return

    def _accident(self) -> None:
        """One of those that can have happened now, with cards that were not dealt."""
        state = self.all_known.state
        possible = sorted(possible_irregularities(state, self.rules).items())
        if not possible:
            return
        kind, terms = self.chance.choice(possible)
        many = 1 if "card" in terms.asks else 2 if "cards" in terms.asks else 0
        seat = self.chance.choice(self.seats) if "seat" in terms.asks else 0
        cards = [self._spare.pop() for _ in range(min(many, len(self._spare)))]
        try:
            self.both(cmd.Report(kind, tuple(cards), seat))
        except CroupierError:
            assert self.live.state.phase == self.all_known.state.phase


def play_both(played: Game, seed: int, rounds: int, *, scanned: bool) -> None:
    chance = random.Random(f"{played} {seed}")
    for _ in range(rounds):
        tables = TwoTables(played.rules, chance, scanned=scanned)
        tables.play()
        known, live = tables.all_known.state, tables.live.state
        assert tables.live.meters == tables.all_known.meters
        for theirs, mine in zip(known.seats, live.seats, strict=True):
            assert mine.lines or live.void, "every seat is settled"
            assert mine.lines == theirs.lines, f"seat {mine.number}"
            for line in mine.lines:
                words = explanation(line, played.rules, Holdings.at(live, mine.number))
                full = Holdings.at(known, mine.number)
                assert words == explanation(line, played.rules, full)
            if mine.cards and live.community == known.community:
                assert (mine.hand, mine.holds) == (theirs.hand, theirs.holds)
        assert live.dealer_holds == known.dealer_holds


@pytest.mark.parametrize("played", EVERY_GAME, ids=repr)
def test_a_live_round_equals_the_round_from_a_sealed_deck(played: Game) -> None:
    play_both(played, seed=1, rounds=10, scanned=False)


@pytest.mark.parametrize("played", EVERY_GAME, ids=repr)
def test_cards_that_were_not_asked_for_change_nothing(played: Game) -> None:
    """Accidents included: hands and wagers that are void, cards set aside."""
    play_both(played, seed=1, rounds=10, scanned=True)


@pytest.mark.full
@pytest.mark.parametrize("scanned", [False, True], ids=["sealed", "scanned"])
@pytest.mark.parametrize("played", EVERY_GAME, ids=repr)
def test_live_rounds_equal_rounds_with_all_cards_known(played: Game, scanned: bool) -> None:
    play_both(played, seed=2, rounds=500, scanned=scanned)
