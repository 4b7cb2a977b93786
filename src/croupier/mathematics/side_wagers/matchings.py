"""Matching polynomials of graphs whose vertices come in types.

The vertices are unseen cards; an edge joins two cards that together reach some strength. Cards of
one type (a rank, in or out of the suit of a flush) have the same neighbors. The number of ways to
choose k disjoint edges is the coefficient of x**k. Some types are marked, and y counts the marked
vertices that the edges cover, so that a clique among them can be brought in afterwards.

A polynomial is a mapping from (k, u), the powers of x and y, to its coefficient.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import factorial
from typing import NamedTuple, TypeAlias

Polynomial: TypeAlias = dict[tuple[int, int], int]


class Graph(NamedTuple):
    """Types of vertices: how many of each, which types each is joined to (bits; its own bit: the
    vertices of the type are joined to each other), and which are marked (bits)."""

    counts: tuple[int, ...]
    joined: tuple[int, ...]
    marked: int


def restricted(graph: Graph, types: Sequence[int]) -> Graph:
    """The graph on some of its types, in this order."""

    def numbered(bits: int) -> int:
        return sum(1 << place for place, i in enumerate(types) if bits >> i & 1)

    counts = tuple(graph.counts[i] for i in types)
    return Graph(counts, tuple(numbered(graph.joined[i]) for i in types), numbered(graph.marked))


@cache
def matchings_of_clique(vertices: int, edges: int) -> int:
    """Ways to choose disjoint pairs (`edges` of them) among these vertices."""
    if edges < 0 or 2 * edges > vertices:
        return 0
    left = vertices - 2 * edges
    return factorial(vertices) // (factorial(left) * factorial(edges) << edges)


def _times(left: Polynomial, right: Polynomial, most: int) -> Polynomial:
    """The product, up to x**most."""
    product: Polynomial = {}
    for (k, u), a in left.items():
        for (j, v), b in right.items():
            if k + j <= most:
                key = (k + j, u + v)
                product[key] = product.get(key, 0) + a * b
    return product


def matching_polynomial(graph: Graph, most: int) -> Polynomial:
    """Up to x**most. Parts of the graph that do not touch each other multiply."""
    result: Polynomial = {(0, 0): 1}
    for part in sorted(_parts(graph)):
        result = _times(result, _connected(part, most), most)
    return result


def _parts(graph: Graph) -> list[Graph]:
    """The connected parts with at least one edge, each with like types put together."""
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
    """Types with the same neighbors become one; and for each type, the one that it is in."""
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
    """Same neighbors elsewhere; joined to each other if and only if to themselves."""
    both = 1 << i | 1 << j
    if (joins[i] & ~both) != (joins[j] & ~both):
        return False
    between = joins[i] >> j & 1
    return all(counts[n] == 1 or (joins[n] >> n & 1) == between for n in (i, j))


@cache
def _connected(graph: Graph, most: int) -> Polynomial:
    """Take one vertex of the type with the most neighbors: either no edge covers it, or one does.
    Without it the graph falls apart soon."""
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
