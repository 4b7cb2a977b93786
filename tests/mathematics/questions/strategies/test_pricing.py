"""Prices: the whole cost is the sum of the losses, and settlement by hand agrees."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import sqrt

import numpy as np
import pytest

from croupier.cards import Card
from croupier.mathematics.counters.boards.strategies import (
    Strategy,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.boards_decisions import (
    HoldemDecisions,
    holdem_choices,
)
from croupier.mathematics.questions.strategies.compiling import answers_of
from croupier.mathematics.questions.strategies.decisions import StrategyDecision
from croupier.mathematics.questions.strategies.pricing import (
    Price,
    price_play,
    price_written,
)
from croupier.mathematics.questions.strategies.text import (
    open_strategy,
    phrase_test,
    read_text,
    shipped_for,
)
from croupier.rounds.settlement import settle
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.rules import Rules
from tests.mathematics.counters.boards.brute import (
    Ending,
    brute_table,
    by_ending,
    deck_cards,
    endings_of,
    sets_by_size,
)
from tests.mathematics.counters.boards.examples import (
    BetDecision,
    OneBetGame,
    jackpot,
    solve,
    ultimate,
    whole,
    wpt,
)
from tests.mathematics.dealt import STAKE, deal, rules_of, saying
from tests.mathematics.questions.strategies.places import features_of
from tests.params import few

SMALL = 0b1111110000000
TENS_UP = 0b1111100000000
JACKS_UP = 0b1111000000000
FOLD = Ending(5, 0, fold=True)
NAMES = {0: "first", 1: "first", 3: "second", 5: "last"}
TEXT = """
first:
    {bet} with an ace and suited, any pair_
    check otherwise
second:
    2x with a hidden pair or better, four to a flush
    check otherwise
last:
    1x with fewer than 15 dealer outs
    fold otherwise
"""


def decisions_of(game: OneBetGame, names: dict[int, str]) -> HoldemDecisions:
    choices = holdem_choices(whole(game), [names[each.seen] for each in game.decisions])
    return HoldemDecisions("small", whole(game), choices, lambda: solve(game))


def compiled(decisions: HoldemDecisions, text: str) -> Strategy:
    return decisions.strategy(partial(answers_of, read_text(text, decisions.choices)))


def priced(game: OneBetGame, text: str, names: dict[int, str] = NAMES) -> Price:
    decisions = decisions_of(game, names)
    return price_written(decisions, read_text(text, decisions.choices), mistakes=10)


@pytest.mark.parametrize("make", [ultimate, jackpot, wpt])
def test_losses_add_up_to_the_cost(make: type[OneBetGame]) -> None:
    game = make(deck=SMALL)  # type: ignore[call-arg]
    bet = f"{game.levels[0].multiples[0]}x"
    pair = "any pair" if game.levels[0].seen == 0 else "a pocket pair"
    found = priced(game, TEXT.format(bet=bet).replace("any pair_", pair))
    assert sum(found.losses.values()) == found.cost > 0
    for name, mistakes in found.mistakes.items():
        listed = sum((one.loss for one in mistakes), Fraction(0))
        assert 0 <= listed <= found.losses[name]
        assert [one.loss for one in mistakes] == sorted((m.loss for m in mistakes), reverse=True)


def test_two_decisions_before_the_flop_add_up_too() -> None:
    game = ultimate(deck=SMALL)
    decisions = (
        BetDecision(0, (4,)),
        BetDecision(1, (3,)),
        BetDecision(2, (2, 1)),
        BetDecision(5, (1,), "fold"),
    )
    names = {0: "none", 1: "one", 2: "two", 5: "river"}
    game = replace(game, decisions=decisions)
    text = (
        "none: 4x with AA\n check otherwise\none: 3x with top pair\n check otherwise\n"
        "two: 2x with a pair or better\n 1x with two overcards and not a pair or better\n"
        " check otherwise\nriver: 1x otherwise"
    )
    found = priced(game, text, names)
    assert sum(found.losses.values()) == found.cost > 0
    for shares in found.frequencies.values():
        assert all(0 <= share <= 1 for share in shares.values())


TURN = (
    BetDecision(0, (4,)),
    BetDecision(3, (3,)),
    BetDecision(4, (2,)),
    BetDecision(5, (1,), "fold"),
)
TURN_NAMES = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}
TURN_TEXT = """
preflop: 4x with AA
    check otherwise
flop: 3x with two pair or better
    check otherwise
turn: 2x with top pair, four to a flush, or fewer than 8 dealer outs
    {decline} otherwise
river: 1x with a hidden pair or better
    fold otherwise
