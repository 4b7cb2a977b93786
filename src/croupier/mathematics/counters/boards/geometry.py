"""Hands and boards up to a permutation of the suits, with the size of every orbit.

A board is canonical if its four suit masks do not ascend: 1,755 flops of 22,100. A hand is
canonical beside it if its own masks do not ascend among suits that are alike on the board:
1,286,792 pairs of flop and hand for all 25,989,600. Cards are numbered suit * 13 + rank, hands of
cards high > low as C(high, 2) + low.

At the turn there are 16,432 canonical boards of four cards, and 13,960,050 pairs of such a board
and a hand: the *situations* of the turn. The worth of a situation does not depend on which of its
four cards came last; how often a strategy arrives there does, because it has looked at the other
three. So every board also knows the four flops that it may have come from.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.numbering import (
    THREE_F,
    TWO_F,
    pair_number,
    three_number,
    two_number,
)
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64, U8
from croupier.mathematics.kernels.decorators import kernel, part, whole

HANDS: Final = 1326
_BOARDS_AT_ONCE: Final = 400


class Flops(NamedTuple):
    """Canonical flops and, for each, its canonical hands: pairs start[i] to start[i + 1]."""

    cards: I8  # [flop, 3]
    weight: U8  # flops in the orbit
    start: I32
    hand: I16  # [pair]
    orbit: U8  # [pair]: (flop, hand) couples in the orbit


@part
def suit_masks_of(cards: I8, masks: I64) -> None:
    """Return the ranks of each suit among some cards."""
    for suit in range(4):
        masks[suit] = 0
    for card in cards:
        masks[card // 13] |= 1 << card % 13


# By where the four masks of a board equal their neighbors, as bits: its arrangements.
_ARRANGEMENTS: Final = np.array([24, 12, 12, 4, 12, 6, 4, 1], dtype=np.uint8)


def canonical_boards(deck: int, size: int) -> tuple[I8, U8]:
    """Return the boards of three or four cards up to suits, and how many boards each stands for.

    Every board has its highest card first, and the boards are in ascending order.
    """
    inside = [card for card in range(51, -1, -1) if deck >> card % 13 & 1]
    boards = np.array(list(combinations(inside, size)), dtype=np.int8).reshape(-1, size)[::-1]
    suits, ranks = np.divmod(boards, 13)
    bits = 1 << ranks.astype(np.int64)
    masks = np.stack([np.where(suits == suit, bits, 0).sum(axis=1) for suit in range(4)])
    canonical = (masks[:-1] >= masks[1:]).all(axis=0)
    alike = (masks[:-1] == masks[1:])[:, canonical]
    weight = _ARRANGEMENTS[4 * alike[0] + 2 * alike[1] + alike[2]]
    return np.ascontiguousarray(boards[canonical]), weight


class BoardHands(NamedTuple):
    start: I32  # the hands beside board i are numbers start[i] to start[i + 1]
    hand: I16
    orbit: U8  # (board, hand) couples in the orbit


def canonical_hands(deck: int, boards: I8) -> BoardHands:
    """Return the canonical hands beside each canonical board."""
    inside = np.array([deck >> card % 13 & 1 for card in range(52)], dtype=bool)
    ends = card_pairs()
    dealt = np.flatnonzero(inside[ends].all(axis=1))
    own, held = _by_suit(ends[dealt]), _bits(ends[dealt])
    counts, hands, orbits = [], [], []
    for at in range(0, len(boards), _BOARDS_AT_ONCE):
        some = boards[at : at + _BOARDS_AT_ONCE]
        shown = _by_suit(some)
        canonical = _bits(some)[:, None] & held == 0
        alike = np.zeros(canonical.shape, np.uint8)
        for suit in range(3):
            same = (shown[:, suit] == shown[:, suit + 1])[:, None]
            canonical &= ~(same & (own[:, suit] < own[:, suit + 1]))
            alike |= (same & (own[:, suit] == own[:, suit + 1])).astype(np.uint8) << 2 - suit
        counts.append(canonical.sum(axis=1))
        hands.append(dealt[np.nonzero(canonical)[1]].astype(np.int16))
        orbits.append(_ARRANGEMENTS[alike[canonical]])
    start = np.cumsum(np.concatenate([[0], *counts]), dtype=np.int32)
    return BoardHands(start, np.concatenate(hands), np.concatenate(orbits))


def _by_suit(cards: I8) -> I16:
    """[row, suit]: the ranks of each suit among the cards of a row, a bit for each."""
    suits, ranks = np.divmod(cards, 13)
    bits = (1 << ranks.astype(np.int16)).astype(np.int16)
    return np.stack([np.where(suits == suit, bits, 0).sum(axis=1) for suit in range(4)], axis=1)


def _bits(cards: I8) -> I64:
    """[row]: the cards of a row, a bit for each."""
    bits: I64 = np.bitwise_or.reduce(1 << cards.astype(np.int64), axis=1)
    return bits


@lru_cache(maxsize=4)
def flops_of(deck: int) -> Flops:
    cards, weight = canonical_boards(deck, 3)
    return Flops(cards, weight, *canonical_hands(deck, cards))


class FlopViews(NamedTuple):
    """The rows of `sums` from which a flop is composed."""

    ranks: I16  # [flop]: its number by rank
    suit_count: I8  # [flop]: how many suits are on it
    suits: I8  # [flop, place]: those suits, and the view from each
    views: I16


@lru_cache(maxsize=4)
def flop_views(deck: int) -> FlopViews:
    flops = flops_of(deck).cards.tolist()
    views = FlopViews(
        np.zeros(len(flops), np.int16),
        np.zeros(len(flops), np.int8),
        np.zeros((len(flops), 3), np.int8),
        np.zeros((len(flops), 3), np.int16),
    )
    for number, cards in enumerate(flops):
        low, middle, high = sorted(card % 13 for card in cards)
        views.ranks[number] = low + comb(middle + 1, 2) + comb(high + 2, 3)
        suits = sorted({card // 13 for card in cards})
        views.suit_count[number] = len(suits)
        views.suits[number, : len(suits)] = suits
        views.views[number, : len(suits)] = [_view(cards, suit) for suit in suits]
    return views


def _view(flop: list[int], suit: int) -> int:
    f = sorted(card % 13 for card in flop if card // 13 == suit)
    x = [card % 13 for card in flop if card // 13 != suit]
    if len(f) == 1:
        return 91 * f[0] + pair_number(*x)
    if len(f) == 2:
        return TWO_F + 13 * two_number(*f) + x[0]
    return THREE_F + three_number(*f)


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

    The orbit is `number[hand * width + seen]` with seen = 0, the card, or the number of the two
    cards (numbered like hands).
    """

    number: I32
    size: I64
    example: I64  # one member of each orbit: hand * width + seen
    width: int


