"""A side wager with open lines: nothing is decided by its pays, so one count is enough."""

from __future__ import annotations

from fractions import Fraction

from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.open_lines.by_line import (
    NOTHING,
    REST,
    LinePricer,
    Moments,
    Pays,
)
from croupier.mathematics.questions.open_lines.open_table import OpenTable

__all__ = ["SidePricer"]


class SidePricer(LinePricer):
    def __init__(self, table: OpenTable, found: WagerAnalysis) -> None:
        self.table, self._found = table, found
        self._hands = [line.hand for line in table.lines]

    def counted(self, pays: Pays) -> WagerAnalysis:  # noqa: ARG002
        return self._found

    def part(self, counted: WagerAnalysis, pays: Pays, line: int) -> Moments:
        if line != REST:
            share = sum(
                (counted.probability(o) for o in counted.outcomes if o.hand == self._hands[line]),
                Fraction(0),
            )
            pay = pays[line]
            return Moments(share * pay, share * pay**2, share if pay > 0 else Fraction(0), share)
        total = NOTHING
        for outcome in counted.outcomes:
            if outcome.hand not in self._hands:
                share = counted.probability(outcome)
                hits = share if outcome.wins else Fraction(0)
                total = total.plus(
                    Moments(share * outcome.net, share * outcome.net**2, hits, share)
                )
        envy = counted.others * counted.envy_per_player
        return total.plus(Moments(envy, Fraction(0), Fraction(0)))
