"""What happened at a table. Events of its rounds and decks are in `rounds` and `care`. A command
that happens exactly as it was given is its own event: a seat taken, a buy-in, a tip, a fill."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.care.events import CareEvent
from croupier.care.state import Care
from croupier.rounds.events import CardsCollected, RoundEvent, RoundVoided
from croupier.tables.commands import (
    BuyIn,
    ColourUp,
    Credit,
    Fill,
    GiveUpSeat,
    MoreTime,
    TakeSeat,
    Tip,
)

__all__ = [
    "BuyIn",
    "CashedOut",
    "ColourUp",
    "Corrected",
    "Credit",
    "DropEmptied",
    "Fill",
    "GiveUpSeat",
    "MoreTime",
    "TableClosed",
    "TableEvent",
    "TableOpened",
    "TableStands",
    "TakeSeat",
    "Tip",
    "ends_round",
]


class TableOpened(msgspec.Struct, frozen=True, tag="table_opened"):
    """Holds the rules too, so that a replay needs nothing else."""

    table: str
    rulebook: str
    submission: str
    rulebook_text: str
    source: Literal["virtual", "live"]
    inventory: int
    link: str
    care: bool = False
    """The software checks the care of the decks: live cards, and a document with rules for it."""


class TableClosed(msgspec.Struct, frozen=True, tag="table_closed"):
    pass


class CashedOut(msgspec.Struct, frozen=True, tag="cashed_out"):
    player: str
    cents: int


class Corrected(msgspec.Struct, frozen=True, tag="corrected"):
    """Money added to a finished round (or taken back), why and by whom. `away`: the player has left
    the table, so the inventory pays him directly."""

    round: int
    seat: int
    player: str
    wager: str
    cents: int
    reason: str
    by: str
    away: bool = False


class DropEmptied(msgspec.Struct, frozen=True, tag="drop_emptied"):
    drop: int
    tips: int
    slip: str


class TableStands(msgspec.Struct, frozen=True, omit_defaults=True, tag="table_stands"):
    """How the table stands when a round opens, so that the round can be told without all that was
    before: who sits where, all chips, the entry by which the table was opened, and the decks where
    the software keeps them."""

    seats: dict[int, str]
    money: dict[str, int]
    opened: int
    care: Care | None = None
    submission: str = ""
    """Where the decks are kept: its terms now, since the way of dealing may have changed."""


TableEvent: TypeAlias = (
    RoundEvent
    | TableOpened
    | TableClosed
    | TakeSeat
    | GiveUpSeat
    | MoreTime
    | BuyIn
    | CashedOut
    | ColourUp
    | Tip
    | Fill
    | Credit
    | Corrected
    | DropEmptied
    | TableStands
    | CareEvent
)


def ends_round(event: TableEvent) -> bool:
    return isinstance(event, CardsCollected | RoundVoided)
