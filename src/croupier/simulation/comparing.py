"""Compare a sample with exact values: mean, standard error and z-score of every wager."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, Final

import msgspec

from croupier.errors import CroupierError
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.text import open_strategy
from croupier.mathematics.questions.strategy_prices import price_of
from croupier.rulebooks.rules import Rules
from croupier.runtime.players import is_saved
from croupier.simulation.playing import MAIN, RunTotals, WagerTotals
from croupier.simulation.run_setting import Setting

TOO_FAR: Final = 5.0
"""A larger z-score happens by chance once in 1.7 million comparisons."""

_SKEWED: Final = 1.0


class Comparison(msgspec.Struct, frozen=True):
    """One wager's sampled and exact value per unit of its stake; for `main`, per unit of one
    required wager. If `exact` is None, `reason` says why."""

    wager: str
    stake: int
    hands: int
    net: int
    mean: float
    error: float
    exact: float | None
    z: float | None
    hangs_on_few: bool = False
    """Most of the value is in rare hands that this run seldom met, so z says little."""
    forgone: int = 0
    reason: str = ""

    @property
    def is_too_far(self) -> bool:
        return self.z is not None and abs(self.z) > TOO_FAR and not self.hangs_on_few


class _Exact(msgspec.Struct, frozen=True):
    value: float | None = None
    deviation: float | None = None
    skewness: float = 0.0
    reason: str = ""


def compare(tally: RunTotals, setting: Setting, rules: Rules) -> tuple[Comparison, ...]:
    """Return the comparison of `main`, then of every wager played; the parts of `main` have no
    exact value of their own."""
    known = (*rules.book.wagers, *rules.book.bonuses)
    names = [MAIN, *(name for name in known if name in tally.wagers)]
    return tuple(_compared(name, tally, setting, rules) for name in names)


def _compared(name: str, tally: RunTotals, setting: Setting, rules: Rules) -> Comparison:
    sums = tally.wagers[name]
    stake = _unit(name, setting, rules)
    exact = _exact(name, tally, setting, rules)
    mean = sums.net / (tally.rounds * setting.seats * stake)
    single = sums.squares / (tally.rounds * setting.seats * stake**2) - mean**2
    error = _error_of_rounds(sums, tally.rounds) / (setting.seats * stake)
    spread = error**2 * tally.rounds * setting.seats
    effect = spread / single if single > 0 else 1.0
    if exact.deviation is not None:
        # The sample may have missed rare hands that cause most of the variance.
        error = max(error, exact.deviation * sqrt(effect / (tally.rounds * setting.seats)))
    z = (mean - exact.value) / error if exact.value is not None and error else None
    skewness = exact.skewness * sqrt(effect / (tally.rounds * setting.seats))
    return Comparison(
        name,
        stake,
        sums.hands,
        sums.net,
        mean,
        error,
        exact.value,
        z,
        hangs_on_few=abs(skewness) > _SKEWED,
        forgone=sums.forgone,
        reason=exact.reason,
    )


def _unit(name: str, setting: Setting, rules: Rules) -> int:
    """Return the stake, in cents, that counts as one unit: the wager's own, or one required
    wager's."""
    return setting.wagers.get(name) or setting.wagers[rules.required[0]]


def _error_of_rounds(sums: WagerTotals, rounds: int) -> float:
    """Return the standard error of the mean result of a round, in cents, summed over the seats."""
    if rounds < 2:
        return 0.0
    variance = Fraction(sums.round_squares * rounds - sums.net**2, rounds * (rounds - 1))
    return sqrt(variance / rounds)


def _exact(name: str, tally: RunTotals, setting: Setting, rules: Rules) -> _Exact:
    bonus = rules.book.bonuses.get(name)
    wager = rules.book.wagers.get(name if bonus is None else bonus.on)
    if wager is not None and wager.role != "optional":
        return _Exact(reason="part of main")
    if bonus is not None:
        return _Exact(reason=f"paid besides {bonus.on}")
    try:
        if name == MAIN:
            return _exact_main(setting, rules)
        return _exact_side(name, tally, setting, rules)
    except CroupierError as error:
        return _Exact(reason=error.message)


def _exact_main(setting: Setting, rules: Rules) -> _Exact:
    if len({setting.wagers[name] for name in rules.required}) > 1:
        return _Exact(reason="the required wagers are not equal")
    if setting.strategy == "optimal":
        figures = analyze(rules, "main")
        return _of_figures(figures, Fraction(str(figures["expected_value_exact"])))
    if setting.strategy in ("random", "first"):
        return _Exact(reason=f"not computed for the strategy {setting.strategy!r}")
    if is_saved(setting.strategy):
        return _Exact(reason="not computed for a saved strategy: name its text")
    plan = open_strategy(setting.strategy, solver_for(rules).choices())
    price = price_of(rules, plan, mistakes=0)
    return _Exact(float(price.value), price.standard_deviation)


def _exact_side(name: str, tally: RunTotals, setting: Setting, rules: Rules) -> _Exact:
    if rules.book.wagers[name].after_fold == "loses" and setting.strategy != "optimal":
        return _Exact(reason="lost with a fold: exact for the best play only")

    def value(meters: Mapping[str, int] | None) -> tuple[dict[str, Any], Fraction]:
        query = Asked(
            stakes={name: setting.wagers[name]},
            meters=meters,
            others=setting.seats - 1,
            hands=setting.seats + (rules.book.dealer is not None),
        )
        figures = analyze(rules, name, query)
        return figures, Fraction(str(figures["expected_value_exact"]))

    figures, at_reset = value(None)
    exact = at_reset
    for meter in figures.get("meters", {}):
        # The value is linear in the reading of a meter, so the mean reading over the rounds is
        # enough.
        reset = rules.resets[meter]
        _, higher = value({meter: reset + 10_000_000})
        mean_reading = Fraction(tally.readings[meter], tally.rounds)
        exact += (higher - at_reset) * (mean_reading - reset) / 10_000_000
    return _of_figures(figures, exact)


def _of_figures(figures: Mapping[str, Any], value: Fraction) -> _Exact:
    deviation = figures["standard_deviation"]
    if not deviation or figures["outcomes"] is None:
        return _Exact(float(value), deviation)
    nets = [
        (float(o["net"] if "net" in o else Fraction(o["pays"]["net"])), o["probability"])
        for o in figures["outcomes"]
    ]
    mean = sum(net * share for net, share in nets)
    third = sum((net - mean) ** 3 * share for net, share in nets)
    return _Exact(float(value), deviation, third / deviation**3)
