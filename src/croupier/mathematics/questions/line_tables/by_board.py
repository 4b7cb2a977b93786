"""Hold'em against the dealer: how the rounds end under the best play."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.mathematics.counters.boards.rulebook import USUAL, Cases
from croupier.mathematics.counters.opponents.game import Case
from croupier.mathematics.counters.opponents.payoffs import (
    HandTop,
    after_fold,
    bonus_row,
    wager_row,
)
from croupier.mathematics.counters.several_bets.rulebook import bets_table_of
from croupier.mathematics.questions.figures.boards import answers_of, table_of
from croupier.mathematics.questions.line_tables.by_showdown import Betting, showdown_ends
from croupier.mathematics.questions.line_tables.lines import RoundEnd
from croupier.rulebooks.rules import Rules

__all__ = ["bets_ends", "holdem_ends"]


def holdem_ends(rules: Rules) -> Iterator[RoundEnd]:
    """With one wager decided in play."""
    table, wager = table_of(rules), rules.book.decisions[0].wager
    bettings = [
        _betting(
            rules,
            USUAL,
            answers_of(rules.book, ending),
            {wager: ending.multiple},
            ending.fold,
            deals,
        )
        for ending, deals in zip(table.endings, table.deals.sum(axis=1), strict=True)
    ]
    return showdown_ends(rules.book, _cases(rules, USUAL), bettings)


def bets_ends(rules: Rules) -> Iterator[RoundEnd]:
    """With several wagers decided in play."""
    table, book = bets_table_of(rules), rules.book
    ranking, strengths = table.game.ranking, table.game.strengths
    cases = USUAL
    if ranking is not None and strengths is not None:
        cases = Cases(strengths.values, ranking.names)
    wagers = tuple(dict.fromkeys(decision.wager for decision in book.decisions))
    bettings = [
        _betting(
            rules,
            cases,
            tuple((book.decisions[number].name, word) for number, word in path.said),
            dict(zip(wagers, path.bets, strict=True)),
            path.folded,
            deals,
        )
        for path, deals in table.endings
    ]
    return showdown_ends(book, _cases(rules, cases), bettings)


def _betting(
    rules: Rules,
    cases: Cases,
    answers: tuple[tuple[str, str], ...],
    bets: dict[str, int],
    folded: bool,
    deals: NDArray[np.int64],
) -> Betting:
    """`deals` are by strength here."""
    by_case = np.zeros((len(cases.tops), deals.shape[1]), np.int64)
    np.add.at(by_case, cases.case, deals[: len(cases.case)])
    return Betting(answers, dict.fromkeys(rules.required, 1) | bets, folded, by_case)


def _cases(rules: Rules, cases: Cases) -> list[Case]:
    """What every wager and bonus of the main game pays, by what the hand is worth."""
    book = rules.book
    names = [name for name, wager in book.wagers.items() if wager.role != "optional"]
    bonuses = {name: bonus for name, bonus in book.bonuses.items() if bonus.on in names}
    found = []
    for value in cases.tops.tolist():
        top = HandTop(cases.names[value >> 4], RANKS[value & 15])
        paid = [(name, wager_row(rules, name, top)) for name in names]
        paid += [(name, bonus_row(rules, bonus, top)) for name, bonus in bonuses.items()]
        folded = tuple((name, after_fold(rules, name, top)) for name in names)
        found.append(Case(top.category, tuple(paid), folded, (), ()))
    return found
