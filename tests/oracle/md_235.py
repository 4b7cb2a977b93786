"""235 Stud Poker, Maryland."""

from __future__ import annotations

from typing import Any

from tests.oracle.common import (
    DOLLAR,
    ONE_TO_ONE,
    Account,
    For,
    Line,
    Meters,
    Paytable,
    Push,
    Share,
    To,
    add_envy,
    by_table,
    counterclockwise,
    cut_last,
    progressive,
    win,
)
from tests.oracle.hands import (
    TEN,
    Card,
    best_name,
    pair_rank,
    three_card_name,
    two_card_name,
)
from tests.oracle.request import Round, Rules, Seat, read_round

TWO_CARD: Paytable = {"pair": To(1), "flush": To(1), "straight": To(1)}  # 12.A
THREE_CARD: Paytable = {  # 12.B
    "mini_royal": To(50),
    "straight_flush": To(20),
    "three_of_a_kind": To(10),
    "straight": To(5),
    "flush": To(3),
    "pair": To(1),
}
FIVE_CARD: Paytable = {  # 12.C
    "royal_flush": To(500),
    "straight_flush": To(250),
    "four_of_a_kind": To(100),
    "full_house": To(25),
    "flush": To(20),
    "straight": To(15),
    "three_of_a_kind": To(7),
    "two_pair": To(3),
    "pair_tens_or_better": To(1),
}
WIN_EM_ALL: Paytable = {"win_em_all": To(12)}  # 12.D
BELOW_QUADS: Paytable = {
    "full_house": For(50),
    "flush": For(40),
    "straight": For(30),
    "three_of_a_kind": For(9),
}
PROGRESSIVE: dict[str, Paytable] = {  # 12.E
    "A": {
        "royal_flush": Share(100, "main"),
        "straight_flush": Share(10, "main"),
        "four_of_a_kind": For(300),
        **BELOW_QUADS,
    },
    "B": {
        "royal_flush": Share(100, "main"),
        "straight_flush": Share(10, "main"),
        "four_of_a_kind": For(300),
        **BELOW_QUADS,
    },
    "C": {
        "royal_flush": Share(100, "major"),
        "straight_flush": Share(100, "minor"),
        "four_of_a_kind": For(300),
        **BELOW_QUADS,
    },
    "D": {
        "royal_flush": Share(100, "mega"),
        "straight_flush": Share(100, "major"),
        "four_of_a_kind": Share(100, "minor"),
        **BELOW_QUADS,
    },
}
SEEDS: dict[str, dict[str, int]] = {  # 12.F(2), dollars
    "A": {"main": 10_000},
    "B": {"main": 2_000},
    "C": {"major": 10_000, "minor": 1_000},
    "D": {"mega": 10_000, "major": 1_000, "minor": 250},
}
ENVY = {  # 12.I, 12.J: dollars by the receiver's stake, the same in all four tables
    1 * DOLLAR: {"royal_flush": 1_000, "straight_flush": 300},
    5 * DOLLAR: {"royal_flush": 5_000, "straight_flush": 1_500},
}

RULES = Rules(
    required=("two_card_poker", "three_card_poker", "five_card_poker"),
    optional=("win_em_all", "progressive"),
    stages=(("raise", "check"), ("raise", "check")),
    paytables={
        "two_card_poker": {"only": TWO_CARD},
        "three_card_poker": {"only": THREE_CARD},
        "five_card_poker": {"only": FIVE_CARD},
        "win_em_all": {"only": WIN_EM_ALL},
        "progressive": PROGRESSIVE,
    },
    readings={
        "ace_low_straights": ("none", "two_card", "three_card", "both"),
        "raise_pays": ("paytable", "even_money"),
        "five_card_low_pair": ("loses", "pushes"),
    },
    progressive_stakes=(1 * DOLLAR, 5 * DOLLAR),  # C15
    several_seats=True,  # 7.F
    hole_cards=3,
    board_cards=2,
    has_dealer=False,
)


