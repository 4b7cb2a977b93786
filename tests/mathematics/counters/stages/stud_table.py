"""235 Stud counted in its own way: for each three own cards, what the five bring over all pairs of
community cards. Nothing of `mathematics` is used but the order of hands of five."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.ranking.fast import strengths
from croupier.ranking.lookup_tables import VALUES

Ints = NDArray[np.int64]
PAIRS = comb(49, 2)
_FIVE = {9: 500, 8: 250, 7: 100, 6: 25, 5: 20, 4: 15, 3: 7, 2: 3}


@dataclass(frozen=True)
class StudTable:
    """What a unit brings: on two cards, on three, and on five, summed over the pairs to come, with
    the sum of its squares and the number of pairs that win. Hands by their number in order."""

    two: Ints
    three: Ints
    five: Ints
    squares: Ints
    won: Ints


def number_of(cards: Ints) -> Ints:
    """The place of sets of cards, [set, card] in ascending order, among all sets of as many."""
    size = cards.shape[1]
    choose = np.array([[comb(n, k) for k in range(size + 1)] for n in range(53)], np.int64)
    after = sum(choose[51 - cards[:, place], size - place] for place in range(size))
    return np.asarray(comb(52, size) - 1 - after)


def sets_of(size: int) -> Ints:
    return np.array(list(combinations(range(52), size)), np.int64)


@cache
def five_card_nets() -> Ints:
    """12.C in plain words, for every set of five cards."""
    masks = (np.uint64(1) << sets_of(5).astype(np.uint64)).sum(axis=1).astype(np.uint64)
    values = VALUES[strengths(masks)]
    nets = np.array([_FIVE.get(category, -1) for category in range(10)], np.int64)[values >> 20]
    return np.where((values >> 20 == 1) & (values >> 16 & 15 >= 8), 1, nets)


def _two_card_nets() -> Ints:
    """12.A: a pair, a flush and a straight pay 1 to 1; ace and two are no straight."""
    cards = sets_of(2)
    a, b = cards.T % 13
    wins = (a == b) | (cards[:, 0] // 13 == cards[:, 1] // 13) | (abs(a - b) == 1)
    return np.where(wins, 1, -1)


def _three_card_nets() -> Ints:
    """12.B; ace, two and three are no straight."""
    cards = sets_of(3)
    ranks, suits = np.sort(cards % 13, axis=1), cards // 13
    different = (ranks[:, 0] != ranks[:, 1]) & (ranks[:, 1] != ranks[:, 2])
    straight = different & (ranks[:, 2] - ranks[:, 0] == 2)
    flush = (suits[:, 0] == suits[:, 1]) & (suits[:, 1] == suits[:, 2])
    tests = [
        (straight & flush & (ranks[:, 0] == 10), 50),
        (straight & flush, 20),
        (ranks[:, 0] == ranks[:, 2], 10),
        (straight, 5),
        (flush, 3),
        (~different, 1),
    ]
    return np.select([test for test, _ in tests], [pays for _, pays in tests], -1)


@cache
def stud_table() -> StudTable:
    nets, fives = five_card_nets(), sets_of(5)
    sums = [np.zeros(comb(52, 3)) for _ in range(3)]
    for three in combinations(range(5), 3):
        place = number_of(fives[:, list(three)])
        for number, amounts in enumerate((nets, nets**2, nets > 0)):
            sums[number] += np.bincount(place, amounts, comb(52, 3))
    five, squares, won = (total.astype(np.int64) for total in sums)  # far below 2**53
    return StudTable(_two_card_nets(), _three_card_nets(), five, squares, won)


@dataclass(frozen=True)
class StudFigures:
    value: Fraction
    variance: Fraction
    raises: tuple[Fraction, Fraction]
    all_won: Fraction


def stud_figures() -> StudFigures:
    """The game in which each raise is made where it brings more than nothing."""
    table, (trio, pair) = stud_table(), starts()
    first = np.bincount(pair, table.three[trio], comb(52, 2))[pair] > 0
    second = table.five[trio] > 0
    seen = table.two[pair] + table.three[trio] * (1 + first)
    five = 1 + second
    deals = len(trio) * PAIRS
    mean = Fraction(_sum(seen * PAIRS + five * table.five[trio]), deals)
    squares = seen**2 * PAIRS + 2 * seen * five * table.five[trio] + five**2 * table.squares[trio]
    wins = np.where((table.two[pair] > 0) & (table.three[trio] > 0), table.won[trio], 0)
    return StudFigures(
        mean,
        Fraction(_sum(squares), deals) - mean**2,
        (Fraction(_sum(first), len(trio)), Fraction(_sum(second), len(trio))),
        Fraction(_sum(wins), deals),
    )


def starts() -> tuple[Ints, Ints]:
    """For every first two cards with a third: the number of the three and of the two."""
    trios = sets_of(3)
    pairs = [number_of(trios[:, list(two)]) for two in combinations(range(3), 2)]
    return np.tile(np.arange(len(trios)), 3), np.concatenate(pairs)


def _sum(numbers: Iterable[int]) -> int:
    return sum(map(int, numbers))
