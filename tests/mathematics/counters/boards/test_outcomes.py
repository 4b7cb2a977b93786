"""Outcome tables add up to all deals, give the solver's value back, and agree with brute force."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
import pytest

from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame
from croupier.mathematics.counters.boards.geometry import flops_of
from croupier.mathematics.counters.boards.numbering import CLASSES, PAIRS, RANK_BOARDS, numbering
from croupier.mathematics.counters.boards.outcomes import River
from croupier.mathematics.counters.boards.solver import Solution, solve
from croupier.mathematics.counters.boards.strategies import (
    Ending,
    StrategyArrays,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.counters.boards.suited_boards import (
    SUITED_BOARDS,
    others_of,
    suited_board_number,
)
from croupier.mathematics.counters.boards.turns import turns_of
from croupier.ranking.hands import Category
from tests.mathematics.changed import HARBOUR
from tests.mathematics.counters.boards.brute import brute_table
from tests.mathematics.counters.boards.examples import jackpot, ultimate, wpt
from tests.mathematics.counters.boards.test_solver import (
    DECISIONS,
    JACKS_UP,
    NINES_UP,
    TENS_UP,
    WHEEL,
    random_payoffs,
)
from tests.mathematics.dealt import solution_of
from tests.params import few

SEVENS = {
    Category.ROYAL_FLUSH: 4_324,
    Category.STRAIGHT_FLUSH: 37_260,
    Category.FOUR_OF_A_KIND: 224_848,
    Category.FULL_HOUSE: 3_473_184,
    Category.FLUSH: 4_047_644,
    Category.STRAIGHT: 6_180_020,
    Category.THREE_OF_A_KIND: 6_461_620,
    Category.TWO_PAIR: 31_433_400,
    Category.PAIR: 58_627_800,
}


@cache
def of_ultimate() -> tuple[HoldemGame, Solution]:
    game = ultimate()
    return game, solve(game)


def test_ultimate_texas_holdem() -> None:
    game, solution = of_ultimate()
    table = outcome_table(game, optimal_strategy(solution))
    assert table.total == 27_813_810_024_000
    assert table.value == solution.value
    assert round(table.standard_deviation, 4) == 4.9393
    assert round(float(2 + table.decided_units()), 4) == 4.1523
    assert table.frequency(Ending(0, 3)) == 0
    by_category = table.by_category().sum(axis=(0, 1, 3)).tolist()
    ways = 27_813_810_024_000 // comb(52, 7)
    for category, hands in SEVENS.items():
        assert by_category[category] == hands * ways


@pytest.mark.parametrize("game", [jackpot(), wpt()])
def test_the_value_comes_back(game: HoldemGame) -> None:
    solution = solve(game)
    table = outcome_table(game, optimal_strategy(solution))
    assert table.value == solution.value
    orders = 3 if game.levels[0].seen == 1 else 1
    assert table.total == orders * 27_813_810_024_000


@pytest.mark.parametrize("name", DECISIONS)
def test_the_value_comes_back_for_random_payoffs(name: str) -> None:
    required, decided = random_payoffs(7)
    game = HoldemGame(DECISIONS[name], required, decided, 1277, -5, 7, TENS_UP)
    solution = solve(game)
    assert outcome_table(game, optimal_strategy(solution)).value == solution.value


def test_a_worse_strategy_costs_what_it_costs() -> None:
    """Never betting before the river: the game with the river's decision only."""
    game, solution = of_ultimate()
    never = {
        seen: np.full_like(action, -1)
        for seen, action in optimal_strategy(solution).actions.items()
    }
    river_only = replace(game, decisions=(BetDecision(5, (1,), "fold"),))
    assert outcome_table(game, StrategyArrays(never)).value == solve(river_only).value


def test_always_betting_first_has_the_symmetric_results() -> None:
    game, solution = of_ultimate()
    actions = {
        seen: np.zeros_like(action) for seen, action in optimal_strategy(solution).actions.items()
    }
    table = outcome_table(game, StrategyArrays(actions))
    results = table.deals.sum(axis=(0, 1, 2)).tolist()
    assert results[0] + results[1] == results[4] + results[5]
    assert sum(results) == table.total


def test_labels_split_the_table() -> None:
    game, solution = of_ultimate()
    strategy = optimal_strategy(solution)
    flops = flops_of(game.deck)
    labels = (flops.hand % 3).astype(np.int8)
    whole, split = outcome_table(game, strategy), outcome_table(game, strategy, labels)
    assert split.deals.shape[1] == 3
    assert np.array_equal(split.deals.sum(axis=1), whole.deals[:, 0])
    share = Fraction(int(split.deals[:, 1].sum()), split.total)
    weight = int(flops.orbit[labels == 1].sum(dtype=np.int64))
    assert share == Fraction(weight, int(flops.orbit.sum(dtype=np.int64)))


def _river(choice: int) -> River:
    plain = np.full((RANK_BOARDS, PAIRS), choice, dtype=np.int8)
    return River(plain, np.full((SUITED_BOARDS, CLASSES), choice, dtype=np.int8), True)


