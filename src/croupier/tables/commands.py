"""What may be asked of a table, beside the commands of its rounds; and who asks."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.care.commands import CareCommand
from croupier.rounds.commands import RoundCommand

__all__ = [
    "SOFTWARE",
    "Actor",
    "BuyIn",
    "CashOut",
    "CloseTable",
    "ColourUp",
    "Correct",
    "Credit",
    "EmptyDrop",
    "Fill",
    "GiveUpSeat",
    "OpenTable",
    "Role",
    "TableCommand",
    "TakeSeat",
    "Tip",
]

Role: TypeAlias = Literal["player", "dealer", "floorperson", "operator"]


class Actor(msgspec.Struct, frozen=True):
    role: Role
    name: str

    def __str__(self) -> str:
        return f"{self.role} {self.name}"


SOFTWARE: Final = "software"
"""The name under which an automated dealer or floorperson acts."""


class OpenTable(msgspec.Struct, frozen=True, tag="open_table"):
    """`rulebook_text` is the whole file of a rulebook that is not one of the bundled ones."""

    table: str
    rulebook: str
    submission: str = "{}"
    rulebook_text: str = ""
    source: Literal["virtual", "live"] = "virtual"
    inventory: int = 0
    link: str = ""
    care: bool = True
    """With live cards: the software asks for every step of the care of the decks."""


class CloseTable(msgspec.Struct, frozen=True, tag="close_table"):
    """Players' chips stay theirs: they are cashed out first or taken along. A round in play is void
    for the reason given, or has to be finished."""

    void_reason: str = ""


class TakeSeat(msgspec.Struct, frozen=True, tag="take_seat"):
    player: str
    seat: int


class GiveUpSeat(msgspec.Struct, frozen=True, tag="give_up_seat"):
    player: str
    seat: int


class BuyIn(msgspec.Struct, frozen=True, tag="buy_in"):
    """Cash into the drop box, chips out of the inventory."""

    player: str
    cents: int


class CashOut(msgspec.Struct, frozen=True, tag="cash_out"):
    """The player takes chips off the table; without an amount, all of them."""

    player: str
    cents: int | None = None


class ColourUp(msgspec.Struct, frozen=True, tag="colour_up"):
    """Chips for chips of the same worth: value in cents to number of chips."""

    player: str
    gives: dict[int, int]
    gets: dict[int, int]


class Tip(msgspec.Struct, frozen=True, tag="tip"):
    player: str
    cents: int


class Fill(msgspec.Struct, frozen=True, tag="fill"):
    """Chips from the cage into the table inventory, against a slip."""

    cents: int
    slip: str


class Credit(msgspec.Struct, frozen=True, tag="credit"):
    """Chips from the table inventory back to the cage, against a slip."""

    cents: int
    slip: str


class Correct(msgspec.Struct, frozen=True, tag="correct"):
    """A dispute is decided: the player of a finished round gets so much more for a wager, or gives
    it back (cents below 0). What was written stays; this is added to it."""

    round: int
    seat: int
    player: str
    wager: str
    cents: int
    reason: str
    by: str


class EmptyDrop(msgspec.Struct, frozen=True, tag="empty_drop"):
    """The drop box and the tip box are taken to the count room."""

    slip: str


TableCommand: TypeAlias = (
    RoundCommand
    | OpenTable
    | CloseTable
    | TakeSeat
    | GiveUpSeat
    | BuyIn
    | CashOut
    | ColourUp
    | Tip
    | Fill
    | Credit
    | Correct
    | EmptyDrop
    | CareCommand
)
