"""Server responses: views and problems. Money is written as "7.50", cards as "As"."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from croupier.rounds.state import AddedRandomness
from croupier.rounds.views import RoundOdds
from croupier.runtime.dealer import PaceName

SeatNumber: TypeAlias = Annotated[int, Meta(ge=1, le=20)]


class ReadyForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player at this seat is done betting. Once everyone is, the dealer says "no more bets"."""

    seat: SeatNumber


class PaceForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page's message on the live connection: the pace its player wants, or a wish to skip to the
    next question."""

    pace: PaceName | None = None
    skip: bool = False


class DoneForm(msgspec.Struct, frozen=True):
    """The table's version after the command. `repeated`: it had already been done. `waits`: nothing
    has changed until a second person confirms it."""

    version: int
    repeated: bool = False
    waits: bool = False


class LineForm(msgspec.Struct, frozen=True):
    wager: str
    stake: str
    result: str
    net: str
    clause: str
    pays: str
    words: str
    short: str = ""
    """`words` without what the seat's `story` already says."""


class SeatInRoundForm(msgspec.Struct, frozen=True):
    """A seat in the round. A null in `cards` is a face-down card. `ready`: done betting."""

    number: int
    player: str
    wagers: dict[str, str]
    actions: tuple[str, ...]
    cards: tuple[str | None, ...]
    folded: bool
    left: bool
    ready: bool
    hand: str
    net: str | None
    lines: tuple[LineForm, ...]
    coupon: str = ""
    """The value of a match play coupon beside the chips."""
    story: str = ""
    """The settled hand in a sentence or two, about "the player"."""
    winning: tuple[str, ...] = ()
    """The cards that make the winning hand, the seat's or the dealer's."""


class ClaimForm(msgspec.Struct, frozen=True):
    """A progressive that was won and waits for a floorperson."""

    seat: int
    hand: str
    pays: str
    clause: str
    meter: str


class RoundForm(msgspec.Struct, frozen=True):
    number: int
    phase: str
    decision: str
    """The name of the current decision."""
    turn: int
    commitment: str
    seats: tuple[SeatInRoundForm, ...]
    community: tuple[str | None, ...]
    dealer: tuple[str | None, ...]
    dealer_hand: str
    qualifies: bool | None
    box: tuple[str | None, ...]
    claim: ClaimForm | None
    void: bool
    salt: str = ""
    order: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    """Cards found face up in the deck and taken out of the round."""
    added: tuple[AddedRandomness, ...] = ()
    """Randomness that players add to the deck, in the order committed; each value is shown once
    revealed."""
    odds: tuple[RoundOdds, ...] = ()
    """For wagers that pay by the number of hands: the odds of this round, from the showdown on."""


class SeatForm(msgspec.Struct, frozen=True):
    """A seat. `sits_out`: bets are open, but the player wants none this round. `away`: their page
    is closed, and nobody waits for them. At a table of a house with money, people who do not sit
    there see the seat's label as `player` and an empty `rack`."""

    number: int
    player: str | None
    rack: str
    sits_out: bool = False
    away: bool = False


class MeForm(msgspec.Struct, frozen=True):
    player: str
    rack: str
    seats: tuple[int, ...]


class ActionForm(msgspec.Struct, frozen=True, omit_defaults=True):
    do: str
    seat: int
    wager: str = ""
    action: str = ""
    cost: str | None = None
    least: str | None = None
    most: str | None = None
    stakes: tuple[str, ...] = ()
    clause: str = ""
    affordable: bool = True
    why: str = ""
    """For `cannot_say`: why the hand does not allow the action."""


class ClockForm(msgspec.Struct, frozen=True):
    """What happens at `at` unless people act first; `seconds` is the time left now."""

    what: str
    at: str
    seconds: float
    seat: int = 0
    extension: int = 0
    """Extra seconds for a player who asks for more time."""


class TableForm(msgspec.Struct, frozen=True):
    """A table as the asker may see it."""

    id: str
    version: int
    rulebook: str
    title: str
    jurisdiction: str
    is_open: bool
    source: str
    dealt_by: str
    me: MeForm | None
    seats: tuple[SeatForm, ...]
    meters: dict[str, str]
    round: RoundForm
    actions: tuple[ActionForm, ...]
    dealer_actions: tuple[str, ...]
    floor_actions: tuple[str, ...]
    clock: ClockForm | None
    rehearsal: bool = False
    """The table is for trying out a job: no money is real and nothing here counts."""
    pace: PaceName = "casino"
    """The pace of the software dealer: the slowest that a player present has chosen."""
    part: tuple[int, ...] = ()
    """The document's duties for players now, as indexes into `duties` of the table's rules."""


class HappenedForm(msgspec.Struct, frozen=True, omit_defaults=True):
    version: int
    kind: str
    words: tuple[str, ...]
    seat: int | None = None


class LimitForm(msgspec.Struct, frozen=True):
    least: str | None
    most: str | None


class CardSeat(msgspec.Struct, frozen=True):
    number: int
    player: str | None


class TableCard(msgspec.Struct, frozen=True):
    """A table in the lobby."""

    id: str
    rulebook: str
    title: str
    jurisdiction: str
    document: str
    summary: str
    limits: dict[str, LimitForm]
    seats: tuple[CardSeat, ...]
    open_seats: int
    meters: dict[str, str]
    is_open: bool
    phase: str
    round: int
    version: int
    players_watching: int
    waits_for_floor: bool
    """A progressive waits for validation."""
    rehearsal: bool = False
    by_document: bool = True
    """The game follows a regulator's document; if false, it is a casino game or the house's own."""
    lesson: bool = False
    """The game has a guided first round."""


class GameCount(msgspec.Struct, frozen=True):
    """A game played here, and its number of tables."""

    rulebook: str
    title: str
    jurisdiction: str
    tables: int


class TablesForm(msgspec.Struct, frozen=True):
    """A page of the requested tables. `total` counts them all; `next` is the address of the next
    page; `games` lists every game played here, whatever the filter."""

    tables: tuple[TableCard, ...]
    total: int
    page: int
    next: str | None
    games: tuple[GameCount, ...]


class ForeseenForm(msgspec.Struct, frozen=True):
    """What a command would do, in sentences; nothing is written. `grave`: it voids, condemns,
    forfeits or corrects something, so a person must confirm it."""

    told: tuple[str, ...]
    grave: bool
