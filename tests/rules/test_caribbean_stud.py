"""Caribbean Stud: ace-king qualifies, the raise is paid by a table, a dollar feeds the meter."""

from __future__ import annotations

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat, settle

GAME = "caribbean-stud"
ACE_KING = "Ac Kd 4h 3s 2c"
ACE_QUEEN = "Ac Qd 8s 3s 2c"


def test_a_raise_is_twice_the_ante_or_the_hand_is_folded() -> None:
    assert nets(play(GAME, "9c 9d 5h 4d 2s", "fold", dealer=ACE_QUEEN, ante=10)) == {"ante": "-10"}
    for said in ("1x", "check", ""):
        assert (
            refused(GAME, seat("9c 9d 5h 4d 2s", said, ante=10), dealer=ACE_QUEEN).code
            == "rule_broken"
        )


def test_the_dealer_needs_ace_king() -> None:
    told = play(GAME, "Ah Kc 5d 4c 3d", "2x", dealer=ACE_QUEEN, ante=10)
    assert nets(told) == {"ante": "10", "raise": "0"}
    assert why(told, "raise") == (
        "The dealer has only ace-queen high and needs ace-king high or better to qualify: the "
        "stake comes back."
    )
    higher = play(GAME, "Ah Kc 5d 4c 3d", "2x", dealer=ACE_KING, ante=10)
    assert nets(higher) == {"ante": "10", "raise": "20"}
    assert higher.dealer["qualifies"] is True
    pair = play(GAME, "Ah Kc 5d 4c 3d", "2x", dealer="2c 2d 5h 4h 3h", ante=10)
    assert nets(pair) == {"ante": "-10", "raise": "-20"}


def test_a_king_without_an_ace_and_an_ace_without_a_king_do_not_qualify() -> None:
    for dealer in ("Kc Qd Jh 9s 2c", "Ac Qd Jh 9s 2c"):
        told = play(GAME, "7h 7c 5d 4c 3d", "2x", dealer=dealer, ante=10)
        assert told.dealer["qualifies"] is False


def test_the_raise_comes_back_even_with_a_royal_when_the_dealer_does_not_qualify() -> None:
    told = play(GAME, "Ah Kh Qh Jh Th", "2x", dealer=ACE_QUEEN, ante=10)
    assert nets(told) == {"ante": "10", "raise": "0"}


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("Ah Kh Qh Jh Th", 100),
        ("9h 8h 7h 6h 5h", 50),
        ("9h 9c 9d 9s 5h", 20),
        ("9h 9c 9d 5s 5h", 7),
        ("Ah 9h 7h 6h 5h", 5),
        ("9h 8c 7d 6s 5h", 4),
        ("9h 9c 9d 6s 5h", 3),
        ("9h 9c 5d 6s 5h", 2),
        ("9h 9c 7d 6s 5h", 1),
        ("Ah Kc 7d 6s 5h", 1),
    ],
)
def test_the_raise_is_paid_by_its_table_and_the_ante_even(cards: str, pays: int) -> None:
    told = play(GAME, cards, "2x", dealer=ACE_KING, ante=10)
    assert nets(told) == {"ante": "10", "raise": str(20 * pays)}


def test_a_tie_returns_both() -> None:
    told = play(GAME, "Ah Ks 4d 3c 2d", "2x", dealer=ACE_KING, ante=10)
    assert nets(told) == {"ante": "0", "raise": "0"}


@pytest.mark.parametrize(
    ("cards", "net", "left"),
    [
        ("Ah Kh Qh Jh Th", "24999.00", "10000.00"),
        ("9h 8h 7h 6h 5h", "2499.00", "22500.00"),
        ("9h 9c 9d 9s 5h", "99.00", "25000.00"),
        ("9h 9c 9d 5s 5h", "74.00", "25000.00"),
        ("Ah 9h 7h 6h 5h", "49.00", "25000.00"),
        ("9h 8c 7d 6s 5h", "-1.00", "25000.00"),
    ],
)
def test_the_progressive_is_paid_whatever_the_dealer_has(cards: str, net: str, left: str) -> None:
    for dealer in (ACE_QUEEN, ACE_KING):
        told = settle(
            GAME,
            seat(cards, "2x", ante=10, progressive=1),
            dealer=dealer,
            meters={"main": "25000.00"},
        )
        assert told.net("progressive") == net
        assert told.meters["main"] == left


def test_the_progressive_takes_a_dollar() -> None:
    assert (
        refused(GAME, seat("9h 8c 7d 6s 5h", "2x", ante=10, progressive=5), dealer=ACE_KING).code
        == "rule_broken"
    )
