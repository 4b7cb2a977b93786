"""Strategy aids for players: the chart of the first decision, and strategies in words with their
exact price."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from croupier.errors import Unsolvable
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from croupier.mathematics.questions.strategies.text import PlanLine


class ChartCell(msgspec.Struct, frozen=True):
    """`says` is the action that is right most often, `share` how often; `margin` is its advantage
    over the alternative in units of one required wager. A cell without hands says nothing."""

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
    """A written strategy: its lines by decision, and its exact cost against the best play in units
    of one required wager."""

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
    """Return the aids. Solves the game: a server calls it in another process."""
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

    def cell(hand_cell: HandCell) -> ChartCell:
        if not hand_cell.combinations:
            return ChartCell(hand_cell.hand, "", 0.0, 0.0)
        return ChartCell(
            hand_cell.hand,
            hand_cell.action,
            float(hand_cell.shares[hand_cell.action]),
            float(hand_cell.margin),
        )

    grid = solver_for(rules).chart()
    rows = tuple([tuple([cell(entry) for entry in row]) for row in grid.rows])
    choice = grid.choice
    return Chart(choice.name, tuple(choice.actions), rows, grid.row_names, grid.column_names)


def _in_words(rules: Rules) -> tuple[InWords, ...]:
    from croupier.mathematics.questions.registry import solver_for
    from croupier.mathematics.questions.strategies.text import open_strategy, shipped_for
    from croupier.mathematics.questions.strategy_prices import price_of

    priced: list[tuple[Fraction, InWords]] = []
    for name in shipped_for(rules.book.id):
        plan = open_strategy(name, solver_for(rules).choices())
        price = price_of(rules, plan, mistakes=0)
        sections = tuple(
            [
                (section.choice.name, tuple([_line(line) for line in section.lines]))
                for section in plan.sections
            ]
        )
        strategy = InWords(name, plan.title, sections, str(price.house_edge), str(price.cost))
        priced.append((price.cost, strategy))
    return tuple([strategy for _, strategy in sorted(priced, key=lambda entry: entry[0])])


def _line(line: PlanLine) -> str:
    if line.test is None:
        return f"{line.action} otherwise"
    return f"{line.action} with {line.words}"
