"""docs/solvable.md: which questions are answered for which games, and what refusals say."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from croupier.errors import Unsolvable
from croupier.mathematics.questions.registry import SOLVERS, solver_for
from croupier.mathematics.questions.strategies.text import open_strategy, shipped_for
from croupier.rulebooks.bundled import GAMES
from croupier.rulebooks.rules import Rules
from tests.mathematics.dealt import rules_of

DOCS = Path(__file__).parents[3] / "docs"
QUICK = ("three-card-poker", "let-it-ride", "md-235")


@pytest.fixture(scope="module")
def writer() -> Iterator[ModuleType]:
    patch = pytest.MonkeyPatch()
    patch.syspath_prepend(str(DOCS))
    spec = importlib.util.spec_from_file_location("make_solvable", DOCS / "make_solvable.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    patch.undo()


def test_the_page_says_what_the_solvers_answer(writer: ModuleType) -> None:
    """After a change of a solver or of a message: `python docs/make_solvable.py`."""
    assert (DOCS / "solvable.md").read_text("utf-8") == writer.page()


@pytest.mark.parametrize("game", QUICK)
def test_what_the_table_promises_is_answered(game: str) -> None:
    rules = rules_of(game)
    assert all(solver_for(rules).questions().values())
    assert solver_for(rules).decision_values()[1]
    for decision in rules.book.decisions:
        assert solver_for(rules).chart(decision.name).choice.name == decision.name
    plan = open_strategy(shipped_for(game)[0], solver_for(rules).choices())
    assert solver_for(rules).following(plan).rulebook == solver_for(rules).player().rulebook == game


@pytest.mark.parametrize("game", sorted({*GAMES, "md-235"}))
def test_what_is_refused_is_refused_in_one_sentence(game: str) -> None:
    rules = rules_of(game)
    for solver in SOLVERS:
        refused = [words for words, answered in solver.questions().items() if not answered]
        if solver is type(solver_for(rules)) and any(
            "written strategy costs" in one for one in refused
        ):
            with pytest.raises(Unsolvable, match=f"not worked out for {game}") as error:
                _decide(rules)
            assert "\n" not in str(error.value)


def _decide(rules: Rules) -> None:
    solver_for(rules).decisions()
