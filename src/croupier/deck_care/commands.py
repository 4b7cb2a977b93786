"""Commands with which people confirm what they did with the decks and devices of a live table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta

from croupier.deck_care.state import Device, Step
from croupier.rounds.commands import PlayerName, Sentence
from croupier.rounds.declaration import ANYBODY, CREW, DEALER, FLOOR, Command, Declaration
from croupier.rulebooks.equipment import dealing_name
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import CareRules

Back: TypeAlias = Annotated[
    str, Meta(max_length=20, title="Deck", description="By the color of its backs")
]
AffectedDevice: TypeAlias = Annotated[Device, Meta(title="Device")]


def _of_care(declaration: Callable[[CareRules, Any, Rules], str]) -> Callable[[Any, Rules], str]:
    """Return a function that looks up a clause in the document's rules for decks; empty if it has
    none."""

    def clause(command: Any, rules: Rules) -> str:
        care = rules.book.care
        return declaration(care, command, rules) if care is not None else ""

    return clause


@_of_care
def _stub(care: CareRules, _: Any, rules: Rules) -> str:
    stub = care.stub.get(dealing_name(rules))
    return stub.clause if stub is not None else ""


@_of_care
def _out_of_order(care: CareRules, _: Any, __: Rules) -> str:
    return care.out_of_order.clause if care.out_of_order is not None else ""


class ReceiveDeck(Command, frozen=True, tag="receive_deck"):
    """Bring a deck to the table. `back` is the color of its backs; `prepared` means that it was
    inspected and shuffled before."""

    declared = Declaration(
        CREW,
        "Receive a deck",
        "bring a deck to the table",
        _of_care(lambda care, _, __: care.receive.clause),
    )
    back: Annotated[str, Meta(min_length=1, max_length=20, title="Color of the backs")]
    cover_cards: Annotated[int, Meta(ge=0, le=20, title="Cover cards")]
    prepared: Annotated[bool, Meta(title="Inspected and shuffled already")] = False


class HandleDeck(Command, frozen=True, tag="handle_deck"):
    """Confirm a step of opening a new deck. `player` saw the cards. Name the deck only if more than
    one waits for the step."""

    declared = Declaration(
        ANYBODY,
        "Prepare a new deck",
        "handle the deck",
        _of_care(lambda care, command, _: care.opening[command.step].clause),
        help="Choose the deck if more than one waits for this step.",
    )
    step: Annotated[Step, Meta(title="Step")]
    back: Back = ""
    player: PlayerName | None = None

    def doing(self) -> str:
        return _STEPS[self.step]


_STEPS: Final[dict[str, str]] = {
    "inspect": "inspect the cards",
    "verify": "verify the inspection of the cards",
    "spread": "spread the cards",
    "view": "look at the cards as the first player",
    "turn": "turn the cards face down",
    "wash": "wash the cards",
    "stack": "stack the cards",
}


class LoadDeck(Command, frozen=True, tag="load_deck"):
    """Put one of two decks into the shuffler."""

    declared = Declaration(
        DEALER,
        "Load the shuffler",
        "put a deck into the shuffler",
        _of_care(lambda care, _, __: care.load.clause),
        help="Choose the deck that goes into the shuffler.",
    )
    back: Back = ""


class ShuffleDeck(Command, frozen=True, tag="shuffle_deck"):
    """Shuffle a deck. `count` is the number on the shuffler's counter."""

    declared = Declaration(
        DEALER,
        "Shuffle",
        "shuffle",
        _of_care(lambda care, _, __: care.shuffle.clause),
        filled=frozenset({"twice"}),
        foreseen=True,
    )
    how: Annotated[Literal["hand", "device"], Meta(title="Shuffled by")]
    back: Back = ""
    count: Annotated[int, Meta(ge=0, le=999, title="Cards on the shuffler's counter")] | None = None
    twice: bool = False
    """At a strict table, a count that differs takes effect only the second time."""


class CutDeck(Command, frozen=True, tag="cut_deck"):
    """Cut the deck, with the cover card at least as deep as the document requires; `depth` is its
    place in cards if somebody counted it."""

    declared = Declaration(
        DEALER, "Cut", "cut the cards", _of_care(lambda care, _, __: care.cut.clause)
    )
    depth: Annotated[int, Meta(ge=0, le=999, title="Cards cut off")] | None = None
    back: Back = ""


