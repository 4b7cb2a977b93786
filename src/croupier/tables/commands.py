"""Commands of a table. The commands of its rounds and decks are in `rounds` and `deck_care`."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from msgspec import Meta, field

from croupier.deck_care.commands import CareCommand
from croupier.money import Cents
from croupier.rounds.commands import PlayerName, RoundCommand, SeatNumber, Sentence, WagerName
from croupier.rounds.declaration import (
    ANYBODY,
    AUDITORS,
    CREW,
    FLOOR,
    PLAYERS,
    Amount,
    Command,
    Declaration,
    MoneyCommand,
)
from croupier.rulebooks.rules import Rules

Chips: TypeAlias = Annotated[
    dict[Cents, Annotated[int, Meta(ge=0, le=10**6)]],
    Meta(max_length=20, title="Chips", description="How many chips of each denomination"),
]
Slip: TypeAlias = Annotated[
    str,
    Meta(
        max_length=300,
        title="Slip number",
        description="The house assigns the next number if this is empty",
    ),
]
Account: TypeAlias = Annotated[bool, Meta(title="The player's account instead of cash")]
OptionalReason: TypeAlias = Annotated[str, Meta(max_length=300, title="Reason")]


class OpenTable(MoneyCommand, frozen=True, tag="open_table"):
    """Open a table, or open a closed one again with the chips that are there. `rulebook_text` is
    the text of a rulebook that is not bundled, or the hash of one that the journal has; `inventory`
    is the amount that the cage brings."""

    declared = Declaration(
        FLOOR,
        "Open a table",
        "open a table",
        filled=frozenset({"program", "signed"}),
        help="A second person counts and signs the opening float before the first round.",
    )
    table: Annotated[str, Meta(min_length=1, max_length=60, title="Table name")]
    rulebook: Annotated[str, Meta(min_length=1, max_length=60, title="Game")]
    submission: Annotated[str, Meta(title="Rules Submission")] = "{}"
    rulebook_text: Annotated[str, Meta(title="Rulebook of the house")] = ""
    source: Annotated[Literal["virtual", "live"], Meta(title="Cards")] = "virtual"
    inventory: Annotated[Cents, Meta(title="Chips from the cage in dollars")] = 0
    link: Annotated[str, Meta(max_length=60, title="Progressive link")] = ""
    care: Annotated[bool, Meta(title="Ask for every step with the decks")] = True
    """With live cards, the software prompts for every step with the decks."""
    float: Annotated[Chips, Meta(title="Opening float")] = field(default_factory=dict)
    """The counted chips of the inventory. A second person signs them before a round opens."""
    strict: Annotated[bool, Meta(title="Require the regulator's approvals")] = False
    """A real opening by the house: approvals are required, and slip numbers are unique."""
    program: Annotated[str, Meta(max_length=60)] = ""
    """The version of Croupier that opens the table."""
    signed: bool = False
    """A second person must sign the opening, even without chips, because the rules are the house's
    own."""


class CloseTable(MoneyCommand, frozen=True, tag="close_table"):
    """Close the table; players keep their chips. A round in play must be finished first, or voided
    with a reason. A closing count of the chips takes a second signature."""

    declared = Declaration(
        FLOOR,
        "Close the table",
        "close the table",
        foreseen=True,
        help="Players keep their chips. Finish the round in play first, or give a "
        "reason to void it.",
    )
    void_reason: Annotated[
        str,
        Meta(
            max_length=300,
            title="Reason to void the round",
            description="Only if a round is in play",
        ),
    ] = ""
    reason: OptionalReason = ""
    chips: Annotated[Chips, Meta(title="Closing count")] = field(default_factory=dict)


class SignCount(MoneyCommand, frozen=True, tag="sign_count"):
    """Countersign the opening or closing count: a second person counts the chips, and both counts
    agree."""

    declared = Declaration(
        CREW,
        "Sign the count",
        "sign the count of the chips",
        help="Count the chips yourself. The count is signed if both counts agree.",
    )
    chips: Chips = field(default_factory=dict)


class Assign(Command, frozen=True, tag="assign"):
    """Assign a dealer or floorperson to this table; without a name, the role is unassigned."""

    declared = Declaration(FLOOR, "Assign to the table", "assign people to the table")
    role: Annotated[Literal["dealer", "floorperson"], Meta(title="Role")]
    name: Annotated[
        str, Meta(max_length=60, title="Name", description="Nobody: the role is unassigned")
    ] = ""
    also: Annotated[bool, Meta(title="They keep the live table they deal now")] = False


class CallFloor(Command, frozen=True, tag="call_floor"):
    """Ask a floorperson to come. A progressive win needs no call: it waits for the floor by
    itself."""

    declared = Declaration(PLAYERS, "Call the floor", "call the floor")
    reason: Sentence


class AnswerCall(Command, frozen=True, tag="answer_call"):
    """Close a call: a floorperson has come."""

    declared = Declaration(FLOOR, "Answer the call", "answer a call")
    number: Annotated[int, Meta(ge=1, le=2**53, title="Call")]
    decided: Annotated[str, Meta(max_length=300, title="Decision")] = ""


class ChangeLimits(MoneyCommand, frozen=True, tag="change_limits"):
    """Change the minimum and maximum stakes between rounds. A wager that must equal another one
    follows it."""

    declared = Declaration(
        FLOOR,
        "Change the limits",
        "change the limits",
        help="Limits change between rounds. A wager that must equal another one follows it.",
    )
    minimum: Annotated[dict[WagerName, Cents], Meta(max_length=50, title="Minimum in dollars")] = (
        field(default_factory=dict)
    )
    maximum: Annotated[dict[WagerName, Cents], Meta(max_length=50, title="Maximum in dollars")] = (
        field(default_factory=dict)
    )


class TakeSeat(Command, frozen=True, tag="take_seat"):
    """Take a seat."""

    declared = Declaration(PLAYERS, "Take a seat", "take a seat")
    player: PlayerName
    seat: SeatNumber


class GiveUpSeat(Command, frozen=True, tag="give_up_seat"):
    """Leave the seat. A floorperson who ends another person's seat gives a reason."""

    declared = Declaration(ANYBODY, "Leave the table", "give up a seat")
    player: PlayerName
    seat: SeatNumber
    reason: Annotated[
        str, Meta(max_length=300, title="Reason", description="Why the floor ends the seat")
    ] = ""


