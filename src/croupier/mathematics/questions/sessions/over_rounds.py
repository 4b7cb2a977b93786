"""Many rounds of the same wagers: the distribution of the sum, and what can be read from it.

Nets are multiples of a common step, so sums of rounds are convolutions on a lattice. Few rounds are
added in integers, without any error. More are added in floating point, within a window beyond which
lies less than 1e-15 of all probability (Chernoff's bound). A small window is filled by repeated
squaring: every number is at least 0, so nothing cancels, and a convolution of m terms is off by at
most m units in the last place of each sum. A large one is filled at once: the n-th power of one
round's Fourier transform. If a value z of the transform is off by d, its power is off by
n * |z|**(n-1) * d, and no sum of probabilities by more than the sum of that over all frequencies;
few frequencies have a power above 0. `error` adds all of this up: no probability read from the
distribution is wrong by more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, log, log2, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from croupier.errors import BadRequest

Floats = npt.NDArray[np.float64]
PERCENTILES: Final = (1, 5, 10, 25, 50, 75, 90, 95, 99)
MOST_ROUNDS: Final = 1_000_000
_EXACT_WORK: Final = 2_000_000
_DIRECT_WORK: Final = 50_000_000
_LONGEST: Final = 1 << 25
_CUT: Final = 1e-15
_ULP: Final = 2.0**-53
_TINY: Final = 1e-200


def mean_of(nets: Mapping[int, int]) -> Fraction:
    """Return the mean net of one round, in cents."""
    return Fraction(sum(net * deals for net, deals in nets.items()), sum(nets.values()))


def variance_of(nets: Mapping[int, int]) -> Fraction:
    squares = Fraction(sum(net * net * deals for net, deals in nets.items()), sum(nets.values()))
    return squares - mean_of(nets) ** 2


@dataclass(frozen=True)
class SessionSums:
    """The distribution of the sum of n rounds: probabilities of net = first + i * step cents, for i
    from 0. `exact` holds the same in integers if there are few rounds."""

    rounds: int
    mean: Fraction
    variance: Fraction
    first: int
    step: int
    chances: Floats
    error: float
    exact: dict[int, int] | None = None

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def nets(self) -> npt.NDArray[np.int64]:
        return self.first + self.step * np.arange(len(self.chances), dtype=np.int64)

    def ahead(self) -> float:
        return float(self.chances[self.nets > 0].sum())

    def even(self) -> float:
        return float(self.chances[self.nets == 0].sum())

    def behind(self) -> float:
        return float(self.chances[self.nets < 0].sum())

    def exactly_ahead(self) -> Fraction | None:
        if self.exact is None:
            return None
        won = sum(deals for net, deals in self.exact.items() if net > 0)
        return Fraction(won, sum(self.exact.values()))

    def percentile(self, percent: float) -> int:
        """Return the least net, in cents, that is not exceeded in `percent` of a hundred
        sessions."""
        if not 0 < percent < 100:
            raise BadRequest(f"a percentile lies between 0 and 100, not at {percent}")
        reached = np.cumsum(self.chances)
        place = int(np.searchsorted(reached, percent / 100 * reached[-1] * (1 - 4 * _ULP)))
        return int(self.nets[min(place, len(reached) - 1)])

    def certain_percentile(self, percent: float) -> int | None:
        """Return the percentile if `error` leaves no doubt about it, or else None."""
        amount, wanted = self.percentile(percent), percent / 100
        place = (amount - self.first) // self.step
        below = float(self.chances[:place].sum())
        if below + self.error < wanted <= below + float(self.chances[place]) - self.error:
            return amount
        return None


def sums_over(
    nets: Mapping[int, int], rounds: int, *, most: int = MOST_ROUNDS, longest: int = _LONGEST
) -> SessionSums:
    """Return the distribution of the sum of `rounds` independent rounds, on at most `longest`
    steps."""
    if not 1 <= rounds <= most:
        raise BadRequest(f"a session has 1 to {most:,} rounds, not {rounds}")
    lattice = gcd(*nets) or 1
    mean, variance = mean_of(nets) * rounds, variance_of(nets) * rounds
    width = (max(nets) - min(nets)) // lattice + 1
    if len(nets) * min(width, len(nets) ** min(max(rounds - 1, 1), 99)) * rounds**2 <= _EXACT_WORK:
        exact = _exactly(nets, rounds)
        first, chances = _dense(exact, lattice)
        error = len(exact) * _ULP
        return SessionSums(rounds, mean, variance, first, lattice, chances, error, exact)
    low, high = _window(nets, rounds, lattice)
    if high - low >= longest:
        raise _too_fine()
    if (high - low + 1) ** 2 <= _DIRECT_WORK:
        power = _power(_Window(*_dense_units(nets, lattice), _ULP), rounds)
    else:
        power = _by_fourier(nets, rounds, lattice, low, high)
    first = power.first * lattice
    return SessionSums(rounds, mean, variance, first, lattice, power.chances, power.error)


def _window(nets: Mapping[int, int], rounds: int, lattice: int) -> tuple[int, int]:
    """Return two sums, in steps, between which all probability lies but `_CUT` on each side.

    For every t > 0 the chance of a sum of at least a is at most exp(n * K(t) - t * a), with K the
    logarithm of the mean of exp(t * net): each t gives a bound, and the best of many is taken.
    """
    values = np.array([net // lattice for net in nets], dtype=np.float64)
    total = sum(nets.values())
    chances = np.array([deals / total for deals in nets.values()])
    wide = float(values.max() - values.min()) or 1.0
    tilts = np.geomspace(1e-6 / wide, 60.0, 400)

    def highest(values: Floats) -> float:
        top = values.max()
        tilted = np.exp(tilts[:, None] * (values - top)[None, :]) @ chances
        means = np.log(np.maximum(tilted, _TINY)) + tilts * top
        return float(((rounds * means - log(_CUT)) / tilts).min())

    low, high = -highest(-values), highest(values)
    least, most = rounds * int(values.min()), rounds * int(values.max())
    return max(floor(low), least), min(ceil(high), most)


def _exactly(nets: Mapping[int, int], rounds: int) -> dict[int, int]:
    """Return the distribution in integers; a common divisor of the counts is divided out first."""
    common = gcd(*nets.values())
    single = {net: deals // common for net, deals in nets.items()}
    total = {0: 1}
    for _ in range(rounds):
        grown: dict[int, int] = {}
        for net, deals in total.items():
            for more, times in single.items():
                grown[net + more] = grown.get(net + more, 0) + deals * times
        total = grown
    return dict(sorted(total.items()))


def _dense(nets: Mapping[int, int], lattice: int) -> tuple[int, Floats]:
    start, chances = _dense_units(nets, lattice)
    return start * lattice, chances


def _dense_units(nets: Mapping[int, int], lattice: int) -> tuple[int, Floats]:
    start, stop = min(nets) // lattice, max(nets) // lattice
    if stop - start >= _LONGEST:
        raise _too_fine()
    chances = np.zeros(stop - start + 1)
    total = sum(nets.values())
    for net, deals in nets.items():
        chances[net // lattice - start] = deals / total
    return start, chances


@dataclass(frozen=True)
class _Window:
    """Probabilities of first, first + 1, ...; together they are wrong by at most `error`."""

    first: int
    chances: Floats
    error: float

    def plus(self, window: _Window) -> _Window:
        """Return the sum of two independent windows, its far ends cut off."""
        a, b = self.chances, window.chances
        both = np.convolve(a, b)
        added = (min(len(a), len(b)) + 2) * _ULP
        both[both < _TINY] = 0.0  # numbers this small slow a processor down a hundredfold
        reached = np.cumsum(both)
        beyond = np.cumsum(both[::-1])
        low = int(np.searchsorted(reached, _CUT))
        high = len(both) - int(np.searchsorted(beyond, _CUT))
        error = self.error + window.error + added + 2 * _CUT
        return _Window(self.first + window.first + low, both[low:high], error)


def _by_fourier(nets: Mapping[int, int], rounds: int, lattice: int, low: int, high: int) -> _Window:
    """Return the window from `low` to `high` at once; what lies outside is folded into it."""
    length = high - low + 1
    size = 1 << (length - 1).bit_length()
    single = np.zeros(size)
    total = sum(nets.values())
    for net, deals in nets.items():
        single[net // lattice % size] += deals / total
    transform = np.fft.rfft(single)
    powers = transform**rounds
    chances = np.roll(np.fft.irfft(powers, size), -(low % size))[:length]
    off = (4 * log2(size) + 8) * _ULP
    by_power = 2 * rounds * off * float((np.abs(transform) ** (rounds - 1)).sum())
    by_inverse = 4 * log2(size) * _ULP * float(np.linalg.norm(chances)) * sqrt(length)
    return _Window(low, np.maximum(chances, 0.0), by_power + by_inverse + 4 * _CUT)


def _power(base: _Window, rounds: int) -> _Window:
    result: _Window | None = None
    while True:
        if rounds & 1:
            result = base if result is None else result.plus(base)
        rounds >>= 1
        if not rounds:
            assert result is not None
            return result
        base = base.plus(base)


def _too_fine() -> BadRequest:
    return BadRequest(
        "these amounts have too small a common step for this many rounds: choose stakes and meters "
        "in whole dollars, or fewer rounds"
    )


def histogram(sums: SessionSums, bars: int) -> Sequence[tuple[int, int, float]]:
    """Return (from, to, probability): equal intervals over the middle 98 percent; the two end
    intervals include the tails."""
    low, high = sums.percentile(1), sums.percentile(99)
    wide = max(-(-(high - low + sums.step) // bars), sums.step)
    wide = -(-wide // sums.step) * sums.step
    places = np.clip((sums.nets - low) // wide, 0, bars - 1)
    chances = np.bincount(places, weights=sums.chances, minlength=bars)
    return [
        (low + bar * wide, low + (bar + 1) * wide - sums.step, float(chance))
        for bar, chance in enumerate(chances.tolist())
    ]
