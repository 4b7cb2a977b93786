"""Ultimate Texas Hold'em, Massachusetts."""

from __future__ import annotations

from typing import Any

from tests.oracle.common import (
    DOLLAR,
    Account,
    For,
    Line,
    Meters,
    Paytable,
    Share,
    To,
    add_envy,
    by_table,
    counterclockwise,
    cut_largest,
    lose,
    progressive,
    push,
)
from tests.oracle.hands import CATEGORIES, at_least, best_name, best_value
from tests.oracle.holdem import (
    FOUR_THREE_TWO_ONE,
    compare,
    dealer_output,
    dealer_qualifies,
    dealer_seven,
    even_money,
    folded_lines,
    hole_and_flop,
    ranked,
    seven,
)
from tests.oracle.request import Round, Rules, Seat, read_round

BLIND: dict[str, Paytable] = {  # 10(c)
    "only": {
        "royal_flush": To(500),
        "straight_flush": To(50),
        "four_of_a_kind": To(10),
        "full_house": To(3),
        "flush": To(3, 2),
        "straight": To(1),
    }
}
TRIPS: dict[str, Paytable] = {  # 10(d)
    "A": {
        "royal_flush": To(50),
        "straight_flush": To(40),
        "four_of_a_kind": To(30),
        "full_house": To(9),
        "flush": To(7),
        "straight": To(4),
        "three_of_a_kind": To(3),
    },
    "B": {
        "royal_flush": To(50),
        "straight_flush": To(40),
        "four_of_a_kind": To(30),
        "full_house": To(8),
        "flush": To(6),
        "straight": To(5),
        "three_of_a_kind": To(3),
    },
    "C": {
        "royal_flush": To(50),
        "straight_flush": To(40),
        "four_of_a_kind": To(30),
        "full_house": To(8),
        "flush": To(7),
        "straight": To(4),
        "three_of_a_kind": To(3),
    },
    "D": {
        "royal_flush": To(50),
        "straight_flush": To(40),
        "four_of_a_kind": To(20),
        "full_house": To(7),
        "flush": To(6),
        "straight": To(5),
        "three_of_a_kind": To(3),
    },
}
COVER_ALL: dict[int, Paytable] = {  # 12(k), by hands in the round with the dealer's
    7: {
        "royal_flush": To(70),
        "straight_flush": To(30),
        "four_of_a_kind": To(20),
        "full_house": To(4),
    },
    6: {
        "royal_flush": To(80),
        "straight_flush": To(40),
        "four_of_a_kind": To(30),
        "full_house": To(4),
    },
    5: {
        "royal_flush": To(100),
        "straight_flush": To(40),
        "four_of_a_kind": To(35),
        "full_house": To(5),
    },
    4: {
        "royal_flush": To(125),
        "straight_flush": To(70),
        "four_of_a_kind": To(40),
        "full_house": To(6),
    },
    3: {
        "royal_flush": To(150),
        "straight_flush": To(80),
        "four_of_a_kind": To(50),
        "full_house": To(8),
    },
    2: {
        "royal_flush": To(200),
        "straight_flush": To(100),
        "four_of_a_kind": To(70),
        "full_house": To(12),
    },
}
BELOW_QUADS: Paytable = {
    "full_house": For(50),
    "flush": For(40),
    "straight": For(30),
    "three_of_a_kind": For(9),
}
PROGRESSIVE: dict[str, Paytable] = {  # 13(e)
    "PTMGL01": {
        "royal_flush": Share(100, "main"),
        "straight_flush": Share(10, "main"),
        "four_of_a_kind": For(300),
        **BELOW_QUADS,
    },
    "PTMGL02": {
        "royal_flush": Share(100, "main"),
        "straight_flush": Share(10, "main"),
        "four_of_a_kind": For(300),
        **BELOW_QUADS,
    },
    "PTMGL04": {
        "straight_flush": Share(100, "main"),
        "four_of_a_kind": For(300),
        **BELOW_QUADS,
    },
    "PTMGLML01": {
        "royal_flush": Share(100, "major"),
        "straight_flush": Share(100, "minor"),
        "four_of_a_kind": For(300),
        **BELOW_QUADS,
    },
    "PTMGLML02": {
        "royal_flush": Share(100, "mega"),
        "straight_flush": Share(100, "major"),
        "four_of_a_kind": Share(100, "minor"),
        **BELOW_QUADS,
        "three_of_a_kind": For(10),
    },
    "PTMGLML03": {
        "royal_flush": Share(100, "mega"),
        "straight_flush": Share(100, "major"),
        "four_of_a_kind": Share(100, "minor"),
        **BELOW_QUADS,
    },
}
ENVY: dict[str, dict[str, int]] = {  # 13(e), the third column, dollars
    "PTMGL01": {"royal_flush": 1_000, "straight_flush": 300},
    "PTMGL02": {"royal_flush": 5_000, "straight_flush": 1_500},
    "PTMGL04": {"straight_flush": 250},
    "PTMGLML01": {"royal_flush": 1_000, "straight_flush": 300},
    "PTMGLML02": {"royal_flush": 1_000, "straight_flush": 300},
    "PTMGLML03": {"royal_flush": 1_000, "straight_flush": 300},
}
SEEDS: dict[str, dict[str, int]] = {  # 13(e), dollars for a $1 wager
    "PTMGL01": {"main": 10_000},
    "PTMGL02": {"main": 10_000},
    "PTMGL04": {"main": 1_000},
    "PTMGLML01": {"major": 10_000, "minor": 1_000},
    "PTMGLML02": {"mega": 10_000, "major": 1_000, "minor": 250},
    "PTMGLML03": {"mega": 10_000, "major": 1_000, "minor": 250},
}
STAKE = 5  # dollars, 13(a)

