"""How many of the n! orders have k fixed points, cycles, descents, inversions: exact integers."""

from __future__ import annotations

from functools import cache
from math import comb, factorial

__all__ = ["cycles", "descents", "fixed_points", "inversions"]


@cache
def fixed_points(n: int) -> tuple[int, ...]:
    """Choose k cards that stay, and derange the others."""
    deranged = [1, 0]
    while len(deranged) <= n:
        deranged.append((len(deranged) - 1) * (deranged[-1] + deranged[-2]))
    return tuple(comb(n, k) * deranged[n - k] for k in range(n + 1))


@cache
def cycles(n: int) -> tuple[int, ...]:
    """Unsigned Stirling numbers of the first kind."""
    row = [1]
    for size in range(n):
        row = [(row[k - 1] if k else 0) + size * (row[k] if k < len(row) else 0)
               for k in range(len(row) + 1)]  # fmt: skip
    return tuple(row)


@cache
def descents(n: int) -> tuple[int, ...]:
    """Eulerian numbers: k places where a card is lower than the one before it."""
    row = [1]
    for size in range(2, n + 1):
        row = [(k + 1) * (row[k] if k < size - 1 else 0) + (size - k) * (row[k - 1] if k else 0)
               for k in range(size)]  # fmt: skip
    return tuple(row)


@cache
def inversions(n: int) -> tuple[int, ...]:
    """Mahonian numbers: k pairs in the wrong order."""
    row = [1]
    for size in range(2, n + 1):
        wider = [0] * (len(row) + size - 1)
        window = 0
        for k in range(len(wider)):
            window += row[k] if k < len(row) else 0
            window -= row[k - size] if k >= size else 0
            wider[k] = window
        row = wider
    assert sum(row) == factorial(n)
    return tuple(row)
