"""What people do with the decks and the devices of a live table, as they confirm it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta

from croupier.care.equipment import way_in_force
from croupier.care.state import Device, Step
from croupier.rounds.commands import PlayerName, Sentence
from croupier.rounds.declaration import ANYBODY, CREW, DEALER, FLOOR, Command, Declaration
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import CareRules

__all__ = [
    "CareCommand",
    "ChangeDealing",
    "CountStub",
    "CutDeck",
    "HandleDeck",
    "LayOut",
    "LoadDeck",
    "MarkOutOfOrder",
    "OrderRecut",
    "OrderShuffle",
    "ReceiveDeck",
    "RemoveDeck",
    "RepairDevice",
    "ReportMalfunction",
    "ShuffleDeck",
]

Back: TypeAlias = Annotated[str, Meta(max_length=20, description="The color of the deck's backs")]


def _of_care(found: Callable[[CareRules, Any, Rules], str]) -> Callable[[Any, Rules], str]:
    """The clause of a document that says how decks are kept."""

    def clause(command: Any, rules: Rules) -> str:
        care = rules.book.care
        return found(care, command, rules) if care is not None else ""

    return clause


@_of_care
def _stub(care: CareRules, _: Any, rules: Rules) -> str:
    stub = care.stub.get(way_in_force(rules))
    return stub.clause if stub is not None else ""


@_of_care
def _out_of_order(care: CareRules, _: Any, __: Rules) -> str:
    return care.out_of_order.clause if care.out_of_order is not None else ""


class ReceiveDeck(Command, frozen=True, tag="receive_deck"):
    """`back` is the color by which the deck is known; `prepared`: inspected and shuffled before."""

    declared = Declaration(
        CREW,
        "Receive a deck",
        "bring a deck to the table",
        _of_care(lambda care, _, __: care.receive.clause),
    )
    back: Annotated[str, Meta(min_length=1, max_length=20)]
    cover_cards: Annotated[int, Meta(ge=0, le=20)]
    prepared: bool = False


class HandleDeck(Command, frozen=True, tag="handle_deck"):
    """A step of the opening is done. `player` is the one who was shown the cards. Where only one
    deck is waiting for the step it need not be named."""

    declared = Declaration(
        ANYBODY,
        "Handle the deck",
        "handle the deck",
        _of_care(lambda care, command, _: care.opening[command.step].clause),
    )
    step: Step
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
    """With two decks: this one goes into the shuffler."""

    declared = Declaration(
        DEALER,
        "Load the shuffler",
        "put a deck into the shuffler",
        _of_care(lambda care, _, __: care.load.clause),
    )
    back: Back = ""


class ShuffleDeck(Command, frozen=True, tag="shuffle_deck"):
    """`count` is what a shuffler that counts has shown."""

    declared = Declaration(
        DEALER,
        "Shuffle",
        "shuffle",
        _of_care(lambda care, _, __: care.shuffle.clause),
        foreseen=True,
    )
    how: Literal["hand", "device"]
    back: Back = ""
    count: Annotated[int, Meta(ge=0, le=999)] | None = None


class CutDeck(Command, frozen=True, tag="cut_deck"):
    """The cards are cut so many deep."""

    declared = Declaration(
        DEALER, "Cut", "cut the cards", _of_care(lambda care, _, __: care.cut.clause)
    )
    depth: Annotated[int, Meta(ge=0, le=999)]
    back: Back = ""


class OrderShuffle(Command, frozen=True, tag="order_shuffle"):
    """A floorperson wants the cards shuffled again."""

    declared = Declaration(
        FLOOR,
        "Order a shuffle",
        "order a shuffle",
        _of_care(lambda care, _, __: care.ordered_clause),
    )
    reason: Sentence
    back: Back = ""


class OrderRecut(Command, frozen=True, tag="order_recut"):
    """A floorperson finds the cut improper."""

    declared = Declaration(
        FLOOR,
        "Order another cut",
        "order another cut",
        _of_care(lambda care, _, __: care.recut_clause),
    )
    reason: Sentence
    back: Back = ""


class RemoveDeck(Command, frozen=True, tag="remove_deck"):
    """A deck is taken off the table."""

    declared = Declaration(
        CREW,
        "Remove the deck",
        "take a deck off the table",
        _of_care(lambda care, _, __: care.remove.clause),
    )
    back: Back = ""
    reason: Annotated[str, Meta(max_length=300)] = ""


class LayOut(Command, frozen=True, tag="lay_out"):
    """Nobody plays: the cards are spread on the table, face up if a player asks for it."""

    declared = Declaration(
        DEALER,
        "Lay the cards out",
        "lay the cards out",
        _of_care(lambda care, _, __: care.idle.clause),
    )
    face_up: bool = False
    player: PlayerName | None = None


class CountStub(Command, frozen=True, tag="count_stub"):
    """`misdealt`: the count is wrong because of how the cards were dealt; all 52 are there."""

    declared = Declaration(DEALER, "Count the stub", "count the stub", _stub, foreseen=True)
    count: Annotated[int, Meta(ge=0, le=999)]
    misdealt: bool = False


class ReportMalfunction(Command, frozen=True, tag="report_malfunction"):
    """The device cannot be used."""

    declared = Declaration(CREW, "Report a device broken", "report a device broken", _out_of_order)
    device: Device


class MarkOutOfOrder(Command, frozen=True, tag="mark_out_of_order"):
    """The device is covered, or a sign says that it is out of order."""

    declared = Declaration(
        CREW, "Mark it out of order", "mark a device out of order", _out_of_order
    )
    device: Device
    how: Literal["covered", "sign"]


class RepairDevice(Command, frozen=True, tag="repair_device"):
    """The device is used again."""

    declared = Declaration(
        FLOOR, "Put it into use again", "put a device into use again", _out_of_order
    )
    device: Device


class ChangeDealing(Command, frozen=True, tag="change_dealing"):
    """Another way of dealing, because a device is out of order; or back to the usual one."""

    declared = Declaration(
        FLOOR, "Change the way of dealing", "change the way of dealing", _out_of_order
    )
    method: Annotated[str, Meta(min_length=1, max_length=60)]


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
