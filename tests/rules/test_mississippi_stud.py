"""Mississippi Stud: a bet or a fold before each of three cards, one table for all bets."""

from __future__ import annotations

import pytest

from tests.rules.games import nets, play, why
from tests.rules.table import refused, seat

GAME = "mississippi-stud"
NOTHING = "Kh Jd 3c"


@pytest.mark.parametrize(
    ("said", "lost"),
    [
        ("fold", {"ante": "-10"}),
        ("1x fold", {"ante": "-10", "third_street": "-10"}),
        ("3x 2x fold", {"ante": "-10", "third_street": "-30", "fourth_street": "-20"}),
    ],
)
def test_a_fold_loses_all_that_was_bet(said: str, lost: dict[str, str]) -> None:
    # A pair of aces would have been paid: a fold is a fold.
    told = play(GAME, "Ac Ad", said, board=NOTHING, ante=10)
    assert nets(told) == lost
    assert why(told, "ante") == "The hand was folded: $10 is lost."


def test_every_street_is_a_bet_or_a_fold() -> None:
    for said in ("", "check", "4x", "1x 1x", "1x check 1x", "fold 1x", "1x 1x 1x 1x"):
        assert refused(GAME, seat("Ac Ad", said, ante=10), community=NOTHING).code == "rule_broken"


@pytest.mark.parametrize(
    ("cards", "board", "pays"),
    [
        ("Ah Kh", "Qh Jh Th", 500),
        ("9h 8h", "7h 6h 5h", 100),
        ("9h 9c", "9d 9s 5h", 40),
        ("9h 9c", "9d 5s 5h", 10),
        ("Ah 9h", "7h 6h 5h", 6),
        ("9h 8c", "7d 6s 5h", 4),
        ("2h 2c", "2d 6s 5h", 3),
        ("2h 2c", "5d 6s 5h", 2),
        ("Jh Jc", "7d 6s 5h", 1),
        ("Ah Ac", "7d 6s 5h", 1),
        ("Th Tc", "7d 4s 5h", 0),
        ("6h 6c", "7d 4s Ah", 0),
        ("5h 5c", "7d 4s Ah", -1),
        ("Kh Qc", "7d 4s Ah", -1),
    ],
)
def test_one_line_pays_every_bet(cards: str, board: str, pays: int) -> None:
    told = play(GAME, cards, "1x 2x 3x", board=board, ante=10)
    assert nets(told) == {
        "ante": str(10 * pays),
        "third_street": str(10 * pays),
        "fourth_street": str(20 * pays),
        "fifth_street": str(30 * pays),
    }


@pytest.mark.parametrize(
    ("board", "net"),
    [
        ("Ah Kh Qh", "200"),
        ("9h 9c 9d", "150"),
        ("3h 2c Ad", "30"),
        ("Ah 9h 7h", "15"),
        ("2h 2c 7d", "5"),
        ("Ah Kc Jd", "-5"),
    ],
)
def test_the_three_card_bonus_looks_at_the_board_folded_or_not(board: str, net: str) -> None:
    for said in ("fold", "1x 1x 1x"):
        told = play(GAME, "8s 8d", said, board=board, ante=10, three_card_bonus=5)
        assert nets(told)["three_card_bonus"] == net
