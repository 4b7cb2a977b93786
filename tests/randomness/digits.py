"""Binary digits of numbers, exactly: the sequences on which NIST publishes its p-values."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from croupier.randomness.bits import Bits

__all__ = ["bits", "digits_of_e", "digits_of_pi", "digits_of_root"]

_SPARE = 64


def bits(text: str) -> Bits:
    """'1011' as an array."""
    return np.array([int(digit) for digit in text if digit in "01"], np.uint8)


def _leading(number: int, count: int) -> Bits:
    return bits(bin(number)[2 : 2 + count])


@cache
def digits_of_e(count: int) -> Bits:
    """The sum of 1/k!, by halves so that the numbers stay small as long as possible."""

    def part(first: int, last: int) -> tuple[int, int]:
        if last - first == 1:
            return 1, last
        middle = (first + last) // 2
        (above, below), (more, further) = part(first, middle), part(middle, last)
        return above * further + more, below * further

    terms = 10
    while math.lgamma(terms + 1) / math.log(2) < count + _SPARE:
        terms += terms // 10 + 1
    above, below = part(0, terms)
    return _leading((above + below << count + _SPARE) // below, count)


@cache
def digits_of_pi(count: int) -> Bits:
    """Chudnovsky's series, by halves."""

    def part(first: int, last: int) -> tuple[int, int, int]:
        if last - first == 1:
            p = -(6 * first - 5) * (2 * first - 1) * (6 * first - 1) if first else 1
            q = 10939058860032000 * first**3 if first else 1
            return p, q, p * (13591409 + 545140134 * first)
        middle = (first + last) // 2
        (p1, q1, t1), (p2, q2, t2) = part(first, middle), part(middle, last)
        return p1 * p2, q1 * q2, t1 * q2 + p1 * t2

    precision = count + _SPARE
    _, q, t = part(0, count // 47 + 3)
    return _leading(426880 * math.isqrt(10005 << 2 * precision) * q // t, count)


@cache
def digits_of_root(number: int, count: int) -> Bits:
    return _leading(math.isqrt(number << 2 * (count + _SPARE)), count)
