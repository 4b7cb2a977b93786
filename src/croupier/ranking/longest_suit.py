"""Ranking by the longest suit: more cards of a suit beat fewer, then the ranks from the top decide.

A category is the number of cards, `seven_card_flush` for instance. The low bits of a value are the
suit's thirteen bits, since a set of ranks compares as its highest different rank does:

    value = cards - 1 << 20 | top rank << 16 | ranks of the suit

Every card is held once: with several decks a rank could be in a suit twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.cards import RANKS, Card, mask_of
from croupier.ranking.ranking import Ranking

__all__ = ["SUIT_NAMES", "ByLongestSuit"]

_COUNTS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen"),
)
SUIT_NAMES: Final = tuple(f"{count}_card_flush" for count in _COUNTS)
_SUIT: Final = (1 << 13) - 1


class ByLongestSuit(Ranking):
    by = "longest_suit"

    def __init__(self, *, ranks: str = RANKS) -> None:
        super().__init__(SUIT_NAMES, ranks=ranks)

    def value_of_mask(self, mask: int) -> int:
        suits = (mask & _SUIT, mask >> 13 & _SUIT, mask >> 26 & _SUIT, mask >> 39)
        return max([_packed(suit) for suit in suits if suit])

    def value_of(self, cards: Sequence[Card]) -> int:
        return self.value_of_mask(mask_of(cards))

    def best_cards(self, value: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        for suit in range(4):
            suited = sorted([card for card in cards if card.suit == suit], reverse=True)
            if suited and _packed(mask_of(suited) >> 13 * suit) == value:
                return tuple(suited)
        raise AssertionError("the value is another hand's")

    def deciding(self, value: int) -> tuple[int, ...]:
        return tuple([rank for rank in range(12, -1, -1) if value >> rank & 1])

    def least(self, name: str, of: str = "") -> int:
        place = self.names.index(name) if name in self.names else 0
        ranks = {RANKS.index(rank) for rank in of}
        return place << 20 | max(ranks, default=0) << 16 | sum(1 << rank for rank in ranks)


def _packed(suit: int) -> int:
    return suit.bit_count() - 1 << 20 | suit.bit_length() - 1 << 16 | suit
