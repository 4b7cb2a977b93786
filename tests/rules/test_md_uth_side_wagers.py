"""md-uth 6.F, 12.E and 12.E': every line of the Six Card Bonus and of Ultimate Pairs."""

from __future__ import annotations

import pytest

from tests.rules.table import Settled, seat, settle

# -- Six Card Bonus ---------------------------------------------------------------------------

# Hole cards and the four cards of the box. The board holds none of them.
SIX = {
    "super_royal_diamonds": ("Ad Kd", "Qd Jd Td 9d"),
    "super_royal_hearts": ("Ah 9h", "Kh Qh Jh Th"),
    "super_royal_spades": ("Ts 9s", "As Ks Qs Js"),
    "super_royal_clubs": ("Ac Jc", "Kc Qc Tc 9c"),
    "royal_flush": ("Ah Kh", "Qh Jh Th 2c"),
    "straight_flush": ("9h 8h", "7h 6h 5h 2c"),
    "king_high_straight_flush": ("Kh Qh", "Jh Th 9h 9c"),
    "lowest_straight_flush": ("Ah 2h", "3h 4h 5h Kd"),
    "four_of_a_kind": ("9c 9d", "9h 9s Kd 4c"),
    "full_house": ("Ac Ad", "Ah Kd Kc 7s"),
    "two_threes_of_a_kind": ("Ac Ad", "Ah Kd Kc Kh"),
    "flush": ("Ah 9h", "Kh 6h 2h 3c"),
    "six_of_a_suit": ("Ah 9h", "Kh 6h 2h 3h"),
    "straight": ("9c 8d", "7h 6s 5d Jc"),
    "wheel": ("Ac 2d", "3h 4s 5d Kc"),
    "three_of_a_kind": ("Qc Qd", "Qh 9s 5d 4c"),
}
# Both tables from the document, figures as printed: the line's letter, sums in whole dollars.
SIX_A = {
    "super_royal_diamonds": ("a", "1000000.00"),
    "super_royal_hearts": ("b", "100000.00"),
    "super_royal_spades": ("b", "100000.00"),
    "super_royal_clubs": ("b", "100000.00"),
    "royal_flush": ("c", "5000.00"),
    "straight_flush": ("d", "1000.00"),
    "king_high_straight_flush": ("d", "1000.00"),
    "lowest_straight_flush": ("d", "1000.00"),
    "four_of_a_kind": ("e", "250.00"),
    "full_house": ("f", "100.00"),
    "two_threes_of_a_kind": ("f", "100.00"),
    "flush": ("g", "75.00"),
    "six_of_a_suit": ("g", "75.00"),
    "straight": ("h", "50.00"),
    "wheel": ("h", "50.00"),
    "three_of_a_kind": ("i", "25.00"),
}
SIX_B = {
    "super_royal_diamonds": ("a", "100000.00"),
    "super_royal_hearts": ("a", "100000.00"),
    "super_royal_spades": ("a", "100000.00"),
    "super_royal_clubs": ("a", "100000.00"),
    "royal_flush": ("b", "5000.00"),
    "straight_flush": ("c", "1000.00"),
    "king_high_straight_flush": ("c", "1000.00"),
    "lowest_straight_flush": ("c", "1000.00"),
    "four_of_a_kind": ("d", "250.00"),
    "full_house": ("e", "100.00"),
    "two_threes_of_a_kind": ("e", "100.00"),
    "flush": ("f", "75.00"),
    "six_of_a_suit": ("f", "75.00"),
    "straight": ("g", "50.00"),
    "wheel": ("g", "50.00"),
    "three_of_a_kind": ("h", "25.00"),
}
RANKED = [f"6.F({number})" for number in range(1, 9)]


def six(cards: str, box: str, table: str = "A", stake: int = 5, said: str = "4x") -> Settled:
    return settle(
        "md-uth",
        seat(cards, said, ante=10, blind=10, trips=1, six_card_bonus=stake),
        community="2s 3s 5c 8s 8c",
        dealer="7c 7d",
        box=box,
        paytables={"six_card_bonus": table},
    )


