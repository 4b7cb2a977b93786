"""Hold'em on a board of three or four cards: who answers what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.mathematics.counters.short_boards.shape import SHORT_BOARDS
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.mathematics.questions.solvers.main_solver import MainSolver
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from croupier.mathematics.questions.rounds.played import PlayedRounds
    from croupier.mathematics.questions.strategies.grid import Grid

__all__ = ["ShortBoardSolver"]


class ShortBoardSolver(MainSolver):
    shape = SHORT_BOARDS

    def rounds(self, rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds.by_short_board import short_board_rounds

        self._no_sides(rules, sides)
        return short_board_rounds(rules)

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice.boards import advise_short_board

        return advise_short_board(rules, situation)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.questions.charts.boards import grid_by_advice

        return grid_by_advice(rules, self.advise)
