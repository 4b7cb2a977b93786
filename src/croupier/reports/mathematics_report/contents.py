"""The whole record, computed part by part."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final, TypeVar

from croupier.errors import suggest
from croupier.mathematics.questions.callouts import warnings_of
from croupier.reports.mathematics_report.checking import method_of, simulated
from croupier.reports.mathematics_report.identity import history_of, identity_of
from croupier.reports.mathematics_report.money_part import (
    limit_effects,
    progressives_of,
    winnings_of,
)
from croupier.reports.mathematics_report.play_part import known_cards, reading_effects, strategy_of
from croupier.reports.mathematics_report.record import Assumptions, Report, WagerFigures
from croupier.reports.mathematics_report.rules_part import rules_part
from croupier.reports.mathematics_report.source import Source
from croupier.reports.mathematics_report.wager_figures import (
    alternatives_of,
    main_figures,
    sampled_in_place,
    side_figures,
)
from croupier.rulebooks.rules import Rules

PARTS: Final = ("paytables", "readings", "known-cards")
"""Parts that take long and may be left out."""

T = TypeVar("T")


def assumptions_for(
    rules: Rules,
    *,
    date: str = "",
    rounds_per_hour: int = 30,
    seats: int | None = None,
    hours: int = 2,
    bet_cents: int | None = None,
    buy_in_cents: int | None = None,
    hands: int = 2,
    simulated_rounds: int = 10_000,
    seed: str = "1",
    sampled_rounds: int = 0,
) -> Assumptions:
    """Return the assumptions; defaults are a full table, the table's minimum or $10, and a buy-in
    of twenty bets."""
    bet = bet_cents if bet_cents is not None else rules.minimum_wager or 1000
    return Assumptions(
        date=date,
        rounds_per_hour=rounds_per_hour,
        seats=rules.book.positions.most if seats is None else seats,
        hours=hours,
        bet_cents=bet,
        buy_in_cents=20 * bet if buy_in_cents is None else buy_in_cents,
        hands=hands,
        simulated_rounds=simulated_rounds,
        seed=seed,
        sampled_rounds=sampled_rounds,
    )


def report_of(
    source: Source,
    assumed: Assumptions,
    *,
    without: Collection[str] = (),
    step: Callable[[str], None] = lambda _what: None,
    previous: Report | None = None,
) -> Report:
    """Return the record. `step` reports progress; `previous` is the version before this one."""
    for name in without:
        if name not in PARTS:
            raise suggest("part of a report to leave out", name, PARTS)
    rules = source.rules
    step("main game")
    main = main_figures(rules)
    sides = []
    for wager in source.sides:
        step(wager)
        sides.append(side_figures(rules, wager, assumed.hands))
    rounds, seed = assumed.sampled_rounds, assumed.seed
    main, *sides = [
        sampled_in_place(rules, figures, rounds, seed, assumed.hands) for figures in (main, *sides)
    ]
    wagers = (main, *sides)
    step("rules and examples")
    rules_in_words = rules_part(source)
    step("strategy")
    strategy = strategy_of(rules)
    tables, _ = _part("paytables", without, lambda: alternatives_of(source, step))
    readings, no_readings = _part(
        "readings", without, lambda: reading_effects(source, assumed.hands, step)
    )
    cards, no_cards = _part("known-cards", without, lambda: known_cards(source, step))
    run = simulated(source, assumed, step)
    identity = identity_of(source, assumed.date, _warnings(source, wagers))
    return Report(
        identity=identity,
        assumptions=assumed,
        rules=rules_in_words,
        main=main,
        sides=tuple(sides),
        alternatives=tables,
        winnings=tuple(winnings_of(rules, assumed, wagers)),
        limits=tuple(limit_effects(rules, assumed, wagers)),
        strategy=strategy,
        progressives=tuple(progressives_of(source)),
        readings=readings,
        readings_not_computed=no_readings,
        known_cards=cards,
        known_cards_not_computed=no_cards,
        simulation=run,
        method=method_of(source, wagers, run),
        history=history_of(identity, wagers, previous),
    )


def _warnings(source: Source, wagers: Iterable[WagerFigures]) -> list[str]:
    analyses = {
        wager.wager: {
            "": {
                "paytables": wager.tables,
                "expected_value_exact": wager.moments.expected_value.exact,
            }
        }
        for wager in wagers
        if wager.moments is not None
    }
    return warnings_of(source.rules, analyses)


def _part(
    name: str, without: Collection[str], find: Callable[[], Iterable[T]]
) -> tuple[tuple[T, ...], str]:
    if name in without:
        return (), f"it was left out (--without {name})"
    return tuple(find()), ""
