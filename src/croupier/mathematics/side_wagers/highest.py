"""The highest of several hands: deals in which no hand reaches a strength.

By inclusion and exclusion over the hands that reach it, deals are counted by matchings: disjoint
pairs of cards in the graph whose edges are those hands. Cards with the same neighbors are one type
of vertex, so the graphs are small and few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import comb, factorial
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.errors import BadRequest
from croupier.mathematics.game.paytable_lines import LineTests, line_tests
from croupier.mathematics.hand_values import Masks, deck_mask, strength_in
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.mathematics.side_wagers.by_strength import (
    USUAL,
    Run,
    SevenCardStrengths,
    canonical_boards,
    count_runs,
    runs_of,
    seven_card_strengths,
)
from croupier.mathematics.side_wagers.deals import WagerTally, tally_lines
from croupier.ranking.fast import strength_of
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import HighestHand

Polynomial: TypeAlias = dict[tuple[int, int], int]


class Graph(NamedTuple):
    """A graph of types of vertices: the number of vertices of each type, the types it is joined to
    (bits; its own bit if its vertices are joined to each other), and the marked types (bits)."""

    counts: tuple[int, ...]
    joined: tuple[int, ...]
    marked: int


def restricted(graph: Graph, types: Sequence[int]) -> Graph:
    """Return the graph on some of its types, in this order."""

    def numbered(bits: int) -> int:
        return sum(1 << place for place, i in enumerate(types) if bits >> i & 1)

    counts = tuple(graph.counts[i] for i in types)
    return Graph(counts, tuple(numbered(graph.joined[i]) for i in types), numbered(graph.marked))


@cache
def matchings_of_clique(vertices: int, edges: int) -> int:
    """Return the number of ways to choose `edges` disjoint pairs among these vertices."""
    if edges < 0 or 2 * edges > vertices:
        return 0
    left = vertices - 2 * edges
    return factorial(vertices) // (factorial(left) * factorial(edges) << edges)


def _times(left: Polynomial, right: Polynomial, most: int) -> Polynomial:
    """Return the product, up to x**most."""
    product: Polynomial = {}
    for (k, u), a in left.items():
        for (j, v), b in right.items():
            if k + j <= most:
                key = (k + j, u + v)
                product[key] = product.get(key, 0) + a * b
    return product


def matching_polynomial(graph: Graph, most: int) -> Polynomial:
    """Return the matching polynomial up to x**most. The polynomials of connected components
    multiply."""
    result: Polynomial = {(0, 0): 1}
    for component in sorted(_parts(graph)):
        result = _times(result, _connected(component, most), most)
    return result


def _parts(graph: Graph) -> list[Graph]:
    """Return the connected parts with at least one edge, each with similar types merged."""
    counts, joined, marked = graph
    alive = sum(1 << i for i, count in enumerate(counts) if count)
    joins = [
        (joined[i] & alive & ~(1 << i if counts[i] == 1 else 0)) if counts[i] else 0
        for i in range(len(counts))
    ]
    alive_graph = Graph(counts, tuple(joins), marked)
    parts = []
    left = sum(1 << i for i, join in enumerate(joins) if join)
    while left:
        part, grown = 0, left & -left
        while grown:
            part |= grown
            reach = 0
            for i in _bits(grown):
                reach |= joins[i]
            grown = reach & ~part
        left &= ~part
        parts.append(merged(restricted(alive_graph, _bits(part)))[0])
    return parts


def _bits(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def merged(graph: Graph) -> tuple[Graph, tuple[int, ...]]:
    """Merge types with the same neighbors; also return the merged type of each type."""
    counts, joins, marked = list(graph.counts), list(graph.joined), graph.marked
    into = list(range(len(counts)))
    for i in range(len(counts)):
        if into[i] != i:
            continue
        for j in range(i + 1, len(counts)):
            same_mark = (marked >> i & 1) == (marked >> j & 1)
            if into[j] == j and same_mark and _alike(i, j, counts, joins):
                own = joins[i] >> j & 1
                joins[i] = joins[i] | 1 << i if own else joins[i] & ~(1 << i)
                counts[i] += counts[j]
                into[j] = i
    members = [i for i in range(len(counts)) if into[i] == i]
    place = {i: number for number, i in enumerate(members)}
    smaller = restricted(Graph(tuple(counts), tuple(joins), marked), members)
    return smaller, tuple(place[i] for i in into)


def _alike(i: int, j: int, counts: list[int], joins: list[int]) -> bool:
    """Return whether two types have the same neighbors elsewhere, and are joined to each other if
    and only if to themselves."""
    both = 1 << i | 1 << j
    if (joins[i] & ~both) != (joins[j] & ~both):
        return False
    between = joins[i] >> j & 1
    return all(counts[n] == 1 or (joins[n] >> n & 1) == between for n in (i, j))


@cache
def _connected(graph: Graph, most: int) -> Polynomial:
    """Return the polynomial of a component. Take one vertex of the type with the most neighbors:
    either no edge covers it, or one does. Without it the graph soon falls apart."""
    counts, joined, marked = graph
    if len(counts) == 1 and not marked:
        top = min(most, counts[0] // 2)
        return {(k, 0): matchings_of_clique(counts[0], k) for k in range(top + 1)}
    if most == 0:
        return {(0, 0): 1}
    degrees = [
        sum(counts[j] for j in _bits(joined[i])) - (joined[i] >> i & 1) for i in range(len(counts))
    ]
    i = max(range(len(counts)), key=lambda n: degrees[n])
    fewer = _less(counts, i)
    result = dict(matching_polynomial(Graph(fewer, joined, marked), most))
    for j in _bits(joined[i]):
        if not fewer[j]:
            continue
        covered = (marked >> i & 1) + (marked >> j & 1)
        rest = matching_polynomial(Graph(_less(fewer, j), joined, marked), most - 1)
        for (k, u), ways in rest.items():
            key = (k + 1, u + covered)
            result[key] = result.get(key, 0) + fewer[j] * ways
    return result


def _less(counts: tuple[int, ...], i: int) -> tuple[int, ...]:
    return (*counts[:i], counts[i] - 1, *counts[i + 1 :])


MOST_OTHERS: Final = 6
_MOST: Final = 7
_TYPES: Final = 26
_PLACES: Final = _TYPES + 1
"""The limit of types in a merged graph; the last place is outside the graph."""
_LEFT: Final = 45
_SUITS: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39


def tally_highest(rules: Rules, settles: HighestHand, hands: int) -> WagerTally:
    """Return the tally of the highest hand; `hands` are dealt, the dealer's included, and all
    count, folded or not."""
    tests, runs = paid_runs(rules, settles, hands)
    ranking = ranking_of(rules.book, settles.hand)
    total = total_deals(hands, ranking)

    def count(start: int, stop: int) -> int:
        return deals_below(stop, hands, ranking) - deals_below(start, hands, ranking)

    return tally_lines(tests, count_runs(runs, count, total))


def paid_runs(rules: Rules, settles: HighestHand, hands: int) -> tuple[LineTests, list[Run]]:
    """Return the table for this number of hands, and all strengths in runs that it pays alike."""
    tables = rules.book.paytables[settles.paytable]
    if str(hands) not in tables:
        raise BadRequest(
            f"no table for {hands} hands, the dealer's included: there are {', '.join(tables)}"
        )
    tests = line_tests(rules, settles, str(hands))
    # Runs that are paid alike need not be separated, and every cut costs a count.
    ranking = ranking_of(rules.book, settles.hand)
    return tests, _joined(runs_of(tests, settles.hand, ranking), tests)


def _joined(runs: list[Run], tests: LineTests) -> list[Run]:
    """Return the runs, with neighbors merged if the same line pays them in every suit."""
    joined: list[Run] = []
    last = -1
    for run in runs:
        places = {tests.place(held) for held in run.held}
        place = places.pop() if len(places) == 1 else -1
        if place >= 0:
            run = run._replace(held=(run.held[0],) * 4)  # noqa: PLW2901
        if 0 <= place == last:
            joined[-1] = joined[-1]._replace(stop=run.stop)
        else:
            joined.append(run)
        last = place
    return joined


def total_deals(hands: int, ranking: Ranking = USUAL) -> int:
    """Return the number of boards times the ways to deal two cards to each hand in turn."""
    cards = 4 * len(ranking.ranks)
    return comb(cards, 5) * _ordered(cards - 5, hands)


def _ordered(cards: int, hands: int) -> int:
    """Return the number of ways to deal this many hands of two, one after another."""
    return matchings_of_clique(cards, hands) * factorial(hands)


def deals_below(strength: int, hands: int, ranking: Ranking = USUAL) -> int:
    """Return the deals of this many hands in which none has this strength or more."""
    if strength <= 0:
        return 0
    if strength >= seven_card_strengths(ranking).values.size:
        return total_deals(hands, ranking)
    matchings = _matchings(strength, max(_MOST, hands), ranking)
    return _none_reach(matchings, 4 * len(ranking.ranks) - 5, hands) * factorial(hands)


_Matchings: TypeAlias = Counter[tuple[int, int]]
"""The number of ways to choose k disjoint hands that reach a strength, by the number of cards out
of the deck (they reach it with any other card) and by k."""


def _none_reach(matchings: _Matchings, unseen: int, hands: int) -> int:
    """Return the number of ways to deal this many hands (as a set) from the unseen cards so that
    none reaches the strength, by inclusion and exclusion."""
    return sum(
        (-1) ** edges * ways * matchings_of_clique(unseen - gone - 2 * edges, hands - edges)
        for (gone, edges), ways in matchings.items()
    )


@cache
def _matchings(strength: int, most: int, ranking: Ranking) -> _Matchings:
    """Return the matchings of the graphs, summed over all boards."""
    return _sum_matchings(_graphs(_kinds(ranking), strength), most)


class _Case(NamedTuple):
    """The number of cards out of the deck, the graph of the rest, and the number of cards in its
    marked clique (0 if the marks mean nothing)."""

    gone: int
    graph: Graph
    clique: int


def _sum_matchings(cases: Mapping[_Case, int], most: int) -> _Matchings:
    """Sum the matchings of these cases with their weights; the edges of the marked clique are
    included here."""
    sums: _Matchings = Counter()
    for (gone, graph, clique), weight in cases.items():
        for (edges, covered), ways in matching_polynomial(graph, most).items():
            for more in range(most - edges + 1):
                inside = matchings_of_clique(clique - covered, more)
                sums[gone, edges + more] += weight * ways * inside
    return sums


def _graphs(kinds: HandKinds, strength: int) -> Counter[_Case]:
    """Return the graphs of all boards with their weights, equal ones together."""
    same: dict[bytes, int] = {}
    for row, weight in zip(_reduced_graphs(kinds, strength), kinds.weights.tolist(), strict=True):
        same[row.tobytes()] = same.get(row.tobytes(), 0) + weight
    cases: Counter[_Case] = Counter()
    for key, weight in same.items():
        cases[_case_of(key)] += weight
    return cases


def _reduced_graphs(kinds: HandKinds, strength: int) -> NDArray[np.int32]:
    """Write for every board the graph of the hands that reach a strength, as a row that `_case_of`
    reads: the types that each type is joined to, how many cards of each are in it (those out of the
    deck and those without edges are not), how many are out of the deck, and whether there is a
    flush."""
    powers = (1 << np.arange(_TYPES)).astype(np.int64)
    counts = kinds.counts.copy()
    joined = (kinds.strengths >= strength) @ powers
    gone = np.zeros(len(counts), np.int64)
    while True:
        present = (counts > 0) @ powers
        joined &= present[:, None]
        alone = np.where(counts == 1, powers, 0)
        all_reach = (counts > 0) & ((joined | alone) == present[:, None])
        if not all_reach.any():
            break
        gone += (counts * all_reach).sum(axis=1)
        counts[all_reach] = 0
    counts[(joined & ~alone) == 0] = 0
    joined[counts == 0] = 0
    joined &= ((counts > 0) @ powers)[:, None]
    rows = np.concatenate([joined, counts, gone[:, None], kinds.flush[:, None]], axis=1)
    return rows.astype(np.int32)


def _case_of(key: bytes) -> _Case:
    """Return the case that the bytes of a row of `_reduced_graphs` stand for: without absent types,
    and without the clique of the flush suit if there is one."""
    *row, gone, flush = np.frombuffer(key, np.int32).tolist()
    joined, counts = row[:_TYPES], row[_TYPES:]
    suited = [i for i in range(13, _TYPES) if counts[i]] if flush else []
    mask = sum(1 << i for i in suited)
    if len(suited) < 2 or any((joined[i] | 1 << i) & mask != mask for i in suited):
        mask = 0
    rows = [types & ~mask if mask >> i & 1 else types for i, types in enumerate(joined)]
    present = [i for i in range(_TYPES) if counts[i]]
    graph = restricted(Graph(tuple(counts), tuple(rows), mask), present)
    return _Case(gone, graph, mask.bit_count())


def ways_below(board: int, unseen: int, strength: int, hands: int, ranking: Ranking = USUAL) -> int:
    """Return the number of ways on one board to deal this many hands (as a set) from the unseen
    cards so that none has this strength or more."""
    kinds = kinds_of(np.array([board], np.uint64), np.ones(1, np.int64), unseen, ranking)
    matchings = _sum_matchings(_graphs(kinds, strength), hands)
    return _none_reach(matchings, int(kinds.counts.sum()), hands)


class HandKinds(NamedTuple):
    """One board of each kind. Types of unseen cards are ranks, 0 to 12 outside the flush suit and
    13 to 25 in it; without three cards of a suit on the board all cards count as outside."""

    strengths: NDArray[np.uint16]
    counts: NDArray[np.int64]
    flush: NDArray[np.int64]
    weights: NDArray[np.int64]


@cache
def _kinds(ranking: Ranking) -> HandKinds:
    boards, weights = canonical_boards(ranking)
    keys = np.empty(boards.size, np.int64)
    _keys(boards, keys)
    _, first, where = np.unique(keys, return_index=True, return_inverse=True)
    sums = np.zeros(first.size, np.int64)
    np.add.at(sums, where, weights)
    kinds = kinds_of(boards[first], sums, deck_mask(ranking) * _SUITS, ranking)
    cards = 4 * len(ranking.ranks)
    assert int(sums.sum()) == comb(cards, 5)
    assert bool((kinds.counts.sum(axis=1) == cards - 5).all())
    return kinds


def kinds_of(
    boards: Masks,
    weights: NDArray[np.int64],
    deck: int = (1 << 52) - 1,
    ranking: Ranking = USUAL,
) -> HandKinds:
    """Return these boards with the cards of a deck that they leave unseen."""
    strengths = np.zeros((boards.size, _TYPES, _TYPES), np.uint16)
    counts = np.zeros((boards.size, _TYPES), np.int64)
    flush = np.zeros(boards.size, np.int64)
    _fill(boards, np.uint64(deck), seven_card_strengths(ranking), strengths, counts, flush)
    return HandKinds(strengths, counts, flush, weights)


@part
def _suit_of_three(board: np.uint64) -> int:
    """Return the suit that has three cards or more on the board, or -1."""
    for suit in range(4):
        held = 0
        for rank in range(13):
            if board >> np.uint64(13 * suit + rank) & np.uint64(1):
                held += 1
        if held >= 3:
            return suit
    return -1


@kernel
def _keys(boards: Masks, keys: NDArray[np.int64]) -> None:
    """Return the keys of boards: the ranks of the flush suit, and how many there are of
    each rank."""
    for number in range(boards.size):
        suit = _suit_of_three(boards[number])
        code = np.int64(0)
        if suit >= 0:
            code = np.int64(boards[number] >> np.uint64(13 * suit) & np.uint64(8191)) << 32
        for card in range(52):
            if boards[number] >> np.uint64(card) & np.uint64(1):
                code += np.int64(5) ** (card % 13)
        keys[number] = code


@kernel
def _fill(
    boards: Masks,
    deck: np.uint64,
    ranked: SevenCardStrengths,
    strengths: NDArray[np.uint16],
    counts: NDArray[np.int64],
    flush: NDArray[np.int64],
) -> None:
    """Fill in the types of the unseen cards of each board and the strength of every two of them."""
    bit = np.uint64(1)
    kind_of = np.empty(52, np.int64)
    for number in range(boards.size):
        board = boards[number]
        suit = _suit_of_three(board)
        flush[number] = suit >= 0
        for card in range(52):
            kind_of[card] = -1
            if (deck & ~board) >> np.uint64(card) & bit:
                kind_of[card] = card % 13 + (13 if card // 13 == suit else 0)
                counts[number, kind_of[card]] += 1
        for a in range(52):
            for b in range(a):
                if kind_of[a] < 0 or kind_of[b] < 0 or strengths[number, kind_of[a], kind_of[b]]:
                    continue
                held = board | bit << np.uint64(a) | bit << np.uint64(b)
                if ranked.is_usual:
                    strength = whole(strength_of(held))
                else:
                    strength = whole(strength_in(held, ranked.tables))
                strengths[number, kind_of[a], kind_of[b]] = strength
                strengths[number, kind_of[b], kind_of[a]] = strength


# -- one hand apart --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class GivenHands:
    """The hands of one player: the board of `kinds` they are on, the types of their two cards, and
    the number of deals."""

    kinds: HandKinds
    board: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    deals: NDArray[np.int64]
    _known: dict[int, _Matchings] = field(default_factory=dict)

    def total(self, others: int) -> int:
        """Return the number of deals with this many other hands."""
        return int(self.deals.sum()) * _ordered(_LEFT, others)

    def below(self, strength: int, others: int) -> int:
        """Return the deals in which neither this hand nor one of the others has this strength or
        more."""
        if strength <= 0:
            return 0
        if strength > 7461:
            return self.total(others)
        if strength not in self._known:
            self._known[strength] = self._matchings(strength)
        return _none_reach(self._known[strength], _LEFT, others) * factorial(others)

    def _matchings(self, strength: int) -> _Matchings:
        """Return the matchings of the graphs without this hand."""
        smaller: Counter[_Case] = Counter()
        for (case, places), deals in self._cases(strength).items():
            counts, clique = list(case.graph.counts), case.clique
            for place in places:
                if place < _TYPES:
                    counts[place] -= 1
                    clique -= case.graph.marked >> place & 1
            graph = case.graph._replace(counts=tuple(counts))
            smaller[_Case(case.gone, graph, clique)] += deals
        return _sum_matchings(smaller, MOST_OTHERS)

    def _cases(self, strength: int) -> dict[tuple[_Case, tuple[int, int]], int]:
        """Return the deals in which the hand is below a strength, by graph and by the types that
        lose a card."""
        numbers: dict[bytes, int] = {}
        rows = _reduced_graphs(self.kinds, strength)
        graph = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows])
        cases: dict[_Case, int] = {}
        places = np.full((len(numbers), _PLACES), _TYPES, np.int64)
        case = np.zeros(len(numbers), np.int64)
        for key, number in numbers.items():
            merged_case, into = _merged_case(key)
            case[number] = cases.setdefault(merged_case, len(cases))
            types = np.flatnonzero(np.frombuffer(key, np.int32)[_TYPES:-2])
            places[number, types] = into
        low = self.kinds.strengths[self.board, self.first, self.second] < strength
        on = graph[self.board[low]]
        pair = np.sort([places[on, self.first[low]], places[on, self.second[low]]], axis=0)
        keys = (case[on] * _PLACES + pair[1]) * _PLACES + pair[0]
        different, where = np.unique(keys, return_inverse=True)
        deals = np.zeros(different.size, np.int64)
        np.add.at(deals, where, self.deals[low])
        listed = list(cases)
        return {
            (listed[key // _PLACES**2], (key // _PLACES % _PLACES, key % _PLACES)): count
            for key, count in zip(different.tolist(), deals.tolist(), strict=True)
        }


def _merged_case(key: bytes) -> tuple[_Case, tuple[int, ...]]:
    """Return the graph of a row with like types together, in an order that depends on ranks as
    little as possible, and the index in it of each type of the row."""
    gone, graph, clique = _case_of(key)
    smaller, into = merged(graph)
    counts, joined, marked = smaller
    size = len(counts)
    degree = [sum(counts[j] for j in range(size) if joined[i] >> j & 1) for i in range(size)]

    def looks(i: int) -> tuple[object, ...]:
        beside = sorted((counts[j], degree[j]) for j in range(size) if joined[i] >> j & 1)
        return marked >> i & 1, counts[i], joined[i] >> i & 1, degree[i], beside

    order = sorted(range(size), key=looks)
    ordered = _Case(gone, restricted(smaller, order), clique)
    return ordered, tuple(order.index(i) for i in into)
