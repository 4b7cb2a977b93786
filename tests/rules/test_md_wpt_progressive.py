"""Heads-Up Hold'Em: the Progressive's ten paytables, its meter and the Envy Bonus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from tests.rules.table import Settled, seat, settle

BOOK = "md-wpt"
FOLDED = "check check fold"


class Deal(NamedTuple):
    cards: str
    board: str
    dealer: str = "2d 9c"


DEALS = {
    "flopped royal in spades": Deal("As Ks", "Qs Js Ts 2c 3h"),
    "flopped royal": Deal("Ah Kh", "Qh Jh Th 2c 3s"),
    "royal": Deal("As Ks", "Qs Js 2c Ts 3h"),
    "community royal": Deal("3c 4d", "Ah Kh Qh Jh Th"),
    "flopped straight flush": Deal("9h 8h", "7h 6h 5h Kc 2c"),
    "straight flush": Deal("9h 8h", "7h 6h Kc 5h 2c"),
    "four of a kind": Deal("8s 8h", "8d 8c 4s Kc 2c"),
    "full house": Deal("8s 8h", "8d 4c 4s Kc 2c"),
    "flush": Deal("Ah 9h", "7h 4h 2h Kc 3d"),
    "straight": Deal("9h 8c", "7d 6s 5h Kc 2c"),
    "three of a kind": Deal("8s 8h", "8d 5c 3s Kc Jd"),
    "high card": Deal("As Qh", "9d 8c 3s 5c 7d"),
}
METER = 8_000
WITH_SPADES = [
    "flopped royal in spades",
    "flopped royal",
    "royal",
    "community royal",
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
]
LINES_OF = {
    **dict.fromkeys("ABCDEFGH", WITH_SPADES),
    "I": [
        "flopped straight flush",
        "royal",
        "straight flush",
        "four of a kind",
        "full house",
        "flush",
    ],
    "J": WITH_SPADES[1:],
}
# Lines in printed order, (i) first: a share of the meter, or dollars received in all.
PAYS: dict[str, list[str | int]] = {
    "A": ["100%", "10%", "10%", "10%", 200, 50, 10, 5],
    "B": ["100%", 1000, 1000, 1000, 200, 50, 10, 5],
    "C": ["100%", "10%", "10%", "10%", 500, 100, 10],
    "D": ["100%", "100%", 1000, 1000, 500, 100, 10],
    "E": ["100%", "100%", 3000, 3000, 250, 100, 10],
    "F": ["100%", "100%", "5%", 3000, 250, 100, 10],
    "G": ["100%", "100%", "100%", 1000, 250, 75, 11],
    "H": ["100%", "100%", "100%", 1000, 300, 100, 10],
    "I": ["100%", 2000, 250, 50, 7, 5],
    "J": ["100%", "100%", 1000, 250, 75, 11],
}
RESET = {**dict.fromkeys("ABCDE", 5_000), "F": 6_000, **dict.fromkeys("GHJ", 2_000), "I": 2_500}
ROMAN = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"]


def bets(cards: str, number: int = 1, said: str = "3x", progressive: int = 1) -> dict[str, Any]:
    told = seat(cards, said, number, ante=10, odds=10)
    if progressive:
        told["wagers"]["progressive"] = progressive
    return told


def dealt(table: str, deal: Deal, said: str = "3x", **told: Any) -> Settled:
    return settle(
        BOOK,
        bets(deal.cards, said=said),
        community=deal.board,
        dealer=deal.dealer,
        paytables={"progressive": table},
        meters={"main": METER},
        **told,
    )


def clause_of(table: str) -> str:
    return f"12.D'(1)({table.lower()})"


def paid_lines() -> Iterator[Any]:
    for table, payments in PAYS.items():
        for roman, pays, hand in zip(ROMAN, payments, LINES_OF[table], strict=False):
            clause = clause_of(table)
            marks = pytest.mark.clause(BOOK, clause, "12.D'(1)", "11.J(2)(d)")
            told = f"{table} {hand}"
            yield pytest.param(table, hand, pays, f"{clause}({roman})", marks=marks, id=told)


@pytest.mark.parametrize(("table", "hand", "pays", "clause"), list(paid_lines()))
def test_12_D_1_progressive_pays_each_line(
    table: str, hand: str, pays: str | int, clause: str
) -> None:
    settled = dealt(table, DEALS[hand])
    received = METER * int(pays[:-1]) // 100 if isinstance(pays, str) else pays
    assert settled.result("progressive") == "win"
    assert settled.net("progressive") == f"{received - 1}.00"
    assert settled.clause("progressive") == clause
    left = METER
    if isinstance(pays, str):
        left = RESET[table] if pays == "100%" else METER - received
    assert settled.meters == {"main": f"{left}.00"}


def unpaid_hands() -> Iterator[Any]:
    for table, lines in LINES_OF.items():
        worse = [hand for hand in lines[len(PAYS[table]) :] if hand == "flush"]
        for hand in [*worse, "straight", "three of a kind", "high card"]:
            marks = pytest.mark.clause(BOOK, clause_of(table))
            yield pytest.param(table, hand, marks=marks, id=f"{table} {hand}")


@pytest.mark.parametrize(("table", "hand"), list(unpaid_hands()))
def test_12_D_1_progressive_loses_below_the_last_line(table: str, hand: str) -> None:
    settled = dealt(table, DEALS[hand])
    assert settled.result("progressive") == "lose"
    assert settled.net("progressive") == "-1.00"
    assert settled.clause("progressive") == "12.D'(1)"
    assert settled.meters == {"main": f"{METER}.00"}


# --- flop, turn, river and the board ------------------------------------------------------------


@pytest.mark.clause(BOOK, "1.B(4)", "12.D'(1)(b)")
@pytest.mark.parametrize("suit", "shdc")
def test_1_B_4_flopped_is_two_cards_and_the_first_three_community_cards(suit: str) -> None:
    deal = Deal(f"A{suit} K{suit}", f"T{suit} Q{suit} J{suit} 3h 3d")
    settled = dealt("B", deal)
    assert settled.clause("progressive") == f"12.D'(1)(b)({'i' if suit == 's' else 'ii'})"


@pytest.mark.parametrize(
    "board",
    [
        pytest.param("Qs Js 2c Ts 3h", marks=pytest.mark.clause(BOOK, "1.B(8)"), id="turn"),
        pytest.param("Qs Js 2c 3h Ts", marks=pytest.mark.clause(BOOK, "1.B(7)"), id="river"),
        pytest.param("2c 3h Qs Js Ts", marks=pytest.mark.clause(BOOK, "1.B(4)"), id="both"),
    ],
)
def test_1_B_7_a_royal_completed_by_turn_or_river_is_not_flopped(board: str) -> None:
    assert dealt("B", Deal("As Ks", board)).clause("progressive") == "12.D'(1)(b)(iii)"


@pytest.mark.clause(BOOK, "1.B(3)", "12.D'(1)(f)")
def test_12_D_1_f_a_royal_on_four_community_cards_is_no_community_royal() -> None:
    settled = dealt("F", Deal("As 3c", "Ks Qs Js Ts 2c"))
    assert settled.clause("progressive") == "12.D'(1)(f)(iii)"


@pytest.mark.clause(BOOK, "12.D'(1)(i)")
def test_12_D_1_i_without_a_community_line_the_board_pays_as_a_royal() -> None:
    settled = dealt("I", DEALS["community royal"])
    assert settled.net("progressive") == "1999.00"
    assert settled.clause("progressive") == "12.D'(1)(i)(ii)"


@pytest.mark.clause(BOOK, "12.D'(1)(j)", "12.D'(1)(i)")
@pytest.mark.parametrize(("table", "clause"), [("J", "12.D'(1)(j)(i)"), ("I", "12.D'(1)(i)(i)")])
@pytest.mark.parametrize("hand", ["flopped royal", "flopped royal in spades"])
def test_12_D_1_j_no_suit_is_asked_of_a_flopped_royal(table: str, clause: str, hand: str) -> None:
    settled = dealt(table, DEALS[hand])
    assert settled.clause("progressive") == clause
    assert settled.net("progressive") == "7999.00"


@pytest.mark.parametrize("table", "ABCDEFGHJ")
@pytest.mark.clause(BOOK, "12.D'(2)")
def test_12_D_2_a_flopped_straight_flush_is_special_in_table_I_only(table: str) -> None:
    flopped, late = (dealt(table, DEALS[f"{kind}straight flush"]) for kind in ("flopped ", ""))
    assert flopped.net("progressive") == late.net("progressive")


@pytest.mark.clause(BOOK, "12.D'(2)")
def test_12_D_2_one_payment_that_of_the_highest_line_met() -> None:
    """King-high flopped, then the ace makes a royal: the meter, and no $2,000 beside it."""
    settled = dealt("I", Deal("Ks Qs", "Js Ts 9s As 2c"))
    assert settled.clause("progressive") == "12.D'(1)(i)(i)"
    assert settled.net("progressive") == "7999.00"


@pytest.mark.clause(BOOK, "12.D'(2)")
def test_12_D_2_the_best_five_of_seven_and_only_once() -> None:
    """Four eights come with a full house; the flush is there too in the second deal."""
    settled = dealt("A", Deal("8s 8h", "8d 8c 4s 4c 2c"))
    assert settled.net("progressive") == "49.00"
    settled = dealt("A", Deal("9h 8h", "7h 6h 5h Ah 2h"))
    assert settled.net("progressive") == "199.00"


@pytest.mark.parametrize(
    ("choice", "clause"),
    [("meter", "12.D'(1)(i)(i)"), ("royal_line", "12.D'(1)(i)(ii)")],
)
@pytest.mark.clause(BOOK, "12.D'(1)(i)")
def test_12_D_1_i_reading_paytable_i_flopped_royal(choice: str, clause: str) -> None:
    readings = {"paytable_i_flopped_royal": choice}
    settled = dealt("I", DEALS["flopped royal"], readings=readings)
    assert settled.clause("progressive") == clause
    same = dealt("I", DEALS["flopped straight flush"], readings=readings)
    assert same.clause("progressive") == "12.D'(1)(i)(i)"


# --- the meter ----------------------------------------------------------------------------------


@pytest.mark.clause(BOOK, "12.D'(4)", "12.D'(5)", "12.D'(1)(a)")
def test_12_D_4_a_share_leaves_the_meter_before_the_next_seat_is_paid() -> None:
    """A royal on the board: each bettor takes a tenth of what is left, farthest right first."""
    cards = {1: "3c 4d", 3: "5c 6d", 4: "7c 8d", 6: "2c 4h"}
    seats = [bets(held, number) for number, held in cards.items()]
    settled = settle(
        BOOK, *seats, community="As Ks Qs Js Ts", dealer="9c 9d", meters={"main": "10000.07"}
    )
    paid = [settled.net("progressive", number) for number in (6, 4, 3, 1)]
    assert paid == ["999.00", "899.00", "809.00", "728.00"]
    assert settled.meters == {"main": "6561.07"}


@pytest.mark.clause(BOOK, "12.D'(4)", "12.D'(5)")
def test_12_D_4_a_share_is_rounded_down_to_the_cent() -> None:
    deal = DEALS["royal"]
    settled = settle(
        BOOK, bets(deal.cards), community=deal.board, dealer=deal.dealer, meters={"main": "5123.45"}
    )
    assert settled.net("progressive") == "511.34"
    assert settled.meters == {"main": "4611.11"}


@pytest.mark.clause(BOOK, "12.D'(4)", "12.D'(5)")
def test_12_D_4_the_second_winner_of_a_round_finds_the_reset_amount() -> None:
    """Seat 2 stays, seat 5 folds and still has its turn first; the reset is the submission's."""
    seats = [bets("Jh Th", 2), bets("6h 5h", 5, FOLDED)]
    settled = settle(
        BOOK,
        *seats,
        community="9h 8h 7h 2c 3d",
        dealer="Ks Kd",
        paytables={"progressive": "I"},
        meters={"main": "3100.00"},
        progressive={"meters": {"main": {"seed": 2500, "reset": 2600, "rate": "0.2"}}},
    )
    assert settled.net("progressive", 5) == "3099.00"
    assert settled.net("progressive", 2) == "2599.00"
    assert settled.meters == {"main": "2600.00"}


