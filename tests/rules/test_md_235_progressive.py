"""235 Stud: the Progressive's four paytables, its meters, the Envy Bonus and the payout limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.rules.table import Settled, seat, settle

BOOK = "md-235"
BASE = ("two_card_poker", "three_card_poker", "five_card_poker")


def bets(
    cards: str, number: int = 1, progressive: int = 1, player: str | None = None, **more: Any
) -> dict[str, Any]:
    stakes: dict[str, Any] = dict.fromkeys(BASE, 10) | more
    if progressive:
        stakes["progressive"] = progressive
    return seat(cards, "check check", number, player, **stakes)


DEALS = {
    "royal flush": ("As Ks Qs", "Js Ts"),
    "straight flush": ("9h 8h 7h", "6h 5h"),
    "four of a kind": ("8s 8h 4d", "8d 8c"),
    "full house": ("8s 8h 4d", "8c 4s"),
    "flush": ("Ah 9h 7h", "4h 2h"),
    "straight": ("9h 8c 6d", "7d 5s"),
    "three of a kind": ("8s 8h Kd", "8c 4s"),
}
# In the order of the hands above, (a) first: a share of a meter, or what the player receives in
# all for each dollar.
PAYS: dict[str, tuple[str, list[str | int]]] = {
    "A": ("12.E(1)", ["100% main", "10% main", 300, 50, 40, 30, 9]),
    "B": ("12.E(2)", ["100% main", "10% main", 300, 50, 40, 30, 9]),
    "C": ("12.E(3)", ["100% major", "100% minor", 300, 50, 40, 30, 9]),
    "D": ("12.E(4)", ["100% mega", "100% major", "100% minor", 50, 40, 30, 9]),
}
SHOWN = {
    "A": {"main": 14_000},
    "B": {"main": 14_000},
    "C": {"major": 13_000, "minor": 1_700},
    "D": {"mega": 16_000, "major": 1_800, "minor": 420},
}
RESET = {
    "A": {"main": 10_000},
    "B": {"main": 2_000},
    "C": {"major": 10_000, "minor": 1_000},
    "D": {"mega": 10_000, "major": 1_000, "minor": 250},
}


def paid_lines() -> Iterator[Any]:
    for table, (clause, payments) in PAYS.items():
        for letter, pays, hand in zip("abcdefg", payments, DEALS, strict=True):
            marks = pytest.mark.clause(BOOK, clause, "12.E", "11.D(5)(d)", "1.B(5)")
            told = f"{table} {hand}"
            yield pytest.param(table, hand, pays, f"{clause}({letter})", marks=marks, id=told)


@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize(("table", "hand", "pays", "clause"), list(paid_lines()))
def test_12_E_progressive_pays_each_line(
    table: str, hand: str, pays: str | int, clause: str, stake: int
) -> None:
    cards, board = DEALS[hand]
    meters = dict(SHOWN[table])
    settled = settle(
        BOOK,
        bets(cards, progressive=stake),
        community=board,
        paytables={"progressive": table},
        meters=meters,
    )
    if isinstance(pays, str):
        share, meter = pays.split("% ")
        received = meters[meter] * int(share) // 100
        meters[meter] = RESET[table][meter] if share == "100" else meters[meter] - received
    else:
        received = pays * stake
    assert settled.result("progressive") == "win"
    assert settled.net("progressive") == f"{received - stake}.00"
    assert settled.clause("progressive") == clause
    assert settled.meters == {name: f"{dollars}.00" for name, dollars in meters.items()}


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, marks=pytest.mark.clause(BOOK, clause, "1.B(5)"))
        for table, (clause, _) in PAYS.items()
    ],
)
@pytest.mark.parametrize("cards", ["8s 8h Kd", "9s 8h Kd"], ids=["two pair", "pair"])
def test_12_E_progressive_loses_below_three_of_a_kind(table: str, cards: str) -> None:
    settled = settle(
        BOOK, bets(cards, progressive=5), community="Kc 4s", paytables={"progressive": table}
    )
    assert settled.result("progressive") == "lose"
    assert settled.net("progressive") == "-5.00"
    assert settled.clause("progressive") == "12.E"
    assert settled.line("envy") is None


# --- the meters ---------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "12.G", "11.D(2)")
@pytest.mark.parametrize(
    ("table", "meters", "first", "second", "left"),
    [
        ("A", {"main": "10000.05"}, "999.00", "899.00", {"main": "8100.05"}),
        ("B", {"main": "2500.00"}, "249.00", "224.00", {"main": "2025.00"}),
        ("C", {"minor": "1700.00"}, "1699.00", "999.00", {"major": "10000.00", "minor": "1000.00"}),
    ],
)
def test_12_G_two_straight_flushes_are_paid_from_the_highest_seat_number(
    table: str, meters: dict[str, str], first: str, second: str, left: dict[str, str]
) -> None:
    seats = [bets("Th 9h 8h", 2), bets("5h 4h 3h", 5)]
    for told in (seats, seats[::-1]):
        settled = settle(
            BOOK, *told, community="7h 6h", paytables={"progressive": table}, meters=meters
        )
        assert settled.net("progressive", 5) == first
        assert settled.net("progressive", 2) == second
        assert settled.meters == left


@pytest.mark.clause(BOOK, "12.G")
def test_12_G_a_meter_goes_back_to_the_reset_of_the_submission() -> None:
    """Two fours of a kind under table D."""
    settled = settle(
        BOOK,
        bets("7h 7d 7c", 1),
        bets("9s 9d 9c", 4),
        community="7s 9h",
        paytables={"progressive": "D"},
        meters={"minor": "420.50"},
        progressive={"meters": {"minor": {"seed": 250, "reset": 300, "rate": "0.1"}}},
    )
    assert settled.net("progressive", 4) == "419.50"
    assert settled.net("progressive", 1) == "299.00"
    assert settled.meters["minor"] == "300.00"


# --- the Envy Bonus -----------------------------------------------------------------------------

ROYAL = "As Ks Qs"
STRAIGHT_FLUSH = "9s 8s 7s"
NOTHING = "2h 4d 9c"
BOARD = "Js Ts"
ENVY = [
    (1, "A", "12.I(1)", "1000.00", "300.00"),
    (1, "B", "12.I(2)", "1000.00", "300.00"),
    (1, "C", "12.I(3)", "1000.00", "300.00"),
    (1, "D", "12.I(4)", "1000.00", "300.00"),
    (5, "A", "12.J(1)", "5000.00", "1500.00"),
    (5, "B", "12.J(2)", "5000.00", "1500.00"),
    (5, "C", "12.J(3)", "5000.00", "1500.00"),
    (5, "D", "12.J(4)", "5000.00", "1500.00"),
]


@pytest.mark.parametrize(
    ("stake", "table", "clause", "royal", "straight_flush"),
    [
        pytest.param(
            *row,
            marks=pytest.mark.clause(
                BOOK, row[2], row[2][:4], "12.H(1)", "12.H(2)", "11.D(5)(e)", "1.B(2)", "1.B(3)"
            ),
        )
        for row in ENVY
    ],
)
def test_12_I_12_J_envy_bonus(
    stake: int, table: str, clause: str, royal: str, straight_flush: str
) -> None:
    """The amount follows the receiver's stake; what the holder has bet is no matter."""
    for held, amount, letter in ((ROYAL, royal, "a"), (STRAIGHT_FLUSH, straight_flush, "b")):
        for other in (1, 5):
            settled = settle(
                BOOK,
                bets(NOTHING, 2, stake),
                bets(held, 4, other),
                community=BOARD,
                paytables={"progressive": table},
            )
            assert settled.result("envy", 2) == "win"
            assert settled.net("envy", 2) == amount
            assert settled.clause("envy", 2) == f"{clause}({letter})"


