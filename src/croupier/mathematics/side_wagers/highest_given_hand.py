"""The highest of several hands where one of them is told apart: it has folded, say.

`highest` counts the deals in which nobody reaches a strength t. Here one of the hands is given by
the kind of board and by the types of its two cards. If it does not reach t itself, the others are
dealt from what it leaves: the same inclusion and exclusion, over the matchings of the graph without
those two cards. A card that reaches t with any other is never among them; a card without an edge
only makes the deck smaller.

What keeps it small is that very few cases are different. Types of cards with the same neighbours
are taken together, boards with the same graph too, and of each graph only the places count from
which the two cards are missing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import factorial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.side_wagers.highest import Kinds, case_of, matchings_of, reduced_graphs
from croupier.mathematics.side_wagers.matchings import Graph, matchings_of_clique, merged

__all__ = ["MOST_OTHERS", "GivenHands"]

_LEFT: Final = 45
MOST_OTHERS: Final = 6
_TYPES: Final = 26
_PLACES: Final = _TYPES + 1  # the last one: outside the graph


@dataclass(frozen=True, eq=False)
class GivenHands:
    """The hands of one player: on which board of `kinds`, of which types the two cards are, and in
    how many deals."""

    kinds: Kinds
    board: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    deals: NDArray[np.int64]
    _known: dict[int, Counter[tuple[int, int]]] = field(default_factory=dict)

    def total(self, others: int) -> int:
        """All deals with so many other hands."""
        return int(self.deals.sum()) * _ordered(_LEFT, others)

    def below(self, strength: int, others: int) -> int:
        """The deals in which neither this hand nor one of the others has this strength or more."""
        if strength <= 0:
            return 0
        if strength > 7461:
            return self.total(others)
        if strength not in self._known:
            self._known[strength] = self._matchings(strength)
        ways = 0
        for (gone, edges), number in self._known[strength].items():
            if edges <= others:
                left = matchings_of_clique(_LEFT - gone - 2 * edges, others - edges)
                ways += (-1) ** edges * number * left
        return ways * factorial(others)

    def _matchings(self, strength: int) -> Counter[tuple[int, int]]:
        """As `highest._matchings`, of the graphs without this hand."""
        sums: Counter[tuple[int, int]] = Counter()
        for (case, places), deals in self._cases(strength).items():
            gone, graph, clique = case
            counts = list(graph.counts)
            for place in places:
                if place < _TYPES:
                    counts[place] -= 1
                    clique -= graph.marked >> place & 1
            smaller = graph._replace(counts=tuple(counts))
            for edges, ways in enumerate(matchings_of(smaller, clique, MOST_OTHERS)):
                sums[gone, edges] += deals * ways
        return sums

    def _cases(self, strength: int) -> dict[tuple[_Case, tuple[int, int]], int]:
        """The deals in which the hand is below a strength, by graph and by the places in it that
        lose a card."""
        numbers: dict[bytes, int] = {}
        rows = reduced_graphs(self.kinds, strength)
        graph = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows])
        cases: dict[_Case, int] = {}
        places = np.full((len(numbers), _PLACES), _TYPES, np.int64)
        case = np.zeros(len(numbers), np.int64)
        for key, number in numbers.items():
            found, into = _merged_case(key)
            case[number] = cases.setdefault(found, len(cases))
            types = np.flatnonzero(np.frombuffer(key, np.int32)[_TYPES:-2])
            places[number, types] = into
        low = self.kinds.strengths[self.board, self.first, self.second] < strength
        on = graph[self.board[low]]
        one, other = places[on, self.first[low]], places[on, self.second[low]]
        keys = (case[on] * _PLACES + np.maximum(one, other)) * _PLACES + np.minimum(one, other)
        different, where = np.unique(keys, return_inverse=True)
        deals = np.zeros(different.size, np.int64)
        np.add.at(deals, where, self.deals[low])
        listed = list(cases)
        return {
            (listed[key // _PLACES**2], (key // _PLACES % _PLACES, key % _PLACES)): count
            for key, count in zip(different.tolist(), deals.tolist(), strict=True)
        }


class _Case(NamedTuple):
    gone: int
    graph: Graph
    clique: int


def _merged_case(key: bytes) -> tuple[_Case, tuple[int, ...]]:
    """The graph of a row with like types together, in an order that does not depend on ranks as
    far as possible; and the place in it of each type of the row."""
    gone, graph, clique = case_of(key)
    (counts, joined, marked), into = merged(graph)
    size = len(counts)
    degree = [sum(counts[j] for j in range(size) if joined[i] >> j & 1) for i in range(size)]

    def looks(i: int) -> tuple[object, ...]:
        beside = sorted((counts[j], degree[j]) for j in range(size) if joined[i] >> j & 1)
        return marked >> i & 1, counts[i], joined[i] >> i & 1, degree[i], beside

    order = sorted(range(size), key=looks)
    place = {i: number for number, i in enumerate(order)}
    rows = tuple(sum(1 << place[j] for j in order if joined[i] >> j & 1) for i in order)
    marks = sum(1 << place[i] for i in order if marked >> i & 1)
    ordered = Graph(tuple(counts[i] for i in order), rows, marks)
    return _Case(gone, ordered, clique), tuple(place[i] for i in into)


def _ordered(cards: int, hands: int) -> int:
    """Ways to deal so many hands of two, one after the other."""
    return matchings_of_clique(cards, hands) * factorial(hands)