RULES = Rules(
    required=("ante", "blind"),
    optional=("trips", "progressive", "cover_all"),
    stages=FOUR_THREE_TWO_ONE,
    paytables={"blind": BLIND, "trips": TRIPS, "progressive": PROGRESSIVE},
    readings={
        "side_wagers_after_fold": ("stand", "lose"),
        "cover_all_below_full_house": ("loses", "pushes"),
        "progressive_seeds_scale": ("yes", "no"),
        "envy_scales": ("no", "yes"),
        "ptmgl04_royal_flush": ("straight_flush", "nothing"),
    },
    progressive_stakes=(STAKE * DOLLAR,),
    several_seats=False,  # section 11
)
BASE = ("ante", "blind", "play", "trips")
BASE_LIMIT = 50_000 * DOLLAR  # 10(e)
MOST_AT_MINIMUM = 1 + 500 + 4 + 50  # Ante, Blind, Play at 4x, Trips with a royal flush (MA-14)
ROUND_LIMIT = 75_000 * DOLLAR  # 13(d)


def settle(request: dict[str, Any]) -> dict[str, Any]:
    given = read_round(request, RULES)
    scale = STAKE if given.reads("progressive_seeds_scale", "yes") else 1  # MA-15
    dollars = SEEDS[given.chosen["progressive"]]
    seeds = {name: amount * scale * DOLLAR for name, amount in dollars.items()}
    meters = Meters.opened(seeds, given.given_meters)
    by_number = {seat.number: seat for seat in given.seats}
    accounts = [settle_seat(given, by_number[n], meters) for n in counterclockwise(by_number)]
    for account in accounts:  # 12(j): Cover All comes last
        settle_cover_all(given, by_number[account.seat], account)
        apply_limits(given, account)
    add_envy(accounts, lambda _, hand: envy_cents(given, hand))
    by_seat = {account.seat: account for account in accounts}
    return {
        "rulebook": "ma-uth",
        "dealer": dealer_output(given),
        "seats": [by_seat[seat.number].output() for seat in given.seats],
        "meters": meters.output(),
    }


