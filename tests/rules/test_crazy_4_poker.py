"""Crazy 4 Poker: up to three antes with aces, a Super Bonus that a straight wins anyway."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat

GAME = "crazy-4-poker"
BETS: Final[dict[str, Any]] = {"ante": 10, "super_bonus": 10}
KING = "Kc Jd 8h 6s 3d"
QUEEN = "Qc Jd 8h 6s 3d"


def test_any_hand_plays_one_ante_or_folds() -> None:
    folded = play(GAME, "Qh Jc 9h 7s 2s", "fold", dealer=KING, **BETS)
    assert nets(folded) == {"ante": "-10", "super_bonus": "-10"}
    lost = play(GAME, "Qh Jc 9h 7s 2s", "1x", dealer=KING, **BETS)
    assert nets(lost) == {"ante": "-10", "super_bonus": "-10", "play": "-10"}


@pytest.mark.parametrize("said", ["2x", "3x"])
def test_more_than_one_ante_takes_a_pair_of_aces(said: str) -> None:
    bet = {"2x": "20", "3x": "30"}[said]
    for cards in ("Ac Ad 9h 7s 2s", "3c 3h 2h 2s 9c", "5h 4d 3h 2s Kh"):
        won = play(GAME, cards, said, dealer=KING, **BETS)
        assert nets(won)["play"] == bet
    for cards in ("Kh Kd 9h 7s 2s", "Ac Kd 9h 7s 2s"):
        error = refused(GAME, seat(cards, said, **BETS), dealer=KING)
        assert "a pair of aces or better" in str(error)
        assert error.clause == "Play up to three"


def test_super_bonus_equals_the_ante() -> None:
    assert (
        refused(GAME, seat("Ac Ad 9h 7s 2s", "1x", ante=10, super_bonus=5), dealer=KING).code
        == "rule_broken"
    )
    assert refused(GAME, seat("Ac Ad 9h 7s 2s", "1x", ante=10), dealer=KING).code == "rule_broken"


def test_below_king_high_the_ante_comes_back_and_the_play_is_compared() -> None:
    won = play(GAME, "Ac Td 9h 7s 2s", "1x", dealer=QUEEN, **BETS)
    assert nets(won) == {"ante": "0", "super_bonus": "0", "play": "10"}
    assert won.dealer["qualifies"] is False
    assert why(won, "ante") == (
        "The dealer has only queen high and needs king high or better to qualify: the stake comes "
        "back."
    )
    lost = play(GAME, "Qh Td 9h 7s 2s", "1x", dealer=QUEEN, **BETS)
    assert nets(lost) == {"ante": "0", "super_bonus": "-10", "play": "-10"}


def test_a_tie_returns_everything() -> None:
    tie = play(GAME, "Kh Jc 8c 6d 2s", "1x", dealer=KING, **BETS)
    assert nets(tie) == {"ante": "0", "super_bonus": "0", "play": "0"}


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("Ac Ad Ah As 9c", "2000"),
        ("2c 2d 2h 2s 9c", "300"),
        ("4h 3h 2h Ah 9c", "150"),
        ("2c 2d 2h 9s 8c", "20"),
        ("7h 5h 3h 2h 9c", "15"),
        ("4c 3d 2h As 9c", "10"),
    ],
)
def test_the_super_bonus_is_paid_whatever_the_dealer_has(cards: str, net: str) -> None:
    better = play(GAME, cards, "1x", dealer="Kc Kd Kh Ks Tc", **BETS)
    lower = play(GAME, cards, "1x", dealer="Qc Jd Th 8d 6s", **BETS)
    assert better.net("super_bonus") == lower.net("super_bonus") == f"{net}.00"


def test_a_straight_that_loses_still_wins_the_super_bonus() -> None:
    told = play(GAME, "4c 3d 2h As 9c", "1x", dealer="Kc Kd Kh 8s Tc", **BETS)
    assert nets(told) == {"ante": "-10", "super_bonus": "10", "play": "-10"}
    assert why(told, "super_bonus") == (
        "A straight, four high, lost to the dealer's three kings, but it is paid whatever the "
        "dealer has: 1 to 1, +$10."
    )


def test_below_a_straight_the_super_bonus_comes_back_unless_the_dealer_is_better() -> None:
    won = play(GAME, "Ac Ad 9h 7s 2s", "1x", dealer=KING, **BETS)
    assert nets(won) == {"ante": "10", "super_bonus": "0", "play": "10"}
    assert why(won, "super_bonus") == (
        "A pair of aces beat the dealer's king high, but it takes a straight or better: the stake "
        "comes back."
    )
    lost = play(GAME, "Ac Ad 9h 7s 2s", "1x", dealer="Kc Kd 8h 8s 3d", **BETS)
    assert nets(lost) == {"ante": "-10", "super_bonus": "-10", "play": "-10"}


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("Ac Ad Ah As 9c", "250"),
        ("4h 3h 2h Ah 9c", "200"),
        ("2c 2d 2h 9s 8c", "35"),
        ("7h 5h 3h 2h 9c", "20"),
        ("4c 3d 2h As 9c", "15"),
        ("3c 3h 2h 2s 9c", "10"),
        ("Qh Qd 9h 7s 5c", "5"),
        ("Jh Js 9h 7s 5c", "-5"),
        ("Ac Td 9h 7s 5c", "-5"),
    ],
)
def test_queens_up_is_paid_by_its_table_folded_or_not(cards: str, net: str) -> None:
    for said in ("fold", "1x"):
        told = play(GAME, cards, said, dealer="Kc Kd 8h 6s Tc", queens_up=5, **BETS)
        assert nets(told)["queens_up"] == net
