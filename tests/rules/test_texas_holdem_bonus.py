"""Texas Hold'em Bonus: a flop bet or a fold, then two bets that nobody has to make."""

from __future__ import annotations

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat

GAME = "texas-holdem-bonus"
BOARD = "Kh Qd 8s 5c 2h"


def test_before_the_flop_it_is_twice_the_ante_or_a_fold() -> None:
    folded = play(GAME, "2c 3d", "fold", dealer="9c 9d", board=BOARD, ante=10)
    assert nets(folded) == {"ante": "-10"}
    for said in ("check", "1x", "fold check", "2x", "2x check", "2x fold check", "2x 2x check"):
        assert (
            refused(GAME, seat("2c 3d", said, ante=10), dealer="9c 9d", community=BOARD).code
            == "rule_broken"
        )


@pytest.mark.parametrize(
    ("said", "bets"),
    [
        ("2x check check", {"flop": "20"}),
        ("2x 1x check", {"flop": "20", "turn": "10"}),
        ("2x check 1x", {"flop": "20", "river": "10"}),
        ("2x 1x 1x", {"flop": "20", "turn": "10", "river": "10"}),
    ],
)
def test_each_bet_that_is_down_wins_even_money(said: str, bets: dict[str, str]) -> None:
    won = play(GAME, "Ac Ad", said, dealer="9c 9d", board=BOARD, ante=10)
    # A pair of aces is below a straight, so the ante only comes back.
    assert nets(won) == {"ante": "0", **bets}
    lost = play(GAME, "3c 3d", said, dealer="9c 9d", board=BOARD, ante=10)
    assert nets(lost) == {"ante": "-10", **{name: f"-{net}" for name, net in bets.items()}}


@pytest.mark.parametrize(
    ("cards", "board", "lv", "ac"),
    [
        ("Jc Tc", "Kh Qd 9s 5c 2h", "10", "0"),
        ("Jh Th", "Kh Qd 9h 5h 2c", "10", "10"),
        ("Kd Kc", "Kh Qd Qs 5c 2h", "10", "10"),
        ("Kd Kc", "Kh Ks 9s 5c 2h", "10", "10"),
        ("Jh Th", "9h 8h 7h 5c 2c", "10", "10"),
        ("Ah Th", "Kh Qh Jh 5c 2c", "10", "10"),
        ("Kd Kc", "Kh Qd 9s 5c 2h", "0", "0"),
    ],
)
def test_the_ante_wins_only_with_a_straight_or_in_some_houses_a_flush(
    cards: str, board: str, lv: str, ac: str
) -> None:
    for table, net in (({"ante": "lv"}, lv), ({"ante": "ac"}, ac), (None, lv)):
        told = play(
            *(GAME, cards, "2x check check"), dealer="4c 4d", board=board, paytables=table, ante=10
        )
        assert nets(told) == {"ante": net, "flop": "20"}


def test_the_reason_names_what_the_ante_takes() -> None:
    won = play(GAME, "Ac Ad", "2x check check", dealer="9c 9d", board=BOARD, ante=10)
    assert why(won, "ante") == (
        "A pair of aces beat the dealer's pair of nines, but it takes a straight or better: "
        "the stake comes back."
    )


def test_a_tie_returns_everything_and_any_hand_of_the_dealer_plays() -> None:
    tie = play(GAME, "2c 3d", "2x 1x 1x", dealer="2d 3c", board="Ah Kd Qs Jc 9h", ante=10)
    assert nets(tie) == {"ante": "0", "flop": "0", "turn": "0", "river": "0"}
    high = play(GAME, "2c 3d", "2x check check", dealer="4d 3c", board="Ah Kd Qs Jc 9h", ante=10)
    assert high.dealer["qualifies"] is True


@pytest.mark.parametrize(
    ("cards", "dealer", "net"),
    [
        ("Ac Ad", "Ah As", "5000"),
        ("Ac Ad", "Ah Ks", "150"),
        ("Ac Kc", "2h 3s", "125"),
        ("Ac Qc", "2h 3s", "100"),
        ("Ac Jc", "2h 3s", "100"),
        ("Ac Kd", "2h 3s", "75"),
        ("Kc Kd", "2h 3s", "50"),
        ("Jc Jd", "2h 3s", "50"),
        ("Ac Qd", "2h 3s", "25"),
        ("Ac Jd", "2h 3s", "25"),
        ("Tc Td", "2h 3s", "15"),
        ("2c 2d", "Ah As", "15"),
        ("Ac Td", "2h 3s", "-5"),
        ("Kc Qc", "Ah As", "-5"),
    ],
)
def test_the_bonus_is_paid_by_two_cards_folded_or_not(cards: str, dealer: str, net: str) -> None:
    for said in ("fold", "2x check check"):
        board = "9s 8h 7s 5d 4h"
        assert (
            nets(play(GAME, cards, said, dealer=dealer, board=board, ante=10, bonus=5))["bonus"]
            == net
        )