def lives(given: Round, seat: Seat) -> bool:
    """MA-20, for Progressive and Cover All; Trips is kept by 9(e)(2)(i) in any case."""
    return not seat.folded or given.reads("side_wagers_after_fold", "stand")


def settle_seat(given: Round, seat: Seat, meters: Meters) -> Account:
    hand = best_name(seven(given, seat))
    account = Account(seat.number, seat.person, hand)
    account.lines = main_lines(given, seat)
    if "trips" in seat.stakes:
        stake = seat.stakes["trips"]
        account.lines.append(by_table("trips", stake, given.table("trips"), hand))  # 9(h)(4)
    settle_progressive(given, seat, meters, account)
    return account


def main_lines(given: Round, seat: Seat) -> list[Line]:
    if seat.folded:
        return folded_lines(seat, RULES.required)  # 9(e)(2)
    ante, sign = seat.stakes["ante"], compare(given, seat)
    hand = best_name(seven(given, seat))
    qualified = dealer_qualifies(given)
    return [
        even_money("ante", ante, sign) if qualified else push("ante", ante),  # 9(g), MA-05
        ranked("blind", seat.stakes["blind"], sign, given.table("blind"), hand),
        even_money("play", ante * seat.multiple, sign),
    ]


def progressive_hand(given: Round, seat: Seat) -> str:
    """13(f); PTMGL04 has no line for a royal flush (MA-16)."""
    hand = best_name(hole_and_flop(given, seat))
    as_straight_flush = given.reads("ptmgl04_royal_flush", "straight_flush")
    if hand == "royal_flush" and given.chosen["progressive"] == "PTMGL04" and as_straight_flush:
        return "straight_flush"
    return hand


def settle_progressive(given: Round, seat: Seat, meters: Meters, account: Account) -> None:
    hand = progressive_hand(given, seat)
    stake = seat.stakes.get("progressive", 0)
    must_bet = bool(given.options.get("envy_holder_must_bet", False))  # MA-18
    if hand in ENVY[given.chosen["progressive"]] and (stake or not must_bet):
        account.envy_hand = hand
    if not stake:
        return
    if not lives(given, seat):
        account.lines.append(lose("progressive", stake))
        return
    account.live_progressive = stake
    account.lines.append(progressive(stake, given.table("progressive").get(hand), meters))


def envy_cents(given: Round, hand: str) -> int:
    scale = STAKE if given.reads("envy_scales", "yes") else 1  # MA-17
    return ENVY[given.chosen["progressive"]][hand] * scale * DOLLAR


def highest_hand(given: Round) -> str:
    """Every hand that was dealt counts, folded or not (MA-25)."""
    hands = [dealer_seven(given), *(seven(given, seat) for seat in given.seats)]
    return CATEGORIES[max(best_value(cards) for cards in hands)[0]]


def settle_cover_all(given: Round, seat: Seat, account: Account) -> None:
    if "cover_all" not in seat.stakes:
        return
    stake, hand = seat.stakes["cover_all"], highest_hand(given)
    line = by_table("cover_all", stake, COVER_ALL[len(given.seats) + 1], hand)
    below = not at_least(hand, "full_house") and at_least(hand, "three_of_a_kind")  # 12(b)
    if below and given.reads("cover_all_below_full_house", "pushes"):  # MA-24
        line = push("cover_all", stake)
    account.lines.append(line if lives(given, seat) else lose("cover_all", stake))


def apply_limits(given: Round, account: Account) -> None:
    """Two caps, nested (MA-13); both are the document's, no submission is needed."""
    base = [line for line in account.lines if line.wager in BASE]
    everything = [line for line in account.lines if line.wager != "progressive"]
    cut_largest(base, min(max(BASE_LIMIT, MOST_AT_MINIMUM * given.minimum), ROUND_LIMIT))
    cut_largest(everything, ROUND_LIMIT)