@pytest.mark.clause(BOOK, "1.B(3)")
@pytest.mark.parametrize(
    ("cards", "board"),
    [("8s 8h 4c", "8d 8c"), ("Ah 9h 7h", "4h 2h"), ("Ks Kh Kd", "Kc 2c")],
)
def test_1_B_3_nothing_below_a_straight_flush_is_envied(cards: str, board: str) -> None:
    settled = settle(BOOK, bets("3s 5d Jd", 2), bets(cards, 4), community=board)
    assert settled.line("envy", 2) is None


@pytest.mark.clause(BOOK, "1.B(2)", "11.D(5)(e)(i)")
@pytest.mark.parametrize("options", [{}, {"envy_holder_must_bet": True}])
def test_11_D_5_e_i_the_receiver_must_have_bet_and_the_holder_need_not(
    options: dict[str, bool],
) -> None:
    settled = settle(BOOK, bets(NOTHING, 2, 1), bets(ROYAL, 4, 0), community=BOARD, options=options)
    assert settled.net("envy", 2) == "1000.00"
    settled = settle(BOOK, bets(NOTHING, 2, 0), bets(ROYAL, 4, 1), community=BOARD)
    assert settled.line("envy", 2) is None


@pytest.mark.clause(BOOK, "11.D(5)(e)(ii)", "11.D(5)(e)(iii)", "12.H(1)")
def test_11_D_5_e_ii_several_hands_of_others_add_up_and_ones_own_never_counts() -> None:
    seats = [
        bets(NOTHING, 1, 1),
        bets(ROYAL, 2, 5),
        bets(STRAIGHT_FLUSH, 3, 1),
        bets("3h 4c 9d", 6, 5),
    ]
    settled = settle(BOOK, *seats, community=BOARD)
    assert settled.net("envy", 1) == "1300.00"
    assert settled.net("envy", 2) == "1500.00"
    assert settled.net("envy", 3) == "1000.00"
    assert settled.net("envy", 6) == "6500.00"


