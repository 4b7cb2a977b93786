"""All sets of some cards, as masks."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.kernels.decorators import kernel
from croupier.ranking.hands import Category
from croupier.ranking.lookup_tables import VALUES

Masks = NDArray[np.uint64]

FULL_DECK: Final = (1 << 13) - 1
"""The bits of all ranks."""

_ONE: Final = np.uint64(1)


def flush_strengths() -> NDArray[np.bool_]:
    """For every strength whether it is that of five cards of one suit."""
    return np.isin(VALUES >> 20, (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH))


@cache
def subsets(cards: int, deck: int = FULL_DECK) -> Masks:
    """The masks of all sets of `cards` cards, in the order of `itertools.combinations`; `deck` has
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
