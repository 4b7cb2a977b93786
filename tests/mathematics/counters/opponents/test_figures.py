"""Games that casinos deal, against published figures, and what their outcome tables add up to."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from croupier.mathematics.counters.shapes import VERSUS
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.registry import solver_for
from tests.mathematics.counters.opponents.games import (
    COLLECT,
    RETURN,
    against_dealer,
    decision,
    every,
    in_force,
    pay,
    showdown,
    table,
    tree,
    wager,
)

THREE = ("mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", "pair")


def three_card_poker() -> dict[str, Any]:
    even = pay("even")
    game = tree(3, 3, "three_card", decisions=[decision(3, {"play": 1})])
    game["hands"]["own"]["ace_low"] = game["hands"]["theirs"]["ace_low"] = True
    game["dealer"] |= {"at_least": "high_card", "of": "Q"}
    game["paytables"] = {
        "even": every((*THREE, "high_card")),
        "bonus": table(*zip(THREE, ("5 to 1", "5 to 1", "4 to 1", "1 to 1"), strict=False)),
    }
    won, pushed = showdown(even, even, even), showdown(RETURN, RETURN, RETURN)
    fought = showdown(even, RETURN, COLLECT)
    game["wagers"] = {
        "ante": wager("required", against_dealer(fought, won)),
        "play": wager("decided", against_dealer(fought, pushed)),
    }
    bonus = {"title": "x", "on": "ante", "hand": "own", "paytable": "bonus", "clause": "x"}
    return game | {"bonuses": {"ante_bonus": bonus}}


def test_three_card_poker() -> None:
    solver = solver_for(in_force(three_card_poker()))
    assert solver.shape is VERSUS
    found = solver.figures()
    assert found.expected_value == Fraction(-686689, 20358520)
    assert found.decisions["play"]["play"] == Fraction(149, 221)
    check_outcomes(found, 22100 * 18424)


def test_three_card_poker_with_a_card_of_the_dealers_seen() -> None:
    """The known advantage over a dealer who shows one card, 3.48%."""
    game = three_card_poker()
    game["reveals"] = [{"name": "up", "dealer": 1, "clause": "x"}]
    game["decisions"] = [decision(3, {"play": 1}, 1)]
    found = solver_for(in_force(game)).figures()
    assert found.expected_value == Fraction(443162, 12724075)
    assert round(float(found.expected_value), 4) == 0.0348
    check_outcomes(found, 52 * comb(51, 3) * comb(48, 2))


def check_outcomes(found: MainFigures, deals: int) -> None:
    """The table of outcomes holds every deal, and the figures are sums over it."""
    counted = [(_net(outcome), _count(outcome)) for outcome in found.outcomes]
    assert sum(count for _, count in counted) == deals
    mean = sum((net * count for net, count in counted), Fraction(0)) / deals
    assert mean == found.expected_value
    squares = sum((net * net * count for net, count in counted), Fraction(0)) / deals
    assert found.standard_deviation == pytest.approx(float(squares - mean * mean) ** 0.5)
    assert found.hit_frequency == Fraction(sum(n for net, n in counted if net > 0), deals)


def _net(outcome: dict[str, Any]) -> Fraction:
    return Fraction(outcome["pays"]["net"])


def _count(outcome: dict[str, Any]) -> int:
    return int(outcome["combinations"])
