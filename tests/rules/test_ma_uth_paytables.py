"""ma-uth sections 10 and 12: Blind, Trips, Cover All and the two payout limits.

The figures are copied by hand from the document.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.rules.table import Settled, refused, seat, settle

# Hole cards, board, dealer's cards: the player makes the hand and wins; the dealer has a pair.
WINNING = {
    "royal_flush": ("As Ks", "Qs Js Ts 2d 2h", "3c 4d"),
    "straight_flush": ("9h 8h", "7h 6h 5h Kd Kc", "2c 3d"),
    "four_of_a_kind": ("9c 9d", "9h 9s Kd Kc 2h", "3c 4d"),
    "full_house": ("Ac Ad", "Ah Kd Kc 7s 2h", "3c 4d"),
    "flush": ("Ah 9h", "Kh 6h 2h Kd 3c", "8c 8d"),
    "straight": ("9c 8d", "7h 6s 5d 5c Kh", "Ac Qd"),
    "three_of_a_kind": ("Qc Qd", "Qh 9s 5d 4c Kh", "Kc 2d"),
    "two_pair": ("Qc 9d", "Qh 9s 5d 4c Kh", "Kc 2d"),
    "pair": ("Ac Ad", "Qh 9s 5d 4c Kh", "Kc 2d"),
    "high_card": ("Ac Jd", "Qh 9s 5d 4c Kh", "7c 2d"),
}


def final(hand: str, trips: str = "A", **told: Any) -> Settled:
    cards, board, dealer = WINNING[hand]
    return settle(
        "ma-uth",
        seat(cards, "4x", ante=10, blind=10, trips=10),
        community=board,
        dealer=dealer,
        paytables={"trips": trips},
        **told,
    )


def paid(told: Settled, wager: str) -> tuple[str, str, str]:
    return told.result(wager), told.net(wager), told.clause(wager)


BLIND = {
    "royal_flush": ("win", "5000.00"),
    "straight_flush": ("win", "500.00"),
    "four_of_a_kind": ("win", "100.00"),
    "full_house": ("win", "30.00"),
    "flush": ("win", "15.00"),
    "straight": ("win", "10.00"),
    "three_of_a_kind": ("push", "0.00"),
    "two_pair": ("push", "0.00"),
    "pair": ("push", "0.00"),
    "high_card": ("push", "0.00"),
}


@pytest.mark.clause("ma-uth", "10(c)", "9(h)(2)")
@pytest.mark.parametrize("hand", BLIND)
def test_10_c_blind(hand: str) -> None:
    assert paid(final(hand), "blind") == (*BLIND[hand], "10(c)")


TO_TRIPS = list(WINNING)[:7]
TRIPS = {
    "A": (50, 40, 30, 9, 7, 4, 3),
    "B": (50, 40, 30, 8, 6, 5, 3),
    "C": (50, 40, 30, 8, 7, 4, 3),
    "D": (50, 40, 20, 7, 6, 5, 3),
}
TRIPS_CLAUSES = ["10(d)[A]", "10(d)[B]", "10(d)[C]", "10(d)[D]"]


@pytest.mark.clause("ma-uth", "10(d)", *TRIPS_CLAUSES, "9(h)(4)", "1.Trips wager")
@pytest.mark.parametrize("table", TRIPS)
@pytest.mark.parametrize("hand", TO_TRIPS)
def test_10_d_trips(table: str, hand: str) -> None:
    odds = TRIPS[table][TO_TRIPS.index(hand)]
    told = final(hand, table)
    assert paid(told, "trips") == ("win", f"{10 * odds}.00", f"10(d)[{table}]")


@pytest.mark.clause("ma-uth", *TRIPS_CLAUSES, "9(h)(4)", "1.Trips wager")
@pytest.mark.parametrize("table", TRIPS)
@pytest.mark.parametrize("hand", ["two_pair", "pair", "high_card"])
def test_9_h_4_trips_loses_below_three_of_a_kind(table: str, hand: str) -> None:
    assert paid(final(hand, table), "trips") == ("lose", "-10.00", "9(h)(4)")


@pytest.mark.clause("ma-uth", "9(h)(4)", "1.Trips wager")
def test_9_h_4_trips_pays_although_the_dealer_wins() -> None:
    told = settle(
        "ma-uth",
        seat("Qc Qd", "4x", ante=10, blind=10, trips=5),
        community="Qh 9s 5d 4c Kh",
        dealer="Kc Kd",
        paytables={"trips": "A"},
    )
    assert told.result("play") == "lose"
    assert told.net("trips") == "15.00"


# -- Cover All --------------------------------------------------------------------------------

# Seat 1 and the board make the hand; the other hands hold less.
HIGHEST = {
    "royal_flush": ("As Ks", "Qs Js Ts 2d 2h"),
    "straight_flush": ("9h 8h", "7h 6h 5h Kd Kc"),
    "four_of_a_kind": ("9c 9d", "9h 9s Kd Jc 2h"),
    "full_house": ("Ac Ad", "Ah Kd Jc 7s 7h"),
}
OTHERS = ["3c 4d", "4c 3d", "3h 4s", "4h 3s", "8s 5c"]
# Hands in the round, dealer's included, to the odds of HIGHEST.
COVER_ALL = {
    7: (70, 30, 20, 4),
    6: (80, 40, 30, 4),
    5: (100, 40, 35, 5),
    4: (125, 70, 40, 6),
    3: (150, 80, 50, 8),
    2: (200, 100, 70, 12),
}


def covered(*hands: str, board: str, dealer: str, said: str = "4x", **told: Any) -> Settled:
    """Everybody bets $2 on Cover All."""
    seats = [
        seat(cards, said, number, ante=10, blind=10, cover_all=2)
        for number, cards in enumerate(hands, start=1)
    ]
    return settle("ma-uth", *seats, community=board, dealer=dealer, **told)


@pytest.mark.clause("ma-uth", "12(k)", "12(c)", "12(b)", "12(f)")
@pytest.mark.parametrize("hands", COVER_ALL)
@pytest.mark.parametrize("hand", HIGHEST)
def test_12_k_cover_all_by_the_number_of_hands(hands: int, hand: str) -> None:
    cards, board = HIGHEST[hand]
    odds = COVER_ALL[hands][list(HIGHEST).index(hand)]
    told = covered(cards, *OTHERS[: hands - 2], board=board, dealer="Tc 6d")
    for number in range(1, hands):
        line = told.line("cover_all", number)
        assert line is not None
        assert (line["result"], line["net"], line["clause"]) == ("win", f"{2 * odds}.00", "12(k)")


@pytest.mark.clause("ma-uth", "12(b)", "12(g)")
def test_12_b_the_highest_hand_may_be_the_dealers() -> None:
    told = covered("3c 4d", "Qc Qd", board="7h 6h 5h Kd Qs", dealer="9h 8h")
    assert [told.net("cover_all", number) for number in (1, 2)] == ["160.00", "160.00"]


@pytest.mark.clause("ma-uth", "12(g)", "12(b)")
def test_12_g_only_the_highest_hand_pays() -> None:
    told = covered("9c 9d", "Kh Ks", "3c 4d", board="9h 9s Kd Kc 2h", dealer="2c 2d")
    assert [told.net("cover_all", number) for number in (1, 2, 3)] == ["80.00"] * 3
    told = covered("Ah Kh", "9c 9d", board="Qh Jh Th 9h 9s", dealer="2c 2d")
    assert [told.net("cover_all", number) for number in (1, 2)] == ["300.00"] * 2


@pytest.mark.clause("ma-uth", "12(b)", "12(c)")
def test_12_b_a_folded_hand_still_counts() -> None:
    told = settle(
        "ma-uth",
        seat("Ac Ad", "check check fold", 1, ante=10, blind=10),
        seat("3c 4d", "4x", 2, ante=10, blind=10, cover_all=2),
        community="Ah Kd Jc 7s 7h",
        dealer="Tc 6d",
    )
    assert told.net("cover_all", 2) == "16.00"


BELOW = {
    "flush": ("Ah 9h", "Kh 6h 2h Jd 3c"),
    "straight": ("9c 8d", "7h 6s 5d 2c Kh"),
    "three_of_a_kind": ("Qc Qd", "Qh 9s 5d 2c Kh"),
}


@pytest.mark.clause("ma-uth", "12(b)", "12(k)")
@pytest.mark.parametrize("hand", BELOW)
def test_12_b_below_a_full_house_cover_all_loses_as_read(hand: str) -> None:
    cards, board = BELOW[hand]
    told = covered(cards, board=board, dealer="Tc 7d")
    assert told.seat(1)["hand"] == hand
    assert paid(told, "cover_all") == ("lose", "-2.00", "12(b)")


@pytest.mark.clause("ma-uth", "12(b)")
@pytest.mark.parametrize("hand", BELOW)
def test_12_b_read_otherwise_cover_all_pushes_from_three_of_a_kind(hand: str) -> None:
    cards, board = BELOW[hand]
    readings = {"cover_all_below_full_house": "pushes"}
    told = covered(cards, board=board, dealer="Tc 7d", readings=readings)
    assert (told.result("cover_all"), told.net("cover_all")) == ("push", "0.00")


@pytest.mark.clause("ma-uth", "12(b)")
@pytest.mark.parametrize("reading", ["loses", "pushes"])
@pytest.mark.parametrize(("cards", "dealer"), [("Qc 9d", "2c 3d"), ("2c 3d", "2h 3h")])
def test_12_b_cover_all_loses_below_three_of_a_kind(cards: str, dealer: str, reading: str) -> None:
    readings = {"cover_all_below_full_house": reading}
    told = covered(cards, board="Qh 9s 5d 7c Kh", dealer=dealer, readings=readings)
    assert told.net("cover_all") == "-2.00"


@pytest.mark.clause("ma-uth", "12(a)")
def test_12_a_cover_all_needs_ante_and_blind_and_to_be_offered() -> None:
    board, dealer = "Qh 9s 5d 7c Kh", "2c 3d"
    alone = seat("Ac Ad", "4x", cover_all=2)
    assert refused("ma-uth", alone, community=board, dealer=dealer).code == "rule_broken"
    hand = seat("Ac Ad", "4x", ante=10, blind=10, cover_all=2)
    error = refused("ma-uth", hand, community=board, dealer=dealer, offered=["trips"])
    assert (error.code, error.clause) == ("rule_broken", "12(a)")


@pytest.mark.clause("ma-uth", "12(d)")
def test_12_d_cover_all_is_not_dealt_from_a_manual_shoe() -> None:
    hand = seat("Ac Ad", "4x", ante=10, blind=10, cover_all=2)
    error = refused(
        "ma-uth",
        hand,
        community="Qh 9s 5d 7c Kh",
        dealer="2c 3d",
        options={"dealing": "manual_shoe"},
    )
    assert (error.code, error.clause) == ("rule_broken", "12(d)")


# -- limits -----------------------------------------------------------------------------------

BASE = ("ante", "blind", "play", "trips")


def lucky(
    ante: int,
    trips: int = 0,
    minimum: int | None = None,
    limits: dict[str, Any] | None = None,
    **more: int,
) -> Settled:
    """A royal flush at 4x: 505 times the ante, and 50 times Trips."""
    wagers: dict[str, Any] = {"ante": ante, "blind": ante, **more}
    if trips:
        wagers["trips"] = trips
    return settle(
        "ma-uth",
        seat("As Ks", "4x", **wagers),
        community="Qs Js Ts 2d 2h",
        dealer="3c 4d",
        options={} if minimum is None else {"minimum_wager": minimum},
        meters={"main": "90000"},
        offered=["trips", "progressive", "cover_all"],
        limits=limits or {},
    )


def won(told: Settled, *wagers: str) -> Decimal:
    return sum((Decimal(told.net(wager)) for wager in wagers), Decimal(0))


@pytest.mark.clause("ma-uth", "10(e)")
@pytest.mark.parametrize(("ante", "net"), [(90, 49950), (91, 50000), (1000, 50000)])
def test_10_e_ante_play_blind_and_trips_win_fifty_thousand_at_most(ante: int, net: int) -> None:
    assert won(lucky(ante, ante), *BASE) == net
    assert won(lucky(ante, ante, minimum=5), *BASE) == net


@pytest.mark.clause("ma-uth", "10(e)")
def test_10_e_the_largest_payment_is_shortened() -> None:
    told = lucky(200, 100)
    assert [told.net(wager) for wager in BASE] == ["200.00", "44000.00", "800.00", "5000.00"]


@pytest.mark.clause("ma-uth", "10(e)")
@pytest.mark.parametrize(("ante", "net"), [(100, 55500), (101, 55500)])
def test_10_e_or_what_the_minimum_wager_can_win(ante: int, net: int) -> None:
    assert won(lucky(ante, ante, minimum=100), *BASE) == net


@pytest.mark.clause("ma-uth", "10(e)")
def test_10_e_the_least_ante_of_the_table_is_the_minimum_wager() -> None:
    limits = {"ante": {"minimum": 100}, "blind": {"minimum": 100}}
    assert won(lucky(100, 100, limits=limits), *BASE) == 55500


@pytest.mark.clause("ma-uth", "13(d)")
def test_13_d_everything_but_the_progressive_wins_seventy_five_thousand_at_most() -> None:
    told = lucky(1000, 1000, cover_all=1000)
    assert won(told, *BASE, "cover_all") == 75000
    told = lucky(1000, 1000, cover_all=125)
    assert won(told, *BASE, "cover_all") == 75000
    assert told.net("cover_all") == "25000.00"
    told = lucky(1000, 1000, cover_all=100)
    assert won(told, *BASE, "cover_all") == 70000


@pytest.mark.clause("ma-uth", "13(d)", "10(e)")
def test_13_d_is_the_ceiling_however_high_the_minimum_wager() -> None:
    assert won(lucky(200, 200, minimum=200), *BASE) == 75000


@pytest.mark.clause("ma-uth", "13(d)", "10(e)")
def test_13_d_the_progressive_is_apart() -> None:
    told = lucky(1000, 1000, cover_all=1000, progressive=5)
    assert won(told, *BASE, "cover_all") == 75000
    assert told.net("progressive") == "89995.00"


@pytest.mark.clause("ma-uth", "13(d)", "10(e)")
def test_13_d_envy_is_part_of_the_progressive() -> None:
    told = settle(
        "ma-uth",
        seat("Ah Kh", "4x", 1, ante=1000, blind=1000, cover_all=1000, progressive=5),
        seat("9h 8h", "4x", 2, ante=10, blind=10, progressive=5),
        community="Qh Jh Th 2c 2d",
        dealer="3c 4d",
    )
    assert won(told, "ante", "blind", "play", "cover_all") == 75000
    assert told.net("envy") == "300.00"
