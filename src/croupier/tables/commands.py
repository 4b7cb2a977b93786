"""What may be asked of a table, beside the commands of its rounds; and who asks."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.rounds import commands as of_rounds
from croupier.rounds.commands import RoundCommand
from croupier.tables.care import commands as of_care
from croupier.tables.care.commands import CareCommand

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
    "may_give",
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

_ANYONE_AT_THE_TABLE: Final = ("player", "dealer")
_DEALER: Final = ("dealer",)
_FLOOR: Final = ("floorperson", "operator")

_ROLES: Final[dict[type, tuple[Role, ...]]] = {
    of_rounds.PlaceWagers: _ANYONE_AT_THE_TABLE,
    of_rounds.TakeBack: _ANYONE_AT_THE_TABLE,
    of_rounds.Act: _ANYONE_AT_THE_TABLE,
    of_rounds.LeaveRound: ("player", "dealer", "floorperson", "operator"),
    TakeSeat: _ANYONE_AT_THE_TABLE,
    GiveUpSeat: ("player", "dealer", "floorperson", "operator"),
    BuyIn: _ANYONE_AT_THE_TABLE,
    CashOut: ("player", "dealer", "floorperson", "operator"),
    ColourUp: _ANYONE_AT_THE_TABLE,
    Tip: _ANYONE_AT_THE_TABLE,
    of_rounds.ValidateProgressive: _FLOOR,
    of_rounds.RefuseProgressive: _FLOOR,
    of_rounds.RuleAbandoned: _FLOOR,
    of_rounds.VoidRound: _FLOOR,
    of_rounds.Report: ("dealer", "floorperson", "operator"),
    OpenTable: _FLOOR,
    CloseTable: _FLOOR,
    Fill: _FLOOR,
    Credit: _FLOOR,
    Correct: _FLOOR,
    EmptyDrop: _FLOOR,
    of_care.ReceiveDeck: ("dealer", "floorperson", "operator"),
    of_care.HandleDeck: ("player", "dealer", "floorperson", "operator"),
    of_care.OrderShuffle: _FLOOR,
    of_care.OrderRecut: _FLOOR,
    of_care.RemoveDeck: ("dealer", "floorperson", "operator"),
    of_care.ReportMalfunction: ("dealer", "floorperson", "operator"),
    of_care.MarkOutOfOrder: ("dealer", "floorperson", "operator"),
    of_care.RepairDevice: _FLOOR,
    of_care.ChangeDealing: _FLOOR,
}


def may_give(actor: Actor, command: TableCommand) -> tuple[Role, ...]:
    """The roles that may give the command; empty if this actor may."""
    allowed = _ROLES.get(type(command), _DEALER)
    return () if actor.role in allowed else allowed