class MoreTime(Command, frozen=True, tag="more_time"):
    """Ask for more time, as the player who is asked for a decision or who is still betting. A clock
    runs only while others wait."""

    declared = Declaration(
        PLAYERS,
        "Give more time",
        "ask for more time",
        help="The clock runs longer for this player.",
    )
    player: PlayerName
    seat: SeatNumber


def _idle(_: Any, rules: Rules) -> str:
    return rules.book.care.idle.clause if rules.book.care is not None else ""


class AskFaceUp(Command, frozen=True, tag="ask_face_up"):
    """Ask the dealer to turn the cards face up, while nobody plays and they lie spread face
    down."""

    declared = Declaration(
        PLAYERS,
        "Ask for the cards face up",
        "ask for the cards face up",
        _idle,
        help="The cards lie face down while nobody plays, and the dealer turns them up.",
    )
    player: PlayerName


class BuyIn(MoneyCommand, frozen=True, tag="buy_in"):
    """Put cash into the drop box and take chips out of the inventory; with `account`, pay from the
    player's account with the cashier instead of cash."""

    declared = Declaration(
        ANYBODY,
        "Buy in",
        "buy in",
        help="Cash goes into the drop box, and chips come out of the inventory.",
    )
    player: PlayerName
    amount: Amount
    account: Account = False


class CashOut(MoneyCommand, frozen=True, tag="cash_out"):
    """Take chips off the table; without an amount, all of them. With `account` their value goes to
    the player's account with the cashier."""

    declared = Declaration(ANYBODY, "Cash out", "cash out")
    player: PlayerName
    amount: (
        Annotated[
            Cents,
            Meta(title="Amount in dollars", description="All of the chips if this is empty"),
        ]
        | None
    ) = None
    account: Account = False


