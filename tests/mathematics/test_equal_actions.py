"""Of equally good actions the first offered or the last: what is said changes, the edge never."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from croupier.mathematics.counters.boards.games import HoldemGame, Question, payoffs
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.information.holdem_knowing import solve_with_dealers_hand
from croupier.mathematics.questions.registry import solver_for
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.commands.program import croupier
from tests.mathematics.counters.boards.examples import BetDecision, OneBetGame, whole

SMALL = 0b1000100000100  # 4, T and ace of every suit


@cache
def rules_of(book: str, takes_first: bool) -> Rules:
    return put_in_force(load_rulebook(book), Submission(), takes_first=takes_first)


@cache
def figures(book: str, takes_first: bool) -> MainFigures:
    rules = rules_of(book, takes_first)
    return solver_for(rules).figures()


def said(book: str, decision: str, word: str) -> tuple[Fraction, Fraction]:
    first, last = (figures(book, takes_first).decisions[decision] for takes_first in (True, False))
    return first[word], last[word]


@pytest.mark.parametrize(
    "book",
    [
        "mississippi-stud",
        "let-it-ride",
        "three-card-poker",
        pytest.param("md-235", marks=pytest.mark.full),
        pytest.param("md-uth", marks=pytest.mark.full),
        pytest.param("md-wpt", marks=pytest.mark.full),
        pytest.param("md-jackpot", marks=pytest.mark.full),
        pytest.param("casino-holdem", marks=pytest.mark.full),
        pytest.param("texas-holdem-bonus", marks=pytest.mark.full),
        pytest.param("four-card-poker", marks=pytest.mark.full),
    ],
)
def test_the_edge_does_not_depend_on_the_choice(book: str) -> None:
    """The value, and the mean over the outcomes that are told."""
    first, last = figures(book, True), figures(book, False)
    assert first.expected_value == last.expected_value == mean(first) == mean(last)


def mean(found: MainFigures) -> Fraction:
    nets: list[tuple[Fraction, int]] = []
    for outcome in found.outcomes:
        told: Any = outcome
        nets.append((Fraction(told["pays"]["net"]), told["combinations"]))
    total = sum((net * count for net, count in nets), Fraction(0))
    return total / sum(count for _, count in nets)


def test_what_is_said_follows_the_choice() -> None:
    bets, folds = (
        said("mississippi-stud", "fifth street", "1x"),
        said("mississippi-stud", "fifth street", "fold"),
    )
    assert bets[0] - bets[1] == folds[1] - folds[0] > 0
    back = said("let-it-ride", "four cards", "take_back")
    assert back[0] > back[1]
    first, last = figures("mississippi-stud", True), figures("mississippi-stud", False)
    assert first.units_wagered > last.units_wagered
    assert first.standard_deviation > last.standard_deviation
    assert first.element_of_risk < last.element_of_risk


@pytest.mark.full
def test_a_bet_and_a_fold_at_the_river_are_equal_on_some_boards() -> None:
    bets = said("md-uth", "river", "1x")
    assert bets[0] > bets[1]


@pytest.mark.parametrize("takes_first", [True, False])
def test_charts_show_the_action_that_is_taken(takes_first: bool) -> None:
    """The mean over the chart is what is said in the figures."""
    rules = rules_of("let-it-ride", takes_first)
    cells = solver_for(rules).chart("four cards").cells()
    deals = sum(cell.combinations for cell in cells)
    back = sum((cell.shares["take_back"] * cell.combinations for cell in cells), Fraction(0))
    assert back / deals == figures("let-it-ride", takes_first).decisions["four cards"]["take_back"]


# -- games in which nothing matters: every action is equally good ---------------------------------


def test_both_dealers_cards_seen_where_nothing_matters() -> None:
    decisions = (BetDecision(0, (4, 3)), BetDecision(3, (2,)))
    game = whole(OneBetGame(decisions, payoffs([0] * 6), payoffs([0] * 6), deck=SMALL))
    first, last = (solve_with_dealers_hand(game, takes_first=way) for way in (True, False))
    assert first.value == last.value == 0
    assert first.bets == {(0, 4): 1, (0, 3): 0, (0, 0): 0, (3, 2): 0, (3, 0): 0}
    assert last.bets == {(0, 4): 0, (0, 3): 0, (0, 0): 1, (3, 2): 0, (3, 0): 1}


@pytest.mark.full
@pytest.mark.parametrize("seen", [3, 4, 5])
def test_several_bets_where_nothing_matters(seen: int) -> None:
    questions = (
        Question(0, 0, (("2x", 2), ("1x", 1)), "fold", True),
        Question(seen, 1, (("1x", 1),), "check", False),
    )
    pays = payoffs([0] * 6)
    for takes_first, units in ((True, 3), (False, 0)):
        game = HoldemGame(
            questions, pays, (pays, pays), (0, 0, 0), deck=SMALL, takes_first=takes_first
        )
        solution = solve_holdem(game)
        assert solution.value == 0
        assert outcome_table(optimal_strategy(solution)).decided_units() == units


@pytest.mark.full
@pytest.mark.parametrize("takes_first", [True, False])
def test_charts_of_starting_hands_follow_the_choice(takes_first: bool) -> None:
    """Where no two actions are equal the charts are the same."""
    for book in ("md-uth", "md-235", "texas-holdem-bonus", "mississippi-stud"):
        grid = solver_for(rules_of(book, takes_first)).chart()
        assert all(sum(cell.shares.values()) == 1 for cell in grid.cells())


# -- the command ----------------------------------------------------------------------------------


def test_the_command_takes_and_tells_the_choice() -> None:
    words = ("analyze", "let-it-ride", "--wager", "main", "--json", "--equal-actions")
    first, last = (croupier(*words, way).json["wagers"]["main"] for way in ("first", "last"))
    assert (first["equal_actions"], last["equal_actions"]) == ("first", "last")
    assert first["expected_value_exact"] == last["expected_value_exact"]
    assert first["units_wagered"] < last["units_wagered"]
    assert first["element_of_risk"] > last["element_of_risk"]
    plain = croupier(*words[:-1]).json["wagers"]["main"]
    assert plain == first


def test_another_choice_is_refused() -> None:
    answer = croupier("analyze", "let-it-ride", "--equal-actions", "bold", "--json")
    assert answer.code == 2
    assert "first" in answer.json["error"]["message"]
