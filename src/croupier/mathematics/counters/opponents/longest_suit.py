"""The dealer's hands that are weaker than the player's or equal, where the longest suit counts.

A hand stays below a value if each of its suits does. For one suit, let p(k) be the number of ways
to take k of the cards that are left of it and stay below; the product of the four polynomials has
the number of hands of n cards at degree n. A suit of fewer cards than the value's is always below,
one of more never; one of as many is if its ranks, read as a number, are less. Those are counted
from the top: at each rank of the value, the suits that have all above it but not this one.
"""

from __future__ import annotations

from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.opponents.decks import I16, I64, NOTHING, FourSuits, VersusDeck
from croupier.mathematics.counters.opponents.opponents import I32, Opponents
from croupier.mathematics.kernels.decorators import kernel, part, whole

__all__ = ["meet_suits"]

_BITS: Final = np.bitwise_count(np.arange(1 << 13)).astype(np.int64)
_CHOOSE: Final = np.array([[comb(n, k) for k in range(14)] for n in range(14)], np.int64)


def meet_suits(
    deck: VersusDeck,
    dealer: int,
    seen: FourSuits,
    masks: I16,
    suit: I32,
    qualifier: int,
    gone: FourSuits = NOTHING,
) -> Opponents:
    """The opponents of every class of player's hands; a dealer of so many cards, some seen, who
    qualifies with this strength. `suit` has the strength of every mask."""
    at_least = np.flatnonzero(suit >= qualifier)
    least = int(at_least[np.argmin(suit[at_least])]) if qualifier and len(at_least) else 0
    found = Opponents.of(len(masks))
    every = np.array([deck.mask & ~lost for lost in gone], np.int64)
    tables = _Tables(every, np.array(seen, np.int64), suit, _BITS, _CHOOSE)
    _meet(masks, dealer, tables, least, found)
    return found


class _Tables(NamedTuple):
    """The ranks of each suit that are not gone, the cards seen, the strength of every mask, the
    number of ranks in it, and binomial coefficients."""

    every: I64
    seen: I64
    strength: I32
    bits: I64
    choose: I64


@kernel
def _meet(masks: I16, dealer: int, tables: _Tables, least: int, found: Opponents) -> None:
    """`least` is the mask of the weakest suit that qualifies; 0 where every hand does."""
    ways = np.zeros((4, dealer + 1), np.int64)
    equal = np.zeros(4, np.int64)
    left = np.zeros(4, np.int64)
    for hand in range(len(masks)):
        best = 0
        for suit in range(4):
            mask = whole(masks[hand, suit])
            left[suit] = tables.every[suit] & ~mask & ~tables.seen[suit]
            if tables.strength[mask] > tables.strength[best]:
                best = mask
        length = tables.bits[best]
        _below(left, best, tables, ways, equal)
        weaker = _together(ways, dealer, length)
        if length <= dealer:
            for suit in range(4):
                ways[suit, length] += equal[suit]
        found.weaker[hand] = weaker
        found.equal[hand] = _together(ways, dealer, length) - weaker
        if least:
            _below(left, least, tables, ways, equal)
            found.unqualified[hand] = _together(ways, dealer, tables.bits[least])


@part
def _below(left: I64, value: int, tables: _Tables, ways: I64, equal: I64) -> None:
    """ways[suit, k] = the ways to hold k cards of a suit, those seen among them, below the value;
    equal[suit] = 1 if the suit can be as good as the value."""
    seen, bits, choose = tables.seen, tables.bits, tables.choose
    length = bits[value]
    for suit in range(4):
        free, held = bits[left[suit]], bits[seen[suit]]
        for count in range(min(length, ways.shape[1])):
            taken = count - held
            ways[suit, count] = choose[free, taken] if taken >= 0 else 0
        if length >= ways.shape[1]:
            continue
        below, need, same = 0, length, 1
        for rank in range(12, -1, -1):
            bit = 1 << rank
            if value & bit:
                if not seen[suit] & bit:
                    under = bit - 1
                    taken = need - bits[seen[suit] & under]
                    if taken >= 0:
                        below += choose[bits[left[suit] & under], taken]
                    if not left[suit] & bit:
                        same = 0
                        break
                need -= 1
            elif seen[suit] & bit:
                same = 0
                break
        ways[suit, length] = below
        equal[suit] = same


@part
def _together(ways: I64, cards: int, length: int) -> int:
    """The hands of so many cards: four suits with at most `length` cards each."""
    total = 0
    for both in range(min(2 * length, cards) + 1):
        others = cards - both
        if others > 2 * length:
            continue
        first, second = 0, 0
        for one in range(max(0, both - length), min(both, length) + 1):
            first += ways[0, one] * ways[1, both - one]
        for one in range(max(0, others - length), min(others, length) + 1):
            second += ways[2, one] * ways[3, others - one]
        total += first * second
    return total
