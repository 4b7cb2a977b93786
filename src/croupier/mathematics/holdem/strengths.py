"""Seven-card strengths from ranks alone: the two small tables that the board kernels read.

A *strength* is the place, 0 to 7461, of a five-card value in the standard order
(`croupier.ranking.fast`). Payoffs are arrays over strengths. Seven cards need two tables only: what
their ranks make when no flush is possible, indexed by multisets of seven ranks, and what the ranks
of one suit make when five or more of it are held. A flush among seven cards leaves no room for
quads or a full house, so the second table, where it applies, is the answer.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.holdem.arrays import I16, I32, I64
from croupier.ranking.fast import VALUES, strengths
from croupier.ranking.hands import Category

__all__ = ["CATEGORIES", "STRENGTHS", "StrengthTables", "category_of_strength", "strength_tables"]

STRENGTHS: Final = len(VALUES)
CATEGORIES: Final = len(Category)


class StrengthTables(NamedTuple):
    """What the kernels read."""

    choose: I32  # choose[n, k]: the binomials that number multisets (`layout.multiset`)
    no_flush: I16  # strength of a multiset of seven ranks; five of a rank are left at 0
    flush: I16  # strength of a mask of five to seven ranks, all of one suit


@lru_cache(maxsize=1)
def category_of_strength() -> I64:
    """The `Category` of every strength."""
    return np.asarray(VALUES, dtype=np.int64) >> 20


@lru_cache(maxsize=1)
def strength_tables() -> StrengthTables:
    choose = np.array([[comb(n, k) for k in range(9)] for n in range(24)], dtype=np.int32)
    return StrengthTables(choose, _no_flush(choose), _flush())


def _no_flush(choose: I32) -> I16:
    """Suits dealt in turn along the sorted ranks: equal ranks differ, no suit comes thrice."""
    sevens = np.array(list(combinations_with_replacement(range(13), 7)), dtype=np.int64)
    possible = (sevens[:, 4:] != sevens[:, :3]).all(axis=1)
    sevens = sevens[possible]
    suits = np.arange(7) % 4
    masks = (np.uint64(1) << (sevens + 13 * suits).astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    numbers = sum(choose[sevens[:, place] + place, place + 1] for place in range(7))
    table = np.zeros(len(possible), dtype=np.int16)
    table[numbers] = strengths(masks)
    return table


def _flush() -> I16:
    masks = np.arange(1 << 13, dtype=np.uint64)
    bits = np.bitwise_count(masks)
    suited = masks[(bits >= 5) & (bits <= 7)]
    table = np.zeros(1 << 13, dtype=np.int16)
    table[suited.astype(np.int64)] = strengths(suited)
    return table
