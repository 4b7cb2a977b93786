"""High Card Flush: the longest suit of seven cards, then its ranks."""

from __future__ import annotations

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat

GAME = "high-card-flush"
NINE = "9c 3c 2c 8d 7d 6h 5h"
EIGHT = "8c 7c 6c Ad Kd Qh Js"
FIVE = "9s 7s 5s 3s 2s Kh Qd"
SIX = "9s 7s 5s 3s 2s 4s Qd"


def test_any_hand_raises_one_ante_or_folds() -> None:
    assert nets(play(GAME, "As Ks 2d 3d 4h 2h 7c", "fold", dealer=NINE, ante=10)) == {"ante": "-10"}
    lost = play(GAME, "As Ks 2d 3d 4h 2h 7c", "1x", dealer=NINE, ante=10)
    assert nets(lost) == {"ante": "-10", "raise": "-10"}


@pytest.mark.parametrize(
    ("cards", "allowed"),
    [("9s 7s 5s 3s Ah Kh Qd", 1), (FIVE, 2), (SIX, 3), ("9s 7s 5s 3s 2s 4s Js", 3)],
)
def test_longer_suits_raise_more(cards: str, allowed: int) -> None:
    for times in (1, 2, 3):
        said = f"{times}x"
        if times <= allowed:
            won = play(GAME, cards, said, dealer=NINE, ante=10)
            assert nets(won) == {"ante": "10", "raise": str(10 * times)}
        else:
            error = refused(GAME, seat(cards, said, ante=10), dealer=NINE)
            assert error.clause == "Raise up to three"


def test_the_dealer_needs_three_of_a_suit_nine_high() -> None:
    eight = play(GAME, "2s 3s 4s 5d 9d 6h 7h", "1x", dealer=EIGHT, ante=10)
    assert nets(eight) == {"ante": "10", "raise": "0"}
    assert why(eight, "raise") == (
        "The dealer has only a three-card flush, eight high, and needs a three-card flush, nine "
        "high, or better to qualify: the stake comes back."
    )
    nine = play(GAME, "2s 3s 4s 5d 9d Ah 7h", "1x", dealer=NINE, ante=10)
    assert nets(nine) == {"ante": "-10", "raise": "-10"}
    four = play(GAME, "2s 3s 4s 5d 9d Ah 7h", "1x", dealer="5c 4c 3c 2c 8d 6h 5h", ante=10)
    assert four.dealer["qualifies"] is True


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2s 3s 4s 5s 6s 7s 9s", "Ac Kc Qc Jc Tc 9c 2d"),
        ("2s 3s 4s 5s Ad Kd Qh", "Ac Kc Qc 9d 8d 7h 6h"),
        ("Ts 3s 2s 5d 4d 3h 2h", "9c 8c 7c 6d 9d 5h 4h"),
        ("As Ks 3s 9d 8d 7h 6h", "Ac Kc 2c 5d 4d 3h 2h"),
    ],
)
def test_suits_rank_by_length_then_from_the_top(higher: str, lower: str) -> None:
    assert play(GAME, higher, "1x", dealer=lower, ante=10).net("raise") == "10.00"
    assert play(GAME, lower, "1x", dealer=higher, ante=10).net("raise") == "-10.00"


def test_equal_ranks_of_two_suits_tie() -> None:
    tie = play(GAME, "9s 3s 2s Ad Kd Qh Jh", "1x", dealer=NINE, ante=10)
    assert nets(tie) == {"ante": "0", "raise": "0"}
    assert why(tie, "ante") == (
        "Both hands are a three-card flush, nine high: the stake comes back."
    )


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("9s 7s 5s 3s 2s 4s Js", "1500"),
        (SIX, "500"),
        (FIVE, "50"),
        ("9s 7s 5s 3s Ah Kh Qd", "5"),
        ("As Ks Qs 3d 2d 4h 5h", "-5"),
    ],
)
def test_the_flush_bonus_is_paid_by_the_longest_suit_folded_or_not(cards: str, net: str) -> None:
    for said in ("fold", "1x"):
        told = play(GAME, cards, said, dealer="9c 3c 2c 8d 7d 6h 8h", ante=10, flush_bonus=5)
        assert nets(told)["flush_bonus"] == net
