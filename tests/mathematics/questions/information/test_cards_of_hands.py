"""Cards of the dealer's and of other players seen: against dealing out every card of a few, and as
published."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Protocol

import numpy as np
import pytest

from croupier.mathematics.counters.boards.games import HoldemGame, payoffs
from croupier.mathematics.counters.boards.numbering import STRENGTHS
from croupier.mathematics.hand_values import FULL_DECK
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.information.holdem_knowing import (
    solve_one_case,
    solve_sharing_a_hand,
    solve_sharing_hands,
    solve_with_dealers_card,
    solve_with_dealers_hand,
)
from croupier.mathematics.questions.information.seen_cards import SeenValue
from croupier.mathematics.questions.registry import figures_knowing
from croupier.ranking.fast import strengths
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission
from tests.mathematics.counters.boards.examples import BetDecision, OneBetGame, solve, whole

SMALL = 0b1000100000100  # 4, T and ace of every suit
TO_THE_RIVER = (BetDecision(0, (4, 3)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold"))
AT_THE_FLOP = (BetDecision(3, (2,), "fold"),)
FREE = (BetDecision(0, (1,)), BetDecision(5, (1, 2)))
AFTER_A_CARD = (BetDecision(1, (3,)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold"))


def a_game(
    seed: int, decisions: tuple[BetDecision, ...] = TO_THE_RIVER, deck: int = SMALL
) -> OneBetGame:
    """With any payoffs at all."""
    random = np.random.default_rng(seed)
    rows = random.integers(-3, 6, size=(12, STRENGTHS))
    return OneBetGame(
        decisions,
        payoffs(list(rows[:6])),
        payoffs(list(rows[6:])),
        qualifier=int(random.integers(1000, 4000)),
        fold=-2,
        deck=deck,
    )


# -- dealt out card by card -----------------------------------------------------------------------


@cache
def strength(cards: frozenset[int]) -> int:
    return int(strengths(np.array([sum(1 << card for card in cards)], dtype=np.uint64))[0])


class Showdowns(Protocol):
    """What a showdown is settled by: the cards left, and what a unit of a decided wager pays."""

    game: OneBetGame | HoldemGame
    held: Sequence[int]
    unit: I64

    def left(self, gone: Sequence[int]) -> list[int]: ...


class DealtOut:
    """Some cards left, and those of the dealer's that are known: nothing is counted twice or in
    classes here."""

    def __init__(self, game: OneBetGame, cards: Sequence[int], held: Sequence[int] = ()) -> None:
        self.game, self.cards, self.held = game, cards, held
        self.unit = game.decided

    def value(self) -> Fraction:
        hands = list(combinations(self.cards, 2))
        total = sum((self.after(own, ()) for own in hands), Fraction(0))
        return total / len(hands) / self.game.scale

    def left(self, gone: Sequence[int]) -> list[int]:
        return [card for card in self.cards if card not in gone]

    def after(self, own: tuple[int, ...], board: tuple[int, ...]) -> Fraction:
        """The best that can be done with these community cards in sight, nothing bet so far."""
        later = {0: 1, 1: 2, 3: 2}
        if len(board) == 0 and not any(level.seen == 1 for level in self.game.levels):
            later[0] = 3
        level = next((one for one in self.game.levels if one.seen == len(board)), None)
        declined = Fraction(self.game.fold)
        if level is None or level.decline == "check":
            if len(board) == 5:
                declined = self.showdown(own, board)[0]
            else:
                next_ = combinations(self.left([*own, *board]), later[len(board)])
                values = [self.after(own, (*board, *more)) for more in next_]
                declined = sum(values, Fraction(0)) / len(values)
        if level is None:
            return declined
        a, b = self.expected(own, board)
        return max(declined, *(a + k * b for k in level.multiples))

    def expected(self, own: tuple[int, ...], board: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        """A and B over all that may still come."""
        boards = list(combinations(self.left([*own, *board]), 5 - len(board)))
        found = [self.showdown(own, (*board, *more)) for more in boards]
        a, b = (sum((one[i] for one in found), Fraction(0)) / len(found) for i in range(2))
        return a, b

    def showdown(self, own: tuple[int, ...], board: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        return showdown(self, own, tuple(sorted(board)))


@cache
def showdown(
    dealt: Showdowns, own: tuple[int, ...], board: tuple[int, ...]
) -> tuple[Fraction, Fraction]:
    game, total, dealers = dealt.game, [0, 0], 0
    mine = strength(frozenset((*own, *board)))
    for more in combinations(dealt.left([*own, *board]), 2 - len(dealt.held)):
        theirs = strength(frozenset((*dealt.held, *more, *board)))
        outcome = (0 if mine > theirs else 2 if mine == theirs else 4) + (theirs < game.qualifier)
        total[0] += int(game.required[outcome, mine])
        total[1] += int(dealt.unit[outcome, mine])
        dealers += 1
    return Fraction(total[0], dealers), Fraction(total[1], dealers)


# -- few cards left of a full deck: flushes, straights and everything -----------------------------


def few_cards(seed: int, count: int) -> list[int]:
    """Many of them hearts."""
    random = np.random.default_rng(seed)
    hearts = 13 + random.permutation(13)[:7]
    others = random.permutation([card for card in range(52) if card // 13 != 1])
    return sorted(int(card) for card in (*hearts, *others[: count - 7]))


@pytest.mark.parametrize(
    ("seed", "decisions", "held"),
    [
        (1, TO_THE_RIVER, 0),
        (2, TO_THE_RIVER, 1),
        (3, TO_THE_RIVER, 2),
        (4, AFTER_A_CARD, 2),
        pytest.param(5, AFTER_A_CARD, 0, marks=pytest.mark.full),
        pytest.param(6, AFTER_A_CARD, 1, marks=pytest.mark.full),
        pytest.param(7, AT_THE_FLOP, 0, marks=pytest.mark.full),
        pytest.param(8, AT_THE_FLOP, 2, marks=pytest.mark.full),
        pytest.param(9, FREE, 0, marks=pytest.mark.full),
        pytest.param(10, FREE, 1, marks=pytest.mark.full),
        pytest.param(11, FREE, 2, marks=pytest.mark.full),
    ],
)
def test_every_card_dealt_out(seed: int, decisions: tuple[BetDecision, ...], held: int) -> None:
    game = a_game(seed, decisions, FULL_DECK)
    cards = few_cards(seed, 9)
    dealers, left = cards[3 : 3 + held], [*cards[:3], *cards[3 + held :]]
    gone = tuple(card for card in range(52) if card not in cards)
    found = solve_one_case(whole(game), gone, tuple(dealers))
    assert found == DealtOut(game, left, dealers).value()


# -- all that may be seen, of twelve cards --------------------------------------------------------


def cards_of(deck: int) -> list[int]:
    return [card for card in range(52) if deck >> card % 13 & 1]


def weighed(found: SeenValue) -> Fraction:
    deals = sum(case.weight for case in found.by_cards)
    return sum((case.weight * case.value for case in found.by_cards), Fraction(0)) / deals


@pytest.mark.full
@pytest.mark.parametrize("decisions", [TO_THE_RIVER, AT_THE_FLOP, AFTER_A_CARD])
def test_every_hand_that_may_be_seen(decisions: tuple[BetDecision, ...]) -> None:
    game = a_game(12, decisions)
    deck = cards_of(SMALL)
    for solved, held in (
        (solve_with_dealers_hand(whole(game)), True),
        (solve_sharing_a_hand(whole(game)), False),
    ):
        values = {case.name: case.value for case in solved.by_cards}
        assert sum(case.weight for case in solved.by_cards) == 66
        for name, pair in (("AA", (12, 25)), ("ATs", (12, 8)), ("T4o", (8, 15))):
            left = [card for card in deck if card not in pair]
            assert values[name] == DealtOut(game, left, pair if held else ()).value()
        assert solved.value == weighed(solved)


def test_one_card_of_the_dealers_by_rank() -> None:
    game = a_game(13, AT_THE_FLOP)
    found = solve_with_dealers_card(whole(game))
    left = [card for card in cards_of(SMALL) if card != 8]
    values = {case.name: case.value for case in found.by_cards}
    assert values["T"] == DealtOut(game, left, (8,)).value()
    assert found.value == sum(values.values()) / 3 == weighed(found)
    assert all(sum(case.bets.values()) == 1 for case in found.by_cards)


def test_nothing_seen_is_the_game_itself() -> None:
    game = a_game(14)
    assert solve_one_case(whole(game), (), ()) == solve(game).value


def test_more_seen_is_never_worth_less() -> None:
    game = a_game(15)
    nothing, one = solve(game).value, solve_with_dealers_card(whole(game)).value
    assert nothing <= one <= solve_with_dealers_hand(whole(game)).value
    assert nothing <= solve_sharing_a_hand(whole(game)).value


# -- sampled --------------------------------------------------------------------------------------


def test_sampled_hands_agree_with_all_of_them() -> None:
    """One shared hand can be done both ways. The same draws every time, with their error."""
    game = a_game(16, AT_THE_FLOP)
    exact, sampled = solve_sharing_a_hand(whole(game)), solve_sharing_hands(whole(game), 1, 12)
    assert exact.standard_error is None
    assert sampled.standard_error is not None
    assert sampled.samples == 12
    assert abs(sampled.value - exact.value) < 4 * sampled.standard_error
    assert solve_sharing_hands(whole(game), 1, 12) == sampled


# -- as published ---------------------------------------------------------------------------------


def known(book: str, **knows: int) -> Fraction:
    rules = put_in_force(load_rulebook(book), Submission())
    return figures_knowing(rules, knows).expected_value


@pytest.mark.full
@pytest.mark.parametrize(
    ("book", "value"),
    [("md-uth", "8592081451/63213204600"), ("md-wpt", "62587858897/496675179000")],
)
def test_a_dealers_card_as_published(book: str, value: str) -> None:
    """Eliot Jacobson's figures are 13.59% and 12.60%."""
    assert known(book, dealer=1) == Fraction(value)


def test_three_card_poker_with_a_dealers_card() -> None:
    """3.48% for the player is the figure that everybody quotes."""
    assert f"{float(known('three-card-poker', dealer=1)):.4f}" == "0.0348"
