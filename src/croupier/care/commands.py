"""What people do with the decks and the devices of a live table, as they confirm it."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

__all__ = [
    "CareCommand",
    "ChangeDealing",
    "CountStub",
    "CutDeck",
    "Device",
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
    "Step",
]

Step: TypeAlias = Literal["inspect", "verify", "spread", "view", "turn", "wash", "stack"]
Device: TypeAlias = Literal["shuffler", "shoe"]


class ReceiveDeck(msgspec.Struct, frozen=True, tag="receive_deck"):
    """`back` is the color by which the deck is known; `prepared`: inspected and shuffled before."""

    back: str
    cover_cards: int
    prepared: bool = False


class HandleDeck(msgspec.Struct, frozen=True, tag="handle_deck"):
    """A step of the opening is done. `player` is the one who was shown the cards. Where only one
    deck is waiting for the step it need not be named."""

    step: Step
    back: str = ""
    player: str | None = None


class LoadDeck(msgspec.Struct, frozen=True, tag="load_deck"):
    """With two decks: this one goes into the shuffler."""

    back: str = ""


class ShuffleDeck(msgspec.Struct, frozen=True, tag="shuffle_deck"):
    """`count` is what a shuffler that counts has shown."""

    how: Literal["hand", "device"]
    back: str = ""
    count: int | None = None


class CutDeck(msgspec.Struct, frozen=True, tag="cut_deck"):
    depth: int
    back: str = ""


class OrderShuffle(msgspec.Struct, frozen=True, tag="order_shuffle"):
    """A floorperson wants the cards shuffled again."""

    reason: str
    back: str = ""


class OrderRecut(msgspec.Struct, frozen=True, tag="order_recut"):
    """A floorperson finds the cut improper."""

    reason: str
    back: str = ""


class RemoveDeck(msgspec.Struct, frozen=True, tag="remove_deck"):
    back: str = ""
    reason: str = ""


class LayOut(msgspec.Struct, frozen=True, tag="lay_out"):
    """Nobody plays: the cards are spread on the table, face up if a player asks for it."""

    face_up: bool = False
    player: str | None = None


class CountStub(msgspec.Struct, frozen=True, tag="count_stub"):
    """`misdealt`: the count is wrong because of how the cards were dealt; all 52 are there."""

    count: int
    misdealt: bool = False


class ReportMalfunction(msgspec.Struct, frozen=True, tag="report_malfunction"):
    """The device cannot be used."""

    device: Device


class MarkOutOfOrder(msgspec.Struct, frozen=True, tag="mark_out_of_order"):
    device: Device
    how: Literal["covered", "sign"]


class RepairDevice(msgspec.Struct, frozen=True, tag="repair_device"):
    device: Device


class ChangeDealing(msgspec.Struct, frozen=True, tag="change_dealing"):
    """Another way of dealing, because a device is out of order; or back to the usual one."""

    method: str


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
