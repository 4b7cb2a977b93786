"""Hands and flops up to a permutation of the suits, with the size of every orbit.

A flop is canonical when its four suit masks do not ascend: 1,755 of 22,100. A hand is canonical
beside it when, wherever two suits look alike on the flop, its own masks do not ascend there:
1,286,792 pairs of flop and hand for all 25,989,600. Cards are numbered suit * 13 + rank, hands of
cards high > low as C(high, 2) + low.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.holdem.arrays import I8, I16, I32, I64, U8
from croupier.mathematics.holdem.kernels import kernel
from croupier.mathematics.holdem.layout import pair_number

__all__ = [
    "EXCHANGES",
    "HANDS",
    "Flops",
    "Orbits",
    "canonical_boards",
    "canonical_hands",
    "card_pairs",
    "flops_of",
    "hand_images",
    "orbits_of",
    "suit_masks_of",
]

HANDS: Final = 1326
_NO_PAIRS: Final = 1_286_792


class Flops(NamedTuple):
    """Canonical flops and, for each, its canonical hands: pairs start[i] to start[i + 1]."""

    cards: I8  # [flop, 3]
    weight: U8  # flops in the orbit
    start: I32
    hand: I16  # [pair]
    orbit: U8  # [pair]: (flop, hand) couples in the orbit

    def key(self, flop: int) -> int:
        return flop_key(*(int(card) for card in self.cards[flop]))


def flop_key(a: int, b: int, c: int) -> int:
    return 1 << a | 1 << b | 1 << c


@kernel
def _mask(hand_high: int, hand_low: int, suit: int) -> int:
    mask = 0
    for card in (hand_high, hand_low):
        if card // 13 == suit:
            mask |= 1 << card % 13
    return mask


@kernel
def _orbit(columns: I64) -> int:
    """The arrangements of four columns, alike ones next to each other: 24 over the repeats."""
    size = 24
    run = 1
    for suit in range(1, 4):
        run = run + 1 if columns[suit] == columns[suit - 1] else 1
        size //= run
    return size


@kernel
def suit_masks_of(cards: I8, masks: I64) -> None:
    """The ranks of each suit among some cards."""
    for suit in range(4):
        masks[suit] = 0
    for card in cards:
        masks[card // 13] |= 1 << card % 13


@kernel
def _canonical_boards(deck: int, cards: I8, weight: U8) -> int:
    """All boards of as many cards as a row of `cards` has, highest card first."""
    size = cards.shape[1]
    masks = np.zeros(4, np.int64)
    board = np.zeros(size, np.int8)
    for place in range(size):
        board[place] = size - 1 - place
    found = 0
    while board[0] < 52:
        inside = True
        for card in board:
            inside = inside and deck >> card % 13 & 1 == 1
        suit_masks_of(board, masks)
        descending = masks[0] >= masks[1] and masks[1] >= masks[2] and masks[2] >= masks[3]
        if inside and descending:
            # One by one: numba compiles the assignment of a row for three seconds.
            for place in range(size):
                cards[found, place] = board[place]
            weight[found] = _orbit(masks)
            found += 1
        # The lowest card that can go up by one does; those under it begin again.
        place = size - 1
        while place > 0 and board[place] + 1 == board[place - 1]:
            place -= 1
        board[place] += 1
        for lower in range(place + 1, size):
            board[lower] = size - 1 - lower
    return found


@kernel
def canonical_hands(deck: int, cards: I8, start: I32, hand: I16, orbit: U8) -> int:
    """The hands beside each canonical board, with the sizes of their orbits: how many in all."""
    masks = np.zeros(4, np.int64)
    columns = np.zeros(4, np.int64)
    found = 0
    for flop in range(len(cards)):
        start[flop] = found
        suit_masks_of(cards[flop], masks)
        for high in range(1, 52):
            if not deck >> high % 13 & 1 or masks[high // 13] >> high % 13 & 1:
                continue
            for low in range(high):
                if not deck >> low % 13 & 1 or masks[low // 13] >> low % 13 & 1:
                    continue
                canonical = True
                for suit in range(4):
                    columns[suit] = masks[suit] << 13 | _mask(high, low, suit)
                    if suit and masks[suit] == masks[suit - 1]:
                        canonical = canonical and columns[suit] <= columns[suit - 1]
                if canonical:
                    hand[found] = high * (high - 1) // 2 + low
                    orbit[found] = _orbit(columns)
                    found += 1
    start[len(cards)] = found
    return found


def canonical_boards(deck: int, size: int) -> tuple[I8, U8]:
    """Boards of three or four cards up to suits, and how many each of them stands for."""
    most = {3: 1755, 4: 16_432}[size]
    cards = np.zeros((most, size), np.int8)
    weight = np.zeros(most, np.uint8)
    found = _canonical_boards(deck, cards, weight)
    return cards[:found], weight[:found]


@lru_cache(maxsize=4)
def flops_of(deck: int) -> Flops:
    cards, weight = canonical_boards(deck, 3)
    start = np.zeros(len(cards) + 1, np.int32)
    hand = np.zeros(_NO_PAIRS, np.int16)
    orbit = np.zeros(_NO_PAIRS, np.uint8)
    pairs = canonical_hands(deck, cards, start, hand, orbit)
    return Flops(cards, weight, start, hand[:pairs], orbit[:pairs])


@lru_cache(maxsize=1)
def card_pairs() -> I8:
    """[hand, 2]: the cards of each hand number, the higher first."""
    return np.array([(high, low) for high in range(52) for low in range(high)], dtype=np.int8)


@lru_cache(maxsize=1)
def rank_pairs() -> I8:
    """[hand]: the pair of ranks of each hand number."""
    cards = card_pairs() % 13
    return np.array([pair_number(int(a), int(b)) for a, b in cards], dtype=np.int8)


EXCHANGES: Final = tuple(permutations(range(4)))  # of suits: where each of the four goes


@lru_cache(maxsize=1)
def card_images() -> I64:
    """[exchange, card]"""
    return np.array(
        [[suits[card // 13] * 13 + card % 13 for card in range(52)] for suits in EXCHANGES]
    )


@lru_cache(maxsize=1)
def hand_images() -> I16:
    """[exchange, hand]"""
    cards, ends = card_images(), card_pairs().astype(np.int64)
    a, b = cards[:, ends[:, 0]], cards[:, ends[:, 1]]
    high, low = np.maximum(a, b), np.minimum(a, b)
    images: I16 = (high * (high - 1) // 2 + low).astype(np.int16)
    return images


class Orbits(NamedTuple):
    """Hands with 0, 1 or 2 community cards up to suits: the information sets before the flop.

    `number[hand * width + seen]` with seen = 0, the card, or the number of the two cards (as of a
    hand).
    """

    number: I32
    size: I64
    example: I64  # one member of each orbit: hand * width + seen
    width: int


@kernel
def _smallest_images(left: I16, right: I16, out: I32) -> None:
    """The least image of each (left, right) under the 24 permutations."""
    width = right.shape[1]
    for i in range(left.shape[1]):
        for j in range(width):
            least = np.int32(1 << 30)
            for g in range(24):
                least = min(least, left[g, i] * width + right[g, j])
            out[i * width + j] = least


@kernel
def _number_orbits(least: I32, allowed: U8, number: I32, size: I64, example: I64) -> int:
    found = 0
    for i in range(len(least)):
        if not allowed[i]:
            number[i] = -1
            continue
        if least[i] == i:
            number[i] = found
            example[found] = i
            found += 1
        number[i] = number[least[i]]
        size[number[i]] += 1
    return found


@lru_cache(maxsize=8)
def orbits_of(deck: int, seen: int) -> Orbits:
    """The orbits of (hand, `seen` community cards), for seen = 0, 1 or 2."""
    cards, hands = card_images(), hand_images()
    ends = card_pairs().astype(np.int64)
    right = (np.zeros((24, 1), np.int16), cards.astype(np.int16), hands)[seen]
    width = right.shape[1]
    bits = np.uint64(1) << np.arange(52, dtype=np.uint64)
    outside = np.uint64(sum(1 << card for card in range(52) if not deck >> card % 13 & 1))
    two = bits[ends[:, 0]] | bits[ends[:, 1]]
    other = (np.zeros(1, np.uint64), bits, two)[seen]
    clear = (two[:, None] & other) | ((two[:, None] | other) & outside)
    allowed = (clear == 0).astype(np.uint8).ravel()
    least = np.zeros(HANDS * width, np.int32)
    _smallest_images(hands, right, least)
    number = np.zeros(HANDS * width, np.int32)
    size = np.zeros(HANDS * width, np.int64)
    example = np.zeros(HANDS * width, np.int64)
    found = _number_orbits(least, allowed, number, size, example)
    return Orbits(number, size[:found].copy(), example[:found].copy(), width)
