"""Hold'em against the dealer, with several wagers decided in play: who answers what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from croupier.mathematics.counters.several_bets.shape import SEVERAL
from croupier.mathematics.questions.advice.situation import Advice, Situation
from croupier.mathematics.questions.information.seen_cards import DEALER
from croupier.mathematics.questions.solvers.main_solver import CountWager, MainSolver
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.questions.advice.situation import Player
    from croupier.mathematics.questions.information.figures import KnowingFigures
    from croupier.mathematics.questions.rounds.played import PlayedRounds
    from croupier.mathematics.questions.strategies.grid import Grid, Skipped

__all__ = ["SeveralBetsSolver"]


class SeveralBetsSolver(MainSolver):
    shape = SEVERAL

    def rounds(self, rules: Rules, sides: Sequence[str] = ()) -> PlayedRounds:
        from croupier.mathematics.questions.rounds.by_board import bets_rounds

        self._no_sides(rules, sides)
        return bets_rounds(rules)

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.questions.advice.several_bets import advise_several_bets

        return advise_several_bets(rules, situation)

    def counting_folds(self) -> CountWager:
        from croupier.mathematics.questions.sessions.several_bets_after_fold import (
            analyze_lost_with_fold,
        )

        return analyze_lost_with_fold

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.questions.players.several_bets import BetsPlayer

        return BetsPlayer(rules)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.questions.charts.several_bets import bets_grid

        return bets_grid(rules)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.questions.charts.several_bets import bets_values

        return bets_values(rules)

    def figures_knowing(self, rules: Rules, knows: Mapping[str, int]) -> KnowingFigures | None:
        if DEALER not in knows:
            return None
        from croupier.mathematics.questions.information.figures import figures_with_dealers_cards

        return figures_with_dealers_cards(rules, knows, several=True)

    def figures_sharing(self, rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
        from croupier.mathematics.questions.information.figures import figures_sharing

        return figures_sharing(rules, hands, samples, seed, several=True)
