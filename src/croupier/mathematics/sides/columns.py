"""What paytable lines ask of cards, answered for many hands at once.

`Columns` holds, for each row of a collection of hands, the few facts that a pattern may name. A
`Leaf` is the part of a pattern that looks at one hand; `holds` answers it for every row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, product
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK, RANKS, SUITS
from croupier.errors import Unsolvable
from croupier.mathematics.sides.enumeration import Masks, histogram, subsets
from croupier.ranking.fast import VALUES, strengths
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.ranking.small import (
    THREE_CARD_NAMES,
    TWO_CARD_NAMES,
    three_card_value,
    two_card_value,
)
from croupier.rulebooks.schema import Hand

__all__ = [
    "Columns",
    "Leaf",
    "bits_of",
    "bits_of_hand",
    "columns_of",
    "columns_of_all",
    "distinct",
    "hands_with_ranks",
    "holds",
    "rows_of_all",
    "without_ranks",
]

NAMES: Final = (*CATEGORY_NAMES, "mini_royal", "")
"""Every name a hand can have; the last is for cards that are not ranked."""

_NO_RANKS: Final = -1
_NEVER: Final = -2
_UNSETTLED: Final = 0xFF
_POWERS: Final = tuple(5**rank for rank in range(13))


class Leaf(NamedTuple):
    """Conditions on one named hand, all of which must hold (see `schema.Pattern`)."""

    hand: str
    category: tuple[str, ...] = ()
    made: str = ""
    ranks: tuple[str, ...] = ()
    suited: bool | None = None
    suits: str = ""


class Columns(NamedTuple):
    """One entry for each row: the category (an index into NAMES), the first made rank, the suits of
    all cards and of those that make the hand (bits; 255 where the cards leave a choice), and the
    ranks of the cards as digits in base five (-1: none that a line names)."""

    category: NDArray[np.uint8]
    made: NDArray[np.uint8]
    suits: NDArray[np.uint8]
    best_suits: NDArray[np.uint8]
    ranks: NDArray[np.int64]


def holds(leaf: Leaf, rows: Columns) -> NDArray[np.bool_]:
    """For every row, whether the conditions of the leaf hold."""
    found = np.ones(rows.category.size, np.bool_)
    if leaf.category:
        found &= np.isin(rows.category, [NAMES.index(name) for name in leaf.category])
    if leaf.made:
        found &= np.isin(rows.made, [RANKS.index(rank) for rank in leaf.made])
    if leaf.ranks:
        found &= np.isin(rows.ranks, [_rank_code(ranks) for ranks in leaf.ranks])
    if leaf.suited is not None:
        one_suit = np.isin(rows.suits, [1, 2, 4, 8])
        found &= one_suit == leaf.suited
    if leaf.suits:
        allowed = sum(1 << SUITS.index(suit) for suit in leaf.suits)
        looked_at = rows.best_suits if leaf.category else rows.suits
        if leaf.category and bool(np.any(found & (looked_at == _UNSETTLED))):
            raise Unsolvable(
                f"the suits of {', '.join(leaf.category)} are not settled by more than five cards: "
                "name only flushes and straight flushes by suit"
            )
        found &= (looked_at & (15 - allowed)) == 0
    return found


def bits_of(leaves: Sequence[Leaf], columns: Mapping[str, Columns]) -> NDArray[np.int64]:
    """For every row the leaves that hold, as bits; those on hands that are not given do not."""
    if len(leaves) > 62:
        raise Unsolvable(f"a paytable with {len(leaves)} different conditions is too long: 62 fit")
    bits = np.zeros(next(iter(columns.values())).category.size, np.int64)
    for place, leaf in enumerate(leaves):
        if leaf.hand in columns:
            bits |= holds(leaf, columns[leaf.hand]).astype(np.int64) << place
    return bits


def bits_of_hand(leaves: Sequence[Leaf], name: str, hand: Hand, masks: Masks) -> NDArray[np.int64]:
    """The leaves on the hand of this name that hold, for hands given card by card."""
    looking = [leaf for leaf in leaves if leaf.hand == name]
    if not looking:
        return np.zeros(masks.size, np.int64)
    if hand.ranking == "five_card" and all(
        not leaf.ranks and not leaf.suits and leaf.suited is None for leaf in looking
    ):
        return _bits_by_strength(tuple(leaves), name)[strengths(masks)]
    return bits_of(leaves, {name: columns_of(hand, masks)})


@cache
def _bits_by_strength(leaves: tuple[Leaf, ...], name: str) -> NDArray[np.int64]:
    """Where neither suits nor the cards themselves are asked for, the strength answers."""
    nothing = np.zeros(VALUES.size, np.uint8)
    category, made = (VALUES >> 20).astype(np.uint8), (VALUES >> 16 & 15).astype(np.uint8)
    rows = Columns(category, made, nothing, nothing, np.full(VALUES.size, _NO_RANKS, np.int64))
    return bits_of(leaves, {name: rows})


def distinct(values: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different values in ascending order, and for each entry which of them it is.

    As `np.unique` has it, but without sorting where the values are small.
    """
    top = int(values.max(initial=0))
    if top >= 1 << 20:
        found, where = np.unique(values, return_inverse=True)
        return found, where.astype(np.int64)
    found = np.flatnonzero(np.bincount(values, minlength=1))
    numbers = np.zeros(top + 1, np.int64)
    numbers[found] = np.arange(found.size)
    return found, numbers[values]


