"""The state of a table: its rules, its people, its money and the round in play."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.deck_care.state import Care
from croupier.rounds.declaration import Role
from croupier.rounds.state import OPENING, Round
from croupier.rulebooks.rules import Rules, rules_for

Question: TypeAlias = tuple[int, int, int]
"""The round, the step in it, and the seat that is asked; seat 0 means that everybody may bet."""
NO_QUESTION: Final[Question] = (0, 0, 0)


class Call(msgspec.Struct, frozen=True):
    """An open call for the floor."""

    number: int
    role: Role
    name: str
    reason: str
    since: int
    """In seconds since 1970."""


class Pending(msgspec.Struct, frozen=True):
    """A command that waits for a second person. `number` is the entry that proposed it; `by` lists
    the roles that may confirm it."""

    number: int
    command: str
    """In JSON, as it was given."""
    role: Role
    name: str
    since: int
    """In seconds since 1970."""
    by: tuple[Role, ...]
    why: str


class ChipCount(msgspec.Struct, frozen=True):
    """A count of the chips in the inventory when the table opened or closed: the number of chips by
    value in cents, who counted first, and who countersigned."""

    when: Literal["opening", "closing"]
    chips: dict[int, int]
    by: str
    second: str = ""

    @property
    def waits(self) -> bool:
        """Whether a second signature is still missing."""
        return not self.second


class Table(msgspec.Struct, frozen=True, gc=False):
    """The state of a table. `money` holds the table's accounts by short name: `inventory`, `drop`,
    `tips`, `rack:ann` (the chips in front of a player) and `layout:3` (the bets of a seat). Empty
    accounts are left out. `version` counts the table's entries in the journal; `opened` and `began`
    are the entries that opened the table and its last round."""

    id: str
    rulebook: str
    submission: str = "{}"
    rulebook_text: str = ""
    source: Literal["virtual", "live"] = "virtual"
    link: str = ""
    is_open: bool = True
    seats: dict[int, str] = {}
    money: dict[str, int] = {}
    round: Round = OPENING
    version: int = 0
    opened: int = 0
    began: int = 0
    care: Care | None = None
    """The decks, if the software enforces their care."""
    extended: tuple[Question, int] = (NO_QUESTION, 0)
    """The last question whose clock was extended, and the number of extensions."""
    face_up_for: str = ""
    """The player who asked for the idle cards face up, until they are turned."""
    staff: dict[str, str] = {}
    """The assigned dealer and floorperson, by role."""
    calls: tuple[Call, ...] = ()
    """Open calls for the floor, oldest first."""
    last_call: int = 0
    count: ChipCount | None = None
    """The last count of the inventory that takes two signatures."""
    slips: dict[str, int] = {}
    """The last slip number that the house assigned, by letter: F fills, C credits, D drops."""
    own_slips: tuple[str, ...] = ()
    """Slip numbers that people chose themselves, recorded at strict tables."""
    strict: bool = False
    """A real opening by the house: with its approvals, and with unique slip numbers."""
    new_limits: bool = False
    """The limits have changed since the table opened. With care of decks the terms also change in
    other ways, and every round states them."""

    pending: tuple[Pending, ...] = ()
    """Commands that wait for a second person, oldest first."""
    reopened: tuple[int, ...] = ()
    """Rounds settled by software that an auditor opened to corrections."""

    @property
    def by_people_only(self) -> bool:
        """Whether people do everything here: at a strict live table. Rehearsal tables are not
        strict, because somebody chose software there."""
        return self.strict and self.source == "live"

    def rack(self, player: str) -> int:
        return self.money.get(f"rack:{player}", 0)

    def is_seated(self, player: str) -> bool:
        return player in self.seats.values()


def rules_of(table: Table) -> Rules:
    return rules_for(table.rulebook, table.rulebook_text, table.submission)


def question_of(table: Table) -> Question:
    """Return the open question: the bets of a round, or the decision of one seat."""
    state = table.round
    return state.number, state.step, state.turn if state.phase == "deciding" else 0


def extensions(table: Table) -> int:
    """Return how often the open question's clock was extended."""
    question, times = table.extended
    return times if question == question_of(table) else 0


def is_waited_for(table: Table, player: str, away: Collection[str] = ()) -> bool:
    """Return whether anybody else at the table, who is not `away`, waits for this player."""
    playing = {seat.player for seat in table.round.seats if not seat.left}
    if table.round.phase == "over":
        playing = set()
    return bool((playing | set(table.seats.values())) - {player, *away})
