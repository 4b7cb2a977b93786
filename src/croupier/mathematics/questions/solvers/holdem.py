"""Hold'em against the dealer: who answers what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from croupier.mathematics.counters.boards.shape import HOLDEM
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.mathematics.questions.information.seen_cards import DEALER
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
    from croupier.mathematics.questions.advice.situation import Player
    from croupier.mathematics.questions.information.figures import KnowingFigures
    from croupier.mathematics.questions.open_lines.by_line import LinePricer
    from croupier.mathematics.questions.open_lines.open_table import OpenTable
    from croupier.mathematics.questions.rounds.played import PlayedRounds
    from croupier.mathematics.questions.strategies.decisions import Decisions, StrategyDecision
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped
    from croupier.mathematics.questions.strategies.text import WrittenStrategy

__all__ = ["HoldemSolver"]


class HoldemSolver(MainSolver):
    shape = HOLDEM

    def rounds(self, rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds.by_board import holdem_rounds

        self._no_sides(rules, sides)
        return holdem_rounds(rules)

    def changed_figures(
        self, rules: Rules, raised: Sequence[Rules] = ()
    ) -> tuple[MainFigures, tuple[Fraction, ...]]:
        from croupier.mathematics.questions.rounds.changed_pays import changed_figures

        return changed_figures(rules, raised)

    def counting_folds(self) -> CountWager:
        from croupier.mathematics.questions.sessions.after_fold import analyze_lost_with_fold

        return analyze_lost_with_fold

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice.boards import advise_holdem

        return advise_holdem(rules, situation)

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.questions.strategies.boards_decisions import choices_of

        return tuple(choice.decision for choice in choices_of(rules))

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.questions.players.boards import best_holdem

        return best_holdem(rules)

    def following(self, rules: Rules, plan: WrittenStrategy) -> Player:
        from croupier.mathematics.questions.players.boards import holdem_following

        return holdem_following(rules, plan)

    def decisions(self, rules: Rules) -> Decisions:
        from croupier.mathematics.questions.strategies.boards_decisions import holdem_decisions

        return holdem_decisions(rules)

    def first_decision(self, rules: Rules) -> Grid:
        return self.chart(rules, "")

    def chart(self, rules: Rules, decision: str) -> Grid:
        from croupier.mathematics.questions.charts.boards import chart_of_holdem

        return chart_of_holdem(rules, decision)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.questions.charts.boards import holdem_values

        return holdem_values(rules)

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.questions.sessions.one_round import holdem_distribution

        return holdem_distribution(rules, main, sides, meters, limits, progress)

    def line_pricer(self, table: OpenTable) -> LinePricer | None:
        from croupier.mathematics.questions.open_lines.holdem_tables import holdem_pricer

        return holdem_pricer(table)

    def figures_knowing(self, rules: Rules, knows: Mapping[str, int]) -> KnowingFigures | None:
        if DEALER not in knows:
            return None
        from croupier.mathematics.questions.information.figures import figures_with_dealers_cards

        return figures_with_dealers_cards(rules, knows)

    def figures_sharing(self, rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
        from croupier.mathematics.questions.information.figures import figures_sharing

        return figures_sharing(rules, hands, samples, seed)
