"""Streets without a dealer's hand: who answers what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from croupier.errors import Unsolvable
from croupier.mathematics.counters.stages.shape import STREETS
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.mathematics.questions.information.seen_cards import DRAWS_SEED
from croupier.mathematics.questions.solvers.main_solver import CountWager, MainSolver
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.questions.advice.situation import Player
    from croupier.mathematics.questions.information.figures import KnowingFigures
    from croupier.mathematics.questions.rounds.played import PlayedRounds
    from croupier.mathematics.questions.strategies.decisions import Decisions, StrategyDecision
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped

__all__ = ["StreetsSolver"]


class StreetsSolver(MainSolver):
    shape = STREETS

    def rounds(self, rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds.by_stage import streets_rounds

        return streets_rounds(rules, sides)

    def counting_folds(self) -> CountWager:
        from croupier.mathematics.questions.rounds.side_wagers import analyze_beside

        return partial(analyze_beside, self.rounds)

    def counting_all_won(self) -> CountWager:
        return self.counting_folds()

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice.stages import advise_streets

        return advise_streets(rules, situation)

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.questions.strategies.stages_decisions import stages_choices

        return stages_choices(rules)

    def decisions(self, rules: Rules) -> Decisions:
        from croupier.mathematics.questions.strategies.stages_decisions import stages_decisions

        return stages_decisions(rules)

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.questions.players.tables import best_player
        from croupier.mathematics.questions.strategies.stages_decisions import best_of_stages

        try:
            return best_player(best_of_stages(rules))
        except Unsolvable:
            return super().player(rules)

    def first_decision(self, rules: Rules) -> Grid:
        return self.chart(rules, "")

    def chart(self, rules: Rules, decision: str) -> Grid:
        from croupier.mathematics.questions.charts.stages import chart_of_streets

        return chart_of_streets(rules, decision)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.questions.charts.stages import streets_values

        return streets_values(rules)

    def figures_knowing(self, rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
        from croupier.mathematics.questions.information.streets_knowing import figures_of_streets

        return figures_of_streets(rules, knows)

    def figures_sharing(
        self, rules: Rules, hands: int, samples: int, seed: int = DRAWS_SEED
    ) -> KnowingFigures:
        from croupier.mathematics.questions.information.sharing import stages_sharing

        return stages_sharing(rules, hands, samples, seed)
