"""Random games with several bets: the solver against the engine's own rounds, every deal of a deck
of three ranks, every way to play them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards import strategies
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.prices import TooManyColumns
from croupier.mathematics.counters.boards.rulebook import holdem_game
from croupier.mathematics.counters.boards.solver import Solution, solve_holdem
from croupier.mathematics.counters.boards.strategies import (
    groups_of,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.rules import Rules
from tests.mathematics.by_engine import ByEngine
from tests.mathematics.changed import HARBOUR, changed, decision
from tests.mathematics.counters.several_bets.games import THREE_RANKS, games

FEW = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
MANY = settings(FEW, max_examples=60)


def small_game(changes: dict[str, Any]) -> tuple[Rules, HoldemGame] | None:
    """The game on the small deck; None where its payments are too many to be solved together."""
    rules = changed(HARBOUR, changes)
    try:
        game = replace(holdem_game(rules), deck=THREE_RANKS)
        solution = solve_holdem(game)
    except (Unsolvable, TooManyColumns):
        return None
    # The key of the disk cache does not know this deck.
    rules.prepared.update({HoldemGame: game, Solution: solution})
    return rules, game


@FEW
@given(games())
def test_a_random_game_is_worth_what_the_engine_pays(changes: dict[str, Any]) -> None:
    check_value(changes)


@pytest.mark.full
@MANY
@given(games())
def test_many_random_games_are_worth_what_the_engine_pays(changes: dict[str, Any]) -> None:
    check_value(changes)


def check_value(changes: dict[str, Any]) -> None:
    found = small_game(changes)
    if found is None:
        return
    rules, game = found
    solution = solve_holdem(game)
    assert solution.value == ByEngine(rules, THREE_RANKS).value()
    few = partial(groups_of, most=2)
    with patch.object(strategies, "groups_of", few):
        table = outcome_table(optimal_strategy(solution))
    nets = table.distribution()
    assert sum((net * deals for net, deals in nets.items()), Fraction(0)) == (
        solution.value * table.total
    )


@FEW
@given(games(), st.data())
def test_advice_lists_what_may_be_said_now_at_its_worth(
    changes: dict[str, Any], data: st.DataObject
) -> None:
    found = small_game(changes)
    if found is None:
        return
    rules, _ = found
    engine = ByEngine(rules, THREE_RANKS)
    own = tuple(data.draw(st.permutations(engine.deck))[:2])
    left = data.draw(st.permutations([card for card in engine.deck if card not in own]))
    said: tuple[str, ...] = ()
    down: set[str] = set()
    for each in rules.book.decisions:
        if each.wager in down:
            continue
        shown = left[: each.sees_community]
        want = engine.values(own, frozenset(shown), said)
        advice = advise(rules, Situation(own, shown, (), each.name, said))
        assert (advice.decision, advice.values) == (each.name, want)
        word = data.draw(st.sampled_from(sorted(want)))
        said = (*said, word)
        if word == "fold":
            break
        if word in each.bets:
            down.add(each.wager)


def test_small_games_are_solved_at_all() -> None:
    """The random games above are of the family, not all refused."""
    found = []
    for seen in (4, 5):
        course = {
            "decisions": [
                {"name": "a", "sees_player": 2, "wager": "sail", "multiple_of": "ante"}
                | {"bets": {"2x": 2}, "otherwise": "fold", "clause": "x"},
                {"name": "b", "sees_player": 2, "sees_community": seen, "wager": "oars"}
                | {"multiple_of": "ante", "bets": {"1x": 1}, "otherwise": "fold", "clause": "x"},
            ],
            "wagers.oars": {
                "title": "Oars",
                "role": "decided",
                "clause": "x",
                "settles": {
                    "by": "versus_dealer",
                    "hand": "final",
                    "folded": {"do": "collect", "clause": "x"},
                    "qualified": {
                        "higher": {"do": "pay", "paytable": "sail"},
                        "equal": {"do": "return", "clause": "x"},
                        "lower": {"do": "collect", "clause": "x"},
                    },
                },
            },
            "layout": None,
        }
        game = small_game(course)
        assert game is not None
        found.append(solve_holdem(game[1]).value)
    assert found[0] <= found[1], "to decide on more cards is worth as much at least"


def test_one_word_for_two_bets_on_the_same_cards() -> None:
    """An answer is known by its decision, not by its word."""
    doubled = [decision("a", 3, {"bet": 3}), decision("b", 3, {"bet": 1}, "fold")]
    clear = [decision("a", 3, {"3x": 3}), decision("b", 3, {"1x": 1}, "fold")]
    rules = changed(HARBOUR, {"decisions": doubled})
    found = solve_holdem(replace(holdem_game(rules), deck=THREE_RANKS))
    plain = replace(holdem_game(changed(HARBOUR, {"decisions": clear})), deck=THREE_RANKS)
    assert found.value == solve_holdem(plain).value
