"""Sections 2.5, 2.6, 2.9 and 2.10: structure that repeats, can be compressed or can be
predicted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.randomness.bits import Bits
from croupier.randomness.nist.counting import SequenceResult
from croupier.randomness.special_functions import chi_square_p, pearson

Words = NDArray[np.uint64]


def matrix_rank(
    bits: Bits, size: int = 32, chances: Sequence[float] | None = None
) -> SequenceResult:
    """Test 2.5: the ranks, over two elements, of square matrices filled row by row."""
    area = size * size
    matrices = len(bits) // area
    rows = bits[: matrices * area].reshape(matrices, size, size)
    ranks = _ranks(rows)
    full, one_less = int((ranks == size).sum()), int((ranks == size - 1).sum())
    seen = [full, one_less, matrices - full - one_less]
    statistic = pearson(seen, rank_law(size) if chances is None else chances)
    return SequenceResult(statistic, chi_square_p(statistic, 2))


@cache
def rank_law(size: int) -> tuple[float, float, float]:
    """Return the probabilities of full rank, of one less, and of lower ranks (3.5)."""

    def chance(rank: int) -> float:
        product = 2.0 ** (rank * (2 * size - rank) - size * size)
        for i in range(rank):
            product *= (1 - 2.0 ** (i - size)) ** 2 / (1 - 2.0 ** (i - rank))
        return product

    full, one_less = chance(size), chance(size - 1)
    return full, one_less, 1 - full - one_less


@njit(cache=True)
def _ranks(matrices: Bits) -> NDArray[np.int64]:
    count, size, _ = matrices.shape
    ranks = np.zeros(count, np.int64)
    rows = np.zeros(size, np.uint64)
    for which in range(count):
        for i in range(size):
            rows[i] = 0
            for j in range(size):
                rows[i] = (rows[i] << np.uint64(1)) | np.uint64(matrices[which, i, j])
        rank = 0
        for column in range(size):
            bit = np.uint64(1) << np.uint64(column)
            for i in range(rank, size):
                if rows[i] & bit:
                    rows[i], rows[rank] = rows[rank], rows[i]
                    for below in range(rank + 1, size):
                        if rows[below] & bit:
                            rows[below] ^= rows[rank]
                    rank += 1
                    break
        ranks[which] = rank
    return ranks


def spectral(bits: Bits) -> SequenceResult:
    """Test 2.6: too many or too few high peaks in the discrete Fourier transform."""
    n = len(bits)
    peaks = np.abs(np.fft.rfft(bits.astype(np.float64) * 2 - 1))[: n // 2]
    low = int((peaks < math.sqrt(math.log(1 / 0.05) * n)).sum())
    statistic = (low - 0.95 * n / 2) / math.sqrt(n * 0.95 * 0.05 / 4)
    return SequenceResult(statistic, math.erfc(abs(statistic) / math.sqrt(2)))


# 2.9.4 and 2.9.7: least n, L, expected value and variance of one block's term.
_UNIVERSAL: Final = (
    (1_059_061_760, 16, 15.167379, 3.421),
    (496_435_200, 15, 14.167488, 3.419),
    (231_669_760, 14, 13.167693, 3.416),
    (107_560_960, 13, 12.168070, 3.410),
    (49_643_520, 12, 11.168765, 3.401),
    (22_753_280, 11, 10.170032, 3.384),
    (10_342_400, 10, 9.1723243, 3.356),
    (4_654_080, 9, 8.1764248, 3.311),
    (2_068_480, 8, 7.1836656, 3.238),
    (904_960, 7, 6.1962507, 3.125),
    (387_840, 6, 5.2177052, 2.954),
)


def universal(bits: Bits) -> SequenceResult:
    """Test 2.9, Maurer's: how long ago each block was last seen, as a measure of
    compressibility."""
    width, expected, variance = next(row[1:] for row in _UNIVERSAL if len(bits) >= row[0])
    first = 10 * 2**width
    statistic = universal_statistic(bits, width, first)
    counted = len(bits) // width - first
    factor = 0.7 - 0.8 / width + (4 + 32 / width) * counted ** (-3 / width) / 15
    sigma = factor * math.sqrt(variance / counted)
    return SequenceResult(statistic, math.erfc(abs(statistic - expected) / (math.sqrt(2) * sigma)))


def universal_statistic(bits: Bits, width: int, first: int) -> float:
    """Return the mean of log2(distance) after `first` blocks that only fill the table."""
    blocks = len(bits) // width
    total = _distances(bits[: blocks * width].reshape(blocks, width), first)
    return total / (blocks - first)


@njit(cache=True)
def _distances(blocks: Bits, first: int) -> float:
    last_seen = np.zeros(1 << blocks.shape[1], np.int64)
    total = 0.0
    for i in range(len(blocks)):
        word = 0
        for bit in blocks[i]:
            word = word << 1 | bit
        if i >= first:
            total += math.log2(i + 1 - last_seen[word])
        last_seen[word] = i + 1
    return total


def linear_complexity(
    bits: Bits, block: int = 500, chances: Sequence[float] | None = None
) -> SequenceResult:
    """Test 2.10: the shortest feedback register that makes each block (Berlekamp and Massey)."""
    blocks = len(bits) // block
    lengths = _complexities(bits[: blocks * block].reshape(blocks, block))
    seen = np.bincount(_complexity_class(lengths, block), minlength=7)
    statistic = pearson(seen.tolist(), complexity_law(block) if chances is None else chances)
    return SequenceResult(statistic, chi_square_p(statistic, 6))


def complexity_of(bits: Bits) -> int:
    """Return the length of the shortest linear feedback register for these bits."""
    return int(_complexities(bits.reshape(1, -1))[0])


def _complexity_class(lengths: NDArray[np.int64], block: int) -> NDArray[np.int64]:
    """Return the class, 0 to 6, by the T of 2.10.4(5)."""
    sign = -1 if block % 2 else 1
    mean = block / 2 + (9 - sign) / 36 - (block / 3 + 2 / 9) / 2.0**block
    distances = sign * (lengths - mean) + 2 / 9
    return np.searchsorted([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5], distances)


@cache
def complexity_law(block: int) -> tuple[float, ...]:
    """Return the exact probabilities: 2^min(2n - 2L, 2L - 1) words of n bits have complexity L > 0,
    and one has 0."""
    lengths = np.arange(block + 1)
    classes = _complexity_class(lengths, block)
    chances = [0.0] * 7
    for length in range(block + 1):
        exponent = min(2 * block - 2 * length, 2 * length - 1) if length else 0
        chances[classes[length]] += 2.0 ** (exponent - block)
    return tuple(chances)


@njit(cache=True)
def _complexities(blocks: Bits) -> NDArray[np.int64]:
    """Run Berlekamp and Massey's algorithm on polynomials packed into words of 64 coefficients."""
    count, size = blocks.shape
    complexities = np.zeros(count, np.int64)
    words = size // 64 + 1
    register, older, window = np.zeros((3, words), np.uint64)
    for which in range(count):
        register[:], older[:], window[:] = 0, 0, 0
        register[0] = older[0] = 1
        length = 0
        for n in range(size):
            _shift_in(window, np.uint64(blocks[which, n]))
            _shift_in(older, np.uint64(0))
            if not _parity(register, window):
                continue
            grows = 2 * length <= n
            for i in range(words):
                before = register[i]
                register[i] ^= older[i]
                if grows:
                    older[i] = before
            if grows:
                length = n + 1 - length
        complexities[which] = length
    return complexities


@njit(cache=True)
def _shift_in(words: Words, carry: np.uint64) -> None:
    """Multiply by x and add the carry."""
    for i in range(len(words)):
        top = words[i] >> np.uint64(63)
        words[i] = words[i] << np.uint64(1) | carry
        carry = top


@njit(cache=True)
def _parity(first: Words, second: Words) -> bool:
    folded = np.uint64(0)
    for i in range(len(first)):
        folded ^= first[i] & second[i]
    for shift in (32, 16, 8, 4, 2, 1):
        folded ^= folded >> np.uint64(shift)
    return bool(folded & np.uint64(1))
