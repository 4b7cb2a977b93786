"""All fifteen tests on one sequence: 188 p-values, if the sequence is long enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import log2, sqrt
from typing import Final

import msgspec

from croupier.randomness.bits import Bits
from croupier.randomness.nist import counting, spectral
from croupier.randomness.nist.counting import SequenceResult

LEAST_BITS: Final = 10_000
"""Shorter sequences are too short for the approximations of most tests."""

SECTIONS: Final = {
    "frequency": ("2.1", 100),
    "block frequency": ("2.2", 100),
    "runs": ("2.3", 100),
    "longest run of ones": ("2.4", 128),
    "binary matrix rank": ("2.5", 38_912),
    "spectral (DFT)": ("2.6", 100_000),
    "non-overlapping templates": ("2.7", 100_000),
    "overlapping templates": ("2.8", 1_000_000),
    "Maurer's universal": ("2.9", 387_840),
    "linear complexity": ("2.10", 1_000_000),
    "serial": ("2.11", 10_000),
    "approximate entropy": ("2.12", 10_000),
    "cumulative sums": ("2.13", 100),
    "random excursions": ("2.14", 1_000_000),
    "random excursions variant": ("2.15", 1_000_000),
}
"""Each test's section, and the number of bits that it needs: its "input size recommendation", with
two exceptions. 2.7 has none; here each of the eight blocks expects a pattern about 24 times. 2.6
recommends 1,000, but the number of peaks is whole and its p-values are then too few to be uniform:
at 10,000 bits a perfect generator fails."""


class Part(msgspec.Struct, frozen=True):
    """One p-value of the suite. Random excursions give none if the walk returns too rarely."""

    test: str
    part: str
    outcome: SequenceResult | None


Parts = Iterator[tuple[str, SequenceResult | None]]


def run_suite(bits: Bits) -> list[Part]:
    """Return every p-value that a sequence of this length can give; always the same parts in
    order."""
    return [
        Part(test, part, outcome)
        for test, (_, least) in SECTIONS.items()
        if len(bits) >= least
        for part, outcome in _RUNS[test](bits)
    ]


def _one(test: Callable[[Bits], SequenceResult], bits: Bits) -> Parts:
    yield "", test(bits)


def _templates(bits: Bits) -> Parts:
    yield from counting.non_overlapping(bits).items()


def _serial(bits: Bits) -> Parts:
    # 2.11.7: m < log2(n) - 2
    first, second = counting.serial(bits, min(16, int(log2(len(bits))) - 3))
    yield "first difference", first
    yield "second difference", second


def _approximate_entropy(bits: Bits) -> Parts:
    # 2.12.7: m < log2(n) - 5; a little less, since there the approximation is known to be poor
    yield "", counting.approximate_entropy(bits, min(10, int(log2(len(bits))) - 7))


def _cumulative_sums(bits: Bits) -> Parts:
    yield "forward", counting.cumulative_sums(bits)
    yield "backward", counting.cumulative_sums(bits, backward=True)


def _excursions(
    test: Callable[[Bits], dict[int, SequenceResult]], states: tuple[int, ...], bits: Bits
) -> Parts:
    # 2.14.4(3): fewer cycles, and the chi-square cannot be trusted
    enough = counting.returns(bits) >= max(0.005 * sqrt(len(bits)), 500)
    outcomes = test(bits) if enough else {}
    for state in states:
        yield f"x = {state:+d}", outcomes.get(state)


_RUNS: Final[dict[str, Callable[[Bits], Parts]]] = {
    "frequency": partial(_one, counting.frequency),
    "block frequency": partial(_one, counting.block_frequency),
    "runs": partial(_one, counting.runs),
    "longest run of ones": partial(_one, counting.longest_run),
    "binary matrix rank": partial(_one, spectral.matrix_rank),
    "spectral (DFT)": partial(_one, spectral.spectral),
    "non-overlapping templates": _templates,
    "overlapping templates": partial(_one, counting.overlapping),
    "Maurer's universal": partial(_one, spectral.universal),
    "linear complexity": partial(_one, spectral.linear_complexity),
    "serial": _serial,
    "approximate entropy": _approximate_entropy,
    "cumulative sums": _cumulative_sums,
    "random excursions": partial(_excursions, counting.excursions, counting.STATES),
    "random excursions variant": partial(
        _excursions, counting.excursions_variant, counting.VARIANT_STATES
    ),
}
