"""The best play, the value of each decision, simple strategies, other readings, and seen cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from croupier.errors import CroupierError, Unsolvable
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.mathematics.questions.information.seen_cards import DEALER
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.grid import Grid, Skipped
from croupier.mathematics.questions.strategies.text import open_strategy, shipped_for
from croupier.mathematics.questions.strategy_prices import price_of
from croupier.reports.charts import chart_pages, chart_svg
from croupier.reports.mathematics_report.record import (
    DecisionShare,
    Exact,
    KnownCard,
    ReadingEffect,
    SimpleStrategy,
    Strategy,
    StrategyChart,
    WithoutDecision,
)
from croupier.reports.mathematics_report.source import Source
from croupier.reports.mathematics_report.wager_figures import decision_shares
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Reading, Rulebook
from croupier.workers import workers

_FIRST: Final = (
    "the first that the rules offer is taken: a larger bet before a smaller one, a bet before a "
    "check, a call before a fold"
)
_LAST: Final = (
    "the last that the rules offer is taken: a fold before a call, a check before a bet, a smaller "
    "bet before a larger one"
)
_MISTAKES: Final = 3


def strategy_of(rules: Rules) -> Strategy:
    chart, chart_missing, without, without_missing = _charted(rules)
    simple, simple_missing = _simple(rules)
    return Strategy(
        equal_actions=_equal_actions(rules),
        decisions=_shares(rules),
        chart=chart,
        chart_not_computed=chart_missing,
        without=without,
        without_not_computed=without_missing,
        simple=simple,
        simple_not_computed=simple_missing,
    )


def _equal_actions(rules: Rules) -> str:
    return (
        f"Of actions with exactly equal value {_FIRST if rules.takes_first else _LAST}. The "
        "expected value does not depend on this choice; frequencies, units wagered and variance "
        "may."
    )


def _shares(rules: Rules) -> tuple[DecisionShare, ...]:
    try:
        figures: dict[str, Any] = analyze(rules, "main")
    except Unsolvable:
        return ()
    return tuple(decision_shares(rules, figures))


def _charted(
    rules: Rules,
) -> tuple[StrategyChart | None, str, tuple[WithoutDecision, ...], str]:
    try:
        best, skipped = solver_for(rules).decision_values()
        missing = ""
    except CroupierError as error:
        best, skipped, missing = None, list[Skipped](), error.message
    without = tuple(
        WithoutDecision(
            decision=skipped_decision.decision.replace("_", " "),
            instead=skipped_decision.how,
            house_edge=Exact.of(skipped_decision.house_edge),
        )
        for skipped_decision in skipped
    )
    try:
        grid = solver_for(rules).chart()
    except CroupierError as error:
        return None, error.message, without, missing
    title = f"{rules.book.title}: {grid.choice.name.replace('_', ' ')}"
    chart = StrategyChart(
        decision=grid.choice.name.replace("_", " "),
        hands=_best(grid),
        svg=chart_svg(grid, best, skipped, title),
        printed_svgs=chart_pages(grid, best, skipped, title),
    )
    return chart, "", without, missing


def _best(grid: Grid) -> dict[str, str]:
    return {cell.hand: cell.action for cell in grid.cells() if cell.combinations}


def _simple(rules: Rules) -> tuple[tuple[SimpleStrategy, ...], str]:
    names = shipped_for(rules.book.id)
    if not names:
        return (), (
            "no simple strategy comes with this game; `croupier strategy price` prices any that "
            "can be written down, where its solver can"
        )
    try:
        choices = solver_for(rules).choices()
        return tuple(_priced(rules, name, choices) for name in names), ""
    except Unsolvable as error:
        return (), error.message


def _priced(rules: Rules, name: str, choices: Any) -> SimpleStrategy:
    plan = open_strategy(name, choices)
    price = price_of(rules, plan)
    worst = sorted(
        (mistake for mistakes in price.mistakes.values() for mistake in mistakes),
        key=lambda mistake: mistake.loss,
        reverse=True,
    )
    return SimpleStrategy(
        name=name,
        title=price.title,
        text=plan.text.strip(),
        house_edge=Exact.of(price.house_edge),
        cost=Exact.of(price.cost),
        mistakes=tuple(
            f"{mistake.words}: says {mistake.taken}, better {mistake.best}; "
            f"costs {float(mistake.loss):.5%}"
            for mistake in worst[:_MISTAKES]
        ),
    )


# -- alternatives ---------------------------------------------------------------------------------


Step = Callable[[str], None]


def reading_effects(source: Source, hands: int, step: Step) -> Iterator[ReadingEffect]:
    """Yield every choice of every reading, changed one at a time: the house edges that move."""
    wagers = ("main", *source.sides)
    now = {wager: _edge(source.rules, wager, hands) for wager in wagers}
    for name, reading in source.rules.book.readings.items():
        for choice in reading.choices:
            if source.rules.readings[name] == choice:
                yield _effect(name, reading, choice, in_force=True)
                continue
            step(f"{name}={choice}")
            rules = source.choosing(readings={name: choice})
            questions = [(rules, wager, hands) for wager in wagers]
            edge_of = dict(zip(wagers, workers().map(_edge_of, questions), strict=True))
            edges = {
                wager: Exact.of(edge)
                for wager, edge in edge_of.items()
                if isinstance(edge, Fraction) and edge != now[wager]
            }
            missing = {wager: edge for wager, edge in edge_of.items() if isinstance(edge, str)}
            yield _effect(name, reading, choice, edges=edges, missing=missing)


def _effect(
    name: str,
    reading: Reading,
    choice: str,
    *,
    in_force: bool = False,
    edges: Mapping[str, Exact] | None = None,
    missing: Mapping[str, str] | None = None,
) -> ReadingEffect:
    return ReadingEffect(
        reading=name,
        question=reading.question,
        clauses=reading.clauses,
        choice=choice,
        meaning=reading.choices[choice].meaning,
        in_force=in_force,
        edges=dict(edges or {}),
        not_computed=dict(missing or {}),
    )


def _edge_of(question: tuple[Rules, str, int]) -> Fraction | str:
    return _edge(*question)


def _edge(rules: Rules, wager: str, hands: int) -> Fraction | str:
    """Return the house edge at the smallest stake that the table takes, or why there is none."""
    low, _ = rules.limits.get(wager, (None, None))
    try:
        figures: dict[str, Any] = analyze(
            rules, wager, Asked(stakes={wager: low} if low else {}, hands=hands)
        )
    except Unsolvable as error:
        return error.message
    return -Fraction(figures["expected_value_exact"])


def cards_to_see(book: Rulebook) -> Iterator[dict[str, int]]:
    """Return one card of each place that lies face down during a decision."""
    hidden = book.cards.dealer - max(
        (decision.sees_dealer for decision in book.decisions), default=0
    )
    if hidden > 0:
        yield {DEALER: 1}
    first = min((decision.sees_community for decision in book.decisions), default=0)
    shown = 0
    for reveal in book.reveals:
        shown += reveal.community
        if reveal.community and shown > first:
            yield {reveal.name: 1}


def known_cards(source: Source, step: Step) -> Iterator[KnownCard]:
    for seen in cards_to_see(source.rules.book):
        step(", ".join(f"{name}={count}" for name, count in seen.items()))
        try:
            figures: dict[str, Any] = analyze(source.rules, "main", Asked(knows=seen))
        except CroupierError as error:
            yield KnownCard(seen=seen, value=None, worth=None, not_computed=error.message)
            continue
        yield KnownCard(
            seen=seen,
            value=Exact.of(Fraction(figures["expected_value_exact"])),
            worth=Exact.of(Fraction(figures["worth_exact"])),
        )
