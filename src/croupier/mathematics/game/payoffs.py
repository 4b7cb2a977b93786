"""What the wagers of a game pay, by the player's hands and how the dealer's hand compares.

This is the only reader of settlement rules in the mathematics; nothing is shared with the
settlement of rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

import msgspec

from croupier.mathematics.game.course import led_by
from croupier.mathematics.game.payments import FOLDED, Loses, Paid
from croupier.mathematics.game.paytable_lines import Leaf, line_tests
from croupier.mathematics.stakes import WagerResult
from croupier.money import Pays, Push, parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import (
    AllWon,
    Bonus,
    Follows,
    Line,
    Outcome,
    Rulebook,
    VersusDealer,
    VersusPaytable,
)
from croupier.rulebooks.wager_families import outcomes_of, tables_in_force

Row: TypeAlias = tuple[Paid, ...]
"""How a wager ends that wins, ties and loses, each against a dealer who qualifies and against one
who does not. Without a dealer's hand there is one entry."""

_NOTHING: Final = Outcome(do="return")


class Case(NamedTuple):
    """Hands that every wager treats alike. `name` is their category in the ranking in which they
    meet the dealer's. `paid` has the endings of every wager and bonus, `folded` what a fold makes
    of every wager."""

    name: str
    paid: Mapping[str, Row]
    folded: Mapping[str, Paid]

    def nets(self, names: Iterable[str]) -> list[Fraction]:
        """Return by outcome what one unit of each of these wagers and bonuses nets together."""
        rows = [self.paid[name] for name in names]
        outcomes = range(len(next(iter(self.paid.values()))))
        return [sum((row[at].unit_net for row in rows), Fraction(0)) for at in outcomes]

    def fold_net(self, names: Iterable[str]) -> Fraction:
        """Return what a fold leaves of one unit of each of these wagers together."""
        return sum((self.folded[name].unit_net for name in names), Fraction(0))


def wagers_with_bonuses(book: Rulebook, wagers: Iterable[str]) -> tuple[str, ...]:
    """Return these wagers in the rulebook's order, then the bonuses on them."""
    named = set(wagers)
    paid = [name for name in book.wagers if name in named]
    return (*paid, *(name for name, bonus in book.bonuses.items() if bonus.on in named))


def main_wagers(book: Rulebook) -> tuple[str, ...]:
    """Return the wagers and bonuses of the main game."""
    main = [name for name, wager in book.wagers.items() if wager.role != "optional"]
    return wagers_with_bonuses(book, main)


def wager_with_stake(book: Rulebook, name: str) -> str:
    """Return the wager whose stake counts for a wager or a bonus."""
    return book.bonuses[name].on if name in book.bonuses else name


def payments_of(rules: Rules, name: str) -> list[Pays]:
    """Return every payment that a wager or a bonus can receive; one that follows another is paid
    like that one, unless it has odds of its own."""
    book = rules.book
    if name in book.bonuses:
        lines: Iterable[Line] = rules.paytable(book.bonuses[name].paytable).lines
    else:
        settles = book.wagers[name].settles
        if isinstance(settles, Follows):
            return [parse_pays(settles.pays)] if settles.pays else payments_of(rules, settles.wager)
        lines = [line for _, _, table in tables_in_force(rules, settles) for line in table.lines]
    return [parse_pays(line.pays) for line in lines]


def is_folded_away(book: Rulebook, name: str) -> bool:
    """Return whether a fold loses the wager; one that follows another does what that one does."""
    wager = book.wagers[name]
    if wager.after_fold == "loses":
        return True
    match wager.settles:
        case Follows() as settles:
            return is_folded_away(book, settles.wager)
        case VersusDealer() as settles:
            return settles.folded.do == "collect"
    return False


def results_of(
    book: Rulebook,
    case: Case,
    outcome: int | None,
    stakes: Mapping[str, int],
    meters: Mapping[str, int],
) -> Iterator[WagerResult]:
    """Return the results of the wagers with these stakes (in cents) and of the bonuses on them;
    `outcome` is None after a fold."""
    for name, stake in stakes.items():
        paid = case.folded[name] if outcome is None else case.paid[name][outcome]
        yield paid.result(
            name, stake, meters, taken_before_deal=book.wagers[name].taken_before_deal
        )
    if outcome is not None:
        for name, bonus in book.bonuses.items():
            if bonus.on in stakes:
                yield case.paid[name][outcome].result(name, stakes[bonus.on], meters)


