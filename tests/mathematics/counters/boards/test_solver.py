"""The solver against published figures, against brute force, and against itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from croupier.mathematics.counters.boards.games import payoffs
from croupier.mathematics.counters.boards.numbering import STRENGTHS
from croupier.mathematics.kernels.arrays import I64
from tests.mathematics.counters.boards.brute import brute_value
from tests.mathematics.counters.boards.examples import (
    BetDecision,
    OneBetGame,
    category_of_strength,
    jackpot,
    solve,
    ultimate,
    whole,
    wpt,
)
from tests.params import few

TENS_UP = 0b1111100000000
JACKS_UP = 0b1111000000000
WHEEL = 0b1000000001111
NO_STRAIGHTS = 0b1010010010010
NINES_UP = 0b1111110000000

DECISIONS = {
    "deal_flop_river": (BetDecision(0, (4, 3)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold")),
    "one_card": (BetDecision(1, (3,)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold")),
    "every_street": (
        BetDecision(0, (5,)),
        BetDecision(1, (4,)),
        BetDecision(2, (3, 4)),
        BetDecision(3, (2,)),
        BetDecision(4, (2, 1)),
        BetDecision(5, (1, 3), "fold"),
    ),
    "call_or_fold_the_flop": (BetDecision(3, (2,), "fold"),),
    "turn_or_fold": (BetDecision(2, (3,)), BetDecision(4, (2,), "fold")),
    "check_to_the_end": (BetDecision(0, (3,)), BetDecision(5, (1, 2))),
    "twice_at_the_flop": (BetDecision(3, (3,)), BetDecision(3, (1,)), BetDecision(5, (1,), "fold")),
    "blind_bet_only": (BetDecision(0, (1,)),),
}


def test_ultimate_texas_holdem_blind_a() -> None:
    assert solve(ultimate()).value == Fraction(-50_643_648_973, 2_317_817_502_000)


@pytest.mark.parametrize(
    ("game", "edge", "digits"),
    [
        (jackpot(), 0.02382, 5),
        (jackpot(lost_when_beaten=True), 0.02759, 5),
        (wpt(), 0.023584, 6),
        (wpt((500, 500, 50, 10, 6, 5)), 0.03057, 5),
        (wpt((500, 500, 50, 10, 5, 4)), 0.03735, 5),
        (wpt((500, 500, 25, 6, 5, 4)), 0.04553, 5),
    ],
)
def test_published_edges(game: OneBetGame, edge: float, digits: int) -> None:
    assert round(-float(solve(game).value), digits) == edge


@pytest.mark.parametrize(
    ("name", "deck"),
    [
        *((name, JACKS_UP) for name in DECISIONS),
        ("every_street", TENS_UP),
        *(
            pytest.param(name, TENS_UP, marks=pytest.mark.full)
            for name in DECISIONS
            if name != "every_street"
        ),
    ],
)
def test_brute_force_agrees_for_every_order_of_decisions(name: str, deck: int) -> None:
    game = replace(ultimate(deck=deck), decisions=DECISIONS[name], fold=3)
    assert solve(game).value == brute_value(game)


def random_payoffs(seed: int) -> tuple[I64, I64]:
    """Different for every category and outcome, and sometimes for every strength."""
    dice = np.random.default_rng(seed)
    by_category = dice.integers(-40, 60, (2, 6, 10))[..., category_of_strength()]
    fine = dice.integers(-3, 4, (2, 6, STRENGTHS))
    both = by_category + fine * (seed % 2)
    return payoffs(list(both[0])), payoffs(list(both[1] // 8))


SEEDS_AND_DECKS = list(product(range(3), (TENS_UP, WHEEL, NO_STRAIGHTS)))


@pytest.mark.parametrize("seed_and_deck", few(SEEDS_AND_DECKS, *SEEDS_AND_DECKS[::4]))
def test_brute_force_agrees_for_random_payoffs(seed_and_deck: tuple[int, int]) -> None:
    seed, deck = seed_and_deck
    required, decided = random_payoffs(seed)
    decisions = list(DECISIONS.values())[seed]
    qualifier = (0, 1277, 5000)[seed]
    game = OneBetGame(
        decisions, required, decided, qualifier, fold=5 * seed - 4, scale=7, deck=deck
    )
    assert solve(game).value == brute_value(game)


@pytest.mark.full
@pytest.mark.parametrize("seed", [3, 4])
def test_brute_force_agrees_on_six_ranks(seed: int) -> None:
    required, decided = random_payoffs(seed)
    decisions = DECISIONS["every_street" if seed == 3 else "one_card"]
    game = OneBetGame(decisions, required, decided, 1277, fold=-9, scale=7, deck=NINES_UP)
    assert solve(game).value == brute_value(game)


@pytest.mark.full
def test_brute_force_agrees_on_six_ranks_of_ultimate() -> None:
    game = ultimate(deck=NINES_UP)
    assert solve(game).value == brute_value(game)


def _flat(required: int, decided: int, fold: int = -2) -> OneBetGame:
    every = DECISIONS["deal_flop_river"]
    return OneBetGame(every, payoffs([required] * 6), payoffs([decided] * 6), 1277, fold)


def test_always_winning_wins_the_largest_bet() -> None:
    assert solve(_flat(2, 1)).value == 2 + 4


def test_always_pushing_is_worth_nothing() -> None:
    assert solve(_flat(0, 0)).value == 0


def test_always_losing_folds() -> None:
    assert solve(_flat(-2, -1)).value == -2


def test_a_fold_that_pays_is_taken_at_the_river() -> None:
    assert solve(_flat(-2, 1, fold=9)).value == 9


def test_winning_and_losing_balance_without_decisions() -> None:
    """A bet forced before the deal, even money: the dealer's hand is as good as ours."""
    even = payoffs([1, 1, 0, 0, -1, -1])
    game = OneBetGame((BetDecision(0, (1,), "fold"),), even, even, fold=-100)
    assert solve(game).value == 0


def test_3x_is_never_right_where_4x_is_offered() -> None:
    deal = solve(ultimate()).stages[0]
    four, three, declined = map(deal.worth, deal.level.leaving[0])
    assert all((four > three) | (declined > three))


def test_wide_sums_equal_narrow_ones() -> None:
    """The same game in units a thousand times smaller needs 64-bit rows."""
    game = ultimate()
    fine = replace(
        game,
        required=game.required * 1000,
        decided=game.decided * 1000,
        fold=game.fold * 1000,
        scale=game.scale * 1000,
    )
    assert solve(fine).value == solve(game).value


def test_one_thread_and_three_agree() -> None:
    one, three = solve(jackpot(), 1), solve(jackpot(), 3)
    assert one.value == three.value
    for seen, stage in one.stages.items():
        for path, worth in stage.onward.items():
            assert np.array_equal(worth, three.stages[seen].onward[path])


@pytest.mark.parametrize(
    ("decisions", "words"),
    [
        ((), "at least one"),
        ((BetDecision(3, (2,)), BetDecision(0, (1,))), "order"),
        ((BetDecision(0, (2,), "fold"), BetDecision(3, (1,))), "last"),
    ],
)
def test_impossible_decisions_are_refused(decisions: tuple[BetDecision, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        whole(replace(ultimate(), decisions=decisions))


def test_payoffs_too_large_to_be_exact_are_refused() -> None:
    with pytest.raises(OverflowError, match="too large"):
        whole(_flat(10**14, 1))
