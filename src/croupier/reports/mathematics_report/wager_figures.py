"""Every wager's table of outcomes and its figures, as the solvers give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from croupier.errors import Unsolvable
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.analysis import Asked, analyze, is_by_hands, tables_of
from croupier.mathematics.questions.registry import analyze_wager
from croupier.reports.mathematics_report.distributions import (
    against,
    convergence_of,
    moments_of,
    outcome_row,
)
from croupier.reports.mathematics_report.record import (
    AlternativeTable,
    DecisionShare,
    Exact,
    OutcomeRow,
    PaidLine,
    SampledFigures,
    WagerFigures,
)
from croupier.reports.mathematics_report.source import Source
from croupier.reports.phrases import hand_words, line_words, pays_words, wager_words
from croupier.rulebooks.rules import Rules
from croupier.simulation.sampling import Sampling, analyze_or_sample


def sampled_in_place(
    rules: Rules, wager: WagerFigures, rounds: int, seed: str, hands: int
) -> WagerFigures:
    """Return the figures, with sampled ones beside the reason if they were not computed."""
    if not (wager.not_computed and rounds):
        return wager
    low, _ = rules.limits.get(wager.wager, (None, None))
    question = Asked(stakes={wager.wager: low} if low else {}, hands=hands)
    analysis = analyze_or_sample(rules, wager.wager, question, Sampling(rounds, seed))
    figures = msgspec.convert(
        {name: analysis[name] for name in SampledFigures.__struct_fields__}, SampledFigures
    )
    return msgspec.structs.replace(wager, sampled=figures)


def main_figures(rules: Rules, *, settles: bool = True) -> WagerFigures:
    """Return the required wagers together with those decided in play, per unit of one required
    wager."""
    title = "Main game"
    try:
        figures: dict[str, Any] = analyze(rules, "main")
    except Unsolvable as error:
        return _refused("main", title, {}, error)
    outcomes = tuple(_main_rows(rules, figures["outcomes"]))
    moments = moments_of(outcomes)
    return WagerFigures(
        wager="main",
        title=title,
        tables=figures["paytables"],
        stake_cents=100,
        hands=0,
        outcomes=outcomes,
        moments=moments,
        convergence=convergence_of(outcomes, moments) if settles else (),
        units_wagered=figures["units_wagered"],
        element_of_risk=figures["element_of_risk"],
        lines=tuple(paid_lines(rules, figures)),
    )


def _refused(wager: str, title: str, tables: dict[str, str], error: Unsolvable) -> WagerFigures:
    return WagerFigures(
        wager=wager, title=title, tables=tables, stake_cents=0, hands=0, not_computed=error.message
    )


def _main_rows(rules: Rules, outcomes: list[dict[str, Any]]) -> Iterator[OutcomeRow]:
    total = sum(outcome["combinations"] for outcome in outcomes)
    for outcome in outcomes:
        net = Fraction(outcome["pays"]["net"])
        yield outcome_row(
            hand=_hand(rules, outcome),
            how=_how(outcome),
            pays=_signed(net),
            net=net,
            combinations=outcome["combinations"],
            total=total,
        )


def _hand(rules: Rules, outcome: dict[str, Any]) -> str:
    """Return the player's hand; for wagers on several hands, each different one."""
    hands, book = outcome.get("hands"), rules.book
    if isinstance(hands, dict):
        return "; ".join(
            f"{name.replace('_', ' ')}: {hand_words(rules.book, hand)}"
            for name, hand in hands.items()
            if book.wagers.get(name) is None or book.wagers[name].role == "required"
        )
    return hand_words(rules.book, str(outcome.get("hand") or ""))


def _how(outcome: dict[str, Any]) -> str:
    """Return the actions and the result."""
    said = outcome.get("said")
    if isinstance(said, dict):
        words = [", ".join(f"{name.replace('_', ' ')} {word}" for name, word in said.items())]
    else:
        decision = str(outcome.get("decision") or "").replace("_", " ")
        words = [" ".join(part for part in (decision, str(said or "")) if part)]
    if outcome.get("result"):
        words.append(str(outcome["result"]))
    qualifies = outcome.get("dealer_qualifies")
    if qualifies is not None:
        words.append("dealer qualifies" if qualifies else "dealer does not qualify")
    return ", ".join(part.replace("_", " ") for part in words if part)


def _signed(net: Fraction) -> str:
    return f"{'+' if net > 0 else ''}{net}"


