"""World Poker Tour Heads-Up Hold'Em, Maryland."""

from __future__ import annotations

from typing import Any

from tests.oracle.common import (
    DOLLAR,
    Account,
    Fixed,
    Line,
    Meters,
    Paytable,
    Share,
    To,
    add_envy,
    by_table,
    counterclockwise,
    cut_last,
    lose,
    odds_cents,
    progressive,
    push,
)
from tests.oracle.hands import ACE, best_name, royal_suit
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

ODDS: dict[str, Paytable] = {  # 12.B
    "A": {
        "royal_flush": To(500),
        "straight_flush": To(50),
        "four_of_a_kind": To(10),
        "full_house": To(3),
        "flush": To(3, 2),
        "straight": To(1),
    }
}
LOST_HANDS = ("straight_flush", "four_of_a_kind", "full_house", "flush", "straight")
BAD_BEAT: dict[str, Paytable] = {  # 12.C
    "A": dict(zip(LOST_HANDS, (To(500), To(50), To(10), To(8), To(5)), strict=True)),
    "B": dict(zip(LOST_HANDS, (To(500), To(50), To(10), To(6), To(5)), strict=True)),
    "C": dict(zip(LOST_HANDS, (To(500), To(50), To(10), To(5), To(4)), strict=True)),
    "D": dict(zip(LOST_HANDS, (To(500), To(25), To(6), To(5), To(4)), strict=True)),
}
POCKET: dict[str, Paytable] = {  # 12.D
    "A": {
        "pocket_aces": To(30),
        "ace_with_king_queen_or_jack_suited": To(20),
        "ace_with_king_queen_or_jack_offsuit": To(10),
        "pocket_pair_2s_to_kings": To(5),
    },
    "B": {
        "pocket_aces": To(25),
        "ace_with_king_queen_or_jack_suited": To(20),
        "ace_with_king_queen_or_jack_offsuit": To(10),
        "pocket_pair_2s_to_kings": To(5),
    },
    "C": {
        "pocket_aces": To(30),
        "ace_with_king_queen_or_jack_suited": To(20),
        "ace_with_king_queen_or_jack_offsuit": To(10),
        "pocket_pair_2s_to_kings": To(4),
    },
}
PAID_HANDS = ("royal_flush", *LOST_HANDS, "three_of_a_kind")
TRIPS_PLUS: dict[str, Paytable] = {  # 12.E
    "A": dict(zip(PAID_HANDS, map(To, (100, 40, 30, 9, 7, 4, 3)), strict=True)),
    "B": dict(zip(PAID_HANDS, map(To, (100, 40, 30, 8, 6, 5, 3)), strict=True)),
    "C": dict(zip(PAID_HANDS, map(To, (100, 40, 30, 7, 6, 5, 3)), strict=True)),
    "D": dict(zip(PAID_HANDS, map(To, (100, 40, 30, 8, 7, 4, 3)), strict=True)),
}
ALL, TENTH, TWENTIETH = Share(100, "main"), Share(10, "main"), Share(5, "main")
SPADES, FLOPPED = "flopped_royal_flush_spades", "flopped_royal_flush"
COMMUNITY, ROYAL, FLOPPED_SF = "community_royal_flush", "royal_flush", "flopped_straight_flush"
SF, QUADS, FULL, FLUSH = "straight_flush", "four_of_a_kind", "full_house", "flush"
PROGRESSIVE: dict[str, Paytable] = {  # 12.D'(1)
    "A": {
        **{SPADES: ALL, FLOPPED: TENTH, ROYAL: TENTH, COMMUNITY: TENTH},
        **{SF: Fixed(200), QUADS: Fixed(50), FULL: Fixed(10), FLUSH: Fixed(5)},
    },
    "B": {
        **{SPADES: ALL, FLOPPED: Fixed(1_000), ROYAL: Fixed(1_000), COMMUNITY: Fixed(1_000)},
        **{SF: Fixed(200), QUADS: Fixed(50), FULL: Fixed(10), FLUSH: Fixed(5)},
    },
    "C": {
        **{SPADES: ALL, FLOPPED: TENTH, ROYAL: TENTH, COMMUNITY: TENTH},
        **{SF: Fixed(500), QUADS: Fixed(100), FULL: Fixed(10)},
    },
    "D": {
        **{SPADES: ALL, FLOPPED: ALL, ROYAL: Fixed(1_000), COMMUNITY: Fixed(1_000)},
        **{SF: Fixed(500), QUADS: Fixed(100), FULL: Fixed(10)},
    },
    "E": {
        **{SPADES: ALL, FLOPPED: ALL, ROYAL: Fixed(3_000), COMMUNITY: Fixed(3_000)},
        **{SF: Fixed(250), QUADS: Fixed(100), FULL: Fixed(10)},
    },
    "F": {
        **{SPADES: ALL, FLOPPED: ALL, ROYAL: TWENTIETH, COMMUNITY: Fixed(3_000)},
        **{SF: Fixed(250), QUADS: Fixed(100), FULL: Fixed(10)},
    },
    "G": {
        **{SPADES: ALL, FLOPPED: ALL, ROYAL: ALL, COMMUNITY: Fixed(1_000)},
        **{SF: Fixed(250), QUADS: Fixed(75), FULL: Fixed(11)},
    },
    "H": {
        **{SPADES: ALL, FLOPPED: ALL, ROYAL: ALL, COMMUNITY: Fixed(1_000)},
        **{SF: Fixed(300), QUADS: Fixed(100), FULL: Fixed(10)},
    },
    "I": {
        **{FLOPPED_SF: ALL, ROYAL: Fixed(2_000)},
        **{SF: Fixed(250), QUADS: Fixed(50), FULL: Fixed(7), FLUSH: Fixed(5)},
    },
    "J": {
        **{FLOPPED: ALL, ROYAL: ALL, COMMUNITY: Fixed(1_000)},
        **{SF: Fixed(250), QUADS: Fixed(75), FULL: Fixed(11)},
    },
}
SEEDS: dict[str, dict[str, int]] = {  # 12.D'(3)(b), dollars
    **{letter: {"main": 5_000} for letter in "ABCDE"},
    "F": {"main": 6_000},
    **{letter: {"main": 2_000} for letter in "GHJ"},
    "I": {"main": 2_500},
}
ENVY = {FLOPPED: 100, ROYAL: 100}  # 12.D'(7)(a), dollars; only with J (B19)

