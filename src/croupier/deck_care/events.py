"""Events of the decks and devices of a table. `at` is in seconds since 1970, UTC."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from croupier.deck_care.state import Device, Step


class _Done(msgspec.Struct, frozen=True, kw_only=True):
    by: str
    at: int
    clause: str


class DeckReceived(_Done, frozen=True, kw_only=True, tag="deck_received"):
    back: str
    cover_cards: int
    prepared: bool = False


class DeckHandled(_Done, frozen=True, kw_only=True, tag="deck_handled"):
    step: Step
    back: str
    player: str | None = None


class DeckLoaded(_Done, frozen=True, kw_only=True, tag="deck_loaded"):
    back: str


class DeckShuffled(_Done, frozen=True, kw_only=True, tag="deck_shuffled"):
    """A deck was shuffled. `then` states whether it must be cut, is ready, or must be removed
    because its count is wrong."""

    back: str
    how: Literal["hand", "device"]
    count: int | None = None
    then: Literal["shuffled", "ready", "condemned"]


class DeckCut(_Done, frozen=True, kw_only=True, tag="deck_cut"):
    """A deck was cut. Without a `depth` the dealer has confirmed that the cover card lies deep
    enough."""

    back: str
    depth: int | None = None


class ShuffleOrdered(_Done, frozen=True, kw_only=True, tag="shuffle_ordered"):
    back: str
    reason: str


class RecutOrdered(_Done, frozen=True, kw_only=True, tag="recut_ordered"):
    back: str
    reason: str


class DeckTaken(_Done, frozen=True, kw_only=True, tag="deck_taken"):
    """A round is dealt from this deck."""

    back: str


class DeckRemoved(_Done, frozen=True, kw_only=True, tag="deck_removed"):
    back: str
    reason: str
    after: int
    """Seconds since the deck came to the table."""


class CardsLaidOut(_Done, frozen=True, kw_only=True, tag="cards_laid_out"):
    face_up: bool
    player: str | None = None


class CountDiffers(_Done, frozen=True, kw_only=True, tag="count_differs"):
    """A count of a deck, or of the stub of the deck in play, differs from the expected number. Its
    only effect is a second count."""

    back: str
    count: int
    expected: int


class StubCounted(_Done, frozen=True, kw_only=True, tag="stub_counted"):
    count: int
    expected: int
    misdealt: bool = False


class MalfunctionReported(_Done, frozen=True, kw_only=True, tag="malfunction_reported"):
    device: Device


class DeviceMarked(_Done, frozen=True, kw_only=True, tag="device_marked"):
    device: Device
    how: Literal["covered", "sign"]


class DeviceRepaired(_Done, frozen=True, kw_only=True, tag="device_repaired"):
    device: Device


class DealingChanged(_Done, frozen=True, kw_only=True, tag="dealing_changed"):
    """The dealing method changed. `submission` holds the terms with the new method; `withdrawn`
    lists the wagers it rules out."""

    method: str
    submission: str
    usual_terms: str
    withdrawn: tuple[str, ...] = ()


CareEvent: TypeAlias = (
    DeckReceived
    | DeckHandled
    | DeckLoaded
    | DeckShuffled
    | DeckCut
    | ShuffleOrdered
    | RecutOrdered
    | DeckTaken
    | DeckRemoved
    | CardsLaidOut
    | CountDiffers
    | StubCounted
    | MalfunctionReported
    | DeviceMarked
    | DeviceRepaired
    | DealingChanged
)
