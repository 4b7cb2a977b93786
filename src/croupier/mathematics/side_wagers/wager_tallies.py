"""How often a wager ends in each way: deals sorted by the line that pays them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from croupier.mathematics.model import Loses, Payment
from croupier.mathematics.side_wagers.deals import Counted, count_deals
from croupier.mathematics.side_wagers.paytable_lines import LineTests, check_suits
from croupier.money import Push
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    VersusPaytable,
)

__all__ = ["WagerTally", "tally_lines", "tally_paytable"]


class WagerTally(NamedTuple):
    """How often a wager ends in each way, before stakes and meters come in."""

    endings: tuple[tuple[str, Payment, int], ...]
    total: int


def tally_paytable(rules: Rules, settles: VersusPaytable) -> WagerTally:
    """A wager settled by what a named hand shows."""
    book = rules.book
    tests = LineTests(
        rules.paytable(settles.paytable),
        book.patterns,
        settles.hand,
        tested_first=settles.tested_first,
        returns=settles.returns,
    )
    check_suits(tests, book)
    counted = count_deals(tests.leaves, settles.hand, book)
    return tally_lines(tests, counted)


def tally_lines(tests: LineTests, counted: Counted) -> WagerTally:
    """The deals sorted by the line that pays, pushes and losses last."""
    lines = [0] * len(tests.lines)
    returned = [0] * len(tests.returns)
    lost = 0
    for held, count in counted.by_leaves.items():
        line = tests.line(held)
        if line is not None:
            lines[line] += count
            continue
        pushed = tests.returned(held)
        if pushed is not None:
            returned[pushed] += count
        else:
            lost += count
    return WagerTally(tuple(_endings(tests, lines, returned, lost)), counted.total)


def _endings(
    tests: LineTests, lines: Sequence[int], returned: Sequence[int], lost: int
) -> list[tuple[str, Payment, int]]:
    endings: list[tuple[str, Payment, int]] = [
        (line.hand, line.pays, count) for line, count in zip(tests.lines, lines, strict=True)
    ]
    endings += [(name, Push(), count) for name, count in zip(tests.returns, returned, strict=True)]
    endings.append(("loses", Loses(), lost))
    return endings
