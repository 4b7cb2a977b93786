"""Numbers for hands and boards by their ranks, and the strengths of seven cards.

On a board with a possible flush in suit f, cards are of 26 kinds: the ranks in f (0-12) and outside
it (`x`, 13-25). A hand's class is its two kinds; elsewhere hands are pairs of ranks.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.hand_values import multisets_of_ranks, number_of_ranks, strengths_of
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64, U8
from croupier.mathematics.kernels.decorators import part, whole
from croupier.ranking.lookup_tables import VALUES, five_card_strengths
from croupier.ranking.ranking import Ranking

STRENGTHS: Final = len(VALUES)
_CHOOSE: Final = np.array([[comb(n, k) for k in range(9)] for n in range(24)], dtype=np.int32)


class StrengthTables(NamedTuple):
    """The strength tables that kernels read."""

    choose: I32  # choose[n, k]: the binomials that number multisets (`hand_values`)
    no_flush: I16  # strength of a multiset of seven ranks; five of a rank are left at 0
    flush: I16  # strength of a mask of five to seven ranks, all of one suit


@lru_cache(maxsize=1)
def strength_tables() -> StrengthTables:
    """Return the tables of the usual ranking, several times as fast as `deck_strengths` builds
    them."""
    return StrengthTables(_CHOOSE, _no_flush(), _flush())


def _no_flush() -> I16:
    """Return the strengths without flushes; the best of n + 1 ranks is the best of some n
    of them."""
    rows = np.array(list(combinations_with_replacement(range(13), 5)), dtype=np.int64)
    best = np.zeros(len(rows), dtype=np.int16)
    best[number_of_ranks(rows[rows[:, 0] != rows[:, 4]])] = five_card_strengths()[0]
    for size in (6, 7):
        rows = multisets_of_ranks(size)
        rows = rows[(rows[:, 4:] != rows[:, :-4]).all(axis=1)]  # no rank five times
        fewer = [best[number_of_ranks(np.delete(rows, place, axis=1))] for place in range(size)]
        best = np.zeros(comb(12 + size, size), dtype=np.int16)
        best[number_of_ranks(rows)] = np.max(fewer, axis=0)
    return best


def _flush() -> I16:
    """Return the strengths of five ranks of one suit, and of six and seven, the best with
    one less."""
    best = np.zeros(1 << 13, dtype=np.int16)
    fives = np.array(list(combinations(range(13), 5)), dtype=np.int64)
    best[(1 << fives).sum(axis=1)] = five_card_strengths()[1]
    masks = np.arange(1 << 13)
    for size in (6, 7):
        more = masks[np.bitwise_count(masks) == size]
        for rank in range(13):
            held = more[more >> rank & 1 == 1]
            best[held] = np.maximum(best[held], best[held ^ 1 << rank])
    return best


class DeckStrengths(NamedTuple):
    values: I64  # in ascending order
    tables: StrengthTables

    def of(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        return np.searchsorted(self.values, values)


@cache
def deck_strengths(ranking: Ranking | None) -> DeckStrengths:
    """Return the strengths of seven cards in a ranking; None is the usual one."""
    if ranking is None:
        return DeckStrengths(VALUES.astype(np.int64), strength_tables())
    strengths = strengths_of(ranking, {7})
    no_flush, flush = (np.maximum(table, 0).astype(np.int16) for table in strengths.tables[7][:2])
    return DeckStrengths(strengths.values, StrengthTables(_CHOOSE, no_flush, flush))


PAIRS: Final = 91
CLASSES: Final = 338
RANK_FLOPS: Final = 455
RANK_BOARDS: Final = 6188  # five of a rank are numbered too, and never used
MIXED: Final = 78  # the first class of one f and one x card
PLAIN: Final = 247  # the first class of two x cards
TWO_F: Final = 1183  # the first view with two f cards
THREE_F: Final = 2197
VIEWS: Final = 2483
RANK_TURNS: Final = 1820
TURN_THREE_F: Final = 7098  # the first view of four cards with three f cards
TURN_FOUR_F: Final = 10816
TURN_VIEWS: Final = 11531


@part
def pair_number(a: int, b: int) -> int:
    """Return the number of two ranks, equal or not, in any order: 0 to 90."""
    high, low = max(a, b), min(a, b)
    return high * (high + 1) // 2 + low


@part
def suited_class(a: int, b: int) -> int:
    """Return the class of two kinds of card (0-12 are f, 13-25 are x); two f cards must differ."""
    high, low = max(a, b), min(a, b)
    number = PLAIN + pair_number(high - 13, low - 13)
    if high < 13:
        number = high * (high - 1) // 2 + low
    elif low < 13:
        number = MIXED + 13 * low + high - 13
    return number


@part
def two_number(a: int, b: int) -> int:
    return max(a, b) * (max(a, b) - 1) // 2 + min(a, b)


@part
def three_number(a: int, b: int, c: int) -> int:
    """Return the number of three ranks in ascending order."""
    return c * (c - 1) * (c - 2) // 6 + b * (b - 1) // 2 + a


@part
def four_number(f: I8, without: int) -> int:
    """Return the number of four ascending ranks: those of `f` (at most five) but one."""
    number = 0
    place = 1
    for i in range(5 if without < 4 else 4):
        if i != without:
            ways = 1
            for step in range(place):
                ways = ways * (whole(f[i]) - step) // (step + 1)
            number += ways
            place += 1
    return number


class Numbering(NamedTuple):
    first: U8  # of a class: its two kinds of card
    second: U8
    pair: U8  # of a class: its two ranks
    held: I32  # held[rank, class]: how many x cards of that rank the class has
    high: U8  # of a pair
    low: U8
    board_ranks: I8  # of a multiset of five ranks, ascending
    flop_ranks: I8  # of a multiset of three
    turn_ranks: I8  # of a multiset of four


@lru_cache(maxsize=1)
def numbering() -> Numbering:
    first = np.zeros(CLASSES, dtype=np.uint8)
    second = np.zeros(CLASSES, dtype=np.uint8)
    for a in range(26):
        for b in range(a + 1):
            if a != b or a >= 13:
                number = suited_class(a, b)
                first[number], second[number] = a, b
    ranks = np.arange(13)[:, None]
    held = ((first == ranks + 13).astype(np.int32) + (second == ranks + 13)).astype(np.int32)
    pairs = [(high, low) for high in range(13) for low in range(high + 1)]
    high, low = np.array(pairs, dtype=np.uint8).T
    pair = np.array(
        [pair_number(a % 13, b % 13) for a, b in zip(first.tolist(), second.tolist(), strict=True)],
        dtype=np.uint8,
    )
    return Numbering(
        first,
        second,
        pair,
        held,
        np.ascontiguousarray(high),
        np.ascontiguousarray(low),
        *(multisets_of_ranks(size).astype(np.int8) for size in (5, 3, 4)),
    )


@part
def sorted_number(ranks: I8, choose: I32) -> int:
    """Sort ranks in place and return the number of their multiset."""
    number = 0
    for i in range(len(ranks)):
        rank = ranks[i]
        j = i
        while j > 0 and ranks[j - 1] > rank:
            ranks[j] = ranks[j - 1]
            j -= 1
        ranks[j] = rank
    for i in range(len(ranks)):
        number += choose[ranks[i] + i, i + 1]
    return number


@lru_cache(maxsize=1)
def suit_classes() -> I16:
    """Return classes[suit, hand]: the class, seen from a suit, of hand number C(high, 2) + low."""
    kinds = [[c % 13 + (0 if c // 13 == suit else 13) for c in range(52)] for suit in range(4)]
    return np.array(
        [
            [suited_class(k[high], k[low]) for high in range(52) for low in range(high)]
            for k in kinds
        ],
        dtype=np.int16,
    )


SUITED_BOARDS: Final = 36_608


@part
def suited_board_number(f: I8, count: int, p: int, q: int) -> int:
    """Return the number of a board by suit: 286 * 91 with three f cards, 715 * 13 with four, 1,287
    with five."""
    if count == 3:
        return 91 * three_number(whole(f[0]), whole(f[1]), whole(f[2])) + pair_number(p, q)
    if count == 4:
        return 26026 + 13 * four_number(f, 4) + p
    n = whole(f[4])
    return 35321 + four_number(f, 4) + n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120


@part
def ranks_of(suited: int, f: I8) -> int:
    """Write the ranks of a mask into `f`, ascending, and return how many there are."""
    count = 0
    for rank in range(13):
        if suited >> rank & 1:
            f[count] = rank
            count += 1
    return count


@part
def others_of(x: int, count: int, layout: Numbering) -> tuple[int, int]:
    """Return the ranks of the board's x cards: case x of 91, 13 or 1; 0 for cards that are not
    there."""
    if count == 3:
        return whole(layout.high[x]), whole(layout.low[x])
    return x, 0


@part
def board_of(f: I8, count: int, p: int, q: int, five: I8, tables: StrengthTables) -> int:
    """Return the number, by rank, of a board with these f and x ranks."""
    for i in range(count):
        five[i] = f[i]
    if count < 5:
        five[4] = p
    if count < 4:
        five[3] = q
    return sorted_number(five, tables.choose)


@part
def suited_counts(suited: int, count: int, p: int, q: int, deck: int, cards: I32) -> bool:
    """Count the cards of each kind that a board with these f ranks (and x ranks p, q) leaves;
    return False if the deck cannot deal the board."""
    for rank in range(13):
        present = deck >> rank & 1
        cards[rank] = present - (suited >> rank & 1)
        cards[13 + rank] = 3 * present
    if count < 5:
        cards[13 + p] -= 1
    if count < 4:
        cards[13 + q] -= 1
    possible = True
    for number in range(26):
        possible = possible and cards[number] >= 0
    return possible
