"""235 Stud and its like, solved exactly under the best play on one's own cards.

There is nothing to fold and nobody to beat, so every raise is a bet of its own: it is right when
what it brings, given the cards seen, is more than nothing. The values are sums of integers over all
cards that may come; the whole game follows from the table of `stud_counts`.

Values are in units of one base wager, and mean the expected net of the whole round: all base
wagers, the raises already made, and those still to come under the best play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import comb, lcm, sqrt
from typing import Final, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.model import Loses, Payment, net_of
from croupier.mathematics.shapes.shape import refused
from croupier.mathematics.sides.endings import WagerEnding
from croupier.mathematics.sides.paytable_lines import LineTests
from croupier.mathematics.sides.wager_tallies import WagerTally
from croupier.mathematics.stud.counts import (
    PAIRS,
    THIRDS,
    TOTAL,
    HandEndings,
    StudCounts,
    stud_counts,
)
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, Decision

__all__ = [
    "StudOutcome",
    "StudSolution",
    "StudWays",
    "solve_stud",
    "tally_all_won",
    "trios_and_pairs",
]


class StudOutcome(msgspec.Struct, frozen=True):
    """One way a round can end: what was said at each decision, how each wager ended (raises not
    made are left out), the net and the units wagered, and in how many deals."""

    said: dict[str, str]
    endings: dict[str, tuple[str, Payment]]
    net: Fraction
    wagered: int
    combinations: int


Said: TypeAlias = tuple[bool, ...]
"""For every decision whether it is a raise."""
_LARGEST: Final = 1 << 62
"""Sums stay below this: they are kept in 64 bits."""
Endings: TypeAlias = tuple[tuple[str, WagerEnding], ...]


class StudWays(NamedTuple):
    """One row for each (first two, third): the ids of the hands, what is said, the three cards."""

    two: NDArray[np.int64]
    three: NDArray[np.int64]
    trio: NDArray[np.int64]
    said: tuple[NDArray[np.bool_], ...]


class StudSolution:
    """A solved game. `raise_sums` are, for every decision, the sums over all cards to come of what
    one unit raised brings, times `scale`: for the sets of two or three cards that are seen."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.table: StudCounts = stud_counts(rules)
        self.decisions: tuple[Decision, ...] = rules.book.decisions
        self._sums: dict[str, NDArray[np.int64]] = {}
        self._nets: dict[str, NDArray[np.int64]] = {}
        self.multiple = {d.name: max(d.bets.values()) for d in self.decisions}
        nets = [
            self.unit_net(self.table.ending(name, found))
            for seen in (self.table.two, self.table.three, self.table.five)
            for found in seen.endings
            for name in self._main()
            if self.table.led(name) in found
        ]
        self.scale = lcm(*(net.denominator for net in nets))
        largest = max(abs(net) for net in nets) * self.scale * max(self.multiple.values())
        if largest * TOTAL >= _LARGEST:
            raise refused("the main game", f"payments of up to {largest} are too large to be exact")

    def _main(self) -> tuple[str, ...]:
        return (*self.table.required, *(decision.wager for decision in self.decisions))

    @staticmethod
    def unit_net(ending: WagerEnding) -> Fraction:
        return net_of(ending.pays, 100, {}, taken_before_deal=False)

    @cached_property
    def raise_sums(self) -> dict[str, NDArray[np.int64]]:
        sums = {}
        for decision in self.decisions:
            by_trio = self.sums(decision.wager)
            sums[decision.name] = by_trio if decision.sees_player == 3 else _over_thirds(by_trio)
        return sums

    @cached_property
    def raises(self) -> Mapping[str, NDArray[np.bool_]]:
        """Where it is best to raise, by decision."""
        least = 0 if self.rules.takes_first else 1
        return {name: np.asarray(sums >= least) for name, sums in self.raise_sums.items()}

    def sums(self, wager: str) -> NDArray[np.int64]:
        """For every three cards the sum of a wager's net over the pairs to come (times scale);
        of wagers on three or five cards."""
        if wager not in self._sums:
            size = self.table.size(wager)
            seen = self.table.three if size == 3 else self.table.five
            nets = self.nets(wager, seen)
            self._sums[wager] = nets[seen.ids] * PAIRS if size == 3 else self.table.pairs @ nets
        return self._sums[wager]

    def nets(self, wager: str, seen: HandEndings) -> NDArray[np.int64]:
        """The net of a wager for each id, times scale."""
        if wager not in self._nets:
            exact = [self.unit_net(self.table.ending(wager, found)) for found in seen.endings]
            self._nets[wager] = np.array([int(net * self.scale) for net in exact], np.int64)
        return self._nets[wager]

    @cached_property
    def ways(self) -> StudWays:
        trio, pair = trios_and_pairs()
        said = tuple(
            self.raises[d.name][pair if d.sees_player == 2 else trio] for d in self.decisions
        )
        return StudWays(self.table.two.ids[pair], self.table.three.ids[trio], trio, said)

    @cached_property
    def joint(self) -> Counter[tuple[Said, int, int, int]]:
        """Deals by what is said at each decision and the ids of the two, three and five cards."""
        ways = self.ways
        code = ways.two * len(self.table.three.endings) + ways.three
        for said in ways.said:
            code = code * 2 + said
        codes, where = np.unique(code, return_inverse=True)
        sums = np.zeros((codes.size, self.table.pairs.shape[1]), np.int64)
        np.add.at(sums, where, self.table.pairs[ways.trio])
        joint: Counter[tuple[Said, int, int, int]] = Counter()
        decided = len(self.decisions)
        for row, value in enumerate(codes.tolist()):
            words = tuple(bool(value >> place & 1) for place in reversed(range(decided)))
            two, three = divmod(value >> decided, len(self.table.three.endings))
            for five in np.flatnonzero(sums[row]).tolist():
                joint[words, two, three, five] += int(sums[row, five])
        assert sum(joint.values()) == TOTAL
        return joint

    def endings(self, two: int, three: int, five: int) -> dict[str, WagerEnding]:
        """How every wager that looks at cards ends."""
        table = self.table
        return table.two.endings[two] | table.three.endings[three] | table.five.endings[five]

    def placed(self, said: Said) -> dict[str, int]:
        """The wagers of the main game in units: the base ones and the raises that were said."""
        units = dict.fromkeys(self.table.required, 1)
        for decision, raised in zip(self.decisions, said, strict=True):
            if raised:
                units[decision.wager] = self.multiple[decision.name]
        return units

    @cached_property
    def outcomes(self) -> tuple[StudOutcome, ...]:
        merged: Counter[tuple[Said, Endings]] = Counter()
        for (said, two, three, five), count in self.joint.items():
            found = self.endings(two, three, five)
            endings = tuple((name, self.table.ending(name, found)) for name in self.placed(said))
            merged[said, endings] += count
        outcomes = [self._outcome(*key, count) for key, count in merged.items()]
        return tuple(sorted(outcomes, key=lambda outcome: (-outcome.net, -outcome.combinations)))

    def _outcome(self, said: Said, endings: Endings, count: int) -> StudOutcome:
        units = self.placed(said)
        net = sum((self.unit_net(end) * units[name] for name, end in endings), Fraction(0))
        words = {
            decision.name: self.word(decision, raised=raised)
            for decision, raised in zip(self.decisions, said, strict=True)
        }
        ends = {name: (end.hand, end.pays) for name, end in endings}
        return StudOutcome(words, ends, net, sum(units.values()), count)

    def word(self, decision: Decision, *, raised: bool) -> str:
        if not raised:
            return decision.otherwise
        return max(decision.bets, key=lambda said: decision.bets[said])

    @cached_property
    def expected_value(self) -> Fraction:
        """Of the round, in units of one base wager."""
        return sum((o.net * o.combinations for o in self.outcomes), Fraction(0)) / TOTAL

    @property
    def house_edge(self) -> Fraction:
        return -self.expected_value

    @property
    def combinations_total(self) -> int:
        return TOTAL

    @cached_property
    def units_wagered(self) -> Fraction:
        return Fraction(sum(o.wagered * o.combinations for o in self.outcomes), TOTAL)

    @property
    def element_of_risk(self) -> Fraction:
        """The loss for each unit wagered."""
        return self.house_edge / self.units_wagered

    @cached_property
    def variance(self) -> Fraction:
        squares = sum((o.net * o.net * o.combinations for o in self.outcomes), Fraction(0))
        return squares / TOTAL - self.expected_value**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How often the round ends with more than it began."""
        return Fraction(sum(o.combinations for o in self.outcomes if o.net > 0), TOTAL)

    @cached_property
    def decision_frequencies(self) -> dict[str, dict[str, Fraction]]:
        """For every decision how often each word is said."""
        counts: dict[str, Counter[str]] = {
            d.name: Counter(dict.fromkeys((*d.bets, d.otherwise), 0)) for d in self.decisions
        }
        for outcome in self.outcomes:
            for name, word in outcome.said.items():
                counts[name][word] += outcome.combinations
        return {
            name: {word: Fraction(n, TOTAL) for word, n in counted.items()}
            for name, counted in counts.items()
        }


_SOLVED: WeakKeyDictionary[Rules, StudSolution] = WeakKeyDictionary()


def solve_stud(rules: Rules) -> StudSolution:
    """The game under the best play on one's own cards; solved once for each set of rules."""
    found = _SOLVED.get(rules)
    if found is None:
        found = _SOLVED[rules] = StudSolution(rules)
    return found