def _rank_code(ranks: str) -> int:
    if any(ranks.count(rank) > 4 for rank in ranks):
        return _NEVER  # a deck has four of each
    return sum(_POWERS[RANKS.index(rank)] for rank in ranks)


def columns_of(hand: Hand, masks: Masks) -> Columns:
    """The columns of hands given card by card."""
    by_suit = [(masks >> np.uint64(13 * s) & np.uint64(8191)).astype(np.int64) for s in range(4)]
    suits = np.zeros(masks.size, np.uint8)
    ranks = np.zeros(masks.size, np.int64)
    for suit, bits in enumerate(by_suit):
        suits |= ((bits != 0) << suit).astype(np.uint8)
        ranks += _rank_codes()[bits]
    category, made, best_suits = _ranked(hand, masks, suits, by_suit)
    return Columns(category, made, suits, best_suits, ranks)


@cache
def columns_of_all(ranking: str, ace_low: bool, cards: int) -> Columns:
    """The columns of all sets of so many cards, in the order of `subsets`; small numbers only."""
    hand = Hand(cards=(), ranking=ranking, ace_low=ace_low, clause="")
    return columns_of(hand, subsets(cards))


def _ranked(
    hand: Hand, masks: Masks, suits: NDArray[np.uint8], by_suit: list[NDArray[np.int64]]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Category, made rank and the suits of the cards that make the hand."""
    if hand.ranking == "five_card":
        values = VALUES[strengths(masks)]
        best = suits
        if masks.size and int(masks[0]).bit_count() > 5:
            best = np.full(masks.size, _UNSETTLED, np.uint8)
            for suit, bits in enumerate(by_suit):
                best[_bit_counts()[bits] >= 5] = 1 << suit
        return (values >> 20).astype(np.uint8), (values >> 16 & 15).astype(np.uint8), best
    if hand.ranking == "cards":
        nothing = np.zeros(masks.size, np.uint8)
        return np.full(masks.size, NAMES.index(""), np.uint8), nothing, suits
    table = _small_values(hand.ranking, hand.ace_low)
    known = np.fromiter(table, np.uint64, len(table))
    order = np.argsort(known)
    found = order[np.searchsorted(known[order], masks)]
    names = TWO_CARD_NAMES if hand.ranking == "two_card" else THREE_CARD_NAMES
    codes = np.array([NAMES.index(name) for name in names], np.uint8)
    values = np.fromiter(table.values(), np.int64, len(table))[found]
    return codes[values >> 20], (values >> 16 & 15).astype(np.uint8), suits


@cache
def _small_values(ranking: str, ace_low: bool) -> dict[int, int]:
    """The value of every hand of two or three cards, by its mask."""
    held, value_of = (2, two_card_value) if ranking == "two_card" else (3, three_card_value)
    return {
        sum(1 << card for card in cards): value_of(cards, ace_low=ace_low)
        for cards in combinations(DECK, held)
    }


@cache
def _rank_codes() -> NDArray[np.int64]:
    """For the thirteen bits of a suit, the sum of the powers of five of its ranks."""
    return np.array(
        [sum(_POWERS[rank] for rank in range(13) if bits >> rank & 1) for bits in range(8192)],
        np.int64,
    )


@cache
def _bit_counts() -> NDArray[np.int64]:
    return np.array([bits.bit_count() for bits in range(8192)], np.int64)


def rows_of_all(hand: Hand, cards: int) -> tuple[Columns, NDArray[np.int64]]:
    """All hands of five to seven cards as rows and how many hands each stands for.

    Their ranks are left open: lines that name ranks have their hands dealt one by one.
    """
    rows = histogram(cards)
    values = VALUES[rows.strength]
    category, made = (values >> 20).astype(np.uint8), (values >> 16 & 15).astype(np.uint8)
    suits = rows.suits.astype(np.uint8)
    best = np.where(rows.flush_suit >= 0, 1 << np.maximum(rows.flush_suit, 0), _UNSETTLED)
    if cards == 5:
        best = rows.suits
    if hand.ranking == "cards":
        category, made = np.full_like(category, NAMES.index("")), np.zeros_like(made)
    ranks = np.full(category.size, _NO_RANKS, np.int64)
    return Columns(category, made, suits, best.astype(np.uint8), ranks), rows.deals


def hands_with_ranks(ranks: set[tuple[int, ...]]) -> Masks:
    """The masks of all hands with one of these (sorted) collections of ranks."""
    masks: list[int] = []
    for wanted in sorted(ranks):
        counts = {rank: wanted.count(rank) for rank in wanted}
        choices = [
            [sum(1 << suit * 13 + rank for suit in suits) for suits in combinations(range(4), n)]
            for rank, n in counts.items()
        ]
        assert prod(map(len, choices)) <= 4 ** len(wanted)
        masks += [sum(parts) for parts in product(*choices)]
    return np.array(masks, np.uint64)


def without_ranks(rows: Columns) -> Columns:
    """The same rows as `rows_of_all` has them: no ranks told."""
    return rows._replace(ranks=np.full(rows.ranks.size, _NO_RANKS, np.int64))
