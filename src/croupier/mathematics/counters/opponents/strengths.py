"""What hands are worth: the strength of a hand is the place of its value among all values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.opponents.decks import I16, I64, FourSuits
from croupier.mathematics.hand_values import ValueTables, value_of_suits, value_tables
from croupier.mathematics.kernels.decorators import kernel, whole
from croupier.ranking.ranking import Ranking

__all__ = ["Strengths", "strength_of", "strengths_of", "strengths_of_hands"]

U16 = NDArray[np.uint16]


class Strengths(NamedTuple):
    """`values[strength]` is the value in the ranking; `tables[cards]` give strengths in the place
    of values."""

    values: I64
    tables: dict[int, ValueTables]

    def least(self, value: int) -> int:
        """The lowest strength that is worth so much."""
        return int(np.searchsorted(self.values, value))


def strengths_of(ranking: Ranking, counts: Iterable[int]) -> Strengths:
    """For hands of these numbers of cards, compared with each other."""
    tables = {count: value_tables(ranking, count) for count in counts}
    found = np.concatenate([part for t in tables.values() for part in (t.ranks, t.suit)])
    values = np.unique(found[found >= 0]).astype(np.int64)

    def places(part: NDArray[np.int32]) -> NDArray[np.int32]:
        return np.where(part < 0, -1, np.searchsorted(values, part)).astype(np.int32)

    return Strengths(
        values,
        {n: t._replace(ranks=places(t.ranks), suit=places(t.suit)) for n, t in tables.items()},
    )


@kernel
def strengths_of_hands(masks: I16, tables: ValueTables, found: U16) -> None:
    """The strength of every hand of an array with four masks each."""
    for number in range(len(masks)):
        hand = masks[number]
        found[number] = value_of_suits(
            whole(hand[0]), whole(hand[1]), whole(hand[2]), whole(hand[3]), tables
        )


def strength_of(hand: FourSuits, tables: ValueTables) -> int:
    return int(value_of_suits(*hand, tables))
