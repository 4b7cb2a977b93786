"""`croupier strategy`: what it prints, as JSON and for people, and how it ends."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.grid import Grid, HandCell
from croupier.reports.charts import chart_svg
from tests.commands.program import croupier
from tests.mathematics.changed import changed

MINE = """
three card: raise with any pair, suited
 check otherwise
five card: raise with a pair or better
 check otherwise
"""


def croupier_json(*words: str) -> Any:
    ended = croupier(*words)
    assert ended.code == 0, ended.err
    return ended.json


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    path.write_text(MINE, "utf-8")
    return path


def test_price(mine: Path) -> None:
    found = croupier_json("strategy", "price", "md-235", str(mine), "--mistakes", "3", "--json")
    assert found["rulebook"] == "md-235"
    assert found["house_edge"] == -found["expected_value"]
    assert found["cost"] > 0
    assert set(found["decisions"]) == {"three_card", "five_card"}
    assert len(found["mistakes"]["five_card"]) == 3
    worst = found["mistakes"]["five_card"][0]
    assert (worst["taken"], worst["best"]) == ("check", "raise")


def test_compare_orders_by_cost(mine: Path) -> None:
    found = croupier_json("strategy", "compare", "md-235", str(mine), "235-simple", "--json")
    assert [one["strategy"] for one in found["strategies"]] == ["235-simple", str(mine)]


def test_show_and_chart(tmp_path: Path) -> None:
    assert "235-simple" in croupier_json("strategy", "show", "md-235", "--json")["shipped"]
    text = croupier_json("strategy", "show", "md-235", "235-simple", "--json")["text"]
    assert "three card:" in text
    saved = tmp_path / "best.strategy"
    croupier("strategy", "show", "md-235", "--save", str(saved))
    assert saved.read_bytes().startswith(b"croupier strategy 1\n")
    picture = tmp_path / "chart.svg"
    found = croupier_json("strategy", "chart", "md-235", "--svg", str(picture), "--json")
    assert len(found["hands"]) == 169
    assert picture.read_text("utf-8").startswith("<svg")


def test_a_chart_cuts_no_word_and_calls_no_share_100_percent() -> None:
    drawn = croupier("strategy", "chart", "let-it-ride").text.partition("shade:")[0]
    assert "take_\n" not in drawn.replace(" \n", "\n")
    assert "pair of twos to nines                           take" in drawn


def test_a_share_of_a_chart_is_100_percent_only_if_no_hand_is_left_out() -> None:
    (choice,) = solver_for(changed("three-card-poker", {})).choices()
    shares = {"1x": Fraction(999, 1000), "fold": Fraction(1, 1000)}
    cell = HandCell("high card A", dict.fromkeys(shares, Fraction(0)), shares, Fraction(0), 1000)
    grid = Grid("three-card-poker", choice, ((cell,),), row_names=("high card A",))
    assert ">99%<" in chart_svg(grid, None, (), "Three Card Poker")


def test_people_see_tables(mine: Path) -> None:
    told = croupier("strategy", "price", "md-235", str(mine)).text
    assert "Where it errs most at 'five card'" in told
    assert "House edge" in told


def test_a_text_that_cannot_be_followed_ends_with_2(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("three card: raise with nothing at all", "utf-8")
    ended = croupier("strategy", "price", "md-235", path, "--json")
    assert ended.code == 2
    assert ended.error["code"] == "bad_strategy"
    assert "line 1" in ended.error["message"]
    ended = croupier("strategy", "price", "md-235", "235-simpel", "--json")
    assert ended.code == 2
    assert "did you mean '235-simple'?" in ended.error["message"]


def test_a_simple_strategy_is_searched_and_priced() -> None:
    found = croupier("strategy", "search", "md-235", "--word-price", "0.001", "--json").json
    assert "otherwise" in found["text"]
    assert float(Fraction(found["cost_exact"])) == found["cost"] > 0
    assert croupier("strategy", "search", "md-235", "--word-price", "nan", "--json").code == 2
    best = croupier("strategy", "search", "three-card-poker", "--json").json
    assert best["text"] == "play:\n    1x with Q-6-4 or better\n    fold otherwise\n"
    assert best["cost_exact"] == "0"
