"""Progressives: seeds, rates, how often a meter pays, where it breaks even, what it owes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.errors import Unsolvable
from croupier.mathematics.model import MeterFigures, WagerAnalysis
from croupier.money import parse_cents
from croupier.reports.mathematics_report.record import EnvyRow, Exact, Meter, Progressive
from croupier.reports.mathematics_report.source import Source
from croupier.reports.mathematics_report.wager_figures import side_analysis
from croupier.reports.phrases import called, sentence
from croupier.rulebooks.submission import MeterTerms

__all__ = ["progressives_of"]


def progressives_of(source: Source) -> Iterator[Progressive]:
    for wager in source.sides:
        try:
            found = side_analysis(source.rules, wager, 2)
        except Unsolvable:
            continue
        if found.is_progressive:
            yield _progressive(source, found)


def _progressive(source: Source, found: WagerAnalysis) -> Progressive:
    book = source.rules.book
    stated = source.submission.progressive.meters
    rates = {name: _rate(stated.get(name)) for name in found.meters}
    known = {name: rate for name, rate in rates.items() if rate is not None}
    missing = ""
    if len(known) < len(rates):
        missing = (
            "the share of each stake that feeds a meter is the operator's to state, and neither a "
            "submission nor --contribution states it"
        )
    meters = tuple(
        _meter(one, stated.get(name), rates[name]) for name, one in found.meter_figures.items()
    )
    at_reset = found.return_without_meters + sum(
        (one.return_at_reset.fraction for one in meters), Fraction(0)
    )
    return Progressive(
        wager=found.wager,
        title=book.wagers[found.wager].title,
        table=", ".join(found.paytables.values()),
        stake_cents=found.stake_cents,
        return_without_meters=Exact.of(found.return_without_meters),
        return_at_reset=Exact.of(at_reset),
        long_run_return=None if missing else Exact.of(found.long_run_return(known)),
        long_run_not_computed=missing,
        meters=meters,
        liability_cents=sum(one.seed_cents for one in meters),
        envy=tuple(
            EnvyRow(
                hand=sentence(called(one.hand, book)),
                pays_cents=one.cents,
                combinations=one.combinations,
                total=found.envy_total,
            )
            for one in found.envy
        ),
        envy_per_player=Exact.of(found.envy_per_player),
    )


def _rate(terms: MeterTerms | None) -> Fraction | None:
    return None if terms is None or terms.rate is None else Fraction(str(terms.rate))


def _meter(one: MeterFigures, terms: MeterTerms | None, rate: Fraction | None) -> Meter:
    reset = int(one.reset * 100)
    seed = reset if terms is None or terms.seed is None else parse_cents(terms.seed)
    mean = None if rate is None else one.mean_reading(rate)
    per_dollar = one.mean_share / one.stake
    return Meter(
        name=one.name,
        seed_cents=seed,
        reset_cents=reset,
        rate=None if rate is None else Exact.of(rate),
        frequency=Exact.of(one.frequency),
        bets_between_awards=Exact.of(1 / one.frequency) if one.frequency else None,
        break_even_dollars=None if one.break_even is None else Exact.of(one.break_even),
        mean_reading_dollars=None if mean is None else Exact.of(mean),
        return_at_reset=Exact.of(per_dollar * one.reset),
        return_per_dollar=Exact.of(per_dollar),
    )
