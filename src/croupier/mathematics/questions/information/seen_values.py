"""What a round is worth to a player who has seen cards: over all sets of them, or over a sample.

Some sets of cards are few, as the dealer's hands are up to suits: those are gone through, so the
value is exact. Others are too many, and some are drawn at random. What is left of chance in them is
mostly the ranks that happen to be gone, so the effect of one gone card of each rank, which has a
mean of zero, is taken off every draw: the mean stays what it is, and its error becomes a fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from croupier.cards import RANKS

Cards: TypeAlias = tuple[int, ...]
Bets: TypeAlias = Mapping[Any, Fraction]
"""How often each bet is made."""


class SeenCase(NamedTuple):
    """Cards seen, by name; how many such there are; the value of those rounds, and the bets."""

    name: str
    weight: int
    value: Fraction
    bets: Bets


@dataclass(frozen=True)
class SeenValue:
    """The value of a round, with its standard error where it is sampled; by the cards seen where
    it is exact, else by one card of those."""

    value: Fraction
    bets: Bets
    by_cards: tuple[SeenCase, ...]
    standard_error: float | None = None
    samples: int | None = None


def exact_value(cases: Sequence[SeenCase]) -> SeenValue:
    deals = sum(case.weight for case in cases)
    value = sum((case.weight * case.value for case in cases), Fraction(0)) / deals
    return SeenValue(value, _mean_bets(cases), tuple(cases))


def sampled_value(
    deck: Sequence[int],
    count: int,
    samples: int,
    seed: int,
    solve: Callable[[Sequence[Cards]], Sequence[tuple[Fraction, Bets]]],
) -> SeenValue:
    """With `count` cards of the deck gone; `solve` returns value and bets for sets of them."""
    ranks = sorted({card % 13 for card in deck})
    draws = drawn_hands(deck, count, samples, seed)
    solved = solve([*((rank,) for rank in ranks), *draws])
    single = [
        SeenCase(RANKS[rank], 4, *case)
        for rank, case in zip(ranks, solved[: len(ranks)], strict=True)
    ]
    drawn = [SeenCase("", 1, *case) for case in solved[len(ranks) :]]
    one_gone = {rank: case.value for rank, case in zip(ranks, single, strict=True)}
    mean, error = sampled_mean(draws, [case.value for case in drawn], one_gone)
    return SeenValue(mean, _mean_bets(drawn), tuple(single), error, samples)


def drawn_hands(deck: Sequence[int], count: int, samples: int, seed: int) -> list[Cards]:
    """Sets of `count` cards, drawn `samples` times; a seed draws the same ones every time."""
    random = np.random.default_rng(seed)
    return [
        tuple(sorted(int(card) for card in random.choice(deck, count, replace=False)))
        for _ in range(samples)
    ]


def sampled_mean(
    draws: Sequence[Cards], values: Sequence[Fraction], one_gone: Mapping[int, Fraction]
) -> tuple[Fraction, float]:
    """The mean value over all hands, estimated from those drawn, and its standard error.

    `one_gone` has the value with one card of each rank gone. Its effects are exact and add up to
    zero over the ranks, so taking them off leaves the mean as it is, and the variance of what is
    left is that of independent draws: the estimate of the variance has no bias either.
    """
    middle = sum(one_gone.values(), Fraction(0)) / len(one_gone)
    left = [
        value - sum((one_gone[card % 13] - middle for card in cards), Fraction(0))
        for cards, value in zip(draws, values, strict=True)
    ]
    mean = sum(left, Fraction(0)) / len(left)
    variance = sum((float(value - mean) ** 2 for value in left), 0.0) / (len(left) - 1)
    return mean, sqrt(variance / len(left))


def _mean_bets(cases: Sequence[SeenCase]) -> Bets:
    """Of all rounds."""
    deals = sum(case.weight for case in cases)
    return {
        bet: sum((case.weight * case.bets[bet] for case in cases), Fraction(0)) / deals
        for bet in cases[0].bets
    }
