"""md-uth 12.B, 12.C, 12.F', 12.G: every line of Blind, Trips, Bad Beat and Play the Board.

The figures are copied by hand from the document; each hand is dealt once and settled under every
table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from tests.rules.table import Settled, seat, settle

# Hole cards, board, dealer's cards: the player makes the hand and wins; the dealer has a pair.
WINNING = {
    "royal_flush": ("As Ks", "Qs Js Ts 2d 2h", "3c 4d"),
    "straight_flush": ("9h 8h", "7h 6h 5h Kd Kc", "2c 3d"),
    "lowest_straight_flush": ("Ah 2h", "3h 4h 5h Kd Kc", "2c 7d"),
    "four_of_a_kind": ("9c 9d", "9h 9s Kd Kc 2h", "3c 4d"),
    "full_house": ("Ac Ad", "Ah Kd Kc 7s 2h", "3c 4d"),
    "flush": ("Ah 9h", "Kh 6h 2h Kd 3c", "8c 8d"),
    "straight": ("9c 8d", "7h 6s 5d 5c Kh", "Ac Qd"),
    "wheel": ("Ac 2d", "3h 4s 5d 5c Kh", "Jc Qd"),
    "three_of_a_kind": ("Qc Qd", "Qh 9s 5d 4c Kh", "Kc 2d"),
    "two_pair": ("Qc 9d", "Qh 9s 5d 4c Kh", "Kc 2d"),
    "pair": ("Ac Ad", "Qh 9s 5d 4c Kh", "Kc 2d"),
}
NO_PAIR = ("Ac Jd", "Qh 9s 5d 4c Kh", "7c 2d")


def final(rows: tuple[str, str, str], **paytables: str) -> Settled:
    cards, board, dealer = rows
    told = seat(cards, "4x", ante=10, blind=10, trips=10)
    return settle("md-uth", told, community=board, dealer=dealer, paytables=paytables)


def paid(told: Settled, wager: str) -> tuple[str, str, str]:
    return told.result(wager), told.net(wager), told.clause(wager)


# -- Blind ------------------------------------------------------------------------------------

BLIND_A = {
    "royal_flush": ("win", "5000.00", "12.B(1)(a)"),
    "straight_flush": ("win", "500.00", "12.B(1)(b)"),
    "lowest_straight_flush": ("win", "500.00", "12.B(1)(b)"),
    "four_of_a_kind": ("win", "100.00", "12.B(1)(c)"),
    "full_house": ("win", "30.00", "12.B(1)(d)"),
    "flush": ("win", "15.00", "12.B(1)(e)"),
    "straight": ("win", "10.00", "12.B(1)(f)"),
    "wheel": ("win", "10.00", "12.B(1)(f)"),
    "three_of_a_kind": ("push", "0.00", "12.B(1)(g)"),
    "two_pair": ("push", "0.00", "12.B(1)(g)"),
    "pair": ("push", "0.00", "12.B(1)(g)"),
}
BLIND_B = {
    "royal_flush": ("win", "5000.00", "12.B(2)(a)"),
    "straight_flush": ("win", "500.00", "12.B(2)(b)"),
    "lowest_straight_flush": ("win", "500.00", "12.B(2)(b)"),
    "four_of_a_kind": ("win", "100.00", "12.B(2)(c)"),
    "full_house": ("win", "30.00", "12.B(2)(d)"),
    "flush": ("win", "15.00", "12.B(2)(e)"),
    "three_of_a_kind": ("push", "0.00", "12.B(2)(f)"),
    "two_pair": ("push", "0.00", "12.B(2)(f)"),
    "pair": ("push", "0.00", "12.B(2)(f)"),
}


@pytest.mark.clause("md-uth", "12.B", "12.B(1)", "11.H(3)(b)", "11.H(3)(c)")
@pytest.mark.parametrize(("hand", "expected"), BLIND_A.items())
def test_12_B_1_blind_A(hand: str, expected: tuple[str, str, str]) -> None:
    assert paid(final(WINNING[hand], blind="A"), "blind") == expected


@pytest.mark.clause("md-uth", "12.B", "12.B(2)", "11.H(3)(b)", "11.H(3)(c)")
@pytest.mark.parametrize(("hand", "expected"), BLIND_B.items())
def test_12_B_2_blind_B(hand: str, expected: tuple[str, str, str]) -> None:
    assert paid(final(WINNING[hand], blind="B"), "blind") == expected


@pytest.mark.clause("md-uth", "12.B(2)", "11.H(3)(c)")
@pytest.mark.parametrize("hand", ["straight", "wheel"])
def test_12_B_2_straight_pushes_under_blind_B(hand: str) -> None:
    assert paid(final(WINNING[hand], blind="B"), "blind") == ("push", "0.00", "11.H(3)(c)")


@pytest.mark.clause("md-uth", "12.B(1)", "12.B(2)", "11.H(3)(c)")
@pytest.mark.parametrize(("table", "clause"), [("A", "12.B(1)(g)"), ("B", "12.B(2)(f)")])
def test_12_B_a_blind_won_without_a_pair_pushes(table: str, clause: str) -> None:
    assert paid(final(NO_PAIR, blind=table), "blind") == ("push", "0.00", clause)


@pytest.mark.clause("md-uth", "12.B(1)")
@pytest.mark.parametrize(("stake", "net"), [("5", "7.50"), ("7", "10.50"), ("0.01", "0.02")])
def test_12_B_1_three_to_two_is_exact_and_rounds_for_the_player(stake: str, net: str) -> None:
    cards, board, dealer = WINNING["flush"]
    told = seat(cards, "4x", ante=stake, blind=stake)
    assert settle("md-uth", told, community=board, dealer=dealer).net("blind") == net


# -- Trips ------------------------------------------------------------------------------------

TO_TRIPS = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
)
TRIPS = {
    "A": (50, 40, 30, 9, 7, 4, 3),
    "B": (50, 40, 30, 8, 6, 5, 3),
    "C": (50, 40, 30, 8, 7, 4, 3),
    "D": (50, 40, 20, 7, 6, 5, 3),
    "E": (50, 40, 30, 7, 6, 5, 3),
}


def rows(tables: Mapping[str, tuple[int, ...]], hands: Iterable[str]) -> list[tuple[str, str, int]]:
    return [
        (table, hand, odds)
        for table, column in tables.items()
        for hand, odds in zip(hands, column, strict=True)
    ]


@pytest.mark.clause(
    "md-uth", "12.C", "12.C(1)", "12.C(2)", "12.C(3)", "12.C(4)", "12.C(5)", "11.I(1)"
)
@pytest.mark.parametrize(("table", "hand", "odds"), rows(TRIPS, TO_TRIPS))
def test_12_C_trips(table: str, hand: str, odds: int) -> None:
    clause = f"12.C({'ABCDE'.index(table) + 1})({'abcdefg'[TO_TRIPS.index(hand)]})"
    told = final(WINNING[hand], trips=table)
    assert paid(told, "trips") == ("win", f"{10 * odds}.00", clause)


@pytest.mark.clause("md-uth", "12.C(1)", "12.C(2)", "12.C(3)", "12.C(4)", "12.C(5)", "11.I(1)")
@pytest.mark.parametrize("table", TRIPS)
@pytest.mark.parametrize("hand", ["two_pair", "pair"])
def test_11_I_1_trips_loses_below_three_of_a_kind(table: str, hand: str) -> None:
    told = final(WINNING[hand], trips=table)
    assert told.result("ante") == "win"
    assert paid(told, "trips") == ("lose", "-10.00", "11.I(1)")


@pytest.mark.clause("md-uth", "11.I(1)")
def test_11_I_1_trips_on_the_board_win_for_everyone() -> None:
    told = final(("2c 3d", "Qh Qs Qd 9c Kh", "Kc Ks"), trips="A")
    assert told.result("ante") == "lose"
    assert paid(told, "trips") == ("win", "30.00", "12.C(1)(g)")


# -- Bad Beat ---------------------------------------------------------------------------------

# Board, the hand that is beaten, the hand that beats it.
BEATEN = {
    "straight_flush": ("9h 8h 7h 2c 3d", "6h 5h", "Jh Th"),
    "four_of_a_kind": ("9h 9s Kd Kc 2h", "9c 9d", "Kh Ks"),
    "full_house": ("Ah Kd Kc 7s 2h", "7c 7d", "Ac Ad"),
    "flush": ("Kh 6h 2h 9d 3c", "Qh Jh", "Ah 4h"),
    "straight": ("7h 6s 5d Kc 2h", "4c 3d", "9c 8d"),
    "three_of_a_kind": ("Qh 9s 5d 4c Kh", "9c 9d", "Qc Qd"),
}
BAD_BEAT = {
    "A": (10000, 500, 40, 25, 20, 9),
    "B": (7500, 500, 50, 30, 20, 9),
    "C": (2500, 500, 50, 30, 20, 9),
}


def bad_beat(board: str, player: str, dealer: str, table: str = "A", **readings: str) -> Settled:
    return settle(
        "md-uth",
        seat(player, "4x", ante=10, blind=10, bad_beat=2),
        community=board,
        dealer=dealer,
        paytables={"bad_beat": table},
        readings=readings,
    )


@pytest.mark.clause("md-uth", "12.F'", "12.F'(1)", "12.F'(2)", "12.F'(3)", "7.F(6)")
@pytest.mark.parametrize(("table", "hand", "odds"), rows(BAD_BEAT, BEATEN))
def test_12_F_bad_beat_pays_on_the_hand_that_loses(table: str, hand: str, odds: int) -> None:
    board, loser, winner = BEATEN[hand]
    clause = f"12.F'({'ABC'.index(table) + 1})({'bcdefg'[list(BEATEN).index(hand)]})"
    expected = ("win", f"{2 * odds}.00", clause)
    as_player = bad_beat(board, loser, winner, table)
    assert as_player.result("play") == "lose"
    assert paid(as_player, "bad_beat") == expected
    as_dealer = bad_beat(board, winner, loser, table)
    assert as_dealer.result("play") == "win"
    assert paid(as_dealer, "bad_beat") == expected


@pytest.mark.clause("md-uth", "12.F'", "7.F(6)")
@pytest.mark.parametrize(
    ("board", "player", "dealer"),
    [
        ("Qh 9s 5d 4c Kh", "Kc 9d", "Qc Qd"),
        ("Qh 9s 5d 4c Kh", "Qc Qd", "Kc 9d"),
        ("Qh Qs Qd 9c Kh", "2c 3d", "4c 5d"),
        ("Ah Kh Qh Jh Th", "2c 3d", "4c 5d"),
    ],
    ids=["two pair beaten", "dealer's two pair beaten", "tied trips", "tied royals"],
)
def test_12_F_bad_beat_loses_where_no_hand_of_the_table_is_beaten(
    board: str, player: str, dealer: str
) -> None:
    assert paid(bad_beat(board, player, dealer), "bad_beat") == ("lose", "-2.00", "12.F'")


@pytest.mark.clause("md-uth", "7.F(6)", "12.F'")
@pytest.mark.parametrize("hand", BEATEN)
def test_12_F_read_for_the_player_alone_the_dealers_beaten_hand_loses(hand: str) -> None:
    board, loser, winner = BEATEN[hand]
    assert bad_beat(board, winner, loser, bad_beat_loser="player_only").result("bad_beat") == "lose"
    assert bad_beat(board, loser, winner, bad_beat_loser="player_only").result("bad_beat") == "win"


# -- Play the Board ---------------------------------------------------------------------------

BOARDS = {
    "royal_flush": "As Ks Qs Js Ts",
    "straight_flush": "9h 8h 7h 6h 5h",
    "four_of_a_kind": "9h 9s 9c 9d Kd",
    "full_house": "Ah Ad Ac Kd Kc",
    "flush": "Kh 9h 8h 7h 6h",
    "straight": "9h 8s 7h 6d 5d",
    "three_of_a_kind": "Qh Qs Qd 9s 7d",
    "two_pair": "Qh Qs 9d 9s 7d",
    "pair_tens_or_better": "Th Ts 9d 8s 6d",
}
BOARD_ODDS = {
    "A": (1000, 200, 100, 50, 40, 25, 7, 3, 1),
    "B": (1000, 200, 100, 50, 40, 25, 6, 3, 1),
    "C": (1000, 200, 100, 50, 40, 20, 6, 3, 1),
}
LETTERS = ("a", "b", "c", "d", "e", "f", "g", "h", "g")


def on_board(board: str, table: str = "A", cards: str = "2c 3d", dealer: str = "4h 5c") -> Settled:
    return settle(
        "md-uth",
        seat(cards, "4x", ante=10, blind=10, play_the_board=2),
        community=board,
        dealer=dealer,
        paytables={"play_the_board": table},
    )


@pytest.mark.clause("md-uth", "12.G", "12.G(1)", "12.G(2)", "12.G(3)", "7.F(7)")
@pytest.mark.parametrize(("table", "hand", "odds"), rows(BOARD_ODDS, BOARDS))
def test_12_G_play_the_board(table: str, hand: str, odds: int) -> None:
    told = on_board(BOARDS[hand], table)
    clause = f"12.G({'ABC'.index(table) + 1})({LETTERS[list(BOARDS).index(hand)]})"
    result, net, cited = paid(told, "play_the_board")
    assert (result, net, cited.rstrip("'")) == ("win", f"{2 * odds}.00", clause)


@pytest.mark.clause("md-uth", "12.G(1)", "12.G(2)", "12.G(3)")
@pytest.mark.parametrize("table", BOARD_ODDS)
@pytest.mark.parametrize("rank", "TJQKA")
def test_12_G_a_pair_counts_from_tens_up(table: str, rank: str) -> None:
    assert on_board(f"{rank}h {rank}s 9d 8s 6d", table).net("play_the_board") == "2.00"


@pytest.mark.clause("md-uth", "12.G", "12.G(1)", "12.G(2)", "12.G(3)")
@pytest.mark.parametrize("table", BOARD_ODDS)
@pytest.mark.parametrize("board", ["9h 9s Kd Js 6d", "2h 2s Kd Js 6d", "Ah Ks Qd Js 9d"])
def test_12_G_a_lower_board_loses(table: str, board: str) -> None:
    told = on_board(board, table, cards="7c 7h")
    assert paid(told, "play_the_board") == ("lose", "-2.00", "12.G")


@pytest.mark.clause("md-uth", "7.F(7)")
def test_7_F_7_hole_cards_neither_help_nor_hurt_the_board() -> None:
    told = on_board("Th Ts 9d 8s 6d", cards="Tc Td")
    assert told.seat(1)["hand"] == "four_of_a_kind"
    assert told.net("play_the_board") == "2.00"
    told = on_board("Ah Ks Qd Js 9d", cards="Ac As", dealer="Ad 2c")
    assert told.result("play_the_board") == "lose"