def paid(told: Settled, wager: str) -> tuple[str, str, str]:
    return told.result(wager), told.net(wager), told.clause(wager)


@pytest.mark.clause("md-uth", "12.E", "12.E(1)", "6.F", *RANKED, "7.F(4)", "7.F(4)(a)", "11.I(3)")
@pytest.mark.parametrize("hand", SIX)
def test_12_E_1_six_card_bonus_A(hand: str) -> None:
    letter, net = SIX_A[hand]
    assert paid(six(*SIX[hand], "A"), "six_card_bonus") == ("win", net, f"12.E(1)({letter})")


@pytest.mark.clause("md-uth", "12.E", "12.E(2)", "6.F", *RANKED, "7.F(4)", "7.F(4)(a)", "11.I(3)")
@pytest.mark.parametrize("hand", SIX)
def test_12_E_2_six_card_bonus_B(hand: str) -> None:
    letter, net = SIX_B[hand]
    assert paid(six(*SIX[hand], "B"), "six_card_bonus") == ("win", net, f"12.E(2)({letter})")


@pytest.mark.clause("md-uth", "12.E(1)", "12.E(2)")
@pytest.mark.parametrize("stake", [1, 25])
def test_12_E_a_super_royal_is_a_fixed_sum_and_the_stake_comes_back(stake: int) -> None:
    told = six(*SIX["super_royal_diamonds"], stake=stake)
    assert told.net("six_card_bonus") == "1000000.00"


@pytest.mark.clause("md-uth", "6.F", "11.I(3)", "12.E")
@pytest.mark.parametrize("table", ["A", "B"])
@pytest.mark.parametrize(
    ("cards", "box"),
    [("Qc Qd", "9h 9s 5d 4c"), ("Ac Ad", "9h 7s 5d 4c"), ("Ac Qd", "Kh 4s 6d 3d")],
    ids=["two pair", "pair", "nothing"],
)
def test_6_F_less_than_three_of_a_kind_loses(table: str, cards: str, box: str) -> None:
    told = six(cards, box, table)
    assert paid(told, "six_card_bonus") == ("lose", "-5.00", "11.I(3)")


@pytest.mark.clause("md-uth", "7.F(4)", "11.I(3)")
def test_7_F_4_the_board_is_no_part_of_the_six_cards() -> None:
    told = six("8d 8h", "Kh 4s 6d 3d")
    assert told.seat(1)["hand"] == "four_of_a_kind"
    assert told.result("six_card_bonus") == "lose"


@pytest.mark.clause("md-uth", "7.F(4)", "11.I(3)")
def test_7_F_4_the_box_is_no_part_of_the_final_hand() -> None:
    told = six("Qc Qd", "Qh Qs 5d 4c")
    assert told.seat(1)["hand"] == "two_pair"
    assert told.net("six_card_bonus") == "250.00"


@pytest.mark.clause("md-uth", "11.I(4)")
def test_11_I_4_six_card_bonus_pays_although_the_dealer_wins() -> None:
    told = six("9c 9d", "9h Ks Kd 4c")
    assert told.result("play") == "win"
    told = six("6c 6d", "6h Ks Kd 4c")
    assert told.result("play") == "lose"
    assert paid(told, "six_card_bonus") == ("win", "100.00", "12.E(1)(f)")


# -- Ultimate Pairs ---------------------------------------------------------------------------

