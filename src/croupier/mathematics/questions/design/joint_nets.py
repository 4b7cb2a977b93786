"""The wagers of a round joined, with the open lines of side wagers told apart.

One count of all deals is enough for every way to fill those lines: no decision of the main game
depends on them. Each open line is paid an amount of its own so large that the net of a deal shows
which lines were hit (digits of a number), and what the rest of the wagers came to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import gcd, lcm
from typing import Final, NamedTuple

from croupier.errors import Unsolvable
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.game.payoffs import payments_of, wagers_with_bonuses
from croupier.mathematics.questions.analysis import is_by_hands
from croupier.mathematics.questions.exposure import highest_results
from croupier.mathematics.questions.open_lines.by_line import Pays
from croupier.mathematics.questions.open_lines.open_table import OpenTable
from croupier.mathematics.questions.round_nets import net_distribution
from croupier.mathematics.stakes import largest_raises, meters_for
from croupier.money import Fixed, MeterShare, To, dollars
from croupier.rulebooks.rules import Rules

_LARGEST: Final = 10**15
"""Payments that a rulebook can write, and sums that 64 bits hold."""


class _Coded(NamedTuple):
    """Deals in which the same open lines are hit: the nets of all else, in cents, ascending, with
    the running number of deals; and the sums of the nets and of their squares."""

    nets: list[int]
    deals: list[int]
    total: int
    sums: int
    squares: int

    @classmethod
    def of(cls, counted: Mapping[int, int]) -> _Coded:
        nets = sorted(counted)
        return cls(
            nets,
            [0, *accumulate(counted[net] for net in nets)],
            sum(counted.values()),
            sum(net * deals for net, deals in counted.items()),
            sum(net * net * deals for net, deals in counted.items()),
        )

    def above(self, net: Fraction) -> int:
        """How many deals have a higher net."""
        return self.total - self.deals[bisect_right(self.nets, net)]


class JointNets:
    """`tables` are the open ones by side wager, with their places in a choice of pays."""

    def __init__(
        self,
        rules: Rules,
        tables: Mapping[str, tuple[int, OpenTable]],
        stakes: Mapping[str, int],
    ) -> None:
        for name, (_, table) in tables.items():
            if is_by_hands(rules.book, name) and table.table_id != "2":
                raise Unsolvable(f"{name} is joined with other wagers for two hands only")
        if len({place for place, _ in tables.values()}) < len(tables):
            raise Unsolvable(f"{' and '.join(tables)} are paid by one table, and not told apart")
        self._rules, self._tables = rules, tables
        self._factor = _factor(rules, stakes, tables)
        self._stakes = {name: cents * self._factor for name, cents in stakes.items()}
        self._coded = self._counted()
        self._total = sum(each.total for each in self._coded.values())

    def at(self, choice: tuple[Pays, ...]) -> tuple[Fraction, Fraction, Fraction]:
        """The mean net, the mean of its square and the chance that it is above 0, in dollars."""
        mean = squares = Fraction(0)
        hits = 0
        for code, deals in self._coded.items():
            paid = sum(
                (
                    self._stakes[name] * choice[place][digit - 1]
                    for (name, (place, _)), digit in zip(self._tables.items(), code, strict=True)
                    if digit
                ),
                Fraction(0),
            )
            mean += deals.sums + paid * deals.total
            squares += deals.squares + 2 * paid * deals.sums + paid**2 * deals.total
            hits += deals.above(-paid)
        unit = 100 * self._factor
        total = self._total
        return mean / (total * unit), squares / (total * unit**2), Fraction(hits, total)

    def _counted(self) -> dict[tuple[int, ...], _Coded]:
        """By the digit of each wager: 0, or 1 and so on for its open lines in order."""
        highest = highest_results(self._rules, self._stakes, meters_for(self._rules, None))
        placed = sum(self._stakes.values()) + largest_raises(self._rules.book, self._stakes)
        bound = sum(result.net for result in highest) + placed
        step = lcm(*(self._stakes[name] for name in self._tables)) if self._tables else 1
        place = step * (2 * bound // step + 2)
        rules, weight = self._rules, place
        for name, (_, table) in self._tables.items():
            amounts = [weight * n // self._stakes[name] for n in range(1, len(table.lines) + 1)]
            rules = replace(table, rules=rules).filled([Fraction(each) for each in amounts])
            weight *= len(table.lines) + 1
        if weight > _LARGEST:
            raise Unsolvable(
                "these wagers with so many open lines lead to sums that are too large to be exact: "
                "vary fewer lines, or bet less"
            )
        with keeping_nothing():
            by_net = net_distribution(rules, self._stakes)
        counts: dict[tuple[int, ...], dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for net, deals in by_net.items():
            code = (net + place // 2) // place
            counts[tuple(self._digits(code))][net - code * place] += deals
        return {code: _Coded.of(nets) for code, nets in counts.items()}

    def _digits(self, code: int) -> Iterator[int]:
        for _, table in self._tables.values():
            code, digit = divmod(code, len(table.lines) + 1)
            yield digit
        assert not code


def _factor(
    rules: Rules, stakes: Mapping[str, int], tables: Mapping[str, tuple[int, OpenTable]]
) -> int:
    """By which all stakes are multiplied so that every payment is whole cents: nothing is rounded
    then. A wager with fixed sums cannot be multiplied."""
    book = rules.book
    decided = {each.wager for each in book.decisions if each.bets}
    names = wagers_with_bonuses(book, {*stakes, *decided})
    paid = [pays for name in names for pays in payments_of(rules, name)]
    parts = [pays.d for pays in paid if isinstance(pays, To)]
    lines = [line for _, table in tables.values() for line in table.lines]
    parts += [end.denominator for line in lines for end in (line.low, line.step)]
    whole = lcm(*parts)
    factor = whole // gcd(whole, *stakes.values())
    fixed = any(isinstance(pays, Fixed | MeterShare) for pays in paid)
    if factor > 1 and (fixed or any(name in rules.stakes for name in stakes)):
        least = dollars(lcm(whole, 1))
        raise Unsolvable(
            f"at these stakes some payments have odd cents: state stakes in multiples of {least}"
        )
    return factor
