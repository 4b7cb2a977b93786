"""Boards of four cards with their hands: where a game decides after the turn.

Up to a permutation of the suits there are 16,432 boards of four cards, and 13,960,050 pairs of such
a board and a hand: the *situations* of the turn. What one is worth does not depend on which of its
four cards came last; how often a strategy arrives there does, since it has looked at the other
three. So every board also knows the four flops that it may have come from.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.geometry import (
    EXCHANGES,
    HANDS,
    Flops,
    canonical_boards,
    canonical_hands,
    flops_of,
    hand_images,
    suit_masks_of,
)
from croupier.mathematics.counters.boards.numbering import three_number
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64, U8
from croupier.mathematics.kernels.decorators import kernel, whole

__all__ = ["Turns", "flop_pairs", "turns_of"]


class Turns(NamedTuple):
    """Canonical boards of four cards; the situations of board i are start[i] to start[i + 1]."""

    cards: I8  # [board, 4]
    start: I32
    hand: I16  # [situation]
    orbit: U8  # [situation]: (board, hand) couples in the orbit
    flop: I16  # [board, 4]: the canonical flop of the others, if this card came last
    exchange: I8  # [board, 4]: the exchange of suits that makes it canonical


@lru_cache(maxsize=2)
def turns_of(deck: int) -> Turns:
    cards, _ = canonical_boards(deck, 4)
    flop = np.zeros(cards.shape, np.int16)
    exchange = np.zeros(cards.shape, np.int8)
    _find_flops(cards, _flop_numbers(deck), _exchange_numbers(), flop, exchange)
    return Turns(cards, *canonical_hands(deck, cards), flop, exchange)


def _flop_numbers(deck: int) -> I16:
    """By `three_number` of its cards: the number of a canonical flop."""
    numbers = np.full(22_100, -1, np.int16)
    for number, (high, middle, low) in enumerate(flops_of(deck).cards.tolist()):
        numbers[three_number(low, middle, high)] = number
    return numbers


def _exchange_numbers() -> I8:
    """By the four suits that the suits go to, as digits to the base of four."""
    numbers = np.full(256, -1, np.int8)
    for number, (a, b, c, d) in enumerate(EXCHANGES):
        numbers[64 * a + 16 * b + 4 * c + d] = number
    return numbers


@kernel
def _find_flops(boards: I8, flops: I16, exchanges: I8, flop: I16, exchange: I8) -> None:
    masks, goes_to = np.zeros(4, np.int64), np.zeros(4, np.int64)
    three = np.zeros(3, np.int8)
    for board in range(len(boards)):
        for last in range(4):
            for place in range(3):
                three[place] = boards[board, place if place < last else place + 1]
            suit_masks_of(three, masks)
            for suit in range(4):
                goes_to[suit] = 0
                for other in range(4):
                    ahead = masks[other] > masks[suit]
                    alike = masks[other] == masks[suit] and other < suit
                    goes_to[suit] += ahead or alike
            for place in range(3):
                three[place] = 13 * goes_to[three[place] // 13] + three[place] % 13
            three.sort()
            flop[board, last] = flops[three_number(whole(three[0]), whole(three[1]), three[2])]
            digits = 64 * goes_to[0] + 16 * goes_to[1] + 4 * goes_to[2] + goes_to[3]
            exchange[board, last] = exchanges[digits]


@lru_cache(maxsize=2)
def flop_pairs(deck: int) -> I32:
    """[flop, hand]: the number of the canonical pair that stands for any hand beside a flop."""
    flops = flops_of(deck)
    numbers = np.full((len(flops.cards), HANDS), -1, np.int32)
    _number_pairs(flops, np.array(EXCHANGES), hand_images(), numbers)
    return numbers


@kernel
def _number_pairs(flops: Flops, exchanges: I64, images: I16, numbers: I32) -> None:
    masks = np.zeros(4, np.int64)
    for flop in range(len(flops.cards)):
        suit_masks_of(flops.cards[flop], masks)
        for exchange in range(len(exchanges)):
            same = True
            for suit in range(4):
                same = same and masks[exchanges[exchange, suit]] == masks[suit]
            if same:
                for pair in range(flops.start[flop], flops.start[flop + 1]):
                    numbers[flop, images[exchange, flops.hand[pair]]] = pair
