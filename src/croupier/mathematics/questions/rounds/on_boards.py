"""The rounds of hold'em against the dealer, on any board, under the best play."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from croupier.mathematics.counters.boards.games import Path
from croupier.mathematics.counters.boards.rulebook import (
    HandTops,
    decided_wagers,
    table_of,
    tops_of,
)
from croupier.mathematics.counters.boards.strategies import OutcomeTable
from croupier.mathematics.counters.short_boards import short_board_solution
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.rounds.played import Betting, Cells, PlayedRounds, cells_of
from croupier.rulebooks.rules import Rules


def holdem_rounds(rules: Rules) -> PlayedRounds:
    return rounds_of_table(rules, table_of(rules))


def rounds_of_table(rules: Rules, table: OutcomeTable) -> PlayedRounds:
    several = len(decided_wagers(rules.book)) > 1
    return _rounds(rules, tops_of(table.game), dict(table.endings), lists_answers=several)


def short_board_rounds(rules: Rules) -> PlayedRounds:
    solution = short_board_solution(rules)
    return _rounds(rules, solution.game.tops, solution.played(), lists_answers=True)


def _rounds(
    rules: Rules, tops: HandTops, endings: Mapping[Path, I64], *, lists_answers: bool
) -> PlayedRounds:
    """`endings` has the deals[strength, outcome] of every path to its end."""
    bettings = []
    for path, deals in endings.items():
        by_case = np.zeros((len(tops), deals.shape[1]), np.int64)
        np.add.at(by_case, tops.numbers, deals[: len(tops.numbers)])
        bettings.append(betting_of(rules, path, cells_of(by_case)))
    return PlayedRounds(rules, tops.cases(rules), bettings, tops.names, lists_answers=lists_answers)


def betting_of(rules: Rules, path: Path, cells: Cells) -> Betting:
    decisions, wagers = rules.book.decisions, decided_wagers(rules.book)
    answers = tuple((decisions[number].name, word) for number, word in path.said)
    units = dict.fromkeys(rules.required, 1) | dict(zip(wagers, path.bets, strict=True))
    return Betting(answers, units, path.folded, cells)
