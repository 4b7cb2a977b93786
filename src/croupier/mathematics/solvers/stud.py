"""Stud without a dealer's hand: who answers what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from croupier.errors import BadCards
from croupier.mathematics.advice import Advice, Situation
from croupier.mathematics.solvers.main_solver import MainSolver, ReportProgress
from croupier.mathematics.stud.shape import STUD
from croupier.rulebooks.rules import Rules

if TYPE_CHECKING:
    from fractions import Fraction

    from croupier.mathematics.model import MainFigures
    from croupier.mathematics.payout_limits import PayoutLimit
    from croupier.mathematics.strategies.choices import StrategyDecision
    from croupier.mathematics.strategies.grid import Grid, Skipped
    from croupier.mathematics.strategies.optimal import Player
    from croupier.mathematics.strategies.pricing import Price
    from croupier.mathematics.strategies.text import WrittenStrategy
    from croupier.mathematics.wager_lines.lines import RoundEnd

__all__ = ["StudSolver"]


class StudSolver(MainSolver):
    shape = STUD

    def figures(self, rules: Rules) -> MainFigures:
        from croupier.mathematics.stud.figures import stud_figures

        return stud_figures(rules)

    def round_ends(self, rules: Rules) -> Iterator[RoundEnd]:
        from croupier.mathematics.wager_lines.by_stage import streets_ends

        return streets_ends(rules)

    def advise(self, rules: Rules, situation: Situation) -> Advice:
        from croupier.mathematics.stud.advice import advise_stud

        if situation.community:
            raise BadCards(
                "the last decision is taken before the community cards are seen",
                clause=rules.book.decisions[-1].clause,
            )
        raised = None
        if situation.said:
            raised = rules.book.decisions[0].bets.get(situation.said[0], 0)
        found = advise_stud(rules, situation.own, situation.known, raised=raised)
        if situation.decision not in ("", found.decision):
            raise BadCards(f"on {len(situation.own)} cards the decision is {found.decision!r}")
        return found

    def choices(self, rules: Rules) -> tuple[StrategyDecision, ...]:
        from croupier.mathematics.strategies.choices import merged_choices

        return merged_choices(rules.book.decisions)

    def player(self, rules: Rules) -> Player:
        from croupier.mathematics.strategies.optimal import optimal_stud

        return optimal_stud(rules, self.choices(rules))

    def price(self, rules: Rules, plan: WrittenStrategy, *, mistakes: int) -> Price:
        from croupier.mathematics.strategies.stud_plans import price_stud

        return price_stud(rules, plan, self.choices(rules), mistakes=mistakes)

    def first_decision(self, rules: Rules) -> Grid:
        from croupier.mathematics.strategies.grid import first_of_stud

        return first_of_stud(rules, self.choices(rules)[0])

    def decision_values(self, rules: Rules) -> tuple[Fraction, list[Skipped]]:
        from croupier.mathematics.strategies.grid import stud_values

        return stud_values(rules, self.choices(rules))

    def distribution(
        self,
        rules: Rules,
        main: Mapping[str, int],
        sides: Mapping[str, int],
        meters: Mapping[str, int] | None,
        limits: Sequence[PayoutLimit],
        progress: ReportProgress,
    ) -> dict[int, int]:
        from croupier.mathematics.stud.joint import joint_distribution

        progress(0, 1)
        return joint_distribution(
            rules, next(iter(main.values())), sides, meters=meters, limits=limits
        )