class ColorUp(MoneyCommand, frozen=True, tag="colour_up"):
    """Exchange chips for others of the same total value."""

    declared = Declaration(
        PLAYERS,
        "Color up chips",
        "change chips",
        help="Exchange chips for others of the same total value.",
    )
    player: PlayerName
    gives: Annotated[Chips, Meta(title="Chips given in")]
    gets: Annotated[Chips, Meta(title="Chips given out")]


class Tip(MoneyCommand, frozen=True, tag="tip"):
    """Put chips for the dealers into the tip box."""

    declared = Declaration(
        PLAYERS,
        "Tip the dealer",
        "tip the dealer",
        help="Chips for the dealers go into the tip box.",
    )
    player: PlayerName
    amount: Amount


class Fill(MoneyCommand, frozen=True, tag="fill"):
    """Bring chips from the cage to the table inventory, on a numbered slip."""

    declared = Declaration(
        FLOOR,
        "Fill the inventory",
        "fill the inventory",
        help="Chips come from the cage into the inventory, on a numbered slip.",
    )
    amount: Amount
    slip: Slip = ""
    chips: Chips = field(default_factory=dict)


class Credit(MoneyCommand, frozen=True, tag="credit"):
    """Return chips from the table inventory to the cage, on a numbered slip."""

    declared = Declaration(
        FLOOR,
        "Credit to the cage",
        "take chips out of the inventory",
        help="Chips go from the inventory back to the cage, on a numbered slip.",
    )
    amount: Amount
    slip: Slip = ""
    chips: Chips = field(default_factory=dict)


class Correct(MoneyCommand, frozen=True, tag="correct"):
    """Correct a finished round after a dispute: a player gets more for a wager, or gives money back
    (an amount below 0). The old entries stay; the correction is added to them."""

    declared = Declaration(
        FLOOR,
        "Correct a round",
        "correct a round",
        filled=frozenset({"account"}),
        foreseen=True,
        help="The first result stays on record, and the correction is added to it.",
    )
    round: Annotated[int, Meta(ge=0, le=2**53, title="Round")]
    seat: SeatNumber
    player: PlayerName
    wager: WagerName
    amount: Annotated[
        Cents,
        Meta(title="Amount in dollars", description="Below zero, the player gives money back"),
    ]
    reason: Sentence
    account: bool = False
    """Pay a player who has left into their account with the cashier."""


class EmptyDrop(MoneyCommand, frozen=True, tag="empty_drop"):
    """Take the drop box and the tip box to the count room. `chips` counts their notes and chips by
    denomination, if they are counted at once."""

    declared = Declaration(
        FLOOR,
        "Empty the drop box",
        "empty the drop box",
        help="The drop box and the tip box go to the count room. Count them now, or "
        "leave the count to the count room.",
    )
    slip: Slip = ""
    chips: Chips = field(default_factory=dict)


class Confirm(Command, frozen=True, tag="confirm"):
    """Confirm another person's proposal: it takes effect now, under both names."""

    declared = Declaration(
        CREW,
        "Confirm",
        "confirm what another person proposed",
        foreseen=True,
        help="It happens now, under both names.",
    )
    number: Annotated[int, Meta(ge=1, le=2**53, title="Proposal")]


class Decline(Command, frozen=True, tag="decline"):
    """Decline another person's proposal, or withdraw one's own: it does not take effect."""

    declared = Declaration(CREW, "Decline", "decline what another person proposed")
    number: Annotated[int, Meta(ge=1, le=2**53, title="Proposal")]
    reason: Sentence


class ReopenRound(Command, frozen=True, tag="reopen_round"):
    """Allow corrections of a round that software dealt and settled. The record of cards, bets and
    payments does not change."""

    declared = Declaration(
        AUDITORS,
        "Reopen a round",
        "reopen a round to corrections",
        help="Cards, bets and payments stay as they are, and corrections become possible.",
    )
    round: Annotated[int, Meta(ge=1, le=2**53, title="Round")]
    reason: Sentence


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
    | ColorUp
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
    | Confirm
    | Decline
    | ReopenRound
)

COMMANDS: Final[dict[str, type[Command]]] = {
    str(form.__struct_config__.tag): form for form in get_args(TableCommand)
}
"""Every table command by its name in JSON."""
