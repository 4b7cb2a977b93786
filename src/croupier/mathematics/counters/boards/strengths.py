"""Seven-card strengths from ranks alone: the two small tables that the board kernels read.

In the usual ranking a *strength* is the place, 0 to 7461, of a five-card value in the standard
order (`croupier.ranking.lookup_tables`), in any other the place among all values that seven cards
can have. Payoffs are arrays over strengths. Seven cards need two tables only: what their ranks make
when no flush is possible, indexed by multisets of seven ranks, and what the ranks of one suit make
when five or more of it are held. A flush among seven cards leaves no room for quads or a full
house, so the second table, where it applies, is the answer. Any ranking of five cards will do in
which a flush beats whatever else five cards of one suit leave room for.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.hand_values import multisets_of_ranks, number_of_ranks, strengths_of
from croupier.mathematics.kernels.arrays import I16, I32, I64
from croupier.ranking.lookup_tables import VALUES, five_card_strengths
from croupier.ranking.ranking import Ranking

STRENGTHS: Final = len(VALUES)
_CHOOSE: Final = np.array([[comb(n, k) for k in range(9)] for n in range(24)], dtype=np.int32)


class StrengthTables(NamedTuple):
    """What the kernels read."""

    choose: I32  # choose[n, k]: the binomials that number multisets (`hand_values`)
    no_flush: I16  # strength of a multiset of seven ranks; five of a rank are left at 0
    flush: I16  # strength of a mask of five to seven ranks, all of one suit


@lru_cache(maxsize=1)
def strength_tables() -> StrengthTables:
    """Those of the usual ranking, several times as fast as `deck_strengths` makes them."""
    return StrengthTables(_CHOOSE, _no_flush(), _flush())


def _no_flush() -> I16:
    """What is best of n + 1 ranks is best of some n of them: from five to six to seven."""
    rows = np.array(list(combinations_with_replacement(range(13), 5)), dtype=np.int64)
    best = np.zeros(len(rows), dtype=np.int16)
    best[number_of_ranks(rows[rows[:, 0] != rows[:, 4]])] = five_card_strengths()[0]
    for size in (6, 7):
        rows = multisets_of_ranks(size)
        rows = rows[(rows[:, 4:] != rows[:, :-4]).all(axis=1)]  # no rank five times
        fewer = [best[number_of_ranks(np.delete(rows, place, axis=1))] for place in range(size)]
        best = np.zeros(comb(12 + size, size), dtype=np.int16)
        best[number_of_ranks(rows)] = np.max(fewer, axis=0)
    return best


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


class DeckStrengths(NamedTuple):
    values: I64  # in ascending order
    tables: StrengthTables

    def of(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        return np.searchsorted(self.values, values)


@cache
def deck_strengths(ranking: Ranking | None) -> DeckStrengths:
    """The strengths of seven cards in a ranking; None is the usual one."""
    if ranking is None:
        return DeckStrengths(VALUES.astype(np.int64), strength_tables())
    strengths = strengths_of(ranking, {7})
    no_flush, flush = (np.maximum(table, 0).astype(np.int16) for table in strengths.tables[7][:2])
    return DeckStrengths(strengths.values, StrengthTables(_CHOOSE, no_flush, flush))
