"""Streets without a dealer's hand: how the rounds end under the best play."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.mathematics.counters.stages.outcomes import Told, played_out
from croupier.mathematics.counters.stages.payoffs import Endings, unit_net
from croupier.mathematics.counters.stages.solver import StreetsSolution, solve_streets
from croupier.mathematics.model import Loses
from croupier.mathematics.questions.figures.stages import ending_at
from croupier.mathematics.questions.line_tables.lines import (
    FOLDED,
    NOT_BET,
    NOT_PAID,
    TAKEN_BACK,
    Result,
    RoundEnd,
    WagerEnd,
)
from croupier.mathematics.shapes.course import led_by
from croupier.mathematics.side_wagers.endings import WagerEnding
from croupier.money import Push
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.wager_families import families_of

__all__ = ["streets_ends"]


def streets_ends(rules: Rules) -> Iterator[RoundEnd]:
    solution = solve_streets(rules)
    families = _families(rules)
    for (told, result), deals in played_out(solution).deals.items():
        ends = None if result is None else solution.ended[result]
        yield RoundEnd(told.said, tuple(_ends(solution, told, ends, families)), deals)


def _families(rules: Rules) -> dict[str, str]:
    """By wager and bonus: the paytable that its hand is looked up in."""
    book = rules.book
    families = {name: bonus.paytable for name, bonus in book.bonuses.items()}
    for name in book.wagers:
        families[name] = next(iter(families_of(book.wagers[led_by(book, name)].settles)), "")
    return families


def _ends(
    solution: StreetsSolution, told: Told, ends: Endings | None, families: dict[str, str]
) -> Iterator[tuple[str, WagerEnd]]:
    placed = dict(zip(solution.course.wagers, told.units, strict=True))
    for name, units in placed.items():
        if units:
            yield name, _end(ending_at(solution, name, told, ends), units, families[name])
        elif name in solution.rules.required:
            yield name, WagerEnd(TAKEN_BACK, "push", Push(), 0, Fraction(0))
        else:
            yield name, WagerEnd(NOT_BET, "not_bet", None, 0, Fraction(0))
    for name, bonus in solution.rules.book.bonuses.items():
        units = placed.get(bonus.on, 0)
        if bonus.on in placed:
            yield name, _bonus_end(told, ends, name, units, families[name])


def _bonus_end(told: Told, ends: Endings | None, name: str, units: int, family: str) -> WagerEnd:
    if not units:
        return WagerEnd(NOT_BET, "not_bet", None, 0, Fraction(0))
    if told.folded or ends is None:
        return WagerEnd(FOLDED, "not_paid", None, units, Fraction(0))
    if not ends[name].wins:
        return WagerEnd(NOT_PAID, "not_paid", None, units, Fraction(0), family)
    return _end(ends[name], units, family)


def _end(ending: WagerEnding, units: int, family: str) -> WagerEnd:
    result: Result = "win"
    if isinstance(ending.pays, Loses):
        result = "lose"
    elif isinstance(ending.pays, Push):
        result = "push"
    folded = ending.hand == FOLDED
    return WagerEnd(
        ending.hand, result, ending.pays, units, unit_net(ending), "" if folded else family
    )