# --- the Envy Bonus -----------------------------------------------------------------------------

LATE_ROYAL = {"community": "Qs Js 2c Ts 3h", "dealer": "2d 9c"}
FLOPPED = {"community": "Qs Js Ts 2c 3h", "dealer": "2d 9c"}


def envied(*seats: dict[str, Any], table: str = "J", **told: Any) -> Settled:
    return settle(BOOK, *seats, paytables={"progressive": table}, **told)


@pytest.mark.clause(BOOK, "11.J(2)(e)", "11.J(2)(e)(i)", "12.D'(6)(a)", "12.D'(7)", "12.D'(7)(a)")
@pytest.mark.parametrize(
    ("deal", "clause"), [(FLOPPED, "12.D'(7)(a)(i)"), (LATE_ROYAL, "12.D'(7)(a)(ii)")]
)
def test_12_D_7_a_another_players_royal_brings_100_dollars(
    deal: dict[str, str], clause: str
) -> None:
    seats = [bets("4c 4d", 1), bets("As Ks", 3), bets("6c 6d", 5), bets("8c 8d", 6, progressive=0)]
    settled = envied(*seats, **deal)
    for number in (1, 5):
        assert settled.result("envy", number) == "win"
        assert settled.net("envy", number) == "100.00"
        assert settled.clause("envy", number) == clause
    assert settled.line("envy", 6) is None