class OrderShuffle(Command, frozen=True, tag="order_shuffle"):
    """A floorperson orders another shuffle."""

    declared = Declaration(
        FLOOR,
        "Order a shuffle",
        "order a shuffle",
        _of_care(lambda care, _, __: care.ordered_clause),
        help="The dealer shuffles the cards again.",
    )
    reason: Sentence
    back: Back = ""


class OrderRecut(Command, frozen=True, tag="order_recut"):
    """A floorperson orders another cut, because the cut was improper."""

    declared = Declaration(
        FLOOR,
        "Order another cut",
        "order another cut",
        _of_care(lambda care, _, __: care.recut_clause),
        help="The cut was improper, and the dealer cuts again.",
    )
    reason: Sentence
    back: Back = ""


class RemoveDeck(Command, frozen=True, tag="remove_deck"):
    """Take a deck off the table."""

    declared = Declaration(
        CREW,
        "Remove the deck",
        "take a deck off the table",
        _of_care(lambda care, _, __: care.remove.clause),
        foreseen=True,
    )
    back: Back = ""
    reason: Annotated[str, Meta(max_length=300, title="Reason")] = ""


class LayOut(Command, frozen=True, tag="lay_out"):
    """Spread the cards on the table while nobody plays, face up if a player asks for it."""

    declared = Declaration(
        DEALER,
        "Spread the cards",
        "lay the cards out",
        _of_care(lambda care, _, __: care.idle.clause),
        help="While nobody plays, the cards lie spread on the table, face up if a "
        "player asks for it.",
    )
    face_up: Annotated[bool, Meta(title="Face up")] = False
    player: PlayerName | None = None


class CountStub(Command, frozen=True, tag="count_stub"):
    """Count the stub. `misdealt` means that the count is wrong because cards were misdealt, and all
    52 are there."""

    declared = Declaration(
        DEALER,
        "Count the stub",
        "count the stub",
        _stub,
        filled=frozenset({"twice"}),
        foreseen=True,
        help="Count the cards that were not dealt.",
    )
    count: Annotated[int, Meta(ge=0, le=999, title="Cards counted")]
    misdealt: Annotated[bool, Meta(title="Cards were misdealt, and all 52 are there")] = False
    twice: bool = False
    """At a strict table, a count that differs takes effect only the second time."""


class ReportMalfunction(Command, frozen=True, tag="report_malfunction"):
    """Report that the device cannot be used."""

    declared = Declaration(
        CREW,
        "Report a broken device",
        "report a device broken",
        _out_of_order,
        help="The device is out of use until it is repaired.",
    )
    device: AffectedDevice


class MarkOutOfOrder(Command, frozen=True, tag="mark_out_of_order"):
    """Cover the device, or put an out-of-order sign on it."""

    declared = Declaration(
        CREW, "Mark a device out of order", "mark a device out of order", _out_of_order
    )
    device: AffectedDevice
    how: Annotated[Literal["covered", "sign"], Meta(title="Marked by")]


class RepairDevice(Command, frozen=True, tag="repair_device"):
    """Return the device to service."""

    declared = Declaration(
        FLOOR, "Return a device to service", "put a device into use again", _out_of_order
    )
    device: AffectedDevice


class ChangeDealing(Command, frozen=True, tag="change_dealing"):
    """Change the dealing method because a device is out of order, or return to the usual method."""

    declared = Declaration(
        FLOOR,
        "Change the way of dealing",
        "change the way of dealing",
        _out_of_order,
        help="Another way while a device is out of order, or the usual way again.",
    )
    method: Annotated[str, Meta(min_length=1, max_length=60, title="Way of dealing")]


CareCommand: TypeAlias = (
    ReceiveDeck
    | HandleDeck
    | LoadDeck
    | ShuffleDeck
    | CutDeck
    | OrderShuffle
    | OrderRecut
    | RemoveDeck
    | LayOut
    | CountStub
    | ReportMalfunction
    | MarkOutOfOrder
    | RepairDevice
    | ChangeDealing
)
