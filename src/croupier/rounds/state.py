"""The state of a round (bets, cards, whose turn it is), and a round in the form that the settlement
takes.

States are frozen; `evolving.evolve` makes the next one from an event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.cards import Card

Phase: TypeAlias = Literal[
    "betting", "closed", "deciding", "revealing", "showdown", "settling", "collecting", "over"
]

Result: TypeAlias = Literal["win", "lose", "push", "void"]
ReasonCode: TypeAlias = Literal[
    "beat_dealer",
    "tied_dealer",
    "lost_to_dealer",
    "dealer_did_not_qualify",
    "folded",
    "hand_paid",
    "hand_returned",
    "below_paytable",
    "bad_beat",
    "no_bad_beat",
    "best_hand_paid",
    "best_hand_returned",
    "best_hand_unpaid",
    "all_won",
    "not_all_won",
    "envy",
    "not_confirmed",
    "not_accepted",
    "abandoned",
    "left_undecided",
    "hand_void",
    "all_hands_void",
    "wager_void",
    "taken_back",
    "bonus",
]


class Reason(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Why a wager won, lost or came back. The values of the hands are stored beside the lines, in
    `holds`, so a reason names no card and everyone may read it."""

    code: ReasonCode
    hand: str = ""
    """The rulebook's name of the hand that was looked at."""
    table: str = ""
    """The family of the paytable used; without a `line`, the table had no line for the hand."""
    table_id: str = ""
    """The table of the family, if it is not the one that the operator chose."""
    line: str = ""
    """The hand key of the paytable's line."""
    follows: str = ""
    """The wager that this one follows, if the reason is that wager's."""
    met: dict[int, str] = {}
    """For the Envy Bonus: the seats whose hands it pays on, each with its line."""


