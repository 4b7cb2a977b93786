"""Wagers whose figures are a sum over the lines of their paytable.

Where every deal ends at one line at most, and what a line pays changes no decision except with
hands of that line, the deals of a line depend on its own pay alone. So mean, mean square and hits
are sums of a part for each line and a rest, and all ways to fill d lines with n values each need
the parts of d*n fillings, not n**d.

Along one line the value is the maximum of straight lines, one for each way to play: convex. If the
play that is best at a is as good as the best at b, it is the best everywhere between them, and no
other is as good there unless it was as good at a. So the values between need no solving. Otherwise
the range is halved.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.open_lines.open_table import OpenTable

REST: Final = -1
"""In place of a line: the deals that end at none of the open ones."""
Pays: TypeAlias = tuple[Fraction, ...]


class Moments(NamedTuple):
    """Mean net, mean of its square, chance to win and mean of all that is wagered, raises included;
    of all deals, or those of one part."""

    value: Fraction
    squares: Fraction
    hits: Fraction
    wagered: Fraction = Fraction(0)

    def plus(self, other: Moments) -> Moments:
        return Moments(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def variance(self) -> Fraction:
        return self.squares - self.value**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def hold(self) -> Fraction:
        """What the house keeps of each unit wagered, on average over the units."""
        return -self.value / self.wagered


NOTHING: Final = Moments(Fraction(0), Fraction(0), Fraction(0))


class LinePricer(ABC):
    """A wager with open lines, where every deal ends at one of them at most."""

    table: OpenTable

    @abstractmethod
    def counted(self, pays: Pays) -> Any:
        """Every deal under the best play at these pays."""

    @abstractmethod
    def part(self, counted: Any, pays: Pays, line: int) -> Moments:
        """The deals that end at a line, or at none (`REST`), paid so: a share of all deals."""


class SidePricer(LinePricer):
    """A side wager: nothing is decided by its pays, so one count is enough."""

    def __init__(self, table: OpenTable, figures: WagerAnalysis) -> None:
        self.table, self._figures = table, figures
        self._hands = [line.hand for line in table.lines]

    def counted(self, pays: Pays) -> WagerAnalysis:  # noqa: ARG002
        return self._figures

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


@dataclass(frozen=True)
class LineParts:
    """The rest, and by line and pay the part that it adds."""

    rest: Moments
    parts: tuple[Mapping[Fraction, Moments], ...]

    def at(self, pays: Pays) -> Moments:
        total = self.rest
        for part, pay in zip(self.parts, pays, strict=True):
            total = total.plus(part[pay])
        return total


def line_parts(pricer: LinePricer) -> LineParts:
    base = tuple(line.low for line in pricer.table.lines)
    first = pricer.counted(base)
    parts = tuple(_along(pricer, base, first, line) for line in range(len(base)))
    return LineParts(pricer.part(first, base, REST), parts)


def one_line(pricer: LinePricer, line: int) -> tuple[Moments, dict[Fraction, Moments]]:
    """The rest, and the part of one line at each of its values."""
    base = tuple(each.low for each in pricer.table.lines)
    first = pricer.counted(base)
    return pricer.part(first, base, REST), _along(pricer, base, first, line)


def _along(pricer: LinePricer, base: Pays, first: Any, line: int) -> dict[Fraction, Moments]:
    """The part of a line at each of its values, the other lines as in `base`."""
    values = pricer.table.lines[line].values()

    def at(pay: Fraction) -> Pays:
        return (*base[:line], pay, *base[line + 1 :])

    solved = {values[0]: first}
    parts: dict[Fraction, Moments] = {}

    def solve(place: int) -> None:
        pay = values[place]
        if pay not in solved:
            solved[pay] = pricer.counted(at(pay))
        parts[pay] = pricer.part(solved[pay], at(pay), line)

    def fill(start: int, stop: int) -> None:
        if stop - start < 2:
            return
        low, high = values[start], values[stop]
        if pricer.part(solved[low], at(high), line).value == parts[high].value:
            for pay in values[start + 1 : stop]:
                parts[pay] = pricer.part(solved[low], at(pay), line)
            return
        middle = (start + stop) // 2
        solve(middle)
        for ends in pairwise((start, middle, stop)):
            fill(*ends)

    solve(0)
    solve(len(values) - 1)
    fill(0, len(values) - 1)
    return parts


def slopes(pricer: LinePricer) -> dict[str, Fraction]:
    """By line, at the lowest value of each: what one unit more of its pay adds to the mean."""
    pays = tuple(line.low for line in pricer.table.lines)
    counted = pricer.counted(pays)
    gains = {}
    for place, line in enumerate(pricer.table.lines):
        more = (*pays[:place], pays[place] + 1, *pays[place + 1 :])
        raised, now = (pricer.part(counted, each, place).value for each in (more, pays))
        gains[line.hand] = raised - now
    return gains
