"""Jackpot Hold 'Em, Maryland."""

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
    by_table,
    counterclockwise,
    cut_last,
    lose,
    progressive,
    push,
)
from tests.oracle.hands import best_name, royal_suit
from tests.oracle.holdem import (
    THREE_TWO_ONE,
    compare,
    dealer_output,
    dealer_qualifies,
    even_money,
    folded_lines,
    hole_and_flop,
    ranked,
    seven,
)
from tests.oracle.request import Round, Rules, Seat, read_round

X_TRA: dict[str, Paytable] = {  # 12.B
    "A": {
        "royal_flush": To(500),
        "straight_flush": To(50),
        "four_of_a_kind": To(10),
        "full_house": To(4),
        "flush": To(2),
        "straight": To(1),
    }
}
PLAYER_BONUS: dict[str, Paytable] = {  # 12.C
    "A": {
        "royal_flush": To(100),
        "straight_flush": To(40),
        "four_of_a_kind": To(30),
        "full_house": To(8),
        "flush": To(7),
        "straight": To(4),
        "three_of_a_kind": To(3),
    }
}
PROGRESSIVE: dict[str, Paytable] = {  # 12.D(2)-(6)
    "A": {
        "royal_flush_diamonds": Share(100, "star"),
        "royal_flush_spades_hearts_clubs": Share(100, "spade"),
        "straight_flush": Share(100, "heart"),
        "four_of_a_kind": Share(100, "diamond"),
        "full_house": For(50),
        "flush": For(30),
        "straight": For(20),
        "three_of_a_kind": For(10),
        "two_pair": For(4),
    },
    "B": {
        "royal_flush_diamonds": Share(100, "star"),
        "royal_flush_spades_hearts_clubs": Share(100, "star"),
        "straight_flush": Share(100, "spade"),
        "four_of_a_kind": Share(100, "heart"),
        "full_house": Share(100, "diamond"),
        "flush": For(30),
        "straight": For(20),
        "three_of_a_kind": For(10),
        "two_pair": For(4),
    },
    "C": {
        "royal_flush_diamonds": Share(100, "star"),
        "royal_flush_spades_hearts_clubs": Share(100, "spade"),
        "straight_flush": Share(100, "heart"),
        "four_of_a_kind": Share(100, "diamond"),
        "full_house": For(60),
        "flush": For(40),
        "straight": For(30),
        "three_of_a_kind": For(15),
    },
    "D": {
        "royal_flush_diamonds": Share(100, "star"),
        "royal_flush_spades_hearts_clubs": Share(100, "star"),
        "straight_flush": Share(100, "spade"),
        "four_of_a_kind": Share(100, "heart"),
        "full_house": Share(100, "diamond"),
        "flush": For(50),
        "straight": For(30),
        "three_of_a_kind": For(15),
    },
    "E": {
        "royal_flush_diamonds": Share(100, "star"),
        "royal_flush_spades_hearts_clubs": Share(100, "spade"),
        "straight_flush": Share(100, "heart"),
        "four_of_a_kind": Share(100, "diamond"),
        "full_house": Share(100, "club"),
        "flush": For(50),
        "straight": For(30),
        "three_of_a_kind": For(10),
    },
}
SEEDS: dict[str, dict[str, int]] = {  # 12.E, dollars; no Club meter in A to D (A20)
    "A": {"star": 10_000, "spade": 5_000, "heart": 1_000, "diamond": 500},
    "B": {"star": 10_000, "spade": 1_000, "heart": 500, "diamond": 100},
    "C": {"star": 10_000, "spade": 5_000, "heart": 1_000, "diamond": 500},
    "D": {"star": 10_000, "spade": 1_000, "heart": 500, "diamond": 100},
    "E": {"star": 10_000, "spade": 10_000, "heart": 5_000, "diamond": 1_000, "club": 250},
}

RULES = Rules(
    required=("ante", "x_tra_bonus"),
    optional=("player_bonus", "progressive"),
    stages=THREE_TWO_ONE,
    paytables={"x_tra_bonus": X_TRA, "player_bonus": PLAYER_BONUS, "progressive": PROGRESSIVE},
    readings={
        "side_wagers_after_fold": ("stand", "lose"),
        "progressive_hand": ("first_three_community", "best_of_seven"),
        "ante_when_dealer_below_pair": ("returned", "lost_when_beaten"),
    },
    progressive_stakes=(),  # the operator's to say (A3)
    several_seats=True,  # 7.G
)


def settle(request: dict[str, Any]) -> dict[str, Any]:
    given = read_round(request, RULES)
    dollars = SEEDS[given.chosen["progressive"]]
    seeds = {name: amount * DOLLAR for name, amount in dollars.items()}
    meters = Meters.opened(seeds, given.given_meters)
    by_number = {seat.number: seat for seat in given.seats}
    accounts = [settle_seat(given, by_number[n], meters) for n in counterclockwise(by_number)]
    by_seat = {account.seat: account for account in accounts}
    return {
        "rulebook": "md-jackpot",
        "dealer": dealer_output(given),
        "seats": [by_seat[seat.number].output() for seat in given.seats],
        "meters": meters.output(),
    }


def settle_seat(given: Round, seat: Seat, meters: Meters) -> Account:
    hand = best_name(seven(given, seat))
    account = Account(seat.number, seat.person, hand)
    account.lines = main_lines(given, seat)
    alive = lives(given, seat)
    if "player_bonus" in seat.stakes:
        stake = seat.stakes["player_bonus"]
        paid = by_table("player_bonus", stake, given.table("player_bonus"), hand)  # 11.J
        account.lines.append(paid if alive else lose("player_bonus", stake))
    if given.limit is not None:
        cut_last(account.lines, given.limit)  # 12.F(2): before the progressive joins
    if "progressive" in seat.stakes:
        stake = seat.stakes["progressive"]
        pay = given.table("progressive").get(progressive_hand(given, seat))
        line = progressive(stake, pay, meters) if alive else lose("progressive", stake)
        account.lines.append(line)
    return account


def lives(given: Round, seat: Seat) -> bool:
    """By default a fold costs Ante and X-tra only (A14). Read the other way, the discards of
    11.G(3)(b) and (4)(b) take the side wagers with them.
    """
    return not seat.folded or given.reads("side_wagers_after_fold", "stand")


def main_lines(given: Round, seat: Seat) -> list[Line]:
    if seat.folded:
        return folded_lines(seat, RULES.required)  # 11.G(2)
    ante, sign = seat.stakes["ante"], compare(given, seat)
    hand = best_name(seven(given, seat))
    return [
        ante_line(given, ante, sign),
        ranked("x_tra_bonus", seat.stakes["x_tra_bonus"], sign, given.table("x_tra_bonus"), hand),
        even_money("play", ante * seat.multiple, sign),
    ]


def ante_line(given: Round, ante: int, sign: int) -> Line:
    if dealer_qualifies(given):
        return even_money("ante", ante, sign)
    if sign < 0 and given.reads("ante_when_dealer_below_pair", "lost_when_beaten"):  # A8
        return lose("ante", ante)
    return push("ante", ante)


def progressive_hand(given: Round, seat: Seat) -> str:
    three = given.reads("progressive_hand", "first_three_community")  # A1, A2
    cards = hole_and_flop(given, seat) if three else seven(given, seat)
    hand = best_name(cards)
    if hand != "royal_flush":
        return hand
    diamonds = royal_suit(cards) == "d"  # A19
    return "royal_flush_diamonds" if diamonds else "royal_flush_spades_hearts_clubs"
