"""From many p-values to one answer: NIST SP 800-22, section 4.2, and a limit on false alarms.

NIST's own two marks are kept for each of the 188 parts: the share of sequences with p >= 0.01 must
not lie more than three standard deviations below 0.99, and the p-values must be uniform (P_T >=
0.0001). But 188 parts have 188 chances to miss a mark by accident, and a perfect generator misses
one in about every second report. So each mark is also turned into an exact chance, and all chances
are judged together (Bonferroni): a fair shuffle is called unfair about once in a thousand reports.
("About": for such small chances P_T raises three times too many alarms with 56 sequences and twice
too many with a hundred; the exact binomial chance raises too few.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import msgspec

from croupier.randomness.special_functions import binomial_tail, chi_square_p

ALPHA: Final = 0.01
"""A sequence passes a test when its p-value is at least this."""
FALSE_ALARM: Final = 0.001
"""How often a perfect shuffle may be called unfair, over the whole report."""

_LEAST_UNIFORM: Final = 0.0001
# 4.2.2: "at least 55 sequences must be processed" for the uniformity to mean something.
_FOR_UNIFORMITY: Final = 55


class PartTally(msgspec.Struct, frozen=True):
    """One part of a test over all sequences.

    `sequences` have a p-value, `passed` of them at least 0.01; NIST requires `least`. `rarity` is
    the probability that no more than `passed` pass; `uniformity` is P_T, if enough sequences were
    judged.
    """

    test: str
    part: str
    sequences: int
    passed: int
    least: int
    rarity: float
    uniformity: float | None

    @property
    def misses_mark(self) -> bool:
        """Whether this part by itself misses one of NIST's two marks."""
        uneven = self.uniformity is not None and self.uniformity < _LEAST_UNIFORM
        return self.passed < self.least or uneven

    @property
    def chances(self) -> list[float]:
        """The p-values by which this part is judged."""
        if not self.sequences:
            return []
        return [self.rarity] if self.uniformity is None else [self.rarity, self.uniformity]


def tally(test: str, part: str, p_values: Sequence[float]) -> PartTally:
    count = len(p_values)
    passed = sum(p >= ALPHA for p in p_values)
    return PartTally(
        test,
        part,
        count,
        passed,
        least_passing(count),
        binomial_tail(count - passed, count, ALPHA) if count else 1.0,
        uniformity(p_values) if count >= _FOR_UNIFORMITY else None,
    )


def least_passing(count: int) -> int:
    """Return the fewest sequences of `count` that may pass (4.2.1): 0.99 less three deviations."""
    if not count:
        return 0
    share = 1 - ALPHA - 3 * math.sqrt(ALPHA * (1 - ALPHA) / count)
    return max(0, math.ceil(share * count))


def uniformity(p_values: Sequence[float]) -> float:
    """Return P_T, Pearson's test on ten equal classes of p-values (4.2.2)."""
    seen = [0] * 10
    for p in p_values:
        seen[min(9, int(p * 10))] += 1
    expected = len(p_values) / 10
    return chi_square_p(sum((count - expected) ** 2 / expected for count in seen), 9)


def expected_misses(part: PartTally) -> float:
    """Return how often a perfect generator would miss one of NIST's marks in this part."""
    if not part.sequences:
        return 0.0
    too_few = binomial_tail(part.sequences - part.least + 1, part.sequences, ALPHA)
    return too_few + (0.0 if part.uniformity is None else _LEAST_UNIFORM)
