"""Paytable lines as formulas over leaves: which line a hand is paid on.

A pattern is a tree: its own conditions look at one hand, `also` and `unless` add others. Every
node's own conditions become a `Leaf`; a deal is then as good as the set of leaves that hold for it,
written as the bits of an integer, and the line that pays follows from that integer alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from croupier.errors import Unsolvable
from croupier.mathematics.side_wagers.columns import Leaf
from croupier.money import Pays, parse_pays
from croupier.rulebooks.schema import Line, Pattern, Paytable, Rulebook

__all__ = ["LineTests", "PricedLine", "check_suits", "pattern_named"]

LineTest: TypeAlias = Callable[[int], bool]
"""Does the pattern hold for a deal, given the leaves that hold for it?"""


class PricedLine(NamedTuple):
    hand: str
    pays: Pays


def pattern_named(name: str, patterns: Mapping[str, Pattern]) -> Pattern:
    """A pattern of the rulebook; a category's name is a pattern of itself."""
    return patterns.get(name) or Pattern(category=(name,))


class LineTests:
    """The lines of a paytable in the order in which they are tried, over a common list of leaves.

    `returns` are patterns that push where no line pays.
    """

    def __init__(
        self,
        table: Paytable,
        patterns: Mapping[str, Pattern],
        own: str,
        *,
        tested_first: Iterable[str] = (),
        returns: Iterable[str] = (),
    ) -> None:
        first = tuple(tested_first)
        self._leaves: dict[Leaf, int] = {}
        self.lines = tuple(PricedLine(line.hand, parse_pays(line.pays)) for line in table.lines)
        order = sorted(range(len(table.lines)), key=lambda n: table.lines[n].hand not in first)
        self._tests = [
            (number, test)
            for number in order
            for test in self._line_tests(table.lines[number], patterns, own)
        ]
        self.returns = tuple(returns)
        # A pattern without conditions returns nothing, as in the settlement.
        self._returned = [
            self._compile(pattern_named(n, patterns), own) or _never for n in self.returns
        ]

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(self._leaves)

    def line(self, held: int) -> int | None:
        """The number of the line that pays when these leaves hold."""
        return next((number for number, test in self._tests if test(held)), None)

    def returned(self, held: int) -> int | None:
        """The number of the pattern among `returns` that makes it a push."""
        return next((n for n, test in enumerate(self._returned) if test(held)), None)

    def _line_tests(
        self, line: Line, patterns: Mapping[str, Pattern], own: str
    ) -> Iterator[LineTest]:
        for name in line.covers or (line.hand,):
            yield self._compile(pattern_named(name, patterns), own) or _always

    def _compile(self, pattern: Pattern, own: str) -> LineTest | None:
        """The test of a pattern; None where there is nothing to test."""
        hand = pattern.hand or own
        leaf = Leaf(
            hand, pattern.category, pattern.made, pattern.ranks, pattern.suited, pattern.suits
        )
        bit = 0
        if leaf != Leaf(hand):
            bit = 1 << self._leaves.setdefault(leaf, len(self._leaves))
        also = [test for part in pattern.also if (test := self._compile(part, hand))]
        unless = [test for part in pattern.unless if (test := self._compile(part, hand))]
        if not bit and not also and not unless:
            return None

        def holds(held: int) -> bool:
            return (
                held & bit == bit
                and all(test(held) for test in also)
                and not any(test(held) for test in unless)
            )

        return holds


def check_suits(tests: LineTests, book: Rulebook) -> None:
    """Which cards make a hand is known of five-card hands, so only their suits can be named."""
    for leaf in tests.leaves:
        ranking = book.hands[leaf.hand].ranking
        known = ranking in ("five_card", "cards") and ranking not in book.rankings
        if leaf.suits and leaf.category and not known:
            raise Unsolvable(
                f"hands.{leaf.hand} is ranked as {ranking}, and a line names the suits of a made "
                "hand: that is solved for hands ranked as five_card"
            )


def _always(_: int) -> bool:
    return True


def _never(_: int) -> bool:
    return False
