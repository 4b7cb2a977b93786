"""Everything that is counted cleverly, counted again one by one where that is possible."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest

from croupier.cards import DECK, mask_of, parse_cards
from croupier.errors import CroupierError
from croupier.mathematics.side_wagers.analysis import analyze_side
from croupier.mathematics.side_wagers.by_strength import USUAL, beaten_by_strength
from croupier.mathematics.side_wagers.deals import ranked_rows
from croupier.mathematics.side_wagers.highest import (
    Graph,
    deals_below,
    matching_polynomial,
    matchings_of_clique,
    total_deals,
    ways_below,
)
from croupier.ranking.built_in import built_in
from croupier.ranking.fast import strength, strengths, strengths_of_cards
from croupier.ranking.hands import Category
from croupier.ranking.lookup_tables import FIRST_STRENGTHS
from tests.mathematics.side_wagers.in_force import InForce

BOARDS = (
    "As Ks Qs 7d 2c",  # three to a royal
    "9h 8h 7h 6h 2c",  # four to straight flushes
    "Kd Kc 7h 7s 2d",
    "Kd Kc Kh 7s 2d",
    "5d 6c 7h 8s 2d",
    "Ah 5d 4d 3d 2c",
    "Jc Jd Js Jh 3c",
    "Td 9d 4d 4c 2h",
)
THRESHOLDS = [FIRST_STRENGTHS[category] for category in Category if category] + [5000, 100]


def _disjoint(pairs: Sequence[tuple[int, int]], hands: int) -> int:
    """Ways to choose so many pairs of which no two share a card."""
    if hands < 2:
        return len(pairs) if hands else 1
    return sum(
        _disjoint([p for p in pairs[n + 1 :] if a not in p and b not in p], hands - 1)
        for n, (a, b) in enumerate(pairs)
    )


@pytest.mark.parametrize("text", BOARDS)
def test_cover_all_on_a_reduced_deck(text: str) -> None:
    """A board with twelve unseen cards: every way to deal up to four hands from them."""
    board = parse_cards(text)
    rng = random.Random(text)
    close = [c for c in DECK if c not in board and (c.suit == board[0].suit or c.rank > 5)]
    unseen = rng.sample(close, 12)
    found = {pair: strength(mask_of((*board, *pair))) for pair in combinations(sorted(unseen), 2)}
    for threshold in THRESHOLDS:
        low = [pair for pair, value in found.items() if value < threshold]
        for hands in range(1, 5):
            ours = ways_below(mask_of(board), mask_of(unseen), threshold, hands)
            assert ours == _disjoint(low, hands)


@pytest.mark.parametrize("text", BOARDS)
def test_cover_all_on_one_board_with_two_hands(text: str) -> None:
    board = parse_cards(text)
    left = [card for card in DECK if card not in board]
    pairs = list(combinations(left, 2))
    masks = np.array([mask_of(pair) for pair in pairs], np.uint64)
    found = strengths(masks | np.uint64(mask_of(board)))
    for threshold in THRESHOLDS:
        low = masks[found < threshold]
        brute = sum(int((low[n + 1 :] & mask == 0).sum()) for n, mask in enumerate(low))
        assert ways_below(mask_of(board), mask_of(left), threshold, 2) == brute


def test_one_hand_is_the_seven_card_count() -> None:
    rows, hands = ranked_rows(built_in("five_card"), 7)
    for category in (Category.FULL_HOUSE, Category.STRAIGHT_FLUSH):
        below = int(hands[rows.category < category].sum())
        assert deals_below(FIRST_STRENGTHS[category], 1) == below * 21


def test_the_highest_of_seven_hands_against_simulation() -> None:
    rng = np.random.default_rng(7)
    rounds = 60_000
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (rounds, 1)), axis=1)
    best = np.zeros(rounds, np.uint16)
    for hand in range(7):
        cards = np.concatenate([decks[:, :5], decks[:, 5 + 2 * hand : 7 + 2 * hand]], axis=1)
        best = np.maximum(best, strengths_of_cards(np.ascontiguousarray(cards)))
    for category in (Category.FULL_HOUSE, Category.FOUR_OF_A_KIND):
        threshold = FIRST_STRENGTHS[category]
        exact = 1 - deals_below(threshold, 7) / total_deals(7)
        seen = float((best >= threshold).mean())
        assert abs(seen - exact) < 4 * (exact * (1 - exact) / rounds) ** 0.5


def test_matchings_of_random_graphs() -> None:
    rng = random.Random(1)
    for _ in range(60):
        types = rng.randint(1, 5)
        counts = [rng.randint(0, 3) for _ in range(types)]
        joined = [0] * types
        for i in range(types):
            for j in range(i + 1):
                if rng.random() < 0.5:
                    joined[i] |= 1 << j
                    joined[j] |= 1 << i
        marked = rng.randrange(1 << types)
        vertices = [i for i in range(types) for _ in range(counts[i])]
        edges = [
            (a, b)
            for a, b in combinations(range(len(vertices)), 2)
            if joined[vertices[a]] >> vertices[b] & 1
        ]
        found = matching_polynomial(Graph(tuple(counts), tuple(joined), marked), 4)
        brute: Counter[tuple[int, int]] = Counter()
        for k in range(5):
            for chosen in combinations(edges, k):
                covered = [vertex for edge in chosen for vertex in edge]
                if len(set(covered)) == 2 * k:
                    brute[k, sum(marked >> vertices[v] & 1 for v in covered)] += 1
        assert {key: ways for key, ways in found.items() if ways} == dict(brute)


def test_matchings_of_a_clique() -> None:
    for vertices in range(8):
        pairs = list(combinations(range(vertices), 2))
        for edges in range(4):
            assert matchings_of_clique(vertices, edges) == _disjoint(pairs, edges)


def test_bad_beat_against_simulation_and_totals() -> None:
    beaten = beaten_by_strength(USUAL)
    total = comb(52, 5) * comb(47, 2) * comb(45, 2)
    rng = np.random.default_rng(11)
    rounds = 300_000
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (rounds, 1)), axis=1)
    mine = strengths_of_cards(np.ascontiguousarray(decks[:, [0, 1, 2, 3, 4, 5, 6]]))
    theirs = strengths_of_cards(np.ascontiguousarray(decks[:, [0, 1, 2, 3, 4, 7, 8]]))
    for category in Category:
        start = FIRST_STRENGTHS[category]
        stop = FIRST_STRENGTHS.get(Category(category + 1), 7462) if category < 9 else 7462
        exact = int(beaten[start:stop].sum()) / total
        seen = float(((mine >= start) & (mine < stop) & (mine < theirs)).mean())
        assert abs(seen - exact) <= 4.5 * (exact * (1 - exact) / rounds) ** 0.5
    assert int(beaten[FIRST_STRENGTHS[Category.ROYAL_FLUSH] :].sum()) == 0


def test_bad_requests(in_force: InForce) -> None:
    rules = in_force("md-uth")
    calls: tuple[Callable[[], object], ...] = (
        lambda: analyze_side(rules, "tripz"),
        lambda: analyze_side(rules, "ante"),
        lambda: analyze_side(rules, "progressive", stake_cents=200),
        lambda: analyze_side(rules, "progressive", meters={"mega": 5}),
        lambda: analyze_side(rules, "progressive", meters={"main": -5}),
        lambda: analyze_side(rules, "trips", stake_cents=0),
        lambda: analyze_side(in_force("ma-uth"), "cover_all", hands=8),
    )
    for call in calls:
        with pytest.raises(CroupierError):
            call()
