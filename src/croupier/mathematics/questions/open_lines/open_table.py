"""A paytable with some lines left open, and every way to fill them.

A line is paid in units to 1. 0 is a push; on a bonus, which has no stake, it means that the line is
not paid. -1 means that a line of a side wager is not paid, and its stake is lost.

The order of the hands is kept: a line above another never pays less, unless the printed table
already has it so.
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
from croupier.mathematics.shapes import MAIN_ROLES
from croupier.money import For, Push, To, parse_pays
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Line, Paytable, VersusPaytable
from croupier.rulebooks.wager_families import families_of

NOT_PAID: Final = Fraction(-1)
"""The net of a side wager's line that is not paid."""
UNPAID: Final = "not paid"

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
    """Read `flush=4..8`, `flush=1..3:1/2` or `flush=5`."""
    hand, equals, rest = text.partition("=")
    ends, colon, step_text = rest.partition(":")
    low_text, dots, high_text = ends.partition("..")
    try:
        low = _number(low_text, signed=True)
        high = _number(high_text, signed=True) if dots else low
        step = _number(step_text) if colon else Fraction(1)
    except ValueError:
        equals = ""
    if not equals or not hand:
        raise BadRequest(f"--vary {shown(text)}: write {_VARY}")
    if high < low or step <= 0:
        raise BadRequest(f"--vary {shown(text)}: from the lower to the higher, in steps above 0")
    return VariedLine(hand, low, high, step)


def read_range(text: str, flag: str) -> tuple[Fraction, Fraction]:
    """Read `2` or `1.5..2.5`; either end may be below zero."""
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
    """Return a pay as a rulebook writes it."""
    return f"{pay.numerator} to {pay.denominator}" if pay else "push"


def _worth(line: Line) -> Fraction | None:
    """Return what a line pays in units to 1, or None if that depends on the stake or a meter."""
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
        """The pay of every line of the printed table, in units to 1."""
        return {line.hand: _worth(line) for line in self.printed.lines}

    @cached_property
    def is_bonus(self) -> bool:
        """Whether the family pays bonuses only, which have no stake of their own."""
        book = self.rules.book
        paid = any(self.family in families_of(wager.settles) for wager in book.wagers.values())
        return not paid and any(b.paytable == self.family for b in book.bonuses.values())

    @cached_property
    def is_side(self) -> bool:
        """Whether the family pays side wagers only, which lose on a hand without a line."""
        wagers = [
            wager
            for wager in self.rules.book.wagers.values()
            if self.family in families_of(wager.settles)
        ]
        return bool(wagers) and all(
            isinstance(each.settles, VersusPaytable)
            and not each.settles.returns
            and each.role not in MAIN_ROLES
            for each in wagers
        )

    def is_unpaid(self, pay: Fraction) -> bool:
        return pay == NOT_PAID or (self.is_bonus and not pay)

    @property
    def count(self) -> int:
        """The number of ways to fill the lines, in any order."""
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
        for line in varied:
            table._check_unpaid(line)
        order = list(table.worths)
        return replace(table, lines=tuple(sorted(varied, key=lambda line: order.index(line.hand))))

    def _check_unpaid(self, line: VariedLine) -> None:
        name = f"--vary {line.hand}"
        if line.low < 0 and not self.is_side:
            raise BadRequest(f"{name}: a line pays 0 or more; -1 is for lines of side wagers")
        if any(pay < 0 and pay != NOT_PAID for pay in line.values()):
            raise BadRequest(f"{name}: below 0 only -1 has a meaning, that the line is not paid")
        instead = self._paid_instead(line.hand) if any(map(self.is_unpaid, line.values())) else ""
        if instead:
            raise BadRequest(f"{name}: without the line these hands are paid as {instead}")

    def _paid_instead(self, hand: str) -> str:
        """Return the line that would pay hands of this one if it were not paid."""
        lines = list(self.printed.lines)
        place = next(n for n, line in enumerate(lines) if line.hand == hand)
        own = self._categories(lines[place])
        settles = [each.settles for each in self.rules.book.wagers.values()]
        first = {name for s in settles if isinstance(s, VersusPaytable) for name in s.tested_first}
        after = lines[place + 1 :] if hand not in first else [n for n in lines if n.hand != hand]
        return next((line.hand for line in after if own & self._categories(line)), "")

    def _categories(self, line: Line) -> set[str]:
        patterns = self.rules.book.patterns
        names = line.covers or (line.hand,)
        return {
            each
            for name in names
            for each in (patterns[name].category if name in patterns else (name,))
        } or {*CATEGORY_NAMES}

    def as_printed(self) -> OpenTable:
        """Return the same table with every line of odds open, each at its printed pay."""
        lines = tuple(
            VariedLine(hand, worth, worth)
            for hand, worth in self.worths.items()
            if worth is not None
        )
        return replace(self, lines=lines)

    def filled(self, pays: Sequence[Fraction]) -> Rules:
        """Return the rules with the open lines at these pays."""
        wanted = {line.hand: pay for line, pay in zip(self.lines, pays, strict=True)}
        lines = tuple(
            structs.replace(line, pays=pays_text(wanted[line.hand]))
            if line.hand in wanted and wanted[line.hand] != self.worths[line.hand]
            else line
            for line in self.printed.lines
            if line.hand not in wanted or not self.is_unpaid(wanted[line.hand])
        )
        book = self.rules.book
        tables = {
            **book.paytables[self.family],
            self.table_id: structs.replace(self.printed, lines=lines),
        }
        paytables = {**book.paytables, self.family: tables}
        return replace(self.rules, book=structs.replace(book, paytables=paytables), prepared={})

    def pays_of(self, pays: Sequence[Fraction]) -> dict[str, str]:
        """Return every line of the filled table, in words."""
        wanted = {line.hand: pay for line, pay in zip(self.lines, pays, strict=True)}
        words = {line.hand: str(parse_pays(line.pays)) for line in self.printed.lines}
        for hand, pay in wanted.items():
            if self.is_unpaid(pay):
                words[hand] = UNPAID
            elif pay != self.worths[hand]:
                words[hand] = str(parse_pays(pays_text(pay)))
        return words

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
        """Return the open lines that must pay at least what line i does."""
        own = self._printed_worth(self.lines[i].hand)
        return tuple(j for j in range(i) if self._printed_worth(self.lines[j].hand) >= own)

    def _printed_worth(self, hand: str) -> Fraction:
        worth = self.worths[hand]
        assert worth is not None
        return worth

    def _in_place(self, line: VariedLine, *, any_order: bool) -> tuple[Fraction, ...]:
        """Return the values of a line that keep it between the lines that are not open."""
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
