"""md-uth 11.J, 12.D: the Progressive, its meters and the Envy Bonus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.rules.table import Settled, seat, settle

# Hole cards and the board; the first three board cards are the flop.
OPENING = {
    "royal_flush": ("As Ks", "Qs Js Ts 2d 3h"),
    "straight_flush": ("9h 8h", "7h 6h 5h Kd Kc"),
    "four_of_a_kind": ("9c 9d", "9h 9s Kd 4c 2h"),
    "full_house": ("Ac Ad", "Ah Kd Kc 7s 2h"),
    "flush": ("Ah 9h", "Kh 6h 2h Kd 7c"),
    "straight": ("9c 8d", "7h 6s 5d Jc Kh"),
    "three_of_a_kind": ("Qc Qd", "Qh 9s 5d 4c Kh"),
}
METERS = {
    "A": {"main": "12500.00"},
    "B": {"major": "4000.00", "minor": "700.00"},
    "C": {"mega": "30000.00", "major": "4000.00", "minor": "700.00"},
    "D": {"mega": "30000.00", "major": "4000.00", "minor": "700.00"},
}
# What is handed over for $1 beside the meters, as printed: 'to' gives the stake back, 'for' not.
TO_OR_FOR = {
    "A": {
        "four_of_a_kind": "300 to",
        "full_house": "50 to",
        "flush": "40 to",
        "straight": "30 to",
        "three_of_a_kind": "9 to",
    },
    "B": {
        "four_of_a_kind": "300 for",
        "full_house": "50 for",
        "flush": "40 for",
        "straight": "30 for",
        "three_of_a_kind": "9 for",
    },
    "C": {
        "full_house": "50 for",
        "flush": "40 for",
        "straight": "30 for",
        "three_of_a_kind": "10 for",
    },
    "D": {
        "full_house": "50 for",
        "flush": "40 for",
        "straight": "30 for",
        "three_of_a_kind": "9 for",
    },
}
# Meter awards with METERS showing: what is received, and the meter afterwards.
AWARDS = [
    ("A", "royal_flush", 12500, "main", "10000.00"),
    ("A", "straight_flush", 1250, "main", "11250.00"),
    ("B", "royal_flush", 4000, "major", "1000.00"),
    ("B", "straight_flush", 700, "minor", "250.00"),
    ("C", "royal_flush", 30000, "mega", "10000.00"),
    ("C", "straight_flush", 4000, "major", "1000.00"),
    ("C", "four_of_a_kind", 700, "minor", "250.00"),
    ("D", "royal_flush", 30000, "mega", "10000.00"),
    ("D", "straight_flush", 4000, "major", "1000.00"),
    ("D", "four_of_a_kind", 700, "minor", "250.00"),
]
TABLES = [f"12.D(1)({letter})" for letter in "abcd"]


def bet(
    cards: str, number: int = 1, stake: int = 1, said: str = "4x", **told: Any
) -> dict[str, Any]:
    return seat(cards, said, number, ante=10, blind=10, progressive=stake, **told)


def bystander(cards: str, number: int, **told: Any) -> dict[str, Any]:
    return seat(cards, "4x", number, ante=10, blind=10, **told)


def table(
    *seats: dict[str, Any],
    board: str,
    letter: str = "A",
    dealer: str = "3c 4d",
    meters: Mapping[str, str] | None = None,
    **told: Any,
) -> Settled:
    return settle(
        "md-uth",
        *seats,
        community=board,
        dealer=dealer,
        paytables={"progressive": letter},
        meters=METERS[letter] if meters is None else meters,
        **told,
    )


def line_clause(letter: str, hand: str) -> str:
    numeral = ("i", "ii", "iii", "iv", "v", "vi", "vii")[list(OPENING).index(hand)]
    return f"12.D(1)({letter.lower()})({numeral})"


def paid(told: Settled, wager: str, number: int = 1) -> tuple[str, str, str]:
    return told.result(wager, number), told.net(wager, number), told.clause(wager, number)


# -- paytables --------------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "12.D(1)", *TABLES, "11.J(2)(d)", "1.B(6)", "7.F(3)")
@pytest.mark.parametrize(
    ("letter", "hand", "pays"),
    [(letter, *row) for letter, lines in TO_OR_FOR.items() for row in lines.items()],
)
@pytest.mark.parametrize("stake", [1, 5])
def test_12_D_1_fixed_odds(letter: str, hand: str, pays: str, stake: int) -> None:
    cards, board = OPENING[hand]
    odds, word = pays.split()
    net = stake * (int(odds) - (word == "for"))
    told = table(bet(cards, stake=stake), board=board, letter=letter)
    assert paid(told, "progressive") == ("win", f"{net}.00", line_clause(letter, hand))
    assert told.meters == METERS[letter]


@pytest.mark.clause("md-uth", "12.D(1)", *TABLES, "11.J(2)(d)", "12.D(4)")
@pytest.mark.parametrize(("letter", "hand", "award", "meter", "after"), AWARDS)
@pytest.mark.parametrize("stake", [1, 5])
def test_12_D_1_meter_awards(
    letter: str, hand: str, award: int, meter: str, after: str, stake: int
) -> None:
    cards, board = OPENING[hand]
    told = table(bet(cards, stake=stake), board=board, letter=letter)
    assert paid(told, "progressive") == ("win", f"{award - stake}.00", line_clause(letter, hand))
    assert told.meters == METERS[letter] | {meter: after}


@pytest.mark.clause("md-uth", "12.D(1)", "1.B(6)")
@pytest.mark.parametrize("letter", METERS)
@pytest.mark.parametrize(
    ("cards", "board"),
    [("Qc 9d", "Qh 9s 5d 4c Kh"), ("Qc Jd", "Qh 9s 5d 4c Kh"), ("Ac 7d", "Qh 9s 5d 4c Kh")],
    ids=["two pair", "pair", "nothing"],
)
def test_1_B_6_less_than_three_of_a_kind_loses(letter: str, cards: str, board: str) -> None:
    told = table(bet(cards), board=board, letter=letter)
    assert paid(told, "progressive") == ("lose", "-1.00", "12.D(1)")
    assert told.meters == METERS[letter]


@pytest.mark.clause("md-uth", "12.D(1)(a)")
@pytest.mark.parametrize(("meter", "net"), [("12345.67", "1233.56"), ("10000.09", "999.00")])
def test_12_D_1_a_a_part_of_a_cent_stays_on_the_meter(meter: str, net: str) -> None:
    cards, board = OPENING["straight_flush"]
    told = table(bet(cards), board=board, meters={"main": meter})
    assert told.net("progressive") == net


@pytest.mark.clause("md-uth", "12.D(1)(a)")
@pytest.mark.parametrize("hand", TO_OR_FOR["A"])
def test_12_D_1_a_read_as_a_slip_the_stake_stays_with_the_house(hand: str) -> None:
    cards, board = OPENING[hand]
    told = table(bet(cards, stake=5), board=board, readings={"progressive_a_odds": "for"})
    assert told.net("progressive") == f"{5 * (int(TO_OR_FOR['A'][hand].split()[0]) - 1)}.00"


# -- which five cards -------------------------------------------------------------------------


@pytest.mark.clause("md-uth", "1.B(6)", "7.F(3)", "12.D(2)")
@pytest.mark.parametrize(
    ("cards", "board", "opening", "seven"),
    [
        ("Qc Qd", "5h 9s 3d 3h Qh", "-1.00", "49.00"),
        ("Qc Qd", "Qh 9s 5d 4c Qs", "8.00", "299.00"),
        ("9h 8h", "7h 6h 2h 5h Tc", "39.00", "699.00"),
    ],
    ids=["made late", "three, then four", "flush, then straight flush"],
)
def test_1_B_6_the_hand_is_two_cards_and_the_flop(
    cards: str, board: str, opening: str, seven: str
) -> None:
    told = table(bet(cards), board=board, letter="B")
    assert told.net("progressive") == opening
    told = table(
        bet(cards), board=board, letter="B", readings={"progressive_hand": "best_of_seven"}
    )
    assert told.net("progressive") == seven


@pytest.mark.clause("md-uth", "12.D(2)")
def test_12_D_2_a_full_house_is_not_paid_as_three_of_a_kind_too() -> None:
    cards, board = OPENING["full_house"]
    told = table(bet(cards), board=board, letter="B")
    assert told.net("progressive") == "49.00"
    assert len([x for x in told.seat(1)["lines"] if x["wager"] == "progressive"]) == 1


@pytest.mark.clause("md-uth", "11.J(1)")
def test_11_J_1_progressive_pays_although_the_dealer_wins() -> None:
    told = table(bet("9c 9d"), board="9h 4s Kd Kc 2h", letter="B", dealer="Kh Ks")
    assert told.result("play") == "lose"
    assert told.net("progressive") == "8.00"


# -- whose turn it is -------------------------------------------------------------------------

TWO_FLUSHES = "8h 7h 6h Kd Kc"
LOW, HIGH = "5h 4h", "Th 9h"


@pytest.mark.clause("md-uth", "12.D(4)", "11.H(2)", "11.H(2)(d)", "11.J")
@pytest.mark.parametrize("order", [(2, 5), (5, 2)], ids=["told upwards", "told downwards"])
def test_12_D_4_the_higher_seat_is_paid_first_and_lowers_the_meter(order: tuple[int, int]) -> None:
    cards = {2: LOW, 5: HIGH}
    told = table(*[bet(cards[n], n) for n in order], board=TWO_FLUSHES, meters={"main": "12500"})
    assert told.net("progressive", 5) == "1249.00"
    assert told.net("progressive", 2) == "1124.00"
    assert told.meters == {"main": "10125.00"}


@pytest.mark.clause("md-uth", "12.D(4)", "11.H(2)", "11.H(2)(d)", "11.J", "12.D(3)(b)")
@pytest.mark.parametrize(("high_seat", "low_seat"), [(6, 1), (1, 6)])
def test_12_D_4_after_a_whole_meter_the_next_winner_finds_the_reset(
    high_seat: int, low_seat: int
) -> None:
    terms = {"minor": {"seed": "800", "reset": "400", "rate": "0.05"}}
    told = table(
        bet(HIGH, high_seat),
        bet(LOW, low_seat),
        board=TWO_FLUSHES,
        letter="B",
        progressive={"meters": terms},
    )
    assert told.net("progressive", 6) == "699.00"
    assert told.net("progressive", 1) == "399.00"
    assert told.meters == {"major": "4000.00", "minor": "400.00"}


@pytest.mark.clause("md-uth", "12.D(4)", "11.H(2)")
def test_12_D_4_a_folder_is_paid_at_his_own_seats_turn() -> None:
    told = table(
        bet(HIGH, 4, said="check check fold"),
        bet(LOW, 3),
        board=TWO_FLUSHES,
        meters={"main": "12500"},
    )
    assert told.net("progressive", 4) == "1249.00"
    assert told.net("progressive", 3) == "1124.00"


@pytest.mark.clause("md-uth", "12.D(4)", "12.D(3)(b)")
@pytest.mark.parametrize(
    ("letter", "shown"),
    [
        ("A", {"main": "10000.00"}),
        ("B", {"major": "1000.00", "minor": "250.00"}),
        ("C", {"mega": "10000.00", "major": "1000.00", "minor": "250.00"}),
        ("D", {"mega": "10000.00", "major": "1000.00", "minor": "250.00"}),
    ],
)
def test_12_D_3_b_a_meter_left_out_shows_the_least_reset(
    letter: str, shown: dict[str, str]
) -> None:
    told = table(bet("Ac 7d"), board="Qh 9s 5d 4c Kh", letter=letter, meters={})
    assert told.meters == shown


# -- Envy -------------------------------------------------------------------------------------

ENVY = {
    ("royal_flush", 1): ("1000.00", "12.D(6)({})(i)"),
    ("straight_flush", 1): ("300.00", "12.D(6)({})(ii)"),
    ("royal_flush", 5): ("5000.00", "12.D(7)({})(i)"),
    ("straight_flush", 5): ("1500.00", "12.D(7)({})(ii)"),
}
ENVY_TABLES = [f"12.D({number})({letter})" for number in (6, 7) for letter in "abcd"]


@pytest.mark.clause(
    "md-uth", "12.D(6)", "12.D(7)", *ENVY_TABLES, "12.D(5)(a)", "12.D(5)(b)", "1.B(2)", "1.B(3)"
)
@pytest.mark.clause("md-uth", "11.J(2)(e)", "11.J(2)(e)(i)")
@pytest.mark.parametrize("letter", METERS)
@pytest.mark.parametrize(("hand", "stake"), ENVY)
@pytest.mark.parametrize("holders_stake", [1, 5])
def test_12_D_5_envy_follows_the_receivers_own_stake(
    letter: str, hand: str, stake: int, holders_stake: int
) -> None:
    cards, board = OPENING[hand]
    told = table(bet(cards, 2, holders_stake), bet("Jc 8d", 4, stake), board=board, letter=letter)
    net, clause = ENVY[hand, stake]
    assert paid(told, "envy", 4) == ("win", net, clause.format(letter.lower()))
    line = told.line("envy", 4)
    assert line is not None
    assert line["stake"] == "0.00"
    assert told.line("envy", 2) is None


@pytest.mark.clause("md-uth", "1.B(3)", "11.J(2)(e)(i)")
@pytest.mark.parametrize("hand", list(OPENING)[2:])
def test_1_B_3_no_envy_below_a_straight_flush(hand: str) -> None:
    cards, board = OPENING[hand]
    told = table(bet(cards, 2), bet("Jd 8c", 4), board=board)
    assert told.result("progressive", 2) == "win"
    assert told.line("envy", 4) is None


@pytest.mark.clause("md-uth", "11.J(2)(e)(i)", "1.B(2)")
def test_11_J_2_e_i_envy_is_for_progressive_bettors_only() -> None:
    cards, board = OPENING["straight_flush"]
    told = table(bet(cards, 2), bystander("Jc 8d", 4), board=board)
    assert told.line("envy", 4) is None


@pytest.mark.clause("md-uth", "11.J(2)(e)(iii)")
def test_11_J_2_e_iii_two_hands_bring_two_bonuses() -> None:
    told = table(bet(LOW, 1), bet(HIGH, 2), bet("Jc 8d", 3), board=TWO_FLUSHES)
    assert [told.net("envy", number) for number in (1, 2, 3)] == ["300.00", "300.00", "600.00"]


@pytest.mark.clause("md-uth", "11.J(2)(e)(iii)", "12.D(5)(a)")
def test_11_J_2_e_iii_a_royal_and_a_straight_flush_add_up() -> None:
    told = table(bet("Ah Kh", 1), bet("9h 8h", 2), bet("Jc 8d", 3, stake=5), board="Qh Jh Th 2c 2d")
    assert [told.net("envy", n) for n in (1, 2, 3)] == ["300.00", "1000.00", "6500.00"]


@pytest.mark.clause("md-uth", "11.J(2)(e)(iv)")
def test_11_J_2_e_iv_the_dealers_hand_brings_no_envy() -> None:
    told = table(bet("Jc 8d"), board=TWO_FLUSHES, dealer=HIGH)
    assert told.dealer["hand"] == "straight_flush"
    assert told.line("envy") is None


@pytest.mark.clause("md-uth", "11.J(2)(e)(iv)")
def test_11_J_2_e_iv_a_players_second_box_is_his_own_hand() -> None:
    told = table(
        bet(HIGH, 2, player="ann"),
        bet("Jc 8d", 3, player="ann"),
        bet("Js 8c", 4, player="bob"),
        board=TWO_FLUSHES,
    )
    assert told.line("envy", 3) is None
    assert told.net("envy", 4) == "300.00"


@pytest.mark.clause("md-uth", "11.J(2)(e)(ii)")
@pytest.mark.parametrize("must_bet", [True, False])
def test_11_J_2_e_ii_the_operator_says_whether_the_holder_must_bet(*, must_bet: bool) -> None:
    told = table(
        bystander(HIGH, 2),
        bet("Jc 8d", 3),
        board=TWO_FLUSHES,
        options={"envy_holder_must_bet": must_bet},
    )
    assert (told.line("envy", 3) is None) is must_bet
    told = table(
        bet(HIGH, 2),
        bet("Jc 8d", 3),
        board=TWO_FLUSHES,
        options={"envy_holder_must_bet": must_bet},
    )
    assert told.net("envy", 3) == "300.00"


@pytest.mark.clause("md-uth", "1.B(3)", "11.J(2)(e)")
def test_1_B_3_envy_looks_at_the_same_five_cards_as_the_progressive() -> None:
    seats = bet("5h 4h", 2), bet("Jc 8d", 3)
    late = "8h 7h Kd 6h Kc"
    assert table(*seats, board=late).line("envy", 3) is None
    told = table(*seats, board=late, readings={"progressive_hand": "best_of_seven"})
    assert told.net("envy", 3) == "300.00"


@pytest.mark.clause("md-uth", "12.D(6)")
def test_12_D_6_no_meter_pays_envy() -> None:
    told = table(bystander(HIGH, 2), bet("Jc 8d", 3), board=TWO_FLUSHES)
    assert told.net("envy", 3) == "300.00"
    assert told.meters == METERS["A"]


@pytest.mark.parametrize(("reading", "net"), [("stand", "300.00"), ("lose", None)])
def test_11_F_2_envy_of_a_folder_goes_with_his_progressive(reading: str, net: str | None) -> None:
    told = table(
        bet(HIGH, 2),
        bet("Jc 8d", 3, said="check check fold"),
        board=TWO_FLUSHES,
        readings={"side_wagers_after_fold": reading},
    )
    line = told.line("envy", 3)
    assert (line and line["net"]) == net
