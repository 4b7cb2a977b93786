"""Seven-card strengths from ranks alone: the two small tables that the board kernels read.

A *strength* is the place, 0 to 7461, of a five-card value in the standard order
(`croupier.ranking.lookup_tables`). Payoffs are arrays over strengths. Seven cards need two tables
only: what their ranks make when no flush is possible, indexed by multisets of seven ranks, and what
the ranks of one suit make when five or more of it are held. A flush among seven cards leaves no
room for quads or a full house, so the second table, where it applies, is the answer.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.kernels.arrays import I16, I32, I64
from croupier.ranking.hands import Category
from croupier.ranking.lookup_tables import VALUES, five_card_strengths

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
    """What is best of n + 1 ranks is best of some n of them: from five to six to seven."""
    rows = np.array(list(combinations_with_replacement(range(13), 5)), dtype=np.int64)
    best = np.zeros(len(rows), dtype=np.int16)
    best[_numbers(rows[rows[:, 0] != rows[:, 4]], choose)] = five_card_strengths()[0]
    for size in (6, 7):
        rows = _multisets(size)
        rows = rows[(rows[:, 4:] != rows[:, :-4]).all(axis=1)]  # no rank five times
        fewer = [best[_numbers(np.delete(rows, place, axis=1), choose)] for place in range(size)]
        best = np.zeros(comb(12 + size, size), dtype=np.int16)
        best[_numbers(rows, choose)] = np.max(fewer, axis=0)
    return best


def _multisets(size: int) -> I64:
    """All of them, each in ascending order, in the order of their numbers (`numbering`)."""
    rows = np.zeros((1, 0), dtype=np.int64)
    for more in range(size):
        with_highest = [rows[: comb(rank + more, more)] for rank in range(13)]
        ranks = np.repeat(np.arange(13), [len(fewer) for fewer in with_highest])
        rows = np.column_stack([np.concatenate(with_highest), ranks])
    return rows


def _numbers(rows: I64, choose: I32) -> I64:
    """The numbers of multisets (`numbering`), each in ascending order."""
    numbers = np.zeros(len(rows), dtype=np.int64)
    for place in range(rows.shape[1]):
        numbers += choose[rows[:, place] + place, place + 1]
    return numbers


def _flush() -> I16:
    """Of five ranks of one suit, and of six and seven the best with one less."""
    best = np.zeros(1 << 13, dtype=np.int16)
    fives = np.array(list(combinations(range(13), 5)), dtype=np.int64)
    best[(1 << fives).sum(axis=1)] = five_card_strengths()[1]
    masks = np.arange(1 << 13)
    for size in (6, 7):
        more = masks[np.bitwise_count(masks) == size]
        for rank in range(13):
            held = more[more >> rank & 1 == 1]
            best[held] = np.maximum(best[held], best[held ^ 1 << rank])
    return best
