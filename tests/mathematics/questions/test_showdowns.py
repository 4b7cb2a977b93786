"""How often a hand beats the dealer's: against a plain count, deal by deal."""

from __future__ import annotations

from itertools import combinations

import pytest

from croupier.cards import DECK, parse_cards
from croupier.mathematics.questions.advice import Showdown
from croupier.mathematics.questions.registry import showdown
from croupier.mathematics.questions.situation import Situation
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import rules_for


@pytest.mark.parametrize(
    ("own", "board"),
    [("As Kd", "2c 7d 9h Js Qs"), ("9s 9d", "2c 7d 9h Js Qs"), ("2d 3d", "Ah Kh Qh Jh Th")],
)
def test_every_dealers_hand_is_met_once(own: str, board: str) -> None:
    rules = rules_for("md-uth", "", "{}")
    mine, shared = parse_cards(own), parse_cards(board)
    value = ranking_of(rules.book, "final").value_of
    left = [card for card in DECK if card not in (*mine, *shared)]
    held = value([*mine, *shared])
    others = [value([*pair, *shared]) for pair in combinations(left, 2)]
    wins, ties = sum(held > other for other in others), others.count(held)
    assert showdown(rules, Situation(mine, shared)) == Showdown(wins, ties, 990)


def test_every_board_is_dealt_once() -> None:
    rules = rules_for("md-uth", "", "{}")
    own, flop = parse_cards("As Kd"), parse_cards("2c 7d 9h")
    turn = [card for card in DECK if card not in (*own, *flop)]
    found = showdown(rules, Situation(own, flop))
    parts = [showdown(rules, Situation(own, (*flop, card))) for card in turn]
    assert found is not None
    assert found.deals == 1081 * 990
    for place in range(3):  # each board of two more cards is met with either of them first
        assert sum(part[place] for part in parts if part is not None) == 2 * found[place]


def test_one_hand_against_another() -> None:
    rules = rules_for("three-card-poker", "", "{}")
    own = parse_cards("As Kd 2c")
    value = ranking_of(rules.book, "own").value_of
    left = [card for card in DECK if card not in own]
    others = [value(three) for three in combinations(left, 3)]
    wins = sum(value(own) > other for other in others)
    assert showdown(rules, Situation(own)) == Showdown(wins, others.count(value(own)), len(others))


def test_where_it_is_not_counted() -> None:
    assert showdown(rules_for("md-uth", "", "{}"), Situation(parse_cards("As Kd"))) is None
    seen = Situation(parse_cards("As Kd 2c"))
    assert showdown(rules_for("let-it-ride", "", "{}"), seen) is None