@pytest.mark.clause(BOOK, "11.J(2)(e)(iii)")
def test_11_J_2_e_iii_no_envy_for_ones_own_hand_nor_for_the_dealers() -> None:
    settled = envied(bets("As Ks", 3), bets("4c 4d", 1), **LATE_ROYAL)
    assert settled.line("envy", 3) is None
    dealers = {"community": "Qs Js 2c Ts 3h", "dealer": "As Ks"}
    settled = envied(bets("6c 6d", 3), bets("4c 4d", 1), **dealers)
    assert settled.line("envy", 1) is settled.line("envy", 3) is None


@pytest.mark.clause(BOOK, "11.J(2)(e)(i)")
@pytest.mark.parametrize("option", [{}, {"envy_holder_must_bet": True}])
def test_11_J_2_e_i_the_holder_need_not_have_bet_the_progressive(option: dict[str, bool]) -> None:
    seats = [bets("As Ks", 3, progressive=0), bets("4c 4d", 1)]
    assert envied(*seats, **LATE_ROYAL, options=option).net("envy", 1) == "100.00"


@pytest.mark.clause(BOOK, "11.J(2)(e)(i)")
@pytest.mark.parametrize(("progressive", "counts"), [(1, True), (0, False)])
def test_11_J_2_e_i_a_folded_hand_counts_while_a_bet_keeps_it_on_the_table(
    progressive: int, counts: bool
) -> None:
    seats = [bets("As Ks", 3, FOLDED, progressive), bets("4c 4d", 1)]
    assert (envied(*seats, **LATE_ROYAL).line("envy", 1) is not None) is counts