KINDS = {
    "pair of aces": ["Ac As", "Ah Ac", "Ad As"],
    "red aces": ["Ah Ad"],
    "ace and king suited": ["Ac Kc", "Kh Ah"],
    "ace and queen or jack suited": ["Ac Qc", "Jd Ad"],
    "ace and king": ["Ac Kd", "Ks Ah"],
    "pair of jacks to kings": ["Jc Jd", "Qh Qs", "Kc Ks"],
    "ace and queen or jack": ["Ac Qd", "Js Ah"],
    "pair of tens or less": [f"{rank}c {rank}s" for rank in "T98765432"],
}
# In the order of KINDS: the odds to 1 and the letter of the line.
PAIRS = {
    "A": ["30 a", "30 a", "25 b", "20 c", "15 d", "10 e", "5 f", "3 g"],
    "B": ["30 b", "30 b", "25 c", "20 d", "15 e", "10 f", "5 g", "3 h"],
    "C": ["30 a", "30 a", "20 b", "20 c", "10 d", "5 e", "10 f", "5 g"],
    "D": ["30 b", "100 a", "20 c", "20 d", "10 e", "4 f", "10 g", "4 h"],
    "E": ["25 b", "50 a", "20 c", "20 d", "10 e", "5 f", "10 g", "5 h"],
    "F": ["25 a", "25 a", "20 b", "20 c", "10 d", "5 e", "10 f", "5 g"],
}
ROWS = [
    (table, cards, cell)
    for table, column in PAIRS.items()
    for kind, cell in zip(KINDS.values(), column, strict=True)
    for cards in kind
]
TABLES = [f"12.E'({number})" for number in range(1, 7)]


def pairs(cards: str, table: str, dealer: str = "3d 8h", said: str = "4x") -> Settled:
    return settle(
        "md-uth",
        seat(cards, said, ante=10, blind=10, ultimate_pairs=2),
        community="2d 4d 7h 9h Td",
        dealer=dealer,
        paytables={"ultimate_pairs": table},
    )


@pytest.mark.clause("md-uth", "12.E'", *TABLES, "7.F(5)")
@pytest.mark.parametrize(("table", "cards", "cell"), ROWS)
def test_12_E_ultimate_pairs(table: str, cards: str, cell: str) -> None:
    odds, letter = cell.split()
    clause = f"12.E'({'ABCDEF'.index(table) + 1})({letter})"
    expected = ("win", f"{2 * int(odds)}.00", clause)
    assert paid(pairs(cards, table), "ultimate_pairs") == expected


@pytest.mark.clause("md-uth", "12.E'(2)", "7.F(5)")
@pytest.mark.parametrize(("cards", "dealer"), [("Ac As", "Ah Ad"), ("Ah Ad", "Ac As")])
def test_12_E_2_aces_against_the_dealers_aces_under_B(cards: str, dealer: str) -> None:
    told = pairs(cards, "B", dealer)
    assert paid(told, "ultimate_pairs") == ("win", "2000.00", "12.E'(2)(a)")


@pytest.mark.clause("md-uth", *[table for table in TABLES if table != "12.E'(2)"], "7.F(5)")
@pytest.mark.parametrize(("table", "net"), [("A", 60), ("C", 60), ("D", 60), ("E", 50), ("F", 50)])
def test_12_E_the_dealers_aces_matter_under_no_other_table(table: str, net: int) -> None:
    assert pairs("Ac As", table, dealer="Ah Ad").net("ultimate_pairs") == f"{net}.00"


@pytest.mark.clause("md-uth", "12.E'(2)", "7.F(5)")
@pytest.mark.parametrize(("cards", "net"), [("Kc Ks", "20.00"), ("Qc 8s", "-2.00")])
def test_12_E_2_the_dealers_aces_alone_pay_nothing(cards: str, net: str) -> None:
    assert pairs(cards, "B", dealer="Ah Ad").net("ultimate_pairs") == net


@pytest.mark.clause("md-uth", "12.E'", *TABLES, "7.F(5)")
@pytest.mark.parametrize("table", PAIRS)
@pytest.mark.parametrize("cards", ["Ac Tc", "As Th", "Kc Qc", "Kc Jd", "4s 3c"])
def test_12_E_other_cards_lose_whatever_they_make_with_the_board(table: str, cards: str) -> None:
    assert paid(pairs(cards, table), "ultimate_pairs") == ("lose", "-2.00", "12.E'")


@pytest.mark.clause("md-uth", "7.F(5)")
def test_7_F_5_ultimate_pairs_wins_although_the_dealer_does_too() -> None:
    told = pairs("3c 3s", "A", dealer="Tc Ts")
    assert told.result("play") == "lose"
    assert told.net("ultimate_pairs") == "6.00"