RULES = Rules(
    required=("ante", "odds"),
    optional=("pocket_bonus", "trips_plus", "progressive"),
    stages=THREE_TWO_ONE,
    paytables={
        "odds": ODDS,
        "bad_beat_bonus": BAD_BEAT,
        "pocket_bonus": POCKET,
        "trips_plus": TRIPS_PLUS,
        "progressive": PROGRESSIVE,
    },
    readings={
        "side_wagers_after_fold": ("stand", "lose"),
        "bad_beat_keeps_odds": ("yes", "no"),
        "paytable_i_flopped_royal": ("meter", "royal_line"),
    },
    progressive_stakes=(1 * DOLLAR,),  # B15
    several_seats=False,  # 7.G
)


def settle(request: dict[str, Any]) -> dict[str, Any]:
    given = read_round(request, RULES)
    dollars = SEEDS[given.chosen["progressive"]]
    seeds = {name: amount * DOLLAR for name, amount in dollars.items()}
    meters = Meters.opened(seeds, given.given_meters)
    by_number = {seat.number: seat for seat in given.seats}
    accounts = [settle_seat(given, by_number[n], meters) for n in counterclockwise(by_number)]
    add_envy(accounts, lambda _, hand: ENVY[hand] * DOLLAR)
    by_seat = {account.seat: account for account in accounts}
    return {
        "rulebook": "md-wpt",
        "dealer": dealer_output(given),
        "seats": [by_seat[seat.number].output() for seat in given.seats],
        "meters": meters.output(),
    }


