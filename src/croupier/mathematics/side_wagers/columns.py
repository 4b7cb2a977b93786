"""Hands as rows of numbers, a column for each property that a paytable line may name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS, SUITS
from croupier.errors import Unsolvable
from croupier.mathematics.game.paytable_lines import Leaf
from croupier.mathematics.hand_values import (
    MOST_CARDS,
    Masks,
    deck_mask,
    subsets,
    values_of,
)
from croupier.ranking.built_in import BUILT_IN, EVERY_NAME, built_in
from croupier.ranking.by_categories import ByCategories
from croupier.ranking.lookup_tables import VALUES
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.schema import Hand

NAMES: Final = (*EVERY_NAME, "")
"""Every name of a hand; the last is for unranked cards."""

ANY_SUITS: Final = 0xFF
NO_RANKS: Final = -1
_NEVER: Final = -2
_BITS: Final = 3
"""The bits for each rank in a code of ranks: a hand has seven cards at most."""


class Columns(NamedTuple):
    """One entry per row: the category (an index into NAMES), the first made rank, the suits of all
    cards and of those that make the hand (bits; 255 if the cards leave a choice), and the code of
    the cards' ranks (-1: not requested)."""

    category: NDArray[np.uint8]
    made: NDArray[np.uint8]
    suits: NDArray[np.uint8]
    best_suits: NDArray[np.uint8]
    ranks: NDArray[np.int64]


def holds(leaf: Leaf, rows: Columns) -> NDArray[np.bool_]:
    """Return for every row whether the conditions of the leaf hold."""
    true = np.ones(rows.category.size, np.bool_)
    if leaf.category:
        true &= np.isin(rows.category, [NAMES.index(name) for name in leaf.category])
    if leaf.made:
        true &= np.isin(rows.made, [RANKS.index(rank) for rank in leaf.made])
    if leaf.ranks:
        true &= np.isin(rows.ranks, [_wanted(ranks) for ranks in leaf.ranks])
    if leaf.suited is not None:
        one_suit = np.isin(rows.suits, [1, 2, 4, 8])
        true &= one_suit == leaf.suited
    if leaf.suits:
        allowed = sum(1 << SUITS.index(suit) for suit in leaf.suits)
        looked_at = rows.best_suits if leaf.category else rows.suits
        if leaf.category and bool(np.any(true & (looked_at == ANY_SUITS))):
            raise Unsolvable(
                f"the suits of {', '.join(leaf.category)} are not settled by more than five cards: "
                "name only flushes and straight flushes by suit"
            )
        true &= (looked_at & (15 - allowed)) == 0
    return true


def bits_of(leaves: Sequence[Leaf], columns: Mapping[str, Columns]) -> NDArray[np.int64]:
    """Return for every row the leaves that hold, as bits; leaves on hands without columns do not
    hold."""
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
    """Return the leaves on the hand of this name that hold, for hands given card by card."""
    looking = [leaf for leaf in leaves if leaf.hand == name]
    if not looking:
        return np.zeros(masks.size, np.int64)
    if is_usual(ranking) and all(
        not leaf.ranks and not leaf.suits and leaf.suited is None for leaf in looking
    ):
        return _bits_by_strength(tuple(leaves), name)[_strengths(masks)]
    return bits_of(leaves, {name: columns_by(ranking, masks)})


def is_usual(ranking: Ranking) -> bool:
    """Return whether the ranking is that of five cards from a full deck, which has an evaluator of
    its own."""
    return isinstance(ranking, ByCategories) and ranking.is_usual


@cache
def _bits_by_strength(leaves: tuple[Leaf, ...], name: str) -> NDArray[np.int64]:
    """Return the bits by strength, for leaves that name neither suits nor single cards."""
    nothing = np.zeros(VALUES.size, np.uint8)
    category, made = (VALUES >> 20).astype(np.uint8), (VALUES >> 16 & 15).astype(np.uint8)
    rows = Columns(category, made, nothing, nothing, np.full(VALUES.size, NO_RANKS, np.int64))
    return bits_of(leaves, {name: rows})


def rank_code(ranks: Sequence[int]) -> int:
    """Return a number for a collection of ranks, in any order."""
    return sum(1 << _BITS * rank for rank in ranks)


def _wanted(ranks: str) -> int:
    """Return the code of ranks that a line names, or of none if there are too many to be held."""
    held = [RANKS.index(rank) for rank in ranks]
    return rank_code(held) if len(held) <= MOST_CARDS else _NEVER


def ranking_at(hand: Hand) -> Ranking:
    """Return the ranking of a hand in a game with a full deck and only built-in rankings."""
    if hand.ranking not in BUILT_IN:
        raise Unsolvable(
            f"a hand is ranked as {hand.ranking!r}, the rulebook's own ranking; what is solved "
            f"here is ranked as {', '.join(BUILT_IN)}"
        )
    return built_in(hand.ranking, ace_low=hand.ace_low)


def columns_of(hand: Hand, masks: Masks) -> Columns:
    """Return the columns of hands given card by card, in such a game."""
    return columns_by(ranking_at(hand), masks)


def columns_by(ranking: Ranking, masks: Masks) -> Columns:
    """Return the columns of hands given card by card, all of the same number of cards."""
    by_suit = [(masks >> np.uint64(13 * s) & np.uint64(8191)).astype(np.int64) for s in range(4)]
    suits = np.zeros(masks.size, np.uint8)
    ranks = np.zeros(masks.size, np.int64)
    for suit, bits in enumerate(by_suit):
        suits |= ((bits != 0) << suit).astype(np.uint8)
        ranks += _rank_codes()[bits]
    values = VALUES[_strengths(masks)] if is_usual(ranking) else values_of(ranking, masks)
    best = suits
    if masks.size and int(masks[0]).bit_count() > ranking.size > 0:
        best = np.full(masks.size, ANY_SUITS, np.uint8)
        for suit, bits in enumerate(by_suit):
            best[np.bitwise_count(bits) >= ranking.size] = 1 << suit
    made = (values >> 16 & 15).astype(np.uint8)
    return Columns(codes_of(ranking)[values >> 20], made, suits, best, ranks)


def codes_of(ranking: Ranking) -> NDArray[np.uint8]:
    """Return by category of the ranking its index in NAMES."""
    return np.array([NAMES.index(name) for name in ranking.names], np.uint8)


@cache
def columns_of_all(ranking: Ranking, cards: int) -> Columns:
    """Return the columns of all sets of `cards` cards, in the order of `subsets`; small numbers
    only."""
    return columns_by(ranking, subsets(cards, deck_mask(ranking)))


@cache
def _rank_codes() -> NDArray[np.int64]:
    """Return the code of ranks for the thirteen bits of a suit."""
    return np.array(
        [rank_code([rank for rank in range(13) if bits >> rank & 1]) for bits in range(8192)],
        np.int64,
    )


def _strengths(masks: Masks) -> NDArray[np.uint16]:
    """Return the strengths of hands of five to seven cards; imported here because it loads
    numba."""
    from croupier.ranking.fast import strengths

    return strengths(masks)