class Payoffs:
    """The endings of the wagers and bonuses with these names. `leaves` are all conditions that
    their lines put on the hands."""

    def __init__(self, rules: Rules, names: Sequence[str]) -> None:
        self._rules, self._book = rules, rules.book
        bonuses = self._book.bonuses
        self._wagers = [name for name in names if name not in bonuses]
        self._bonuses = {name: bonuses[name] for name in names if name in bonuses}
        self._outcomes = 1 if self._book.dealer is None else 6
        leaves: dict[Leaf, int] = {}
        self._tested = {each: line_tests(rules, each, leaves=leaves) for each in self._tables()}
        self.leaves = tuple(leaves)

    def _tables(self) -> Iterator[VersusPaytable]:
        """Return the paytables that hands are looked up in, as wagers of their own."""
        looked_at = [led for name in self._wagers for led in self._looked_at(name)]
        for name in dict.fromkeys(looked_at):
            settles = self._book.wagers[name].settles
            if isinstance(settles, VersusPaytable):
                yield settles
            elif isinstance(settles, VersusDealer):
                for _, outcome in outcomes_of(settles):
                    if outcome.do == "pay":
                        yield _looked_up(settles.hand, outcome.paytable)
        for bonus in self._bonuses.values():
            yield _looked_up(bonus.hand, bonus.paytable)

    def _looked_at(self, name: str) -> list[str]:
        """Return the wagers whose cards decide this one."""
        settles = self._book.wagers[name].settles
        if isinstance(settles, AllWon):
            return [led_by(self._book, each) for each in settles.wagers]
        return [led_by(self._book, name)]

    def of(self, held: int, name: str = "") -> Case:
        """Return how every wager ends if these leaves hold (as bits); `name` is the case's."""
        paid = {wager: self._row(wager, held) for wager in self._wagers}
        folded = {wager: self._folded(wager, paid) for wager in self._wagers}
        for bonus, settles in self._bonuses.items():
            paid[bonus] = (self._bonus(settles, held),) * self._outcomes
        return Case(name, paid, folded)

    def _row(self, name: str, held: int) -> Row:
        match self._book.wagers[name].settles:
            case VersusPaytable() as settles:
                return (self._tested[settles].ending(held),) * self._outcomes
            case Follows() as settles:
                led = self._row(settles.wager, held)
                return tuple([_following(settles, each) for each in led])
            case AllWon() as settles:
                return (self._together(settles, held),) * self._outcomes
            case VersusDealer() as settles:
                return tuple(self._showdown(settles, held))
        raise AssertionError(name)

    def _showdown(self, settles: VersusDealer, held: int) -> Iterator[Paid]:
        unqualified = settles.unqualified or settles.qualified
        for how in ("higher", "equal", "lower"):
            for showdown in (settles.qualified, unqualified):
                yield self._paid(getattr(showdown, how), settles.hand, held)

    def _paid(self, outcome: Outcome | None, hand: str, held: int, family: str = "") -> Paid:
        """Return a row for a hand that has no line in the paytable `family`."""
        if outcome is None or outcome.do == "collect":
            # A table without a line for the hand collects the wager, unless it says otherwise.
            return Paid("", Loses(), family)
        if outcome.do == "return":
            return Paid("", Push(), family)
        paid = self._tested[_looked_up(hand, outcome.paytable)].ending(held)
        if isinstance(paid.pays, Loses):
            return self._paid(outcome.otherwise, hand, held, outcome.paytable)
        return paid if outcome.stake_stays else msgspec.structs.replace(paid, stake_stays=False)

    def _bonus(self, bonus: Bonus, held: int) -> Paid:
        """Return the row of a bonus, which has no stake to lose."""
        paid = Outcome(do="pay", paytable=bonus.paytable, otherwise=_NOTHING)
        return self._paid(paid, bonus.hand, held)

    def _together(self, settles: AllWon, held: int) -> Paid:
        won = all(self._row(name, held)[0].wins for name in settles.wagers)
        line = self._rules.paytable(settles.paytable).lines[0]
        if won:
            return Paid(line.hand, parse_pays(line.pays), settles.paytable)
        return Paid("loses", Loses(), settles.paytable)

    def _folded(self, name: str, paid: Mapping[str, Row]) -> Paid:
        """Return what a fold makes of a wager; one on cards alone stands unless a fold loses it."""
        if is_folded_away(self._book, name):
            return Paid(FOLDED, Loses())
        if isinstance(self._book.wagers[led_by(self._book, name)].settles, VersusDealer):
            return Paid(FOLDED, Push())
        return paid[name][0]


def _looked_up(hand: str, family: str) -> VersusPaytable:
    return VersusPaytable(hand=hand, paytable=family, lost="")


def _following(settles: Follows, led: Paid) -> Paid:
    """Return a win at odds of its own, if it has any; all else like the wager it follows."""
    if led.wins and settles.pays:
        return msgspec.structs.replace(led, pays=parse_pays(settles.pays))
    return led
