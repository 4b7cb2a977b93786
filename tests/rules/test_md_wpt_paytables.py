"""Heads-Up Hold'Em: every line of the Odds, Bad Beat, Pocket Bonus and Trips Plus paytables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from tests.rules.table import Settled, seat, settle

BOOK = "md-wpt"


class Deal(NamedTuple):
    cards: str
    board: str
    dealer: str


def dealt(
    deal: Deal,
    bets: Mapping[str, int | str] | None = None,
    said: str = "3x",
    number: int = 1,
    **told: Any,
) -> Settled:
    wagers: dict[str, Any] = {"ante": 10, "odds": 10, **(bets or {})}
    told_seat = seat(deal.cards, said, number, **wagers)
    return settle(BOOK, told_seat, community=deal.board, dealer=deal.dealer, **told)


WINNING = {
    "royal flush": Deal("As Ks", "Qs Js Ts 2c 3h", "2d 9c"),
    "straight flush": Deal("9h 8h", "7h 6h 5h Kc 2d", "Ks 3c"),
    "lowest straight flush": Deal("Ad 3d", "2d 5d 4d Kc Kh", "Ks 3c"),
    "four of a kind": Deal("8s 8h", "8d 8c 4s Kc 2d", "Ks 3c"),
    "full house": Deal("8s 8h", "8d 4c 4s Kc 2d", "Ks 3c"),
    "flush": Deal("Ah 9h", "7h 4h 2h Kc 3d", "Ks Qc"),
    "straight": Deal("9h 8c", "7d 6s 5h Kc 2d", "Ks Qc"),
    "lowest straight": Deal("Ah 3c", "2d 5s 4h Kc Td", "Ks Qc"),
    "three of a kind": Deal("8s 8h", "8d 5c 3s Kc Jd", "Ks Qc"),
    "two pair": Deal("8s 5h", "8d 5c 3s Kc Jd", "Ks Qc"),
    "pair": Deal("As 5h", "Ad 8c 3s Kc Jd", "Ks Qc"),
    "high card": Deal("As Qh", "9d 8c 3s 5c 2d", "Ks Jc"),
}


@pytest.mark.clause(BOOK, "12.A")
@pytest.mark.parametrize("hand", ["royal flush", "flush", "pair"])
def test_12_A_ante_and_raise_pay_even_money_whatever_the_hand(hand: str) -> None:
    settled = dealt(WINNING[hand], said="check 2x")
    for wager, won in (("ante", "10.00"), ("raise", "20.00")):
        assert settled.result(wager) == "win"
        assert settled.net(wager) == won
        assert settled.clause(wager) == "12.A"


@pytest.mark.clause(BOOK, "12.B", "12.B(1)")
@pytest.mark.parametrize(
    ("hand", "net", "clause"),
    [
        ("royal flush", "5000.00", "12.B(1)(a)"),
        ("straight flush", "500.00", "12.B(1)(b)"),
        ("lowest straight flush", "500.00", "12.B(1)(b)"),
        ("four of a kind", "100.00", "12.B(1)(c)"),
        ("full house", "30.00", "12.B(1)(d)"),
        ("flush", "15.00", "12.B(1)(e)"),
        ("straight", "10.00", "12.B(1)(f)"),
        ("lowest straight", "10.00", "12.B(1)(f)"),
        ("three of a kind", "0.00", "12.B(1)(g)"),
        ("two pair", "0.00", "12.B(1)(g)"),
        ("pair", "0.00", "12.B(1)(g)"),
        ("high card", "0.00", "12.B(1)(g)"),
    ],
)
def test_12_B_1_winning_odds(hand: str, net: str, clause: str) -> None:
    settled = dealt(WINNING[hand])
    assert settled.result("odds") == ("push" if net == "0.00" else "win")
    assert settled.net("odds") == net
    assert settled.clause("odds") == clause


@pytest.mark.clause(BOOK, "12.B(1)")
def test_12_B_1_three_to_two_is_paid_to_the_cent() -> None:
    assert dealt(WINNING["flush"], {"ante": 5, "odds": 5}).net("odds") == "7.50"
    assert dealt(WINNING["flush"], {"ante": "2.50", "odds": "2.50"}).net("odds") == "3.75"


LOSING = {
    "straight flush": Deal("6s 5s", "9s 8s 7s 2d 2c", "Js Ts"),
    "four of a kind": Deal("Kd Kc", "As Ah Ks Kh 2d", "Ad Ac"),
    "full house": Deal("Kd 3c", "As Ah Ks Kh 2c", "Ad 3d"),
    "flush": Deal("8s 3d", "As Ks Qs Js 2d", "9s 3c"),
    "straight": Deal("6c 5s", "9s 8h 7d 2c 2d", "Jc Ts"),
}
# To 1, in the order of the hands above. The documents letter them (a), (b), (c), (e), (f).
BAD_BEAT = {
    "A": ("12.C(1)", [500, 50, 10, 8, 5]),
    "B": ("12.C(2)", [500, 50, 10, 6, 5]),
    "C": ("12.C(3)", [500, 50, 10, 5, 4]),
    "D": ("12.C(4)", [500, 25, 6, 5, 4]),
}


def bad_beats() -> Iterator[Any]:
    for table, (clause, odds) in BAD_BEAT.items():
        for letter, pays, hand in zip("abcef", odds, LOSING, strict=True):
            marks = pytest.mark.clause(BOOK, clause, "12.C", "11.H(4)(c)(ii)", "1.B(1)")
            told = f"{table} {hand}"
            yield pytest.param(table, hand, pays, f"{clause}({letter})", marks=marks, id=told)


@pytest.mark.parametrize(("table", "hand", "pays", "clause"), list(bad_beats()))
def test_12_C_bad_beat_bonus(table: str, hand: str, pays: int, clause: str) -> None:
    settled = dealt(LOSING[hand], paytables={"bad_beat_bonus": table})
    assert settled.result("odds") == "win"
    assert settled.net("odds") == f"{pays * 10}.00"
    assert settled.clause("odds") == clause
    assert settled.net("ante") == "-10.00"
    assert settled.net("raise") == "-30.00"


@pytest.mark.clause(BOOK, "1.B(1)")
def test_1_B_1_no_bonus_below_a_straight_nor_for_a_hand_that_ties() -> None:
    trips = Deal("2s Kh", "9s 8h 7d 2c 2d", "Jc Ts")
    assert dealt(trips).net("odds") == "-10.00"
    tied = Deal("3c 3d", "9s 8h 7d 6c 5d", "4h 4s")
    assert dealt(tied).net("odds") == "0.00"


POCKET = {
    "a": ["Ah Ad", "As Ac", "Ah Ac"],
    "b": ["Ah Kh", "Qs As", "Ac Jc", "Ad Qd"],
    "c": ["Ah Kd", "Qs Ah", "Ac Jd"],
    "d": ["Kh Kd", "Qh Qd", "Jh Jd", "Th Td", "8h 8c", "2h 2d"],
}
# To 1: aces, suited, offsuit, other pairs.
POCKET_BONUS = {
    "A": ("12.D(1)", [30, 20, 10, 5]),
    "B": ("12.D(2)", [25, 20, 10, 5]),
    "C": ("12.D(3)", [30, 20, 10, 4]),
}


def pockets() -> Iterator[Any]:
    for table, (clause, odds) in POCKET_BONUS.items():
        for (letter, holdings), pays in zip(POCKET.items(), odds, strict=True):
            for cards in holdings:
                marks = pytest.mark.clause(BOOK, clause, "12.D", "7.F(2)")
                told = f"{table} {cards}"
                yield pytest.param(table, cards, pays, f"{clause}({letter})", marks=marks, id=told)


@pytest.mark.parametrize(("table", "cards", "pays", "clause"), list(pockets()))
def test_12_D_pocket_bonus(table: str, cards: str, pays: int, clause: str) -> None:
    deal = Deal(cards, "7c 7s 5s 3d 9s", "9c 4h")
    settled = dealt(deal, {"pocket_bonus": 5}, paytables={"pocket_bonus": table})
    assert settled.result("pocket_bonus") == "win"
    assert settled.net("pocket_bonus") == f"{pays * 5}.00"
    assert settled.clause("pocket_bonus") == clause


@pytest.mark.clause(BOOK, "12.D(1)", "12.D(2)", "12.D(3)", "7.F(2)")
@pytest.mark.parametrize("table", POCKET_BONUS)
@pytest.mark.parametrize("cards", ["Ah Th", "Ah Td", "Kh Qh", "Kh Qd", "3h 2h", "7d 5h"])
def test_12_D_pocket_bonus_loses_with_anything_else(table: str, cards: str) -> None:
    deal = Deal(cards, "7c 7s 5s 3d 9s", "9c 4h")
    settled = dealt(deal, {"pocket_bonus": 5}, paytables={"pocket_bonus": table})
    assert settled.result("pocket_bonus") == "lose"
    assert settled.net("pocket_bonus") == "-5.00"


PAID_BY_TRIPS_PLUS = [
    "royal flush",
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
]
TRIPS_PLUS = {
    "A": ("12.E(1)", [100, 40, 30, 9, 7, 4, 3]),
    "B": ("12.E(2)", [100, 40, 30, 8, 6, 5, 3]),
    "C": ("12.E(3)", [100, 40, 30, 7, 6, 5, 3]),
    "D": ("12.E(4)", [100, 40, 30, 8, 7, 4, 3]),
}


def trips() -> Iterator[Any]:
    for table, (clause, odds) in TRIPS_PLUS.items():
        for letter, pays, hand in zip("abcdefg", odds, PAID_BY_TRIPS_PLUS, strict=True):
            marks = pytest.mark.clause(BOOK, clause, "12.E", "7.F(3)")
            told = f"{table} {hand}"
            yield pytest.param(table, hand, pays, f"{clause}({letter})", marks=marks, id=told)


@pytest.mark.parametrize(("table", "hand", "pays", "clause"), list(trips()))
def test_12_E_trips_plus(table: str, hand: str, pays: int, clause: str) -> None:
    settled = dealt(WINNING[hand], {"trips_plus": 5}, paytables={"trips_plus": table})
    assert settled.result("trips_plus") == "win"
    assert settled.net("trips_plus") == f"{pays * 5}.00"
    assert settled.clause("trips_plus") == clause


@pytest.mark.clause(BOOK, "12.E(1)", "12.E(2)", "12.E(3)", "12.E(4)")
@pytest.mark.parametrize("table", TRIPS_PLUS)
@pytest.mark.parametrize("hand", ["two pair", "pair", "high card"])
def test_12_E_trips_plus_loses_below_three_of_a_kind(table: str, hand: str) -> None:
    settled = dealt(WINNING[hand], {"trips_plus": 5}, paytables={"trips_plus": table})
    assert settled.result("trips_plus") == "lose"
    assert settled.net("trips_plus") == "-5.00"


@pytest.mark.clause(BOOK, "7.F(3)", "11.I(3)", "1.B(3)")
def test_7_F_3_trips_plus_counts_community_cards_alone_as_well() -> None:
    deal = Deal("Ah Kd", "9s 9h 9d 4c 2s", "Qc Jd")
    assert dealt(deal, {"trips_plus": 5}).clause("trips_plus") == "12.E(1)(g)"


LIMITED: dict[str, Any] = {"options": {"payout_limit": "50000", "minimum_wager": "5"}}
POCKET_ACES_ROYAL = Deal("As Ah", "Qs Js Ts Ks 3h", "3d 9c")


@pytest.mark.clause(BOOK, "12.E'", "12.E'(2)")
def test_12_E_2_the_limit_cuts_what_a_hand_wins_but_never_the_progressive() -> None:
    bets = {"ante": 100, "odds": 100, "pocket_bonus": 5, "trips_plus": 5, "progressive": 1}
    wagers = ("ante", "odds", "raise", "pocket_bonus", "trips_plus", "progressive")
    free = dealt(POCKET_ACES_ROYAL, bets)
    paid = [free.net(wager) for wager in wagers]
    assert paid == ["100.00", "50000.00", "300.00", "150.00", "500.00", "499.00"]
    cut = dealt(POCKET_ACES_ROYAL, bets, **LIMITED)
    paid = [cut.net(wager) for wager in wagers]
    assert paid == ["100.00", "49900.00", "0.00", "0.00", "0.00", "499.00"]
    odds = cut.line("odds")
    assert odds is not None
    assert "12.E'" in odds["explanation"]


@pytest.mark.clause(BOOK, "12.E'")
def test_12_E_a_limit_that_is_not_reached_changes_nothing() -> None:
    settled = dealt(POCKET_ACES_ROYAL, {"ante": 96, "odds": 96}, **LIMITED)
    assert settled.net("odds") == "48000.00"
    assert settled.net("raise") == "288.00"


@pytest.mark.clause(BOOK, "12.E'")
def test_12_E_the_limit_holds_for_a_bad_beat_too() -> None:
    settled = dealt(LOSING["straight flush"], {"ante": 200, "odds": 200}, **LIMITED)
    assert settled.net("odds") == "50000.00"
    assert settled.net("ante") == "-200.00"
