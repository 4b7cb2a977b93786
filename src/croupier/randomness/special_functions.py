"""Special functions for the tests that are not in the standard library."""

from __future__ import annotations

import math
from collections.abc import Sequence

from croupier.errors import CroupierError

_TINY = 1e-300
_ENOUGH = 1e-15
# Both expansions need about √a terms; the largest a here is 2^14 (the serial test).
_MOST_TERMS = 100_000


def gamma_q(a: float, x: float) -> float:
    """Return the upper incomplete gamma function Q(a, x), which NIST calls igamc."""
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return max(0.0, 1.0 - front * _series(a, x))
    return front * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1.0 / a
    for k in range(1, _MOST_TERMS):
        term *= x / (a + k)
        total += term
        if term < total * _ENOUGH:
            return total
    raise CroupierError(f"Q({a}, {x}) does not converge", code="internal")


def _fraction(a: float, x: float) -> float:
    """Return the continued fraction, evaluated by Lentz's method."""
    b = x + 1.0 - a
    c = 1.0 / _TINY
    d = value = 1.0 / b
    for k in range(1, _MOST_TERMS):
        factor = -k * (k - a)
        b += 2.0
        d = 1.0 / (factor * d + b or _TINY)
        c = b + factor / c or _TINY
        value *= d * c
        if abs(d * c - 1.0) < _ENOUGH:
            return value
    raise CroupierError(f"Q({a}, {x}) does not converge", code="internal")


def chi_square_p(statistic: float, freedom: float) -> float:
    """Return the probability of a chi-square at least as large by chance."""
    return gamma_q(freedom / 2.0, statistic / 2.0)


def pearson(observed: Sequence[int], chances: Sequence[float]) -> float:
    """Return the sum of (observed - expected)² / expected over the cells."""
    count = sum(observed)
    return sum(
        (seen - count * chance) ** 2 / (count * chance)
        for seen, chance in zip(observed, chances, strict=True)
    )


def normal(x: float) -> float:
    """Return the distribution function of the standard normal law."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def binomial_tail(at_least: int, count: int, chance: float) -> float:
    """Return the probability of `at_least` successes or more, added from the smallest term up."""
    log_yes, log_no = math.log(chance), math.log1p(-chance)
    terms = (
        math.exp(
            math.lgamma(count + 1)
            - math.lgamma(k + 1)
            - math.lgamma(count - k + 1)
            + k * log_yes
            + (count - k) * log_no
        )
        for k in range(count, at_least - 1, -1)
    )
    return 1.0 if at_least <= 0 else min(1.0, math.fsum(terms))
