"""Hands in any ranking by the million: one look-up by ranks and four by suit.

The best of n cards is either made by their ranks alone, or it lies in one suit. So a ranking is two
tables: the best value for every multiset of n ranks as if no two cards were of a suit, and the best
value for every set of ranks in one suit. Both are filled from `Ranking.value_of_mask`, each case
from one example hand, so nothing here knows a category. Hands by the longest suit have the second
table only. A hand's value is the highest of what its ranks and its four suits give.

Multisets of ranks a0 <= a1 <= ... are numbered by the sum of C(a_i + i, i + 1). `ValueTables` are
for cards that are held once, `values_by_ranks` for several decks shuffled together too.

The *strength* of a hand is the place of its value among all values that are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS, Card
from croupier.mathematics.kernels.arrays import I16, I64, U16
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.ranking.ranking import Ranking

MOST_CARDS: Final = 7
FULL_DECK: Final = (1 << 13) - 1
"""The bits of all ranks."""
Masks: TypeAlias = NDArray[np.uint64]
"""Sets of cards, a bit for each card."""
Bits: TypeAlias = int | np.int64
"""The ranks of one suit, a bit for each."""

_SUIT: Final = np.uint64(8191)
CHOOSE: Final = np.array(
    [[comb(n, k) for k in range(MOST_CARDS + 1)] for n in range(13 + MOST_CARDS)], np.int64
)


class ValueTables(NamedTuple):
    """What hands of one number of cards are worth in a ranking; -1 where nothing can be."""

    ranks: NDArray[np.int32]  # [multiset of all ranks]
    suit: NDArray[np.int32]  # [13 bits of a suit]
    choose: NDArray[np.int64]


def deck_mask(ranking: Ranking) -> int:
    """The thirteen bits of the ranks in the deck."""
    return sum(1 << RANKS.index(rank) for rank in ranking.ranks)


@cache
def value_tables(ranking: Ranking, cards: int) -> ValueTables:
    """The tables for hands of `cards` cards, at least as many as make a hand of the ranking."""
    assert 0 < cards <= MOST_CARDS, cards
    assert ranking.copies == 1
    size = ranking.size or (cards if ranking.by == "nothing" else 1)
    suit = np.full(1 << 13, -1, np.int32)
    if ranking.by != "nothing":
        deck = deck_mask(ranking)
        for mask in range(1, 1 << 13):
            if mask & ~deck == 0 and size <= mask.bit_count() <= cards:
                suit[mask] = ranking.value_of_mask(mask)
    return ValueTables(values_by_ranks(ranking, cards), suit, CHOOSE)


@cache
def values_by_ranks(ranking: Ranking, cards: int, *, suited: bool = False) -> NDArray[np.int32]:
    """For every multiset of ranks the value as if no two cards were of a suit, or as if all were.

    First of as many cards as make a hand, then of one more at a time: what is best of n + 1 cards
    is best of some n of them. -1 stands where nothing can be."""
    size = ranking.size or cards
    if cards < size or ranking.by == ("nothing" if suited else "longest_suit"):
        return np.full(comb(12 + cards, cards), -1, np.int32)
    deck = [RANKS.index(rank) for rank in ranking.ranks]
    best = np.full(comb(12 + size, size), -1, np.int32)
    for held in combinations_with_replacement(sorted(deck), size):
        if max(held.count(rank) for rank in held) <= ranking.copies * (1 if suited else 4):
            # Equal ranks stand side by side, so suits in turn give no card too often.
            suits = [0 if suited else place % 4 for place in range(size)]
            hand = [Card(13 * suit + rank) for suit, rank in zip(suits, held, strict=True)]
            best[number_of_ranks(np.array([held]))[0]] = ranking.value_of(hand)
    for more in range(size + 1, cards + 1):
        rows = multisets_of_ranks(more)
        fewer = [best[number_of_ranks(np.delete(rows, place, axis=1))] for place in range(more)]
        best = np.max(fewer, axis=0)
    return best


def multisets_of_ranks(size: int) -> NDArray[np.int64]:
    """All of them, each in ascending order, in the order of their numbers."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for more in range(size):
        with_highest = [rows[: comb(rank + more, more)] for rank in range(13)]
        ranks = np.repeat(np.arange(13), [len(fewer) for fewer in with_highest])
        rows = np.column_stack([np.concatenate(with_highest), ranks])
    return rows


