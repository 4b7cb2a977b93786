"""All hands of a deck counted in any ranking, without going through them one by one.

Suits are alike: hands that go over into each other when suits are exchanged are worth the same, so
only those with their four suits in descending order are looked at, with the number that each stands
for (some six million for 133,784,560 hands of seven cards). What lines can ask of so many cards is
then settled by the category, the first made rank and how many suits there are; which suits they
are falls to each set of so many alike.

By the longest suit not even that is needed. A hand stays at or below a value if each of its suits
does: with p(k) the ways to take k cards of one suit and stay there, p(0) = 1, the hands with cards
of exactly m given suits number the coefficient at n of (p(1)x + p(2)x^2 + ...)^m.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.mathematics.hand_values import ValueTables, deck_mask, value_of_suits, value_tables
from croupier.mathematics.kernels.decorators import kernel, part
from croupier.ranking.ranking import Ranking

__all__ = ["RankedRows", "ranked_rows"]


class RankedRows(NamedTuple):
    """Rows of hands: the category's place in the ranking, the first made rank, the suits among the
    cards (a bit for each), and how many hands there are of the kind."""

    category: NDArray[np.int64]
    made: NDArray[np.int64]
    suits: NDArray[np.int64]
    hands: NDArray[np.int64]


@cache
def ranked_rows(ranking: Ranking, cards: int) -> RankedRows:
    """All hands of so many cards of the ranking's deck."""
    if ranking.by == "longest_suit":
        counts = _by_longest_suit(ranking, cards)
    else:
        counts = _by_classes(ranking, cards)
    assert int(counts.sum()) == comb(4 * len(ranking.ranks), cards)
    found: list[tuple[int, int, int, int]] = []
    for top, present in np.argwhere(counts).tolist():
        each, left = divmod(int(counts[top, present]), comb(4, present))
        assert left == 0
        for suits in combinations((1, 2, 4, 8), present):
            found.append((top >> 4, top & 15, sum(suits), each))
    return RankedRows(*np.array(found, np.int64).T)


def _by_classes(ranking: Ranking, cards: int) -> NDArray[np.int64]:
    """[category << 4 | made rank, suits present]: hands, counted class by class."""
    deck = deck_mask(ranking)
    inside = sorted((m for m in range(1 << 13) if not m & ~deck), key=lambda m: (m.bit_count(), m))
    starts = np.searchsorted([mask.bit_count() for mask in inside], np.arange(15))
    counts = np.zeros((len(ranking.names) << 4, 5), np.int64)
    _count_classes(cards, np.array(inside), starts, value_tables(ranking, cards), counts)
    return counts


@kernel
def _count_classes(
    cards: int,
    masks: NDArray[np.int64],
    starts: NDArray[np.int64],
    tables: ValueTables,
    out: NDArray[np.int64],
) -> None:
    """Suits a >= b >= c >= d that hold so many cards together; `masks` of k cards, in ascending
    order, stand from starts[k] to starts[k + 1]."""
    for first in range(starts[min(cards, 13) + 1]):
        a = masks[first]
        left_a = cards - _count(a)
        for count_b in range(min(left_a, 13) + 1):
            for second in range(starts[count_b], starts[count_b + 1]):
                b = masks[second]
                if b > a:
                    break
                left_b = left_a - count_b
                for count_c in range(min(left_b, 13) + 1):
                    count_d = left_b - count_c
                    if count_d > 13:
                        continue
                    for third in range(starts[count_c], starts[count_c + 1]):
                        c = masks[third]
                        if c > b:
                            break
                        for fourth in range(starts[count_d], starts[count_d + 1]):
                            d = masks[fourth]
                            if d > c:
                                break
                            value = value_of_suits(a, b, c, d, tables)
                            present = (a > 0) + (b > 0) + (c > 0) + (d > 0)
                            out[value >> 16, present] += _arrangements(a, b, c, d)


@part
def _count(mask: int) -> int:
    held = 0
    while mask:
        mask &= mask - 1
        held += 1
    return held


@part
def _arrangements(a: int, b: int, c: int, d: int) -> int:
    """The different orders of four suits, alike ones next to each other: 24 over the repeats."""
    size, run = 24, 1
    run = run + 1 if a == b else 1
    size //= run
    run = run + 1 if b == c else 1
    size //= run
    run = run + 1 if c == d else 1
    return size // run


def _by_longest_suit(ranking: Ranking, cards: int) -> NDArray[np.int64]:
    """[length - 1 << 4 | top rank, suits present]: hands, by the coefficients."""
    number = len(ranking.ranks)
    counts = np.zeros((len(ranking.names) << 4, 5), np.int64)
    before = [0] * 5
    for length in range(1, min(number, cards) + 1):
        for place, rank in enumerate(ranking.ranks):
            shorter = [comb(number, k) for k in range(1, length)]
            one_suit = [0, *shorter, comb(place + 1, length)]
            upto = [
                comb(4, present) * _coefficient(one_suit, present, cards) for present in range(5)
            ]
            top = length - 1 << 4 | RANKS.index(rank)
            counts[top] = np.array(upto) - before
            before = upto
    return counts


def _coefficient(one_suit: list[int], suits: int, cards: int) -> int:
    """The coefficient at `cards` of the polynomial's power."""
    product = [1] + [0] * cards
    for _ in range(suits):
        product = [
            sum(product[n - k] * ways for k, ways in enumerate(one_suit) if k <= n)
            for n in range(cards + 1)
        ]
    return product[cards]
