"""What may be asked of a round. Who may ask it is for the table to say."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.cards import Card

__all__ = [
    "Act",
    "CloseBets",
    "Collect",
    "CountChips",
    "Deal",
    "EnterCards",
    "LeaveRound",
    "OpenBetting",
    "PlaceWagers",
    "RefuseProgressive",
    "Report",
    "RevealCards",
    "RoundCommand",
    "RuleAbandoned",
    "Settle",
    "ShowDealer",
    "TakeBack",
    "ValidateProgressive",
    "VoidRound",
]


class OpenBetting(msgspec.Struct, frozen=True, gc=False, tag="open_betting"):
    """The shuffled deck is an input: chance never happens inside the engine."""

    number: int
    source: Literal["virtual", "live"] = "virtual"
    commitment: str = ""
    salt: str = ""
    deck: tuple[Card, ...] = ()


class PlaceWagers(msgspec.Struct, frozen=True, gc=False, tag="place_wagers"):
    """Put these amounts (in cents) on the spots, in place of what lies there."""

    seat: int
    player: str
    wagers: dict[str, int]


class TakeBack(msgspec.Struct, frozen=True, gc=False, tag="take_back"):
    """Take wagers back; without names, all of them."""

    seat: int
    player: str
    wagers: tuple[str, ...] = ()


class CloseBets(msgspec.Struct, frozen=True, gc=False, tag="close_bets"):
    """The dealer announces "no more bets" and locks the progressive."""


class CountChips(msgspec.Struct, frozen=True, gc=False, tag="count_chips"):
    """How many progressive wagers the chips on the layout make up."""

    chips: int


class Deal(msgspec.Struct, frozen=True, gc=False, tag="deal"):
    pass


class EnterCards(msgspec.Struct, frozen=True, gc=False, tag="enter_cards"):
    place: str
    cards: tuple[Card, ...]
    seat: int = 0


class Act(msgspec.Struct, frozen=True, gc=False, tag="act"):
    """What a player says when asked: `check`, `4x`, `fold`, `raise`."""

    seat: int
    player: str
    action: str


class RevealCards(msgspec.Struct, frozen=True, gc=False, tag="reveal"):
    """A live dealer names the community cards turned up, unless they were entered before."""

    cards: tuple[Card, ...] = ()


class ShowDealer(msgspec.Struct, frozen=True, gc=False, tag="show_dealer"):
    cards: tuple[Card, ...] = ()


class Settle(msgspec.Struct, frozen=True, gc=False, tag="settle"):
    """The next seat, counterclockwise; or `every` seat until one has to wait."""

    every: bool = False


class ValidateProgressive(msgspec.Struct, frozen=True, gc=False, tag="validate_progressive"):
    seat: int
    by: str


class RefuseProgressive(msgspec.Struct, frozen=True, gc=False, tag="refuse_progressive"):
    seat: int
    by: str
    reason: str


class Collect(msgspec.Struct, frozen=True, gc=False, tag="collect"):
    pass


class LeaveRound(msgspec.Struct, frozen=True, gc=False, tag="leave_round"):
    """The player gets up. What is still to be asked is declined for him."""

    seat: int
    player: str


class RuleAbandoned(msgspec.Struct, frozen=True, gc=False, tag="rule_abandoned"):
    """A floorperson treats the wagers of a player who left as lost."""

    seat: int


class Report(msgspec.Struct, frozen=True, gc=False, tag="report"):
    """Something went wrong: `kind` is one of the rulebook's irregularities."""

    kind: str
    by: str
    cards: tuple[Card, ...] = ()
    seat: int = 0
    note: str = ""


class VoidRound(msgspec.Struct, frozen=True, gc=False, tag="void_round"):
    reason: str
    by: str
    clause: str = ""


RoundCommand: TypeAlias = (
    OpenBetting
    | PlaceWagers
    | TakeBack
    | CloseBets
    | CountChips
    | Deal
    | EnterCards
    | Act
    | RevealCards
    | ShowDealer
    | Settle
    | ValidateProgressive
    | RefuseProgressive
    | Collect
    | LeaveRound
    | RuleAbandoned
    | Report
    | VoidRound
)
