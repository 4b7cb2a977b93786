"""Several paytables searched together for a target edge.

If several wagers win on the same deal, their nets are joined deal by deal: the deals are grouped by
which open lines they hit, so that every filling is a sum over a few groups.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, product
from math import gcd, lcm, prod
from typing import Final, NamedTuple

from croupier.errors import BadRequest, Unsolvable, suggest
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.game.course import is_lost_with_fold
from croupier.mathematics.game.payoffs import payments_of, wagers_with_bonuses
from croupier.mathematics.questions.analysis import is_by_hands
from croupier.mathematics.questions.design.pricing import users_of
from croupier.mathematics.questions.design.search import (
    MOST,
    MOST_SOLVED,
    Best,
    Candidate,
    Choice,
    Range,
    Report,
    SearchResult,
    Wishes,
    filled_moments,
    miss,
    solved_moments,
)
from croupier.mathematics.questions.exposure import highest_results
from croupier.mathematics.questions.open_lines.by_line import (
    LineParts,
    Moments,
    Pays,
    SidePricer,
    line_parts,
)
from croupier.mathematics.questions.open_lines.open_table import OpenTable
from croupier.mathematics.questions.registry import analyze_wager
from croupier.mathematics.questions.round_nets import checked_stakes, net_distribution
from croupier.mathematics.stakes import largest_raises, meters_for, stake_for
from croupier.money import Fixed, MeterShare, To, dollars
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import AllWon, Follows
from croupier.rulebooks.wager_families import families_of
from croupier.workers import workers

_LARGEST: Final = 10**15
"""The largest payment: a rulebook can write it, and sums of payments fit in 64 bits."""


class _Coded(NamedTuple):
    """Deals in which the same open lines are hit: the nets of everything else, in cents, ascending,
    with the cumulative number of deals; and the sums of the nets and of their squares."""

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
        """Return how many deals have a higher net."""
        return self.total - self.deals[bisect_right(self.nets, net)]


class JointNets:
    """The joint nets of a round. `tables` are the open ones by side wager, with their indexes in a
    choice of pays."""

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
            raise Unsolvable(
                f"{' and '.join(tables)} are paid by one table, and cannot be distinguished"
            )
        self._rules, self._tables = rules, tables
        self._factor = _factor(rules, stakes, tables)
        self._stakes = {name: cents * self._factor for name, cents in stakes.items()}
        self._coded = self._counted()
        self._total = sum(each.total for each in self._coded.values())

    def at(self, choice: tuple[Pays, ...]) -> tuple[Fraction, Fraction, Fraction]:
        """Return the mean net, the mean of its square and the chance that it is above 0, in
        dollars."""
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
        """Count by the digit of each wager: 0, or 1 and so on for its open lines in order."""
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
                "with this many open lines these wagers have sums that are too large to be exact: "
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
    """Return the factor for all stakes that makes every payment whole cents, so that nothing is
    rounded. A wager with fixed sums cannot be multiplied."""
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


MAIN: Final = "main"


@dataclass(frozen=True, eq=False)
class OpenWagers:
    """The tables with open lines, and the stakes in cents of all wagers bet in a round."""

    rules: Rules
    tables: tuple[OpenTable, ...]
    stakes: Mapping[str, int]

    @classmethod
    def of(cls, rules: Rules, tables: Sequence[OpenTable], stakes: Mapping[str, int]) -> OpenWagers:
        """Return the open wagers; `stakes` may name `main` for every required wager. The required
        wagers are always bet, and so is each side wager with an open table: at its least stake if
        none is stated."""
        placed = dict(stakes)
        users = users_of(rules.book)
        main = placed.pop(MAIN, None)
        for name in rules.required:
            led = rules.book.wagers[name].equals
            if name not in placed and led not in placed:
                placed[name] = stake_for(rules, name, None) if main is None else main
        for table in tables:
            user = users[table.family]
            if user != MAIN:
                placed.setdefault(user, stake_for(rules, user, None))
        required, sides = checked_stakes(rules, placed)
        wagers = cls(rules, tuple(tables), required | sides)
        for name in wagers.sides:
            wagers._check_alone(name)
        return wagers

    def _check_alone(self, name: str) -> None:
        """Return whether a side wager is paid by one open table at most, and never by that of
        another wager."""
        settles = self.rules.book.wagers[name].settles
        followed = settles.wager if isinstance(settles, Follows) else name
        paid = [
            n for n, table in enumerate(self.tables) if table.family in self._families(followed)
        ]
        if len(paid) > 1 or (paid and followed != name):
            raise Unsolvable(
                f"{name} is paid by several of these tables, or as another wager is: vary one of "
                "them at a time, or leave the wager out"
            )

    def _families(self, wager: str) -> set[str]:
        book = self.rules.book
        besides = {bonus.paytable for bonus in book.bonuses.values() if bonus.on == wager}
        return besides | {*families_of(book.wagers[wager].settles)}

    @cached_property
    def sides(self) -> tuple[str, ...]:
        return tuple(name for name in self.stakes if name not in self.rules.required)

    def dollars(self, wager: str) -> Fraction:
        """Return the stake; of `main`, that of one required wager."""
        return Fraction(self.stakes[self.rules.required[0] if wager == MAIN else wager], 100)

    @cached_property
    def of_main(self) -> tuple[int, ...]:
        """The indexes of the tables that pay the main game."""
        users = users_of(self.rules.book)
        return tuple(n for n, table in enumerate(self.tables) if users[table.family] == MAIN)

    @cached_property
    def places(self) -> dict[str, int | None]:
        """The index of the open table that pays each side wager."""
        places: dict[str, int | None] = dict.fromkeys(self.sides)
        for name in self.sides:
            for place, table in enumerate(self.tables):
                if place not in self.of_main and table.family in self._families(name):
                    places[name] = place
        return places

    def at_place(self, place: int | None) -> list[str]:
        """Return the side wagers that the table at an index pays."""
        return [name for name, at in self.places.items() if at == place]

    def with_main(self, filling: Choice) -> Rules:
        """Return the rules with the tables of the main game filled, the others as printed."""
        rules = self.rules
        for place, pays in zip(self.of_main, filling, strict=True):
            rules = replace(self.tables[place], rules=rules).filled(pays)
        return rules

    @property
    def count(self) -> int:
        return prod(table.count for table in self.tables)


def search_together(
    wagers: OpenWagers,
    wishes: Wishes,
    edges: Mapping[str, Range],
    *,
    any_order: bool = False,
    most: int | None = None,
    most_solved: int | None = None,
    progress: Report = lambda _done, _all: None,
) -> SearchResult:
    """Search the tables together; `edges` are target house edges of single wagers, `wishes` are
    targets for the whole round."""
    for name in edges:
        if name not in (MAIN, *wagers.sides):
            raise suggest("--edge", name, (MAIN, *wagers.sides))
    if wagers.count > (most or MOST):
        raise BadRequest(
            f"--vary leads to {wagers.count:,} combinations, and no more than {most or MOST:,} are "
            f"gone through: narrow a range, widen a step, or allow more with --most {wagers.count}"
        )
    solved = most_solved or most or MOST_SOLVED
    return _Search(wagers, wishes, edges, any_order, solved, progress).run()


class _Option(NamedTuple):
    """One way to fill the table of a side wager, and what that adds to a round, in dollars."""

    pays: Pays
    brings: Fraction


@dataclass
class _Search:
    wagers: OpenWagers
    wishes: Wishes
    edges: Mapping[str, Range]
    any_order: bool
    most_solved: int
    progress: Report

    def __post_init__(self) -> None:
        self._joints: dict[Choice, JointNets] = {}
        self._parts: dict[tuple[str, Choice], LineParts | Fraction] = {}
        self._main: dict[Choice, Moments] = {}

    def run(self) -> SearchResult:
        lists = [list(table.candidates(any_order=self.any_order)) for table in self.wagers.tables]
        result = SearchResult(searched=prod(map(len, lists)))
        if not result.searched:
            raise BadRequest(
                "--vary: no table keeps the order of the hands, in which a better one never pays "
                "less: change a range, or say --any-order"
            )
        best = Best(self.wishes)
        for choice, means in self._inside(lists):
            if best.is_near(choice, means):
                joint = self.wishes.needs_joint
                best.add(choice, self._joined(choice, means) if joint else means)
        result.matches = best.count
        result.tables = self._joined_if_possible(best.fitting, result)
        result.nearest = self._joined_if_possible(best.nearest, result)
        return result

    # -- means, which add up ----------------------------------------------------------------------

    def _inside(self, lists: list[list[Pays]]) -> Iterator[tuple[Choice, Moments]]:
        """Return the combinations whose edges are on target, with what is won and wagered on
        average."""
        wagers = self.wagers
        self._main = self._main_moments([lists[place] for place in wagers.of_main])
        for at_main, main in self._main.items():
            if MAIN not in self.edges or not miss(-main.value, self.edges[MAIN]):
                yield from self._beside(lists, at_main, main)

    def _beside(
        self, lists: list[list[Pays]], at_main: Choice, main: Moments
    ) -> Iterator[tuple[Choice, Moments]]:
        """Return the options beside the filled tables of the main game."""
        wagers = self.wagers
        wagered = wagers.dollars(MAIN) * main.wagered + sum(map(wagers.dollars, wagers.sides))
        base = wagers.dollars(MAIN) * main.value
        for name in wagers.at_place(None):
            value = self._value(name, at_main)
            base += wagers.dollars(name) * value
            if self._misses(name, value):
                return
        places = [n for n in range(len(lists)) if n not in wagers.of_main]
        options = [list(self._options(place, at_main, lists[place])) for place in places]
        scale = lcm(base.denominator, *(o.brings.denominator for each in options for o in each))
        scaled = [[(int(o.brings * scale), o.pays) for o in each] for each in options]
        choice: list[Pays] = [()] * len(lists)
        for place, pays in zip(wagers.of_main, at_main, strict=True):
            choice[place] = pays
        for picked in product(*scaled):
            win = Fraction(int(base * scale) + sum(brings for brings, _ in picked), scale)
            for place, (_, pays) in zip(places, picked, strict=True):
                choice[place] = pays
            yield tuple(choice), Moments(win, Fraction(0), Fraction(0), wagered)

    def _options(self, place: int, at_main: Choice, fillings: list[Pays]) -> Iterator[_Option]:
        """Return the ways to fill a table of side wagers that keep their edges on target."""
        for pays in fillings:
            brings = Fraction(0)
            for name in self.wagers.at_place(place):
                value = self._value(name, at_main, pays)
                if self._misses(name, value):
                    break
                brings += self.wagers.dollars(name) * value
            else:
                yield _Option(pays, brings)

    def _misses(self, wager: str, value: Fraction) -> bool:
        return wager in self.edges and bool(miss(-value, self.edges[wager]))

    def _main_moments(self, lists: list[list[Pays]]) -> dict[Choice, Moments]:
        """Return the moments of every way to fill the tables of the main game."""
        if len(lists) == 1:
            table = self.wagers.tables[self.wagers.of_main[0]]
            priced = filled_moments(table, lists[0], self.most_solved, self.progress)
            return {(pays,): moments for pays, moments in priced}
        fillings: list[Choice] = list(product(*lists))
        self._check_solved(len(fillings))
        rules = [self.wagers.with_main(filling) for filling in fillings]
        return dict(zip(fillings, workers().map(solved_moments, rules), strict=True))

    def _check_solved(self, count: int) -> None:
        if count > self.most_solved:
            raise BadRequest(
                f"--vary leads to {count:,} or more main games, each to be gone through by itself, "
                f"and no more than {self.most_solved:,} are: narrow a range or a target, or allow "
                "more with --most"
            )

    def _value(self, name: str, at_main: Choice, pays: Pays = ()) -> Fraction:
        """Return the value of a side wager per unit; if a fold loses it, it depends on the main
        game."""
        rules = self.wagers.rules
        wager = rules.book.wagers[name]
        hangs = is_lost_with_fold(rules.book, wager) or isinstance(wager.settles, AllWon)
        main = at_main if hangs else ()
        if (name, main) not in self._parts:
            self._check_solved(1 + sum(each == name for each, _ in self._parts))
            self._parts[name, main] = self._side_parts(name, main)
        parts = self._parts[name, main]
        return parts if isinstance(parts, Fraction) else parts.at(pays).value

    def _side_parts(self, name: str, main: Choice) -> LineParts | Fraction:
        wagers = self.wagers
        rules = wagers.with_main(main) if main else wagers.rules
        place = wagers.places[name]
        table = None if place is None else wagers.tables[place]
        hands = int(table.table_id) if table and is_by_hands(rules.book, name) else 2
        with keeping_nothing():
            figures = analyze_wager(rules, name, stake_cents=wagers.stakes[name], hands=hands)
        return figures.expected_value if table is None else line_parts(SidePricer(table, figures))

    # -- how the wagers win together --------------------------------------------------------------

    def _joined(self, choice: Choice, means: Moments) -> Moments:
        wagers = self.wagers
        at_main = tuple(choice[n] for n in wagers.of_main)
        if at_main not in self._joints:
            self._check_solved(1 + len(self._joints))
            self.progress(len(self._joints), len(self._joints) + 1)
            places = wagers.places.items()
            tables = {name: (n, wagers.tables[n]) for name, n in places if n is not None}
            self._joints[at_main] = JointNets(wagers.with_main(at_main), tables, wagers.stakes)
        mean, squares, hits = self._joints[at_main].at(choice)
        assert mean == means.value, "wagers joined have another mean than wagers added up"
        return Moments(mean, squares, hits, means.wagered)

    def _joined_if_possible(
        self, listed: Sequence[tuple[Choice, Moments]], result: SearchResult
    ) -> list[Candidate]:
        try:
            moments, is_joined = [self._joined(*each) for each in listed], True
        except (Unsolvable, BadRequest) as error:
            result.not_joined = error.message
            moments, is_joined = [means for _, means in listed], False
        pairs = zip(listed, moments, strict=True)
        return [
            Candidate(choice, self._values(choice), each, is_joined) for (choice, _), each in pairs
        ]

    def _values(self, choice: Choice) -> dict[str, Fraction]:
        """Return the value of every wager, per unit."""
        at_main = tuple(choice[n] for n in self.wagers.of_main)
        values = {MAIN: self._main[at_main].value}
        for name in self.wagers.sides:
            place = self.wagers.places[name]
            values[name] = self._value(name, at_main, () if place is None else choice[place])
        return values
