"""Side wagers lost with a fold in games that decide after four community cards."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Literal

import msgspec
import numpy as np
import pytest

from croupier.cards import Card
from croupier.mathematics.counters.boards.games import HoldemGame, showdowns_of
from croupier.mathematics.counters.boards.geometry import HANDS, card_pairs
from croupier.mathematics.counters.boards.rulebook import holdem_solution, table_of
from croupier.mathematics.counters.boards.solver import Solution, river_game
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.game.payments import FOLDED
from croupier.mathematics.questions.analysis import analyze
from croupier.mathematics.questions.lost_with_fold import (
    folded_hands,
    split_by_fold,
    tally_kept,
)
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.sessions import envy_after_fold as envy_module
from croupier.mathematics.questions.sessions.envy_after_fold import envy_unless_folded
from croupier.mathematics.questions.sessions.line_facts import hands_at
from croupier.mathematics.questions.situation import Situation
from croupier.mathematics.side_wagers.analysis import analyze_side, envy_lines, envy_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import HighestHand
from tests.mathematics.changed import HARBOUR
from tests.mathematics.dealt import rules_of
from tests.mathematics.side_wagers.in_force import InForce

LOSE = {"side_wagers_after_fold": "lose"}


@cache
def harbour() -> Rules:
    """The example with both its side wagers lost with a fold."""
    rules = rules_of(HARBOUR)
    wagers = {
        name: msgspec.structs.replace(wager, after_fold="loses")
        if wager.role == "optional"
        else wager
        for name, wager in rules.book.wagers.items()
    }
    return replace(rules, book=msgspec.structs.replace(rules.book, wagers=wagers), prepared={})


@cache
def asked_at_the_turn(book: str, last: Literal["turn", "river"] = "river") -> Rules:
    """A game of the documents that also asks at the turn, or asks there and not at the river."""
    rules = InForce()(book, readings=LOSE)
    *before, river = rules.book.decisions
    fold = river.otherwise if last == "turn" else "check"
    turn = msgspec.structs.replace(river, name="turn", sees_community=4, otherwise=fold)
    asked = (*before, turn) if last == "turn" else (*before, turn, river)
    *shown, both = rules.book.reveals
    fourth, fifth = (
        msgspec.structs.replace(both, name=name, community=1) for name in ("turn", "river")
    )
    other = msgspec.structs.replace(rules.book, decisions=asked, reveals=(*shown, fourth, fifth))
    return replace(rules, book=other, prepared={})


def solved(rules: Rules) -> tuple[HoldemGame, Solution]:
    solution = holdem_solution(rules)
    return solution.game, solution


def fold_frequency(rules: Rules) -> Fraction:
    table = table_of(rules)
    folded = sum(int(deals.sum()) for path, deals in table.endings if path.folded)
    return Fraction(folded, table.total)


def cards(numbers: list[int]) -> list[Card]:
    return [Card(number) for number in numbers]


def check_parts(rules: Rules, wager: str) -> None:
    """Played and folded together are the standing wager; the folds are those of the main game."""
    split = split_by_fold(rules, wager)
    standing = analyze_side(rules, wager)
    played, folded = split.tally(), split._replace(played=split.folded, folded={}).tally()
    for (hand, _, kept), (_, _, lost), outcome in zip(
        played.endings, folded.endings, standing.outcomes, strict=False
    ):
        assert hand == outcome.hand
        assert Fraction(kept + lost, played.total) == standing.probability(outcome)
    assert Fraction(folded.total, played.total) == fold_frequency(rules) > 0


@pytest.mark.parametrize(
    "wager", ["lighthouse", pytest.param("first_mates", marks=pytest.mark.full)]
)
def test_played_and_folded_together_are_the_standing_wager(wager: str) -> None:
    check_parts(harbour(), wager)


def test_the_command_answers() -> None:
    found, standing = analyze(harbour(), "lighthouse"), analyze(rules_of(HARBOUR), "lighthouse")
    assert found["outcomes"][-1]["hand"] == FOLDED  # type: ignore[index]
    assert found["house_edge"] > standing["house_edge"]  # type: ignore[operator]


@pytest.mark.full
@pytest.mark.parametrize("last", ["turn", "river"])
@pytest.mark.parametrize("wager", ["ultimate_pairs", "bad_beat", "play_the_board", "progressive"])
def test_the_wagers_of_a_document_too(wager: str, last: Literal["turn", "river"]) -> None:
    check_parts(asked_at_the_turn("md-uth", last), wager)


@pytest.mark.full
@pytest.mark.parametrize("last", ["turn", "river"])
def test_the_highest_hand_against_the_dealer_is_what_the_sweep_counts(
    last: Literal["turn", "river"],
) -> None:
    rules = asked_at_the_turn("ma-uth", last)
    settles = rules.book.wagers["cover_all"].settles
    assert isinstance(settles, HighestHand)
    swept, kept = split_by_fold(rules, "cover_all").tally(), tally_kept(rules, settles, 2)
    assert [(h, Fraction(n, swept.total)) for h, _, n in swept.endings] == [
        (h, Fraction(n, kept.total)) for h, _, n in kept.endings
    ]


# -- envy -----------------------------------------------------------------------------------------


@pytest.mark.full
def test_folds_against_an_envy_hand_are_those_that_are_advised() -> None:
    """One turn and river in both orders, hand by hand with `advise`, which deals out the turn."""
    rules = asked_at_the_turn("md-uth")
    game, solution = solved(rules)
    strategy = optimal_strategy(solution)
    lines = envy_lines(rules, "progressive", 100)
    assert lines is not None
    one = random.Random(3).choice(list(envy_module._meetings(lines.tests, hands_at(rules))))
    free = [card for card in range(51, -1, -3) if card not in one.flop + one.held]
    turn, river = free[0], free[4]
    orders, waits, path = envy_module._on_the_way(strategy)
    arrived = envy_module._by_hand(orders, game.deck, one.flop)
    later = envy_module._by_turn(waits, game.deck, one.flop)
    out = np.zeros((1, HANDS), np.int64)
    prices = (showdowns_of(river_game(game, path)[0]), np.array([1]))
    flop, held = np.array(one.flop), np.array([one.held])
    envy_module._count_folds(flop, held, arrived, later, *prices, out)
    folds = 0
    gone = {*one.flop, *one.held, turn, river}
    for hand in random.Random(4).sample(card_pairs().tolist(), HANDS):
        if gone & {*hand}:
            continue
        for fourth, fifth in ((turn, river), (river, turn)):
            shown = [[], list(one.flop), [*one.flop, fourth], [*one.flop, fourth, fifth]]
            folds += all(
                advise(rules, Situation(cards(hand), cards(seen))).best == said
                for seen, said in zip(shown, ["check", "check", "check", "fold"], strict=True)
            )
    assert folds == out[0, turn * (turn - 1) // 2 + river] > 0


@pytest.mark.full
@pytest.mark.parametrize("last", ["turn", "river"])
def test_envy_is_less_where_folds_lose_it(last: Literal["turn", "river"]) -> None:
    rules = asked_at_the_turn("md-wpt", last)
    standing, total = envy_of(rules, "progressive", 100)
    left, deals = envy_unless_folded(rules, "progressive", 100)
    before = Fraction(sum(one.combinations for one in standing), total)
    after = Fraction(sum(one.combinations for one in left), deals)
    assert before / 2 < after < before


@pytest.mark.full
@pytest.mark.parametrize("last", ["turn", "river"])
def test_the_hands_folded_are_those_of_the_outcome_table(last: Literal["turn", "river"]) -> None:
    rules = asked_at_the_turn("ma-uth", last)
    game, solution = solved(rules)
    strategy = optimal_strategy(solution)
    table = outcome_table(strategy)
    folded = sum(int(deals.sum()) for path, deals in table.endings if path.folded)
    assert folded == folded_hands(strategy).deals.sum() * game.dealer_hands
