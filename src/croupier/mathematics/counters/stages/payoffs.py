"""What each wager of the main game brings, by what the hands come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.mathematics.model import Loses, net_of
from croupier.mathematics.shapes.course import led_by
from croupier.mathematics.side_wagers.columns import Leaf
from croupier.mathematics.side_wagers.endings import WagerEnding, ending_of, line_tests
from croupier.mathematics.side_wagers.paytable_lines import LineTests
from croupier.money import parse_pays
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, Bonus, Follows, Rulebook, VersusPaytable

__all__ = ["Endings", "EndingsOf", "endings_of", "is_folded_away", "unit_net"]

Endings = dict[str, WagerEnding]
"""How each wager ends that was not folded."""


def unit_net(ending: WagerEnding) -> Fraction:
    return net_of(ending.pays, 100, {}, taken_before_deal=False)


def is_folded_away(book: Rulebook, name: str) -> bool:
    """Does a fold lose the wager? One that follows another goes the way of that one."""
    wager = book.wagers[name]
    if wager.after_fold == "loses":
        return True
    return isinstance(wager.settles, Follows) and is_folded_away(book, wager.settles.wager)


class _Tested(NamedTuple):
    """A paytable, and where its leaves stand among those of all tables."""

    tests: LineTests
    places: tuple[int, ...]

    def ending(self, held: int) -> WagerEnding:
        own = sum(1 << n for n, place in enumerate(self.places) if held >> place & 1)
        return ending_of(self.tests, own)


class EndingsOf:
    """Of these wagers and of every bonus on them, by the leaves that hold."""

    def __init__(self, rules: Rules, wagers: Sequence[str], bonuses: Mapping[str, Bonus]) -> None:
        self._book, self._rules, self._wagers = rules.book, rules, tuple(wagers)
        tests = {name: line_tests(rules, settles) for name, settles in self._paid(wagers)}
        for name, bonus in bonuses.items():
            settles = VersusPaytable(hand=bonus.hand, paytable=bonus.paytable, lost="")
            tests[name] = line_tests(rules, settles)
        self.leaves: tuple[Leaf, ...] = tuple(
            dict.fromkeys(leaf for each in tests.values() for leaf in each.leaves)
        )
        self._tested = {
            name: _Tested(each, tuple([self.leaves.index(leaf) for leaf in each.leaves]))
            for name, each in tests.items()
        }

    def _paid(self, wagers: Iterable[str]) -> Iterable[tuple[str, VersusPaytable]]:
        """The wagers that look at cards, of these and of those that they go by."""
        looked_at = [other for name in wagers for other in self._looked_at(name)]
        for name in dict.fromkeys(looked_at):
            settles = self._book.wagers[name].settles
            assert isinstance(settles, VersusPaytable)
            yield name, settles

    def _looked_at(self, name: str) -> Iterable[str]:
        settles = self._book.wagers[name].settles
        if isinstance(settles, AllWon):
            return [led_by(self._book, other) for other in settles.wagers]
        return [led_by(self._book, name)]

    def of(self, held: int) -> Endings:
        """How everything ends when these leaves hold, nobody having folded."""
        found = {name: tested.ending(held) for name, tested in self._tested.items()}
        for name in self._wagers:
            found[name] = self._ending(name, found)
        return found

    def _ending(self, name: str, found: Endings) -> WagerEnding:
        settles = self._book.wagers[name].settles
        if isinstance(settles, AllWon):
            won = all(self._ending(other, found).wins for other in settles.wagers)
            line = self._rules.paytable(settles.paytable).lines[0]
            pays = parse_pays(line.pays) if won else Loses()
            return WagerEnding(line.hand if won else "loses", pays)
        if not isinstance(settles, Follows):
            return found[name]
        led = self._ending(settles.wager, found)
        return WagerEnding(led.hand, parse_pays(settles.pays)) if settles.pays and led.wins else led


def endings_of(rules: Rules, wagers: Sequence[str]) -> EndingsOf:
    on = {name: bonus for name, bonus in rules.book.bonuses.items() if bonus.on in wagers}
    return EndingsOf(rules, wagers, on)
