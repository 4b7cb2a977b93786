"""Streets without a dealer's hand: who answers what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from croupier.mathematics.advice import Advice, Situation
from croupier.mathematics.solvers.main_solver import CountWager, MainSolver, ReportProgress
from croupier.mathematics.streets.shape import STREETS
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.knowing.figures import KnowingFigures
    from croupier.mathematics.model import MainFigures
    from croupier.mathematics.payout_limits import PayoutLimit
    from croupier.mathematics.strategies.choices import StrategyDecision
    from croupier.mathematics.strategies.grid import Grid, Skipped
    from croupier.mathematics.wager_lines.lines import RoundEnd

__all__ = ["StreetsSolver"]


class StreetsSolver(MainSolver):
    shape = STREETS

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.streets.figures import streets_figures

        return streets_figures(rules)

    def round_ends(self, rules: Rules) -> Iterator[RoundEnd]:
        from croupier.mathematics.wager_lines.by_stage import streets_ends

        return streets_ends(rules)

    def counting_folds(self) -> CountWager:
        from croupier.mathematics.streets.nets import analyze_unless_folded

        return analyze_unless_folded

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.streets.advice import advise_streets

        return advise_streets(rules, situation)

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.streets.charts import streets_choices

        return streets_choices(rules)

    def first_decision(self, rules: Rules) -> Grid:
        return self.chart(rules, "")

    def chart(self, rules: Rules, decision: str) -> Grid:
        from croupier.mathematics.streets.charts import chart_of_streets

        return chart_of_streets(rules, decision)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.streets.charts import streets_values

        return streets_values(rules)

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.streets.nets import streets_distribution

        progress(0, 1)
        return streets_distribution(rules, main, sides, meters, limits)

    def figures_knowing(self, rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
        from croupier.mathematics.knowing.streets_knowing import figures_of_streets

        return figures_of_streets(rules, knows)
