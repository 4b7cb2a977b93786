"""Strategy cards to print: chart, words, and price on one page, set by typst."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from typing import Any

import msgspec

from croupier.reports.sheets import Paper, load_typst, printable
from croupier.reports.strategy_at_hand import Chart, ChartCell, StrategyAtHand


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
        "chart": None if strategy.chart is None else _chart(strategy.chart),
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


def _chart(chart: Chart) -> dict[str, Any]:
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
