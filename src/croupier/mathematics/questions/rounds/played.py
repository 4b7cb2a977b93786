"""All rounds of a main game, played in one way: how the betting ends, and on what hands.

A counter lists its deals by betting, case and outcome; figures, line tables and sessions are sums
over that list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.game.payoffs import Case, main_wagers, results_of, wager_with_stake
from croupier.mathematics.model import MainFigures
from croupier.mathematics.payout_limits import PayoutLimit, SeatLimits
from croupier.mathematics.stakes import meters_for
from croupier.rulebooks.rules import Rules

Answers: TypeAlias = tuple[tuple[str, str], ...]
"""What was said at each decision that was put."""
Cells: TypeAlias = Sequence[tuple[int, int, int]]
"""Deals by case and outcome."""
Numbers: TypeAlias = NDArray[np.object_]
"""Python's integers, of any size."""


class Betting(NamedTuple):
    """One way in which the betting ends: what was said, the units on each wager, and the deals by
    case and outcome. A bonus counts its units on the wager that it is paid on."""

    answers: Answers
    units: Mapping[str, int]
    folded: bool
    cells: Cells

    @property
    def deals(self) -> int:
        return sum(count for _, _, count in self.cells)


def cells_of(deals: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Of deals[case, outcome]."""
    places, counts = np.argwhere(deals).tolist(), deals[deals != 0].tolist()
    return [(case, outcome, count) for (case, outcome), count in zip(places, counts, strict=True)]


@dataclass(frozen=True)
class PlayedRounds:
    """`categories` are those of the ranking in which hands meet the dealer's, lowest first; empty
    where there is no dealer's hand. `tied` is the word for hands that are equal, `lists_answers`
    whether outcomes list all that was said."""

    rules: Rules
    cases: Sequence[Case]
    bettings: Sequence[Betting]
    categories: tuple[str, ...] = ()
    tied: str = "push"
    lists_answers: bool = False
    total: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", sum(betting.deals for betting in self.bettings))

    # -- nets in units of one required wager -------------------------------------------------------

    @cached_property
    def _unit_nets(self) -> tuple[int, dict[str, Numbers], dict[str, Numbers]]:
        """A scale, and scaled to integers the net of a unit of each wager and bonus, played on
        [case, outcome] and folded [case, 1]."""
        names = main_wagers(self.rules.book)
        tables = [
            {n: [[paid.unit_net for paid in case.paid[n]] for case in self.cases] for n in names},
            {
                n: [[case.folded[n].unit_net] for case in self.cases]
                for n in names
                if n in self.rules.book.wagers
            },
        ]
        every = (net for table in tables for rows in table.values() for row in rows for net in row)
        scale = lcm(*{net.denominator for net in every})
        played, folded = (
            {name: _scaled(rows, scale) for name, rows in table.items()} for table in tables
        )
        return scale, played, folded

    def nets_of(self, betting: Betting) -> Numbers:
        """[case, outcome]: the net of the round, scaled."""
        _, played, folded = self._unit_nets
        shape = next(iter(played.values())).shape
        net = np.zeros(shape, object)
        for name, each in (folded if betting.folded else played).items():
            units = self.units_of(betting, name)
            if units:
                net = net + units * each
        return net

    def units_of(self, betting: Betting, name: str) -> int:
        """What lies on a wager, or on the wager that a bonus is paid on."""
        return betting.units.get(wager_with_stake(self.rules.book, name), 0)

    @property
    def scale(self) -> int:
        return self._unit_nets[0]

    def by_net(self) -> Counter[int]:
        """The deals by the round's net, scaled."""
        deals_at: Counter[int] = Counter()
        for betting in self.bettings:
            nets = self.nets_of(betting)
            for case, outcome, deals in betting.cells:
                deals_at[nets[case, outcome]] += deals
        return deals_at

    @property
    def value(self) -> Fraction:
        net = sum(net * deals for net, deals in self.by_net().items())
        return Fraction(net, self.total * self.scale)

    # -- figures ----------------------------------------------------------------------------------

    def figures(self) -> MainFigures:
        total = self.total
        scale, nets, mean = self.scale, self.by_net(), self.value
        squares = Fraction(sum(net**2 * deals for net, deals in nets.items()), total * scale**2)
        wagered = sum(sum(each.units.values()) * each.deals for each in self.bettings)
        return MainFigures(
            expected_value=mean,
            standard_deviation=sqrt(squares - mean**2),
            hit_frequency=Fraction(sum(n for net, n in nets.items() if net > 0), total),
            units_wagered=Fraction(wagered, total),
            decisions=self._decisions(),
            outcomes=tuple(self._showdowns() if self.categories else self._hands_paid()),
        )

    def _decisions(self) -> dict[str, dict[str, Fraction]]:
        """Of all rounds, how often each word is said at each decision."""
        counts = {each.name: dict.fromkeys(each.answers, 0) for each in self.rules.book.decisions}
        for betting in self.bettings:
            for name, word in betting.answers:
                counts[name][word] += betting.deals
        return {
            name: {word: Fraction(count, self.total) for word, count in words.items()}
            for name, words in counts.items()
        }

    def _showdowns(self) -> Iterator[dict[str, object]]:
        """The contract's outcomes by the last answer, the category of the hand, how the dealer's
        hand compares, and the net."""
        scale, ranks = self.scale, {name: at for at, name in enumerate(self.categories)}
        results = ("win", self.tied, "lose")
        for betting in self.bettings:
            nets, counts = self.nets_of(betting), Counter[tuple[int, int, int]]()
            for case, outcome, deals in betting.cells:
                counts[-ranks[self.cases[case].name], outcome, -nets[case, outcome]] += deals
            decision, said = betting.answers[-1]
            for (rank, outcome, lost), deals in sorted(counts.items()):
                answers = [word for _, word in betting.answers]
                yield {
                    "decision": decision,
                    "said": said,
                    **({"answers": answers} if self.lists_answers else {}),
                    "hand": self.categories[-rank],
                    "result": "fold" if betting.folded else results[outcome // 2],
                    "dealer_qualifies": outcome % 2 == 0,
                    "combinations": deals,
                    "probability": deals / self.total,
                    "pays": {"net": str(Fraction(-lost, scale))},
                }

    def _hands_paid(self) -> Iterator[dict[str, object]]:
        """The contract's outcomes of a game without a dealer's hand: what was said, the line that
        decides each wager, and the net; the highest first."""
        scale, counts = self.scale, Counter[tuple[Answers, Answers, int]]()
        for betting in self.bettings:
            nets = self.nets_of(betting)
            for case, outcome, deals in betting.cells:
                hands = tuple(self._hands(betting, self.cases[case], outcome))
                counts[betting.answers, hands, nets[case, outcome]] += deals
        for (said, hands, net), deals in sorted(counts.items(), key=lambda at: (-at[0][2], -at[1])):
            yield {
                "said": dict(said),
                "hands": dict(hands),
                "combinations": deals,
                "probability": deals / self.total,
                "pays": {"net": str(Fraction(net, scale))},
            }

    def _hands(self, betting: Betting, case: Case, outcome: int) -> Iterator[tuple[str, str]]:
        bonuses = self.rules.book.bonuses
        for name, row in case.paid.items():
            if not self.units_of(betting, name):
                continue
            if name not in bonuses:
                paid = case.folded[name] if betting.folded else row[outcome]
                yield name, paid.hand
            elif not betting.folded and row[outcome].wins:
                yield name, row[outcome].hand

    # -- nets in cents ----------------------------------------------------------------------------

    def distribution(
        self,
        unit: int,
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
    ) -> dict[int, int]:
        """In how many deals a seat comes to each net, in cents, with `unit` cents on every required
        wager and these stakes on side wagers."""
        book, shown = self.rules.book, meters_for(self.rules, meters)
        limited = SeatLimits(book, limits)
        by_cents: Counter[int] = Counter()
        for betting in self.bettings:
            placed = {name: units * unit for name, units in betting.units.items() if units}
            stakes, net_of = placed | dict(sides), dict[tuple[int, int | None], int]()
            for case, at, deals in betting.cells:
                key = case, None if betting.folded else at
                if key not in net_of:
                    results = results_of(book, self.cases[case], key[1], stakes, shown)
                    net_of[key] = limited.net(results)
                by_cents[net_of[key]] += deals
        return dict(sorted(by_cents.items()))


def _scaled(rows: list[list[Fraction]], scale: int) -> Numbers:
    return np.array([[int(net * scale) for net in row] for row in rows], object)
