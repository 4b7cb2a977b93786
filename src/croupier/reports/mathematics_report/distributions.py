"""Figures from a table of outcomes: moments, frequencies, convergence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, sqrt
from typing import Final

from croupier.errors import CroupierError
from croupier.mathematics.questions.sessions.over_rounds import sums_over
from croupier.reports.mathematics_report.record import Convergence, Exact, Moments, OutcomeRow

ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
Z_90: Final = 1.6448536269514722
Z_95: Final = 1.959963984540054
_LONGEST: Final = 1 << 22
"""Rounds are convolved if their sums lie on at most this many steps."""


def outcome_row(
    *, hand: str, how: str, pays: str, net: Fraction, combinations: int, total: int
) -> OutcomeRow:
    chance = Fraction(combinations, total)
    return OutcomeRow(
        hand=hand,
        how=how,
        pays=pays,
        net=Exact.of(net),
        combinations=combinations,
        probability=Exact.of(chance),
        contribution=Exact.of(chance * net),
        true_odds=against(chance),
    )


def against(chance: Fraction) -> str:
    """Return the fair odds against it."""
    if not chance:
        return "never"
    against = 1 / chance - 1
    if against.denominator == 1:
        return f"{against.numerator:,} to 1"
    return f"{float(against):,.{2 if against >= 100 else 4}f} to 1"


def by_net(outcomes: Sequence[OutcomeRow]) -> dict[Fraction, int]:
    """Count the deals by net result, worst first."""
    counts: Counter[Fraction] = Counter()
    for row in outcomes:
        counts[row.net.fraction] += row.combinations
    return dict(sorted(counts.items()))


def moments_of(outcomes: Sequence[OutcomeRow]) -> Moments:
    nets = by_net(outcomes)
    total = sum(nets.values())
    mean = _mean(nets, total)
    variance = _mean(nets, total, 2, mean)
    deviation = sqrt(variance)
    third, fourth = (_mean(nets, total, power, mean) for power in (3, 4))
    common = max(nets, key=lambda net: nets[net])
    best, worst = max(nets), min(nets)

    def share(wanted: int) -> Exact:
        """Return the share of deals that end above (1), at (0), or below (-1) zero."""
        sign = {net: (net > 0) - (net < 0) for net in nets}
        return Exact.of(Fraction(sum(nets[n] for n in nets if sign[n] == wanted), total))

    return Moments(
        combinations=total,
        expected_value=Exact.of(mean),
        house_edge=Exact.of(-mean),
        variance=Exact.of(variance),
        standard_deviation=deviation,
        skewness=float(third) / deviation**3 if deviation else None,
        excess_kurtosis=float(fourth / variance**2) - 3 if variance else None,
        hit_frequency=share(1),
        push_frequency=share(0),
        loss_frequency=share(-1),
        most_common_net=Exact.of(common),
        most_common_frequency=Exact.of(Fraction(nets[common], total)),
        largest_win=Exact.of(best),
        largest_win_frequency=Exact.of(Fraction(nets[best], total)),
        largest_loss=Exact.of(worst),
        volatility_90=Z_90 * deviation,
        volatility_95=Z_95 * deviation,
    )


def _mean(
    nets: Mapping[Fraction, int], total: int, power: int = 1, about: Fraction = Fraction(0)
) -> Fraction:
    return sum(((net - about) ** power * count for net, count in nets.items()), Fraction(0)) / total


def convergence_of(outcomes: Sequence[OutcomeRow], moments: Moments) -> tuple[Convergence, ...]:
    """Return the intervals by normal approximation, and the exact ones if they are within reach."""
    nets = by_net(outcomes)
    mean, deviation = moments.expected_value.value, moments.standard_deviation
    rows = []
    for rounds in ROUNDS:
        reach = Z_95 * deviation / sqrt(rounds)
        counted = counted_interval(nets, rounds)
        low, high = counted if counted is not None else (None, None)
        rows.append(
            Convergence(
                rounds=rounds, low=mean - reach, high=mean + reach, exact_low=low, exact_high=high
            )
        )
    return tuple(rows)


def counted_interval(nets: Mapping[Fraction, int], rounds: int) -> tuple[float, float] | None:
    """Return the exact 95% interval of the mean of n rounds, by convolution."""
    scale = lcm(*(net.denominator for net in nets))
    units = {int(net * scale): count for net, count in nets.items() if count}
    try:
        sums = sums_over(units, rounds, most=max(ROUNDS), longest=_LONGEST)
    except CroupierError:
        return None
    low, high = (sums.certain_percentile(percent) for percent in (2.5, 97.5))
    if low is None or high is None:
        return None
    return low / (rounds * scale), high / (rounds * scale)
