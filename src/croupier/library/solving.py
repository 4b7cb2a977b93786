"""The library's one door to the mathematics: every call of a solver stands here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from croupier.errors import BadRequest, Unsolvable, suggest
from croupier.library.rulebook import Rulebook
from croupier.mathematics.questions.analysis import (
    Asked,
    is_by_hands,
    tables_of,
    wagers_of,
)
from croupier.mathematics.questions.registry import advise
from croupier.mathematics.questions.situation import Situation
from croupier.rounds.payout_limits import limits_in_force
from croupier.rounds.settle_requests import error_object
from croupier.rulebooks.changed_pays import ChangedLine, with_changes
from croupier.rulebooks.rules import Rules
from croupier.simulation.sampling import Sampling, analyze_or_sample

__all__ = [
    "Asked",
    "Chart",
    "ChartedHand",
    "Sampling",
    "Situation",
    "Without",
    "chart_of",
    "every_table",
    "figures",
    "values_of",
]

Figures = dict[str, dict[str, dict[str, Any]]]
"""By wager and table the object that the contract describes; the table in force is `""`."""


# -- figures --------------------------------------------------------------------------------------


def _checked(rules: Rules, wagers: Sequence[str], asked: Asked) -> list[str]:
    """The wagers to work out: those named, or all."""
    known = wagers_of(rules.book)
    _known("wager", asked.stakes, (*known, *rules.book.wagers))
    _known("meter", asked.meters or {}, rules.resets)
    _known("wager", wagers, known)
    seats = rules.book.positions.most
    counts = ((asked.others, "others", 0, seats - 1), (asked.hands, "hands", 2, seats + 1))
    for count, name, least, most in counts:
        if not least <= count <= most:
            raise BadRequest(f"{name} is {count}, but must be {least} to {most}")
    return list(wagers or known)


def _known(kind: str, names: Iterable[str], known: Iterable[str]) -> None:
    allowed = list(known)
    for name in names:
        if name not in allowed:
            raise suggest(kind, name, allowed)


def figures(
    book: Rulebook,
    wagers: Sequence[str],
    asked: Asked,
    changes: Sequence[ChangedLine],
    sampling: Sampling | None = None,
) -> Figures:
    """Of the tables in force, with some lines changed."""
    names, rules = _checked(book.rules, wagers, asked), with_changes(book.rules, changes)
    return _some_solved({name: {"": _solved(rules, name, asked, sampling)} for name in names})


def every_table(
    book: Rulebook,
    wagers: Sequence[str],
    asked: Asked,
    changes: Sequence[ChangedLine],
    sampling: Sampling | None = None,
) -> Figures:
    """Of every paytable, one wager's at a time, the others as in force."""
    found: Figures = {}
    for name in _checked(book.rules, wagers, asked):
        family, tables = tables_of(book.rules, name)
        found[name] = {}
        for table in tables:
            rules, about = book.rules, asked
            if is_by_hands(book.document, name):
                about = replace(asked, hands=int(table))
            elif family is not None:
                rules = book.choosing(paytables={family: table}).rules
                about = replace(asked, limits=limits_in_force(rules)) if asked.limits else asked
            found[name][table] = _solved(with_changes(rules, changes), name, about, sampling)
    return _some_solved(found)


def _solved(rules: Rules, wager: str, asked: Asked, sampling: Sampling | None) -> dict[str, Any]:
    """What no solver models is sampled where that is asked for, else has the error in its place."""
    try:
        return analyze_or_sample(rules, wager, asked, sampling)
    except Unsolvable as error:
        return error_object(error)


def _some_solved(found: Figures) -> Figures:
    """Where one wager is asked for and not solved, that is the whole answer."""
    if len(found) == 1:
        (tables,) = found.values()
        errors = [details["error"] for details in tables.values() if "error" in details]
        if len(errors) == len(tables):
            raise Unsolvable(errors[0]["message"])
    return found


# -- the value of every action --------------------------------------------------------------------


def values_of(rules: Rules, seen: Situation) -> tuple[str, dict[str, Fraction]]:
    """The decision, and the exact value of each answer in units of one required wager."""
    found = advise(rules, seen)
    return found.decision, dict(found.values)


# -- charts ---------------------------------------------------------------------------------------


class ChartedHand(NamedTuple):
    """A starting hand: what is right most often, every value, how often each is right."""

    best: str
    values: Mapping[str, Fraction]
    shares: Mapping[str, Fraction]
    worth: Fraction


class Without(NamedTuple):
    """What the game costs when a decision is always answered in one way."""

    decision: str
    instead: str
    house_edge: Fraction


class Chart(NamedTuple):
    decision: str
    hands: dict[str, ChartedHand]
    house_edge: Fraction
    without: tuple[Without, ...]
    svg: str


def chart_of(rules: Rules) -> Chart:
    """The first decision over all starting hands, and what each decision is worth."""
    from croupier.mathematics.questions.registry import solver_for
    from croupier.reports.charts import chart_svg

    grid = solver_for(rules).chart()
    best, skipped = solver_for(rules).decision_values()
    title = f"{rules.book.title}: {grid.choice.name.replace('_', ' ')}"
    hands = {
        cell.hand: ChartedHand(cell.action, cell.values, cell.shares, cell.worth)
        for cell in grid.cells()
    }
    without = tuple([Without(one.decision, one.how, one.house_edge) for one in skipped])
    return Chart(grid.choice.name, hands, best, without, chart_svg(grid, best, skipped, title))
