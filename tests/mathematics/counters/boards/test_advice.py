"""Advice from a solution and advice by dealing out are one and the same fraction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from croupier.cards import parse_cards
from croupier.errors import BadCards
from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame
from croupier.mathematics.counters.boards.solver import Solution, solve
from croupier.mathematics.questions.advice.boards import advise
from tests.mathematics.counters.boards.examples import jackpot, ultimate, wpt

TURN = (
    BetDecision(0, (4,)),
    BetDecision(3, (3,)),
    BetDecision(4, (2,)),
    BetDecision(5, (1,), "fold"),
)


@pytest.mark.parametrize(
    "game",
    [
        ultimate(),
        jackpot(),
        wpt(),
        pytest.param(replace(ultimate(), decisions=TURN), marks=pytest.mark.full),
    ],
)
def test_flop_tables_equal_dealing_out(game: HoldemGame) -> None:
    solution = solve(game)
    dice = Random(5)
    for _ in range(60):
        cards = dice.sample(range(52), 5)
        stored = advise(game, cards[:2], cards[2:], solution)
        assert stored == advise(game, cards[:2], cards[2:])


def _mean(
    game: HoldemGame, solution: Solution, hole: Sequence[int], shown: Sequence[int]
) -> Fraction:
    """What checking before the flop is worth, from the advice on every flop that may follow."""
    rest = [card for card in range(52) if card not in hole and card not in shown]
    values = [
        max(advise(game, hole, [*shown, *more], solution).actions.values())
        for more in combinations(rest, 3 - len(shown))
    ]
    return sum(values, Fraction(0)) / len(values)


def test_checking_is_worth_the_mean_of_what_follows() -> None:
    for game, text in ((ultimate(), ""), (jackpot(), "Qh")):
        solution = solve(game)
        hole, shown = parse_cards("Kd 4s"), parse_cards(text)
        now = advise(game, hole, shown, solution)
        assert now.actions["check"] == _mean(game, solution, hole, shown)


def test_best_is_the_best() -> None:
    game = ultimate()
    solution = solve(game)
    aces = advise(game, parse_cards("As Ad"), (), solution)
    assert aces.best == "4x"
    deuce = advise(game, parse_cards("2s 3d"), parse_cards("Ks Jd Th 8c 6d"), solution)
    assert deuce.best == "fold"
    assert deuce.actions["fold"] == -2


@pytest.mark.parametrize(
    ("hole", "community"), [([0, 0], []), ([0], []), ([0, 52], []), ([0, 1], [2, 3]), ([0, 1], [1])]
)
def test_bad_cards_are_refused(hole: list[int], community: list[int]) -> None:
    with pytest.raises(BadCards):
        advise(ultimate(), hole, community)
