"""Three Card Poker: straights beat flushes, the dealer needs a queen, the ante has a bonus."""

from __future__ import annotations

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat

GAME = "three-card-poker"
QUEEN = "Qc 9d 2h"
JACK = "Jc 9d 2h"


def test_play_equals_the_ante_or_the_hand_is_folded() -> None:
    assert nets(play(GAME, "9c 5d 2s", "fold", dealer=QUEEN, ante=10)) == {"ante": "-10"}
    assert nets(play(GAME, "Kc 5d 3s", "1x", dealer=QUEEN, ante=10)) == {"ante": "10", "play": "10"}
    assert refused(GAME, seat("9c 5d 2s", "2x", ante=10), dealer=QUEEN).code == "rule_broken"


def test_the_dealer_needs_queen_high() -> None:
    jack = play(GAME, "9c 5d 3s", "1x", dealer=JACK, ante=10)
    assert nets(jack) == {"ante": "10", "play": "0"}
    assert why(jack, "play") == (
        "The dealer has only jack high and needs queen high or better to qualify: the stake comes "
        "back."
    )
    assert why(jack, "ante").startswith("The dealer has only jack high and needs queen high")
    queen = play(GAME, "9c 5d 3s", "1x", dealer=QUEEN, ante=10)
    assert nets(queen) == {"ante": "-10", "play": "-10"}


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ah Kh Qh", "Kd Qd Jd"),
        ("3h 2h Ah", "Ac Ad As"),
        ("2c 2d 2s", "Ad Kh Qs"),
        ("Ah Kc Qh", "Kd Qs Jd"),
        ("3h 2c Ah", "Ad Kd Td"),
        ("6d 5d 2d", "As Ac Kc"),
        ("2c 2d 3s", "Ad Kh Js"),
        ("Qc Js 9s", "Qd Jh 8s"),
    ],
)
def test_three_cards_rank_so(higher: str, lower: str) -> None:
    won = play(GAME, higher, "1x", dealer=lower, ante=10)
    lost = play(GAME, lower, "1x", dealer=higher, ante=10)
    assert won.net("play") == "10.00"
    assert lost.net("play") == "-10.00"


def test_a_tie_returns_both() -> None:
    tie = play(GAME, "Kc 9h 3s", "1x", dealer="Kd 9c 3h", ante=10)
    assert nets(tie) == {"ante": "0", "play": "0"}


@pytest.mark.parametrize(
    ("cards", "bonus"),
    [
        ("6h 5h 4h", "50"),
        ("Ah Kh Qh", "50"),
        ("4c 4d 4s", "40"),
        ("6c 5d 4s", "10"),
        ("9c 5c 2c", None),
        ("8c 8d 2c", None),
    ],
)
def test_the_ante_bonus_is_paid_whatever_the_dealer_has(cards: str, bonus: str | None) -> None:
    for dealer in ("As Ad Ac", "Kd Qd Jd", JACK):
        told = nets(play(GAME, cards, "1x", dealer=dealer, ante=10))
        assert told.get("ante_bonus") == bonus
    assert "ante_bonus" not in nets(play(GAME, cards, "fold", dealer=JACK, ante=10))


def test_the_ante_bonus_comes_with_a_lost_ante() -> None:
    lost = play(GAME, "6c 5d 4s", "1x", dealer="As Ad Ac", ante=10)
    assert nets(lost) == {"ante": "-10", "play": "-10", "ante_bonus": "10"}
    assert why(lost, "ante_bonus") == "The hand is a straight, six high: 1 to 1, +$10."


@pytest.mark.parametrize(
    ("cards", "a", "b"),
    [
        ("6h 5h 4h", "200", "200"),
        ("Ah Kh Qh", "200", "200"),
        ("4c 4d 4s", "150", "150"),
        ("3c 2d As", "30", "30"),
        ("9c 5c 2c", "20", "15"),
        ("9c 9d 2c", "5", "5"),
        ("Ac Kd Jc", "-5", "-5"),
    ],
)
def test_pair_plus_is_paid_by_its_table_folded_or_not(cards: str, a: str, b: str) -> None:
    for said in ("fold", "1x"):
        for table, net in (("A", a), ("B", b)):
            chosen = {"pair_plus": table}
            told = play(
                *(GAME, cards, said), dealer="Qs 8d 7h", paytables=chosen, ante=10, pair_plus=5
            )
            assert nets(told)["pair_plus"] == net


@pytest.mark.parametrize(
    ("cards", "dealer", "net"),
    [
        ("Ah Kh 2c", "Qh Jh Th", "5000"),
        ("9h 8h 2c", "7h 6h 5h", "1000"),
        ("9h 9d 2c", "9c 9s 5h", "250"),
        ("9h 9d 2c", "9c 5s 5h", "125"),
        ("9h 2h 3h", "Kh Jh 5c", "100"),
        ("9h 8d 2c", "7c 6s 5h", "50"),
        ("9h 9d 2c", "9c 6s 5h", "25"),
        ("9h 9d 2c", "2d 6s 5h", "-5"),
    ],
)
def test_six_cards_make_the_best_five_folded_or_not(cards: str, dealer: str, net: str) -> None:
    for said in ("fold", "1x"):
        told = play(GAME, cards, said, dealer=dealer, ante=10, six_card_bonus=5)
        assert nets(told)["six_card_bonus"] == net