@pytest.mark.clause(BOOK, "11.J(2)(e)(i)")
def test_11_J_2_e_i_a_folded_bettor_still_receives() -> None:
    seats = [bets("As Ks", 3), bets("4c 4d", 1, FOLDED)]
    assert envied(*seats, **LATE_ROYAL).net("envy", 1) == "100.00"


@pytest.mark.clause(BOOK, "12.D'(7)(a)")
@pytest.mark.parametrize(
    ("board", "cards"),
    [("As Ks Qs Js Ts", "Th 4d"), ("Ks Qs Js 9s 2c", "Ts 4d")],
    ids=["royal of the board", "straight flush"],
)
def test_12_D_7_a_nobody_envies_the_board_nor_a_straight_flush(board: str, cards: str) -> None:
    settled = envied(bets(cards, 3), bets("4c 5d", 1), community=board, dealer="2d 9c")
    assert settled.line("envy", 1) is settled.line("envy", 3) is None


@pytest.mark.clause(BOOK, "12.D'(6)(b)")
@pytest.mark.parametrize("table", "ABCDEFGHI")
def test_12_D_6_b_no_envy_schedule_but_that_of_table_J(table: str) -> None:
    settled = envied(bets("As Ks", 3), bets("4c 4d", 1), table=table, **FLOPPED)
    assert settled.line("envy", 1) is None
    assert envied(bets("As Ks", 3), bets("4c 4d", 1), **FLOPPED).line("envy", 1) is not None
