"""Heads-Up Hold'Em: wagers of chapter 7, decisions and settlement of chapter 11, readings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import Settled, refused, seat, settle

BOOK = "md-wpt"
BOARD = "Kc 8d 5s 3h 2c"
PAIR_OF_KINGS = "Ks 9h"
KING_HIGH = "Qs 9h"
FOLDED = "check check fold"


def bets(cards: str, said: str = "3x", number: int = 1, **more: Any) -> dict[str, Any]:
    """A seat with the two required wagers down."""
    wagers = {"ante": 10, "odds": 10, **more}
    return seat(cards, said, number, **wagers)


def against(dealer: str, cards: str, said: str = "3x", board: str = BOARD, **more: Any) -> Settled:
    return settle(BOOK, bets(cards, said, **more), community=board, dealer=dealer)


def line(settled: Settled, wager: str, number: int = 1) -> tuple[str, str, str]:
    return (
        settled.result(wager, number),
        settled.net(wager, number),
        settled.clause(wager, number),
    )


# --- chapters 2, 3 and 7: who bets what ---------------------------------------------------------


@pytest.mark.clause(BOOK, "7.F(1)")
@pytest.mark.parametrize("missing", ["ante", "odds"])
def test_7_F_1_a_round_needs_ante_and_odds(missing: str) -> None:
    told = bets("Ah Ad")
    del told["wagers"][missing]
    error = refused(BOOK, told, community=BOARD, dealer=PAIR_OF_KINGS)
    assert error.clause == "7.F(1)"
    assert missing in error.message.lower()


@pytest.mark.clause(BOOK, "7.F(1)")
@pytest.mark.parametrize("odds", [5, 20, "10.01"])
def test_7_F_1_ante_and_odds_are_equal(odds: int | str) -> None:
    told = bets("Ah Ad", odds=odds)
    assert refused(BOOK, told, community=BOARD, dealer=PAIR_OF_KINGS).clause == "7.F(1)"


@pytest.mark.clause(BOOK, "7.F(1)")
def test_7_F_1_the_raise_comes_after_the_cards() -> None:
    told = bets("Ah Ad")
    told["wagers"]["raise"] = 30
    assert refused(BOOK, told, community=BOARD, dealer=PAIR_OF_KINGS).clause == "7.F(1)"


@pytest.mark.parametrize(
    ("wager", "clause"),
    [
        pytest.param("pocket_bonus", "7.F(2)", marks=pytest.mark.clause(BOOK, "7.F(2)")),
        pytest.param("trips_plus", "7.F(3)", marks=pytest.mark.clause(BOOK, "7.F(3)")),
        pytest.param("progressive", "7.F(4)", marks=pytest.mark.clause(BOOK, "7.F(4)")),
    ],
)
def test_7_F_optional_wagers_only_where_the_submission_offers_them(wager: str, clause: str) -> None:
    told = bets("Ah Ad")
    assert settle(BOOK, told, community=BOARD, dealer="Ks 9h").line(wager) is None
    told["wagers"][wager] = 1
    others = [w for w in ("pocket_bonus", "trips_plus", "progressive") if w != wager]
    error = refused(BOOK, told, community=BOARD, dealer="Ks 9h", offered=others)
    assert error.clause == clause
    assert settle(BOOK, told, community=BOARD, dealer="Ks 9h", offered=[wager]).line(wager)


@pytest.mark.clause(BOOK, "7.F(4)(a)", "7.F(2)", "7.F(3)")
@pytest.mark.parametrize("wager", ["pocket_bonus", "trips_plus", "progressive"])
@pytest.mark.parametrize("missing", ["ante", "odds"])
def test_7_F_4_a_a_side_wager_comes_on_top_of_both(wager: str, missing: str) -> None:
    told = bets("Ah Ad")
    told["wagers"][wager] = 1
    del told["wagers"][missing]
    assert refused(BOOK, told, community=BOARD, dealer="Ks 9h").clause == "7.F(1)"


@pytest.mark.clause(BOOK, "12.D'(7)")
@pytest.mark.parametrize("stake", [2, 5, "0.50"])
def test_12_D_7_the_progressive_takes_one_dollar(stake: int | str) -> None:
    told = bets("Ah Ad", progressive=stake)
    assert refused(BOOK, told, community=BOARD, dealer="Ks 9h").clause == "12.D'(7)"


@pytest.mark.clause(BOOK, "7.G")
def test_7_G_a_player_bets_on_one_position_only() -> None:
    seats = [bets("Ah Ad", number=2), bets("Qh Qd", number=3)]
    same = [told | {"player": "p"} for told in seats]
    assert refused(BOOK, *same, community=BOARD, dealer="Ks 9h").clause == "7.G"
    other = [seats[0] | {"player": "p"}, seats[1] | {"player": "q"}]
    settle(BOOK, *other, community=BOARD, dealer="Ks 9h")


@pytest.mark.clause(BOOK, "2.A")
def test_2_A_six_positions_and_no_seventh() -> None:
    hands = ["Ah Ad", "Qh Qd", "Jh Jd", "Th Td", "7h 7d", "6h 6d"]
    full = [bets(cards, number=number) for number, cards in enumerate(hands, 1)]
    assert settle(BOOK, *full, community=BOARD, dealer="Ks 9h").net("raise", 6) == "-30.00"
    error = refused(BOOK, bets("Ah Ad", number=7), community=BOARD, dealer="Ks 9h")
    assert error.clause == "2.A"


@pytest.mark.clause(BOOK, "3.A(1)")
def test_3_A_1_one_deck_has_every_card_once() -> None:
    assert "Kc" in refused(BOOK, bets("Ah Kc"), community=BOARD, dealer="Ks 9h").message


# --- chapter 11: decisions ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "stake"),
    [
        pytest.param("3x", "30.00", marks=pytest.mark.clause(BOOK, "11.B(1)")),
        pytest.param(
            "check 2x",
            "20.00",
            marks=pytest.mark.clause(BOOK, "11.D(1)", "11.B(2)(b)", "1.B(2)"),
        ),
        pytest.param(
            "check check 1x",
            "10.00",
            marks=pytest.mark.clause(BOOK, "11.F", "11.D(2)(b)", "1.B(2)"),
        ),
    ],
)
def test_11_B_1_11_D_1_11_F_the_raise_is_three_two_or_one_ante(said: str, stake: str) -> None:
    settled = against(PAIR_OF_KINGS, "Ah Ad", said)
    raised = settled.line("raise")
    assert raised is not None
    assert raised["stake"] == stake
    assert line(settled, "raise") == ("win", stake, "12.A")


def refusal(said: str, clause: str) -> Any:
    return pytest.param(said, clause, marks=pytest.mark.clause(BOOK, clause))


@pytest.mark.parametrize(
    ("said", "clause"),
    [
        *[refusal(said, "11.B(1)") for said in ("", "4x", "2x", "1x", "raise", "fold")],
        *[refusal(f"check {said}".strip(), "11.D(1)") for said in ("", "3x", "1x", "4x", "fold")],
        *[refusal(f"check check {said}".strip(), "11.F") for said in ("", "3x", "2x", "check")],
    ],
)
def test_11_B_1_11_D_1_11_F_nothing_else_can_be_said(said: str, clause: str) -> None:
    told = bets("Ah Ad", said)
    assert refused(BOOK, told, community=BOARD, dealer=PAIR_OF_KINGS).clause == clause


@pytest.mark.clause(BOOK, "11.F")
@pytest.mark.parametrize("said", ["3x 2x", "3x check", "check 2x 1x", "check check 1x fold"])
def test_11_F_one_raise_and_nothing_after_it(said: str) -> None:
    told = bets("Ah Ad", said)
    assert refused(BOOK, told, community=BOARD, dealer=PAIR_OF_KINGS).clause == "11.F"


@pytest.mark.clause(BOOK, "1.B(5)")
@pytest.mark.parametrize("said", ["fold", "check fold"])
def test_1_B_5_no_fold_before_turn_and_river(said: str) -> None:
    refused(BOOK, bets("Ah Ad", said), community=BOARD, dealer=PAIR_OF_KINGS)
    settle(BOOK, bets("Ah Ad", FOLDED), community=BOARD, dealer=PAIR_OF_KINGS)


@pytest.mark.clause(BOOK, "11.F(2)", "1.B(5)")
@pytest.mark.parametrize("dealer", [PAIR_OF_KINGS, KING_HIGH])
def test_11_F_2_a_fold_costs_ante_and_odds(dealer: str) -> None:
    settled = against(dealer, "Ah Ad", FOLDED)
    assert line(settled, "ante") == ("lose", "-10.00", "11.F(2)")
    assert line(settled, "odds") == ("lose", "-10.00", "11.F(2)")
    assert settled.line("raise") is None


@pytest.mark.clause(BOOK, "11.F(2)", "1.B(1)")
def test_11_F_2_a_folded_straight_has_no_bad_beat() -> None:
    settled = against("Jc Ts", "6c 5s", FOLDED, "9s 8h 7d 2c 2d")
    assert line(settled, "odds") == ("lose", "-10.00", "11.F(2)")


@pytest.mark.clause(BOOK, "11.F(3)(a)")
def test_11_F_3_a_a_folders_trips_plus_is_settled_on_the_cards() -> None:
    won = against("Ks Qc", "8s 8h", FOLDED, "8d 5c 3s Kc Jd", trips_plus=5)
    assert line(won, "trips_plus") == ("win", "15.00", "12.E(1)(g)")
    lost = against("Ks Qc", "9s 9h", FOLDED, "8d 5c 3s Kc Jd", trips_plus=5)
    assert line(lost, "trips_plus") == ("lose", "-5.00", "11.I(3)")


@pytest.mark.clause(BOOK, "11.F(3)(c)")
def test_11_F_3_c_a_folders_pocket_bonus_is_settled_on_the_cards() -> None:
    won = against(PAIR_OF_KINGS, "4h 4d", FOLDED, pocket_bonus=5)
    assert line(won, "pocket_bonus") == ("win", "25.00", "12.D(1)(d)")
    lost = against(PAIR_OF_KINGS, "Ah Td", FOLDED, pocket_bonus=5)
    assert line(lost, "pocket_bonus") == ("lose", "-5.00", "11.I(1)")


@pytest.mark.parametrize(("choice", "net"), [("stand", "4.00"), ("lose", "-1.00")])
@pytest.mark.clause(BOOK, "11.F(3)(a)", "11.F(3)(c)", "11.J(1)")
def test_11_F_3_reading_side_wagers_after_fold(choice: str, net: str) -> None:
    """Only the Progressive hangs on it: the other two are kept by name."""
    told = bets("Ah Kh", FOLDED, progressive=1, trips_plus=5, pocket_bonus=5)
    settled = settle(
        BOOK,
        told,
        community="9h 7h 4h 2c 2d",
        dealer="2s Qc",
        readings={"side_wagers_after_fold": choice},
    )
    assert settled.net("progressive") == net
    assert settled.net("trips_plus") == "35.00"
    assert settled.net("pocket_bonus") == "100.00"


# --- chapter 11: settlement ---------------------------------------------------------------------


@pytest.mark.clause(BOOK, "1.B(6)", "11.G(2)", "11.H(1)(b)", "11.H(3)(b)")
@pytest.mark.parametrize(
    ("dealer", "theirs"), [("Ks 9h", "Kc Ks 9h 8d 5s"), ("Qs 9h", "Kc Qs 9h 8d 5s")]
)
def test_11_G_2_11_H_1_b_both_play_their_best_five_of_seven(dealer: str, theirs: str) -> None:
    settled = against(dealer, "8s 2d")
    assert settled.dealer["best"] == theirs
    assert settled.seat(1)["hand"] == "two_pair"
    assert set(settled.seat(1)["best"].split()) == {"8d", "8s", "2c", "2d", "Kc"}


@pytest.mark.clause(BOOK, "11.H(1)", "11.H(3)")
@pytest.mark.parametrize(
    ("dealer", "board", "qualifies"),
    [
        ("Qs 9h", BOARD, False),
        ("As Qs", "Kc 8d 5s 3h 9c", False),
        ("2s 9h", BOARD, True),
        ("Qs Jh", "8c 8d 5s 3h 2c", True),
    ],
)
def test_11_H_1_the_ante_stands_or_returns_with_the_dealers_pair(
    dealer: str, board: str, qualifies: bool
) -> None:
    settled = against(dealer, "Ah Ad", board=board)
    assert settled.dealer["qualifies"] is qualifies
    assert settled.result("ante") == ("win" if qualifies else "push")


UNQUALIFIED = [
    (
        "Ah 9d",
        ("push", "0.00", "12.B(1)(g)"),
        ("win", "30.00", "12.A"),
        "11.H(2)(a)",
    ),
    (
        "Ah 4d",
        ("win", "10.00", "12.B(1)(f)"),
        ("win", "30.00", "12.A"),
        "11.H(2)(a)",
    ),
    (
        "Qh 9d",
        ("push", "0.00", "11.H(2)(b)"),
        ("push", "0.00", "11.H(2)(b)"),
        "11.H(2)(b)",
    ),
    (
        "Jh 9d",
        ("lose", "-10.00", "11.H(2)(c)"),
        ("lose", "-30.00", "11.H(2)(c)"),
        "11.H(2)(c)",
    ),
]


@pytest.mark.parametrize(
    ("cards", "odds", "raised"),
    [
        pytest.param(cards, odds, raised, marks=pytest.mark.clause(BOOK, clause, "11.H(1)"))
        for cards, odds, raised, clause in UNQUALIFIED
    ],
    ids=["higher", "higher with a straight", "equal", "lower"],
)
def test_11_H_2_dealer_below_a_pair_returns_the_ante_and_decides_the_rest(
    cards: str, odds: tuple[str, str, str], raised: tuple[str, str, str]
) -> None:
    settled = against(KING_HIGH, cards)
    assert line(settled, "ante") == ("push", "0.00", "11.H(1)")
    assert line(settled, "odds") == odds
    assert line(settled, "raise") == raised


@pytest.mark.clause(BOOK, "11.H(4)(a)", "12.A")
def test_11_H_4_a_a_higher_hand_is_paid_on_all_three() -> None:
    settled = against("Ks Qc", "9h 8c", board="7d 6s 5h Kc 2d")
    assert line(settled, "ante") == ("win", "10.00", "12.A")
    assert line(settled, "odds") == ("win", "10.00", "12.B(1)(f)")
    assert line(settled, "raise") == ("win", "30.00", "12.A")


@pytest.mark.clause(BOOK, "11.H(4)(b)")
@pytest.mark.parametrize(
    "board", [BOARD, "As Ks Qs Js Ts", "9s 8h 7d 6c 5s"], ids=["pair", "royal", "straight"]
)
def test_11_H_4_b_an_equal_hand_takes_all_three_back(board: str) -> None:
    settled = against("Kh 9h", "Kd 9c", board=board)
    for wager in ("ante", "odds", "raise"):
        assert line(settled, wager) == ("push", "0.00", "11.H(4)(b)")


@pytest.mark.clause(BOOK, "11.H(4)(c)", "11.H(4)(c)(i)")
@pytest.mark.parametrize(
    ("board", "cards"),
    [("9s 8h 7d 2c 2d", "2s Kh"), (BOARD, "Qh Qd")],
    ids=["three of a kind", "pair"],
)
def test_11_H_4_c_i_a_lower_hand_below_a_straight_loses_all_three(board: str, cards: str) -> None:
    settled = against("Jc Ts" if board != BOARD else PAIR_OF_KINGS, cards, board=board)
    assert line(settled, "ante") == ("lose", "-10.00", "11.H(4)(c)")
    assert line(settled, "odds") == ("lose", "-10.00", "11.H(4)(c)(i)")
    assert line(settled, "raise")[:2] == ("lose", "-30.00")


@pytest.mark.clause(BOOK, "11.H(4)(c)", "11.H(4)(c)(ii)", "1.B(1)")
def test_11_H_4_c_ii_a_losing_straight_loses_ante_and_raise_and_is_paid_on_the_odds() -> None:
    settled = against("Jc Ts", "6c 5s", board="9s 8h 7d 2c 2d")
    assert line(settled, "ante") == ("lose", "-10.00", "11.H(4)(c)")
    assert line(settled, "raise")[:2] == ("lose", "-30.00")
    assert line(settled, "odds") == ("win", "50.00", "12.C(1)(f)")
    assert settled.seat(1)["net"] == "10.00"


@pytest.mark.clause(BOOK, "11.H(4)(c)(i)", "11.H(4)(c)(ii)")
@pytest.mark.parametrize(
    ("cards", "clause"), [("2s Kh", "11.H(4)(c)(i)"), ("6c 5s", "11.H(4)(c)(ii)")]
)
def test_11_H_4_c_the_lost_raise_names_the_clause_that_collects_it(cards: str, clause: str) -> None:
    settled = against("Jc Ts", cards, board="9s 8h 7d 2c 2d")
    assert line(settled, "raise") == ("lose", "-30.00", clause)


@pytest.mark.parametrize(("choice", "net"), [("yes", "50.00"), ("no", "40.00")])
@pytest.mark.clause(BOOK, "11.H(4)(c)(ii)")
def test_11_H_4_c_ii_reading_bad_beat_keeps_odds(choice: str, net: str) -> None:
    settled = settle(
        BOOK,
        bets("6c 5s"),
        community="9s 8h 7d 2c 2d",
        dealer="Jc Ts",
        readings={"bad_beat_keeps_odds": choice},
    )
    assert settled.result("odds") == "win"
    assert settled.net("odds") == net


@pytest.mark.clause(BOOK, "11.I(1)", "11.I(2)")
def test_11_I_2_pocket_bonus_pays_though_the_dealer_wins() -> None:
    settled = against(PAIR_OF_KINGS, "Qh Qd", pocket_bonus=5)
    assert settled.result("raise") == "lose"
    assert line(settled, "pocket_bonus") == ("win", "25.00", "12.D(1)(d)")


@pytest.mark.clause(BOOK, "11.I(1)", "7.F(2)")
@pytest.mark.parametrize("cards", ["8s 5d", "Kh Qh", "Ah Tc", "Kh Jc"])
def test_11_I_1_pocket_bonus_looks_at_the_two_cards_alone(cards: str) -> None:
    settled = against("9s 9h", cards, pocket_bonus=5)
    assert line(settled, "pocket_bonus") == ("lose", "-5.00", "11.I(1)")


@pytest.mark.clause(BOOK, "11.I(3)", "11.I(4)")
def test_11_I_4_trips_plus_pays_though_the_dealer_wins() -> None:
    settled = against("Jc Ts", "2s Kh", board="9s 8h 7d 2c 2d", trips_plus=5)
    assert settled.result("raise") == "lose"
    assert line(settled, "trips_plus") == ("win", "15.00", "12.E(1)(g)")


@pytest.mark.clause(BOOK, "11.I(3)", "7.F(3)")
def test_11_I_3_trips_plus_loses_below_three_of_a_kind_though_the_player_wins() -> None:
    settled = against(PAIR_OF_KINGS, "Ah Ad", trips_plus=5)
    assert settled.result("raise") == "win"
    assert line(settled, "trips_plus") == ("lose", "-5.00", "11.I(3)")


@pytest.mark.clause(BOOK, "11.J", "11.J(1)", "11.J(2)(d)")
def test_11_J_1_progressive_pays_though_the_dealer_wins() -> None:
    settled = against("Kd Kh", "8s 8h", board="8d 2d 2s Kc Jd", progressive=1)
    assert settled.result("raise") == "lose"
    assert line(settled, "progressive") == ("win", "9.00", "12.D'(1)(a)(vii)")


@pytest.mark.clause(BOOK, "11.I(1)", "11.I(3)", "11.J")
def test_11_I_11_J_base_wagers_then_pocket_bonus_trips_plus_and_progressive() -> None:
    settled = against(PAIR_OF_KINGS, "Ah Ad", progressive=1, trips_plus=5, pocket_bonus=5)
    order = [told["wager"] for told in settled.seat(1)["lines"]]
    assert sorted(order[:3]) == ["ante", "odds", "raise"]
    assert order[3:] == ["pocket_bonus", "trips_plus", "progressive"]


@pytest.mark.parametrize(
    "dealer",
    [
        pytest.param("Ks Kd", marks=pytest.mark.clause(BOOK, "11.H(3)", "11.H(3)(d)"), id="pair"),
        pytest.param("Ks Qd", marks=pytest.mark.clause(BOOK, "11.H(1)", "11.H(1)(d)"), id="below"),
    ],
)
def test_11_H_d_seats_are_settled_one_by_one_from_the_highest_number(dealer: str) -> None:
    """Two flopped straight flushes want the meter of table I: the farthest right seat has it."""
    seats = [bets("Jh Th", number=2, progressive=1), bets("6h 5h", number=5, progressive=1)]
    for told in (seats, seats[::-1]):
        settled = settle(
            BOOK,
            *told,
            community="9h 8h 7h 2c 3d",
            dealer=dealer,
            paytables={"progressive": "I"},
            meters={"main": "3100.00"},
        )
        assert settled.net("progressive", 5) == "3099.00"
        assert settled.net("progressive", 2) == "2499.00"
        assert settled.meters["main"] == "2500.00"
