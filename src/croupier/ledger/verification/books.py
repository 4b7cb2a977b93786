"""What the walks over the streams gather for the checks between them."""

from __future__ import annotations

from typing import Final, NamedTuple

from croupier import progressives
from croupier.cashier import FromTable, ToTable
from croupier.ledger.differences import Difference
from croupier.ledger.entries import (
    fingerprint,
)
from croupier.ledger.table_entries import (
    Pointer,
)
from croupier.rounds.declaration import to_json

__all__ = ["Award", "AwardKey", "Books"]


class AwardKey(NamedTuple):
    table: str
    round: int
    seat: int


class Award(NamedTuple):
    cents: int
    reading: int | None = None
    """What the meter showed; nothing where the link's journal cannot be played."""


_IN_ROUNDS: Final = (
    progressives.Contribute,
    progressives.Award,
    progressives.ReverseRound,
    progressives.FinishRound,
)
"""What a table tells its link while it plays."""


class Books:
    """What one walk over the journal gathers for the checks between streams."""

    def __init__(self) -> None:
        self.balances: dict[str, int] = {}
        self.awards: dict[AwardKey, Award] = {}
        self.corrected: dict[str, list[Pointer]] = {}
        self.pointed: dict[str, list[Pointer]] = {}
        self.asked: dict[tuple[str, str], int] = {}
        """By link and table: the sum over what the link's journal was told in the table's rounds,
        less what these rounds give."""
        self.held: dict[str, int] = {}
        """By person: what the cashier holds for him, by the last entry of his account."""
        self.drawn: dict[tuple[str, str], int] = {}
        """By person and table: the sum over what his account says went to the table or came from
        it, less what the table says."""
        self.notes: list[Difference] = []
        """What nobody can look at, and nobody has to: rounds in play that are sealed."""
        self.unknown: set[str] = set()
        """Links and tables of which some entries could not be played."""
        self.pruned: dict[str, int] = {}
        """The last attempt of each stream that has lost its text."""
        self.unchecked = 0
        """Entries whose MACs cannot be checked with the key of this machine."""
        self.entries = 0
        self.rounds = 0

    def take(self, other: Books) -> None:
        """What another walk has gathered, over other streams."""
        for account, cents in other.balances.items():
            self.balances[account] = self.balances.get(account, 0) + cents
        for place, number in other.asked.items():
            self.asked[place] = self.asked.get(place, 0) + number
        for place, number in other.drawn.items():
            self.drawn[place] = self.drawn.get(place, 0) + number
        self.held |= other.held
        self.awards |= other.awards
        self.corrected |= other.corrected
        self.pointed |= other.pointed
        self.unknown |= other.unknown
        self.pruned |= other.pruned
        self.notes += other.notes
        self.unchecked += other.unchecked
        self.entries += other.entries
        self.rounds += other.rounds

    def ask(self, link: str, asked: progressives.Command, *, was_told: bool) -> None:
        if not isinstance(asked, _IN_ROUNDS):
            return
        number = fingerprint(asked.round, asked.table, to_json(asked).decode())
        place = (link, asked.table)
        self.asked[place] = self.asked.get(place, 0) + (number if was_told else -number)

    def draw(self, person: str, moved: ToTable | FromTable, *, by_account: bool) -> None:
        number = fingerprint(moved.entry, moved.table, to_json(moved).decode())
        place = (person, moved.table)
        self.drawn[place] = self.drawn.get(place, 0) + (number if by_account else -number)