def trios_and_pairs() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For every (first two, third): the place of the three cards and that of the two."""
    trios = np.array(_COMBINATIONS_3, np.int64)
    number = np.arange(len(trios))
    pairs = [(trios[:, 0], trios[:, 1]), (trios[:, 0], trios[:, 2]), (trios[:, 1], trios[:, 2])]
    places = [a * (103 - a) // 2 + b - a - 1 for a, b in pairs]
    return np.tile(number, 3), np.concatenate(places)


def _over_thirds(by_trio: NDArray[np.int64]) -> NDArray[np.int64]:
    """For every two cards the sum over the fifty that may come third."""
    trio, pair = trios_and_pairs()
    sums = np.zeros(comb(52, 2), np.int64)
    np.add.at(sums, pair, by_trio[trio])
    return sums


def _all_threes() -> list[tuple[int, int, int]]:
    return [(a, b, c) for a in range(52) for b in range(a + 1, 52) for c in range(b + 1, 52)]


_COMBINATIONS_3 = _all_threes()
assert len(_COMBINATIONS_3) * 3 == comb(52, 2) * THIRDS


def tally_all_won(rules: Rules, settles: AllWon) -> WagerTally:
    """A wager that wins when all the named ones win; raises have no part in it."""
    solution = solve_stud(rules)
    won = 0
    for (_, two, three, five), count in solution.joint.items():
        found = solution.endings(two, three, five)
        if all(solution.table.ending(name, found).wins for name in settles.wagers):
            won += count
    table = rules.paytable(settles.paytable)
    line = LineTests(table, rules.book.patterns, next(iter(rules.book.hands))).lines[0]
    return WagerTally(((line.hand, line.pays, won), ("loses", Loses(), TOTAL - won)), TOTAL)
