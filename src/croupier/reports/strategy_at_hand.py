"""What a player may have beside him: the chart of the first decision, and strategies in words with
their exact price."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from croupier.errors import Unsolvable
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from croupier.mathematics.questions.strategies.text import PlanLine

__all__ = ["Chart", "ChartCell", "InWords", "StrategyAtHand", "strategy_at_hand"]


class ChartCell(msgspec.Struct, frozen=True):
    """`says` is what is right most often, `share` how often; `margin` what it is worth against the
    other, in units of one required wager. A cell that no hand falls into says nothing."""

    hand: str
    says: str
    share: float
    margin: float


class Chart(msgspec.Struct, frozen=True):
    decision: str
    actions: tuple[str, ...]
    rows: tuple[tuple[ChartCell, ...], ...]
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]


class InWords(msgspec.Struct, frozen=True):
    """A written strategy: its lines by decision, and what it costs over the best play, exactly, in
    units of one required wager."""

    name: str
    title: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    house_edge: str
    cost: str


class StrategyAtHand(msgspec.Struct, frozen=True):
    """`missing` says why there is no chart, or no strategy in words."""

    game: str
    title: str
    house_edge: str
    chart: Chart | None
    in_words: tuple[InWords, ...]
    missing: tuple[str, ...] = ()


def strategy_at_hand(rules: Rules) -> StrategyAtHand:
    """Solves the game: a server does it in another process."""
    from croupier.mathematics.questions.registry import solver_for

    edge = -solver_for(rules).figures().expected_value
    missing: list[str] = []
    chart: Chart | None = None
    in_words: tuple[InWords, ...] = ()
    try:
        chart = _chart(rules)
    except Unsolvable as error:
        missing.append(error.message)
    try:
        in_words = _in_words(rules)
    except Unsolvable as error:
        missing.append(error.message)
    return StrategyAtHand(
        rules.book.id, rules.book.title, str(edge), chart, in_words, tuple(missing)
    )


def _chart(rules: Rules) -> Chart:
    from croupier.mathematics.questions.registry import solver_for
    from croupier.mathematics.questions.strategies.grid import HandCell

    def cell(one: HandCell) -> ChartCell:
        if not one.combinations:
            return ChartCell(one.hand, "", 0.0, 0.0)
        return ChartCell(one.hand, one.action, float(one.shares[one.action]), float(one.margin))

    grid = solver_for(rules).chart()
    rows = tuple([tuple([cell(one) for one in row]) for row in grid.rows])
    choice = grid.choice
    return Chart(choice.name, tuple(choice.actions), rows, grid.row_names, grid.column_names)


def _in_words(rules: Rules) -> tuple[InWords, ...]:
    from croupier.mathematics.questions.registry import solver_for
    from croupier.mathematics.questions.strategies.text import open_strategy, shipped_for
    from croupier.mathematics.questions.strategy_prices import price_of

    found: list[tuple[Fraction, InWords]] = []
    for name in shipped_for(rules.book.id):
        plan = open_strategy(name, solver_for(rules).choices())
        price = price_of(rules, plan, mistakes=0)
        sections = tuple(
            [
                (section.choice.name, tuple([_line(line) for line in section.lines]))
                for section in plan.sections
            ]
        )
        told = InWords(name, plan.title, sections, str(price.house_edge), str(price.cost))
        found.append((price.cost, told))
    return tuple([told for _, told in sorted(found, key=lambda one: one[0])])


def _line(line: PlanLine) -> str:
    if line.test is None:
        return f"{line.action} otherwise"
    return f"{line.action} with {line.words}"
