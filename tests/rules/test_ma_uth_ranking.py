"""ma-uth section 5: which hand is higher, told as showdowns with the better hand on either side."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest

from tests.rules.table import Settled, seat, settle

# Board, the better two cards, the worse two, and what each of them makes.
BETWEEN = {
    "1": ("Ks Qs Js Ts 2d", "As 3c", "9s 3d", "royal_flush", "straight_flush"),
    "2": ("5h 4h 3h Kc Kd", "Ah 2h", "Kh Ks", "straight_flush", "four_of_a_kind"),
    "3": ("2c 2d Ac Ad Kh", "2h 2s", "Ah Ks", "four_of_a_kind", "full_house"),
    "4": ("2h 2c 3h 9h Kd", "2s 3s", "Ah Qh", "full_house", "flush"),
    "5": ("7h 5h 4h 6s 8c", "3h 2h", "9s Td", "flush", "straight"),
    "6": ("Ac 2d 3h 9s Ad", "4c 5d", "Ah Ks", "straight", "three_of_a_kind"),
    "7": ("2c 2d Ac Kd 9h", "2h 3s", "Ad Kh", "three_of_a_kind", "two_pair"),
    "8": ("3c 2d Kh Qd 9s", "3d 2h", "Ac Ad", "two_pair", "pair"),
    "9": ("Ac Kd 9h 5s 2c", "2d 3c", "Qc Jd", "pair", "high_card"),
}
# The same within a category: board, the better two cards, the worse two.
WITHIN = {
    "5(b)(2)": [
        ("Qh Jh Th 9h 2d", "Kh 3c", "8h 3d"),
        ("5h 4h 3h 2h Kd", "6h 7c", "Ah 7d"),
        ("9h 8h 7h 6h Kd", "Th Ac", "5h Ad"),
    ],
    "5(b)(3)": [
        ("Ac Ad Kc Kd 2h", "Ah As", "Kh Ks"),
        ("3c 3d 2c 2d Ah", "3h 3s", "2h 2s"),
        ("9c 9d 9h 9s 2h", "Ac 3d", "Kc Qd"),
    ],
    "5(b)(4)": [
        ("Ac Ad Ah 5s 6s", "Kc Kd", "Qc Qd"),
        ("3c 3d 2c 2d Ah", "3h 4c", "2h Ac"),
        ("2c 2d 2h Ks 9d", "4c 4d", "3c 3d"),
    ],
    "5(b)(5)": [
        ("Kh Qh Jh 2c 3d", "Ah 9h", "Th 8h"),
        ("Kh 9h 4h 2c 3d", "Ah 5h", "Qh Jh"),
        ("7h 4h 3h 2h Jd", "6h Tc", "5h Td"),
        ("Kh Qh 9h 2c 3d", "8h 4h", "7h 6h"),
    ],
    "5(b)(6)": [
        ("Kc Qd Jh Ts 2d", "Ac 3d", "9c 3h"),
        ("2d 3h 4s 5c Kd", "6c 9d", "Ac 9h"),
    ],
    "5(b)(7)": [
        ("Ac Kd 9h 5s 2c", "Ad Ah", "Kc Kh"),
        ("3c 2d Ah Kd 9s", "3d 3h", "2c 2h"),
        ("Qc Qd Kh 3s 2c", "Qh 9c", "Qs 8c"),
    ],
    "5(b)(8)": [
        ("Ac Kd Qh 5s 2c", "Ad Kh", "As Qc"),
        ("Ac Ad 5h 9s 2c", "9d 3c", "5d Kh"),
        ("Ac 5d 5h 9s 2c", "Ad 3c", "9d Kh"),
        ("Ac Ad 9h 9s 2c", "Kd 3c", "Qd Jh"),
    ],
    "5(b)(9)": [
        ("Kc Qd 9h 5s 3c", "Ac Ad", "Kd Jh"),
        ("3c 2d 8h Ts Qd", "3d 4c", "2h Ac"),
        ("Ac Ad 8h 3s 2c", "Kd 6c", "Kh 5c"),
    ],
    "5(c)": [
        ("Kd Qh 9s 7c 2c", "Ac 3d", "Jd 8h"),
        ("Ac Kd Qh 9s 2c", "7d 3c", "6d 4c"),
    ],
}
ROWS = [
    pytest.param(*row, marks=pytest.mark.clause("ma-uth", clause))
    for clause, rows in WITHIN.items()
    for row in rows
]
EQUAL = [
    ("Ac Kd Qh Js Tc", "2d 3c", "4h 4d"),
    ("Ac Kd Qh 9s 8c", "7d 3c", "6d 5c"),
    ("9c 8d 7h 2s 2c", "Jd Th", "Jc Ts"),
    ("Ac Ad 9h 9s Kc", "3d 3c", "2d 4c"),
    ("As Ks Qs Js Ts", "9s 8s", "Ah Ad"),
]


def meet(board: str, player: str, dealer: str) -> Settled:
    """The Play wager tells who won; no qualifier touches it."""
    hand = seat(player, "4x", ante=10, blind=10)
    return settle("ma-uth", hand, community=board, dealer=dealer)


@pytest.mark.clause("ma-uth", *[f"5(b)({number})" for number in BETWEEN], "5(b)", "1.Rank")
@pytest.mark.parametrize("number", BETWEEN)
def test_5_b_the_categories_in_their_order(number: str) -> None:
    board, better, worse, high, low = BETWEEN[number]
    told = meet(board, better, worse)
    assert (told.seat(1)["hand"], told.dealer["hand"]) == (high, low)
    assert told.result("play") == "win"
    assert meet(board, worse, better).result("play") == "lose"


@pytest.mark.clause("ma-uth", "5(a)", "5(c)", "1.Rank")
@pytest.mark.parametrize(("board", "better", "worse"), ROWS)
def test_5_b_the_order_within_a_category(board: str, better: str, worse: str) -> None:
    told = meet(board, better, worse)
    assert told.seat(1)["hand"] == told.dealer["hand"]
    assert told.result("play") == "win"
    assert meet(board, worse, better).result("play") == "lose"


@pytest.mark.clause("ma-uth", "5(a)")
@pytest.mark.parametrize(("better", "worse"), list(pairwise("AKQJT9876543")))
def test_5_a_each_rank_is_above_the_next(better: str, worse: str) -> None:
    board = "2c 2d 2h 4s 3d" if better in "AK" else "2c 2d 2h Ks Ad"
    told = meet(board, f"{better}c {better}h", f"{worse}c {worse}h")
    assert told.result("play") == "win"


@pytest.mark.clause("ma-uth", "5(a)", "5(b)(6)")
def test_5_b_6_an_ace_joins_no_other_sequence() -> None:
    told = meet("Qc Kd Ah 2s 7c", "3c 4d", "7d 9h")
    assert told.seat(1)["hand"] == "high_card"
    assert told.result("play") == "lose"
    assert meet("Qh Kh Ah 7s 7c", "3h 2h", "8d 9h").seat(1)["hand"] == "flush"


@pytest.mark.clause("ma-uth", "5(c)", "1.Suit", "1.Push")
@pytest.mark.parametrize(("board", "one", "other"), EQUAL)
def test_5_c_hands_that_nothing_separates_push(board: str, one: str, other: str) -> None:
    assert meet(board, one, other).result("play") == "push"


@pytest.mark.clause("ma-uth", "1.Suit")
@pytest.mark.parametrize(("one", "other"), list(permutations("cdhs", 2)))
def test_1_suit_no_suit_outranks_another(one: str, other: str) -> None:
    """A four-flush on each side, so that the two hands differ in nothing but their suit."""
    third = next(suit for suit in "cdhs" if suit not in (one, other))
    board = f"9{one} 9{other} 7{one} 7{other} 2{third}"
    assert meet(board, f"A{one} Q{one}", f"A{other} Q{other}").result("play") == "push"
