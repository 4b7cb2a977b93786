"""The best play, the value of each decision, and the cost of simple strategies."""

from __future__ import annotations

from typing import Any, Final

from croupier.errors import CroupierError, Unsolvable
from croupier.mathematics.questions.analysis import analyze
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.grid import Grid, Skipped
from croupier.mathematics.questions.strategies.text import open_strategy, shipped_for
from croupier.mathematics.questions.strategy_prices import price_of
from croupier.reports.charts import chart_pages, chart_svg
from croupier.reports.mathematics_report.main_lines import decision_shares
from croupier.reports.mathematics_report.record import (
    DecisionShare,
    Exact,
    SimpleStrategy,
    Strategy,
    StrategyChart,
    WithoutDecision,
)
from croupier.rulebooks.rules import Rules

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
