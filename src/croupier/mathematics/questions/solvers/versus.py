"""Hand against hand without a board: who answers what."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from croupier.errors import suggest
from croupier.mathematics.counters.opponents.shape import VERSUS
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.mathematics.questions.solvers.main_solver import CountWager, MainSolver
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.questions.advice.situation import Player
    from croupier.mathematics.questions.information.figures import KnowingFigures
    from croupier.mathematics.questions.open_lines.by_line import LinePricer
    from croupier.mathematics.questions.open_lines.open_table import OpenTable
    from croupier.mathematics.questions.rounds.played import PlayedRounds
    from croupier.mathematics.questions.strategies.decisions import StrategyDecision
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped
    from croupier.mathematics.questions.strategies.opponents_decisions import OpponentsDecisions

__all__ = ["VersusSolver"]


class VersusSolver(MainSolver):
    shape = VERSUS

    def rounds(self, rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds.by_opponent import versus_rounds

        return versus_rounds(rules, sides)

    def counting_folds(self) -> CountWager:
        from croupier.mathematics.questions.rounds.side_wagers import analyze_beside

        return partial(analyze_beside, self.rounds)

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice.opponents import advise_versus

        return advise_versus(rules, situation)

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.questions.strategies.opponents_decisions import opponents_choices

        return opponents_choices(rules)

    def decisions(self, rules: Rules) -> OpponentsDecisions:
        from croupier.mathematics.questions.strategies.opponents_decisions import OpponentsDecisions

        return OpponentsDecisions(rules)

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.questions.players.tables import best_player

        decisions = self.decisions(rules)
        return best_player(decisions) if decisions.has_tables else super().player(rules)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.questions.charts.opponents import versus_values

        return versus_values(rules)

    def first_decision(self, rules: Rules) -> Grid:
        return self.chart(rules, "")

    def chart(self, rules: Rules, decision: str) -> Grid:
        from croupier.mathematics.questions.charts.opponents import versus_grid

        (only,) = rules.book.decisions
        if decision not in ("", only.name):
            raise suggest("decision", decision, [only.name])
        return versus_grid(rules)

    def figures_sharing(self, rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
        from croupier.mathematics.questions.information.sharing import opponents_sharing

        return opponents_sharing(rules, hands, samples, seed)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:
        from croupier.mathematics.questions.open_lines.versus_tables import versus_pricer

        return versus_pricer(table)
