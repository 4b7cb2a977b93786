"""Sections 2.1 to 2.4, 2.7, 2.8 and 2.11 to 2.15: runs, sums, patterns and walks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.randomness.bits import Bits
from croupier.randomness.special_functions import chi_square_p, normal, pearson


class SequenceResult(NamedTuple):
    statistic: float
    p_value: float


def frequency(bits: Bits) -> SequenceResult:
    """Test 2.1: ones and zeros are equally frequent."""
    total = 2 * int(bits.sum()) - len(bits)
    statistic = abs(total) / math.sqrt(len(bits))
    return SequenceResult(statistic, math.erfc(statistic / math.sqrt(2)))


def block_frequency(bits: Bits, block: int = 128) -> SequenceResult:
    """Test 2.2: ones and zeros are equally frequent in each block."""
    blocks = len(bits) // block
    shares = bits[: blocks * block].reshape(blocks, block).mean(axis=1)
    statistic = float(4 * block * ((shares - 0.5) ** 2).sum())
    return SequenceResult(statistic, chi_square_p(statistic, blocks))


def runs(bits: Bits) -> SequenceResult:
    """Test 2.3: there are as many changes as expected by chance. Fails at once if 2.1 would
    fail."""
    n = len(bits)
    share = float(bits.mean())
    changes = 1 + int((bits[1:] != bits[:-1]).sum())
    if abs(share - 0.5) >= 2 / math.sqrt(n):
        return SequenceResult(float(changes), 0.0)
    spread = share * (1 - share)
    away = abs(changes - 2 * n * spread) / (2 * math.sqrt(2 * n) * spread)
    return SequenceResult(float(changes), math.erfc(away))


# 2.4.2: least n, length of a block, and the classes "at most a", …, "at least b" of its longest run
_LONGEST = ((750_000, 10_000, 10, 16), (6_272, 128, 4, 9), (128, 8, 1, 4))


def longest_run(bits: Bits, chances: Sequence[float] | None = None) -> SequenceResult:
    """Test 2.4: the longest run of ones in each block."""
    block, low, high = next(row[1:] for row in _LONGEST if len(bits) >= row[0])
    blocks = len(bits) // block
    longest = _longest_runs(bits[: blocks * block].reshape(blocks, block))
    seen = np.bincount(np.clip(longest, low, high) - low, minlength=high - low + 1)
    law = longest_run_law(block, low, high) if chances is None else chances
    statistic = pearson(seen.tolist(), law)
    return SequenceResult(statistic, chi_square_p(statistic, high - low))


@cache
def longest_run_law(block: int, low: int, high: int) -> tuple[float, ...]:
    """Return the exact probabilities, by counting the words without a run longer than r."""
    at_most = [_words_without(block, r) / (1 << block) for r in range(low, high)]
    ends = [0.0, *at_most, 1.0]
    return tuple(after - before for before, after in pairwise(ends))


def _words_without(length: int, most: int) -> int:
    """Return the number of words of this length whose runs of ones have at most `most`: each ends
    in 0, 01, 011, …"""
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


def cumulative_sums(bits: Bits, *, backward: bool = False) -> SequenceResult:
    """Test 2.13: how far the walk of +1 and -1 strays from zero."""
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
    return SequenceResult(furthest / root, min(1.0, max(0.0, p_value)))


@cache
def aperiodic(width: int) -> tuple[int, ...]:
    """Return the patterns that cannot overlap themselves; 148 of nine bits."""

    def clear(pattern: int) -> bool:
        return all(pattern >> k != pattern & (1 << width - k) - 1 for k in range(1, width))

    return tuple(pattern for pattern in range(1 << width) if clear(pattern))


def non_overlapping(bits: Bits, width: int = 9, blocks: int = 8) -> dict[str, SequenceResult]:
    """Test 2.7: each aperiodic pattern occurs in each block as often as expected by chance."""
    size = len(bits) // blocks
    seen = _count_apart(bits[: blocks * size].reshape(blocks, size), width)
    mean = (size - width + 1) / 2**width
    variance = size * (1 / 2**width - (2 * width - 1) / 2 ** (2 * width))
    statistics = ((seen - mean) ** 2 / variance).sum(axis=0)
    return {
        f"{pattern:0{width}b}": SequenceResult(
            float(statistics[pattern]), chi_square_p(float(statistics[pattern]), blocks)
        )
        for pattern in aperiodic(width)
    }


@njit(cache=True)
def _count_apart(blocks: Bits, width: int) -> NDArray[np.int64]:
    """Count all patterns in one pass: after a match, a pattern's window jumps over it."""
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
) -> SequenceResult:
    """Test 2.8: how often a run of `width` ones begins in each block; matches may overlap."""
    blocks = len(bits) // block
    matches = _count_ones_runs(bits[: blocks * block].reshape(blocks, block), width)
    seen = np.bincount(np.minimum(matches, 5), minlength=6)
    law = overlapping_law(width, block) if chances is None else chances
    statistic = pearson(seen.tolist(), law)
    return SequenceResult(statistic, chi_square_p(statistic, 5))