"""


@pytest.mark.parametrize("ends", ["river", "turn"])
def test_losses_at_the_turn_add_up_too(ends: str) -> None:
    decisions: tuple[BetDecision, ...] = TURN
    text = TURN_TEXT.format(decline="check")
    if ends == "turn":
        decisions = (*TURN[:2], BetDecision(4, (2,), "fold"))
        text = TURN_TEXT.format(decline="fold").partition("river:")[0]
    game = replace(ultimate(deck=SMALL), decisions=decisions)
    found = priced(game, text, TURN_NAMES)
    assert sum(found.losses.values()) == found.cost > 0
    assert found.losses["turn"] > 0
    assert found.mistakes["turn"]
    assert all(len(one.example.community) == 4 for one in found.mistakes["turn"])


@pytest.mark.parametrize("deck", few((JACKS_UP, TENS_UP), JACKS_UP))
def test_a_written_turn_is_followed_deal_by_deal(deck: int) -> None:
    """Against brute force, which asks the cards themselves."""
    game = replace(
        ultimate(deck=deck), decisions=(BetDecision(4, (2,)), BetDecision(5, (1,), "fold"))
    )
    text = "turn: 2x with top pair\n check otherwise\nriver: 1x with an ace\n fold otherwise"
    table = outcome_table(compiled(decisions_of(game, TURN_NAMES), text))
    bet, call, fold = (endings_of(game).index(e) for e in (Ending(4, 2), Ending(5, 1), FOLD))
    cards = deck_cards(game)
    sets, _ = sets_by_size(game.cards)
    highest = [
        max(card % 13 for bit, card in enumerate(cards) if mask >> bit & 1)
        for mask in sets[4].tolist()
    ]

    def said(hand: int) -> I8:
        own = {card % 13 for bit, card in enumerate(cards) if hand >> bit & 1}
        endings = np.full((6, len(sets[5])), -1, np.int8)
        endings[4, : len(highest)] = [bet if top in own else -1 for top in highest]
        endings[5] = call if 12 in own else fold
        return endings

    assert np.array_equal(6 * by_ending(table, game), brute_table(game, said))


def test_the_optimal_strategy_costs_nothing() -> None:
    turn = replace(ultimate(deck=SMALL), decisions=TURN)
    for game in (ultimate(deck=SMALL), jackpot(deck=SMALL), turn):
        solution = solve(game)
        decisions = decisions_of(game, NAMES | {4: "third"})
        found = price_play(
            decisions, partial(decisions.followed, optimal_strategy(solution)), "best"
        )
        assert found.value == solution.value
        assert found.cost == 0
        assert set(found.losses.values()) == {0}
        assert not any(found.mistakes.values())


def test_always_folding_loses_both_wagers() -> None:
    game = ultimate(deck=SMALL)
    found = priced(game, "first: check always\nsecond: check always\nlast: fold always")
    assert found.value == -2
    assert found.frequencies["last"] == {"1x": 0, "fold": 1}
    assert found.units_decided == 0


def test_always_betting_first_is_the_sum_of_all_showdowns() -> None:
    game = ultimate(deck=SMALL)
    found = priced(game, "first: 4x always\nsecond: check always\nlast: fold always")
    deal_ = solve(game).stages[0]
    total = int(sum(deal_.worth(deal_.level.leaving[0][0])))
    assert found.value == Fraction(total, 276 * deal_.ways * game.scale)
    assert sum(found.losses.values()) == found.cost
    assert found.frequencies["first"] == {"4x": 1, "3x": 0, "check": 0}


# -- against the settlement of rounds -------------------------------------------------------------


def said(  # type: ignore[no-untyped-def]
    choices: tuple[StrategyDecision, ...], text: str, own: tuple[Card, ...], board: tuple[Card, ...]
):
    plan = read_text(text, choices)
    words = []
    for section in plan.sections:
        scene = section.choice.scene
        seen = features_of(own[: scene.own], board[: scene.community])
        for line in section.lines:
            if line.test is None or line.test(seen)[0]:
                words.append(line.action)
                break
        if words[-1] not in {"check"} and scene.own + scene.community != 2 + 5 and len(own) == 2:
            break
    return tuple(words)


def z_score(rules: Rules, text: str, found: Price, rounds: int, seed: int) -> float:
    chance = random.Random(seed)
    choices = solver_for(rules).choices()
    total = 0.0
    for _ in range(rounds):
        played = deal(rules, chance)
        words = said(choices, text, played.seats[0].cards, played.community)
        lines = settle(saying(played, words), rules).seats[0].lines
        total += sum(
            line.net
            for line in lines
            if rules.book.wagers[line.wager].role in {"required", "decided"}
        )
    mean = total / STAKE / rounds
    return (mean - float(found.value)) / (found.standard_deviation / sqrt(rounds))


def test_235_by_hand() -> None:
    rules = rules_of("md-235")
    plan = open_strategy(shipped_for("md-235")[0], solver_for(rules).choices())
    found = solver_for(rules).price(plan)
    assert sum(found.losses.values()) == found.cost > 0
    assert abs(z_score(rules, plan.text, found, 4000, 1)) < 4


@pytest.mark.full
@pytest.mark.parametrize("document", DOCUMENTS)
def test_shipped_strategies_by_hand(document: str) -> None:
    rules = rules_of(document)
    for name in shipped_for(document):
        plan = open_strategy(name, solver_for(rules).choices())
        found = solver_for(rules).price(plan)
        assert sum(found.losses.values()) == found.cost > 0
        assert abs(z_score(rules, plan.text, found, 3000, 2)) < 4


@pytest.mark.full
def test_the_published_strategy_has_its_published_price() -> None:
    rules = rules_of("md-uth")
    found = solver_for(rules).price(open_strategy("uth-published", solver_for(rules).choices()))
    assert found.value == Fraction(-452323427, 18592119000)
    assert f"{float(found.house_edge):.2%}" == "2.43%"


@pytest.mark.full
@pytest.mark.parametrize(
    "text",
    [
        "preflop: 4x always\nflop: check always\nriver: fold always",
        "preflop: check always\nflop: check always\nriver: 1x always",
    ],
)
def test_degenerate_strategies_by_hand(text: str) -> None:
    rules = rules_of("md-uth")
    found = solver_for(rules).price(read_text(text, solver_for(rules).choices()))
    assert abs(z_score(rules, text, found, 3000, 3)) < 4


def test_words_at_the_table_are_those_of_the_book() -> None:
    assert [choice.name for choice in solver_for(rules_of("md-jackpot")).choices()] == [
        "first_card",
        "third_card",
        "fifth_card",
    ]
    assert solver_for(rules_of("md-uth")).choices()[0].actions == ("4x", "3x", "check")
    assert phrase_test("any ace", solver_for(rules_of("md-235")).choices()[0].scene) is not None
