"""Figures in dollars: the house's win per hour, the largest payments, limits, progressives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from croupier.errors import Unsolvable
from croupier.mathematics.model import MeterFigures, WagerAnalysis
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.questions.sessions.over_rounds import mean_of
from croupier.mathematics.stakes import may_be_cut
from croupier.money import Fixed, MeterShare, parse_cents
from croupier.reports.mathematics_report.record import (
    Assumptions,
    EnvyRow,
    Exact,
    LimitEffect,
    Meter,
    Moments,
    Progressive,
    WagerFigures,
    Winnings,
)
from croupier.reports.mathematics_report.source import Source
from croupier.reports.mathematics_report.wager_figures import side_analysis
from croupier.reports.phrases import called, sentence
from croupier.rounds.payout_limits import LimitInForce, limits_in_force
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.submission import MeterTerms


def winnings_of(
    rules: Rules, assumed: Assumptions, wagers: Sequence[WagerFigures]
) -> Iterator[Winnings]:
    """Yield each wager by itself; expectations add up even if wagers depend on each other."""
    for wager in wagers:
        if wager.moments is None:
            continue
        stake = assumed.bet_cents if wager.wager == "main" else wager.stake_cents
        per_hour = wager.moments.house_edge.fraction * stake * assumed.rounds_per_hour
        most = _largest_stake(rules, wager.wager) or stake
        largest = wager.moments.largest_win.fraction
        if wager.wager != "main":
            largest = _largest_net(side_analysis(rules, wager.wager, assumed.hands, most))
        yield Winnings(
            wager=wager.wager,
            title=wager.title,
            stake_cents=stake,
            per_hour_cents=Exact.of(per_hour),
            per_table_hour_cents=Exact.of(per_hour * assumed.seats),
            hold=Exact.of(per_hour * assumed.hours / assumed.buy_in_cents),
            largest_win_cents=Exact.of(largest * most),
            largest_stake_cents=most,
        )


def _largest_net(analysis: WagerAnalysis) -> Fraction:
    return max(outcome.net for outcome in analysis.outcomes if outcome.combinations)


def _largest_stake(rules: Rules, wager: str) -> int | None:
    if wager in rules.stakes:
        return max(rules.stakes[wager])
    named = rules.required[0] if wager == "main" else wager
    return rules.limits.get(named, (None, None))[1]


# -- payout limits --------------------------------------------------------------------------------


def limit_effects(
    rules: Rules, assumed: Assumptions, wagers: Sequence[WagerFigures]
) -> Iterator[LimitEffect]:
    """Yield the effect of each payout limit on each wager it covers, taken alone, at the largest
    stake."""
    decided = {name for name, wager in rules.book.wagers.items() if wager.role == "decided"}
    main = {*rules.required, *decided}
    for limit in limits_in_force(rules):
        for figures in wagers:
            if figures.moments is None:
                continue
            stake = _largest_stake(rules, figures.wager)
            if figures.wager == "main" and main & limit.covers:
                yield _on_main(rules, limit, figures.moments, stake or assumed.bet_cents)
            elif figures.wager in limit.covers:
                analysis = side_analysis(
                    rules, figures.wager, assumed.hands, stake or figures.stake_cents
                )
                yield _on_side(limit, figures.title, analysis)


def _on_main(rules: Rules, limit: LimitInForce, moments: Moments, stake: int) -> LimitEffect:
    """Return all wagers of the main game together, played as if there were no limit."""
    highest, missing = moments.largest_win.fraction, ""
    binds = limit.cents / highest
    placed = dict.fromkeys(rules.required, stake)
    edge: Exact | None = moments.house_edge
    try:
        if may_be_cut(rules.book, placed, highest * stake, [limit]):
            edge = Exact.of(-mean_of(net_distribution(rules, placed, limits=[limit])) / stake)
    except Unsolvable as error:
        edge, missing = None, error.message
    return LimitEffect(
        clause=limit.clause,
        limit_cents=limit.cents,
        wager="Main game",
        highest_pay=Exact.of(highest),
        binds_from_cents=Exact.of(binds),
        stake_cents=stake,
        edge_with_limit=edge,
        edge_without=moments.house_edge,
        not_computed=missing,
    )


def _on_side(limit: LimitInForce, title: str, analysis: WagerAnalysis) -> LimitEffect:
    """Amounts that do not grow with the stake exceed the limit at every stake or at none."""
    most = Fraction(limit.cents, analysis.stake_cents)
    shortened = sum(
        (min(outcome.net, most) * analysis.probability(outcome) for outcome in analysis.outcomes),
        Fraction(0),
    )
    odds = [
        outcome.net
        for outcome in analysis.outcomes
        if outcome.combinations and not isinstance(outcome.pays, Fixed | MeterShare)
    ]
    fixed = [
        outcome.net * analysis.stake_cents
        for outcome in analysis.outcomes
        if outcome.combinations and isinstance(outcome.pays, Fixed | MeterShare)
    ]
    always = any(cents > limit.cents for cents in fixed)
    binds = Fraction(0) if always or max(odds) <= 0 else limit.cents / max(odds)
    return LimitEffect(
        clause=limit.clause,
        limit_cents=limit.cents,
        wager=title,
        highest_pay=Exact.of(_largest_net(analysis)),
        binds_from_cents=Exact.of(binds),
        stake_cents=analysis.stake_cents,
        edge_with_limit=Exact.of(-shortened),
        edge_without=Exact.of(-analysis.own_value),
    )


# -- progressives ---------------------------------------------------------------------------------


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