# -- side wagers ----------------------------------------------------------------------------------


def side_analysis(
    rules: Rules, wager: str, hands: int, stake_cents: int | None = None
) -> WagerAnalysis:
    """Analyze a side wager at the smallest stake that the table takes unless `stake` is given:
    fixed sums and meters are worth less per unit of a larger stake."""
    low, _ = rules.limits.get(wager, (None, None))
    return analyze_wager(rules, wager, hands=hands, stake_cents=stake_cents or low)


def side_figures(rules: Rules, wager: str, hands: int, *, settles: bool = True) -> WagerFigures:
    """`settles`: include the convergence of the mean."""
    title = rules.book.wagers[wager].title
    family, _ = tables_of(rules, wager)
    tables = {family: rules.chosen[family]} if family and family in rules.chosen else {}
    by_hands = is_by_hands(rules.book, wager)
    try:
        analysis = side_analysis(rules, wager, hands)
    except Unsolvable as error:
        return _refused(wager, title, tables, error)
    outcomes = tuple(
        outcome_row(
            hand=hand_words(rules.book, outcome.hand),
            how="",
            pays=str(outcome.pays),
            net=outcome.net,
            combinations=outcome.combinations,
            total=analysis.combinations_total,
        )
        for outcome in analysis.outcomes
    )
    moments = moments_of(outcomes)
    return WagerFigures(
        wager=wager,
        title=title,
        tables=analysis.paytables,
        stake_cents=analysis.stake_cents,
        hands=hands if by_hands else 0,
        outcomes=outcomes,
        moments=moments,
        convergence=convergence_of(outcomes, moments) if settles else (),
    )


# -- the other tables of the document -------------------------------------------------------------


def alternatives_of(source: Source, step: Callable[[str], None]) -> Iterator[AlternativeTable]:
    """Yield every paytable of every wager, changed one at a time. A submission has chosen its
    tables: only tables by number of hands are listed for it."""
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


# -- the wagers of the main game line by line -----------------------------------------------------


def paid_lines(rules: Rules, figures: Mapping[str, Any]) -> Iterator[PaidLine]:
    """Yield every result of each wager under the best play; `figures` is the analysis."""
    total = sum(outcome["combinations"] for outcome in figures["outcomes"])
    more = _units_more(rules, figures, total)
    for name, part in figures["line_tables"].items():
        for line in part["lines"]:
            family = line["paytable"] or ""
            chance, net = Fraction(line["combinations"], total), Fraction(line["net_exact"])
            yield PaidLine(
                wager=wager_words(rules.book, name),
                family=family,
                table=figures["paytables"].get(family, ""),
                hand=line_words(rules.book, line),
                result=line["result"],
                units=line["units"],
                pays=pays_words(line),
                combinations=line["combinations"],
                probability=Exact.of(chance),
                net=Exact.of(net),
                contribution=Exact.of(net * chance),
                true_odds=against(chance),
                unit_more=more.get((family, line["hand"])),
            )


def _units_more(
    rules: Rules, figures: Mapping[str, Any], total: int
) -> dict[tuple[str, str], Exact]:
    """Return the value of one more unit on each line of the paytables that shape the game: the mean
    number of units bet when it pays."""
    printed = {
        (family, line.hand)
        for family, table in figures["paytables"].items()
        for line in rules.paytable(family, table).lines
    }
    units: Counter[tuple[str, str]] = Counter()
    for part in figures["line_tables"].values():
        for line in part["lines"]:
            if (line["paytable"], line["hand"]) in printed:
                units[line["paytable"], line["hand"]] += line["units"] * line["combinations"]
    return {line: Exact.of(Fraction(count, total)) for line, count in units.items()}


def decision_shares(rules: Rules, figures: Mapping[str, Any]) -> Iterator[DecisionShare]:
    """Yield every action at every decision: its frequency and value."""
    total = sum(action["combinations"] for action in figures["outcomes"])
    for name, actions in figures["decision_tables"].items():
        for action in actions:
            value = action["expected_value_exact"]
            yield DecisionShare(
                decision=name.replace("_", " "),
                said=hand_words(rules.book, action["action"]).lower(),
                share=action["probability"],
                combinations=action["combinations"],
                probability=Exact.of(Fraction(action["combinations"], total)),
                value=None if value is None else Exact.of(Fraction(value)),
                contribution=Exact.of(Fraction(action["return_exact"])),
            )
