"""What the server answers: views and problems. Money as "7.50", cards as "As"."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from croupier.rounds.state import AddedRandomness
from croupier.rounds.views import RoundOdds
from croupier.runtime.dealer import PaceName

SeatNumber: TypeAlias = Annotated[int, Meta(ge=1, le=20)]


class ReadyForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Done betting: when everybody is, the dealer says "no more bets"."""

    seat: SeatNumber


class PaceForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page says on the live connection: how fast its player wants the table dealt, or that
    they do not want to wait for the next question."""

    pace: PaceName | None = None
    skip: bool = False


class DoneForm(msgspec.Struct, frozen=True):
    """The table's version with the command done; `repeated`: it had been done before; `waits`:
    nothing has moved until a second person confirms it."""

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
    """The same after the seat's `story`, without what that has told."""


class SeatInRoundForm(msgspec.Struct, frozen=True):
    """`cards`: null lies face down. `ready`: done betting."""

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
    """What a match play coupon beside the chips is worth."""
    story: str = ""
    """The settled hand in a sentence or two, of "the player"."""
    winning: tuple[str, ...] = ()
    """The cards that make the hand which won, the seat's or the dealer's."""


class ClaimForm(msgspec.Struct, frozen=True):
    """A progressive won that waits for a floorperson."""

    seat: int
    hand: str
    pays: str
    clause: str
    meter: str


class RoundForm(msgspec.Struct, frozen=True):
    number: int
    phase: str
    decision: str
    """The name of the question that is asked now."""
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
    """Found face up in the deck, and out of the round."""
    added: tuple[AddedRandomness, ...] = ()
    """Randomness that players add to the deck, in the order committed; a value once revealed."""
    odds: tuple[RoundOdds, ...] = ()
    """Of wagers that pay by the number of hands: those of this round, from the showdown on."""


class SeatForm(msgspec.Struct, frozen=True):
    """`sits_out`: bets are open and they do not want any this round. `away`: their page is
    closed, and nobody waits for them. To those who do not sit at a table of a house with money
    `player` is the seat, and `rack` is empty."""

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
    """Of what `cannot_say`: why the hand does not allow it."""


class ClockForm(msgspec.Struct, frozen=True):
    """`at` is when it happens unless people act before; `seconds` is what is left of it now."""

    what: str
    at: str
    seconds: float
    seat: int = 0
    extension: int = 0
    """So many seconds a player is given who asks for more time."""


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
    """Somebody tries a job here: nothing matters."""
    pace: PaceName = "casino"
    """Of the dealer by software: the slowest that a player who is there has chosen."""
    part: tuple[int, ...] = ()
    """What the document asks of the players now: places in the `duties` of the table's rules."""


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
    """A progressive is to be validated."""
    rehearsal: bool = False
    by_document: bool = True
    """Played by a regulator's document; false: by a game of casinos or of the house."""
    lesson: bool = False
    """There is a first round to be walked through."""


class GameCount(msgspec.Struct, frozen=True):
    """A game that is played here, and at how many tables."""

    rulebook: str
    title: str
    jurisdiction: str
    tables: int


class TablesForm(msgspec.Struct, frozen=True):
    """A page of the tables that were asked for. `total`: how many there are; `next`: the address of
    the page after this one; `games`: all that are played, however the list was narrowed."""

    tables: tuple[TableCard, ...]
    total: int
    page: int
    next: str | None
    games: tuple[GameCount, ...]


class ForeseenForm(msgspec.Struct, frozen=True):
    """What a command would lead to, in sentences. Nothing has been written. `grave`: something is
    void, condemned, forfeited or corrected by it, so that a person confirms it."""

    told: tuple[str, ...]
    grave: bool
