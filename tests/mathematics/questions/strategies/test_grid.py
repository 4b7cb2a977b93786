"""Charts: what the cells say is what the solution says, and the picture stands alone."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from rich.console import Console

from croupier.cards import Card
from croupier.mathematics.counters.boards.rulebook import holdem_solution
from croupier.mathematics.questions.registry import advise, solver_for
from croupier.mathematics.questions.situation import Situation
from croupier.reports.charts import chart_pages, chart_svg, grid_drawn, values_drawn
from tests.mathematics.dealt import rules_of


def test_the_grid_of_a_game_without_a_card_seen() -> None:
    rules = rules_of("md-uth")
    solution = holdem_solution(rules)
    grid = solver_for(rules).chart()
    cells = {cell.hand: cell for cell in grid.cells()}
    assert len(cells) == 169
    assert sum(cell.combinations for cell in cells.values()) == 1326
    assert [row[place].hand for place, row in enumerate(grid.rows)][:3] == ["AA", "KK", "QQ"]
    assert grid.rows[0][1].hand == "AKs"
    assert grid.rows[1][0].hand == "AKo"
    bet = {hand for hand, cell in cells.items() if cell.action == "4x"}
    assert {"33", "A2o", "K5o", "K2s", "Q8o", "Q6s", "JTo", "J8s"} <= bet
    assert not bet & {"22", "K4o", "Q7o", "Q5s", "J9o", "J7s"}
    assert all(cell.action != "3x" for cell in cells.values())
    advice = advise(rules, Situation([Card.parse("Kc"), Card.parse("5d")]))
    assert cells["K5o"].values == advice.values
    mean = sum(max(c.values.values()) * c.combinations for c in cells.values()) / Fraction(1326)
    assert mean == solution.value


def test_where_a_card_is_seen_first_the_cells_tell_how_often() -> None:
    rules = rules_of("md-jackpot")
    grid = solver_for(rules).chart()
    cells = {cell.hand: cell for cell in grid.cells()}
    assert grid.mixed
    assert cells["AA"].shares == {"3x": 1, "check": 0}
    assert 0 < cells["72o"].shares["3x"] < Fraction(1, 4)
    assert cells["72o"].worth > 0
    mean = sum(
        (cell.values["check"] + cell.worth) * cell.combinations for cell in grid.cells()
    ) / Fraction(1326)
    assert mean == holdem_solution(rules).value


def test_stud() -> None:
    rules = rules_of("md-235")
    grid = solver_for(rules).chart()
    best, skipped = solver_for(rules).decision_values()
    assert best == -solver_for(rules).figures().expected_value
    worth = sum(cell.worth * cell.combinations for cell in grid.cells()) / Fraction(1326)
    assert skipped[0].house_edge == best + worth


@pytest.mark.full
def test_no_decision_is_worth_nothing() -> None:
    best, skipped = solver_for(rules_of("md-uth")).decision_values()
    assert len(skipped) == 4
    assert all(one.house_edge > best for one in skipped)


def test_the_picture_stands_alone() -> None:
    rules = rules_of("md-235")
    grid = solver_for(rules).chart()
    best, skipped = solver_for(rules).decision_values()
    drawn = chart_svg(grid, best, skipped, "A <title> & more")
    root = ElementTree.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert len(re.findall(r"<g><title>", drawn)) == 169
    assert "prefers-color-scheme: dark" in drawn
    outside = re.findall(r"(?:href|src|url|@import|@font-face|<script)", drawn)
    assert not outside
    assert re.findall(r"https?://\S+", drawn) == ['http://www.w3.org/2000/svg"']


def test_a_chart_of_many_rows_takes_several_pages() -> None:
    """Four Card Poker has 83 kinds of hands: on one page they would be cut."""
    grid = solver_for(rules_of("md-235")).chart()
    assert len(chart_pages(grid, None, [], "a chart")) == 1
    rows = tuple(grid.rows[0] for _ in range(83))
    long = replace(grid, rows=rows, row_names=tuple(f"kind {n}" for n in range(83)))
    pages = chart_pages(long, Fraction(1, 50), [], "a chart")
    assert [len(re.findall(r"<g><title>", page)) for page in pages] == [28 * 13, 28 * 13, 27 * 13]
    assert "kind 0<" in pages[0]
    assert "kind 82<" in pages[2]
    assert ["without each decision" in page for page in pages] == [False, False, True]
    for page in pages:
        width, height = (
            int(ElementTree.fromstring(page).attrib[side]) for side in ("width", "height")
        )
        assert height < 2 * width


def test_the_terminal_shows_thirteen_rows_and_exact_values_on_demand() -> None:
    rules = rules_of("md-235")
    grid = solver_for(rules).chart()
    console = Console(file=io.StringIO(), width=110)
    console.print(grid_drawn(grid, values=True))
    console.print(values_drawn(*solver_for(rules).decision_values()))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "AA" in shown
    assert "·ako" in shown
    assert str(grid.rows[0][0].values["raise"]) in shown
    assert "always check" in shown
