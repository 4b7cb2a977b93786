"""Strategy aids for players: the chart of the first decision, and strategies in words with their
exact price."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import msgspec

from croupier.errors import Unsolvable
from croupier.reports.sheets import Paper, load_typst, printable
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


# -- strategy cards to print ----------------------------------------------------------------------


def strategy_card(strategy: StrategyAtHand, paper: Paper = "letter") -> bytes:
    """Return a PDF; the same strategy gives the same bytes on every machine."""
    template = files(__package__).joinpath("strategy_card.typ").read_bytes()
    inputs = {
        "card": msgspec.json.encode(printable(_told(strategy))).decode(),
        "paper": {"letter": "us-letter", "a4": "a4"}[paper],
    }
    made = load_typst().compile(
        template, format="pdf", sys_inputs=inputs, ignore_system_fonts=True, timestamp=0
    )
    return bytes(made)


def _told(strategy: StrategyAtHand) -> dict[str, Any]:
    return {
        "title": strategy.title,
        "game": strategy.game,
        "edge": _percent(strategy.house_edge),
        "chart": None if strategy.chart is None else _chart_on_card(strategy.chart),
        "in_words": [
            {
                "title": in_words.title,
                "edge": _percent(in_words.house_edge),
                "cost": _percent(in_words.cost),
                "sections": [
                    {"decision": decision.replace("_", " "), "lines": list(lines)}
                    for decision, lines in in_words.sections
                ],
            }
            for in_words in strategy.in_words
        ],
    }


def _chart_on_card(chart: Chart) -> dict[str, Any]:
    """Color shows the best action (-1: decline, -2: no hand), shade its value: full from half a
    unit."""
    hues = {action: place for place, action in enumerate(chart.actions)} | {chart.actions[-1]: -1}
    used = {cell.says for row in chart.rows for cell in row}
    return {
        "decision": chart.decision.replace("_", " "),
        "key": [
            {"says": action.replace("_", " "), "hue": hue}
            for action, hue in hues.items()
            if action in used
        ],
        "columns": list(chart.column_names) if any(chart.column_names) else [],
        "names": list(chart.row_names),
        "rows": [
            [
                {
                    "text": _mark(chart, cell),
                    "hue": hues.get(cell.says, -2),
                    "deep": round(22 + 78 * min(1.0, cell.margin / 0.5)),
                }
                for cell in row
            ]
            for row in chart.rows
        ],
    }


def _mark(chart: Chart, cell: ChartCell) -> str:
    """Return the hand, or the action if rows name the hand; and the share of hands for which it is
    right, if not all."""
    if not cell.says or not chart.row_names:
        return cell.hand if cell.says else ""
    share = f" {cell.share:.0%}" if cell.share < 1 else ""
    return cell.says.replace("_", " ") + share


def _percent(exact: str) -> str:
    return f"{float(Fraction(exact)):.3%}"
