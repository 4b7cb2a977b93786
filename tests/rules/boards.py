"""Signs and felts for the tests of what a table must show."""

from __future__ import annotations

from typing import Any

import msgspec

from croupier.reports.felt import felt_svg
from croupier.reports.signs import FeltArea, FeltSpot, PayTable, Sign, sign_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

__all__ = ["Board", "board"]


class Board:
    """A sign, with short ways to what a test asks about."""

    def __init__(self, sign: Sign) -> None:
        self.sign = sign
        self.svg = felt_svg(sign)
        self.spots: dict[str, FeltSpot] = {spot.wager: spot for spot in sign.spots}
        self.areas: dict[str, FeltArea] = {area.holds: area for area in sign.areas}

    def told(self, kind: str) -> list[tuple[str, str]]:
        """The notices of a kind on the sign: words and the clause that asks for them."""
        return [(one.words, one.asked_by) for one in self.sign.notices if one.kind == kind]

    def inscribed(self, kind: str) -> list[tuple[str, str]]:
        """The same on the felt; the drawing must carry the words."""
        found = [one for one in self.sign.inscriptions if one.kind == kind]
        for one in found:
            assert one.words in self.svg
        return [(one.words, one.asked_by) for one in found]

    def table(self, title: str) -> PayTable:
        return next(table for table in self.sign.paytables if table.title == title)

    def pays(self, title: str) -> dict[str, str]:
        """The only column of a paytable."""
        return {row.hand: row.cells[0].says for row in self.table(title).rows}

    def drawn(self, title: str) -> int:
        """How often something with this title and clause is drawn."""
        return self.svg.count(f"<title>{title}</title>")


def board(rulebook: str, *, operator: str = "Harbour Casino", **submission: Any) -> Board:
    terms = msgspec.convert(submission, Submission)
    rules = put_in_force(load_rulebook(rulebook), terms)
    return Board(sign_of(rules, operator=operator, table="T 1"))
