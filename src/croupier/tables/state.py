"""The state of a table: its rules, its people, its money and the round in play."""

from __future__ import annotations

from typing import Literal

import msgspec

from croupier.care.state import Care
from croupier.rounds.state import OPENING, Round
from croupier.rulebooks.rules import Rules, rules_for

__all__ = ["Table", "rules_of"]


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

    def rack(self, player: str) -> int:
        return self.money.get(f"rack:{player}", 0)

    def is_seated(self, player: str) -> bool:
        return player in self.seats.values()


def rules_of(table: Table) -> Rules:
    return rules_for(table.rulebook, table.rulebook_text, table.submission)
