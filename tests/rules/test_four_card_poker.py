"""Four Card Poker: the best four of five against the best four of six, ties to the player."""

from __future__ import annotations

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat

GAME = "four-card-poker"
KINGS = "Kc Kd 8h 6s 3d 2c"


@pytest.mark.parametrize(("said", "bet"), [("1x", 10), ("2x", 20), ("3x", 30)])
def test_play_is_one_to_three_antes(said: str, bet: int) -> None:
    won = play(GAME, "Ac Ad 9h 7s 2s", said, dealer=KINGS, ante=10)
    assert nets(won) == {"ante": "10", "play": str(bet)}
    lost = play(GAME, "Qc Qd 9h 7s 2s", said, dealer=KINGS, ante=10)
    assert nets(lost) == {"ante": "-10", "play": str(-bet)}


def test_or_the_hand_is_folded() -> None:
    assert nets(play(GAME, "Qc Jd 9h 7s 2s", "fold", dealer=KINGS, ante=10)) == {"ante": "-10"}
    for said in ("4x", "check", ""):
        assert (
            refused(GAME, seat("Qc Jd 9h 7s 2s", said, ante=10), dealer=KINGS).code == "rule_broken"
        )


def test_the_dealer_always_plays_and_a_tie_is_the_players() -> None:
    tie = play(GAME, "Kh Ks 8c 6d 2s", "3x", dealer=KINGS, ante=10)
    assert nets(tie) == {"ante": "10", "play": "30"}
    assert why(tie, "play") == ("Both hands are a pair of kings, and a tie is paid: 1 to 1, +$30.")
    high = play(GAME, "Ac Qd 9h 7s 2s", "1x", dealer="Ah Qc 9d 6h 4s 2d", ante=10)
    assert high.dealer["qualifies"] is True
    assert nets(high) == {"ante": "10", "play": "10"}


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("2c 2d 2h 2s 9c", "Ah Kh Qh Jh 9d 8c"),
        ("4h 3h 2h Ah 9c", "Ac Ad As Kc 9d 8c"),
        ("2c 2d 2h 9s 8c", "Ah Qh Th 8h 3c 4d"),
        ("7h 5h 3h 2h 9c", "Ac Kd Qh Js 9d 8c"),
        ("4c 3d 2h As 9c", "Kc Kd Qh Qs 9d 8c"),
        ("3c 3d 2h 2s 9c", "Ac Ad Kh Qs 9d 8c"),
        ("2c 2d 9h 7s 5c", "Ac Kd Qh Ts 9d 8c"),
        ("Ac Kd Qh 9s 3c", "Ad Kc Qs 8h 7c 6d"),
    ],
)
def test_four_cards_rank_so(higher: str, lower: str) -> None:
    won = play(GAME, higher, "1x", dealer=lower, ante=10)
    assert won.net("play") == "10.00"


def test_the_fifth_card_does_not_count() -> None:
    tie = play(GAME, "Kh Ks 8c 6d 5s", "1x", dealer=KINGS, ante=10)
    assert why(tie, "ante").startswith("Both hands are a pair of kings")
    assert tie.seat(1)["best"] == "Kh Ks 8c 6d"
    assert tie.dealer["best"] == "Kc Kd 8h 6s"


@pytest.mark.parametrize(
    ("cards", "bonus"),
    [
        ("2c 2d 2h 2s 9c", "250"),
        ("4h 3h 2h Ah 9c", "200"),
        ("2c 2d 2h 9s 8c", "20"),
        ("7h 5h 3h 2h 9c", None),
        ("4c 3d 2h As 9c", None),
    ],
)
def test_the_ante_bonus_is_paid_whatever_the_dealer_has(cards: str, bonus: str | None) -> None:
    for dealer in ("Qc Qd Qh Qs Kd Kc", "Td Th 7d Jc 6s Kd"):
        told = nets(play(GAME, cards, "1x", dealer=dealer, ante=10))
        assert told.get("ante_bonus") == bonus
        folded = nets(play(GAME, cards, "fold", dealer=dealer, ante=10))
        assert folded == {"ante": "-10"}


@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("2c 2d 2h 2s 9c", "250"),
        ("4h 3h 2h Ah 9c", "200"),
        ("2c 2d 2h 9s 8c", "40"),
        ("7h 5h 3h 2h 9c", "25"),
        ("4c 3d 2h As 9c", "20"),
        ("3c 3d 2h 2s 9c", "15"),
        ("Ac Ad 9h 7s 5c", "5"),
        ("Qh Qs 9h 7s 5c", "-5"),
        ("Ac Jd 9h 7s 5c", "-5"),
    ],
)
def test_aces_up_is_paid_by_its_table_folded_or_not(cards: str, net: str) -> None:
    for said in ("fold", "1x"):
        told = play(GAME, cards, said, dealer="Kc Kd 8h 6s Tc Jc", ante=10, aces_up=5)
        assert nets(told)["aces_up"] == net
