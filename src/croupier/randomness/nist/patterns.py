"""Sections 2.7, 2.8, 2.11 and 2.12: how often each short pattern occurs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.randomness.bits import Bits
from croupier.randomness.nist.test_result import TestResult
from croupier.randomness.special import chi_square_p, pearson

__all__ = ["aperiodic", "approximate_entropy", "non_overlapping", "overlapping",
           "overlapping_law", "serial"]  # fmt: skip


@cache
def aperiodic(width: int) -> tuple[int, ...]:
    """The patterns that cannot overlap themselves; 148 of nine bits."""

    def clear(pattern: int) -> bool:
        return all(pattern >> k != pattern & (1 << width - k) - 1 for k in range(1, width))

    return tuple(pattern for pattern in range(1 << width) if clear(pattern))


def non_overlapping(bits: Bits, width: int = 9, blocks: int = 8) -> dict[str, TestResult]:
    """2.7: each aperiodic pattern, as often in each of the blocks as chance has it."""
    size = len(bits) // blocks
    seen = _count_apart(bits[: blocks * size].reshape(blocks, size), width)
    mean = (size - width + 1) / 2**width
    variance = size * (1 / 2**width - (2 * width - 1) / 2 ** (2 * width))
    statistics = ((seen - mean) ** 2 / variance).sum(axis=0)
    return {
        f"{pattern:0{width}b}": TestResult(
            float(statistics[pattern]), chi_square_p(float(statistics[pattern]), blocks)
        )
        for pattern in aperiodic(width)
    }


@njit(cache=True)
def _count_apart(blocks: Bits, width: int) -> NDArray[np.int64]:
    """All patterns in one pass: after a match, a pattern's window jumps over it."""
    count, size = blocks.shape
    seen = np.zeros((count, 1 << width), np.int64)
    free = np.zeros(1 << width, np.int64)
    mask = (1 << width) - 1
    for which in range(count):
        free[:] = 0
        word = 0
        for i in range(size):
            word = (word << 1 | blocks[which, i]) & mask
            if i >= width - 1 and i >= free[word]:
                seen[which, word] += 1
                free[word] = i + width
    return seen


def overlapping(
    bits: Bits, width: int = 9, block: int = 1032, chances: Sequence[float] | None = None
) -> TestResult:
    """2.8: how often a run of `width` ones begins in each block, matches overlapping."""
    blocks = len(bits) // block
    matches = _count_ones_runs(bits[: blocks * block].reshape(blocks, block), width)
    seen = np.bincount(np.minimum(matches, 5), minlength=6)
    law = overlapping_law(width, block) if chances is None else chances
    statistic = pearson(seen.tolist(), law)
    return TestResult(statistic, chi_square_p(statistic, 5))


@cache
def overlapping_law(width: int, block: int) -> tuple[float, ...]:
    """The exact chances of 0, 1, 2, 3, 4 and more matches: state by state, bit by bit."""
    # state[run of ones so far, at most width][matches so far, at most 5]
    state = np.zeros((width + 1, 6))
    state[0, 0] = 1.0
    for _ in range(block):
        after = np.zeros_like(state)
        after[0] = state.sum(axis=0) / 2
        after[1:width] = state[: width - 1] / 2
        matched = (state[width - 1] + state[width]) / 2
        after[width, 1:] = matched[:-1]
        after[width, 5] += matched[5]
        state = after
    return tuple(state.sum(axis=0).tolist())


@njit(cache=True)
def _count_ones_runs(blocks: Bits, width: int) -> NDArray[np.int64]:
    matches = np.zeros(len(blocks), np.int64)
    for i in range(len(blocks)):
        run = 0
        for bit in blocks[i]:
            run = run + 1 if bit else 0
            matches[i] += run >= width
    return matches


@njit(cache=True)
def _count_words(bits: Bits, width: int) -> NDArray[np.int64]:
    """Every overlapping word of this width, the end joined to the beginning."""
    seen = np.zeros(1 << width, np.int64)
    mask = (1 << width) - 1
    word = 0
    for i in range(width - 1):
        word = word << 1 | bits[i]
    for i in range(len(bits)):
        word = (word << 1 | bits[(i + width - 1) % len(bits)]) & mask
        seen[word] += 1
    return seen


def serial(bits: Bits, width: int = 16) -> tuple[TestResult, TestResult]:
    """2.11: all words of `width` bits equally often; first and second differences."""
    # Joined end to beginning, the counts of shorter words are sums of the longer ones'.
    counts = [_count_words(bits, width)]
    for _ in range(2):
        counts.append(counts[-1].reshape(-1, 2).sum(axis=1))
    psi = [
        float((seen.astype(np.float64) ** 2).sum()) * len(seen) / len(bits) - len(bits)
        if len(seen) > 1
        else 0.0
        for seen in counts
    ]
    first, second = psi[0] - psi[1], psi[0] - 2 * psi[1] + psi[2]
    return (
        TestResult(first, chi_square_p(first, 2 ** (width - 1))),
        TestResult(second, chi_square_p(second, 2 ** (width - 2))),
    )


def approximate_entropy(bits: Bits, width: int = 10) -> TestResult:
    """2.12: how much one more bit tells after `width` of them."""
    longer = _count_words(bits, width + 1)
    entropies = [
        float((shares := seen[seen > 0] / len(bits)) @ np.log(shares))
        for seen in (longer.reshape(-1, 2).sum(axis=1), longer)
    ]
    statistic = 2 * len(bits) * (math.log(2) - (entropies[0] - entropies[1]))
    return TestResult(statistic, chi_square_p(statistic, 2**width))
