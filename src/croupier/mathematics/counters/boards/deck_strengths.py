"""Strengths of seven cards in another ranking or from another deck than usual.

A strength is the place of a value among all that seven cards can have. The kernels of `holdem`
read it from two tables, by ranks and by suit, so any ranking of five cards will do in which a flush
beats whatever else five cards of one suit leave room for.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.strengths import StrengthTables
from croupier.mathematics.hand_values import value_tables
from croupier.mathematics.kernels.arrays import I64
from croupier.ranking.ranking import Ranking

__all__ = ["DeckStrengths", "deck_strengths"]


class DeckStrengths(NamedTuple):
    values: I64  # in ascending order
    tables: StrengthTables

    def of(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        return np.searchsorted(self.values, values)


@cache
def deck_strengths(ranking: Ranking) -> DeckStrengths:
    by_ranks, by_suit, _ = value_tables(ranking, 7)
    suits = np.bitwise_count(np.arange(1 << 13, dtype=np.uint64)) >= 5
    held = np.concatenate([by_ranks[by_ranks >= 0], by_suit[suits & (by_suit >= 0)]])
    values = np.unique(held).astype(np.int64)
    choose = np.array([[comb(n, k) for k in range(9)] for n in range(24)], dtype=np.int32)
    no_flush, flush = (
        np.where(table >= 0, np.searchsorted(values, table), 0).astype(np.int16)
        for table in (by_ranks, np.where(suits, by_suit, -1))
    )
    return DeckStrengths(values, StrengthTables(choose, no_flush, flush))
