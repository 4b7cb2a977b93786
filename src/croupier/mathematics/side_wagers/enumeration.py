"""Every hand of five, six or seven cards, counted once per process.

Whatever a paytable line asks of so many cards is settled by three things: the strength of the best
five, the suit of its flush if it is one, and which suits the cards have between them. `histogram`
counts the hands by these three; lines that name exact ranks are few hands and are dealt one by one.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.kernels.decorators import kernel, part
from croupier.ranking.fast import VALUES, strength_of
from croupier.ranking.hands import Category

__all__ = ["FULL_DECK", "Histogram", "Masks", "flush_strengths", "histogram", "subsets"]

Masks = NDArray[np.uint64]

FULL_DECK: Final = (1 << 13) - 1
"""The bits of all ranks."""

_STRENGTHS: Final = 7462
_SHAPES: Final = 5 * 16
_ONE: Final = np.uint64(1)


class Histogram(NamedTuple):
    """Rows of hands that no line can tell apart: the suit of the flush is -1 where there is none,
    `suits` has a bit for each suit among the cards."""

    strength: NDArray[np.int64]
    flush_suit: NDArray[np.int64]
    suits: NDArray[np.int64]
    deals: NDArray[np.int64]


@cache
def histogram(cards: int) -> Histogram:
    """All hands of five, six or seven cards."""
    flushes = flush_strengths()
    counts = np.zeros(_STRENGTHS * _SHAPES, np.int64)

    def add(lowest: int) -> NDArray[np.int64]:
        part = np.zeros(_STRENGTHS * _SHAPES, np.int64)
        _count_from(lowest, cards, flushes, part)
        return part

    with ThreadPoolExecutor(2) as pool:
        for part in pool.map(add, range(53 - cards)):
            counts += part
    assert int(counts.sum()) == comb(52, cards)
    found = np.flatnonzero(counts)
    shape = found % _SHAPES
    return Histogram(found // _SHAPES, shape // 16 - 1, shape % 16, counts[found])


def flush_strengths() -> NDArray[np.bool_]:
    """For every strength whether it is that of five cards of one suit."""
    return np.isin(VALUES >> 20, (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH))


@part
def _suits_of(mask: np.uint64) -> int:
    """A bit for each suit that the cards have."""
    suits = 0
    for suit in range(4):
        if mask >> np.uint64(13 * suit) & np.uint64(8191):
            suits |= 1 << suit
    return suits


@part
def _flush_suit(mask: np.uint64) -> int:
    for suit in range(4):
        bits = mask >> np.uint64(13 * suit) & np.uint64(8191)
        held = 0
        while bits:
            bits &= bits - _ONE
            held += 1
        if held >= 5:
            return suit
    return -1


@kernel
def _count_from(
    lowest: int, cards: int, flushes: NDArray[np.bool_], out: NDArray[np.int64]
) -> None:
    """Adds the hands whose lowest card is the given one: an odometer turns all cards but the last,
    which runs freely above them."""
    places = np.empty(cards, np.int64)
    for place in range(cards):
        places[place] = lowest + place
    wheels = cards - 2  # places 1 .. wheels turn; the last one is the inner loop
    while True:
        held = np.uint64(0)
        for place in range(wheels + 1):
            held |= _ONE << np.uint64(places[place])
        for last in range(places[wheels] + 1, 52):
            mask = held | _ONE << np.uint64(last)
            found = strength_of(mask)
            suit = _flush_suit(mask) if flushes[found] else -1
            out[np.int64(found) * 80 + (suit + 1) * 16 + _suits_of(mask)] += 1
        place = wheels
        while place >= 1 and places[place] == 52 - cards + place:
            place -= 1
        if place < 1:
            return
        places[place] += 1
        for later in range(place + 1, wheels + 1):
            places[later] = places[later - 1] + 1


@cache
def subsets(cards: int, deck: int = FULL_DECK) -> Masks:
    """The masks of all sets of so many cards, in the order of `itertools.combinations`; `deck` has
    a bit for each rank in play."""
    inside = [card for card in range(52) if deck >> card % 13 & 1]
    out = np.empty(comb(len(inside), cards), np.uint64)
    if cards <= 2:
        for place, held in enumerate(combinations(inside, cards)):
            out[place] = sum(1 << card for card in held)
    else:
        _fill_subsets(cards, _ONE << np.array(inside, np.uint64), out)
    out.flags.writeable = False
    return out


@kernel
def _fill_subsets(cards: int, deck: Masks, out: Masks) -> None:
    places = np.arange(cards)
    for number in range(out.size):
        mask = np.uint64(0)
        for place in range(cards):
            mask |= deck[places[place]]
        out[number] = mask
        place = cards - 1
        while place >= 0 and places[place] == deck.size - cards + place:
            place -= 1
        if place < 0:
            return
        places[place] += 1
        for later in range(place + 1, cards):
            places[later] = places[later - 1] + 1
