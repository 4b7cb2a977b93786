"""docs/studies says what the program finds today."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def _studies() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_studies", DOCS / "make_studies.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STUDIES = _studies()


def _page(name: str) -> str:
    return (DOCS / "studies" / name).read_text("utf-8")


def test_what_a_reading_of_235_costs() -> None:
    """A-2 counted as a straight: 8.70% or 5.95% instead of 10.51%."""
    section = STUDIES.readings_section("md-235")
    assert section in _page("readings.md")
    assert "10.5103% | 8.7003%" in section
    assert "10.5103% | 5.9492%" in section


def test_rows_of_the_games_that_are_solved_at_once() -> None:
    assert STUDIES.comparison_row("md-235") in _page("comparison.md")
    for row in STUDIES.strategies_rows("md-235"):
        assert row in _page("simple-strategies.md")
    page = _page("information-edges.md")
    quick = ("three-card-poker", "mississippi-stud")
    rows = [STUDIES.information_row(one) for one in STUDIES.SEEN if one.game in quick]
    assert len(rows) == 4
    assert all(row in page for row in rows)


def test_every_page_has_its_head_and_is_listed() -> None:
    assert _page("index.md") == STUDIES.index()
    for name in STUDIES.PAGES:
        assert STUDIES.WRITTEN in _page(name)
        assert name == "index.md" or f"({name})" in _page("index.md")


def test_published_figures_round_from_the_exact_ones() -> None:
    page = _page("information-edges.md")
    for value, printed in (("13.5922%", "13.59%"), ("12.6014%", "12.60%")):
        row = next(line for line in page.splitlines() if value in line)
        assert row.endswith(f"| {printed} |")


@pytest.mark.full
@pytest.mark.parametrize("name", STUDIES.PAGES)
def test_a_study_equals_a_fresh_one(name: str) -> None:
    assert _page(name) == STUDIES.PAGES[name]()