def test_a_given_river_policy_is_followed() -> None:
    """Never folding is best when a fold is ruinous; always folding costs the fold."""
    game, solution = of_ultimate()
    actions = optimal_strategy(solution).actions
    ruinous = replace(game, fold=-1000 * game.scale)
    calling = outcome_table(game, StrategyArrays(actions, _river(0)))
    assert calling.value == outcome_table(ruinous, StrategyArrays(actions)).value
    folding = outcome_table(game, StrategyArrays(actions, _river(1)))
    assert folding.frequency(Ending(5, 1)) == 0
    assert folding.frequency(Ending(5, 0, fold=True)) == calling.frequency(Ending(5, 1))


def test_boards_by_suit_are_numbered_without_gaps() -> None:
    found = set()
    for count, others in ((3, 91), (4, 13), (5, 1)):
        for ranks in combinations(range(13), count):
            f = np.array([*ranks, 0, 0][:5], dtype=np.int8)
            for x in range(others):
                p, q = others_of(x, count, numbering())
                found.add(suited_board_number(f, count, p, q))
    assert found == set(range(SUITED_BOARDS))


def test_bold_and_timid_play_are_equally_good() -> None:
    game, solution = of_ultimate()
    bold, timid = (outcome_table(game, optimal_strategy(solution, way)) for way in (True, False))
    assert bold.value == timid.value == solution.value
    fold = Ending(5, 0, fold=True)
    assert timid.frequency(fold) > bold.frequency(fold)
    assert bold.decided_units() > timid.decided_units()


# -- decisions at the turn ------------------------------------------------------------------------

TURN_GAMES = {
    "turn_alone": (BetDecision(4, (2, 1)),),
    "turn_or_fold": (BetDecision(4, (1,), "fold"),),
    "flop_turn_river": (BetDecision(3, (3,)), BetDecision(4, (2,)), BetDecision(5, (1,), "fold")),
    "deal_and_turn": (BetDecision(0, (4,)), BetDecision(4, (2, 1))),
    "deal_turn_or_fold": (BetDecision(0, (4,)), BetDecision(4, (2,), "fold")),
    "turn_and_free_river": (BetDecision(4, (3,)), BetDecision(5, (2, 1))),
    "every_street": DECISIONS["every_street"],
    "without_turn": (BetDecision(1, (3,)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold")),
}


def orders_told_apart(game: HoldemGame) -> int:
    """Of the 5! orders of the community cards."""
    seen = {level.seen for level in game.levels}
    flop = 6 if {1, 2} <= seen else 3 if {1, 2} & seen else 1
    return 10 * flop * (2 if 4 in seen else 1)


@pytest.mark.parametrize(
    ("name", "deck"),
    [
        *((name, JACKS_UP) for name in ("turn_or_fold", "every_street")),
        *(
            pytest.param(name, deck, marks=pytest.mark.full)
            for name in TURN_GAMES
            for deck in (TENS_UP, WHEEL)
        ),
    ],
)
def test_brute_force_agrees_on_every_ending(name: str, deck: int) -> None:
    required, decided = random_payoffs(len(name))
    game = HoldemGame(TURN_GAMES[name], required, decided, 1277, -9, 7, deck)
    solution = solve(game)
    table = outcome_table(game, optimal_strategy(solution))
    assert np.array_equal(table.deals[:, 0] * (120 // orders_told_apart(game)), brute_table(game))
    assert table.value == solution.value
    cards = game.cards
    deals = comb(cards, 2) * comb(cards - 2, 5) * game.dealer_hands
    assert table.total == deals * orders_told_apart(game)


@pytest.mark.parametrize("way", few((True, False), True), ids=("bold", "timid"))
def test_the_value_comes_back_from_a_full_deck_with_a_turn(way: bool) -> None:
    game, solution = solution_of(HARBOUR)
    table = outcome_table(game, optimal_strategy(solution, way))
    assert table.value == solution.value
    assert table.total == 2 * 27_813_810_024_000
    by_category = table.by_category().sum(axis=(0, 1, 3)).tolist()
    for category, hands in SEVENS.items():
        assert by_category[category] * comb(52, 7) == hands * table.total


def test_labels_split_the_table_of_a_turn_game() -> None:
    game = HoldemGame(TURN_GAMES["every_street"], *random_payoffs(5), 1277, -9, 7, NINES_UP)
    strategy = optimal_strategy(solve(game))
    flops = flops_of(game.deck)
    labels = (np.arange(len(flops.hand)) % 3).astype(np.int8)
    whole, split = outcome_table(game, strategy), outcome_table(game, strategy, labels)
    assert np.array_equal(split.deals.sum(axis=1), whole.deals[:, 0])
    for label in range(3):
        weight = int(flops.orbit[labels == label].sum(dtype=np.int64))
        share = Fraction(int(split.deals[:, label].sum()), split.total)
        assert share == Fraction(weight, int(flops.orbit.sum(dtype=np.int64)))


def test_a_turn_that_never_bets_is_no_turn() -> None:
    game = HoldemGame(TURN_GAMES["flop_turn_river"], *random_payoffs(5), 1277, -9, 7, NINES_UP)
    actions = optimal_strategy(solve(game)).actions
    never = {**actions, 4: np.full(len(turns_of(game.deck).hand), -1, np.int8)}
    without = replace(game, decisions=(game.decisions[0], game.decisions[2]))
    with_turn, two = (
        outcome_table(game, StrategyArrays(never)),
        outcome_table(without, StrategyArrays(actions)),
    )
    places = [with_turn.endings.index(ending) for ending in two.endings]
    assert np.array_equal(with_turn.deals[places], 2 * two.deals)
    assert with_turn.total == 2 * two.total
