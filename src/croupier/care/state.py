"""How the decks and devices of a live table stand."""

from __future__ import annotations

from typing import Final, Literal, Protocol, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.rounds.state import Round

__all__ = [
    "OPENED",
    "OPENING",
    "Care",
    "Deck",
    "Device",
    "Stage",
    "Step",
    "TableWithDecks",
    "with_ages_at",
]

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
"""`used`: to be shuffled again; `shuffled`: to be cut; `condemned`: to be taken off the table."""

OPENING: Final[dict[Stage, tuple[Step, Stage]]] = {
    "received": ("inspect", "inspected"),
    "inspected": ("verify", "verified"),
    "verified": ("spread", "spread"),
    "spread": ("view", "viewed"),
    "viewed": ("turn", "turned"),
    "turned": ("wash", "washed"),
    "washed": ("stack", "stacked"),
}
"""What a new deck waits for, and what it is then."""

OPENED: Final[frozenset[Stage]] = frozenset(
    {"turned", "washed", "stacked", "used", "shuffled", "ready"}
)
"""A player has seen the cards, and they are not in play."""


class Deck(msgspec.Struct, frozen=True):
    """A deck at the table, known by the color of its back. `age` is in seconds, up to the last time
    that anything was done with the cards."""

    back: str
    stage: Stage = "received"
    place: Literal["table", "machine", "rack"] = "table"
    prepared: bool = False
    face_up: bool = True
    cut: int = 0
    age: int = 0
    inspected_by: str = ""
    condemned_by: str = ""
    """The clause."""


class Care(msgspec.Struct, frozen=True):
    """`clock` is when something was last done. `last` is the back of the deck that the last round
    was dealt from. `uncounted` are the rounds completed since the stub was counted, `counted`
    whether it was in the round in play. `usual` is the way of dealing the table opened with."""

    usual: str
    decks: tuple[Deck, ...] = ()
    clock: int | None = None
    last: str = ""
    uncounted: int = 0
    counted: bool = False
    idle: bool = False
    """Nobody plays, and the cards are to be spread."""
    devices: dict[Device, Literal["failed", "covered", "sign"]] = {}
    """Those that cannot be used."""
    usual_terms: str = ""
    """The submission as it was, while the table is dealt in another way than usual."""

    def deck(self, back: str) -> Deck | None:
        return next((deck for deck in self.decks if deck.back == back), None)

    @property
    def in_play(self) -> Deck | None:
        return next((deck for deck in self.decks if deck.stage == "in_play"), None)

    @property
    def next_deck(self) -> Deck | None:
        """The deck of the coming round: of two, not the one that the last was dealt from."""
        if len(self.decks) == 1:
            return self.decks[0]
        return next((deck for deck in self.decks if deck.back != self.last), None)

    def with_deck(self, deck: Deck) -> Care:
        changed = tuple(deck if other.back == deck.back else other for other in self.decks)
        return replace(self, decks=changed)


def with_ages_at(care: Care, at: int) -> Care:
    """The decks have aged by the time since anything was last done with them.

    Time is added up from one record to the next. A clock that is set back adds nothing and takes
    nothing away; from there on time counts as before. (The difference between now and the deck's
    arrival would keep it for as much longer as the clock was set back.) A clock that jumps ahead
    cannot be told from hours that have passed: the deck is changed too early, never too late.
    """
    passed = max(0, at - care.clock) if care.clock is not None else 0
    decks = care.decks
    if passed:
        decks = tuple(replace(deck, age=deck.age + passed) for deck in decks)
    return replace(care, clock=at, decks=decks)


class TableWithDecks(Protocol):
    """What the care of decks asks of a table."""

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

    def is_seated(self, player: str) -> bool: ...
