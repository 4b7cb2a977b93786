"""What the wagers of a rulebook pay on a hand of one's own, in units of a required wager.

A hand is told by the top of its value: its category and its first made rank. Nothing else of it can
stand in a paytable's line here. Nothing is shared with the settlement of rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from croupier.cards import RANKS
from croupier.mathematics.model import Loses, Payment
from croupier.money import For, Push, To, parse_pays
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Bonus,
    Line,
    Outcome,
    Pattern,
    VersusDealer,
    VersusPaytable,
)

__all__ = [
    "NOTHING",
    "HandTop",
    "Row",
    "bonus_row",
    "paid_by_table",
    "rows_together",
    "unit_net",
    "wager_row",
]

Row = tuple[Fraction, ...]
"""What one unit nets when it wins, ties and loses, each against a dealer who qualifies and against
one who does not."""

NOTHING: Final[Row] = (Fraction(0),) * 6


class HandTop(NamedTuple):
    """The category of a hand, by its name in the ranking, and its first made rank."""

    category: str
    made: str

    @staticmethod
    def of(ranking: Ranking, top: int) -> HandTop:
        """`top` is a value without the ranks after the first."""
        return HandTop(ranking.names[top >> 4], RANKS[top & 15])


def wager_row(rules: Rules, settles: VersusDealer | VersusPaytable, hand: HandTop) -> Row:
    if isinstance(settles, VersusPaytable):
        return (unit_net(paid_by_table(rules, settles, hand)),) * len(NOTHING)
    unqualified = settles.unqualified or settles.qualified
    return tuple(
        _outcome_net(rules, outcome, hand)
        for how in ("higher", "equal", "lower")
        for outcome in (getattr(settles.qualified, how), getattr(unqualified, how))
    )


def bonus_row(rules: Rules, bonus: Bonus, hand: HandTop) -> Row:
    line = _first_line(rules, rules.paytable(bonus.paytable).lines, hand)
    return (Fraction(0) if line is None else unit_net(parse_pays(line.pays)),) * len(NOTHING)


def paid_by_table(rules: Rules, settles: VersusPaytable, hand: HandTop) -> Payment:
    """What a wager that looks at the hand alone is paid."""
    lines = rules.paytable(settles.paytable).lines
    first = set(settles.tested_first)
    line = _first_line(rules, sorted(lines, key=lambda line: line.hand not in first), hand)
    if line is not None:
        return parse_pays(line.pays)
    # A pattern without conditions returns nothing, as in the settlement.
    returned = any(_holds(_named(rules, name), hand) for name in settles.returns)
    return Push() if returned else Loses()


def unit_net(pays: Payment, *, stays: bool = True) -> Fraction:
    match pays:
        case To():
            return Fraction(pays.n, pays.d) - (0 if stays else 1)
        case For():
            return Fraction(pays.n - 1)
        case Push():
            return Fraction(0)
    assert isinstance(pays, Loses)
    return Fraction(-1)


def _outcome_net(rules: Rules, outcome: Outcome | None, hand: HandTop) -> Fraction:
    if outcome is None or outcome.do == "collect":
        return Fraction(-1)  # a table without a line for the hand collects, unless it says else
    if outcome.do == "return":
        return Fraction(0)
    line = _first_line(rules, rules.paytable(outcome.paytable).lines, hand)
    if line is None:
        return _outcome_net(rules, outcome.otherwise, hand)
    return unit_net(parse_pays(line.pays), stays=outcome.stake_stays)


def _first_line(rules: Rules, lines: Iterable[Line], hand: HandTop) -> Line | None:
    for line in lines:
        for name in line.covers or (line.hand,):
            if _holds(_named(rules, name), hand) is not False:
                return line
    return None


def _named(rules: Rules, name: str) -> Pattern:
    return rules.book.patterns.get(name) or Pattern(category=(name,))


def _holds(pattern: Pattern, hand: HandTop) -> bool | None:
    """None where the pattern has no conditions."""
    tests: list[bool] = []
    if pattern.category:
        tests.append(hand.category in pattern.category)
    if pattern.made:
        tests.append(hand.made in pattern.made)
    tests += [held for part in pattern.also if (held := _holds(part, hand)) is not None]
    tests += [not held for part in pattern.unless if (held := _holds(part, hand)) is not None]
    return all(tests) if tests else None


def rows_together(rows: Sequence[Row]) -> Row:
    """What several wagers of one unit net together."""
    return tuple(sum(column, Fraction(0)) for column in zip(*rows, strict=True))
