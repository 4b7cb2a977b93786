"""The commands of a table. Those of its rounds and decks are in `rounds` and `care`."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import Meta, field

from croupier.care.commands import CareCommand
from croupier.money import Cents
from croupier.rounds.commands import PlayerName, RoundCommand, SeatNumber, Sentence, WagerName
from croupier.rounds.declaration import (
    ANYBODY,
    CREW,
    FLOOR,
    PLAYERS,
    Command,
    Declaration,
    MoneyCommand,
)
from croupier.rulebooks.rules import Rules

__all__ = [
    "COMMANDS",
    "AnswerCall",
    "AskFaceUp",
    "Assign",
    "BuyIn",
    "CallFloor",
    "CashOut",
    "ChangeLimits",
    "CloseTable",
    "ColourUp",
    "Correct",
    "Credit",
    "EmptyDrop",
    "Fill",
    "GiveUpSeat",
    "MoreTime",
    "OpenTable",
    "SignCount",
    "TableCommand",
    "TakeSeat",
    "Tip",
]

Chips: TypeAlias = Annotated[
    dict[Cents, Annotated[int, Meta(ge=0, le=10**6)]],
    Meta(max_length=20, description="How many chips of each worth"),
]
Slip: TypeAlias = Annotated[
    str, Meta(max_length=300, description="Its number; left out, the house gives one")
]


class OpenTable(MoneyCommand, frozen=True, tag="open_table"):
    """`rulebook_text` is the file of a rulebook that is not bundled, or the hash of one that the
    journal has. A closed table opens again with the chips that are there; `inventory` is what the
    cage brings."""

    declared = Declaration(FLOOR, "Open a table", "open a table", filled=frozenset({"program"}))
    table: Annotated[str, Meta(min_length=1, max_length=60)]
    rulebook: Annotated[str, Meta(min_length=1, max_length=60)]
    submission: str = "{}"
    rulebook_text: str = ""
    source: Literal["virtual", "live"] = "virtual"
    inventory: Cents = 0
    link: Annotated[str, Meta(max_length=60)] = ""
    care: bool = True
    """With live cards: the software asks for every step with the decks."""
    float: Chips = field(default_factory=dict)
    """The chips of the inventory, counted. A second person signs them before a round opens."""
    strict: bool = False
    """The house opens it for real: approvals must be there, and no slip number is used twice."""
    program: Annotated[str, Meta(max_length=60)] = ""
    """The version of Croupier that opens it."""


class CloseTable(MoneyCommand, frozen=True, tag="close_table"):
    """Players keep their chips. A round in play must be finished first, or is void for the reason
    given. A closing count of the chips takes a second signature."""

    declared = Declaration(FLOOR, "Close the table", "close the table", foreseen=True)
    void_reason: Annotated[str, Meta(max_length=300)] = ""
    reason: Annotated[str, Meta(max_length=300)] = ""
    chips: Chips = field(default_factory=dict)


class SignCount(MoneyCommand, frozen=True, tag="sign_count"):
    """Countersign the count of the inventory, at the opening or at the close: a second person
    counts the chips and finds the same."""

    declared = Declaration(CREW, "Sign the count", "sign the count of the chips")
    chips: Chips


class Assign(Command, frozen=True, tag="assign"):
    """Who works this table from now on; without a name, nobody in particular."""

    declared = Declaration(FLOOR, "Assign to the table", "assign people to the table")
    role: Literal["dealer", "floorperson"]
    name: Annotated[str, Meta(max_length=60)] = ""


class CallFloor(Command, frozen=True, tag="call_floor"):
    """Ask a floorperson to come. A progressive that was won is no call: it waits by itself."""

    declared = Declaration(PLAYERS, "Call the floor", "call the floor")
    reason: Sentence


class AnswerCall(Command, frozen=True, tag="answer_call"):
    """A floorperson has come."""

    declared = Declaration(FLOOR, "Answer the call", "answer a call")
    number: Annotated[int, Meta(ge=1, le=2**53)]
    decided: Annotated[str, Meta(max_length=300)] = ""


class ChangeLimits(MoneyCommand, frozen=True, tag="change_limits"):
    """New smallest and largest stakes, between rounds. A wager that must equal another follows
    it."""

    declared = Declaration(FLOOR, "Change the limits", "change the limits")
    minimum: Annotated[dict[WagerName, Cents], Meta(max_length=50)] = field(default_factory=dict)
    maximum: Annotated[dict[WagerName, Cents], Meta(max_length=50)] = field(default_factory=dict)


class TakeSeat(Command, frozen=True, tag="take_seat"):
    """Sit down."""

    declared = Declaration(PLAYERS, "Sit here", "take a seat")
    player: PlayerName
    seat: SeatNumber


class GiveUpSeat(Command, frozen=True, tag="give_up_seat"):
    """Leave the seat."""

    declared = Declaration(ANYBODY, "Leave the table", "give up a seat")
    player: PlayerName
    seat: SeatNumber


class MoreTime(Command, frozen=True, tag="more_time"):
    """A clock runs because others wait: the player who is asked, or still bets, wants longer."""

    declared = Declaration(PLAYERS, "More time", "ask for more time")
    player: PlayerName
    seat: SeatNumber


def _idle(_: Any, rules: Rules) -> str:
    return rules.book.care.idle.clause if rules.book.care is not None else ""


class AskFaceUp(Command, frozen=True, tag="ask_face_up"):
    """Nobody plays, and the cards lie spread face down: the player wants them face up. The dealer
    turns them."""

    declared = Declaration(PLAYERS, "Ask for the cards face up", "ask for the cards face up", _idle)
    player: PlayerName


class BuyIn(MoneyCommand, frozen=True, tag="buy_in"):
    """Cash into the drop box, chips out of the inventory; with `account`, the player's money with
    the cashier in place of cash."""

    declared = Declaration(ANYBODY, "Buy in", "buy in")
    player: PlayerName
    amount: Cents
    account: bool = False


class CashOut(MoneyCommand, frozen=True, tag="cash_out"):
    """The player takes chips off the table; without an amount, all of them. With `account` their
    worth goes to his account with the cashier."""

    declared = Declaration(ANYBODY, "Cash out", "cash out")
    player: PlayerName
    amount: Cents | None = None
    account: bool = False


class ColourUp(MoneyCommand, frozen=True, tag="colour_up"):
    """Exchange chips for others of the same total value."""

    declared = Declaration(PLAYERS, "Change chips", "change chips")
    player: PlayerName
    gives: Chips
    gets: Chips


class Tip(MoneyCommand, frozen=True, tag="tip"):
    """Chips for the dealers, into the tip box."""

    declared = Declaration(PLAYERS, "Tip the dealer", "tip the dealer")
    player: PlayerName
    amount: Cents


class Fill(MoneyCommand, frozen=True, tag="fill"):
    """Chips from the cage into the table inventory, against a slip."""

    declared = Declaration(FLOOR, "Fill the inventory", "fill the inventory")
    amount: Cents
    slip: Slip = ""
    chips: Chips = field(default_factory=dict)


class Credit(MoneyCommand, frozen=True, tag="credit"):
    """Chips from the table inventory back to the cage, against a slip."""

    declared = Declaration(FLOOR, "Credit to the cage", "take chips out of the inventory")
    amount: Cents
    slip: Slip = ""
    chips: Chips = field(default_factory=dict)


class Correct(MoneyCommand, frozen=True, tag="correct"):
    """A dispute is decided: a player of a finished round gets more for a wager, or gives money back
    (an amount below 0). The old entries stay; this one is added."""

    declared = Declaration(FLOOR, "Correct a round", "correct a round", foreseen=True)
    round: Annotated[int, Meta(ge=0, le=2**53)]
    seat: SeatNumber
    player: PlayerName
    wager: WagerName
    amount: Cents
    reason: Sentence


class EmptyDrop(MoneyCommand, frozen=True, tag="empty_drop"):
    """The drop box and the tip box are taken to the count room. `chips`: notes and chips by their
    worth, where they are counted at once."""

    declared = Declaration(FLOOR, "Empty the drop box", "empty the drop box")
    slip: Slip = ""
    chips: Chips = field(default_factory=dict)


TableCommand: TypeAlias = (
    RoundCommand
    | OpenTable
    | CloseTable
    | TakeSeat
    | GiveUpSeat
    | MoreTime
    | AskFaceUp
    | BuyIn
    | CashOut
    | ColourUp
    | Tip
    | Fill
    | Credit
    | Correct
    | EmptyDrop
    | CareCommand
    | SignCount
    | Assign
    | CallFloor
    | AnswerCall
    | ChangeLimits
)

COMMANDS: Final[dict[str, type[Command]]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(TableCommand)
}
"""Every command by its name in JSON."""