def number_of_ranks(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of multisets, each a row of ranks in ascending order."""
    places = np.arange(rows.shape[1])
    return np.asarray(CHOOSE[rows + places, places + 1].sum(axis=1))


@part
def value_of_suits(a: Bits, b: Bits, c: Bits, d: Bits, tables: ValueTables) -> int:
    """The value of the cards whose four suits are these bits, for use inside other kernels."""
    choose, number, place = tables.choose, 0, 0
    for rank in range(13):
        held = (a >> rank & 1) + (b >> rank & 1) + (c >> rank & 1) + (d >> rank & 1)
        for _ in range(held):
            number += choose[rank + place, place + 1]
            place += 1
    value = max(tables.ranks[number], tables.suit[a], tables.suit[b])
    return int(max(value, tables.suit[c], tables.suit[d]))


def values_of(ranking: Ranking, masks: NDArray[np.uint64]) -> NDArray[np.int32]:
    """The value of every hand of an array of masks; all have the same number of cards."""
    out = np.zeros(masks.size, np.int32)
    if masks.size:
        _fill(masks, value_tables(ranking, int(masks[0]).bit_count()), out)
    return out


@kernel
def _fill(masks: NDArray[np.uint64], tables: ValueTables, out: NDArray[np.int32]) -> None:
    for place in range(masks.size):
        out[place] = strength_in(masks[place], tables)


@part
def strength_in(mask: np.uint64, tables: ValueTables) -> int:
    """What the tables have for the cards of a mask, for use inside other kernels."""
    return value_of_suits(
        np.int64(mask & _SUIT),
        np.int64(mask >> np.uint64(13) & _SUIT),
        np.int64(mask >> np.uint64(26) & _SUIT),
        np.int64(mask >> np.uint64(39)),
        tables,
    )


class Strengths(NamedTuple):
    """`values[strength]` is the value in the ranking; `tables[cards]` give strengths in the place
    of values."""

    values: I64
    tables: dict[int, ValueTables]

    def least(self, value: int) -> int:
        """The lowest strength that is worth so much."""
        return int(np.searchsorted(self.values, value))


def strengths_of(ranking: Ranking, counts: Iterable[int]) -> Strengths:
    """For hands of these numbers of cards, compared with each other."""
    tables = {count: value_tables(ranking, count) for count in counts}
    every = np.concatenate([part for t in tables.values() for part in (t.ranks, t.suit)])
    values = np.unique(every[every >= 0]).astype(np.int64)

    def places(part: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.where(part < 0, -1, np.searchsorted(values, part)).astype(np.int32)

    return Strengths(
        values,
        {n: t._replace(ranks=places(t.ranks), suit=places(t.suit)) for n, t in tables.items()},
    )


@kernel
def strengths_of_hands(masks: I16, tables: ValueTables, strengths: U16) -> None:
    """The strength of every hand of an array with four masks each."""
    for number in range(len(masks)):
        hand = masks[number]
        strengths[number] = value_of_suits(
            whole(hand[0]), whole(hand[1]), whole(hand[2]), whole(hand[3]), tables
        )


def strength_of(suits: Sequence[int], tables: ValueTables) -> int:
    """Of the cards whose four suits are these bits."""
    a, b, c, d = suits
    return value_of_suits(a, b, c, d, tables)


# -- sets of cards --------------------------------------------------------------------------------


@cache
def subsets(cards: int, deck: int = FULL_DECK) -> Masks:
    """The masks of all sets of `cards` cards, in the order of `itertools.combinations`; `deck` has
    a bit for each rank in play."""
    inside = [card for card in range(52) if deck >> card % 13 & 1]
    out = np.empty(comb(len(inside), cards), np.uint64)
    if cards <= 2:
        for place, held in enumerate(combinations(inside, cards)):
            out[place] = sum(1 << card for card in held)
    else:
        _fill_subsets(cards, np.uint64(1) << np.array(inside, np.uint64), out)
    out.flags.writeable = False
    return out


@kernel
def _fill_subsets(cards: int, deck: Masks, out: Masks) -> None:
    places = np.arange(cards)
    for number in range(out.size):
        mask = np.uint64(0)
        for place in range(cards):
            mask |= deck[places[place]]
        out[number] = mask
        place = cards - 1
        while place >= 0 and places[place] == deck.size - cards + place:
            place -= 1
        if place < 0:
            return
        places[place] += 1
        for later in range(place + 1, cards):
            places[later] = places[later - 1] + 1
