"""Random stud games as rulebook files: the solver against rounds that the engine settles, for every
pair of community cards that may come to three cards."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from croupier.cards import DECK, Card
from croupier.mathematics.counters.shapes import STREETS
from croupier.mathematics.questions.registry import advise, solver_for
from croupier.mathematics.questions.situation import Situation
from croupier.rounds.settlement import settle
from croupier.rounds.state import CompletedRound, PlayedSeat
from croupier.rulebooks.rules import Rules
from tests.mathematics.changed import lines, stud

STAKE = 6000
PAYS = ("1 to 1", "3 to 2", "20 to 1", "1 to 2", "4 for 1", "push")
FAMILIES = {
    "two_card_poker": ("straight_flush", "pair", "straight", "flush", "tens", "red", "aces"),
    "three_card_poker": ("mini_royal", "three_of_a_kind", "flush", "pair", "tens", "red"),
    "five_card_poker": ("full_house", "flush", "straight", "pair", "tens", "red", "any_winning"),
}
PATTERNS = {
    "tens": {"category": ["pair"], "made": "TJQKA"},
    "red": {"suits": "hd"},
    "aces": {"ranks": ["AA"], "unless": [{"suits": "hd"}]},
}


@st.composite
def games(draw: st.DrawFn) -> dict[str, Any]:
    changes: dict[str, Any] = {f"patterns.{name}": each for name, each in PATTERNS.items()}
    for family, hands in FAMILIES.items():
        listed = draw(st.lists(st.sampled_from(hands), min_size=1, max_size=4, unique=True))
        paid = lines(*((hand, draw(st.sampled_from(PAYS))) for hand in listed))
        changes[f"paytables.{family}.only.lines"] = paid
        settles = f"wagers.{family}.settles"
        changes[f"{settles}.returns"] = draw(st.sampled_from(([], ["tens"], ["red"])))
        changes[f"{settles}.tested_first"] = draw(st.sampled_from(([], ["red"])))
    changes["wagers.five_card_raise.settles.pays"] = draw(st.sampled_from(("", "2 to 1")))
    for number in range(2):
        multiples = draw(st.sampled_from(({"raise": 1}, {"raise": 2}, {"one": 1, "three": 3})))
        changes[f"decisions.{number}.bets"] = multiples
    changes["hands.two.ace_low"] = draw(st.booleans())
    changes["hands.three.ace_low"] = draw(st.booleans())
    return changes


def net(rules: Rules, own: tuple[Card, ...], board: tuple[Card, ...], said: tuple[str, ...]) -> int:
    seat = PlayedSeat(1, "p", own, dict.fromkeys(rules.required, STAKE), said)
    return settle(CompletedRound((seat,), board), rules).seats[0].net


FEW = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)


@FEW
@given(games(), st.data())
def test_a_random_game_is_worth_what_the_engine_pays(
    changes: dict[str, Any], data: st.DataObject
) -> None:
    check_worth(changes, data)


@pytest.mark.full
@settings(FEW, max_examples=40)
@given(games(), st.data())
def test_many_random_games_are_worth_what_the_engine_pays(
    changes: dict[str, Any], data: st.DataObject
) -> None:
    check_worth(changes, data)


def check_worth(changes: dict[str, Any], data: st.DataObject) -> None:
    rules = stud(changes)
    solver = solver_for(rules)
    assert solver.shape is STREETS
    first, second = rules.book.decisions
    own = tuple(data.draw(st.permutations(DECK))[:3])
    left = [card for card in DECK if card not in own]
    boards = list(combinations(left, 2))
    said = data.draw(st.sampled_from((*first.bets, first.otherwise)))
    # On three cards: the engine settles every board.
    situation = Situation(own, said=(said,))
    found = advise(rules, situation)
    assert set(found.values) == {*second.bets, second.otherwise}
    for word, value in found.values.items():
        total = sum(net(rules, own, board, (said, word)) for board in boards)
        assert value == Fraction(total, len(boards) * STAKE), word
    # On two cards: the mean over the third card of the best that follows.
    two = own[:2]
    start = advise(rules, Situation(two))
    for word, value in start.values.items():
        later = [
            max(advise(rules, Situation((*two, card), said=(word,))).values.values())
            for card in DECK
            if card not in two
        ]
        assert value == sum(later, Fraction(0)) / 50
    # The game: the mean over all starts.
    starts = (max(advise(rules, Situation(pair)).values.values()) for pair in combinations(DECK, 2))
    assert solver.figures().expected_value == sum(starts, Fraction(0)) / 1326
