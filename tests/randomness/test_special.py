"""Special functions against closed forms."""

from __future__ import annotations

import math

import pytest

from croupier.randomness.special_functions import binomial_tail, chi_square_p, gamma_q, normal


@pytest.mark.parametrize("x", [0.0, 0.01, 0.5, 1.0, 2.0, 3.0, 10.0, 50.0, 300.0])
def test_gamma_q_where_it_is_elementary(x: float) -> None:
    assert gamma_q(1, x) == pytest.approx(math.exp(-x), rel=1e-12)
    assert gamma_q(0.5, x) == pytest.approx(math.erfc(math.sqrt(x)), rel=1e-12)
    poisson = math.fsum(math.exp(-x) * x**k / math.factorial(k) for k in range(8))
    assert gamma_q(8, x) == pytest.approx(poisson, rel=1e-11)


@pytest.mark.parametrize("a", [1300.5, 16384.0])
def test_gamma_q_for_many_degrees_of_freedom(a: float) -> None:
    """Wilson and Hilferty's cube root, good to four digits here; monotone; its far ends."""
    for x in (a - 3 * a**0.5, a, a + 3 * a**0.5):
        cube = 1 - normal(((x / a) ** (1 / 3) - 1 + 1 / (9 * a)) * 3 * math.sqrt(a))
        assert gamma_q(a, x) == pytest.approx(cube, abs=2e-4)
    assert gamma_q(a, 10 * a) == 0.0
    assert gamma_q(a, 0.1 * a) == 1.0


def test_binomial_tail() -> None:
    exact = sum(math.comb(20, k) * 0.3**k * 0.7 ** (20 - k) for k in range(8, 21))
    assert binomial_tail(8, 20, 0.3) == pytest.approx(exact, rel=1e-12)
    assert binomial_tail(0, 20, 0.3) == 1.0
    assert binomial_tail(21, 20, 0.3) == 0.0


def test_chi_square() -> None:
    assert chi_square_p(3.841458820694124, 1) == pytest.approx(0.05, rel=1e-9)
