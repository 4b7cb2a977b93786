"""Every wager's table of outcomes and its figures, as the solvers give them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import msgspec

from croupier.errors import Unsolvable
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.analysis import Asked, analyze, is_by_hands, tables_of
from croupier.mathematics.questions.registry import analyze_wager
from croupier.reports.line_words import hand_words
from croupier.reports.mathematics_report.distributions import (
    convergence_of,
    moments_of,
    outcome_row,
)
from croupier.reports.mathematics_report.main_lines import paid_lines
from croupier.reports.mathematics_report.record import (
    AlternativeTable,
    OutcomeRow,
    SampledFigures,
    WagerFigures,
)
from croupier.reports.mathematics_report.source import Source
from croupier.rulebooks.rules import Rules
from croupier.simulation.sampling import Sampling, analyze_or_sample

__all__ = [
    "alternatives_of",
    "main_figures",
    "sampled_in_place",
    "side_analysis",
    "side_figures",
]


def sampled_in_place(
    rules: Rules, one: WagerFigures, rounds: int, seed: str, hands: int
) -> WagerFigures:
    """The figures with sampled ones beside the reason, where they were not computed."""
    if not (one.not_computed and rounds):
        return one
    low, _ = rules.limits.get(one.wager, (None, None))
    asked = Asked(stakes={one.wager: low} if low else {}, hands=hands)
    found = analyze_or_sample(rules, one.wager, asked, Sampling(rounds, seed))
    figures = msgspec.convert(
        {name: found[name] for name in SampledFigures.__struct_fields__}, SampledFigures
    )
    return msgspec.structs.replace(one, sampled=figures)


def main_figures(rules: Rules, *, settles: bool = True) -> WagerFigures:
    """The required wagers together with what is decided in play, per unit of one of them."""
    title = "Main game"
    try:
        found: dict[str, Any] = analyze(rules, "main")
    except Unsolvable as error:
        return _refused("main", title, {}, error)
    outcomes = tuple(_main_rows(rules, found["outcomes"]))
    moments = moments_of(outcomes)
    return WagerFigures(
        wager="main",
        title=title,
        tables=found["paytables"],
        stake_cents=100,
        hands=0,
        outcomes=outcomes,
        moments=moments,
        convergence=convergence_of(outcomes, moments) if settles else (),
        units_wagered=found["units_wagered"],
        element_of_risk=found["element_of_risk"],
        lines=tuple(paid_lines(rules, found)),
    )


def _refused(wager: str, title: str, tables: dict[str, str], error: Unsolvable) -> WagerFigures:
    return WagerFigures(
        wager=wager, title=title, tables=tables, stake_cents=0, hands=0, not_computed=error.message
    )


def _main_rows(rules: Rules, outcomes: list[dict[str, Any]]) -> Iterator[OutcomeRow]:
    total = sum(one["combinations"] for one in outcomes)
    for one in outcomes:
        net = Fraction(one["pays"]["net"])
        yield outcome_row(
            hand=_hand(rules, one),
            how=_how(one),
            pays=_signed(net),
            net=net,
            combinations=one["combinations"],
            total=total,
        )


def _hand(rules: Rules, outcome: dict[str, Any]) -> str:
    """What the player holds; of several wagers on several hands, each different one."""
    hands, book = outcome.get("hands"), rules.book
    if isinstance(hands, dict):
        return "; ".join(
            f"{name.replace('_', ' ')}: {hand_words(rules.book, hand)}"
            for name, hand in hands.items()
            if book.wagers.get(name) is None or book.wagers[name].role == "required"
        )
    return hand_words(rules.book, str(outcome.get("hand") or ""))


def _how(outcome: dict[str, Any]) -> str:
    """What was said, and how it ended."""
    said = outcome.get("said")
    if isinstance(said, dict):
        told = [", ".join(f"{name.replace('_', ' ')} {word}" for name, word in said.items())]
    else:
        decision = str(outcome.get("decision") or "").replace("_", " ")
        told = [" ".join(part for part in (decision, str(said or "")) if part)]
    if outcome.get("result"):
        told.append(str(outcome["result"]))
    qualifies = outcome.get("dealer_qualifies")
    if qualifies is not None:
        told.append("dealer qualifies" if qualifies else "dealer does not qualify")
    return ", ".join(part.replace("_", " ") for part in told if part)


def _signed(net: Fraction) -> str:
    return f"{'+' if net > 0 else ''}{net}"


# -- side wagers ----------------------------------------------------------------------------------


def side_analysis(
    rules: Rules, wager: str, hands: int, stake_cents: int | None = None
) -> WagerAnalysis:
    """At the least stake that the table takes, unless another is given: fixed sums and meters are
    worth less of a larger stake."""
    low, _ = rules.limits.get(wager, (None, None))
    return analyze_wager(rules, wager, hands=hands, stake_cents=stake_cents or low)


def side_figures(rules: Rules, wager: str, hands: int, *, settles: bool = True) -> WagerFigures:
    """`settles`: also how the mean of many rounds settles down."""
    title = rules.book.wagers[wager].title
    family, _ = tables_of(rules, wager)
    tables = {family: rules.chosen[family]} if family and family in rules.chosen else {}
    by_hands = is_by_hands(rules.book, wager)
    try:
        found = side_analysis(rules, wager, hands)
    except Unsolvable as error:
        return _refused(wager, title, tables, error)
    outcomes = tuple(
        outcome_row(
            hand=hand_words(rules.book, one.hand),
            how="",
            pays=str(one.pays),
            net=one.net,
            combinations=one.combinations,
            total=found.combinations_total,
        )
        for one in found.outcomes
    )
    moments = moments_of(outcomes)
    return WagerFigures(
        wager=wager,
        title=title,
        tables=found.paytables,
        stake_cents=found.stake_cents,
        hands=hands if by_hands else 0,
        outcomes=outcomes,
        moments=moments,
        convergence=convergence_of(outcomes, moments) if settles else (),
    )


# -- the other tables of the document -------------------------------------------------------------


def alternatives_of(source: Source, step: Callable[[str], None]) -> Iterator[AlternativeTable]:
    """Every paytable of every wager, one changed at a time. A submission has made its choice: only
    tables that go by the number of hands are listed for it."""
    for wager in ("main", *source.sides):
        family, tables = tables_of(source.rules, wager)
        by_hands = is_by_hands(source.rules.book, wager)
        if family is None or not (by_hands or (len(tables) > 1 and not source.is_submission)):
            continue
        for table in tables:
            step(f"{wager} {table}")
            rules = source.rules if by_hands else source.choosing(paytables={family: table})
            hands = int(table) if by_hands else 2
            figures = (
                main_figures(rules, settles=False)
                if wager == "main"
                else side_figures(rules, wager, hands, settles=False)
            )
            chosen = not by_hands and source.rules.chosen.get(family) == table
            yield AlternativeTable(wager=wager, table=table, in_force=chosen, figures=figures)
