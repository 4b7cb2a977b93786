"""Hold'em against the dealer, with several wagers decided in play: who answers what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from croupier.mathematics.advice import Advice, Situation
from croupier.mathematics.knowing.seen_cards import DEALER
from croupier.mathematics.several_bets.shape import SEVERAL
from croupier.mathematics.solvers.main_solver import CountWager, MainSolver
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.knowing.figures import KnowingFigures
    from croupier.mathematics.model import MainFigures
    from croupier.mathematics.players import Player
    from croupier.mathematics.strategies.grid import Grid, Skipped
    from croupier.mathematics.wager_lines.lines import RoundEnd

__all__ = ["SeveralBetsSolver"]


class SeveralBetsSolver(MainSolver):
    shape = SEVERAL

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.several_bets.figures import bets_figures

        return bets_figures(rules)

    def round_ends(self, rules: Rules) -> Iterator[RoundEnd]:
        from croupier.mathematics.wager_lines.by_board import bets_ends

        return bets_ends(rules)

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.several_bets.advice import advise_several_bets

        return advise_several_bets(rules, situation)

    def counting_folds(self) -> CountWager:
        from croupier.mathematics.several_bets.lost_with_fold import analyze_lost_with_fold

        return analyze_lost_with_fold

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.several_bets.player import BetsPlayer

        return BetsPlayer(rules)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.several_bets.chart import bets_grid

        return bets_grid(rules)

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.several_bets.chart import bets_values

        return bets_values(rules)

    def figures_knowing(self, rules: Rules, knows: Mapping[str, int]) -> KnowingFigures | None:
        if DEALER not in knows:
            return None
        from croupier.mathematics.knowing.figures import figures_with_dealers_cards

        return figures_with_dealers_cards(rules, knows, several=True)

    def figures_sharing(self, rules: Rules, hands: int, samples: int, seed: int) -> KnowingFigures:
        from croupier.mathematics.knowing.figures import figures_sharing

        return figures_sharing(rules, hands, samples, seed, several=True)
