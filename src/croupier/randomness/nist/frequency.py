"""Sections 2.1 to 2.4 and 2.13: how many ones, in runs and in sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.randomness.bits import Bits
from croupier.randomness.nist.test_result import TestResult
from croupier.randomness.special import chi_square_p, normal, pearson

__all__ = ["block_frequency", "cumulative_sums", "frequency", "longest_run", "longest_run_law",
           "runs"]  # fmt: skip


def frequency(bits: Bits) -> TestResult:
    """2.1: as many ones as zeros."""
    total = 2 * int(bits.sum()) - len(bits)
    statistic = abs(total) / math.sqrt(len(bits))
    return TestResult(statistic, math.erfc(statistic / math.sqrt(2)))


def block_frequency(bits: Bits, block: int = 128) -> TestResult:
    """2.2: as many ones as zeros in each block."""
    blocks = len(bits) // block
    shares = bits[: blocks * block].reshape(blocks, block).mean(axis=1)
    statistic = float(4 * block * ((shares - 0.5) ** 2).sum())
    return TestResult(statistic, chi_square_p(statistic, blocks))


def runs(bits: Bits) -> TestResult:
    """2.3: as many changes as chance makes. Failed at once where 2.1 would be."""
    n = len(bits)
    share = float(bits.mean())
    changes = 1 + int((bits[1:] != bits[:-1]).sum())
    if abs(share - 0.5) >= 2 / math.sqrt(n):
        return TestResult(float(changes), 0.0)
    spread = share * (1 - share)
    away = abs(changes - 2 * n * spread) / (2 * math.sqrt(2 * n) * spread)
    return TestResult(float(changes), math.erfc(away))


# 2.4.2: least n, length of a block, and the classes "at most a", …, "at least b" of its longest run
_LONGEST = ((750_000, 10_000, 10, 16), (6_272, 128, 4, 9), (128, 8, 1, 4))


def longest_run(bits: Bits, chances: Sequence[float] | None = None) -> TestResult:
    """2.4: the longest run of ones in each block."""
    block, low, high = next(row[1:] for row in _LONGEST if len(bits) >= row[0])
    blocks = len(bits) // block
    longest = _longest_runs(bits[: blocks * block].reshape(blocks, block))
    seen = np.bincount(np.clip(longest, low, high) - low, minlength=high - low + 1)
    law = longest_run_law(block, low, high) if chances is None else chances
    statistic = pearson(seen.tolist(), law)
    return TestResult(statistic, chi_square_p(statistic, high - low))


@cache
def longest_run_law(block: int, low: int, high: int) -> tuple[float, ...]:
    """Exact, by counting the words without a run longer than r."""
    at_most = [_words_without(block, r) / (1 << block) for r in range(low, high)]
    ends = [0.0, *at_most, 1.0]
    return tuple(after - before for before, after in pairwise(ends))


def _words_without(length: int, most: int) -> int:
    """Words of this length whose runs of ones have at most `most`: each ends in 0, 01, 011, …"""
    # words[n + 1] is the count for n; words[0] = 1 stands for the zero "before" an unended word.
    words = [1, 1]
    window = 2
    for n in range(2, length + 2):
        words.append(window)
        window += window - (words[n - most - 1] if n > most else 0)
    return words[length + 1]


@njit(cache=True)
def _longest_runs(blocks: Bits) -> NDArray[np.int64]:
    longest = np.zeros(len(blocks), np.int64)
    for i in range(len(blocks)):
        run = 0
        for bit in blocks[i]:
            run = run + 1 if bit else 0
            longest[i] = max(longest[i], run)
    return longest


def cumulative_sums(bits: Bits, *, backward: bool = False) -> TestResult:
    """2.13: how far the walk of +1 and -1 strays from zero."""
    steps = (bits[::-1] if backward else bits).astype(np.int64) * 2 - 1
    furthest = int(np.abs(np.cumsum(steps)).max())
    root, n = math.sqrt(len(bits)), len(bits)

    def stretch(k: int, low: int, high: int) -> float:
        return normal((4 * k + high) * furthest / root) - normal((4 * k + low) * furthest / root)

    # The bounds of 2.13.4(5), rounded towards zero as NIST's own program does.
    first, last = int((-n / furthest + 1) / 4), int((n / furthest - 1) / 4)
    p_value = 1 - math.fsum(stretch(k, -1, 1) for k in range(first, last + 1))
    first = int((-n / furthest - 3) / 4)
    p_value += math.fsum(stretch(k, 1, 3) for k in range(first, last + 1))
    return TestResult(furthest / root, min(1.0, max(0.0, p_value)))
