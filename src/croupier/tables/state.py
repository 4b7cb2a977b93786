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
"""The round, the step in it and the seat that is asked; seat 0: everybody bets."""
NO_QUESTION: Final[Question] = (0, 0, 0)


class Call(msgspec.Struct, frozen=True):
    """Somebody at the table waits for the floor."""

    number: int
    role: Role
    name: str
    reason: str
    since: int
    """In seconds since 1970."""


class Pending(msgspec.Struct, frozen=True):
    """A command that waits for a second person. `number` is the entry that proposed it, `by` the
    roles that may confirm it."""

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
    """The chips of the inventory, counted when the table opened or closed: how many of each worth,
    in cents, who counted first and who countersigned."""

    when: Literal["opening", "closing"]
    chips: dict[int, int]
    by: str
    second: str = ""

    @property
    def waits(self) -> bool:
        """Nobody has countersigned yet."""
        return not self.second


class Table(msgspec.Struct, frozen=True, gc=False):
    """`money` has the table's accounts by short name: `inventory`, `drop`, `tips`, `rack:ann` (the
    chips in front of a player) and `layout:3` (the bets of a seat). Empty ones are left out.
    `version` counts the table's entries in the journal; `opened` and `began` are the entries that
    opened the table and its last round."""

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
    """The decks, where the software checks their care."""
    extended: tuple[Question, int] = (NO_QUESTION, 0)
    """The last question that was given more time, and how often."""
    face_up_for: str = ""
    """The player who asked that the idle cards lie face up, until they do."""
    staff: dict[str, str] = {}
    """Who works this table, by role: the dealer and the floorperson assigned to it."""
    calls: tuple[Call, ...] = ()
    """Who waits for the floor, the first one first."""
    last_call: int = 0
    count: ChipCount | None = None
    """The last count of the inventory that takes two signatures."""
    slips: dict[str, int] = {}
    """The last number that the house gave, by letter: F fills, C credits, D drops."""
    own_slips: tuple[str, ...] = ()
    """Numbers that people wrote themselves, where the house keeps them apart."""
    strict: bool = False
    """Opened by the house for real: with its approvals, and no slip number twice."""
    new_limits: bool = False
    """The limits are not those that the table was opened with. With care of decks the terms change
    in other ways, too, and every round says them."""

    pending: tuple[Pending, ...] = ()
    """Commands that wait for a second person, the first one first."""
    reopened: tuple[int, ...] = ()
    """Rounds settled by software that an auditor opened to corrections."""

    @property
    def by_people_only(self) -> bool:
        """At a live table of the house people do everything. Rehearsal tables are not opened by the
        house: there somebody chose software."""
        return self.strict and self.source == "live"

    def rack(self, player: str) -> int:
        return self.money.get(f"rack:{player}", 0)

    def is_seated(self, player: str) -> bool:
        return player in self.seats.values()


def rules_of(table: Table) -> Rules:
    return rules_for(table.rulebook, table.rulebook_text, table.submission)


def question_of(table: Table) -> Question:
    """What is open now: the bets of a round, or what one seat is asked."""
    state = table.round
    return state.number, state.step, state.turn if state.phase == "deciding" else 0


def extensions(table: Table) -> int:
    """How often the open question was given more time."""
    question, times = table.extended
    return times if question == question_of(table) else 0


def is_waited_for(table: Table, player: str, away: Collection[str] = ()) -> bool:
    """Is anybody else at the table, and not `away`?"""
    playing = {seat.player for seat in table.round.seats if not seat.left}
    if table.round.phase == "over":
        playing = set()
    return bool((playing | set(table.seats.values())) - {player, *away})