def settle_seat(given: Round, seat: Seat, meters: Meters) -> Account:
    hand = best_name(seven(given, seat))
    account = Account(seat.number, seat.person, hand)
    account.lines = main_lines(given, seat)
    # 11.F(3) keeps both of these after a fold, whatever the reading.
    for wager, line_key in (("pocket_bonus", pocket_hand(seat)), ("trips_plus", hand)):
        if wager in seat.stakes:
            line = by_table(wager, seat.stakes[wager], given.table(wager), line_key)
            account.lines.append(line)
    if given.limit is not None:
        cut_last(account.lines, given.limit)  # 12.E'(2): before the progressive joins; B1, B32
    settle_progressive(given, seat, meters, account)
    return account


def main_lines(given: Round, seat: Seat) -> list[Line]:
    if seat.folded:
        return folded_lines(seat, RULES.required)  # 11.F(2); no Bad Beat after a fold (B6)
    ante, sign = seat.stakes["ante"], compare(given, seat)
    hand = best_name(seven(given, seat))
    qualified = dealer_qualifies(given)
    return [
        even_money("ante", ante, sign) if qualified else push("ante", ante),  # 11.H(1)
        odds_line(given, seat.stakes["odds"], sign, hand),
        even_money("raise", ante * seat.multiple, sign),
    ]


def odds_line(given: Round, stake: int, sign: int, hand: str) -> Line:
    """11.H(4)(c)(ii): a beaten straight or better is paid the Bad Beat Bonus."""
    pay = given.table("bad_beat_bonus").get(hand)
    if sign < 0 and isinstance(pay, To):
        kept = given.reads("bad_beat_keeps_odds", "yes")  # B3
        lost = 0 if kept else stake
        return Line("odds", stake, "win", won=odds_cents(stake, pay), lost=lost)
    return ranked("odds", stake, sign, given.table("odds"), hand)


def pocket_hand(seat: Seat) -> str:
    high, low = sorted((rank for rank, _ in seat.cards), reverse=True)
    suited = "suited" if seat.cards[0][1] == seat.cards[1][1] else "offsuit"
    if high == low:
        return "pocket_aces" if high == ACE else "pocket_pair_2s_to_kings"
    if high == ACE and low in (11, 12, 13):
        return f"ace_with_king_queen_or_jack_{suited}"
    return ""


def royal_kind(given: Round, seat: Seat) -> str:
    """Which of the disjoint royal flushes this is (B9, B10), '' for none."""
    flopped = royal_suit(hole_and_flop(given, seat))
    if flopped:
        return SPADES if flopped == "s" else FLOPPED
    if royal_suit(given.community):
        return COMMUNITY
    return ROYAL if royal_suit(seven(given, seat)) else ""


def progressive_hand(given: Round, seat: Seat) -> str:
    """The line of the table in force that this hand is paid on (B8 to B13)."""
    royal = royal_kind(given, seat)
    if given.chosen["progressive"] == "I":
        flop = best_name(hole_and_flop(given, seat))
        counts = given.reads("paytable_i_flopped_royal", "meter")  # B12
        if flop == SF or (flop == ROYAL and counts):
            return FLOPPED_SF  # even where the turn makes a royal of it (B13)
        return ROYAL if royal else best_name(seven(given, seat))  # B11
    if royal == SPADES and SPADES not in given.table("progressive"):
        return FLOPPED
    return royal or best_name(seven(given, seat))


def settle_progressive(given: Round, seat: Seat, meters: Meters, account: Account) -> None:
    hand = progressive_hand(given, seat)
    stake = seat.stakes.get("progressive", 0)
    alive = not seat.folded or given.reads("side_wagers_after_fold", "stand")  # B17
    # B20: the holder need not have bet; a folded holder counts only while his bet is alive.
    shown = not seat.folded or (stake > 0 and alive)
    if given.chosen["progressive"] == "J" and hand in ENVY and shown:
        account.envy_hand = hand
    if not stake:
        return
    if not alive:
        account.lines.append(lose("progressive", stake))
        return
    account.live_progressive = stake
    account.lines.append(progressive(stake, given.table("progressive").get(hand), meters))