@cache
def overlapping_law(width: int, block: int) -> tuple[float, ...]:
    """Return the exact probabilities of 0, 1, 2, 3, 4 and more matches: state by state, bit by
    bit."""
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
    """Count every overlapping word of this width, the end joined to the beginning."""
    seen = np.zeros(1 << width, np.int64)
    mask = (1 << width) - 1
    word = 0
    for i in range(width - 1):
        word = word << 1 | bits[i]
    for i in range(len(bits)):
        word = (word << 1 | bits[(i + width - 1) % len(bits)]) & mask
        seen[word] += 1
    return seen


def serial(bits: Bits, width: int = 16) -> tuple[SequenceResult, SequenceResult]:
    """Test 2.11: all words of `width` bits are equally frequent; first and second differences."""
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
        SequenceResult(first, chi_square_p(first, 2 ** (width - 1))),
        SequenceResult(second, chi_square_p(second, 2 ** (width - 2))),
    )


def approximate_entropy(bits: Bits, width: int = 10) -> SequenceResult:
    """Test 2.12: how much information one more bit has after `width` of them."""
    longer = _count_words(bits, width + 1)
    entropies = [
        float((shares := seen[seen > 0] / len(bits)) @ np.log(shares))
        for seen in (longer.reshape(-1, 2).sum(axis=1), longer)
    ]
    statistic = 2 * len(bits) * (math.log(2) - (entropies[0] - entropies[1]))
    return SequenceResult(statistic, chi_square_p(statistic, 2**width))


STATES: Final = (-4, -3, -2, -1, 1, 2, 3, 4)
VARIANT_STATES: Final = (*range(-9, 0), *range(1, 10))


def returns(bits: Bits) -> int:
    """Return the number of cycles of the walk, from zero to zero; the end counts as a return."""
    return int(_visits(bits)[0])


def excursions(bits: Bits) -> dict[int, SequenceResult]:
    """Test 2.14: in how many cycles each state is visited 0, 1, 2, 3, 4 times or more."""
    cycles, classes, _ = _visits(bits)
    outcomes = {}
    for state in STATES:
        seen = classes[state + 4].copy()
        seen[0] = cycles - seen[1:].sum()
        statistic = pearson(seen.tolist(), excursions_law(abs(state)))
        outcomes[state] = SequenceResult(statistic, chi_square_p(statistic, 5))
    return outcomes


@cache
def excursions_law(state: int) -> tuple[float, ...]:
    """Return the probabilities of 0 to 4 visits and of more in one cycle (3.14)."""
    away = 1 - 1 / (2 * state)
    some = [away ** (k - 1) / (4 * state * state) for k in range(1, 5)]
    return (away, *some, away**4 / (2 * state))


def excursions_variant(bits: Bits) -> dict[int, SequenceResult]:
    """Test 2.15: how often each state is visited in all."""
    cycles, _, visits = _visits(bits)
    outcomes = {}
    for state in VARIANT_STATES:
        total = int(visits[state + 9])
        away = abs(total - cycles) / math.sqrt(2 * cycles * (4 * abs(state) - 2))
        outcomes[state] = SequenceResult(float(total), math.erfc(away))
    return outcomes


@njit(cache=True)
def _visits(bits: Bits) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Return the number of cycles; for each state from -4 to 4, the cycles by number of visits; and
    for each state from -9 to 9, all visits."""
    classes = np.zeros((9, 6), np.int64)
    visits = np.zeros(19, np.int64)
    here = np.zeros(9, np.int64)
    cycles = 0
    at = 0
    for i in range(len(bits)):
        at += 1 if bits[i] else -1
        if -9 <= at <= 9:
            visits[at + 9] += 1
        if -4 <= at <= 4:
            here[at + 4] += 1
        if at == 0 or i == len(bits) - 1:
            cycles += 1
            for state in range(9):
                classes[state, min(here[state], 5)] += 1
                here[state] = 0
    return cycles, classes, visits
