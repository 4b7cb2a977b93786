"""Orbits add up to what they stand for."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import suit_masks
from croupier.mathematics.counters.boards.geometry import (
    EXCHANGES,
    flop_pairs,
    flop_views,
    flops_of,
    orbits_of,
    turns_of,
)
from croupier.mathematics.counters.boards.information_sets import flop_rows, new_stage_scratch
from croupier.mathematics.counters.boards.numbering import numbering, strength_tables
from croupier.mathematics.hand_values import FULL_DECK
from croupier.ranking.fast import strengths


def test_flops() -> None:
    flops = flops_of(FULL_DECK)
    assert len(flops.cards) == 1_755
    assert int(flops.weight.sum()) == comb(52, 3)


def test_pairs_of_flop_and_hand() -> None:
    flops = flops_of(FULL_DECK)
    assert len(flops.hand) == 1_286_792
    assert int(flops.orbit.sum(dtype=np.int64)) == comb(52, 3) * comb(49, 2)
    deals = comb(52, 3) * comb(49, 2) * comb(47, 2) * comb(45, 2)
    assert deals == 27_813_810_024_000


def test_views_of_canonical_flops_are_those_of_any_flop() -> None:
    flops, views, tables = flops_of(FULL_DECK), flop_views(FULL_DECK), strength_tables()
    for flop in range(0, len(flops.cards), 13):
        scratch = new_stage_scratch()
        ranks, count = flop_rows(flops.cards[flop], tables, scratch)
        assert (ranks, count) == (views.ranks[flop], views.suit_count[flop])
        assert scratch[0, :count].tolist() == views.suits[flop, :count].tolist()
        assert scratch[1, :count].tolist() == views.views[flop, :count].tolist()


def test_strengths_are_the_evaluators() -> None:
    tables = strength_tables()
    sevens = np.array(list(combinations_with_replacement(range(13), 7)))
    sevens = sevens[(sevens[:, 4:] != sevens[:, :3]).all(axis=1)]
    suits = np.arange(7) % 4  # in turn: equal ranks differ, and no suit comes thrice
    masks = (np.uint64(1) << (sevens + 13 * suits).astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    numbers = sum(tables.choose[sevens[:, place] + place, place + 1] for place in range(7))
    assert (tables.no_flush[numbers] == strengths(masks)).all()
    suited = np.arange(1 << 13, dtype=np.uint64)
    suited = suited[(np.bitwise_count(suited) >= 5) & (np.bitwise_count(suited) <= 7)]
    assert (tables.flush[suited.astype(np.int64)] == strengths(suited)).all()


def test_hands_before_the_flop() -> None:
    sizes = [orbits_of(FULL_DECK, seen).size for seen in range(3)]
    assert len(sizes[0]) == 169
    assert [int(size.sum()) for size in sizes] == [1326, 1326 * 50, 1326 * comb(50, 2)]


def test_spots_of_the_turn() -> None:
    turns = turns_of(FULL_DECK)
    assert (len(turns.cards), len(turns.hand)) == (16_432, 13_960_050)
    assert int(turns.orbit.sum(dtype=np.int64)) == comb(52, 4) * comb(48, 2)


def test_every_board_of_four_knows_its_flops() -> None:
    turns, flops, pairs = turns_of(FULL_DECK), flops_of(FULL_DECK), flop_pairs(FULL_DECK)
    for board in range(0, 16_432, 97):
        for last in range(4):
            suits = EXCHANGES[turns.exchange[board, last]]
            others = np.delete(turns.cards[board], last).tolist()
            flop = sorted((suits[card // 13] * 13 + card % 13 for card in others), reverse=True)
            assert flop == flops.cards[turns.flop[board, last]].tolist()
    assert (np.bincount(pairs[pairs >= 0]) > 0).all()
    assert int((pairs >= 0).sum()) == 1_755 * comb(49, 2)


def test_boards_by_suit_permutation() -> None:
    """Splits of five cards over four suits, masks descending: 134,459 for 2,598,960."""
    masks = [
        [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
        for size in range(6)
    ]
    classes = boards = 0
    for sizes in (
        (5, 0, 0, 0),
        (4, 1, 0, 0),
        (3, 2, 0, 0),
        (3, 1, 1, 0),
        (2, 2, 1, 0),
        (2, 1, 1, 1),
    ):
        total = prod(len(masks[size]) for size in sizes)
        orders = 24 // prod(factorial(sizes.count(size)) for size in set(sizes))
        boards += total * orders
        if len(set(sizes)) == len(sizes):
            classes += total
            continue
        alike = max(set(sizes), key=sizes.count)
        times = sizes.count(alike)
        others = prod(len(masks[size]) for size in sizes if size != alike)
        classes += others * comb(len(masks[alike]) + times - 1, times)
    assert (classes, boards) == (134_459, 2_598_960)


def test_boards_by_rank_and_by_one_suit_stand_for_all() -> None:
    by_rank = numbering().board_ranks
    counts = np.array([[(row == rank).sum() for rank in range(13)] for row in by_rank])
    possible = counts[(counts <= 4).all(axis=1)]
    assert len(possible) == 6_175
    assert sum(prod(comb(4, n) for n in row) for row in possible.tolist()) == 2_598_960
    masks = np.concatenate(suit_masks(FULL_DECK))
    bits = np.bitwise_count(masks)
    views = sum(int((bits == n).sum()) * comb(13 + 4 - n, 5 - n) for n in (3, 4, 5))
    assert views == 36_608
    with_flush = 4 * sum(comb(13, n) * comb(39, 5 - n) for n in (3, 4, 5))
    rest = 2_598_960 - with_flush
    assert with_flush == 4 * sum(int((bits == n).sum()) * comb(39, 5 - n) for n in (3, 4, 5))
    assert rest > 0
