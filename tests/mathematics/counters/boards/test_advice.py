"""Values of a solution and values by dealing out are one and the same fraction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from croupier.cards import parse_cards
from croupier.errors import BadCards
from croupier.mathematics.counters.boards.geometry import place_of_cards
from croupier.mathematics.counters.boards.solver import Solution
from croupier.mathematics.questions.advice import DealtOut
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.mathematics.counters.boards.examples import (
    BetDecision,
    OneBetGame,
    jackpot,
    solve,
    ultimate,
    wpt,
)

TURN = (
    BetDecision(0, (4,)),
    BetDecision(3, (3,)),
    BetDecision(4, (2,)),
    BetDecision(5, (1,), "fold"),
)


def rules_of(name: str) -> Rules:
    return put_in_force(load_rulebook(name), Submission())


def best_at(solution: Solution, own: Sequence[int], shown: Sequence[int]) -> Fraction:
    """What it is worth to come to these cards with nothing bet."""
    stage = solution.stages[len(shown)]
    path = next(path for path in stage.level.arriving if not sum(path.bets))
    place = place_of_cards(stage.game.deck, own, shown)
    size = 1 if stage.size is None else int(stage.size[place])
    return Fraction(int(stage.best(path)[place]), size * stage.ways * stage.game.scale)


@pytest.mark.parametrize(
    "game",
    [
        ultimate(),
        jackpot(),
        pytest.param(wpt(), marks=pytest.mark.full),
        pytest.param(replace(ultimate(), decisions=TURN), marks=pytest.mark.full),
    ],
)
def test_flop_tables_equal_dealing_out(game: OneBetGame) -> None:
    solution = solve(game)
    stage = solution.stages[3]
    dice = Random(5)
    for _ in range(2):
        cards = dice.sample(range(52), 5)
        dealt = DealtOut(solution.game, cards[:2], cards[2:])
        place = place_of_cards(game.deck, cards[:2], cards[2:])
        for path, worth in stage.onward.items():
            stored = Fraction(int(worth[place]), stage.ways * game.scale)
            assert stored == dealt.value(path)


def test_checking_is_worth_the_mean_of_what_follows() -> None:
    for game, text in ((ultimate(), ""), (jackpot(), "Qh")):
        solution = solve(game)
        hole, shown = parse_cards("Kd 4s"), parse_cards(text)
        rest = [card for card in range(52) if card not in hole and card not in shown]
        values = [
            best_at(solution, hole, [*shown, *more]) for more in combinations(rest, 3 - len(shown))
        ]
        stage = solution.stages[len(shown)]
        check = stage.level.leaving[0][-1]
        place = place_of_cards(game.deck, hole, shown)
        assert stage.size is not None
        unit = int(stage.size[place]) * stage.ways * game.scale
        mean = sum(values, Fraction(0)) / len(values)
        assert Fraction(int(stage.worth(check)[place]), unit) == mean


def test_best_is_the_best() -> None:
    rules = rules_of("md-uth")
    assert advise(rules, Situation(parse_cards("As Ad"))).best == "4x"
    deuce = advise(rules, Situation(parse_cards("2s 3d"), parse_cards("Ks Jd Th 8c 6d")))
    assert deuce.best == "fold"
    assert deuce.values["fold"] == -2


@pytest.mark.parametrize(
    ("own", "community"), [("As As", ""), ("As", ""), ("As Ks", "Qs Js"), ("As Ks", "Ks")]
)
def test_bad_cards_are_refused(own: str, community: str) -> None:
    with pytest.raises(BadCards):
        advise(rules_of("md-uth"), Situation(parse_cards(own), parse_cards(community)))
