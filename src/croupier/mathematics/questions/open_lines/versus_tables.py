"""Hand against hand with open lines: one decision, on a hand that belongs to one line.

A wager that nobody makes, paid by the printed table, tells the solver's cases apart by line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from croupier.mathematics.counters.opponents.game import VersusGame, game_with
from croupier.mathematics.counters.opponents.solver import VersusSolution, solve
from croupier.mathematics.questions.open_lines.by_line import REST, LinePricer, Moments, Pays
from croupier.mathematics.questions.open_lines.open_table import OpenTable
from croupier.mathematics.shapes.fields import MAIN_ROLES
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.schema import Rulebook, VersusDealer, VersusPaytable, Wager
from croupier.rulebooks.wager_families import families_of

__all__ = ["VersusPricer", "versus_pricer"]

_PROBE: Final = "open lines"
_ONLY: Final = "only"


def versus_pricer(table: OpenTable) -> VersusPricer | None:
    """None where the table pays hands of two rankings."""
    book = table.rules.book
    hands = list(_hands_paid(book, table.family))
    if len({ranking_of(book, hand) for hand in hands}) != 1:
        return None
    return VersusPricer(table, hands[0])


def _hands_paid(book: Rulebook, family: str) -> Iterator[str]:
    """The hands of the main game that a family's tables look at."""
    for wager in book.wagers.values():
        if wager.role in MAIN_ROLES and family in families_of(wager.settles):
            assert isinstance(wager.settles, VersusDealer | VersusPaytable)
            yield wager.settles.hand
    for bonus in book.bonuses.values():
        if bonus.paytable == family and book.wagers[bonus.on].role in MAIN_ROLES:
            yield bonus.hand


class VersusPricer(LinePricer):
    def __init__(self, table: OpenTable, hand: str) -> None:
        self.table, self._hand = table, hand
        self._lines = [line.hand for line in table.lines]
        self._games: dict[Pays, VersusGame] = {}

    def counted(self, pays: Pays) -> VersusSolution:
        return solve(self._game(pays))

    def part(self, counted: VersusSolution, pays: Pays, line: int) -> Moments:
        paid = VersusSolution(self._game(pays), counted.deals)
        which = self._line_of(paid.game) == line
        deals, nets = paid.deals[:, which].astype(object), paid.nets[:, which]
        total, scale = paid.game.deals, paid.game.scale
        bets = [*paid.game.bets, *[0] * (len(deals) - len(paid.game.bets))]
        taken = [int(of_action.sum()) for of_action in deals]
        required = len(self.table.rules.required)
        wagered = sum((required + k) * n for k, n in zip(bets, taken, strict=True))
        return Moments(
            Fraction(int((deals * nets).sum()), total * scale),
            Fraction(int((deals * nets**2).sum()), total * scale**2),
            Fraction(int(deals[nets > 0].sum()), total),
            Fraction(wagered, total),
        )

    def _line_of(self, game: VersusGame) -> NDArray[np.int64]:
        """By case: the open line that pays it, or `REST`."""
        found = [case.paid[_PROBE][0].hand for case in game.cases]
        return np.array([self._lines.index(h) if h in self._lines else REST for h in found])

    def _game(self, pays: Pays) -> VersusGame:
        if pays not in self._games:
            rules = self.table.filled(pays)
            probe = Wager(
                title=_PROBE,
                role="optional",
                clause="",
                settles=VersusPaytable(hand=self._hand, paytable=_PROBE, lost=""),
            )
            book = structs.replace(
                rules.book,
                wagers={**rules.book.wagers, _PROBE: probe},
                paytables={**rules.book.paytables, _PROBE: {_ONLY: self.table.printed}},
            )
            chosen = {**rules.chosen, _PROBE: _ONLY}
            self._games[pays] = game_with(replace(rules, book=book, chosen=chosen), (_PROBE,))
        return self._games[pays]
