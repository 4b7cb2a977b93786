"""Written strategies for games of streets: their price against every deal settled by the engine,
and what a player does who follows them."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations
from math import sqrt
from typing import Any

import pytest

from croupier.cards import DECK, RANKS, Card
from croupier.errors import Unsolvable
from croupier.mathematics.questions.players.tables import TablePlayer
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.situation import Situation
from croupier.mathematics.questions.strategies.text import (
    BadStrategy,
    open_strategy,
    read_text,
    shipped_for,
)
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from tests.mathematics.counters.stages.games import (
    LADDER,
    asked,
    hand,
    mississippi,
    paytable,
    rules_of_tree,
    tree,
    wager,
)
from tests.mathematics.dealt import rules_of

STAKE = 6000
SMALL = rules_of_tree(mississippi() | {"deck": {"ranks": "9TA"}})
"""Mississippi Stud with twelve cards: an ace is high, the others are middle cards."""
TEXT = """
third:
    3x with any pair
    1x otherwise with any ace
    fold otherwise
fourth:
    3x with a pair of aces or better
    1x otherwise with at least three points, suited and a pair with the board
    fold otherwise
fifth:
    2x with a pair of tens or better, three middle cards and at least five units down
    1x otherwise with T9
    fold otherwise
"""


def said_by_the_text(own: tuple[Card, ...], board: tuple[Card, ...]) -> tuple[str, ...]:
    """What the text says, in plain words."""
    (a, b), (c, d, _) = own, board
    aces = [card.rank == 12 for card in (a, b, c, d)]
    if a.rank == b.rank:
        said = ["3x"]
    elif any(aces[:2]):
        said = ["1x"]
    else:
        return ("fold",)
    ranks = [card.rank for card in (a, b, c)]
    if sum(aces[:3]) >= 2 or len(set(ranks)) == 1:
        said.append("3x")
    elif 3 + sum(aces[:3]) >= 3 or (a.suit == b.suit and c.rank in ranks[:2]):
        said.append("1x")
    else:
        return (*said, "fold")
    counts = Counter(card.rank for card in (a, b, c, d))
    paired = [rank for rank, count in counts.items() if count > 1]
    tens = max(paired) >= 8 or len(paired) > 1 or max(counts.values()) > 2 if paired else False
    units = 1 + sum(int(word[0]) for word in said)
    if tens or (4 - sum(aces) >= 3 and units >= 5):
        return (*said, "2x")
    return (*said, "1x" if {a.rank, b.rank} == {7, 8} else "fold")


def test_a_price_is_what_the_engine_pays_over_all_deals() -> None:
    deck = [card for card in DECK if RANKS[card.rank] in "9TA"]
    nets: Counter[int] = Counter()
    words: Counter[tuple[str, str]] = Counter()
    decided = 0
    for own in combinations(deck, 2):
        for board in permutations([card for card in deck if card not in own], 3):
            said = said_by_the_text(own, board)
            seat = PlayedSeat(1, "p", own, {"ante": STAKE}, said)
            nets[settle(CompletedRound((seat,), board), SMALL).seats[0].net] += 1
            words.update(zip(("third", "fourth", "fifth"), said, strict=False))
            decided += sum(int(word[0]) for word in said if word != "fold")
    deals = sum(nets.values())
    found = solver_for(SMALL).price(read_text(TEXT, solver_for(SMALL).choices()))
    mean = Fraction(sum(net * count for net, count in nets.items()), deals * STAKE)
    squares = Fraction(sum(net**2 * count for net, count in nets.items()), deals * STAKE**2)
    assert found.value == mean
    assert found.standard_deviation == sqrt(squares - mean**2)
    assert found.units_decided == Fraction(decided, deals)
    for decision, shares in found.frequencies.items():
        for word, share in shares.items():
            assert share == Fraction(words[decision, word], deals), (decision, word)
    assert found.optimal == solver_for(SMALL).figures().expected_value
    assert sum(found.losses.values()) == found.cost > 0
    listed = [mistake.loss for mistake in found.mistakes["third"]]
    assert listed == sorted(listed, reverse=True)
    assert sum(listed) <= found.losses["third"]


def test_a_player_does_what_the_text_says() -> None:
    player = solver_for(SMALL).following(read_text(TEXT, solver_for(SMALL).choices()))
    assert isinstance(player, TablePlayer)
    deck = [card for card in DECK if RANKS[card.rank] in "9TA"]
    chance = random.Random(9)
    for _ in range(300):
        cards = tuple(chance.sample(deck, 5))
        own, board = cards[:2], cards[2:]
        expected = said_by_the_text(own, board)
        said: list[str] = []
        for seen, name in enumerate(("third", "fourth", "fifth")):
            said.append(player.answer(Situation(own, board[:seen], (), name, tuple(said))))
            if said[-1] == "fold":
                break
        assert tuple(said) == expected


@pytest.mark.parametrize(
    ("game", "name", "value", "cost"),
    [
        ("let-it-ride", "let-it-ride-published", Fraction(-37963, 1082900), 0),
        ("mississippi-stud", "mississippi-published", Fraction(-53223, 1082900), 0),
        ("md-235", "235-simple", Fraction(-8209, 77350), Fraction(111, 108290)),
    ],
)
def test_shipped_strategies_have_their_price(
    game: str, name: str, value: Fraction, cost: Fraction
) -> None:
    rules = rules_of(game)
    assert name in shipped_for(game)
    found = solver_for(rules).price(open_strategy(name, solver_for(rules).choices()))
    assert (found.value, found.cost) == (value, cost)


def test_the_simple_strategies_cost_little() -> None:
    for game in ("let-it-ride", "mississippi-stud"):
        rules = rules_of(game)
        simple = next(name for name in shipped_for(game) if name.endswith("simple"))
        found = solver_for(rules).price(open_strategy(simple, solver_for(rules).choices()))
        assert 0 < found.cost < Fraction(4, 10000)


def test_a_search_says_what_its_text_loses() -> None:
    lost: list[float] = []
    rules = rules_of_tree(mississippi() | {"deck": {"ranks": "23456789"}})
    text = solver_for(rules).search(0.0003, lambda line: lost.append(float(line.split()[2])))
    found = solver_for(rules).price(read_text(text, solver_for(rules).choices()))
    assert float(found.cost) == pytest.approx(sum(lost), abs=3e-6)
    assert 0 < found.cost < Fraction(1, 20)
    assert "otherwise with" in text


# -- what cannot be written -----------------------------------------------------------------------


def a_decision(own: int, **more: Any) -> Rules:
    """An ante, and a bet on the own cards."""
    bet = {"wager": "play", "multiple_of": "ante", "bets": {"1x": 1}}
    contents = tree(
        own,
        [(0, 5 - own)],
        [asked("early", own, 0, "fold", **bet, **more)],
        {"five": hand("player", "community"), "own": hand("player:2", ranking="two_card")},
        {
            "ante": wager("required", paytable("five", "pays"), after_fold="loses"),
            "play": wager("decided", paytable("five", "pays"), after_fold="loses"),
        },
        {"pays": LADDER},
        deck={"ranks": "TJQKA"},
    )
    return rules_of_tree(contents)


def test_a_bet_that_a_hand_does_not_allow_is_refused() -> None:
    least = {"hand": "own", "at_least": "pair", "clause": "x"}
    rules = a_decision(2, only_with={"1x": least})
    solver = solver_for(rules)
    solver.price(read_text("early:\n 1x with any pair\n fold otherwise", solver.choices()))
    plan = read_text("early:\n 1x with any ace\n fold otherwise", solver_for(rules).choices())
    with pytest.raises(BadStrategy, match="'1x' may not be said with A"):
        solver_for(rules).price(plan)


def test_decisions_on_other_cards_are_refused() -> None:
    rules = a_decision(4)
    plan = read_text("early: 1x always", solver_for(rules).choices())
    with pytest.raises(Unsolvable, match="sees 4 own cards with 1 to come"):
        solver_for(rules).price(plan)


def test_left_over_hands_follow_the_lines_before() -> None:
    """The order matters to 'otherwise with', so two orders are two strategies."""
    rules = a_decision(2)
    texts = [
        "early:\n 1x with any ace\n fold otherwise with any pair\n 1x otherwise",
        "early:\n fold with any pair\n 1x otherwise with any ace\n 1x otherwise",
    ]
    plans = [read_text(text, solver_for(rules).choices()) for text in texts]
    prices = [solver_for(rules).price(plan).value for plan in plans]
    assert plans[0].meaning != plans[1].meaning
    assert prices[0] > prices[1]  # the first bets a pair of aces
