"""Two- and three-card hands, as 235 Stud ranks them (6.E, 6.F of md-235).

An ace is high; `ace_low` lets it also stand below the deuce, which is a reading (C2).
King-ace-two is no sequence either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from croupier.cards import Card
from croupier.ranking.hands import ACE, pack

__all__ = ["THREE_CARD_NAMES", "TWO_CARD_NAMES", "three_card_value", "two_card_value"]

TWO_CARD_NAMES: Final = ("high_card", "pair", "flush", "straight")
THREE_CARD_NAMES: Final = (
    "high_card",
    "pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "mini_royal",
)


def two_card_value(cards: Sequence[Card], *, ace_low: bool = False) -> int:
    """Packed like a five-card value: the index into TWO_CARD_NAMES, then the deciding ranks."""
    high, low = sorted((card.rank for card in cards), reverse=True)
    top = _top_of_run((high, low), ace_low=ace_low)
    if top is not None:
        return pack(3, [top])
    if cards[0].suit == cards[1].suit:
        return pack(2, [high, low])
    return pack(1, [high]) if high == low else pack(0, [high, low])


def three_card_value(cards: Sequence[Card], *, ace_low: bool = False) -> int:
    """Packed like a five-card value: the index into THREE_CARD_NAMES, then the deciding ranks."""
    high, middle, low = ranks = sorted((card.rank for card in cards), reverse=True)
    suited = cards[0].suit == cards[1].suit == cards[2].suit
    top = _top_of_run(tuple(ranks), ace_low=ace_low)
    if top is not None:
        if suited:
            return pack(6 if top == ACE else 5, [top])
        return pack(3, [top])
    if high == low:
        return pack(4, [high])
    if suited:
        return pack(2, ranks)
    if middle in (high, low):
        return pack(1, [middle, low if middle == high else high])
    return pack(0, ranks)


def _top_of_run(ranks: tuple[int, ...], *, ace_low: bool) -> int | None:
    """The top rank of a sequence; with the ace below the deuce it is the next highest card."""
    if all(high - low == 1 for high, low in pairwise(ranks)):
        return ranks[0]
    if ace_low and ranks[0] == ACE and ranks[1:] == tuple(range(len(ranks) - 2, -1, -1)):
        return ranks[1]
    return None
