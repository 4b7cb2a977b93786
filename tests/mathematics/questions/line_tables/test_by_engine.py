"""The line tables of random games on small decks: every line of every wager against all deals,
played as well as can be and settled by the engine."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.boards.solver import Solution, solve_holdem
from croupier.mathematics.questions.line_tables import (
    TAKEN_BACK,
    LineTables,
    tabulate,
)
from croupier.mathematics.questions.rounds import (
    PlayedRounds,
    holdem_rounds,
    streets_rounds,
    versus_rounds,
)
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import changed
from tests.mathematics.counters.opponents.games import in_force
from tests.mathematics.counters.opponents.test_random_games import games as versus_games
from tests.mathematics.counters.several_bets.games import THREE_RANKS
from tests.mathematics.counters.several_bets.games import games as bets_games
from tests.mathematics.counters.several_bets.test_by_engine import small_game
from tests.mathematics.counters.stages.test_by_engine import games as streets_games
from tests.mathematics.counters.stages.test_by_engine import lawful
from tests.mathematics.questions.line_tables.engine_lines import (
    Chances,
    SettledLine,
    board_chances,
    streets_chances,
    versus_chances,
)

FEW = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
MANY = settings(FEW, max_examples=40)


def chances_of(rules: Rules, tables: LineTables) -> Chances:
    """As the engine lists them: wagers that lie there, and bonuses that are paid."""
    found: Chances = {}
    for name, lines in tables.wagers.items():
        for end, probability in ((line.end, line.probability) for line in lines):
            if end.result in ("win", "push", "lose"):
                units = 1 if end.hand == TAKEN_BACK else end.units
                units = 0 if name in rules.book.bonuses else units
                settled = SettledLine(name, Fraction(units), end.result, end.net)
                found[settled] = found.get(settled, Fraction(0)) + probability
    return found


def check(rounds: PlayedRounds, want: Chances) -> None:
    tables = tabulate(rounds)
    assert chances_of(rounds.rules, tables) == want
    for lines in tables.wagers.values():
        assert sum(line.probability for line in lines) == 1
    for actions in tables.decisions.values():
        assert sum(line.probability for line in actions) == 1
        assert sum(line.contribution for line in actions) == tables.value


def check_streets(contents: dict[str, Any]) -> None:
    rules = lawful(contents)
    check(streets_rounds(rules), streets_chances(rules))


def check_versus(contents: dict[str, Any]) -> None:
    rules = in_force(contents)
    check(versus_rounds(rules), versus_chances(rules))


def check_bets(changes: dict[str, Any]) -> None:
    found = small_game(changes)
    if found is not None:
        rules, _ = found
        check(holdem_rounds(rules), board_chances(rules, THREE_RANKS))


@pytest.mark.parametrize("book", ["md-uth", "md-wpt", "md-jackpot", "casino-holdem"])
def test_lines_of_holdem_with_one_bet(book: str) -> None:
    """On tens, jacks and aces; bonuses and the Bad Beat line that rides on a wager included."""
    rules = changed(book, {})
    game = replace(holdem_game(rules), deck=THREE_RANKS)
    # The key of the disk cache does not know this deck: solve it here.
    rules.prepared.update({HoldemGame: game, Solution: solve_holdem(game)})
    check(holdem_rounds(rules), board_chances(rules, THREE_RANKS))


@FEW
@given(streets_games())
def test_lines_of_random_streets(contents: dict[str, Any]) -> None:
    check_streets(contents)


@FEW
@given(versus_games())
def test_lines_of_random_hands_against_the_dealer(contents: dict[str, Any]) -> None:
    check_versus(contents)


@FEW
@given(bets_games())
def test_lines_of_random_holdem_games(changes: dict[str, Any]) -> None:
    check_bets(changes)


@pytest.mark.full
@MANY
@given(streets_games())
def test_lines_of_many_random_streets(contents: dict[str, Any]) -> None:
    check_streets(contents)


@pytest.mark.full
@MANY
@given(versus_games())
def test_lines_of_many_random_hands_against_the_dealer(contents: dict[str, Any]) -> None:
    check_versus(contents)


@pytest.mark.full
@MANY
@given(bets_games())
def test_lines_of_many_random_holdem_games(changes: dict[str, Any]) -> None:
    check_bets(changes)
