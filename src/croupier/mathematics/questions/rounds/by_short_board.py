"""The rounds of hold'em on a short board under the best play."""

from __future__ import annotations

import numpy as np

from croupier.mathematics.counters.short_boards import solution_of
from croupier.mathematics.questions.rounds.played import Betting, PlayedRounds, cells_of
from croupier.rulebooks.rules import Rules

__all__ = ["short_board_rounds"]


def short_board_rounds(rules: Rules) -> PlayedRounds:
    book, solution = rules.book, solution_of(rules)
    tops = solution.game.tops
    wagers = tuple(dict.fromkeys(decision.wager for decision in book.decisions))
    bettings = []
    for path, deals in solution.played().items():
        by_case = np.zeros((len(tops), 6), np.int64)
        np.add.at(by_case, tops.numbers, deals[: len(tops.numbers)])
        answers = tuple((book.decisions[number].name, word) for number, word in path.said)
        units = dict.fromkeys(rules.required, 1) | dict(zip(wagers, path.bets, strict=True))
        bettings.append(Betting(answers, units, path.folded, cells_of(by_case)))
    return PlayedRounds(rules, tops.cases(rules), bettings, tops.names, lists_answers=True)
