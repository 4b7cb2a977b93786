"""Bits from decks, without bias.

The orders of a deck are numbered 0 … 52! - 1 (`rank_of`, alphabetical). 52! lies between 2^225 and
2^226, so not every bit of the number is fair. But 52! = 191·2^218 + rest: a deck whose number is
below 191·2^218 (997 in 1000 are) has 218 low bits that are exactly uniform if the deck is; the
other decks are left out. No choice of bits keeps more: 217.5 a deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

Bits = NDArray[np.uint8]
"""Bits, one per element, in order."""
Decks = NDArray[np.uint8]
"""Decks, one per row, the top card first, cards numbered as in `cards.DECK`."""

BITS_A_DECK: Final = 218
WHOLE: Final = factorial(52) >> BITS_A_DECK

_LIMB_BITS: Final = 32
_LIMBS: Final = 8
_LOW: Final = (1 << _LIMB_BITS) - 1


def rank_of(order: Sequence[int]) -> int:
    """Return the number of this order among all orders of the same cards, in alphabetical order."""
    number = 0
    for place, card in enumerate(order):
        smaller_below = sum(later < card for later in order[place + 1 :])
        number = number * (len(order) - place) + smaller_below
    return number


def plain_bits_of(order: Sequence[int]) -> list[int]:
    """Return the bits of one deck, computed the simple way: the 218 low bits, highest first, or
    none."""
    number = rank_of(order)
    if number >> BITS_A_DECK >= WHOLE:
        return []
    return [number >> place & 1 for place in range(BITS_A_DECK - 1, -1, -1)]


def bits_of(decks: Decks) -> Bits:
    """Return the bits of all decks one after another, like `plain_bits_of` but fast."""
    out = np.empty(len(decks) * BITS_A_DECK, np.uint8)
    return out[: _write_bits(decks, out)]


@njit(cache=True)
def _write_bits(decks: Decks, out: Bits) -> int:
    used = 0
    limbs = np.empty(_LIMBS, np.uint64)
    low = np.uint64(_LOW)
    shift = np.uint64(_LIMB_BITS)
    for deck in decks:
        limbs[:] = 0
        for place in range(52):
            carry = np.uint64(0)
            for below in range(place + 1, 52):
                if deck[below] < deck[place]:
                    carry += np.uint64(1)
            # limbs = limbs * (52 - place) + digit, in schoolbook arithmetic
            for i in range(_LIMBS):
                carry += limbs[i] * np.uint64(52 - place)
                limbs[i] = carry & low
                carry >>= shift
        top = BITS_A_DECK // _LIMB_BITS
        rest = np.uint64(BITS_A_DECK % _LIMB_BITS)
        head = (limbs[top] >> rest) | (limbs[top + 1] << (shift - rest))
        if head >= np.uint64(WHOLE):
            continue
        for place in range(BITS_A_DECK - 1, -1, -1):
            limb = limbs[place // _LIMB_BITS]
            out[used] = (limb >> np.uint64(place % _LIMB_BITS)) & np.uint64(1)
            used += 1
    return used
