"""Hand against hand without a board: who answers what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from croupier.mathematics.advice import Advice, Situation
from croupier.mathematics.solvers.main_solver import CountWager, MainSolver, ReportProgress
from croupier.mathematics.versus.shape import VERSUS
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.model import MainFigures
    from croupier.mathematics.open_lines.by_line import LinePricer
    from croupier.mathematics.open_lines.open_table import OpenTable
    from croupier.mathematics.payout_limits import PayoutLimit
    from croupier.mathematics.players import Player
    from croupier.mathematics.strategies.grid import Grid, Skipped
    from croupier.mathematics.wager_lines.lines import RoundEnd

__all__ = ["VersusSolver"]


class VersusSolver(MainSolver):
    shape = VERSUS

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.versus.figures import versus_figures

        return versus_figures(rules)

    def round_ends(self, rules: Rules) -> Iterator[RoundEnd]:
        from croupier.mathematics.wager_lines.by_opponent import versus_ends

        return versus_ends(rules)

    def counting_folds(self) -> CountWager:
        from croupier.mathematics.versus.lost_with_fold import analyze_lost_with_fold

        return analyze_lost_with_fold

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.versus.advice import advise_versus

        return advise_versus(rules, situation)

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.versus.player import VersusPlayer

        return VersusPlayer(rules)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.versus.chart import versus_values

        return versus_values(rules)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.versus.chart import versus_grid

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
        from croupier.mathematics.versus.joint import versus_distribution

        progress(0, 1)
        return versus_distribution(rules, main, sides, meters, limits)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:
        from croupier.mathematics.open_lines.versus_tables import versus_pricer

        return versus_pricer(table)
