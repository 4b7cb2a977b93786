"""How often a wager ends in each way: deals sorted by the line that pays them."""

from __future__ import annotations

from typing import NamedTuple

from croupier.mathematics.game.payments import Payment
from croupier.mathematics.game.paytable_lines import LineTests, line_tests
from croupier.mathematics.side_wagers.deals import Counted, count_deals
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import VersusPaytable

__all__ = ["WagerTally", "tally_lines", "tally_paytable"]


class WagerTally(NamedTuple):
    """How often a wager ends in each way, before stakes and meters come in."""

    endings: tuple[tuple[str, Payment, int], ...]
    total: int


def tally_paytable(rules: Rules, settles: VersusPaytable) -> WagerTally:
    """A wager settled by what a named hand shows."""
    tests = line_tests(rules, settles)
    return tally_lines(tests, count_deals(tests.leaves, settles.hand, rules.book))


def tally_lines(tests: LineTests, counted: Counted) -> WagerTally:
    """The deals sorted by the line that pays, pushes and losses last."""
    deals = [0] * len(tests.endings)
    for held, count in counted.by_leaves.items():
        deals[tests.place(held)] += count
    ends = zip(tests.endings, deals, strict=True)
    return WagerTally(tuple([(end.hand, end.pays, count) for end, count in ends]), counted.total)
