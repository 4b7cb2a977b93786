"""Values of millions of hands in any ranking: one look-up by ranks and four by suit.

The best hand of n cards is made either by their ranks alone or by the cards of one suit. So a
ranking is two tables: the best value for every multiset of n ranks as if no two cards shared a
suit, and the best value for every set of ranks in one suit. Both are filled from
`Ranking.value_of_mask`, each case from one example hand, so nothing here knows a category. Hands by
the longest suit have the second table only. A hand's value is the maximum over its ranks and its
four suits.

Multisets of ranks a0 <= a1 <= ... are numbered by the sum of C(a_i + i, i + 1). `ValueTables` are
for decks that hold every card once, `values_by_ranks` also for several decks shuffled together.

The *strength* of a hand is the position of its value among all values that are compared.
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
    """The values of hands of a fixed number of cards in a ranking; -1 for impossible entries."""

    ranks: NDArray[np.int32]  # [multiset of all ranks]
    suit: NDArray[np.int32]  # [13 bits of a suit]
    choose: NDArray[np.int64]


def deck_mask(ranking: Ranking) -> int:
    """Return the thirteen bits of the ranks in the deck."""
    return sum(1 << RANKS.index(rank) for rank in ranking.ranks)


@cache
def value_tables(ranking: Ranking, cards: int) -> ValueTables:
    """Return the tables for hands of `cards` cards, which must be enough to make a hand of the
    ranking."""
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
    """Return for every multiset of ranks the value as if no two cards shared a suit, or as if all
    did.

    Begins with as many cards as make a hand, then adds one at a time: the best of n + 1 cards is
    the best of some n of them. -1 stands for impossible multisets.
    """
    size = ranking.size or cards
    if cards < size or ranking.by == ("nothing" if suited else "longest_suit"):
        return np.full(comb(12 + cards, cards), -1, np.int32)
    deck = [RANKS.index(rank) for rank in ranking.ranks]
    best = np.full(comb(12 + size, size), -1, np.int32)
    for held in combinations_with_replacement(sorted(deck), size):
        if max(held.count(rank) for rank in held) <= ranking.copies * (1 if suited else 4):
            # Equal ranks are adjacent, so taking the suits in turn repeats no card.
            suits = [0 if suited else place % 4 for place in range(size)]
            hand = [Card(13 * suit + rank) for suit, rank in zip(suits, held, strict=True)]
            best[number_of_ranks(np.array([held]))[0]] = ranking.value_of(hand)
    for more in range(size + 1, cards + 1):
        rows = multisets_of_ranks(more)
        fewer = [best[number_of_ranks(np.delete(rows, place, axis=1))] for place in range(more)]
        best = np.max(fewer, axis=0)
    return best


def multisets_of_ranks(size: int) -> NDArray[np.int64]:
    """Return all multisets of this size, each in ascending order, in the order of their numbers."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for more in range(size):
        with_highest = [rows[: comb(rank + more, more)] for rank in range(13)]
        ranks = np.repeat(np.arange(13), [len(fewer) for fewer in with_highest])
        rows = np.column_stack([np.concatenate(with_highest), ranks])
    return rows


def number_of_ranks(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of multisets, each a row of ranks in ascending order."""
    places = np.arange(rows.shape[1])
    return np.asarray(CHOOSE[rows + places, places + 1].sum(axis=1))


@part
def value_of_suits(a: Bits, b: Bits, c: Bits, d: Bits, tables: ValueTables) -> int:
    """Return the value of the cards whose four suits are these bits, for use inside other
    kernels."""
    choose, number, place = tables.choose, 0, 0
    for rank in range(13):
        held = (a >> rank & 1) + (b >> rank & 1) + (c >> rank & 1) + (d >> rank & 1)
        for _ in range(held):
            number += choose[rank + place, place + 1]
            place += 1
    value = max(tables.ranks[number], tables.suit[a], tables.suit[b])
    return int(max(value, tables.suit[c], tables.suit[d]))


def values_of(ranking: Ranking, masks: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Return the value of every hand in an array of masks; all have the same number of cards."""
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
    """Return what the tables have for the cards of a mask, for use inside other kernels."""
    return value_of_suits(
        np.int64(mask & _SUIT),
        np.int64(mask >> np.uint64(13) & _SUIT),
        np.int64(mask >> np.uint64(26) & _SUIT),
        np.int64(mask >> np.uint64(39)),
        tables,
    )


class Strengths(NamedTuple):
    """The strengths of a ranking: `values[strength]` is the value; `tables[cards]` hold strengths
    in place of values."""

    values: I64
    tables: dict[int, ValueTables]

    def least(self, value: int) -> int:
        """Return the lowest strength with at least this value."""
        return int(np.searchsorted(self.values, value))


def strengths_of(ranking: Ranking, counts: Iterable[int]) -> Strengths:
    """Return the strengths of hands of these numbers of cards, compared with each other."""
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
    """Fill in the strength of every hand of an array with four masks each."""
    for number in range(len(masks)):
        hand = masks[number]
        strengths[number] = value_of_suits(
            whole(hand[0]), whole(hand[1]), whole(hand[2]), whole(hand[3]), tables
        )


def strength_of(suits: Sequence[int], tables: ValueTables) -> int:
    """Return the strength of the cards whose four suits are these bits."""
    a, b, c, d = suits
    return value_of_suits(a, b, c, d, tables)


# -- sets of cards --------------------------------------------------------------------------------


@cache
def subsets(cards: int, deck: int = FULL_DECK) -> Masks:
    """Return the masks of all sets of `cards` cards, in the order of `itertools.combinations`;
    `deck` has a bit for each rank in play."""
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
