"""Paytable lines as formulas over leaves: which line pays a hand.

A pattern is a tree: its own conditions look at one hand, `also` and `unless` add others. Every
node's own conditions become a `Leaf`; a deal is then described by the set of leaves that hold for
it, written as the bits of an integer, and the line that pays follows from that integer alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeAlias

from croupier.cards import RANKS
from croupier.errors import Unsolvable
from croupier.mathematics.game.payments import Loses, Paid
from croupier.money import Push, parse_pays
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    EitherHandBeaten,
    HighestHand,
    Pattern,
    Paytable,
    Rulebook,
    VersusPaytable,
)

LineTest: TypeAlias = Callable[[int], bool]
"""Whether the pattern holds for a deal, by the leaves that hold for it."""


class Leaf(NamedTuple):
    """Conditions on one named hand that must all hold (see `schema.Pattern`)."""

    hand: str
    category: tuple[str, ...] = ()
    made: str = ""
    ranks: tuple[str, ...] = ()
    suited: bool | None = None
    suits: str = ""


class HandTop(NamedTuple):
    """The top of a hand's value: its category, by its name in the ranking, and its first made rank.
    The lines of a main game with a dealer look at nothing else."""

    category: str
    made: str

    @staticmethod
    def of(ranking: Ranking, top: int) -> HandTop:
        """Return the top of a value; `top` is the value without the ranks after the first."""
        return HandTop(ranking.names[top >> 4], RANKS[top & 15])

    def held(self, leaves: Iterable[Leaf]) -> int:
        """Return the leaves that hold, as bits."""
        return sum(
            1 << place
            for place, leaf in enumerate(leaves)
            if (not leaf.category or self.category in leaf.category)
            and (not leaf.made or self.made in leaf.made)
        )


def _pattern_named(name: str, patterns: Mapping[str, Pattern]) -> Pattern:
    """Return a pattern of the rulebook; a category's name is a pattern of its own."""
    return patterns.get(name) or Pattern(category=(name,))


class LineTests:
    """The lines of a paytable in the order in which they are tried, over a list of leaves that
    several paytables may share.

    `returns` are patterns that push if no line pays. `family` is the paytable's name. `endings` has
    all lines, then the pushes, then the loss.
    """

    def __init__(
        self,
        table: Paytable,
        patterns: Mapping[str, Pattern],
        own: str,
        *,
        tested_first: Iterable[str] = (),
        returns: Iterable[str] = (),
        family: str = "",
        leaves: dict[Leaf, int] | None = None,
    ) -> None:
        first, pushed = tuple(tested_first), tuple(returns)
        self._leaves = {} if leaves is None else leaves
        self._own = 0
        self._known: dict[int, int] = {}
        self.lines = tuple(Paid(x.hand, parse_pays(x.pays), family) for x in table.lines)
        self.endings = (
            *self.lines,
            *(Paid(name, Push(), family) for name in pushed),
            Paid("loses", Loses(), family),
        )
        order = sorted(enumerate(table.lines), key=lambda item: item[1].hand not in first)
        self._tests = [
            (number, self._compile(_pattern_named(name, patterns), own) or _always)
            for number, line in order
            for name in line.covers or (line.hand,)
        ]
        # A pattern without conditions pushes nothing, as in the settlement.
        self._tests += [
            (place, test)
            for place, name in enumerate(pushed, len(self.lines))
            if (test := self._compile(_pattern_named(name, patterns), own))
        ]

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        return tuple(self._leaves)

    def place(self, held: int) -> int:
        """Return the index in `endings` of a wager on this table when these leaves hold."""
        own = held & self._own
        if own not in self._known:
            places = (place for place, test in self._tests if test(own))
            self._known[own] = next(places, len(self.endings) - 1)
        return self._known[own]

    def ending(self, held: int) -> Paid:
        return self.endings[self.place(held)]

    def line(self, held: int) -> int | None:
        """Return the number of the line that pays, or None."""
        place = self.place(held)
        return place if place < len(self.lines) else None

    def _compile(self, pattern: Pattern, own: str) -> LineTest | None:
        """Return the test of a pattern, or None if there is nothing to test."""
        hand = pattern.hand or own
        leaf = Leaf(
            hand, pattern.category, pattern.made, pattern.ranks, pattern.suited, pattern.suits
        )
        bit = 0
        if leaf != Leaf(hand):
            bit = 1 << self._leaves.setdefault(leaf, len(self._leaves))
            self._own |= bit
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


def line_tests(
    rules: Rules,
    settles: VersusPaytable | EitherHandBeaten | HighestHand,
    table_id: str | None = None,
    leaves: dict[Leaf, int] | None = None,
) -> LineTests:
    """Return the lines that settle a wager, of the table in force unless another is named."""
    tests = LineTests(
        rules.paytable(settles.paytable, table_id),
        rules.book.patterns,
        settles.hand,
        tested_first=getattr(settles, "tested_first", ()),
        returns=getattr(settles, "returns", ()),
        family=settles.paytable,
        leaves=leaves,
    )
    _check_suits(tests, rules.book)
    return tests


def _check_suits(tests: LineTests, book: Rulebook) -> None:
    """Refuse suits of a made hand except for five-card hands: only there is it known which cards
    make the hand."""
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
