"""Casino Hold'em: the ante by its table, the call at even money, a dealer who needs fours."""

from __future__ import annotations

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat

GAME = "casino-holdem"
DEALER = "9c 9d"


def test_a_call_is_twice_the_ante_or_the_hand_is_folded() -> None:
    lost = play(GAME, "2c 3d", "fold", dealer=DEALER, board="Kh Qd 8s 5c 7h", ante=10)
    assert nets(lost) == {"ante": "-10"}
    for said in ("3x", "check", "1x", "2x 2x"):
        error = refused(
            GAME, seat("2c 3d", said, ante=10), dealer=DEALER, community="Kh Qd 8s 5c 7h"
        )
        assert error.code in ("unknown_name", "rule_broken", "bad_request")


@pytest.mark.parametrize(
    ("cards", "board", "pays"),
    [
        ("Ah Kh", "Qh Jh Th 2c 3d", "1000"),
        ("9h 8h", "7h 6h 5h 2c 3d", "200"),
        ("Ah Ad", "Ac As 5h 2c 3d", "100"),
        ("Ah Ad", "Ac 5s 5h 2c 3d", "30"),
        ("Ah 9h", "Th 7h 5h 2c 3d", "20"),
        ("Ah 5h", "4c 3c 2h Kc Jd", "10"),
        ("Ah Ad", "Ac 7s 5h 2c Jd", "10"),
        ("Ah Ad", "Kc 7s 5h 2c 4d", "10"),
    ],
)
def test_the_ante_is_paid_by_the_winning_hand(cards: str, board: str, pays: str) -> None:
    won = play(
        GAME, cards, "2x", dealer="Ks Kd" if "Kc" not in board else "Qs Qd", board=board, ante=10
    )
    assert nets(won) == {"ante": pays, "call": "20"}


def test_the_dealer_needs_a_pair_of_fours() -> None:
    board = "Kh Qd 8s 5c 2h"
    threes = play(GAME, "7c 6d", "2x", dealer="3c 3d", board=board, ante=10)
    assert nets(threes) == {"ante": "10", "call": "0"}
    assert threes.dealer["qualifies"] is False
    assert why(threes, "call") == (
        "The dealer has only a pair of threes and needs a pair of fours or better to qualify: "
        "the stake comes back."
    )
    fours = play(GAME, "7c 6d", "2x", dealer="4c 4d", board=board, ante=10)
    assert nets(fours) == {"ante": "-10", "call": "-20"}
    assert fours.dealer["qualifies"] is True


def test_a_dealer_who_does_not_qualify_pays_the_ante_by_the_table_even_to_a_lower_hand() -> None:
    lower = play(GAME, "7c 6d", "2x", dealer="Ac Jd", board="Kh Qd 8s 5c 2h", ante=10)
    assert nets(lower) == {"ante": "10", "call": "0"}
    flush = play(GAME, "7h 6h", "2x", dealer="Ac Jd", board="Kh Qh 8h 5c 2s", ante=10)
    assert nets(flush) == {"ante": "20", "call": "0"}


def test_a_tie_returns_both() -> None:
    tie = play(GAME, "2c 3d", "2x", dealer="2d 3c", board="Kh Kd 8s 8c Ah", ante=10)
    assert nets(tie) == {"ante": "0", "call": "0"}
    assert why(tie, "ante") == "Both hands are two pair, kings and eights: the stake comes back."


@pytest.mark.parametrize(
    ("cards", "flop", "net"),
    [
        ("Ah Kh", "Qh Jh Th", "500"),
        ("9h 8h", "7h 6h 5h", "250"),
        ("Ah Ad", "Ac As 5h", "200"),
        ("Ah Ad", "Ac 5s 5h", "150"),
        ("Ah 9h", "Th 7h 5h", "100"),
        ("Ah 5h", "4c 3c 2h", "35"),
        ("Ah Ad", "Ac 7s 5h", "35"),
        ("Ah Ad", "Kc Ks 5h", "35"),
        ("Ah Ad", "Kc 7s 5h", "35"),
        ("Kh Kd", "Ac 7s 5h", "-5"),
        ("Ah Kd", "Qc 7s 5h", "-5"),
    ],
)
def test_aa_is_paid_by_two_cards_and_the_flop_folded_or_not(
    cards: str, flop: str, net: str
) -> None:
    # Turn and river would pair the aces: they do not count.
    board = f"{flop} 2s 2d"
    for said in ("fold", "2x"):
        settled = play(GAME, cards, said, dealer="4s 4d", board=board, ante=10, aa=5)
        assert nets(settled)["aa"] == net
