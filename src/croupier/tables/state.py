"""A table as it stands: its rules, its people, its money and the round in play."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from croupier.errors import CroupierError
from croupier.rounds.state import OPENING, Round
from croupier.rulebooks.forms import read_json
from croupier.rulebooks.loader import RulebookFile, load_rulebook, parse_toml
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from croupier.tables.care.state import Care

__all__ = ["Table", "rules_for", "rules_of", "submission_of"]


class Table(msgspec.Struct, frozen=True, gc=False):
    """`money` has the table's accounts by short name: `inventory`, `drop`, `tips`, `rack:ann` (the
    chips in front of a player) and `layout:3` (what lies on a seat's spots). Empty ones are left
    out. `version` counts the table's events, `opened` and `began` are those of its opening and of
    its last round's."""

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
    """The decks, where the software keeps them."""

    def rack(self, player: str) -> int:
        return self.money.get(f"rack:{player}", 0)

    def is_seated(self, player: str) -> bool:
        return player in self.seats.values()


def submission_of(text: str) -> Submission:
    return read_json(text, Submission)


@lru_cache(maxsize=256)
def rules_for(rulebook: str, rulebook_text: str, submission: str) -> Rules:
    """The rules in force, from what the journal keeps of them."""
    try:
        terms = submission_of(submission)
        if rulebook_text:
            file = RulebookFile(parse_toml(rulebook_text, rulebook), rulebook)
        else:
            file = load_rulebook(rulebook)
        return put_in_force(file, terms)
    except CroupierError as error:
        raise error.within("submission") from None


def rules_of(table: Table) -> Rules:
    return rules_for(table.rulebook, table.rulebook_text, table.submission)
