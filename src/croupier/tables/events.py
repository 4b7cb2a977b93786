"""Events of a table; the events of its rounds and decks are in `rounds` and `deck_care`. A command
that is carried out exactly as given is its own event: a seat taken, a buy-in, a tip, a fill."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.deck_care.events import CareEvent, DeckRemoved, DeckShuffled, StubCounted
from croupier.deck_care.state import Care
from croupier.rounds.declaration import Role
from croupier.rounds.events import (
    CardsCollected,
    ChipCountDecided,
    HandsVoided,
    HandVoided,
    IrregularityNoted,
    PlayerLeft,
    ProgressiveRefused,
    RoundEvent,
    RoundVoided,
    WagersVoided,
)
from croupier.tables.commands import (
    AskFaceUp,
    Assign,
    BuyIn,
    ColorUp,
    Credit,
    Fill,
    GiveUpSeat,
    MoreTime,
    ReopenRound,
    TakeSeat,
    Tip,
)
from croupier.tables.state import Call, ChipCount, Pending


class TableOpened(msgspec.Struct, frozen=True, tag="table_opened"):
    """The table opens. The event includes the rules, so that a replay needs nothing else."""

    table: str
    rulebook: str
    submission: str
    rulebook_text: str
    source: Literal["virtual", "live"]
    inventory: int
    link: str
    care: bool = False
    """The software enforces the care of the decks: live cards, and a document with rules for
    them."""
    count: ChipCount | None = None
    """The float, counted by the person who opened the table."""
    strict: bool = False
    program: str = ""
    """The version of Croupier that opened the table."""


class TableClosed(msgspec.Struct, frozen=True, tag="table_closed"):
    reason: str = ""
    count: ChipCount | None = None
    """The closing count by the person who closed the table."""


class CountSigned(msgspec.Struct, frozen=True, tag="count_signed"):
    """A second person has counted the chips, and both counts agree."""

    when: Literal["opening", "closing"]
    by: str


class FloorCalled(msgspec.Struct, frozen=True, tag="floor_called"):
    number: int
    role: Role
    name: str
    reason: str
    at: int


class CallAnswered(msgspec.Struct, frozen=True, tag="call_answered"):
    number: int
    by: str
    decided: str = ""


class SlipGiven(msgspec.Struct, frozen=True, tag="slip_given"):
    """The house assigned the slip its number."""

    letter: Literal["F", "C", "D"]
    slip: str


class LimitsChanged(msgspec.Struct, frozen=True, tag="limits_changed"):
    """The limits changed: holds the terms now in force. `usual_terms` are the terms of the usual
    dealing method, if a device is out of order and the table uses another method."""

    submission: str
    by: str
    usual_terms: str = ""


class CashedOut(msgspec.Struct, frozen=True, tag="cashed_out"):
    player: str
    cents: int
    account: bool = False
    """The amount went to the player's account with the cashier."""


class Corrected(msgspec.Struct, frozen=True, tag="corrected"):
    """Money added to a finished round, or taken back, with the reason and the person who decided.
    With `away`, the player has left the table, so the inventory pays them directly."""

    round: int
    seat: int
    player: str
    wager: str
    cents: int
    reason: str
    by: str
    away: bool = False
    second: str = ""
    """The person who confirmed it, if the sum takes two people."""
    account: bool = False
    """The amount was paid into the player's account with the cashier."""


class Proposed(msgspec.Struct, frozen=True, tag="proposed"):
    """A command that takes two people waits for the second. No money has moved."""

    number: int
    command: str
    role: Role
    name: str
    at: int
    by: tuple[Role, ...]
    why: str


class Confirmed(msgspec.Struct, frozen=True, tag="confirmed"):
    """A second person has confirmed a command; its events follow."""

    number: int
    by: str


class Declined(msgspec.Struct, frozen=True, tag="declined"):
    """A command that waited for a second person was declined and does not take effect."""

    number: int
    by: str
    reason: str


class DropEmptied(msgspec.Struct, frozen=True, tag="drop_emptied"):
    drop: int
    tips: int
    slip: str


class TableStands(msgspec.Struct, frozen=True, omit_defaults=True, tag="table_stands"):
    """The table's state when a round opens, so that the round can be read without the entries
    before it: seats, all chips, the entry that opened the table, and the decks if the software
    tracks them."""

    seats: dict[int, str]
    money: dict[str, int]
    opened: int
    care: Care | None = None
    submission: str = ""
    """The terms now in force, if the dealing method or the limits may have changed."""
    staff: dict[str, str] = {}
    calls: tuple[Call, ...] = ()
    last_call: int = 0
    count: ChipCount | None = None
    slips: dict[str, int] = {}
    pending: tuple[Pending, ...] = ()
    reopened: tuple[int, ...] = ()


TableEvent: TypeAlias = (
    RoundEvent
    | TableOpened
    | TableClosed
    | TakeSeat
    | GiveUpSeat
    | MoreTime
    | AskFaceUp
    | BuyIn
    | CashedOut
    | ColorUp
    | Tip
    | Fill
    | Credit
    | Corrected
    | DropEmptied
    | TableStands
    | CareEvent
    | CountSigned
    | Assign
    | FloorCalled
    | CallAnswered
    | SlipGiven
    | LimitsChanged
    | Proposed
    | Confirmed
    | Declined
    | ReopenRound
)


ROUND_ENDS: Final = frozenset({CardsCollected, RoundVoided})


def ends_round(event: TableEvent) -> bool:
    return type(event) in ROUND_ENDS


def is_void(event: TableEvent) -> bool:
    """Return whether the event voids a round, hands or wagers."""
    return isinstance(event, RoundVoided | HandsVoided | HandVoided | WagersVoided)


def is_grave(event: TableEvent) -> bool:
    """Return whether the event voids, condemns a deck, forfeits or corrects. People see such events
    before they confirm."""
    match event:
        case Corrected() | PlayerLeft() | ProgressiveRefused() | ChipCountDecided() | DeckRemoved():
            return True
        case IrregularityNoted():
            return "removed" in event.deck
        case DeckShuffled():
            return event.then == "condemned"
        case StubCounted():
            return event.count != event.expected
    return is_void(event)
