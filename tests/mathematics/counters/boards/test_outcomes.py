"""Outcome tables add up to all deals, give the solver's value back, and agree with brute force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt

import numpy as np
import pytest

from croupier.mathematics.counters.boards import solver
from croupier.mathematics.counters.boards.geometry import flops_of
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    SUITED_BOARDS,
    numbering,
    others_of,
    suited_board_number,
)
from croupier.mathematics.counters.boards.outcomes import River
from croupier.mathematics.counters.boards.solver import Solution
from croupier.mathematics.counters.boards.strategies import (
    Labeled,
    OutcomeTable,
    Strategy,
    best_river,
    groups_of,
    optimal_strategy,
    outcome_table,
)
from croupier.ranking.hands import Category
from tests.mathematics.changed import HARBOUR
from tests.mathematics.counters.boards.brute import Ending, brute_table, by_ending, ending_of
from tests.mathematics.counters.boards.examples import (
    BetDecision,
    OneBetGame,
    category_of_strength,
    jackpot,
    solve,
    ultimate,
    whole,
    wpt,
)
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


def by_category(table: OutcomeTable) -> list[int]:
    by_strength = sum(deals.sum(axis=1) for _, deals in table.endings)
    return [int(by_strength[category_of_strength() == each].sum()) for each in Category]


def frequency(table: OutcomeTable, ending: Ending) -> Fraction:
    ways = [deals for path, deals in table.endings if ending_of(table.game, path) == ending]
    return Fraction(sum(int(deals.sum()) for deals in ways), table.total)


def always(game: OneBetGame, place: int, river: River | None = None) -> Strategy:
    """The same place among the answers at all decisions before the river; -1 is to decline."""
    strategy = optimal_strategy(solve(game))
    answers = {
        seen: {
            path: np.full_like(chosen, place % len(strategy.game.answers(seen, path)))
            for path, chosen in by_path.items()
        }
        for seen, by_path in strategy.answers.items()
    }
    return Strategy(strategy.game, answers, river or best_river())


@cache
def of_ultimate() -> tuple[OneBetGame, Solution]:
    game = ultimate()
    return game, solve(game)


def test_ultimate_texas_holdem() -> None:
    _, solution = of_ultimate()
    table = outcome_table(optimal_strategy(solution))
    assert table.total == 27_813_810_024_000
    assert table.value == solution.value
    assert round(sqrt(table.variance), 4) == 4.9393
    assert round(float(2 + table.decided_units()), 4) == 4.1523
    assert frequency(table, Ending(0, 3)) == 0
    found = by_category(table)
    ways = 27_813_810_024_000 // comb(52, 7)
    for category, hands in SEVENS.items():
        assert found[category] == hands * ways


@pytest.mark.parametrize("game", [jackpot(), wpt()])
def test_the_value_comes_back(game: OneBetGame) -> None:
    solution = solve(game)
    table = outcome_table(optimal_strategy(solution))
    assert table.value == solution.value
    orders = 3 if game.levels[0].seen == 1 else 1
    assert table.total == orders * 27_813_810_024_000


@pytest.mark.parametrize("name", DECISIONS)
def test_the_value_comes_back_for_random_payoffs(name: str) -> None:
    required, decided = random_payoffs(7)
    game = OneBetGame(DECISIONS[name], required, decided, 1277, -5, 7, TENS_UP)
    solution = solve(game)
    assert outcome_table(optimal_strategy(solution)).value == solution.value


def test_a_worse_strategy_costs_what_it_costs() -> None:
    """Never betting before the river: the game with the river's decision only."""
    game, _ = of_ultimate()
    river_only = replace(game, decisions=(BetDecision(5, (1,), "fold"),))
    assert outcome_table(always(game, -1)).value == solve(river_only).value


def test_always_betting_first_has_the_symmetric_results() -> None:
    game, _ = of_ultimate()
    table = outcome_table(always(game, 0))
    results = sum(deals.sum(axis=0) for _, deals in table.endings).tolist()
    assert results[0] + results[1] == results[4] + results[5]
    assert sum(results) == table.total


def _river(choice: int) -> River:
    plain = np.full((RANK_BOARDS, PAIRS), choice, dtype=np.int8)
    return River(plain, np.full((SUITED_BOARDS, CLASSES), choice, dtype=np.int8), True)


