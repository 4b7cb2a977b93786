"""A paytable with some lines left open, and every way to fill them.

A line is paid in units to 1; 0 is a push. The order of the hands is kept: a line that stands above
another never pays less, unless the printed table itself has it so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import Final

from msgspec import structs

from croupier.errors import BadRequest, shown, suggest
from croupier.money import For, Push, To, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Line, Paytable

__all__ = ["OpenTable", "VariedLine", "pays_text", "read_range", "read_varied"]

_NUMBER: Final = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,4})|/([1-9][0-9]{0,3}))?")
_VARY: Final = "HAND=LOW..HIGH or HAND=LOW..HIGH:STEP, as in flush=4..8 or flush=1..3:1/2"


@dataclass(frozen=True, slots=True)
class VariedLine:
    """A line and the range of what it may pay, in units to 1."""

    hand: str
    low: Fraction
    high: Fraction
    step: Fraction = Fraction(1)

    @property
    def count(self) -> int:
        return int((self.high - self.low) / self.step) + 1

    def values(self) -> tuple[Fraction, ...]:
        return tuple(self.low + i * self.step for i in range(self.count))


def read_varied(text: str) -> VariedLine:
    """`flush=4..8`, `flush=1..3:1/2`, `flush=5`."""
    hand, equals, rest = text.partition("=")
    ends, colon, step_text = rest.partition(":")
    low_text, dots, high_text = ends.partition("..")
    try:
        low = _number(low_text)
        high = _number(high_text) if dots else low
        step = _number(step_text) if colon else Fraction(1)
    except ValueError:
        equals = ""
    if not equals or not hand:
        raise BadRequest(f"--vary {shown(text)}: write {_VARY}")
    if high < low or step <= 0:
        raise BadRequest(f"--vary {shown(text)}: from the lower to the higher, in steps above 0")
    return VariedLine(hand, low, high, step)


def read_range(text: str, flag: str) -> tuple[Fraction, Fraction]:
    """`2` or `1.5..2.5`; either end may be below zero."""
    low_text, dots, high_text = text.partition("..")
    try:
        low = _number(low_text, signed=True)
        high = _number(high_text, signed=True) if dots else low
    except ValueError:
        raise BadRequest(f"{flag} {shown(text)}: write NUMBER or LOW..HIGH, as in 2..2.5") from None
    if high < low:
        raise BadRequest(f"{flag} {shown(text)}: the lower end comes first")
    return low, high


def _number(text: str, *, signed: bool = False) -> Fraction:
    text = text.strip()
    minus = signed and text.startswith("-")
    if not _NUMBER.fullmatch(text[minus:]):
        raise ValueError(text)
    return Fraction(text)


def pays_text(pay: Fraction) -> str:
    """As a rulebook writes it."""
    return f"{pay.numerator} to {pay.denominator}" if pay else "push"


def _worth(line: Line) -> Fraction | None:
    """What a line pays in units to 1; None where that depends on the stake or a meter."""
    match parse_pays(line.pays):
        case To(n, d):
            return Fraction(n, d)
        case For(n):
            return Fraction(n - 1)
        case Push():
            return Fraction(0)
        case _:
            return None


@dataclass(frozen=True, eq=False)
class OpenTable:
    """The table `table_id` of a family with `lines` left open, in the order of the table."""

    rules: Rules
    family: str
    table_id: str
    lines: tuple[VariedLine, ...]

    @property
    def printed(self) -> Paytable:
        return self.rules.book.paytables[self.family][self.table_id]

    @cached_property
    def worths(self) -> dict[str, Fraction | None]:
        """What every line of the printed table pays."""
        return {line.hand: _worth(line) for line in self.printed.lines}

    @property
    def count(self) -> int:
        """All ways to fill the lines, whatever their order."""
        return prod(line.count for line in self.lines)

    @classmethod
    def of(
        cls, rules: Rules, family: str, table_id: str, varied: Sequence[VariedLine]
    ) -> OpenTable:
        table = cls(rules, family, table_id, tuple(varied))
        for line in varied:
            if line.hand not in table.worths:
                raise suggest(f"line of {family} {table_id}", line.hand, table.worths)
            if table.worths[line.hand] is None:
                raise BadRequest(
                    f"--vary {line.hand}: the line of {family} {table_id} pays a fixed sum or a "
                    "share of a meter; only odds are varied"
                )
        if len({line.hand for line in varied}) < len(varied):
            raise BadRequest("--vary: the same line is given twice")
        order = list(table.worths)
        return replace(table, lines=tuple(sorted(varied, key=lambda one: order.index(one.hand))))

    def as_printed(self) -> OpenTable:
        """The same table with every line of odds open, each at what is printed."""
        lines = tuple(
            VariedLine(hand, worth, worth)
            for hand, worth in self.worths.items()
            if worth is not None
        )
        return replace(self, lines=lines)

    def filled(self, pays: Sequence[Fraction]) -> Rules:
        """The rules with the open lines paying this much."""
        wanted = {line.hand: pay for line, pay in zip(self.lines, pays, strict=True)}
        lines = tuple(
            structs.replace(line, pays=pays_text(wanted[line.hand]))
            if line.hand in wanted and wanted[line.hand] != self.worths[line.hand]
            else line
            for line in self.printed.lines
        )
        book = self.rules.book
        tables = {
            **book.paytables[self.family],
            self.table_id: structs.replace(self.printed, lines=lines),
        }
        paytables = {**book.paytables, self.family: tables}
        return replace(self.rules, book=structs.replace(book, paytables=paytables), prepared={})

    def pays_of(self, pays: Sequence[Fraction]) -> dict[str, str]:
        """Every line of the table, filled."""
        lines = self.filled(pays).book.paytables[self.family][self.table_id].lines
        return {line.hand: str(parse_pays(line.pays)) for line in lines}

    def candidates(self, *, any_order: bool = False) -> Iterator[tuple[Fraction, ...]]:
        above = [() if any_order else self._above(i) for i in range(len(self.lines))]
        values = [self._in_place(line, any_order=any_order) for line in self.lines]
        chosen: list[Fraction] = []

        def fill(i: int) -> Iterator[tuple[Fraction, ...]]:
            if i == len(values):
                yield tuple(chosen)
                return
            most = min((chosen[j] for j in above[i]), default=None)
            for value in values[i]:
                if most is not None and value > most:
                    return  # ascending
                chosen.append(value)
                yield from fill(i + 1)
                chosen.pop()

        return fill(0)

    def _above(self, i: int) -> tuple[int, ...]:
        """The open lines that must pay at least what line i does."""
        own = self._printed_worth(self.lines[i].hand)
        return tuple(j for j in range(i) if self._printed_worth(self.lines[j].hand) >= own)

    def _printed_worth(self, hand: str) -> Fraction:
        worth = self.worths[hand]
        assert worth is not None
        return worth

    def _in_place(self, line: VariedLine, *, any_order: bool) -> tuple[Fraction, ...]:
        """The values of a line that keep it between the lines that are not open."""
        if any_order:
            return line.values()
        own, hands = self._printed_worth(line.hand), list(self.worths)
        place = hands.index(line.hand)
        open_hands = {each.hand for each in self.lines}
        fixed: Mapping[str, Fraction] = {
            hand: worth
            for hand, worth in self.worths.items()
            if hand not in open_hands and worth is not None
        }
        over = [w for hand, w in fixed.items() if hands.index(hand) < place and w >= own]
        under = [w for hand, w in fixed.items() if hands.index(hand) > place and w <= own]
        return tuple(
            value
            for value in line.values()
            if all(value <= worth for worth in over) and all(value >= worth for worth in under)
        )
