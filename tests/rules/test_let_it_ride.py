"""Let It Ride: three equal bets, two of which may be taken back."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat

GAME = "let-it-ride"
BETS: Final[dict[str, Any]] = {"bet_1": 10, "bet_2": 10, "bet_3": 10}


@pytest.mark.parametrize(
    ("said", "lose"),
    [
        ("take_back take_back", {"bet_3"}),
        ("take_back ride", {"bet_2", "bet_3"}),
        ("ride take_back", {"bet_1", "bet_3"}),
        ("ride ride", {"bet_1", "bet_2", "bet_3"}),
    ],
)
def test_one_bet_may_be_taken_back_at_three_cards_and_another_at_four(
    said: str, lose: set[str]
) -> None:
    told = play(GAME, "9c 5d 2s", said, board="Kh Jd", **BETS)
    assert nets(told) == {name: "-10" if name in lose else "0" for name in BETS}
    for name in set(BETS) - lose:
        assert why(told, name) == "The player took it back: $10 came back."


def test_other_words_are_refused() -> None:
    for said in ("", "ride", "fold", "take_back", "ride ride ride", "1x ride"):
        assert (
            refused(GAME, seat("9c 5d 2s", said, **BETS), community="Kh Jd").code == "rule_broken"
        )


def test_the_three_bets_are_equal() -> None:
    bets = {**BETS, "bet_2": 5}
    assert (
        refused(GAME, seat("9c 5d 2s", "ride ride", **bets), community="Kh Jd").code
        == "rule_broken"
    )


@pytest.mark.parametrize(
    ("cards", "board", "pays"),
    [
        ("Ah Kh Qh", "Jh Th", "10000"),
        ("9h 8h 7h", "6h 5h", "2000"),
        ("9h 9c 9d", "9s 5h", "500"),
        ("9h 9c 9d", "5s 5h", "110"),
        ("Ah 9h 7h", "6h 5h", "80"),
        ("9h 8c 7d", "6s 5h", "50"),
        ("9h 9c 9d", "6s 5h", "30"),
        ("9h 9c 5d", "6s 5h", "20"),
        ("Th Tc 7d", "6s 5h", "10"),
        ("Ah Ac 7d", "6s 5h", "10"),
        ("9h 9c 7d", "6s 5h", "-10"),
        ("Ah Kc 7d", "6s 5h", "-10"),
    ],
)
def test_every_bet_that_rides_is_paid_by_the_table(cards: str, board: str, pays: str) -> None:
    told = play(GAME, cards, "take_back ride", board=board, **BETS)
    assert nets(told) == {"bet_1": "0", "bet_2": pays, "bet_3": pays}


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("Ah Kh Qh", "200"),
        ("4h 3h 2h", "200"),
        ("9h 9c 9d", "150"),
        ("3h 2c Ad", "30"),
        ("Ah 9h 7h", "15"),
        ("2h 2c 7d", "5"),
        ("Ah Kc Jd", "-5"),
    ],
)
def test_the_three_card_bonus_looks_at_the_players_own_cards(cards: str, net: str) -> None:
    told = play(GAME, cards, "take_back take_back", board="8s 8d", three_card_bonus=5, **BETS)
    assert nets(told)["three_card_bonus"] == net
