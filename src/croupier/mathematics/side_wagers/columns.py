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

from croupier.cards import RANKS, SUITS
from croupier.errors import Unsolvable
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.hand_values import deck_mask, values_of
from croupier.mathematics.side_wagers.by_ranking import RankedRows, ranked_rows
from croupier.mathematics.side_wagers.enumeration import FULL_DECK, Masks, histogram, subsets
from croupier.ranking.built_in import BUILT_IN, EVERY_NAME, built_in
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.categories import CATEGORIES
from croupier.ranking.fast import VALUES, strengths
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.schema import Hand

__all__ = [
    "Columns",
    "bits_of",
    "bits_of_hand",
    "columns_by",
    "columns_of",
    "columns_of_all",
    "distinct",
    "hands_with_ranks",
    "holds",
    "ranking_at",
    "rows_of_all",
    "without_ranks",
]

NAMES: Final = (*EVERY_NAME, "")
"""Every name a hand can have; the last is for cards that are not ranked."""

_NO_RANKS: Final = -1
_NEVER: Final = -2
_UNSETTLED: Final = 0xFF
_POWERS: Final = tuple(5**rank for rank in range(13))


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


def bits_of_hand(
    leaves: Sequence[Leaf], name: str, ranking: Ranking, masks: Masks
) -> NDArray[np.int64]:
    """The leaves on the hand of this name that hold, for hands given card by card."""
    looking = [leaf for leaf in leaves if leaf.hand == name]
    if not looking:
        return np.zeros(masks.size, np.int64)
    if _is_usual(ranking) and all(
        not leaf.ranks and not leaf.suits and leaf.suited is None for leaf in looking
    ):
        return _bits_by_strength(tuple(leaves), name)[strengths(masks)]
    return bits_of(leaves, {name: columns_by(ranking, masks)})


def _is_usual(ranking: Ranking) -> bool:
    """Five cards of a full deck, which have an evaluator of their own."""
    return isinstance(ranking, ByCategories) and ranking.is_usual


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


def ranking_at(hand: Hand) -> Ranking:
    """The ranking of a hand in a game with a full deck that knows the built-in rankings only."""
    if hand.ranking not in BUILT_IN:
        raise Unsolvable(
            f"a hand is ranked as {hand.ranking!r}, the rulebook's own ranking; what is solved "
            f"here is ranked as {', '.join(BUILT_IN)}"
        )
    return built_in(hand.ranking, ace_low=hand.ace_low)


def columns_of(hand: Hand, masks: Masks) -> Columns:
    """The columns of hands given card by card, in such a game."""
    return columns_by(ranking_at(hand), masks)


def columns_by(ranking: Ranking, masks: Masks) -> Columns:
    """The columns of hands given card by card, all of the same number of cards."""
    by_suit = [(masks >> np.uint64(13 * s) & np.uint64(8191)).astype(np.int64) for s in range(4)]
    suits = np.zeros(masks.size, np.uint8)
    ranks = np.zeros(masks.size, np.int64)
    for suit, bits in enumerate(by_suit):
        suits |= ((bits != 0) << suit).astype(np.uint8)
        ranks += _rank_codes()[bits]
    values = VALUES[strengths(masks)] if _is_usual(ranking) else values_of(ranking, masks)
    best = suits
    if masks.size and int(masks[0]).bit_count() > ranking.size > 0:
        best = np.full(masks.size, _UNSETTLED, np.uint8)
        for suit, bits in enumerate(by_suit):
            best[_bit_counts()[bits] >= ranking.size] = 1 << suit
    return Columns(_codes(ranking)[values >> 20], _made(values), suits, best, ranks)


def _made(values: NDArray[np.integer]) -> NDArray[np.uint8]:
    return (values >> 16 & 15).astype(np.uint8)


def _codes(ranking: Ranking) -> NDArray[np.uint8]:
    """By place in the ranking: where the category stands among NAMES."""
    return np.array([NAMES.index(name) for name in ranking.names], np.uint8)


@cache
def columns_of_all(ranking: Ranking, cards: int) -> Columns:
    """The columns of all sets of so many cards, in the order of `subsets`; small numbers only."""
    return columns_by(ranking, subsets(cards, deck_mask(ranking)))


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


def rows_of_all(ranking: Ranking, cards: int) -> tuple[Columns, NDArray[np.int64]]:
    """All hands of five to seven cards as rows and how many hands each stands for.

    Their ranks are left open: lines that name ranks have their hands dealt one by one.
    """
    if _is_usual(ranking) or (ranking.by == "nothing" and deck_mask(ranking) == FULL_DECK):
        return _rows_by_strength(ranking, cards)
    rows, best = _with_best_suits(ranking, ranked_rows(ranking, cards), cards)
    ranks = np.full(rows.hands.size, _NO_RANKS, np.int64)
    category, suits = _codes(ranking)[rows.category], rows.suits.astype(np.uint8)
    return Columns(category, rows.made.astype(np.uint8), suits, best, ranks), rows.hands


def _with_best_suits(
    ranking: Ranking, rows: RankedRows, cards: int
) -> tuple[RankedRows, NDArray[np.uint8]]:
    """The rows with the suits of the cards that make the hand: those of all cards where all make
    it, the suit of a flush where only one can be long enough; it is each suit alike."""
    if not cards > ranking.size > 0:
        return rows, rows.suits.astype(np.uint8)
    told: list[tuple[int, ...]] = []
    best: list[int] = []
    one_suit = [2 * ranking.size > cards and CATEGORIES[name].suited for name in ranking.names]
    for category, made, suits, hands in zip(*(part.tolist() for part in rows), strict=True):
        there = [1 << suit for suit in range(4) if suits >> suit & 1]
        for suit in there if one_suit[category] else [_UNSETTLED]:
            share = len(there) if one_suit[category] else 1
            assert hands % share == 0
            told.append((category, made, suits, hands // share))
            best.append(suit)
    return RankedRows(*np.array(told, np.int64).T), np.array(best, np.uint8)


def _rows_by_strength(ranking: Ranking, cards: int) -> tuple[Columns, NDArray[np.int64]]:
    rows = histogram(cards)
    values = VALUES[rows.strength]
    category, made = (values >> 20).astype(np.uint8), _made(values)
    suits = rows.suits.astype(np.uint8)
    best = np.where(rows.flush_suit >= 0, 1 << np.maximum(rows.flush_suit, 0), _UNSETTLED)
    if cards == 5:
        best = rows.suits
    if ranking.by == "nothing":
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
