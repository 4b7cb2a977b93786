"""How a wager on a paytable ends: the line that pays, a push, or the loss."""

from __future__ import annotations

from typing import NamedTuple

from croupier.mathematics.model import Loses, Payment
from croupier.mathematics.side_wagers.paytable_lines import LineTests, check_suits
from croupier.money import Push
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import VersusPaytable

__all__ = ["WagerEnding", "ending_of", "line_tests"]


class WagerEnding(NamedTuple):
    """How one wager ends: the hand's name in its table, and what it pays."""

    hand: str
    pays: Payment

    @property
    def wins(self) -> bool:
        return not isinstance(self.pays, Push | Loses)


def line_tests(rules: Rules, settles: VersusPaytable) -> LineTests:
    tests = LineTests(
        rules.paytable(settles.paytable),
        rules.book.patterns,
        settles.hand,
        tested_first=settles.tested_first,
        returns=settles.returns,
    )
    check_suits(tests, rules.book)
    return tests


def ending_of(tests: LineTests, held: int) -> WagerEnding:
    """By the leaves that hold, as bits."""
    line = tests.line(held)
    if line is not None:
        return WagerEnding(tests.lines[line].hand, tests.lines[line].pays)
    pushed = tests.returned(held)
    if pushed is not None:
        return WagerEnding(tests.returns[pushed], Push())
    return WagerEnding("loses", Loses())
