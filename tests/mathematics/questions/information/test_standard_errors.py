"""The standard error of sampled hands is honest: repeated draws, where the exact value is known."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import sqrt

import pytest

from croupier.mathematics.questions.information.holdem_knowing import (
    solve_one_case,
    solve_sharing_hands,
)
from croupier.mathematics.questions.information.seen_cards import drawn_hands, sampled_mean
from tests.mathematics.counters.boards.examples import ultimate, whole

FOUR_RANKS = 0b1111000000000
CARDS = [card for card in range(52) if FOUR_RANKS >> card % 13 & 1]
GAME = whole(ultimate(deck=FOUR_RANKS))
SEEDS = 600


def of_its_class(cards: tuple[int, ...]) -> tuple[int, ...]:
    """The least of all sets of cards that an exchange of suits makes of these."""
    return min(
        tuple(sorted(suits[card // 13] * 13 + card % 13 for card in cards))
        for suits in permutations(range(4))
    )


@pytest.fixture(scope="module")
def value_of() -> dict[tuple[int, ...], Fraction]:
    """By the four cards of two hands."""
    every = {cards: of_its_class(cards) for cards in combinations(CARDS, 4)}
    values = {cards: solve_one_case(GAME, cards, ()) for cards in set(every.values())}
    return {cards: values[image] for cards, image in every.items()}


@pytest.fixture(scope="module")
def one_gone() -> dict[int, Fraction]:
    return {rank: solve_one_case(GAME, (rank,), ()) for rank in {card % 13 for card in CARDS}}


@pytest.mark.parametrize("samples", [8, 40])
def test_the_exact_value_lies_where_the_standard_error_says(
    value_of: dict[tuple[int, ...], Fraction], one_gone: dict[int, Fraction], samples: int
) -> None:
    """Student's t with n - 1 degrees of freedom: within one, two and three standard errors."""
    exact = sum(value_of.values(), Fraction(0)) / len(value_of)
    within: Counter[int] = Counter()
    means, squares = [], []
    for seed in range(SEEDS):
        draws = drawn_hands(CARDS, 4, samples, seed)
        mean, error = sampled_mean(draws, [value_of[cards] for cards in draws], one_gone)
        off = abs(float(mean - exact)) / error
        within.update(width for width in (1, 2, 3) if off <= width)
        means.append(float(mean))
        squares.append(error**2)
    expected = {8: (0.6493, 0.9144, 0.9801), 40: (0.6765, 0.9475, 0.9953)}[samples]
    for width, share in zip((1, 2, 3), expected, strict=True):
        assert abs(within[width] / SEEDS - share) < 4 * sqrt(share * (1 - share) / SEEDS)
    average = sum(means) / SEEDS
    variance = sum((mean - average) ** 2 for mean in means) / (SEEDS - 1)
    assert abs(average - float(exact)) < 4 * sqrt(variance / SEEDS)
    assert 0.75 < sum(squares) / SEEDS / variance < 1.33


def test_another_seed_draws_other_hands(
    value_of: dict[tuple[int, ...], Fraction], one_gone: dict[int, Fraction]
) -> None:
    usual, other = (solve_sharing_hands(GAME, 2, 5, seed) for seed in (15, 16))
    assert solve_sharing_hands(GAME, 2, 5) == usual != other
    for seed, sampled in ((15, usual), (16, other)):
        draws = drawn_hands(CARDS, 4, 5, seed)
        mean = sampled_mean(draws, [value_of[cards] for cards in draws], one_gone)
        assert (sampled.value, sampled.standard_error) == mean
