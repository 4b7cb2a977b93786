"""Rounds against the dealer: how every wager ends, by what the hand is worth and who wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.opponents.game import Case
from croupier.mathematics.counters.opponents.payoffs import Paid, Row
from croupier.mathematics.model import Loses
from croupier.mathematics.questions.line_tables.lines import (
    ANY_HAND,
    FOLDED,
    LOSES,
    NOT_BET,
    NOT_PAID,
    TIES,
    WINS,
    Result,
    RoundEnd,
    WagerEnd,
)
from croupier.money import Push
from croupier.rulebooks.schema import Rulebook

__all__ = ["Betting", "showdown_ends"]

_NOT_BET = WagerEnd(NOT_BET, "not_bet", None, 0, Fraction(0))


class Betting(NamedTuple):
    """One way in which the betting ends: what was said, the units on each wager, and the deals
    [case, outcome]. Outcomes: won, tied, lost, each against a dealer who qualifies and one who does
    not."""

    answers: tuple[tuple[str, str], ...]
    units: Mapping[str, int]
    folded: bool
    deals: NDArray[np.int64]


def showdown_ends(
    book: Rulebook, cases: Sequence[Case], bettings: Sequence[Betting]
) -> Iterator[RoundEnd]:
    for betting in bettings:
        if betting.folded:
            for place, deals in enumerate(betting.deals.sum(axis=1).tolist()):
                if deals:
                    ends = tuple(_folded(book, cases[place], betting.units))
                    yield RoundEnd(betting.answers, ends, deals)
            continue
        for place, outcome in np.argwhere(betting.deals).tolist():
            ends = tuple(_shown_down(book, cases[place], outcome, betting.units))
            yield RoundEnd(betting.answers, ends, int(betting.deals[place, outcome]))


def _shown_down(
    book: Rulebook, case: Case, outcome: int, units: Mapping[str, int]
) -> Iterator[tuple[str, WagerEnd]]:
    for name, row in case.paid:
        bonus = book.bonuses.get(name)
        staked = units.get(bonus.on if bonus else name, 0)
        paid = row[outcome]
        if not staked:
            yield name, _NOT_BET
        elif bonus is not None and not paid.hand:
            yield name, WagerEnd(NOT_PAID, "not_paid", None, staked, Fraction(0), paid.family)
        else:
            hand, qualifies = _named(case, row, outcome)
            yield name, _end(paid, staked, hand, qualifies)


def _named(case: Case, row: Row, outcome: int) -> tuple[str, bool | None]:
    """What decides the wager, and whether the dealer qualifies if that makes a difference."""
    paid, qualifies = row[outcome], outcome % 2 == 0
    if row[1] == row[3] == row[5] and len(set(row)) > 1:
        hand = paid.hand or (ANY_HAND if not qualifies else _by_showdown(case, paid, outcome))
        return hand, qualifies
    hand = paid.hand or _by_showdown(case, paid, outcome)
    return hand, None if row[outcome] == row[outcome ^ 1] else qualifies


def _by_showdown(case: Case, paid: Paid, outcome: int) -> str:
    """A winning hand that its paytable has no line for is named by its category."""
    if outcome < 2:
        return case.name if paid.family else WINS
    return TIES if outcome < 4 else LOSES


def _folded(book: Rulebook, case: Case, units: Mapping[str, int]) -> Iterator[tuple[str, WagerEnd]]:
    folded = dict(case.folded)
    for name, _ in case.paid:
        bonus = book.bonuses.get(name)
        if bonus is not None:
            staked = units.get(bonus.on, 0)
            yield name, WagerEnd(FOLDED, "not_paid", None, staked, Fraction(0))
        elif units.get(name, 0):
            paid = folded[name]
            yield name, _end(paid, units[name], paid.hand or FOLDED, None)
        else:
            yield name, _NOT_BET


def _end(paid: Paid, units: int, hand: str, qualifies: bool | None) -> WagerEnd:
    result: Result = "win"
    if isinstance(paid.pays, Loses):
        result = "lose"
    elif isinstance(paid.pays, Push):
        result = "push"
    return WagerEnd(hand, result, paid.pays, units, paid.unit_net, paid.family, qualifies)