class LineRecord(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The result of one wager. Amounts in cents; `net` is the change in the player's money."""

    wager: str
    stake: int
    result: Result
    net: int
    clause: str
    reason: Reason
    pays: str = ""
    stake_lost: bool = False
    """The odds were paid but the stake was collected (reading B3)."""
    limited_by: str = ""
    forgone: int = 0
    from_meter: str = ""
    coupon: int = 0
    """A match play coupon's worth, in cents. Its line has no stake, because a coupon is not a
    chip."""
    too_weak_for: str = ""
    """The answer, for instance `3x`, that the hand turned out too weak for: a live table takes
    answers before the cards are known."""

    @property
    def winnings(self) -> int:
        """The amount that payout limits measure: money won, without the stake (MD-36)."""
        return self.net + self.stake if self.stake_lost else self.net


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A progressive won and not yet validated. A meter's share is read when it is paid; a fixed sum
    is in `cents`, which is everything the player receives."""

    seat: int
    stake: int
    pays: str
    clause: str
    reason: Reason
    meter: str = ""
    percent: int = 0
    cents: int = 0

    @property
    def hand(self) -> str:
        """The paytable line that is claimed."""
        return self.reason.line


class SeatInRound(msgspec.Struct, frozen=True, gc=False):
    """A betting position. `cards` are those known to the engine: a live dealer enters them late."""

    number: int
    player: str
    wagers: dict[str, int] = {}
    decided: dict[str, int] = {}
    actions: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    folded: bool = False
    left: bool = False
    abandoned: bool = False
    denied: bool = False
    """A floorperson denied the progressive, and the hand brings nobody an Envy Bonus."""
    void: str = ""
    """The clause that makes this hand void, or empty."""
    shown: bool = False
    hand: str = ""
    holds: dict[str, str] = {}
    """The value of each hand looked at, by the rulebook's name for it: `two_pair 62A`."""
    lines: tuple[LineRecord, ...] = ()
    settled: bool = False
    coupon: int = 0
    """The worth of a match play coupon beside the chips, in cents. It is not a chip."""
    coupon_number: str = ""
    taken_back: dict[str, str] = {}
    """Wagers that the player took back when asked, each with the clause. The player has these chips
    again."""
    returned: tuple[str, ...] = ()
    """Wagers that went back at the settlement because they had not been accepted."""


class LastBets(msgspec.Struct, frozen=True, gc=False):
    """The bets a seat had down before the deal of the previous round."""

    seat: int
    player: str
    wagers: dict[str, int]


class AddedRandomness(msgspec.Struct, frozen=True, gc=False):
    """Randomness that a player adds to the deck."""

    seat: int
    """The player's seat."""
    player: str
    """The player's name."""
    commitment: str
    """The SHA-256 of the value, public before the deal."""
    value: str = ""
    """The 32 bytes in hexadecimal; empty until the player reveals them."""


class Round(msgspec.Struct, frozen=True, gc=False):
    """A round as it stands. `turn` is the seat asked now; `step` is the number of the round's
    questions and reveals that are past."""

    number: int
    phase: Phase
    seats: tuple[SeatInRound, ...] = ()
    source: Literal["virtual", "live"] = "virtual"
    commitment: str = ""
    salt: str = ""
    deck: tuple[Card, ...] = ()
    drawn: int = 0
    step: int = 0
    turn: int = 0
    counted: bool = False
    community: tuple[Card, ...] = ()
    exposed: int = 0
    looked: int = 0
    dealer: tuple[Card, ...] = ()
    dealer_shown: bool = False
    dealer_hand: str = ""
    dealer_holds: str = ""
    qualifies: bool = True
    box: tuple[Card, ...] = ()
    burned: tuple[Card, ...] = ()
    discarded: tuple[Card, ...] = ()
    set_aside: tuple[Card, ...] = ()
    """Cards found face up in the deck: everyone has seen them, and they are out of the round."""
    claim: Claim | None = None
    void: bool = False
    void_by: str = ""
    """The clause that makes all hands void while the round is still settled for the wagers in
    `saves`."""
    saves: tuple[str, ...] = ()
    void_wagers: dict[str, str] = {}
    """Wagers that are void at every seat, each with the clause."""
    extra: int = 0
    """Surplus cards in a void hand or in the box; negative if cards are missing."""
    untold: int = 0
    """The number of void hands and boxes whose wrong number of cards was not reported."""
    answered: tuple[int, ...] = ()
    """After an answer was taken back: later seats that have already answered the question."""
    last: tuple[LastBets, ...] = ()
    """At a live table: the bets of the previous round, which can be repeated."""
    dealer_up: int = 0
    """The number of the dealer's cards that reveals have turned up."""
    added: tuple[AddedRandomness, ...] = ()
    """Players' randomness, in the order committed."""
    mixed: tuple[Card, ...] = ()
    """The order in which the deck is dealt, if randomness was added; `deck` keeps the sealed
    order."""
    differing_chips: int | None = None
    """The number of progressive wagers that the dealer counted, if the system accepted another
    number: a floorperson decides before the round goes on."""

    def seat(self, number: int) -> SeatInRound | None:
        seats = self.seats
        if 0 < number <= len(seats):
            seat = seats[number - 1]  # its place at a full table
            if seat.number == number:
                return seat
        for seat in seats:
            if seat.number == number:
                return seat
        return None


OPENING: Final = Round(number=0, phase="over")


class Stakes(dict[str, int]):
    """The bets of a seat by wager, in cents. `folded`: the hand was folded. `taken_back`: wagers
    that the player took back, each with the clause."""

    folded = False
    taken_back: Mapping[str, str] = {}


def live_stakes(state: Round, seat: SeatInRound) -> Stakes:
    """Return the stakes that the seat is settled for: all bets that are neither void nor
    returned."""
    if not state.void and not state.void_wagers and not seat.void:
        stakes = Stakes(seat.wagers)
        stakes.update(seat.decided)
        for name in seat.returned:
            del stakes[name]
        stakes.folded = seat.folded
        if seat.taken_back:
            stakes.taken_back = seat.taken_back
        return stakes
    stakes = Stakes()
    if seat.void:
        return stakes
    for name, cents in (*seat.wagers.items(), *seat.decided.items()):
        if name in state.void_wagers or name in seat.returned:
            continue
        if not state.void or name in state.saves:
            stakes[name] = cents
    stakes.folded = seat.folded and not state.void
    if seat.taken_back:
        stakes.taken_back = seat.taken_back
    return stakes


class PlayedSeat(msgspec.Struct, frozen=True, gc=False):
    """One betting position: its cards in the order dealt, its bets and its decisions.

    `wagers` holds the bets placed before the deal, in cents; later bets follow from `actions`.
    """

    number: int
    player: str
    cards: tuple[Card, ...]
    wagers: Mapping[str, int]
    actions: tuple[str, ...]


class CompletedRound(msgspec.Struct, frozen=True):
    """A round played to its end. Community cards are in order of exposure; `box` holds the Six Card
    Bonus cards."""

    seats: tuple[PlayedSeat, ...]
    community: tuple[Card, ...] = ()
    dealer: tuple[Card, ...] = ()
    box: tuple[Card, ...] = ()


def all_cards(played: CompletedRound) -> Iterable[tuple[str, Card]]:
    """Yield every card of the round with its place."""
    for place, cards in (
        ("the board", played.community),
        ("the dealer's hand", played.dealer),
        ("the bonus box", played.box),
    ):
        for card in cards:
            yield place, card
    for seat in played.seats:
        for card in seat.cards:
            yield f"seat {seat.number}", card
