"""The return tables of every bundled game, with every paytable of its main game: they add up."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from croupier.mathematics.questions.analysis import analyze, tables_of
from croupier.mathematics.questions.callouts import all_order_warnings, warnings_of
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission


def rules_of(book: str, **tables: str) -> Rules:
    return put_in_force(load_rulebook(book), Submission(paytables=tables))


def _games() -> list[tuple[str, dict[str, str]]]:
    """The first table of each main game, and every further one."""
    found = []
    for book in BUNDLED:
        family, tables = tables_of(rules_of(book), "main")
        found += [(book, {family: table} if family else {}) for table in tables]
    return found


def exact(rows: list[dict[str, Any]], total: int) -> Fraction:
    """The sum of the contributions, and the check that they are what the rows say."""
    value = Fraction(0)
    for row in rows:
        part = Fraction(row["return_exact"])
        if "net_exact" in row:
            assert part == Fraction(row["net_exact"]) * row["combinations"] / total
        assert row["return"] == float(part)
        value += part
    assert sum(row["combinations"] for row in rows) == total
    return value


@pytest.mark.parametrize(("book", "tables"), _games(), ids=str)
def test_lines_and_actions_add_up_to_the_value(book: str, tables: dict[str, str]) -> None:
    main: dict[str, Any] = analyze(rules_of(book, **tables), "main")
    value = Fraction(main["expected_value_exact"])
    total = sum(one["combinations"] for one in main["outcomes"])
    parts = {name: exact(table["lines"], total) for name, table in main["line_tables"].items()}
    assert sum(parts.values()) == value
    units = Fraction(0)
    for name, table in main["line_tables"].items():
        assert Fraction(table["expected_value_exact"]) == parts[name]
        if name in rules_of(book).book.wagers:
            rows = table["lines"]
            units += Fraction(sum(row["units"] * row["combinations"] for row in rows), total)
    assert float(units) == main["units_wagered"]
    for decision, actions in main["decision_tables"].items():
        assert exact(actions, total) == value
        shares = {one["action"]: one["probability"] for one in actions}
        assert shares.items() >= main["decisions"][decision].items()
    assert sum(one["return"] for one in main["outcomes"]) == pytest.approx(float(value))


def test_blind_b_pushes_with_a_straight() -> None:
    """It has no line for a straight, so a winning one brings the bet back (MD-05)."""
    main: dict[str, Any] = analyze(rules_of("md-uth", blind="B"), "main")
    lines = {one["hand"]: one for one in main["line_tables"]["blind"]["lines"]}
    straight = lines["straight"]
    assert (straight["result"], straight["net"]) == ("push", 0)
    assert f"{straight['probability']:.4%}" == "3.7278%"


def test_no_bundled_game_is_warned_about() -> None:
    """But for wagers that do favor the player under a bundled table."""
    for book in BUNDLED:
        assert list(all_order_warnings(rules_of(book))) == []


def test_a_player_with_the_edge_is_called_out() -> None:
    rules = rules_of("md-uth")
    figures = {"expected_value_exact": "1/50", "paytables": {"trips": "B"}}
    said = "The player has the edge on Trips: 2.0000% of the stake a round on average."
    assert warnings_of(rules, {"trips": {"": figures}}) == [said]
    assert warnings_of(rules, {"trips": {"": figures | {"expected_value_exact": "0"}}}) == []
