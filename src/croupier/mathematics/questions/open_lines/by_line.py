"""Figures of a game as sums over the lines of a paytable, for pays that vary.

A side wager's deals are counted once. A main game is solved a few times for each line: as long as a
pay changes only the last decision, the deals that end at a line depend on that line's pay alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from msgspec import structs

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import holdem_game, tops_of
from croupier.mathematics.counters.boards.solver import solve_holdem
from croupier.mathematics.counters.boards.strategies import optimal_strategy, outcome_table
from croupier.mathematics.counters.opponents.game import VersusGame, game_with
from croupier.mathematics.counters.opponents.solver import solve_versus
from croupier.mathematics.game.payoffs import Case
from croupier.mathematics.model import WagerAnalysis
from croupier.mathematics.questions.open_lines.open_table import OpenTable
from croupier.mathematics.questions.rounds import PlayedRounds, rounds_of_table, versus_rounds_of
from croupier.mathematics.shapes import MAIN_ROLES
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook, VersusDealer, VersusPaytable, Wager
from croupier.rulebooks.wager_families import families_of

REST: Final = -1
"""Stands in place of a line for the deals that end at none of the open lines."""
Pays: TypeAlias = tuple[Fraction, ...]


class Moments(NamedTuple):
    """The mean net, the mean of its square, the chance to win and the mean of all that is wagered,
    raises included; of all deals, or of one part of them."""

    value: Fraction
    squares: Fraction
    hits: Fraction
    wagered: Fraction = Fraction(0)

    def plus(self, added: Moments) -> Moments:
        return Moments(*(mine + theirs for mine, theirs in zip(self, added, strict=True)))

    @property
    def variance(self) -> Fraction:
        return self.squares - self.value**2

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    @property
    def hold(self) -> Fraction:
        """What the house keeps of each unit wagered, on average over the units."""
        return -self.value / self.wagered


NOTHING: Final = Moments(Fraction(0), Fraction(0), Fraction(0))


class LinePricer(ABC):
    """A wager with open lines, of which each deal ends at one at most."""

    table: OpenTable

    @abstractmethod
    def counted(self, pays: Pays) -> Any:
        """Count every deal under the best play at these pays."""

    @abstractmethod
    def part(self, counted: Any, pays: Pays, line: int) -> Moments:
        """Return the deals that end at a line, or at none (`REST`), at these pays: a share of all
        deals."""


class SidePricer(LinePricer):
    """A side wager: its pays decide nothing, so one count is enough."""

    def __init__(self, table: OpenTable, figures: WagerAnalysis) -> None:
        self.table, self._figures = table, figures
        self._hands = [line.hand for line in table.lines]

    def counted(self, pays: Pays) -> WagerAnalysis:  # noqa: ARG002
        return self._figures

    def part(self, counted: WagerAnalysis, pays: Pays, line: int) -> Moments:
        if line != REST:
            share = sum(
                (counted.probability(o) for o in counted.outcomes if o.hand == self._hands[line]),
                Fraction(0),
            )
            pay = pays[line]
            return Moments(share * pay, share * pay**2, share if pay > 0 else Fraction(0), share)
        total = NOTHING
        for outcome in counted.outcomes:
            if outcome.hand not in self._hands:
                share = counted.probability(outcome)
                hits = share if outcome.wins else Fraction(0)
                total = total.plus(
                    Moments(share * outcome.net, share * outcome.net**2, hits, share)
                )
        envy = counted.others * counted.envy_per_player
        return total.plus(Moments(envy, Fraction(0), Fraction(0)))


@dataclass(frozen=True)
class LineParts:
    """The rest, and the part that each line adds at each of its pays."""

    rest: Moments
    parts: tuple[Mapping[Fraction, Moments], ...]

    def at(self, pays: Pays) -> Moments:
        total = self.rest
        for part, pay in zip(self.parts, pays, strict=True):
            total = total.plus(part[pay])
        return total


def line_parts(pricer: LinePricer) -> LineParts:
    base = tuple(line.low for line in pricer.table.lines)
    first = pricer.counted(base)
    parts = tuple(_along(pricer, base, first, line) for line in range(len(base)))
    return LineParts(pricer.part(first, base, REST), parts)


def one_line(pricer: LinePricer, line: int) -> tuple[Moments, dict[Fraction, Moments]]:
    """Return the rest, and the part of one line at each of its values."""
    base = tuple(each.low for each in pricer.table.lines)
    first = pricer.counted(base)
    return pricer.part(first, base, REST), _along(pricer, base, first, line)


def _along(pricer: LinePricer, base: Pays, first: Any, line: int) -> dict[Fraction, Moments]:
    """Return the part of a line at each of its values, the other lines as in `base`."""
    values = pricer.table.lines[line].values()

    def at(pay: Fraction) -> Pays:
        return (*base[:line], pay, *base[line + 1 :])

    solved = {values[0]: first}
    parts: dict[Fraction, Moments] = {}

    def solve(place: int) -> None:
        pay = values[place]
        if pay not in solved:
            solved[pay] = pricer.counted(at(pay))
        parts[pay] = pricer.part(solved[pay], at(pay), line)

    def fill(start: int, stop: int) -> None:
        if stop - start < 2:
            return
        low, high = values[start], values[stop]
        if pricer.part(solved[low], at(high), line).value == parts[high].value:
            for pay in values[start + 1 : stop]:
                parts[pay] = pricer.part(solved[low], at(pay), line)
            return
        middle = (start + stop) // 2
        solve(middle)
        for ends in pairwise((start, middle, stop)):
            fill(*ends)

    solve(0)
    solve(len(values) - 1)
    fill(0, len(values) - 1)
    return parts


def slopes(pricer: LinePricer) -> dict[str, Fraction]:
    """Return by line, at the lowest value of each, what one unit more of its pay adds to
    the mean."""
    pays = tuple(line.low for line in pricer.table.lines)
    counted = pricer.counted(pays)
    gains = {}
    for place, line in enumerate(pricer.table.lines):
        more = (*pays[:place], pays[place] + 1, *pays[place + 1 :])
        raised, now = (pricer.part(counted, each, place).value for each in (more, pays))
        gains[line.hand] = raised - now
    return gains


_PROBE: Final = "open lines"
_ONLY: Final = "only"

CasesAt: TypeAlias = Callable[[Rules], Sequence[Case]]


class RoundsPricer(LinePricer):
    """A main game. `rounds_at` plays all rounds under some rules, `cases_at` has their cases, the
    same hands under any pays. `line_of` has the open line that pays each case, or `REST`."""

    def __init__(
        self,
        table: OpenTable,
        line_of: Sequence[int],
        cases_at: CasesAt,
        rounds_at: Callable[[Rules], PlayedRounds],
    ) -> None:
        self.table, self._line_of = table, line_of
        self._cases_at, self._rounds_at = cases_at, rounds_at

    def counted(self, pays: Pays) -> PlayedRounds:
        return self._rounds_at(self.table.filled(pays))

    def part(self, counted: PlayedRounds, pays: Pays, line: int) -> Moments:
        rules = self.table.filled(pays)
        rounds = replace(counted, rules=rules, cases=self._cases_at(rules))
        mean = squares = hits = wagered = 0
        for betting in rounds.bettings:
            nets, units = rounds.nets_of(betting), sum(betting.units.values())
            for case, outcome, deals in betting.cells:
                if self._line_of[case] == line:
                    net = nets[case, outcome]
                    mean += net * deals
                    squares += net**2 * deals
                    hits += deals if net > 0 else 0
                    wagered += units * deals
        total, scale = rounds.total, rounds.scale
        return Moments(
            Fraction(mean, total * scale),
            Fraction(squares, total * scale**2),
            Fraction(hits, total),
            Fraction(wagered, total),
        )


def _line_of_case(table: OpenTable, cases_at: CasesAt) -> list[int] | None:
    """Return the open line that pays each case, or `REST`; None if several pay one."""
    low = [line.low for line in table.lines]
    base = cases_at(table.filled(low))
    line_of = [REST] * len(base)
    for place in range(len(low)):
        raised = cases_at(table.filled([pay + (n == place) for n, pay in enumerate(low)]))
        for number, (before, after) in enumerate(zip(base, raised, strict=True)):
            if any(before.nets([name]) != after.nets([name]) for name in before.paid):
                if line_of[number] != REST:
                    return None
                line_of[number] = place
    return line_of


# -- hold'em --------------------------------------------------------------------------------------


def holdem_pricer(table: OpenTable) -> LinePricer | None:
    """Return the pricer; None if a pay can change more than the last decision."""
    low, high = ([getattr(line, end) for line in table.lines] for end in ("low", "high"))
    game = holdem_game(table.filled(low))
    tops = tops_of(game)
    line_of = _line_of_case(table, tops.cases)
    if line_of is None or (low != high and not _decides_last_at_river(game)):
        return None
    strategy = optimal_strategy(solve_holdem(game))
    if low != high:
        last = holdem_game(table.filled(high))
        if not all(
            np.array_equal(mine * game.scale, its * last.scale)
            for mine, its in zip(last.decided, game.decided, strict=True)
        ):
            return None
        last_answers = optimal_strategy(solve_holdem(last)).answers
        if any(
            not np.array_equal(places, last_answers[seen][path])
            for seen, by_path in strategy.answers.items()
            for path, places in by_path.items()
        ):
            return None

    def rounds_at(rules: Rules) -> PlayedRounds:
        return rounds_of_table(rules, outcome_table(replace(strategy, game=holdem_game(rules))))

    return RoundsPricer(table, line_of, tops.cases, rounds_at)


def _decides_last_at_river(game: HoldemGame) -> bool:
    """Return whether a fold comes at the river or never, and the turn decides nothing."""
    return all(
        question.seen == 5 or not (question.folds or question.seen == 4)
        for question in game.questions
    )


# -- hand against hand ----------------------------------------------------------------------------


def versus_pricer(table: OpenTable) -> LinePricer | None:
    """Return the pricer; None if the table pays hands of two rankings."""
    book = table.rules.book
    hands = list(_hands_paid(book, table.family))
    if len({ranking_of(book, hand) for hand in hands}) != 1:
        return None

    def cases_at(rules: Rules) -> Sequence[Case]:
        return _probed(rules, table, hands[0]).cases

    def rounds_at(rules: Rules) -> PlayedRounds:
        return versus_rounds_of(rules, solve_versus(_probed(rules, table, hands[0])))

    line_of = _line_of_case(table, cases_at)
    return None if line_of is None else RoundsPricer(table, line_of, cases_at, rounds_at)


def _hands_paid(book: Rulebook, family: str) -> Iterator[str]:
    """Return the hands of the main game that a family's tables look at."""
    for wager in book.wagers.values():
        if wager.role in MAIN_ROLES and family in families_of(wager.settles):
            assert isinstance(wager.settles, VersusDealer | VersusPaytable)
            yield wager.settles.hand
    for bonus in book.bonuses.values():
        if bonus.paytable == family and book.wagers[bonus.on].role in MAIN_ROLES:
            yield bonus.hand


def _probed(rules: Rules, table: OpenTable, hand: str) -> VersusGame:
    """Return the game with a wager that nobody makes: paid by the printed table, it separates the
    cases by line, whatever the lines pay."""
    probe = Wager(
        title=_PROBE,
        role="optional",
        clause="",
        settles=VersusPaytable(hand=hand, paytable=_PROBE, lost=""),
    )
    book = structs.replace(
        rules.book,
        wagers={**rules.book.wagers, _PROBE: probe},
        paytables={**rules.book.paytables, _PROBE: {_ONLY: table.printed}},
    )
    chosen = {**rules.chosen, _PROBE: _ONLY}
    return game_with(replace(rules, book=book, chosen=chosen), (_PROBE,))
