"""docs/strategies.md: every example is read, every word of its table is known, figures are ours."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from croupier.cards import parse_cards
from croupier.mathematics.counters.boards.rulebook import holdem_game, holdem_solution
from croupier.mathematics.counters.shapes import HOLDEM
from croupier.mathematics.questions.players.tables import load_player
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.boards_decisions import (
    HoldemDecisions,
    choices_of,
)
from croupier.mathematics.questions.strategies.compiling import answers_of
from croupier.mathematics.questions.strategies.text import open_strategy, phrase_test, read_text
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen
from tests.mathematics.dealt import rules_of

PAGE = (Path(__file__).parents[4] / "docs" / "strategies.md").read_text("utf-8")
SCENES = [CardsSeen(2, 0), CardsSeen(2, 1), CardsSeen(2, 3), CardsSeen(2, 5), CardsSeen(3, 0)]
SCENES += [
    solver_for(rules_of(game)).choices()[0].scene for game in ("caribbean-stud", "high-card-flush")
]
WORDS = re.findall(r"^\| `([^`]+)` \| [a-z]", PAGE[: PAGE.index("## What a price")], re.MULTILINE)
FIGURES = re.findall(r"^\| `([a-z0-9-]+)` \| ([a-z0-9-]+).* \| (\S+%) \| (\S+%) \|", PAGE, re.M)


@pytest.mark.parametrize(
    ("document", "text"), re.findall(r"```strategy (\S+)\n(.*?)```", PAGE, re.DOTALL)
)
def test_examples_can_be_followed(document: str, text: str) -> None:
    rules = rules_of(document)
    plan = read_text(text, solver_for(rules).choices())
    if solver_for(rules).shape is not HOLDEM:
        assert solver_for(rules).following(plan).rulebook == rules.book.id
    else:
        game = replace(holdem_game(rules), deck=0b1111110000000)
        decisions = HoldemDecisions(
            document, game, choices_of(rules), partial(holdem_solution, rules)
        )
        assert decisions.strategy(partial(answers_of, plan)).answers


def test_every_word_of_the_table_is_known() -> None:
    assert len(WORDS) > 35
    for word in WORDS:
        assert any(phrase_test(word, scene) for scene in SCENES), word


def test_the_saved_strategy_says_what_the_page_says(tmp_path: Path) -> None:
    solver_for(rules_of("md-uth")).player().save(tmp_path / "best.strategy")
    player = load_player(tmp_path / "best.strategy")
    asked = re.findall(r"player\.action\((.*)\)  # '(\w+)'", PAGE)
    assert len(asked) == 2
    for cards, answer in asked:
        named = [parse_cards(text) for text in re.findall(r'parse_cards\("([^"]+)"\)', cards)]
        assert player.action(*named) == answer


@pytest.mark.full
@pytest.mark.parametrize(("name", "document", "edge", "cost"), FIGURES)
def test_figures_are_those_of_the_page(name: str, document: str, edge: str, cost: str) -> None:
    rules = rules_of(document)
    found = solver_for(rules).price(open_strategy(name, solver_for(rules).choices()), mistakes=0)
    assert (f"{float(found.house_edge):.4%}", f"{float(found.cost):.4%}") == (edge, cost)
