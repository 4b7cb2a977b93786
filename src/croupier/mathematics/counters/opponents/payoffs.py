"""What the wagers of a rulebook pay on a hand of one's own, in units of a required wager.

A hand is told by the top of its value: its category and its first made rank. Nothing else of it can
stand in a paytable's line here. Nothing is shared with the settlement of rounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple

from croupier.cards import RANKS
from croupier.mathematics.model import Loses, Payment
from croupier.mathematics.payout_limits import WagerResult
from croupier.money import For, Push, To, parse_pays
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    Bonus,
    Follows,
    Line,
    Outcome,
    Pattern,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)

__all__ = [
    "HandTop",
    "LineEnding",
    "Paid",
    "Row",
    "after_fold",
    "bonus_row",
    "ending_by_table",
    "first_line",
    "led_by",
    "wager_row",
]


class Paid(NamedTuple):
    """What becomes of a wager; `stays` false: the odds are paid, but the stake is collected.

    `family` is the paytable that was looked at last, and `hand` its line that decides: empty where
    no line has the hand."""

    pays: Payment
    stays: bool = True
    family: str = ""
    hand: str = ""

    @property
    def unit_net(self) -> Fraction:
        """Of a stake of one unit."""
        match self.pays:
            case To():
                return Fraction(self.pays.n, self.pays.d) - (0 if self.stays else 1)
            case For():
                return Fraction(self.pays.n - 1)
            case Push():
                return Fraction(0)
        assert isinstance(self.pays, Loses), self.pays
        return Fraction(-1)

    def cents(self, stake: int) -> int:
        """Of a stake in cents, rounded as a dealer rounds."""
        match self.pays:
            case To():
                return self.pays.winnings(stake) - (0 if self.stays else stake)
            case For():
                return self.pays.winnings(stake)
            case Push():
                return 0
        assert isinstance(self.pays, Loses), self.pays
        return -stake

    def result(self, wager: str, stake: int) -> WagerResult:
        """The same with what a payout limit measures of it."""
        net = self.cents(stake)
        is_won = isinstance(self.pays, To | For)
        return WagerResult(wager, net, net + (0 if self.stays else stake) if is_won else 0)


class LineEnding(NamedTuple):
    """How a wager ends that looks at the hand alone: the line's name, and what it pays."""

    hand: str
    pays: Payment


Row = tuple[Paid, ...]
"""What becomes of a wager that wins, ties and loses, each against a dealer who qualifies and
against one who does not."""

_OUTCOMES: Final = 6
_LOST: Final = Paid(Loses())
_PUSHED: Final = Paid(Push())


class HandTop(NamedTuple):
    """The category of a hand, by its name in the ranking, and its first made rank."""

    category: str
    made: str

    @staticmethod
    def of(ranking: Ranking, top: int) -> HandTop:
        """`top` is a value without the ranks after the first."""
        return HandTop(ranking.names[top >> 4], RANKS[top & 15])


def led_by(book: Rulebook, name: str) -> VersusDealer | VersusPaytable:
    """How the wager is settled, or the one that it follows in the end."""
    settles = book.wagers[name].settles
    if isinstance(settles, Follows):
        return led_by(book, settles.wager)
    assert isinstance(settles, VersusDealer | VersusPaytable)
    return settles


def wager_row(rules: Rules, name: str, hand: HandTop) -> Row:
    settles = rules.book.wagers[name].settles
    if isinstance(settles, Follows):
        return tuple(_following(settles, led) for led in wager_row(rules, settles.wager, hand))
    if isinstance(settles, VersusPaytable):
        return (_by_table(rules, settles, hand),) * _OUTCOMES
    assert isinstance(settles, VersusDealer)
    unqualified = settles.unqualified or settles.qualified
    return tuple(
        _paid(rules, outcome, hand)
        for how in ("higher", "equal", "lower")
        for outcome in (getattr(settles.qualified, how), getattr(unqualified, how))
    )


def _following(settles: Follows, led: Paid) -> Paid:
    """A win at odds of its own, if it has any; all else as the wager that is followed."""
    wins = not isinstance(led.pays, Push | Loses)
    return led._replace(pays=parse_pays(settles.pays)) if wins and settles.pays else led


def bonus_row(rules: Rules, bonus: Bonus, hand: HandTop) -> Row:
    """A bonus has no stake to lose."""
    nothing = Outcome(do="return")
    paid = Outcome(do="pay", paytable=bonus.paytable, otherwise=nothing)
    return (_paid(rules, paid, hand),) * _OUTCOMES


def after_fold(rules: Rules, name: str, hand: HandTop) -> Paid:
    """What a fold makes of a required wager."""
    wager = rules.book.wagers[name]
    if wager.after_fold == "loses":
        return _LOST
    match wager.settles:
        case Follows() as settles:
            return _following(settles, after_fold(rules, settles.wager, hand))
        case VersusPaytable() as settles:
            return _by_table(rules, settles, hand)
        case VersusDealer() as settles:
            return _LOST if settles.folded.do == "collect" else _PUSHED
    raise AssertionError(wager.settles)


def _by_table(rules: Rules, settles: VersusPaytable, hand: HandTop) -> Paid:
    ending = ending_by_table(rules, settles, hand)
    return Paid(ending.pays, family=settles.paytable, hand=ending.hand)


def ending_by_table(rules: Rules, settles: VersusPaytable, hand: HandTop) -> LineEnding:
    lines = rules.paytable(settles.paytable).lines
    first = set(settles.tested_first)
    line = first_line(rules, sorted(lines, key=lambda line: line.hand not in first), hand)
    if line is not None:
        return LineEnding(line.hand, parse_pays(line.pays))
    for name in settles.returns:
        # A pattern without conditions returns nothing, as in the settlement.
        if _holds(_named(rules, name), hand):
            return LineEnding(name, Push())
    return LineEnding("loses", Loses())


def _paid(rules: Rules, outcome: Outcome | None, hand: HandTop, family: str = "") -> Paid:
    """`family` is a paytable that has no line for the hand."""
    if outcome is None or outcome.do == "collect":
        # A table without a line for the hand collects, unless it says otherwise.
        return Paid(Loses(), family=family)
    if outcome.do == "return":
        return Paid(Push(), family=family)
    line = first_line(rules, rules.paytable(outcome.paytable).lines, hand)
    if line is None:
        return _paid(rules, outcome.otherwise, hand, outcome.paytable)
    return Paid(parse_pays(line.pays), outcome.stake_stays, outcome.paytable, line.hand)


def first_line(rules: Rules, lines: Iterable[Line], hand: HandTop) -> Line | None:
    """The line that pays such a hand, of lines that look at its category and made rank alone."""
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
