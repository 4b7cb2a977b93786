"""The reference evaluator: slow and simple, so that an auditor can read it. Tests compare the
others with it.

It tries every choice of five cards against the definitions of 6.D, one after another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

from croupier.cards import Card
from croupier.ranking.hands import ACE, FIVE, Category, pack

WHEEL = [ACE, FIVE, FIVE - 1, FIVE - 2, FIVE - 3]


def value_of_five(cards: Sequence[Card]) -> int:
    """Return the value of exactly five cards."""
    ranks = sorted((card.rank for card in cards), reverse=True)
    suited = len({card.suit for card in cards}) == 1
    top = _top_of_straight(ranks)
    if suited and top == ACE:
        return pack(Category.ROYAL_FLUSH, [top])
    if suited and top is not None:
        return pack(Category.STRAIGHT_FLUSH, [top])
    groups = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape = [count for _, count in groups]
    order = [rank for rank, _ in groups]
    if shape == [4, 1]:
        return pack(Category.FOUR_OF_A_KIND, order)
    if shape == [3, 2]:
        return pack(Category.FULL_HOUSE, order)
    if suited:
        return pack(Category.FLUSH, ranks)
    if top is not None:
        return pack(Category.STRAIGHT, [top])
    if shape == [3, 1, 1]:
        return pack(Category.THREE_OF_A_KIND, order)
    if shape == [2, 2, 1]:
        return pack(Category.TWO_PAIR, order)
    if shape == [2, 1, 1, 1]:
        return pack(Category.PAIR, order)
    return pack(Category.HIGH_CARD, ranks)


def _top_of_straight(ranks: list[int]) -> int | None:
    """Return the highest rank of five in sequence; the ace also ends
    five-four-three-two-ace (6.B)."""
    if ranks == WHEEL:
        return FIVE
    if all(high - low == 1 for high, low in pairwise(ranks)):
        return ranks[0]
    return None


def best_five(cards: Sequence[Card]) -> tuple[int, tuple[Card, ...]]:
    """Return the highest value among all choices of five, and the first such choice."""
    best = max(combinations(cards, 5), key=value_of_five)
    return value_of_five(best), best
