"""235 Stud, in which other players' cards are seen: streets against a table of its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from croupier.cards import DECK, parse_cards
from croupier.errors import BadCards
from croupier.mathematics.questions.registry import advise, analyze_wager, solver_for
from croupier.mathematics.questions.situation import Situation
from tests.mathematics.counters.stages.stud_table import (
    PAIRS,
    five_card_nets,
    number_of,
    stud_figures,
    stud_table,
)
from tests.mathematics.dealt import rules_of

STUD = rules_of("md-235")


def number(cards: tuple[int, ...]) -> int:
    return int(number_of(np.array([sorted(cards)], np.int64))[0])


def test_the_game_is_what_its_own_table_says() -> None:
    found, table = solver_for(STUD).figures(), stud_figures()
    assert found.expected_value == table.value == Fraction(-28454, 270725)
    assert found.standard_deviation == sqrt(table.variance)
    raises = [found.decisions[name]["raise"] for name in ("three_card", "five_card")]
    assert tuple(raises) == table.raises
    assert found.units_wagered == 3 + sum(raises)
    assert analyze_wager(STUD, "win_em_all").hit_frequency == table.all_won


@pytest.mark.parametrize("text", ["Ah Kh Qh", "7d 2c 5d", "9s 9d 3c", "Th 9h 2c", "4c 3d 2h"])
def test_advice_is_what_the_table_says(text: str) -> None:
    cards, table = parse_cards(text), stud_table()
    two, three = table.two[number(cards[:2])], table.three[number(cards)]
    five = Fraction(int(table.five[number(cards)]), PAIRS)
    for said, units in (("raise", 2), ("check", 1)):
        found = advise(STUD, Situation(cards, said=(said,)))
        assert found.values == {
            "check": int(two) + units * int(three) + five,
            "raise": int(two) + units * int(three) + 2 * five,
        }
        assert found.best == ("raise" if five > 0 else "check")


@pytest.mark.parametrize(
    ("text", "known"),
    [("7d 2c 5d", "6d 9d"), ("9s 9d 3c", "9h 3d 3h Ac 2c"), ("Th 9h 2c", "8h")],
)
def test_advice_with_third_cards_of_others_dealt_out(text: str, known: str) -> None:
    held, gone = parse_cards(text), parse_cards(known)
    left = [card for card in DECK if card not in held and card not in gone]
    nets = [int(five_card_nets()[number((*held, *pair))]) for pair in combinations(left, 2)]
    found = advise(STUD, Situation(held, known=gone))
    assert found.values["raise"] - found.values["check"] == Fraction(sum(nets), len(nets))
    assert found.best == ("raise" if sum(nets) > 0 else "check")


def test_advice_on_two_cards_is_the_mean_of_what_follows() -> None:
    for text in ("Ah Kh", "7d 2c"):
        two = parse_cards(text)
        for said, value in advise(STUD, Situation(two)).values.items():
            later = [
                max(advise(STUD, Situation((*two, card), said=(said,))).values.values())
                for card in DECK
                if card not in two
            ]
            assert value == sum(later, Fraction(0)) / 50


@pytest.mark.parametrize(
    ("game", "cards", "known", "why"),
    [
        ("md-235", "Ah Kh", "2c", "not turned up before one's own"),
        ("md-235", "Ah Kh Qh", "2c 3c 4c 5c 6c 7c", "6 known cards: the other players show 5"),
        ("md-235", "Ah", "", "1 own and 0 community cards"),
        ("md-235", "Ah Kh Qh", "Ah", "Ah is given twice"),
        ("let-it-ride", "Ah Kh Qh", "2c", "no other player's card is seen"),
    ],
)
def test_cards_that_cannot_be_known_are_refused(
    game: str, cards: str, known: str, why: str
) -> None:
    seen = parse_cards(known) if known else ()
    with pytest.raises(BadCards, match=why):
        advise(rules_of(game), Situation(parse_cards(cards), known=seen))
