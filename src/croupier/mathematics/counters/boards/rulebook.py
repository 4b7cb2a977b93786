"""A rulebook's main game in the solver's terms: payoffs by strength, decisions, qualifier.

Required wagers are one unit each. What they pay together (A) and what a unit of the decided wager
pays (B) is tabulated for each of the 7,462 strengths and the six ways a showdown can end, straight
from the rulebook's outcomes and paytables; nothing is shared with the settlement of rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np

from croupier.cards import RANKS
from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame, payoffs
from croupier.mathematics.counters.boards.shape import HOLDEM
from croupier.mathematics.counters.boards.strengths import STRENGTHS
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.shapes.course import asked_decisions
from croupier.mathematics.shapes.fields import main_fields
from croupier.mathematics.shapes.shape import refused, unsolvable
from croupier.money import For, Push, To, parse_pays
from croupier.ranking.hands import CATEGORY_NAMES, pack
from croupier.ranking.lookup_tables import VALUES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Line, Outcome, Pattern, Rulebook, VersusDealer

__all__ = [
    "USUAL",
    "Cases",
    "after_fold",
    "decided_wager",
    "game_of",
    "payoff_rows",
    "qualifier_of",
    "required_wagers",
]

Row = list[Fraction]
"""A payoff for each case."""


class Cases:
    """A paytable line looks at the category and the first made rank only: some 130 cases of the
    values that hands can have, in ascending order. `names` are the categories."""

    def __init__(self, values: I64, names: Sequence[str]) -> None:
        self.names = names
        self.tops, self.case = np.unique(np.asarray(values) >> 16, return_inverse=True)

    def by_strength(self, row: Row, scale: int) -> I64:
        """A row for all strengths; beyond those that occur it is 0."""
        amounts = np.zeros(STRENGTHS, np.int64)
        scaled = np.array([int(pay * scale) for pay in row], dtype=np.int64)
        amounts[: len(self.case)] = scaled[self.case]
        return amounts


USUAL: Final = Cases(VALUES, CATEGORY_NAMES)


def required_wagers(book: Rulebook) -> dict[str, VersusDealer]:
    return _versus_dealer(book, "required")


def decided_wager(book: Rulebook) -> str:
    return book.decisions[0].wager


def _versus_dealer(book: Rulebook, role: str) -> dict[str, VersusDealer]:
    return {
        name: wager.settles
        for name, wager in book.wagers.items()
        if wager.role == role and isinstance(wager.settles, VersusDealer)
    }


def after_fold(book: Rulebook, name: str) -> int:
    """What a fold makes of one unit of a required wager: gone, or returned."""
    wager = book.wagers[name]
    assert isinstance(wager.settles, VersusDealer)
    gone = wager.after_fold == "loses" or wager.settles.folded.do == "collect"
    return -1 if gone else 0


def game_of(rules: Rules) -> HoldemGame:
    """The main game under the rules in force; refused where the solver does not model it."""
    found = rules.prepared.get(HoldemGame)
    if not isinstance(found, HoldemGame):
        found = rules.prepared[HoldemGame] = _game(rules)
    return found


def _game(rules: Rules) -> HoldemGame:
    book = rules.book
    misfit = next(HOLDEM.misfits(rules, main_fields(rules)), None)
    if misfit is not None:
        raise unsolvable("the main game", misfit, HOLDEM)
    assert book.dealer is not None
    required = [payoff_rows(name, rules) for name in required_wagers(book)]
    decided = payoff_rows(decided_wager(book), rules)
    together = [
        [sum(pays, Fraction()) for pays in zip(*rows, strict=True)]
        for rows in zip(*required, strict=True)
    ]
    scale = lcm(*(pay.denominator for rows in (together, decided) for row in rows for pay in row))
    try:
        return HoldemGame(
            decisions=tuple(
                BetDecision(
                    d.sees_community,
                    tuple(dict.fromkeys(d.bets.values())),
                    "fold" if d.otherwise == "fold" else "check",
                )
                for d in asked_decisions(book)
            ),
            required=payoffs([USUAL.by_strength(row, scale) for row in together]),
            decided=payoffs([USUAL.by_strength(row, scale) for row in decided]),
            qualifier=qualifier_of(book),
            fold=scale * sum(after_fold(book, name) for name in rules.required),
            scale=scale,
        )
    except OverflowError as error:
        raise refused("the main game", f"the bets and paytables lead too far ({error})") from None


def qualifier_of(book: Rulebook) -> int:
    assert book.dealer is not None
    ranks = [RANKS.index(rank) for rank in book.dealer.of]
    least = pack(CATEGORY_NAMES.index(book.dealer.at_least), ranks)
    return int(np.searchsorted(VALUES, least))


def payoff_rows(name: str, rules: Rules, cases: Cases = USUAL) -> list[Row]:
    """Payoffs of one unit: win, tie, loss, each against a qualified and an unqualified dealer; the
    bonuses on the wager come on top, whatever the dealer has."""
    settles = rules.book.wagers[name].settles
    assert isinstance(settles, VersusDealer)
    unqualified = settles.unqualified or settles.qualified
    rows = [
        _row(outcome, rules, cases)
        for how in ("higher", "equal", "lower")
        for outcome in (getattr(settles.qualified, how), getattr(unqualified, how))
    ]
    for bonus in rules.book.bonuses.values():
        if bonus.on == name:
            nothing = Outcome(do="return")
            paid = Outcome(do="pay", paytable=bonus.paytable, otherwise=nothing)
            more = _row(paid, rules, cases)
            rows = [[pay + extra for pay, extra in zip(row, more, strict=True)] for row in rows]
    return rows


def _row(outcome: Outcome, rules: Rules, cases: Cases) -> Row:
    if outcome.do != "pay":
        return [Fraction(-1 if outcome.do == "collect" else 0)] * len(cases.tops)
    lines = rules.paytable(outcome.paytable).lines
    lost = Outcome(do="collect", clause=rules.paytable(outcome.paytable).clause)
    rest = _row(outcome.otherwise or lost, rules, cases)
    row = []
    for top, otherwise in zip(cases.tops, rest, strict=True):
        category, made = cases.names[int(top) >> 4], RANKS[int(top) & 15]
        line = _line_at(category, made, lines, rules.book)
        row.append(otherwise if line is None else _pay(line, stays=outcome.stake_stays))
    return row


def _pay(line: Line, *, stays: bool) -> Fraction:
    pays = parse_pays(line.pays)
    if isinstance(pays, Push):
        return Fraction(0)
    if isinstance(pays, For):
        return Fraction(pays.n - 1)
    assert isinstance(pays, To)
    return Fraction(pays.n, pays.d) - (0 if stays else 1)


def _line_at(category: str, made: str, lines: Sequence[Line], book: Rulebook) -> Line | None:
    """The first line that pays on a category and its first made rank."""
    for line in lines:
        for name in line.covers or (line.hand,):
            if _holds(book.patterns.get(name) or Pattern(category=(name,)), category, made):
                return line
    return None


def _holds(pattern: Pattern, category: str, made: str) -> bool:
    if pattern.category and category not in pattern.category:
        return False
    return not pattern.made or made in pattern.made
