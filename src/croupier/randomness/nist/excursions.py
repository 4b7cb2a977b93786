"""Sections 2.14 and 2.15: where the walk of +1 and -1 goes between its returns to zero."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.randomness.bits import Bits
from croupier.randomness.nist.test_result import TestResult
from croupier.randomness.special import chi_square_p, pearson

__all__ = ["STATES", "VARIANT_STATES", "excursions", "excursions_law", "excursions_variant",
           "returns"]  # fmt: skip

STATES: Final = (-4, -3, -2, -1, 1, 2, 3, 4)
VARIANT_STATES: Final = (*range(-9, 0), *range(1, 10))


def returns(bits: Bits) -> int:
    """How many cycles the walk has, from zero to zero; the end counts as a return."""
    return int(_visits(bits)[0])


def excursions(bits: Bits) -> dict[int, TestResult]:
    """2.14: in how many cycles each state is visited 0, 1, 2, 3, 4 times or more."""
    cycles, classes, _ = _visits(bits)
    outcomes = {}
    for state in STATES:
        seen = classes[state + 4].copy()
        seen[0] = cycles - seen[1:].sum()
        statistic = pearson(seen.tolist(), excursions_law(abs(state)))
        outcomes[state] = TestResult(statistic, chi_square_p(statistic, 5))
    return outcomes


@cache
def excursions_law(state: int) -> tuple[float, ...]:
    """3.14: the chances of 0 … 4 visits and of more in one cycle."""
    away = 1 - 1 / (2 * state)
    some = [away ** (k - 1) / (4 * state * state) for k in range(1, 5)]
    return (away, *some, away**4 / (2 * state))


def excursions_variant(bits: Bits) -> dict[int, TestResult]:
    """2.15: how often each state is visited in all."""
    cycles, _, visits = _visits(bits)
    outcomes = {}
    for state in VARIANT_STATES:
        total = int(visits[state + 9])
        away = abs(total - cycles) / math.sqrt(2 * cycles * (4 * abs(state) - 2))
        outcomes[state] = TestResult(float(total), math.erfc(away))
    return outcomes


@njit(cache=True)
def _visits(bits: Bits) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
    """Cycles; per state -4 … 4, cycles by number of visits; per state -9 … 9, visits in all."""
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
