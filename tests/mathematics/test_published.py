"""The games that casinos deal: exact figures that round to the published ones."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from croupier.mathematics.questions.analysis import analyze, main_family
from croupier.rulebooks.bundled import GAMES
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

QUICK = ("let-it-ride", "mississippi-stud", "three-card-poker", "crazy-4-poker")
"""The others are solved in `make test-full`, and by the tests of their solvers."""


def _figures() -> ModuleType:
    path = Path(__file__).parents[2] / "docs" / "published_figures.py"
    spec = importlib.util.spec_from_file_location("published_figures", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DOCS = _figures()
OTHERWISE = {("three-card-poker", "six_card_bonus"): "10.22%"}
"""Six cards make 188 royals, 1,656 straight flushes and so on of 20,358,520: 2,081,616 are lost."""


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(one, marks=() if one.game in QUICK else pytest.mark.full)
        for one in DOCS.PUBLISHED
    ],
    ids=lambda one: f"{one.game} {one.wager} {one.table} {one.figure}",
)
def test_the_figure_rounds_to_the_published_one(one: Any) -> None:
    file = load_rulebook(one.game)
    settles = None if one.wager == "main" else file.default.wagers[one.wager].settles
    family = main_family(file.default) if settles is None else settles.paytable  # type: ignore[union-attr]
    chosen = {family: one.table} if one.table and family else {}
    found = analyze(put_in_force(file, Submission(paytables=chosen)), one.wager)
    wanted = OTHERWISE.get((one.game, one.wager), one.printed)
    assert DOCS.rounded(DOCS.figure_in(found, one.figure), one.printed) == wanted


def test_every_game_has_a_published_figure() -> None:
    assert {one.game for one in DOCS.PUBLISHED} == set(GAMES)
