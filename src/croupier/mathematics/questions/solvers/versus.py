"""Hand against hand without a board: who answers what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from croupier.mathematics.counters.opponents.shape import VERSUS
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.mathematics.questions.solvers.main_solver import (
    CountWager,
    MainSolver,
    ReportProgress,
)
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.model import MainFigures
    from croupier.mathematics.payout_limits import PayoutLimit
    from croupier.mathematics.questions.line_tables.lines import RoundEnd
    from croupier.mathematics.questions.loaded_players import Player
    from croupier.mathematics.questions.open_lines.by_line import LinePricer
    from croupier.mathematics.questions.open_lines.open_table import OpenTable
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped

__all__ = ["VersusSolver"]


class VersusSolver(MainSolver):
    shape = VERSUS

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.questions.figures.opponents import versus_figures

        return versus_figures(rules)

    def round_ends(self, rules: Rules) -> Iterator[RoundEnd]:
        from croupier.mathematics.questions.line_tables.by_opponent import versus_ends

        return versus_ends(rules)

    def counting_folds(self) -> CountWager:
        from croupier.mathematics.questions.sessions.opponents_after_fold import (
            analyze_lost_with_fold,
        )

        return analyze_lost_with_fold

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice.opponents import advise_versus

        return advise_versus(rules, situation)

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.questions.players.opponents import VersusPlayer

        return VersusPlayer(rules)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.questions.charts.opponents import versus_values

        return versus_values(rules)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.questions.charts.opponents import versus_grid

        return versus_grid(rules)

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.questions.sessions.opponents import versus_distribution

        progress(0, 1)
        return versus_distribution(rules, main, sides, meters, limits)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:
        from croupier.mathematics.questions.open_lines.versus_tables import versus_pricer

        return versus_pricer(table)
