"""Progressives: seeds, rates, frequencies of the meters, break-evens, liability."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.errors import Unsolvable
from croupier.mathematics.model import MeterFigures, WagerAnalysis
from croupier.money import parse_cents
from croupier.reports.mathematics_report.record import EnvyRow, Exact, Meter, Progressive
from croupier.reports.mathematics_report.source import Source
from croupier.reports.mathematics_report.wager_figures import side_analysis
from croupier.reports.line_words import sentence
from croupier.reports.phrases import called
from croupier.rulebooks.submission import MeterTerms


def progressives_of(source: Source) -> Iterator[Progressive]:
    for wager in source.sides:
        try:
            analysis = side_analysis(source.rules, wager, 2)
        except Unsolvable:
            continue
        if analysis.is_progressive:
            yield _progressive(source, analysis)


def _progressive(source: Source, analysis: WagerAnalysis) -> Progressive:
    book = source.rules.book
    stated = source.submission.progressive.meters
    rates = {name: _rate(stated.get(name)) for name in analysis.meters}
    known = {name: rate for name, rate in rates.items() if rate is not None}
    missing = ""
    if len(known) < len(rates):
        missing = (
            "the share of each stake that feeds a meter is the operator's to state, and neither a "
            "submission nor --contribution states it"
        )
    meters = tuple(
        _meter(figures, stated.get(name), rates[name])
        for name, figures in analysis.meter_figures.items()
    )
    at_reset = analysis.return_without_meters + sum(
        (figures.return_at_reset.fraction for figures in meters), Fraction(0)
    )
    return Progressive(
        wager=analysis.wager,
        title=book.wagers[analysis.wager].title,
        table=", ".join(analysis.paytables.values()),
        stake_cents=analysis.stake_cents,
        return_without_meters=Exact.of(analysis.return_without_meters),
        return_at_reset=Exact.of(at_reset),
        long_run_return=None if missing else Exact.of(analysis.long_run_return(known)),
        long_run_not_computed=missing,
        meters=meters,
        liability_cents=sum(figures.seed_cents for figures in meters),
        envy=tuple(
            EnvyRow(
                hand=sentence(called(figures.hand, book)),
                pays_cents=figures.cents,
                combinations=figures.combinations,
                total=analysis.envy_total,
            )
            for figures in analysis.envy
        ),
        envy_per_player=Exact.of(analysis.envy_per_player),
    )


def _rate(terms: MeterTerms | None) -> Fraction | None:
    return None if terms is None or terms.rate is None else Fraction(str(terms.rate))


def _meter(figures: MeterFigures, terms: MeterTerms | None, rate: Fraction | None) -> Meter:
    reset = int(figures.reset * 100)
    seed = reset if terms is None or terms.seed is None else parse_cents(terms.seed)
    mean = None if rate is None else figures.mean_reading(rate)
    per_dollar = figures.mean_share / figures.stake
    return Meter(
        name=figures.name,
        seed_cents=seed,
        reset_cents=reset,
        rate=None if rate is None else Exact.of(rate),
        frequency=Exact.of(figures.frequency),
        bets_between_awards=Exact.of(1 / figures.frequency) if figures.frequency else None,
        break_even_dollars=None if figures.break_even is None else Exact.of(figures.break_even),
        mean_reading_dollars=None if mean is None else Exact.of(mean),
        return_at_reset=Exact.of(per_dollar * figures.reset),
        return_per_dollar=Exact.of(per_dollar),
    )
