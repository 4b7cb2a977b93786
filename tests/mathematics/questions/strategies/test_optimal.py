"""The optimal strategy as an object: it answers as the advice does; damaged files are refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from croupier.cards import DECK, parse_cards
from croupier.errors import BadCards, BadData
from croupier.mathematics.counters.boards.geometry import place_of_cards
from croupier.mathematics.counters.boards.rulebook import holdem_solution
from croupier.mathematics.questions import registry
from croupier.mathematics.questions.players.tables import load_player
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.situation import Situation
from tests.mathematics.changed import HARBOUR
from tests.mathematics.dealt import rules_of


@pytest.mark.parametrize("document", ["md-uth", "md-jackpot", HARBOUR, "texas-holdem-bonus"])
def test_answers_as_the_advice_does_and_survives_a_file(document: str, tmp_path: Path) -> None:
    rules = rules_of(document)
    player = solver_for(rules).player()
    player.save(tmp_path / "best.strategy")
    again = load_player(tmp_path / "best.strategy")
    chance = random.Random(3)
    for decision in rules.book.decisions:
        for _ in range(20):
            drawn = chance.sample(DECK, 2 + decision.sees_community)
            seen = Situation(drawn[:2], drawn[2:], decision=decision.name)
            best = registry.advise(rules, seen).best
            assert player.answer(seen) == again.answer(seen) == best


def test_the_turn_is_played_as_advised() -> None:
    """The situations of the second sweep against dealing out, which shares no code with them."""
    rules = rules_of(HARBOUR)
    game = holdem_solution(rules).game
    level = game.level(4)
    assert level is not None
    (path,) = level.asked_paths
    chosen, chance = holdem_solution(rules).turn[0], random.Random(5)
    for _ in range(40):
        drawn = chance.sample(DECK, 6)
        answer = game.answers(4, path)[chosen[place_of_cards(game.deck, drawn[:2], drawn[2:])]]
        decision = rules.book.decisions[answer.said[-1][0]].name
        advice = registry.advise(rules, Situation(drawn[:2], drawn[2:], decision=decision))
        assert advice.best == answer.said[-1][1]


def test_stud_too(tmp_path: Path) -> None:
    rules = rules_of("md-235")
    player = solver_for(rules).player()
    player.save(tmp_path / "best.strategy")
    again = load_player(tmp_path / "best.strategy")
    chance = random.Random(4)
    for cards in (2, 3):
        for _ in range(60):
            own = chance.sample(DECK, cards)
            best = registry.advise(rules, Situation(own)).best
            assert player.action(own) == again.action(own) == best


def test_cards_that_cannot_be_are_refused() -> None:
    player = solver_for(rules_of("md-235")).player()
    with pytest.raises(BadCards, match="the decisions are three_card on 2 own"):
        player.action(parse_cards("As"))
    with pytest.raises(BadCards, match="2 own and 1 community cards"):
        player.action(parse_cards("As Ks"), parse_cards("Qs"))
    with pytest.raises(BadCards, match="every card once"):
        player.action((*parse_cards("As"), *parse_cards("As")))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "best.strategy"
    solver_for(rules_of("md-235")).player().save(path)
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:-40] + bytes([whole[-40] ^ 1]) + whole[-39:], whole + b"x"):
        path.write_bytes(damaged)
        with pytest.raises(BadData, match="is damaged"):
            load_player(path)
    path.write_bytes(b"something else")
    with pytest.raises(BadData, match="not a strategy"):
        load_player(path)
    with pytest.raises(BadData, match="cannot be read"):
        load_player(tmp_path / "nothing")
    with pytest.raises(BadData, match="cannot be written"):
        solver_for(rules_of("md-235")).player().save(tmp_path / "no" / "folder")
