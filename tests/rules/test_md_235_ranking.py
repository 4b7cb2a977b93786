"""235 Stud: chapter 6, the ranking of five, three and two cards, and the readings of the ace."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from croupier.cards import mask_of, parse_cards
from croupier.ranking.built_in import built_in
from croupier.ranking.plain import value_of
from tests.rules.table import Settled, seat, settle

BOOK = "md-235"
NOTHING = "8c 6d"


def dealt(cards: str, board: str = NOTHING, said: str = "check check", **told: Any) -> Settled:
    stakes: dict[str, Any] = dict.fromkeys(
        ("two_card_poker", "three_card_poker", "five_card_poker"), 10
    )
    stakes.update(told.pop("bets", {}))
    return settle(BOOK, seat(cards, said, **stakes), community=board, **told)


# --- cards --------------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "6.A", "6.F(1)")
def test_6_A_ranks_run_from_the_ace_down_to_the_two() -> None:
    """Neighbors make a straight of two cards; ranks two apart do not."""
    order = "AKQJT98765432"
    for high, low in pairwise(order):
        for pair in (f"{high}s {low}h", f"{low}s {high}h"):
            assert dealt(f"{pair} 2c", "8c 6d").clause("two_card_poker") == "12.A(3)"
    for high, low in zip(order, order[2:], strict=False):
        assert dealt(f"{high}s {low}h 2c", "8c 6d").result("two_card_poker") == "lose"


@pytest.mark.clause(BOOK, "6.A", "6.E(4)")
def test_6_A_three_in_a_row_in_any_order() -> None:
    order = "AKQJT98765432"
    for high, middle, low in zip(order, order[1:], order[2:], strict=False):
        for cards in (f"{high}s {middle}h {low}d", f"{middle}s {low}h {high}d"):
            assert dealt(cards, "8c 6c").clause("three_card_poker") == "12.B(4)"


@pytest.mark.clause(BOOK, "6.B", "6.D(6)", "6.D(2)")
def test_6_B_the_ace_ends_five_four_three_two() -> None:
    assert dealt("As 2h 3d", "4c 5s").clause("five_card_poker") == "12.C(6)"
    assert dealt("As 2s 3s", "4s 5s").clause("five_card_poker") == "12.C(2)"


@pytest.mark.clause(BOOK, "6.B")
@pytest.mark.parametrize(
    ("cards", "board"),
    [("Qs Kh Ad", "2c 3s"), ("Ks Ah 2d", "3c 4s"), ("Js Qh Kd", "Ac 2s")],
)
def test_6_B_no_sequence_runs_round_the_ace(cards: str, board: str) -> None:
    assert dealt(cards, board).result("five_card_poker") == "lose"


@pytest.mark.clause(BOOK, "6.B")
def test_6_B_a_suited_run_round_the_ace_is_a_flush() -> None:
    assert dealt("Qs Ks As", "2s 3s").clause("five_card_poker") == "12.C(5)"


READINGS = {
    "none": ("lose", "lose"),
    "two_card": ("win", "lose"),
    "three_card": ("lose", "win"),
    "both": ("win", "win"),
}


@pytest.mark.clause(BOOK, "6.B", "6.E(4)", "6.F(1)")
@pytest.mark.parametrize("choice", [None, *READINGS])
def test_6_B_reading_ace_low_straights(choice: str | None) -> None:
    readings = {} if choice is None else {"ace_low_straights": choice}
    two, three = READINGS[choice or "none"]
    settled = dealt("As 2h 3d", "8c 6c", readings=readings)
    assert settled.result("two_card_poker") == two
    assert settled.result("three_card_poker") == three
    if two == "win":
        assert settled.clause("two_card_poker") == "12.A(3)"
    if three == "win":
        assert settled.clause("three_card_poker") == "12.B(4)"


@pytest.mark.clause(BOOK, "6.B", "6.E(2)")
@pytest.mark.parametrize(
    ("choice", "clause"), [("none", "12.B(5)"), ("three_card", "12.B(2)"), ("both", "12.B(2)")]
)
def test_6_B_reading_ace_low_straights_of_one_suit(choice: str, clause: str) -> None:
    settled = dealt("2s As 3s", "8c 6c", readings={"ace_low_straights": choice})
    assert settled.clause("three_card_poker") == clause


@pytest.mark.clause(BOOK, "6.B")
@pytest.mark.parametrize("choice", READINGS)
def test_6_B_king_ace_two_is_never_a_straight(choice: str) -> None:
    settled = dealt("Ks Ah 2d", "8c 6c", readings={"ace_low_straights": choice})
    assert settled.result("three_card_poker") == "lose"
    assert settled.clause("two_card_poker") == "12.A(3)"


@pytest.mark.clause(BOOK, "6.C")
@pytest.mark.parametrize("suit", "shdc")
def test_6_C_no_suit_is_above_another(suit: str) -> None:
    settled = dealt(" ".join(f"{rank}{suit}" for rank in "AKQ"), f"J{suit} T{suit}")
    assert settled.clause("two_card_poker") == "12.A(3)"
    assert settled.clause("three_card_poker") == "12.B(1)"
    assert settled.clause("five_card_poker") == "12.C(1)"
    settled = dealt(f"A{suit} J{suit} 9{suit}", f"4{suit} 2{suit}")
    assert settled.clause("two_card_poker") == "12.A(2)"
    assert settled.clause("three_card_poker") == "12.B(5)"
    assert settled.clause("five_card_poker") == "12.C(5)"


# --- five cards ---------------------------------------------------------------------------------


def five(name: str, cards: str, board: str, *ids: str) -> Any:
    return pytest.param(name, cards, board, id=name, marks=pytest.mark.clause(BOOK, *ids))


@pytest.mark.parametrize(
    ("name", "cards", "board"),
    [
        five("royal_flush", "Js As Ks", "Qs Ts", "6.D", "6.D(1)"),
        five("straight_flush", "Ks 9s Js", "Qs Ts", "6.D", "6.D(2)"),
        five("four_of_a_kind", "8s 4h 8d", "8c 8h", "6.D", "6.D(3)"),
        five("full_house", "8s 4h 8d", "8c 4s", "6.D", "6.D(4)"),
        five("flush", "Ah 9h 7h", "4h 2h", "6.D", "6.D(5)"),
        five("straight", "9h 6c 8d", "7d 5s", "6.D", "6.D(6)"),
        five("three_of_a_kind", "8s Kh 8d", "8c 4s", "6.D", "6.D(7)"),
        five("two_pair", "8s Kh 8d", "Kc 4s", "6.D", "6.D(8)"),
        five("pair", "8s Kh Qd", "8c 4s", "6.D", "6.D(9)"),
        five("high_card", "As Kh Qd", "8c 4s", "6.D"),
    ],
)
def test_6_D_each_five_card_hand_has_its_name(name: str, cards: str, board: str) -> None:
    settled = dealt(cards, board)
    assert settled.seat(1)["hand"] == name
    assert set(settled.seat(1)["best"].split()) == {*cards.split(), *board.split()}


FIVE_CARD_LADDER = [
    ("As Ks Qs Js Ts", "6.G(1)"),
    ("Ks Qs Js Ts 9s", "6.G(2)"),
    ("6h 5h 4h 3h 2h", "6.G(2)"),
    ("Ah 5h 4h 3h 2h", "6.G(2)"),
    ("As Ah Ad Ac Ks", "6.G(3)"),
    ("2s 2h 2d 2c 3s", "6.G(3)"),
    ("As Ah Ad Kc Ks", "6.G(4)"),
    ("2s 2h 2d 3c 3s", "6.G(4)"),
    ("As Ks Qs Js 9s", "6.G(5)"),
    ("7s 5s 4s 3s 2s", "6.G(5)"),
    ("As Kh Qd Jc Ts", "6.G(6)"),
    ("6s 5h 4d 3c 2s", "6.G(6)"),
    ("As 5h 4d 3c 2s", "6.G(6)"),
    ("As Ah Ad Kc Qs", "6.G(7)"),
    ("2s 2h 2d 4c 3s", "6.G(7)"),
    ("As Ah Kd Kc Qs", "6.D(8)"),
    ("3s 3h 2d 2c 4s", "6.D(8)"),
    ("As Ah Kd Qc Js", "6.D(9)"),
    ("2s 2h 5d 4c 3s", "6.D(9)"),
    ("As Kh Qd Jc 9s", "6.D"),
]


@pytest.mark.clause(BOOK, "6.D", *sorted({clause for _, clause in FIVE_CARD_LADDER}))
def test_6_D_6_G_five_card_hands_from_the_highest_to_the_lowest() -> None:
    values = [value_of(mask_of(parse_cards(cards))) for cards, _ in FIVE_CARD_LADDER]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


ELIGIBLE = [
    ("6.G(1)", "12.E(1)(a)", ["As Ks Qs | Js Ts"]),
    ("6.G(2)", "12.E(1)(b)", ["Ks Qs Js | Ts 9s", "Ah 2h 3h | 4h 5h"]),
    ("6.G(3)", "12.E(1)(c)", ["As Ah Ad | Ac Ks", "2s 2h 3d | 2d 2c"]),
    ("6.G(4)", "12.E(1)(d)", ["As Ah Kd | Ac Ks", "2s 2h 3d | 2d 3c"]),
    ("6.G(5)", "12.E(1)(e)", ["As Ks Qs | Js 9s", "7h 5h 4h | 3h 2h"]),
    ("6.G(6)", "12.E(1)(f)", ["As Kh Qd | Jc Ts", "As 2h 3d | 4c 5s"]),
    ("6.G(7)", "12.E(1)(g)", ["As Ah Kd | Ac Qs", "2s 2h 3d | 2d 4c"]),
]


@pytest.mark.parametrize(
    ("clause", "deals"),
    [
        pytest.param(line, deals, id=ranked, marks=pytest.mark.clause(BOOK, ranked, "6.G"))
        for ranked, line, deals in ELIGIBLE
    ],
)
def test_6_G_best_and_worst_of_each_hand_that_wins_the_progressive(
    clause: str, deals: list[str]
) -> None:
    for deal in deals:
        cards, board = deal.split(" | ")
        assert dealt(cards, board, bets={"progressive": 1}).clause("progressive") == clause


@pytest.mark.clause(BOOK, "6.G", "6.G(7)", "1.B(5)")
@pytest.mark.parametrize("deal", ["As Ah Kd | Kc Qs", "As Ah Kd | Jc Qs", "As Jh Kd | 9c Qs"])
def test_6_G_nothing_below_three_of_a_kind_wins_the_progressive(deal: str) -> None:
    cards, board = deal.split(" | ")
    assert dealt(cards, board, bets={"progressive": 1}).result("progressive") == "lose"


# --- three cards and two ------------------------------------------------------------------------


def line_of(cards: str, clause: str, *ids: str) -> Any:
    return pytest.param(cards, clause, id=cards, marks=pytest.mark.clause(BOOK, *ids))


@pytest.mark.parametrize(
    ("cards", "clause"),
    [
        line_of("Qs As Ks", "12.B(1)", "6.E(1)"),
        line_of("Ks Qs Js", "12.B(2)", "6.E(2)", "6.E(1)"),
        line_of("4d 2d 3d", "12.B(2)", "6.E(2)"),
        line_of("2s 2h 2d", "12.B(3)", "6.E(3)"),
        line_of("As Kh Qs", "12.B(4)", "6.E(4)", "6.E(1)"),
        line_of("2s 4h 3d", "12.B(4)", "6.E(4)"),
        line_of("As Ks Js", "12.B(5)", "6.E(5)"),
        line_of("5c 3c 2c", "12.B(5)", "6.E(5)"),
        line_of("As 9h Ad", "12.B(6)", "6.E(6)"),
        line_of("2s 9h 2d", "12.B(6)", "6.E(6)"),
        line_of("As Kh Js", "11.D(2)(a)", "6.E(6)"),
    ],
)
def test_6_E_each_three_card_hand_is_what_it_is(cards: str, clause: str) -> None:
    assert dealt(cards, "8c 6h").clause("three_card_poker") == clause


THREE_CARD_LADDER = [
    "As Ks Qs",
    "Ks Qs Js",
    "4h 3h 2h",
    "As Ah Ad",
    "2s 2h 2d",
    "As Kh Qd",
    "4s 3h 2d",
    "As Ks Js",
    "5s 3s 2s",
    "As Ah Kd",
    "2s 2h 3d",
    "As Kh Jd",
]


@pytest.mark.clause(BOOK, "6.E", "6.E(4)", "6.E(5)")
def test_6_E_three_card_hands_from_the_highest_to_the_lowest() -> None:
    values = [built_in("three_card").value_of(parse_cards(cards)) for cards in THREE_CARD_LADDER]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    ("cards", "clause"),
    [
        line_of("As Kh", "12.A(3)", "6.F(1)"),
        line_of("2s 3h", "12.A(3)", "6.F(1)"),
        line_of("As Qs", "12.A(2)", "6.F(2)"),
        line_of("2s As", "12.A(2)", "6.F(2)", "6.F(1)"),
        line_of("As Ah", "12.A(1)", "6.F(3)"),
        line_of("2s 2h", "12.A(1)", "6.F(3)"),
        line_of("As Qh", "11.D(2)(a)", "6.F(1)", "6.F(2)", "6.F(3)"),
    ],
)
def test_6_F_each_two_card_hand_is_what_it_is(cards: str, clause: str) -> None:
    assert dealt(f"{cards} 5d", "8c 6h").clause("two_card_poker") == clause


@pytest.mark.clause(BOOK, "6.F", "6.F(1)", "6.F(2)", "6.F(3)")
def test_6_F_two_card_hands_from_the_highest_to_the_lowest() -> None:
    ladder = ["As Kh", "3s 2h", "As Qs", "4s 2s", "As Ah", "2s 2h", "As Qh"]
    values = [built_in("two_card").value_of(parse_cards(cards)) for cards in ladder]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)


@pytest.mark.clause(BOOK, "6.F", "6.F(1)")
def test_6_F_suited_neighbors_are_a_straight_and_paid_once() -> None:
    settled = dealt("9s 8s 2h", "Kc 6h")
    assert settled.clause("two_card_poker") == "12.A(3)"
    assert settled.net("two_card_poker") == "10.00"