def test_a_given_river_policy_is_followed() -> None:
    """Never folding is best when a fold is ruinous; always folding costs the fold."""
    game, solution = of_ultimate()
    best = optimal_strategy(solution)
    ruinous = replace(best.game, folded=(-1000 * game.scale, 0))
    calling = outcome_table(replace(best, river=_river(0)))
    assert calling.value == outcome_table(replace(best, game=ruinous)).value
    folding = outcome_table(replace(best, river=_river(1)))
    assert frequency(folding, Ending(5, 1)) == 0
    folds = frequency(folding, Ending(5, 0, fold=True))
    assert folds == frequency(calling, Ending(5, 1))


def test_boards_by_suit_are_numbered_without_gaps() -> None:
    found = set()
    for count, others in ((3, 91), (4, 13), (5, 1)):
        for ranks in combinations(range(13), count):
            f = np.array([*ranks, 0, 0][:5], dtype=np.int8)
            for x in range(others):
                p, q = others_of(x, count, numbering())
                found.add(suited_board_number(f, count, p, q))
    assert found == set(range(SUITED_BOARDS))


def timid(solution: Solution) -> Strategy:
    """Of equally good answers the last."""
    game = replace(solution.game, takes_first=False)
    stages = {seen: replace(stage, game=game) for seen, stage in solution.stages.items()}
    return optimal_strategy(replace(solution, game=game, stages=stages, turn_played=None))


def test_bold_and_timid_play_are_equally_good() -> None:
    _, solution = of_ultimate()
    first, last = (outcome_table(play(solution)) for play in (optimal_strategy, timid))
    assert first.value == last.value == solution.value
    fold = Ending(5, 0, fold=True)
    assert frequency(last, fold) > frequency(first, fold)
    assert first.decided_units() > last.decided_units()


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


def orders_told_apart(game: OneBetGame) -> int:
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
    game = OneBetGame(TURN_GAMES[name], required, decided, 1277, -9, 7, deck)
    solution = solve(game)
    table = outcome_table(optimal_strategy(solution))
    times = 120 // orders_told_apart(game)
    assert np.array_equal(by_ending(table, game) * times, brute_table(game))
    assert table.value == solution.value
    cards = game.cards
    deals = comb(cards, 2) * comb(cards - 2, 5) * game.dealer_hands
    assert table.total == deals * orders_told_apart(game)


@pytest.mark.parametrize("play", few((optimal_strategy, timid), optimal_strategy))
def test_the_value_comes_back_from_a_full_deck_with_a_turn(
    play: Callable[[Solution], Strategy],
) -> None:
    _, solution = solution_of(HARBOUR)
    table = outcome_table(play(solution))
    assert table.value == solution.value
    assert table.total == 2 * 27_813_810_024_000
    found = by_category(table)
    for category, hands in SEVENS.items():
        assert found[category] * comb(52, 7) == hands * table.total


@pytest.mark.parametrize("name", ["every_street", "flop_turn_river", "without_turn"])
def test_labels_split_the_arrivals(name: str) -> None:
    """What comes to the river by each label adds up to what comes there without labels."""
    game = whole(OneBetGame(TURN_GAMES[name], *random_payoffs(5), 1277, -9, 7, NINES_UP))
    strategy = optimal_strategy(solver.solve_holdem(game))
    flops = flops_of(game.deck)
    labels = (np.arange(len(flops.hand)) % 3).astype(np.int8)
    inside = np.ones(len(labels), np.bool_)
    for group in groups_of(strategy):
        plain = group.played(strategy, 2).arrivals
        split = group.played(strategy, 2, Labeled(labels, 3, inside)).arrivals
        for whole_part, part in zip(plain, split, strict=True):
            if whole_part is None or part is None:
                assert whole_part is part
                continue
            apart = part.reshape(len(part), -1, 3, part.shape[-1])
            assert np.array_equal(apart.sum(axis=2), whole_part)


def test_a_turn_that_never_bets_is_no_turn() -> None:
    game = OneBetGame(TURN_GAMES["flop_turn_river"], *random_payoffs(5), 1277, -9, 7, NINES_UP)
    best = optimal_strategy(solve(game))
    never = {path: np.full_like(chosen, 1) for path, chosen in best.answers[4].items()}
    without = replace(game, decisions=(game.decisions[0], game.decisions[2]))
    other = whole(without)
    flop = {path: best.answers[3][path] for path in best.answers[3]}
    with_turn = outcome_table(replace(best, answers={3: flop, 4: never}))
    two = outcome_table(Strategy(other, {3: flop}, best_river()))
    for ending in (Ending(3, 3), Ending(5, 1), Ending(5, 0, fold=True)):
        assert frequency(with_turn, ending) == frequency(two, ending)
    assert with_turn.total == 2 * two.total
    assert with_turn.value == two.value
