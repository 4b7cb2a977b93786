"""Ultimate Texas Hold'em, Maryland."""

from __future__ import annotations

from typing import Any

from tests.oracle.common import (
    DOLLAR,
    Account,
    Fixed,
    For,
    Line,
    Meters,
    Pay,
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
from tests.oracle.hands import ACE, TEN, best_name, best_value, pair_rank, super_royal_suit
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
from tests.oracle.request import Round, Rules, Seat, read_round, refuse_unless

RANKED = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight")
TO_TRIPS = (*RANKED, "three_of_a_kind")
TO_TENS = (*TO_TRIPS, "two_pair", "pair_tens_or_better")
POCKET = (
    "pocket_aces",
    "ak_suited",
    "aq_or_aj_suited",
    "ak_offsuit",
    "pocket_jacks_queens_kings",
    "aq_or_aj_offsuit",
    "pocket_tens_or_less",
)


def to_one(hands: tuple[str, ...], *odds: int) -> dict[str, Pay]:
    return {hand: To(n) for hand, n in zip(hands, odds, strict=True)}


BLIND: dict[str, Paytable] = {  # 12.B
    "A": {
        "royal_flush": To(500),
        "straight_flush": To(50),
        "four_of_a_kind": To(10),
        "full_house": To(3),
        "flush": To(3, 2),
        "straight": To(1),
    },
    "B": {  # no line for a straight: it is returned (MD-05)
        "royal_flush": To(500),
        "straight_flush": To(50),
        "four_of_a_kind": To(10),
        "full_house": To(3),
        "flush": To(3, 2),
    },
}
TRIPS: dict[str, Paytable] = {  # 12.C
    "A": to_one(TO_TRIPS, 50, 40, 30, 9, 7, 4, 3),
    "B": to_one(TO_TRIPS, 50, 40, 30, 8, 6, 5, 3),
    "C": to_one(TO_TRIPS, 50, 40, 30, 8, 7, 4, 3),
    "D": to_one(TO_TRIPS, 50, 40, 20, 7, 6, 5, 3),
    "E": to_one(TO_TRIPS, 50, 40, 30, 7, 6, 5, 3),
}
PROGRESSIVE: dict[str, Paytable] = {  # 12.D(1)
    "A": {
        "royal_flush": Share(100, "main"),
        "straight_flush": Share(10, "main"),
        "four_of_a_kind": To(300),
        "full_house": To(50),
        "flush": To(40),
        "straight": To(30),
        "three_of_a_kind": To(9),
    },
    "B": {
        "royal_flush": Share(100, "major"),
        "straight_flush": Share(100, "minor"),
        "four_of_a_kind": For(300),
        "full_house": For(50),
        "flush": For(40),
        "straight": For(30),
        "three_of_a_kind": For(9),
    },
    "C": {
        "royal_flush": Share(100, "mega"),
        "straight_flush": Share(100, "major"),
        "four_of_a_kind": Share(100, "minor"),
        "full_house": For(50),
        "flush": For(40),
        "straight": For(30),
        "three_of_a_kind": For(10),
    },
    "D": {
        "royal_flush": Share(100, "mega"),
        "straight_flush": Share(100, "major"),
        "four_of_a_kind": Share(100, "minor"),
        "full_house": For(50),
        "flush": For(40),
        "straight": For(30),
        "three_of_a_kind": For(9),
    },
}
SEEDS: dict[str, dict[str, int]] = {  # 12.D(3)(b), dollars
    "A": {"main": 10_000},
    "B": {"major": 1_000, "minor": 250},
    "C": {"mega": 10_000, "major": 1_000, "minor": 250},
    "D": {"mega": 10_000, "major": 1_000, "minor": 250},
}
ENVY = {  # 12.D(6), (7): dollars by the receiver's stake, the same in all four tables
    1 * DOLLAR: {"royal_flush": 1_000, "straight_flush": 300},
    5 * DOLLAR: {"royal_flush": 5_000, "straight_flush": 1_500},
}
SIX_CARD: dict[str, Paytable] = {  # 12.E
    "A": {
        "super_royal_diamonds": Fixed(1_000_000),
        "super_royal_hearts_spades_clubs": Fixed(100_000),
        **to_one(TO_TRIPS, 1000, 200, 50, 20, 15, 10, 5),
    },
    "B": {
        "super_royal_any_suit": Fixed(100_000),
        **to_one(TO_TRIPS, 1000, 200, 50, 20, 15, 10, 5),
    },
}
PAIRS: dict[str, Paytable] = {  # 12.E'
    "A": to_one(POCKET, 30, 25, 20, 15, 10, 5, 3),
    "B": {
        "pocket_aces_player_and_dealer": To(1000),
        **to_one(POCKET, 30, 25, 20, 15, 10, 5, 3),
    },
    "C": to_one(POCKET, 30, 20, 20, 10, 5, 10, 5),
    "D": {
        "pocket_aces_hearts_diamonds": To(100),
        **to_one(POCKET, 30, 20, 20, 10, 4, 10, 4),
    },
    "E": {
        "pocket_aces_hearts_diamonds": To(50),
        **to_one(POCKET, 25, 20, 20, 10, 5, 10, 5),
    },
    "F": to_one(POCKET, 25, 20, 20, 10, 5, 10, 5),
}
BAD_BEAT: dict[str, Paytable] = {  # 12.F'
    "A": to_one(TO_TRIPS[1:], 10_000, 500, 40, 25, 20, 9),
    "B": to_one(TO_TRIPS[1:], 7_500, 500, 50, 30, 20, 9),
    "C": to_one(TO_TRIPS[1:], 2_500, 500, 50, 30, 20, 9),
}
BOARD: dict[str, Paytable] = {  # 12.G
    "A": to_one(TO_TENS, 1000, 200, 100, 50, 40, 25, 7, 3, 1),
    "B": to_one(TO_TENS, 1000, 200, 100, 50, 40, 25, 6, 3, 1),
    "C": to_one(TO_TENS, 1000, 200, 100, 50, 40, 20, 6, 3, 1),
}

RULES = Rules(
    required=("ante", "blind"),
    optional=(
        "trips",
        "progressive",
        "six_card_bonus",
        "ultimate_pairs",
        "bad_beat",
        "play_the_board",
    ),
    stages=FOUR_THREE_TWO_ONE,
    paytables={
        "blind": BLIND,
        "trips": TRIPS,
        "progressive": PROGRESSIVE,
        "six_card_bonus": SIX_CARD,
        "ultimate_pairs": PAIRS,
        "bad_beat": BAD_BEAT,
        "play_the_board": BOARD,
    },
    readings={
        "progressive_hand": ("hole_and_flop", "best_of_seven"),
        "bad_beat_loser": ("either_side", "player_only"),
        "progressive_a_odds": ("to", "for"),
        "six_card_bonus_needs_trips": ("yes", "no"),
        "side_wagers_after_fold": ("stand", "lose"),
        "side_wagers_after_exposed_card": ("returned", "settled"),
    },
    progressive_stakes=(1 * DOLLAR, 5 * DOLLAR),  # MD-26
    several_seats=True,  # 7.G
)
KEPT_AFTER_FOLD = ("trips", "six_card_bonus")  # 11.F(3), whatever the reading
CAPPED = ("ante", "blind", "play", "trips", "ultimate_pairs", "bad_beat", "play_the_board")  # MD-34


def settle(request: dict[str, Any]) -> dict[str, Any]:
    given = read_round(request, RULES)
    check_six_card(given)
    dollars = SEEDS[given.chosen["progressive"]]
    seeds = {name: amount * DOLLAR for name, amount in dollars.items()}
    meters = Meters.opened(seeds, given.given_meters)
    by_number = {seat.number: seat for seat in given.seats}
    accounts = [settle_seat(given, by_number[n], meters) for n in counterclockwise(by_number)]
    add_envy(accounts, lambda stake, hand: ENVY[stake][hand] * DOLLAR)
    by_seat = {account.seat: account for account in accounts}
    return {
        "rulebook": "md-uth",
        "dealer": dealer_output(given),
        "seats": [by_seat[seat.number].output() for seat in given.seats],
        "meters": meters.output(),
    }


def check_six_card(given: Round) -> None:
    for seat in given.seats:
        if "six_card_bonus" not in seat.stakes:
            continue
        refuse_unless(bool(given.bonus), "Six Card Bonus needs the four box cards")
        needs_trips = given.reads("six_card_bonus_needs_trips", "yes")  # 7.F(4)(b), MD-02
        refuse_unless("trips" in seat.stakes or not needs_trips, "Six Card Bonus needs Trips")


def settle_seat(given: Round, seat: Seat, meters: Meters) -> Account:
    account = Account(seat.number, seat.person, best_name(seven(given, seat)))
    account.lines = main_lines(given, seat) + side_lines(given, seat)
    if given.limit is not None:
        cut_largest([line for line in account.lines if line.wager in CAPPED], given.limit)
    settle_progressive(given, seat, meters, account)
    return account


def main_lines(given: Round, seat: Seat) -> list[Line]:
    if seat.folded:
        return folded_lines(seat, RULES.required)  # 11.F(2)
    ante, sign = seat.stakes["ante"], compare(given, seat)
    hand = best_name(seven(given, seat))
    qualified = dealer_qualifies(given)
    return [
        even_money("ante", ante, sign) if qualified else push("ante", ante),  # 11.H(1)
        ranked("blind", seat.stakes["blind"], sign, given.table("blind"), hand),
        even_money("play", ante * seat.multiple, sign),
    ]


def lives(given: Round, seat: Seat, wager: str) -> bool:
    """MD-10: a fold collects Ante and Blind only, unless the reading says otherwise."""
    stands = given.reads("side_wagers_after_fold", "stand")
    return not seat.folded or stands or wager in KEPT_AFTER_FOLD


def side_lines(given: Round, seat: Seat) -> list[Line]:
    """11.I, then the three wagers without a moment of their own (MD-16)."""
    hands = {
        "trips": best_name(seven(given, seat)),
        "six_card_bonus": six_card_hand(given, seat),
        "ultimate_pairs": pocket_hand(given, seat),
        "bad_beat": beaten_hand(given, seat),
        "play_the_board": board_hand(given),
    }
    lines = []
    for wager, hand in hands.items():
        if wager not in seat.stakes:
            continue
        stake = seat.stakes[wager]
        if lives(given, seat, wager):
            lines.append(by_table(wager, stake, given.table(wager), hand))
        else:
            lines.append(lose(wager, stake))
    return lines


def six_card_hand(given: Round, seat: Seat) -> str:
    """Six cards for the super royal, else the best five of them (MD-20)."""
    if not given.bonus:
        return ""
    six = seat.cards + given.bonus
    suit = super_royal_suit(six)
    if not suit:
        return best_name(six)
    if given.chosen["six_card_bonus"] == "B":
        return "super_royal_any_suit"
    return "super_royal_diamonds" if suit == "d" else "super_royal_hearts_spades_clubs"


def pocket_hand(given: Round, seat: Seat) -> str:
    """The first line in the table's text that matches (MD-13, MD-14)."""
    table = given.table("ultimate_pairs")
    high, low = sorted((rank for rank, _ in seat.cards), reverse=True)
    suited = "suited" if seat.cards[0][1] == seat.cards[1][1] else "offsuit"
    if high == low == ACE:
        dealer_aces = all(rank == ACE for rank, _ in given.dealer)
        if "pocket_aces_player_and_dealer" in table and dealer_aces:
            return "pocket_aces_player_and_dealer"
        red = {suit for _, suit in seat.cards} == {"h", "d"}
        special = "pocket_aces_hearts_diamonds" in table and red
        return "pocket_aces_hearts_diamonds" if special else "pocket_aces"
    if high == low:
        return "pocket_jacks_queens_kings" if high > TEN else "pocket_tens_or_less"
    if high == ACE and low == 13:
        return f"ak_{suited}"
    if high == ACE and low in (11, 12):
        return f"aq_or_aj_{suited}"
    return ""


def beaten_hand(given: Round, seat: Seat) -> str:
    """The losing hand of the two (MD-11); a tie beats nobody (MD-12). Folds do not matter."""
    player, dealer = best_value(seven(given, seat)), best_value(dealer_seven(given))
    if player < dealer:
        return best_name(seven(given, seat))
    if dealer < player and given.reads("bad_beat_loser", "either_side"):
        return best_name(dealer_seven(given))
    return ""


def board_hand(given: Round) -> str:
    name = best_name(given.community)
    if name == "pair":
        return "pair_tens_or_better" if pair_rank(given.community) >= TEN else ""
    return name


def progressive_hand(given: Round, seat: Seat) -> str:
    """MD-03; envy looks at the same cards (MD-32)."""
    flop = given.reads("progressive_hand", "hole_and_flop")
    return best_name(hole_and_flop(given, seat) if flop else seven(given, seat))


def settle_progressive(given: Round, seat: Seat, meters: Meters, account: Account) -> None:
    hand = progressive_hand(given, seat)
    stake = seat.stakes.get("progressive", 0)
    must_bet = bool(given.options.get("envy_holder_must_bet", False))  # 11.J(2)(e)(ii)
    if hand in ENVY[1 * DOLLAR] and (stake or not must_bet):
        account.envy_hand = hand
    if not stake:
        return
    if not lives(given, seat, "progressive"):
        account.lines.append(lose("progressive", stake))
        return
    account.live_progressive = stake
    pay = given.table("progressive").get(hand)
    if isinstance(pay, To) and given.reads("progressive_a_odds", "for"):  # MD-22
        pay = For(pay.n)
    account.lines.append(progressive(stake, pay, meters))
