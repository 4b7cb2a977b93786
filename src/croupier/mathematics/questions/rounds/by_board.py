"""The rounds of hold'em against the dealer under the best play."""

from __future__ import annotations

import numpy as np

from croupier.mathematics.counters.boards.rulebook import decided_wagers, table_of, tops_of
from croupier.mathematics.counters.boards.strategies import OutcomeTable
from croupier.mathematics.questions.rounds.played import Betting, PlayedRounds, cells_of
from croupier.rulebooks.rules import Rules

__all__ = ["holdem_rounds", "rounds_of_table"]


def holdem_rounds(rules: Rules) -> PlayedRounds:
    return rounds_of_table(rules, table_of(rules))


def rounds_of_table(rules: Rules, table: OutcomeTable) -> PlayedRounds:
    book, tops, wagers = rules.book, tops_of(table.game), decided_wagers(rules.book)
    bettings = []
    for path, deals in table.endings:
        by_case = np.zeros((len(tops), deals.shape[1]), np.int64)
        np.add.at(by_case, tops.numbers, deals[: len(tops.numbers)])
        answers = tuple((book.decisions[number].name, word) for number, word in path.said)
        units = dict.fromkeys(rules.required, 1) | dict(zip(wagers, path.bets, strict=True))
        bettings.append(Betting(answers, units, path.folded, cells_of(by_case)))
    several = len(wagers) > 1
    return PlayedRounds(rules, tops.cases(rules), bettings, tops.names, lists_answers=several)