@lru_cache(maxsize=8)
def orbits_of(deck: int, seen: int) -> Orbits:
    """Return the orbits of (hand, `seen` community cards), for seen = 0, 1 or 2."""
    cards, hands = card_images(), hand_images()
    ends = card_pairs().astype(np.int64)
    right = (np.zeros((24, 1), np.int16), cards.astype(np.int16), hands)[seen]
    width = right.shape[1]
    bits = np.uint64(1) << np.arange(52, dtype=np.uint64)
    outside = np.uint64(sum(1 << card for card in range(52) if not deck >> card % 13 & 1))
    two = bits[ends[:, 0]] | bits[ends[:, 1]]
    community = (np.zeros(1, np.uint64), bits, two)[seen]
    clear = (two[:, None] & community) | ((two[:, None] | community) & outside)
    allowed = (clear == 0).ravel()
    least = _smallest_images(hands.astype(np.int32), right.astype(np.int32)).ravel()
    itself = allowed & (least == np.arange(len(least)))
    number = np.where(allowed, (np.cumsum(itself, dtype=np.int32) - 1)[least], np.int32(-1))
    return Orbits(number, np.bincount(number[allowed]), np.flatnonzero(itself), width)


def _smallest_images(left: I32, right: I32) -> I32:
    """Return [i, j]: the least image of (left, right) under the exchanges of suits."""
    width = right.shape[1]
    least: I32 = left[0, :, None] * width + right[0]
    for first, second in zip(left[1:], right[1:], strict=True):
        np.minimum(least, first[:, None] * width + second, out=least)
    return least


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
                for later in range(4):
                    ahead = masks[later] > masks[suit]
                    alike = masks[later] == masks[suit] and later < suit
                    goes_to[suit] += ahead or alike
            for place in range(3):
                three[place] = 13 * goes_to[three[place] // 13] + three[place] % 13
            three.sort()
            flop[board, last] = flops[three_number(whole(three[0]), whole(three[1]), three[2])]
            digits = 64 * goes_to[0] + 16 * goes_to[1] + 4 * goes_to[2] + goes_to[3]
            exchange[board, last] = exchanges[digits]


@lru_cache(maxsize=2)
def flop_pairs(deck: int) -> I32:
    """Return [flop, hand]: the number of the canonical pair that stands for any hand beside
    a flop."""
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


Masks: TypeAlias = NDArray[np.uint64] | NDArray[np.int64]


def hand_number(cards: Sequence[int]) -> int:
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


def place_of_cards(deck: int, own: Sequence[int], community: Sequence[int]) -> int:
    """Return the number of the orbit, canonical pair or situation to which two own cards and none
    to four community cards belong."""
    seen = len(community)
    if seen > 2:
        return _place(flops_of(deck) if seen == 3 else turns_of(deck), deck, own, community)
    orbits = orbits_of(deck, seen)
    shown = (0, *community)[-1] if seen < 2 else hand_number(community)
    return int(orbits.number[hand_number(own) * orbits.width + shown])


def _place(boards: Flops | Turns, deck: int, own: Sequence[int], community: Sequence[int]) -> int:
    columns = [0] * 4
    for card in community:
        columns[card // 13] |= 1 << 13 + card % 13
    for card in own:
        columns[card // 13] |= 1 << card % 13
    columns.sort(reverse=True)
    key = sum(column >> 13 << 13 * suit for suit, column in enumerate(columns))
    hand = [
        13 * suit + rank for suit in range(4) for rank in range(13) if columns[suit] >> rank & 1
    ]
    number = _numbers(deck, len(community))[key]
    start, stop = int(boards.start[number]), int(boards.start[number + 1])
    return start + bisect_left(boards.hand[start:stop], hand_number(hand))


@lru_cache(maxsize=4)
def _numbers(deck: int, cards: int) -> dict[int, int]:
    """Return the numbers of the canonical boards by the masks of their cards."""
    boards = (flops_of(deck) if cards == 3 else turns_of(deck)).cards.tolist()
    return {sum(1 << card for card in board): number for number, board in enumerate(boards)}


def places_of(deck: int, own: Masks, boards: Masks, seen: int) -> NDArray[np.int64]:
    """Return the same for many hands or boards of three or four cards, as masks that share
    no card."""
    known, suits = (flops_of(deck) if seen == 3 else turns_of(deck)), np.arange(0, 52, 13)
    shown, held = (each.astype(np.int64)[:, None] >> suits & 8191 for each in (boards, own))
    columns = -np.sort(-(shown << 13 | held), axis=1)
    keys, hands = ((part << suits).sum(axis=1) for part in (columns >> 13, columns & 8191))
    high = np.floor(np.log2(hands)).astype(np.int64)
    low = np.floor(np.log2(hands ^ 1 << high)).astype(np.int64)
    listed = (1 << known.cards.astype(np.int64)).sum(axis=1)
    order = np.argsort(listed)
    number = order[np.searchsorted(listed, keys, sorter=order)]
    wanted = high * (high - 1) // 2 + low
    start, stop = (known.start[number + end].astype(np.int64) for end in (0, 1))
    while (start < stop).any():  # all halve at once
        middle = (start + stop) // 2
        below = (start < stop) & (known.hand[np.minimum(middle, len(known.hand) - 1)] < wanted)
        start, stop = np.where(below, middle + 1, start), np.where(below, stop, middle)
        stop = np.maximum(start, stop)
    places: NDArray[np.int64] = start
    return places
