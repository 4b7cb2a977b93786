"""All ways to fill a paytable's open lines, and those that meet the targets.

Every figure is exact. A side wager is counted once. A main game whose figures are a sum over lines
(`open_lines.by_line`) is solved a few times for each line; any other is solved for each filling.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from croupier.errors import BadRequest
from croupier.mathematics.cache import keeping_nothing
from croupier.mathematics.model import MainFigures
from croupier.mathematics.questions.analysis import is_by_hands
from croupier.mathematics.questions.open_lines.by_line import (
    LineParts,
    LinePricer,
    Moments,
    Pays,
    SidePricer,
    line_parts,
    one_line,
    slopes,
)
from croupier.mathematics.questions.open_lines.open_table import OpenTable
from croupier.mathematics.questions.registry import analyze_wager, solver_for
from croupier.rulebooks.rules import Rules
from croupier.workers import workers

MOST: Final = 1_000_000
MOST_SOLVED: Final = 200
"""The default limits on the number of fillings: for figures that add up, and for solving one by
one."""
Report = Callable[[int, int], None]
Choice: TypeAlias = tuple[Pays, ...]
"""The pays of the open lines of every table."""
Range: TypeAlias = tuple[Fraction, Fraction]

BEST: Final[dict[str, Callable[[Moments], Fraction]]] = {
    "edge": lambda moments: -moments.value,
    "hold": lambda moments: moments.hold,
    "deviation": lambda moments: moments.variance,
    "hit-frequency": lambda moments: -moments.hits,
}
"""The sort key of tables, lowest first: lowest edge, hold or deviation, highest hit frequency."""


@dataclass(frozen=True)
class Wishes:
    """The targets: ranges that include both ends, as fractions of 1; the deviation in units of the
    wager, or in dollars if several wagers are bet together."""

    edge: Range | None = None
    hits: Range | None = None
    deviation: Range | None = None
    best: str = "edge"
    limit: int = 20
    hold: Range | None = None

    def miss(self, moments: Moments) -> Fraction:
        """Return how far the edge, or the hold if no edge is named, lies outside its range; below
        zero it is too low."""
        if self.edge is not None:
            return miss(-moments.value, self.edge)
        return Fraction(0) if self.hold is None else miss(moments.hold, self.hold)

    def besides(self, moments: Moments) -> bool:
        """Return whether all other targets are met."""
        if self.hold is not None and miss(moments.hold, self.hold):
            return False
        if self.hits is not None and miss(moments.hits, self.hits):
            return False
        if self.deviation is None:
            return True
        low, high = self.deviation
        return low**2 <= moments.variance <= high**2

    @property
    def needs_joint(self) -> bool:
        """Whether a target depends on how wagers win together."""
        named = self.hits is not None or self.deviation is not None
        return named or self.best in ("deviation", "hit-frequency")


def miss(value: Fraction, target: Range) -> Fraction:
    """Return how far a value lies outside of a range; below zero it is too low."""
    low, high = target
    return value - low if value < low else value - high if value > high else Fraction(0)


@dataclass(frozen=True)
class Candidate:
    """A way to fill the open tables, the value of each wager per unit, and the moments of the
    wager, or of the round in dollars if several are bet together. A round that is not joined has no
    `squares` and `hits`."""

    choice: Choice
    values: Mapping[str, Fraction]
    moments: Moments
    is_joined: bool = True


@dataclass
class SearchResult:
    """The best tables. If none meets the targets, `nearest` has those nearest to the edge or the
    hold, from below and from above. `not_joined` says why deviation and hit frequency of a round
    are not computed."""

    searched: int = 0
    matches: int = 0
    tables: list[Candidate] = field(default_factory=list)
    nearest: list[Candidate] = field(default_factory=list)
    not_joined: str = ""


class Best:
    """A collector of the best fillings that meet the targets, and of the nearest of the others."""

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self.count = 0
        self._fitting: list[tuple[Fraction, Choice, Moments]] = []
        self._nearest: dict[bool, tuple[Fraction, Choice, Moments]] = {}

    def is_near(self, choice: Choice, moments: Moments) -> bool:
        """Return whether the edge or the hold is in its range; if not, the filling may be the
        nearest."""
        miss = self._wishes.miss(moments)
        if not miss:
            return True
        entry, side = (abs(miss), choice, moments), miss > 0
        self._nearest[side] = min(entry, self._nearest.get(side, entry))
        return False

    def add(self, choice: Choice, moments: Moments) -> None:
        """Keep a filling whose edge or hold is in its range, if it meets the other targets."""
        if not self._wishes.besides(moments):
            return
        self.count += 1
        insort(self._fitting, (BEST[self._wishes.best](moments), choice, moments))
        del self._fitting[self._wishes.limit :]

    @property
    def fitting(self) -> list[tuple[Choice, Moments]]:
        return [(choice, moments) for _, choice, moments in self._fitting]

    @property
    def nearest(self) -> list[tuple[Choice, Moments]]:
        """The nearest from below, then from above; empty if some filling meets the targets."""
        sides = [] if self.count else sorted(self._nearest)
        return [self._nearest[side][1:] for side in sides]


def search(
    table: OpenTable,
    wager: str,
    wishes: Wishes,
    *,
    any_order: bool = False,
    most: int | None = None,
    most_solved: int | None = None,
    progress: Report = lambda _done, _all: None,
) -> SearchResult:
    """Return the best fillings; `wager` is `main` or the side wager whose edge the targets are
    about."""
    _check_count(table, most or MOST)
    pricer = pricer_of(table, wager)
    if pricer is None:
        _check_count(table, most_solved or most or MOST_SOLVED, solved=True)
    fillings = table.candidates(any_order=any_order)
    best, searched = Best(wishes), 0
    for pays, moments in _priced(table, wager, pricer, fillings, progress):
        searched += 1
        if best.is_near((pays,), moments):
            best.add((pays,), moments)
    if not searched:
        raise BadRequest(
            f"--vary: none of {table.count:,} tables keeps the order of the hands, in which a "
            "better one never pays less: change a range, or say --any-order"
        )
    tables, nearest = (
        [Candidate(choice, {wager: moments.value}, moments) for choice, moments in listed]
        for listed in (best.fitting, best.nearest)
    )
    return SearchResult(searched, best.count, tables, nearest)


def filled_moments(
    table: OpenTable, fillings: Sequence[Pays], most_solved: int, progress: Report
) -> list[tuple[Pays, Moments]]:
    """Return the figures of the main game for each of these fillings."""
    pricer = pricer_of(table, "main")
    if pricer is None and len(fillings) > most_solved:
        _check_count(table, most_solved, solved=True)
    return list(_priced(table, "main", pricer, iter(fillings), progress))


def sensitivities(table: OpenTable, wager: str) -> dict[str, Fraction] | None:
    """Return by line of the printed table what one unit more of its pay takes off the edge."""
    pricer = pricer_of(table.as_printed(), wager)
    return None if pricer is None else slopes(pricer)


def pricer_of(table: OpenTable, wager: str) -> LinePricer | None:
    if wager == "main":
        return solver_for(table.rules).line_pricer(table)
    hands = int(table.table_id) if is_by_hands(table.rules.book, wager) else 2
    return SidePricer(table, analyze_wager(table.rules, wager, hands=hands))


def _check_count(table: OpenTable, most: int, *, solved: bool = False) -> None:
    if table.count > most:
        how = ", each to be solved by itself" if solved else ""
        raise BadRequest(
            f"--vary leads to {table.count:,} tables{how}, and no more than {most:,} are gone "
            f"through: narrow a range, widen a step, or allow more with --most {table.count}"
        )


class _Line(NamedTuple):
    table: OpenTable
    wager: str
    line: int


def _priced(
    table: OpenTable,
    wager: str,
    pricer: LinePricer | None,
    fillings: Iterator[Pays],
    progress: Report,
) -> Iterator[tuple[Pays, Moments]]:
    if pricer is not None:
        parts: LineParts = _parts(table, wager, pricer)
        yield from ((pays, parts.at(pays)) for pays in fillings)
        return
    listed = list(fillings)
    solved = workers().map(solved_moments, [table.filled(pays) for pays in listed])
    for done, pays in enumerate(listed):
        progress(done, len(listed))
        yield pays, next(solved)


def solved_moments(rules: Rules) -> Moments:
    """Return the figures of the main game, solved and not stored."""
    with keeping_nothing():
        return moments_of(solver_for(rules).figures())


def _parts(table: OpenTable, wager: str, pricer: LinePricer) -> LineParts:
    """Return the parts by line; on a cluster each line is a task of its own."""
    if not workers().is_remote or len(table.lines) < 2 or wager != "main":
        return line_parts(pricer)
    pieces = [_Line(table, wager, line) for line in range(len(table.lines))]
    lines = list(workers().map(_line, pieces))
    return LineParts(lines[0][0], tuple(part for _, part in lines))


def _line(piece: _Line) -> tuple[Moments, dict[Fraction, Moments]]:
    pricer = pricer_of(piece.table, piece.wager)
    assert pricer is not None
    return one_line(pricer, piece.line)


def moments_of(figures: MainFigures) -> Moments:
    """Return the moments of outcomes, whose nets and combinations are exact."""
    total, squares = 0, Fraction(0)
    for outcome in figures.outcomes:
        pays, count = outcome["pays"], outcome["combinations"]
        assert isinstance(pays, dict)
        assert isinstance(count, int)
        total += count
        squares += Fraction(pays["net"]) ** 2 * count
    return Moments(
        figures.expected_value, squares / total, figures.hit_frequency, figures.units_wagered
    )
