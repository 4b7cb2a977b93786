"""One round as it stands: who has bet what, which cards lie where, whose turn it is.

States are frozen; `evolving.evolve` makes the next one from an event.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.cards import Card

__all__ = ["OPENING", "Claim", "LineRecord", "Phase", "Round", "SeatInRound"]

Phase: TypeAlias = Literal[
    "betting", "closed", "deciding", "revealing", "showdown", "settling", "collecting", "over"
]


class LineRecord(msgspec.Struct, frozen=True, gc=False):
    """One wager settled, as the journal keeps it. Amounts in cents."""

    wager: str
    stake: int
    result: str
    net: int
    clause: str
    pays: str = ""
    limited_by: str = ""
    forgone: int = 0
    from_meter: str = ""


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A progressive won and not yet validated. A meter's share is read when it is paid, fixed sums
    are `cents`: all that the player receives."""

    seat: int
    stake: int
    hand: str
    pays: str
    clause: str
    meter: str = ""
    percent: int = 0
    cents: int = 0


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
    """A floorperson found that the hand does not win the progressive."""
    void: str = ""
    """The clause by which this hand is void."""
    shown: bool = False
    hand: str = ""
    lines: tuple[LineRecord, ...] = ()
    settled: bool = False


class Round(msgspec.Struct, frozen=True, gc=False):
    """`turn` is the seat asked now; `step` counts the script's questions and reveals passed."""

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
    qualifies: bool = True
    box: tuple[Card, ...] = ()
    burned: tuple[Card, ...] = ()
    discarded: tuple[Card, ...] = ()
    set_aside: tuple[Card, ...] = ()
    """Found face up in the deck, seen by everybody and out of the round."""
    claim: Claim | None = None
    void: bool = False
    void_by: str = ""
    """The clause, where hands are void and the round is still settled for the wagers in `saves`."""
    saves: tuple[str, ...] = ()
    void_wagers: dict[str, str] = {}
    """Wagers that are void at every seat, and the clause."""

    def seat(self, number: int) -> SeatInRound | None:
        seats = self.seats
        if 0 < number <= len(seats):
            seat = seats[number - 1]  # where it is at a full table
            if seat.number == number:
                return seat
        for seat in seats:
            if seat.number == number:
                return seat
        return None


OPENING: Final = Round(number=0, phase="over")