def settle(request: dict[str, Any]) -> dict[str, Any]:
    given = read_round(request, RULES)
    dollars = SEEDS[given.chosen["progressive"]]
    seeds = {name: amount * DOLLAR for name, amount in dollars.items()}
    meters = Meters.opened(seeds, given.given_meters)
    by_number = {seat.number: seat for seat in given.seats}
    accounts = [settle_seat(given, by_number[n], meters) for n in counterclockwise(by_number)]
    add_envy(accounts, lambda stake, hand: ENVY[stake][hand] * DOLLAR)
    by_seat = {account.seat: account for account in accounts}
    return {
        "rulebook": "md-235",
        "dealer": None,
        "seats": [by_seat[seat.number].output() for seat in given.seats],
        "meters": meters.output(),
    }


def five(given: Round, seat: Seat) -> list[Card]:
    return seat.cards + given.community


def settle_seat(given: Round, seat: Seat, meters: Meters) -> Account:
    """The order of C20."""
    hand = best_name(five(given, seat))
    account = Account(seat.number, seat.person, hand)
    two, three, last = two_card(given, seat), three_card(given, seat), five_card(given, seat)
    account.lines = [
        two,
        three,
        *raised(given, seat, 0, three),
        last,
        *raised(given, seat, 1, last),
    ]
    if "win_em_all" in seat.stakes:
        key = "win_em_all" if all(line.result == "win" for line in (two, three, last)) else ""  # C7
        stake = seat.stakes["win_em_all"]
        account.lines.append(by_table("win_em_all", stake, WIN_EM_ALL, key))
    cut_last(account.lines, payout_limit(given))  # 12.K covers A to D, not the progressive
    if hand in ENVY[1 * DOLLAR]:
        account.envy_hand = hand  # 1.B(2): the holder need not have bet (C18)
    if "progressive" in seat.stakes:
        account.live_progressive = seat.stakes["progressive"]
        pay = given.table("progressive").get(hand)
        account.lines.append(progressive(account.live_progressive, pay, meters))
    return account


def payout_limit(given: Round) -> int:
    """The greater of $50,000 and the best win at the minimum; only less can be stated (C14)."""
    raises = 1 + 1 if given.reads("raise_pays", "even_money") else 50 + 500
    most = max(50_000 * DOLLAR, (1 + 50 + 500 + 12 + raises) * given.minimum)
    return most if given.limit is None else min(given.limit, most)


def two_card(given: Round, seat: Seat) -> Line:
    """The first two cards dealt (C3)."""
    low = given.readings["ace_low_straights"] in ("two_card", "both")  # C2
    hand = two_card_name(seat.cards[:2], low)
    return by_table("two_card_poker", seat.stakes["two_card_poker"], TWO_CARD, hand)


def three_card(given: Round, seat: Seat) -> Line:
    """The player's own three cards (C3)."""
    low = given.readings["ace_low_straights"] in ("three_card", "both")  # C2
    hand = three_card_name(seat.cards, low)
    return by_table("three_card_poker", seat.stakes["three_card_poker"], THREE_CARD, hand)


def five_card(given: Round, seat: Seat) -> Line:
    cards = five(given, seat)
    hand = best_name(cards)
    table = dict(FIVE_CARD)
    if hand == "pair" and pair_rank(cards) >= TEN:
        hand = "pair_tens_or_better"
    if given.reads("five_card_low_pair", "pushes"):  # C8
        table["pair"] = Push()
    return by_table("five_card_poker", seat.stakes["five_card_poker"], table, hand)


def raised(given: Round, seat: Seat, decision: int, base: Line) -> list[Line]:
    """A Raise doubles its bet and shares its fate (C1); no line after a check."""
    if seat.actions[decision] == "check":
        return []
    wager = ("three_card_raise", "five_card_raise")[decision]
    if base.result == "win" and given.reads("raise_pays", "even_money"):
        return [win(wager, base.stake, ONE_TO_ONE)]
    return [Line(wager, base.stake, base.result, won=base.won, lost=base.lost)]
