"""Jackpot Hold 'Em: wagers of chapter 7, decisions and settlement of chapter 11, readings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.table import Settled, refused, seat, settle

BOOK = "md-jackpot"
BOARD = "Kc 8d 5s 3h 2c"
PAIR_OF_KINGS = "Ks 9h"
KING_HIGH = "Qs 9h"


def bets(cards: str, said: str = "3x", number: int = 1, **more: Any) -> dict[str, Any]:
    """A seat with the two required wagers down."""
    wagers = {"ante": 10, "x_tra_bonus": 10, **more}
    return seat(cards, said, number, **wagers)


def against(dealer: str, cards: str, said: str = "3x", board: str = BOARD, **more: Any) -> Settled:
    return settle(BOOK, bets(cards, said, **more), community=board, dealer=dealer)


def line(settled: Settled, wager: str, number: int = 1) -> tuple[str, str, str]:
    return (
        settled.result(wager, number),
        settled.net(wager, number),
        settled.clause(wager, number),
    )


# --- chapters 1, 2, 3 and 7: who bets what ------------------------------------------------------


@pytest.mark.clause(BOOK, "1.B(1)", "7.F(1)")
def test_1_B_1_a_round_needs_an_ante() -> None:
    error = refused(BOOK, seat("Ah Ad", "3x", x_tra_bonus=10), community=BOARD, dealer="Ks 9h")
    assert error.clause == "1.B(1)"


@pytest.mark.clause(BOOK, "1.B(6)", "7.F(1)")
def test_1_B_6_a_round_needs_an_x_tra_bonus() -> None:
    error = refused(BOOK, seat("Ah Ad", "3x", ante=10), community=BOARD, dealer="Ks 9h")
    assert error.clause == "1.B(6)"


@pytest.mark.clause(BOOK, "7.F(1)")
@pytest.mark.parametrize("x_tra", [5, 20, "10.01"])
def test_7_F_1_ante_and_x_tra_bonus_are_equal(x_tra: int | str) -> None:
    told = bets("Ah Ad", x_tra_bonus=x_tra)
    assert refused(BOOK, told, community=BOARD, dealer="Ks 9h").clause == "7.F(1)"


@pytest.mark.clause(BOOK, "1.B(4)", "7.F(1)")
def test_1_B_4_play_follows_the_cards_and_is_not_placed_before() -> None:
    error = refused(BOOK, bets("Ah Ad", play=30), community=BOARD, dealer="Ks 9h")
    assert error.clause == "1.B(4)"


@pytest.mark.clause(BOOK, "7.F(2)", "7.F(3)(a)")
@pytest.mark.parametrize("wager", ["player_bonus", "progressive"])
@pytest.mark.parametrize(("missing", "clause"), [("ante", "1.B(1)"), ("x_tra_bonus", "1.B(6)")])
def test_7_F_2_a_side_wager_comes_on_top_of_both(wager: str, missing: str, clause: str) -> None:
    told = bets("Ah Ad")
    told["wagers"][wager] = 5
    del told["wagers"][missing]
    assert refused(BOOK, told, community=BOARD, dealer="Ks 9h").clause == clause


@pytest.mark.clause(BOOK, "7.F(2)")
def test_7_F_2_player_bonus_is_the_players_choice() -> None:
    assert against("Ks 9h", "Ah Ad").line("player_bonus") is None
    assert against("Ks 9h", "Ah Ad", player_bonus=5).line("player_bonus") is not None
    told = bets("Ah Ad", player_bonus=5)
    error = refused(BOOK, told, community=BOARD, dealer="Ks 9h", offered=["progressive"])
    assert error.clause == "7.F(2)"


@pytest.mark.clause(BOOK, "7.F(3)")
def test_7_F_3_progressive_only_where_the_submission_offers_it() -> None:
    told = bets("Ah Ad", progressive=1)
    error = refused(BOOK, told, community=BOARD, dealer="Ks 9h", offered=["player_bonus"])
    assert error.clause == "7.F(3)"
    offered = settle(BOOK, told, community=BOARD, dealer="Ks 9h", offered=["progressive"])
    assert offered.line("progressive") is not None


@pytest.mark.clause(BOOK, "7.F(3)")
def test_7_F_3_progressive_takes_the_stake_the_operator_states() -> None:
    terms = {"stakes": ["5"]}
    told = bets("Ah Ad", progressive=1)
    error = refused(BOOK, told, community=BOARD, dealer="Ks 9h", progressive=terms)
    assert error.clause == "7.F(3)"
    told = bets("Ah Ad", progressive=5)
    settle(BOOK, told, community=BOARD, dealer="Ks 9h", progressive=terms)


@pytest.mark.clause(BOOK, "7.G")
@pytest.mark.parametrize(
    ("seats", "allowed"), [((2, 3), True), ((2, 4), False), ((2, 3, 4), False)]
)
def test_7_G_a_player_bets_as_many_adjacent_boxes_as_stated(
    seats: tuple[int, ...], allowed: bool
) -> None:
    hands = ["Ah Ad", "Qh Qd", "Jh Jd"]
    told = [bets(hands[i], number=n) | {"player": "p"} for i, n in enumerate(seats)]
    table: dict[str, Any] = {
        "community": BOARD,
        "dealer": "Ks 9h",
        "options": {"adjacent_boxes": 2},
    }
    if allowed:
        assert settle(BOOK, *told, **table).net("play", 3) == "-30.00"
    else:
        assert refused(BOOK, *told, **table).clause == "7.G"


@pytest.mark.clause(BOOK, "2.A")
def test_2_A_six_positions_and_no_seventh() -> None:
    hands = ["Ah Ad", "Qh Qd", "Jh Jd", "Th Td", "7h 7d", "6h 6d"]
    full = [bets(cards, number=number) for number, cards in enumerate(hands, 1)]
    assert settle(BOOK, *full, community=BOARD, dealer="Ks 9h").net("play", 6) == "-30.00"
    error = refused(BOOK, bets("Ah Ad", number=7), community=BOARD, dealer="Ks 9h")
    assert error.clause == "2.A"


@pytest.mark.clause(BOOK, "3.A(1)")
def test_3_A_1_one_deck_has_every_card_once() -> None:
    assert "Kc" in refused(BOOK, bets("Ah Kc"), community=BOARD, dealer="Ks 9h").message
    both = [bets("Ah Ad"), bets("Ah Qd", number=2)]
    assert "Ah" in refused(BOOK, *both, community=BOARD, dealer="Ks 9h").message


# --- chapter 11: decisions ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "stake"),
    [
        pytest.param("3x", "30.00", marks=pytest.mark.clause(BOOK, "11.C(1)", "1.B(4)")),
        pytest.param(
            "check 2x",
            "20.00",
            marks=pytest.mark.clause(BOOK, "11.E(1)", "11.C(2)(b)", "1.B(2)", "1.B(4)"),
        ),
        pytest.param(
            "check check 1x",
            "10.00",
            marks=pytest.mark.clause(BOOK, "11.G", "11.E(2)(b)", "1.B(2)", "1.B(4)"),
        ),
    ],
)
def test_11_C_1_11_E_1_11_G_play_is_three_two_or_one_ante(said: str, stake: str) -> None:
    settled = against(PAIR_OF_KINGS, "Ah Ad", said)
    play = settled.line("play")
    assert play is not None
    assert play["stake"] == stake
    assert line(settled, "play") == ("win", stake, "12.A")


def refusal(said: str, clause: str) -> Any:
    return pytest.param(said, clause, marks=pytest.mark.clause(BOOK, clause))


@pytest.mark.parametrize(
    ("said", "clause"),
    [
        *[refusal(said, "11.C(1)") for said in ("", "4x", "2x", "1x", "raise", "fold")],
        *[refusal(f"check {said}".strip(), "11.E(1)") for said in ("", "3x", "1x", "4x", "fold")],
        *[refusal(f"check check {said}".strip(), "11.G") for said in ("", "3x", "2x", "check")],
    ],
)
def test_11_C_1_11_E_1_11_G_nothing_else_can_be_said(said: str, clause: str) -> None:
    told = bets("Ah Ad", said)
    assert refused(BOOK, told, community=BOARD, dealer=PAIR_OF_KINGS).clause == clause


@pytest.mark.clause(BOOK, "1.B(3)", "1.B(4)", "11.G")
@pytest.mark.parametrize("said", ["3x 2x", "3x check", "check 2x 1x", "check check 1x fold"])
def test_1_B_4_one_play_wager_and_no_fold_after_it(said: str) -> None:
    assert (
        refused(BOOK, bets("Ah Ad", said), community=BOARD, dealer=PAIR_OF_KINGS).clause == "11.G"
    )


@pytest.mark.clause(BOOK, "11.G(2)", "1.B(3)", "11.G")
def test_11_G_2_a_fold_costs_ante_and_x_tra_bonus() -> None:
    settled = against("Ks 9h", "Ah Ad", "check check fold")
    assert line(settled, "ante") == ("lose", "-10.00", "11.G(2)")
    assert line(settled, "x_tra_bonus") == ("lose", "-10.00", "11.G(2)")
    assert settled.line("play") is None


@pytest.mark.clause(BOOK, "11.G(2)", "11.I(1)")
def test_11_G_2_the_folders_ante_is_lost_even_to_a_dealer_below_a_pair() -> None:
    settled = against(KING_HIGH, "Ah Jd", "check check fold")
    assert line(settled, "ante") == ("lose", "-10.00", "11.G(2)")


TRIPS = {"board": "8d 5c 3s Kc Jd", "dealer": "Ks Qc", "cards": "8s 8h"}
FOLDED = "check check fold"


@pytest.mark.clause(BOOK, "11.G(3)(a)")
def test_11_G_3_a_a_folders_player_bonus_is_settled_on_the_cards() -> None:
    won = against(TRIPS["dealer"], TRIPS["cards"], FOLDED, TRIPS["board"], player_bonus=5)
    assert line(won, "player_bonus") == ("win", "15.00", "12.C(1)(g)")
    lost = against(TRIPS["dealer"], "9s 9h", FOLDED, TRIPS["board"], player_bonus=5)
    assert line(lost, "player_bonus") == ("lose", "-5.00", "11.J(1)")


@pytest.mark.clause(BOOK, "11.G(4)(a)")
def test_11_G_4_a_a_folders_progressive_is_settled_on_the_cards() -> None:
    won = against(TRIPS["dealer"], TRIPS["cards"], FOLDED, TRIPS["board"], progressive=1)
    assert line(won, "progressive") == ("win", "9.00", "12.D(2)(h)")


@pytest.mark.parametrize(
    ("choice", "bonus", "progressive"), [("stand", "15.00", "9.00"), ("lose", "-5.00", "-1.00")]
)
@pytest.mark.clause(BOOK, "11.G(3)(a)", "11.G(4)(a)")
def test_11_G_3_reading_side_wagers_after_fold(choice: str, bonus: str, progressive: str) -> None:
    told = bets(TRIPS["cards"], FOLDED, player_bonus=5, progressive=1)
    settled = settle(
        BOOK,
        told,
        community=TRIPS["board"],
        dealer=TRIPS["dealer"],
        readings={"side_wagers_after_fold": choice},
    )
    assert settled.net("player_bonus") == bonus
    assert settled.net("progressive") == progressive
    assert settled.net("ante") == settled.net("x_tra_bonus") == "-10.00"


# --- chapter 11: settlement ---------------------------------------------------------------------


@pytest.mark.clause(BOOK, "11.H(2)", "11.I(2)(b)")
def test_11_H_2_11_I_2_b_both_play_their_best_five_of_seven() -> None:
    settled = against("Ks 9h", "8s 2d")
    assert settled.dealer == {"hand": "pair", "best": "Kc Ks 9h 8d 5s", "qualifies": True}
    assert settled.seat(1)["hand"] == "two_pair"
    assert settled.seat(1)["best"].split()[-1] == "Kc"
    assert set(settled.seat(1)["best"].split()) == {"8d", "8s", "2c", "2d", "Kc"}


@pytest.mark.clause(BOOK, "11.I(1)")
@pytest.mark.parametrize(
    ("dealer", "board", "qualifies"),
    [
        ("Qs 9h", BOARD, False),
        ("As Qs", "Kc 8d 5s 3h 9c", False),
        ("2s 9h", BOARD, True),
        ("Qs Jh", "8c 8d 5s 3h 2c", True),
        ("As 4s", BOARD, True),
    ],
)
def test_11_I_1_a_pair_or_better_qualifies_the_dealer(
    dealer: str, board: str, qualifies: bool
) -> None:
    settled = against(dealer, "Ah Td", board=board)
    assert settled.dealer["qualifies"] is qualifies


@pytest.mark.clause(BOOK, "11.I(1)")
@pytest.mark.parametrize(
    ("cards", "x_tra", "play"),
    [
        ("Ah 9d", ("push", "0.00", "12.B(1)(g)"), ("win", "30.00", "12.A")),
        ("Ah 4d", ("win", "10.00", "12.B(1)(f)"), ("win", "30.00", "12.A")),
        ("Qh 9d", ("push", "0.00", "11.I(3)(c)"), ("push", "0.00", "11.I(3)(c)")),
        ("Jh 9d", ("lose", "-10.00", "11.I(3)(a)"), ("lose", "-30.00", "11.I(3)(a)")),
    ],
    ids=["higher", "higher with a straight", "equal", "lower"],
)
def test_11_I_1_dealer_below_a_pair_returns_the_ante_and_decides_the_rest(
    cards: str, x_tra: tuple[str, str, str], play: tuple[str, str, str]
) -> None:
    settled = against(KING_HIGH, cards)
    assert line(settled, "ante") == ("push", "0.00", "11.I(1)")
    assert line(settled, "x_tra_bonus") == x_tra
    assert line(settled, "play") == play


@pytest.mark.parametrize(
    ("choice", "cards", "ante"),
    [
        ("returned", "Jh 9d", ("push", "0.00", "11.I(1)")),
        ("lost_when_beaten", "Jh 9d", ("lose", "-10.00", "11.I(3)(a)")),
        ("lost_when_beaten", "Qh 9d", ("push", "0.00", "11.I(1)")),
        ("lost_when_beaten", "Ah 9d", ("push", "0.00", "11.I(1)")),
    ],
)
@pytest.mark.clause(BOOK, "11.I(1)", "11.I(3)(a)")
def test_11_I_1_reading_ante_when_dealer_below_pair(
    choice: str, cards: str, ante: tuple[str, str, str]
) -> None:
    readings = {"ante_when_dealer_below_pair": choice}
    settled = settle(BOOK, bets(cards), community=BOARD, dealer=KING_HIGH, readings=readings)
    assert line(settled, "ante") == ante


@pytest.mark.clause(BOOK, "11.I(3)(a)")
def test_11_I_3_a_a_lower_hand_loses_all_three() -> None:
    settled = against(PAIR_OF_KINGS, "Qh Qd")
    assert line(settled, "ante") == ("lose", "-10.00", "11.I(3)(a)")
    assert line(settled, "x_tra_bonus") == ("lose", "-10.00", "11.I(3)(a)")
    assert line(settled, "play") == ("lose", "-30.00", "11.I(3)(a)")


@pytest.mark.clause(BOOK, "11.I(3)(a)", "12.B(1)")
def test_11_I_3_a_a_beaten_straight_has_no_bad_beat_on_the_x_tra_bonus() -> None:
    settled = against("Ah 4h", "Jc Ts", board="9s 8h 7h 2h 2d")
    assert settled.seat(1)["hand"] == "straight"
    assert line(settled, "x_tra_bonus") == ("lose", "-10.00", "11.I(3)(a)")


@pytest.mark.clause(BOOK, "11.I(3)(b)", "12.A")
def test_11_I_3_b_a_higher_hand_is_paid_on_all_three() -> None:
    settled = against("Ks Qc", "9h 8c", board="7d 6s 5h Kc 2d")
    assert line(settled, "ante") == ("win", "10.00", "12.A")
    assert line(settled, "x_tra_bonus") == ("win", "10.00", "12.B(1)(f)")
    assert line(settled, "play") == ("win", "30.00", "12.A")


@pytest.mark.clause(BOOK, "11.I(3)(c)")
@pytest.mark.parametrize(
    ("board", "cards"), [(BOARD, "Kd 9c"), ("As Ks Qs Js Ts", "Kd 9c")], ids=["pair", "royal"]
)
def test_11_I_3_c_an_equal_hand_takes_all_three_back(board: str, cards: str) -> None:
    settled = against("Kh 9h", cards, board=board)
    for wager in ("ante", "x_tra_bonus", "play"):
        assert line(settled, wager) == ("push", "0.00", "11.I(3)(c)")


@pytest.mark.clause(BOOK, "11.J(1)", "11.J(2)", "1.B(5)")
def test_11_J_2_player_bonus_pays_though_the_dealer_wins() -> None:
    settled = against("Ah 4h", "Jc Ts", board="9s 8h 7h 2h 2d", player_bonus=5)
    assert settled.result("play") == "lose"
    assert line(settled, "player_bonus") == ("win", "20.00", "12.C(1)(f)")


@pytest.mark.clause(BOOK, "11.J(1)", "1.B(5)")
def test_11_J_1_player_bonus_loses_below_three_of_a_kind_though_the_player_wins() -> None:
    settled = against(PAIR_OF_KINGS, "Ah Ad", player_bonus=5)
    assert settled.result("play") == "win"
    assert line(settled, "player_bonus") == ("lose", "-5.00", "11.J(1)")


@pytest.mark.clause(BOOK, "11.K", "11.K(1)", "11.K(2)(d)")
def test_11_K_1_progressive_pays_though_the_dealer_wins() -> None:
    settled = against("7h 7c", "8s 8h", board="8d 7d 7s Kc Jd", progressive=1)
    assert settled.result("play") == "lose"
    assert line(settled, "progressive") == ("win", "49.00", "12.D(2)(e)")


@pytest.mark.clause(BOOK, "11.J(1)", "11.K")
def test_11_K_base_wagers_then_player_bonus_then_progressive() -> None:
    settled = against(PAIR_OF_KINGS, "Ah Ad", progressive=1, player_bonus=5)
    order = [told["wager"] for told in settled.seat(1)["lines"]]
    assert sorted(order[:3]) == ["ante", "play", "x_tra_bonus"]
    assert order[3:] == ["player_bonus", "progressive"]


FLOP_OF_HEARTS = "9h 8h 7h 2c 3d"


@pytest.mark.parametrize(
    "dealer",
    [
        pytest.param("Ks Kd", marks=pytest.mark.clause(BOOK, "11.I(2)", "11.I(2)(d)"), id="pair"),
        pytest.param("Ks Qd", marks=pytest.mark.clause(BOOK, "11.I(1)"), id="below a pair"),
    ],
)
def test_11_I_2_d_seats_are_settled_one_by_one_from_the_highest_number(dealer: str) -> None:
    """Two straight flushes want the same meter: the seat farthest right has it, in any order."""
    seats = [bets("Jh Th", number=2, progressive=1), bets("6h 5h", number=5, progressive=1)]
    for told in (seats, seats[::-1]):
        settled = settle(
            BOOK, *told, community=FLOP_OF_HEARTS, dealer=dealer, meters={"heart": "1300.00"}
        )
        assert settled.net("progressive", 5) == "1299.00"
        assert settled.net("progressive", 2) == "999.00"
        assert settled.meters["heart"] == "1000.00"


@pytest.mark.clause(BOOK, "11.I(2)(d)", "12.E(11)")
def test_12_E_11_a_folded_seat_is_paid_at_its_own_turn() -> None:
    seats = [bets("Jh Th", number=2, progressive=1), bets("6h 5h", FOLDED, 5, progressive=1)]
    settled = settle(
        BOOK, *seats, community=FLOP_OF_HEARTS, dealer="Ks Kd", meters={"heart": "1300.00"}
    )
    assert settled.net("progressive", 5) == "1299.00"
    assert settled.net("progressive", 2) == "999.00"
