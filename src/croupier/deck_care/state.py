"""The state of the decks and devices of a live table."""

from __future__ import annotations

from typing import Final, Literal, Protocol, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.rounds.state import Round

Step: TypeAlias = Literal["inspect", "verify", "spread", "view", "turn", "wash", "stack"]
Device: TypeAlias = Literal["shuffler", "shoe"]
Stage: TypeAlias = Literal[
    "received",
    "inspected",
    "verified",
    "spread",
    "viewed",
    "turned",
    "washed",
    "stacked",
    "used",
    "shuffled",
    "ready",
    "in_play",
    "condemned",
]
"""`used`: must be shuffled again; `shuffled`: must be cut; `condemned`: must be taken off the
table."""

OPENING: Final[dict[Stage, tuple[Step, Stage]]] = {
    "received": ("inspect", "inspected"),
    "inspected": ("verify", "verified"),
    "verified": ("spread", "spread"),
    "spread": ("view", "viewed"),
    "viewed": ("turn", "turned"),
    "turned": ("wash", "washed"),
    "washed": ("stack", "stacked"),
}
"""The next step for each stage of a new deck, and the stage after it."""

OPENED: Final[frozenset[Stage]] = frozenset(
    {"turned", "washed", "stacked", "used", "shuffled", "ready"}
)
"""Stages of a deck that a player has seen and that is not in play."""


class DifferingCount(msgspec.Struct, frozen=True):
    """A count that differs: the number of cards, and who counted them."""

    count: int
    by: str


class Deck(msgspec.Struct, frozen=True):
    """A deck at the table, identified by the color of its back. `age` is in seconds, up to
    `Care.clock`."""

    back: str
    stage: Stage = "received"
    place: Literal["table", "machine", "rack"] = "table"
    prepared: bool = False
    face_up: bool = True
    cut: int = 0
    age: int = 0
    inspected_by: str = ""
    condemned_by: str = ""
    """The clause by which the deck was condemned."""
    differing: DifferingCount | None = None
    """A count of this deck, or of its stub, that differs from the expected number: it must be
    counted again before it has effects."""


class Care(msgspec.Struct, frozen=True):
    """The decks and devices of a table. `clock` is the time of the last event. `last` is the back
    of the deck of the last round. `uncounted` is the number of rounds since the stub was counted;
    `counted` means that it was counted in the round in play. `usual` is the dealing method that the
    table opened with."""

    usual: str
    decks: tuple[Deck, ...] = ()
    clock: int | None = None
    last: str = ""
    uncounted: int = 0
    counted: bool = False
    idle: bool = False
    """Nobody plays, and the cards must be spread."""
    devices: dict[Device, Literal["failed", "covered", "sign"]] = {}
    """Only devices that cannot be used."""
    usual_terms: str = ""
    """The original submission, while the table uses another dealing method."""

    @property
    def lies_face_down(self) -> bool:
        """Whether nobody plays, and the cards are spread face down or about to be."""
        return self.idle or any(d.stage == "spread" and not d.face_up for d in self.decks)

    def deck(self, back: str) -> Deck | None:
        return next((deck for deck in self.decks if deck.back == back), None)

    @property
    def in_play(self) -> Deck | None:
        return next((deck for deck in self.decks if deck.stage == "in_play"), None)

    @property
    def next_deck(self) -> Deck | None:
        """The deck of the next round: of two decks, the one not used in the last round."""
        if len(self.decks) == 1:
            return self.decks[0]
        return next((deck for deck in self.decks if deck.back != self.last), None)

    def with_deck(self, deck: Deck) -> Care:
        changed = tuple(deck if kept.back == deck.back else kept for kept in self.decks)
        return replace(self, decks=changed)


def with_ages_at(care: Care, at: int) -> Care:
    """Return the decks with the time since the last event added to their ages.

    Time is added up from event to event. If a clock is set back, nothing is added or subtracted.
    (Now minus the deck's arrival would keep the deck too long by as much as the clock was set
    back.) A clock that jumps ahead looks like hours that have passed: the deck is changed too
    early, never too late.
    """
    passed = max(0, at - care.clock) if care.clock is not None else 0
    decks = care.decks
    if passed:
        decks = tuple(replace(deck, age=deck.age + passed) for deck in decks)
    return replace(care, clock=at, decks=decks)


class TableWithDecks(Protocol):
    """The parts of a table that this package needs."""

    @property
    def care(self) -> Care | None: ...
    @property
    def round(self) -> Round: ...
    @property
    def is_open(self) -> bool: ...
    @property
    def rulebook(self) -> str: ...
    @property
    def rulebook_text(self) -> str: ...
    @property
    def submission(self) -> str: ...
    @property
    def staff(self) -> dict[str, str]: ...

    def is_seated(self, player: str) -> bool: ...