@pytest.mark.clause(BOOK, "11.D(5)(e)(iii)")
def test_11_D_5_e_iii_a_players_second_box_is_the_players_own_hand() -> None:
    mine = [bets(NOTHING, 1, 1, "p"), bets(ROYAL, 2, 1, "p")]
    settled = settle(BOOK, *mine, bets("3h 4c 9d", 3), community=BOARD)
    assert settled.line("envy", 1) is settled.line("envy", 2) is None
    assert settled.net("envy", 3) == "1000.00"


@pytest.mark.clause(BOOK, "1.B(2)", "12.G")
def test_1_B_2_envy_is_a_fixed_sum_and_leaves_the_meter_alone() -> None:
    settled = settle(
        BOOK, bets(NOTHING, 2), bets(ROYAL, 4, 0), community=BOARD, meters={"main": 12_000}
    )
    assert settled.net("envy", 2) == "1000.00"
    assert settled.meters == {"main": "12000.00"}


# --- the payout limit ---------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "12.K", "12.K(1)")
def test_12_K_the_limit_cuts_the_235_wagers_but_neither_progressive_nor_envy() -> None:
    stakes: dict[str, Any] = dict.fromkeys(BASE, 50) | {"progressive": 1, "win_em_all": 10}
    seats = [seat(ROYAL, "raise raise", 1, **stakes), bets(STRAIGHT_FLUSH, 2, 0)]
    wagers = (
        "two_card_poker",
        "three_card_poker",
        "three_card_raise",
        "five_card_poker",
        "five_card_raise",
        "win_em_all",
        "progressive",
        "envy",
    )

    def nets(settled: Settled) -> list[str]:
        return [settled.net(wager).removesuffix(".00") for wager in wagers]

    free = settle(BOOK, *seats, community=BOARD, options={"minimum_wager": "50"})
    assert nets(free) == ["50", "2500", "2500", "25000", "25000", "120", "9999", "300"]
    cut = settle(BOOK, *seats, community=BOARD)
    assert nets(cut) == ["50", "2500", "2500", "25000", "19950", "0", "9999", "300"]
    raised = cut.line("five_card_raise")
    assert raised is not None
    assert "12.K" in raised["explanation"]
