"""235 Stud: wagers of chapter 7, decisions and settlement of chapter 11, the main paytables."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import Settled, refused, seat, settle

BOOK = "md-235"
BASE = ("two_card_poker", "three_card_poker", "five_card_poker")
KINGS = "Ks Kd 4h"
NOTHING = "9c 7s"


def bets(
    cards: str = KINGS, said: str = "check check", number: int = 1, **more: Any
) -> dict[str, Any]:
    """A seat with the three equal wagers down."""
    stakes: dict[str, Any] = dict.fromkeys(BASE, 10) | more
    return seat(cards, said, number, **stakes)


def dealt(cards: str, board: str = NOTHING, said: str = "check check", **more: Any) -> Settled:
    return settle(BOOK, bets(cards, said, **more), community=board)


def line(settled: Settled, wager: str, number: int = 1) -> tuple[str, str, str]:
    return (
        settled.result(wager, number),
        settled.net(wager, number),
        settled.clause(wager, number),
    )


# --- chapters 2, 3 and 7 ------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "7.E(1)")
@pytest.mark.parametrize("missing", BASE)
@pytest.mark.parametrize("side", [None, "win_em_all", "progressive"])
def test_7_E_1_all_three_wagers_are_placed(missing: str, side: str | None) -> None:
    told = bets()
    if side is not None:
        told["wagers"][side] = 1
    del told["wagers"][missing]
    assert refused(BOOK, told, community=NOTHING).clause == "7.E(1)"


@pytest.mark.clause(BOOK, "7.E(1)")
@pytest.mark.parametrize("odd", BASE)
@pytest.mark.parametrize("stake", [5, 20, "10.01"])
def test_7_E_1_the_three_wagers_are_equal(odd: str, stake: int | str) -> None:
    told = bets()
    told["wagers"][odd] = stake
    assert refused(BOOK, told, community=NOTHING).clause == "7.E(1)"


@pytest.mark.parametrize(
    ("wager", "clause"),
    [
        pytest.param("win_em_all", "7.E(2)", marks=pytest.mark.clause(BOOK, "7.E(2)")),
        pytest.param("progressive", "7.E(3)", marks=pytest.mark.clause(BOOK, "7.E(3)")),
    ],
)
def test_7_E_2_7_E_3_only_where_the_submission_offers_it(wager: str, clause: str) -> None:
    assert dealt(KINGS).line(wager) is None
    told = bets()
    told["wagers"][wager] = 1
    other = [w for w in ("win_em_all", "progressive") if w != wager]
    assert refused(BOOK, told, community=NOTHING, offered=other).clause == clause
    assert settle(BOOK, told, community=NOTHING, offered=[wager]).line(wager) is not None


@pytest.mark.parametrize(
    "wager",
    [
        pytest.param("win_em_all", marks=pytest.mark.clause(BOOK, "7.E(2)")),
        pytest.param("progressive", marks=pytest.mark.clause(BOOK, "7.E(3)(a)")),
    ],
)
def test_7_E_2_7_E_3_a_only_after_the_three_wagers(wager: str) -> None:
    told = seat(KINGS, "check check")
    told["wagers"][wager] = 1
    assert refused(BOOK, told, community=NOTHING).clause == "7.E(1)"


@pytest.mark.clause(BOOK, "12.H(1)", "12.I", "12.J")
@pytest.mark.parametrize("stake", [2, 10, "0.50"])
def test_12_H_1_the_progressive_takes_one_dollar_or_five(stake: int | str) -> None:
    assert refused(BOOK, bets(progressive=stake), community=NOTHING).clause == "12.H(1)"
    for lawful in (1, 5):
        settle(BOOK, bets(progressive=lawful), community=NOTHING)


@pytest.mark.clause(BOOK, "7.F")
@pytest.mark.parametrize(
    ("seats", "allowed"), [((2, 3), True), ((2, 4), False), ((2, 3, 4), False)]
)
def test_7_F_a_player_bets_as_many_adjacent_boxes_as_stated(
    seats: tuple[int, ...], allowed: bool
) -> None:
    hands = [KINGS, "Qh Qd 5h", "Jh Jd 6h"]
    told = [bets(hands[i], number=n) | {"player": "p"} for i, n in enumerate(seats)]
    table: dict[str, Any] = {"community": NOTHING, "options": {"adjacent_boxes": 2}}
    if allowed:
        assert settle(BOOK, *told, **table).net("two_card_poker", 3) == "10.00"
    else:
        assert refused(BOOK, *told, **table).clause == "7.F"


@pytest.mark.clause(BOOK, "2.A(1)")
def test_2_A_1_six_positions_and_no_seventh() -> None:
    hands = [f"{rank}h {rank}d 2{suit}" for rank, suit in zip("AKQJ", "shdc", strict=True)]
    hands += ["Th Td 3s", "8h 8d 3h"]
    full = [bets(cards, number=number) for number, cards in enumerate(hands, 1)]
    assert settle(BOOK, *full, community=NOTHING).net("two_card_poker", 6) == "10.00"
    assert refused(BOOK, bets(number=7), community=NOTHING).clause == "2.A(1)"


@pytest.mark.clause(BOOK, "3.A")
def test_3_A_one_deck_has_every_card_once() -> None:
    assert "9c" in refused(BOOK, bets("Ah Kc 9c"), community=NOTHING).message


# --- chapter 11: decisions ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "raised"),
    [
        pytest.param(
            "raise check",
            {"three_card_raise"},
            marks=pytest.mark.clause(BOOK, "11.B(1)(a)", "11.B(1)'(b)"),
        ),
        pytest.param(
            "check raise",
            {"five_card_raise"},
            marks=pytest.mark.clause(BOOK, "11.B(1)(b)", "11.B(1)'(a)"),
        ),
        pytest.param(
            "raise raise",
            {"three_card_raise", "five_card_raise"},
            marks=pytest.mark.clause(BOOK, "11.B(1)(a)", "11.B(1)'(a)"),
        ),
        pytest.param(
            "check check", set(), marks=pytest.mark.clause(BOOK, "11.B(1)(b)", "11.B(1)'(b)")
        ),
    ],
)
def test_11_B_each_raise_equals_its_wager_and_a_check_costs_nothing(
    said: str, raised: set[str]
) -> None:
    settled = dealt(KINGS, said=said)
    lines = {told["wager"]: told for told in settled.seat(1)["lines"]}
    assert lines.keys() - {*BASE} == raised
    for wager in (*BASE, *raised):
        assert lines[wager]["stake"] == "10.00"
        assert lines[wager]["net"] == "10.00"


@pytest.mark.parametrize(
    ("said", "clause"),
    [
        *[
            pytest.param(said, "11.B(1)", marks=pytest.mark.clause(BOOK, "11.B(1)", "11.B(1)(a)"))
            for said in ("", "fold", "1x check", "2x check", "3x raise")
        ],
        *[
            pytest.param(
                said, "11.B(1)'", marks=pytest.mark.clause(BOOK, "11.B(1)'", "11.B(1)'(a)")
            )
            for said in ("check", "raise", "check fold", "raise 2x", "raise raise raise")
        ],
    ],
)
def test_11_B_both_decisions_are_made_and_nothing_else_can_be_said(said: str, clause: str) -> None:
    assert refused(BOOK, bets(said=said), community=NOTHING).clause == clause


@pytest.mark.clause(BOOK, "11.B(1)(a)", "11.B(1)'(a)")
@pytest.mark.parametrize("wager", ["three_card_raise", "five_card_raise"])
def test_11_B_1_a_a_raise_is_not_placed_before_the_deal(wager: str) -> None:
    told = bets()
    told["wagers"][wager] = 10
    expected = {"three_card_raise": "11.B(1)(a)", "five_card_raise": "11.B(1)'(a)"}[wager]
    assert refused(BOOK, told, community=NOTHING).clause == expected


# --- which cards make which hand ----------------------------------------------------------------


@pytest.mark.clause(BOOK, "1.B(1)", "1.B(4)")
def test_1_B_4_the_five_card_hand_is_three_cards_and_both_community_cards() -> None:
    settled = settle(
        BOOK, bets("Ks 8d 4h", number=1), bets("Kd 3d 2h", number=2), community="Kc 7s"
    )
    assert set(settled.seat(1)["best"].split()) == {"Ks", "8d", "4h", "Kc", "7s"}
    assert set(settled.seat(2)["best"].split()) == {"Kd", "3d", "2h", "Kc", "7s"}
    for number in (1, 2):
        assert settled.seat(number)["hand"] == "pair"
        assert settled.result("five_card_poker", number) == "win"


@pytest.mark.clause(BOOK, "12.A")
def test_12_A_two_card_poker_is_on_the_first_two_cards() -> None:
    settled = dealt("Ks 4h Kd")
    assert settled.result("two_card_poker") == "lose"
    assert settled.result("three_card_poker") == "win"


@pytest.mark.clause(BOOK, "12.B")
def test_12_B_three_card_poker_is_on_the_own_three_cards() -> None:
    settled = dealt("Ks 8d 4h", "Kc 7s")
    assert settled.result("three_card_poker") == "lose"
    assert settled.result("five_card_poker") == "win"


# --- chapter 12, A to D -------------------------------------------------------------------------

TWO = [("Ks Kd 4h", "12.A(1)"), ("Ks 8s 4h", "12.A(2)"), ("Ks Qd 4h", "12.A(3)")]
THREE = [
    ("As Ks Qs", "500.00", "12.B(1)"),
    ("9s 8s 7s", "200.00", "12.B(2)"),
    ("8s 8h 8d", "100.00", "12.B(3)"),
    ("9s 8h 7d", "50.00", "12.B(4)"),
    ("As 9s 7s", "30.00", "12.B(5)"),
    ("8s 8h 7d", "10.00", "12.B(6)"),
]
FIVE = [
    ("As Ks Qs", "Js Ts", "5000.00", "12.C(1)"),
    ("9h 8h 7h", "6h 5h", "2500.00", "12.C(2)"),
    ("8s 8h 4d", "8d 8c", "1000.00", "12.C(3)"),
    ("8s 8h 4d", "8c 4s", "250.00", "12.C(4)"),
    ("Ah 9h 7h", "4h 2h", "200.00", "12.C(5)"),
    ("9h 8c 6d", "7d 5s", "150.00", "12.C(6)"),
    ("8s 8h Kd", "8c 4s", "70.00", "12.C(7)"),
    ("8s 8h Kd", "Kc 4s", "30.00", "12.C(8)"),
    *[(f"{rank}s 8h 6d", f"{rank}c 4s", "10.00", "12.C(9)") for rank in "TJQKA"],
]


@pytest.mark.clause(BOOK, "12.A", "11.D(2)(b)")
@pytest.mark.parametrize(("cards", "clause"), TWO)
def test_12_A_two_card_poker(cards: str, clause: str) -> None:
    assert line(dealt(cards), "two_card_poker") == ("win", "10.00", clause)


@pytest.mark.clause(BOOK, "12.B", "11.D(2)(b)")
@pytest.mark.parametrize(("cards", "net", "clause"), THREE)
def test_12_B_three_card_poker_and_its_raise(cards: str, net: str, clause: str) -> None:
    settled = dealt(cards, "Kc 2d", said="raise check")
    assert line(settled, "three_card_poker") == ("win", net, clause)
    assert line(settled, "three_card_raise") == ("win", net, clause)


@pytest.mark.clause(BOOK, "12.C", "11.D(2)(b)")
@pytest.mark.parametrize(("cards", "board", "net", "clause"), FIVE)
def test_12_C_five_card_poker_and_its_raise(cards: str, board: str, net: str, clause: str) -> None:
    settled = dealt(cards, board, said="check raise")
    assert line(settled, "five_card_poker") == ("win", net, clause)
    assert line(settled, "five_card_raise") == ("win", net, clause)


@pytest.mark.clause(BOOK, "11.D(2)(a)", "12.A", "12.B", "12.C")
def test_11_D_2_a_losing_wagers_are_collected_with_their_raises() -> None:
    settled = dealt("As Jd 6h", "9c 4s", said="raise raise", win_em_all=5)
    for wager in (*BASE, "three_card_raise", "five_card_raise"):
        assert line(settled, wager) == ("lose", "-10.00", "11.D(2)(a)")
    assert line(settled, "win_em_all") == ("lose", "-5.00", "11.D(2)(a)")


@pytest.mark.clause(BOOK, "12.C")
@pytest.mark.parametrize("rank", "98765432")
def test_12_C_a_pair_below_tens_loses(rank: str) -> None:
    settled = dealt(f"{rank}s Kh Qd", f"{rank}c As", said="check raise")
    assert line(settled, "five_card_poker") == ("lose", "-10.00", "11.D(2)(a)")
    assert line(settled, "five_card_raise") == ("lose", "-10.00", "11.D(2)(a)")


@pytest.mark.parametrize(
    ("choice", "result", "net"), [("loses", "lose", "-10.00"), ("pushes", "push", "0.00")]
)
@pytest.mark.clause(BOOK, "12.C")
def test_12_C_reading_five_card_low_pair(choice: str, result: str, net: str) -> None:
    readings = {"five_card_low_pair": choice}
    told = bets("9s Kh Qd", "check raise")
    settled = settle(BOOK, told, community="9c As", readings=readings)
    for wager in ("five_card_poker", "five_card_raise"):
        assert line(settled, wager)[:2] == (result, net)
    nothing = settle(BOOK, bets("9s Kh Jd"), community="7c As", readings=readings)
    assert nothing.result("five_card_poker") == "lose"
    tens = settle(BOOK, bets("Ts Kh Jd"), community="Tc As", readings=readings)
    assert tens.net("five_card_poker") == "10.00"


@pytest.mark.parametrize(
    ("choice", "three", "five"),
    [("paytable", "50.00", "150.00"), ("even_money", "10.00", "10.00")],
)
@pytest.mark.clause(BOOK, "11.B(1)(a)", "11.B(1)'(a)")
def test_11_B_1_a_reading_raise_pays(choice: str, three: str, five: str) -> None:
    told = bets("9s 8h 7d", "raise raise")
    settled = settle(BOOK, told, community="6c 5s", readings={"raise_pays": choice})
    assert settled.net("three_card_poker") == "50.00"
    assert settled.net("five_card_poker") == "150.00"
    assert settled.net("three_card_raise") == three
    assert settled.net("five_card_raise") == five


@pytest.mark.clause(BOOK, "12.D", "7.E(2)")
@pytest.mark.parametrize("said", ["check check", "raise raise"])
def test_12_D_win_em_all_pays_12_to_1_when_all_three_win(said: str) -> None:
    settled = dealt(KINGS, said=said, win_em_all=5)
    assert line(settled, "win_em_all") == ("win", "60.00", "12.D")


@pytest.mark.clause(BOOK, "12.D")
@pytest.mark.parametrize(
    ("cards", "board", "lost"),
    [
        ("Kd 4h Ks", NOTHING, "two_card_poker"),
        ("Kh 4h 9d", "Kc 7s", "three_card_poker"),
        ("9s 9d 4h", "Kc 7s", "five_card_poker"),
    ],
)
def test_12_D_win_em_all_loses_when_one_of_them_does(cards: str, board: str, lost: str) -> None:
    settled = dealt(cards, board, win_em_all=5)
    assert [wager for wager in BASE if settled.result(wager) == "lose"] == [lost]
    assert line(settled, "win_em_all") == ("lose", "-5.00", "11.D(2)(a)")


@pytest.mark.clause(BOOK, "11.D(4)")
def test_11_D_4_the_progressive_comes_after_the_235_wagers() -> None:
    settled = dealt(KINGS, said="raise raise", progressive=1, win_em_all=5)
    order = [told["wager"] for told in settled.seat(1)["lines"]]
    assert order[-1] == "progressive"
    assert {*BASE} < {*order[:-1]}
