"""The exact price of a strategy: its edge, its cost against the best play, and where it errs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solution_cache import solution_of
from croupier.mathematics.counters.boards.solver import Solution
from croupier.mathematics.counters.boards.strategies import (
    Ending,
    OutcomeTable,
    StrategyArrays,
    outcome_table,
)
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.compiling import compile_plan
from croupier.mathematics.questions.strategies.losses import Mistake, holdem_faults
from croupier.mathematics.questions.strategies.text import WrittenStrategy
from croupier.rulebooks.rules import Rules

__all__ = ["Price", "price_holdem", "price_holdem_plan"]


@dataclass(frozen=True)
class Price:
    """Amounts in units of one required wager, shares of all rounds."""

    title: str
    rulebook: str
    value: Fraction
    optimal: Fraction
    standard_deviation: float
    units_decided: Fraction  # the mean of what is bet in play
    frequencies: dict[str, dict[str, Fraction]]
    losses: dict[str, Fraction]  # by decision; they add up to the cost
    mistakes: dict[str, tuple[Mistake, ...]]

    @property
    def house_edge(self) -> Fraction:
        return -self.value

    @property
    def cost(self) -> Fraction:
        return self.optimal - self.value


def price_holdem_plan(
    rules: Rules, plan: WrittenStrategy, choices: Sequence[StrategyDecision], *, mistakes: int
) -> Price:
    game = game_of(rules)
    strategy = compile_plan(game, plan)
    solution = solution_of(rules, game)
    return price_holdem(solution, strategy, choices, plan.title, rules.book.id, mistakes=mistakes)


def price_holdem(
    solution: Solution,
    strategy: StrategyArrays,
    choices: Sequence[StrategyDecision],
    title: str,
    rulebook: str,
    *,
    mistakes: int = 10,
) -> Price:
    game = solution.game
    table = outcome_table(game, strategy)
    actions = {choice.scene.community: choice.actions for choice in choices}
    faults = holdem_faults(solution, strategy, actions)
    names = {choice.scene.community: choice.name for choice in choices}
    return Price(
        title=title,
        rulebook=rulebook,
        value=table.value,
        optimal=solution.value,
        standard_deviation=sqrt(table.variance),
        units_decided=table.decided_units(),
        frequencies=_frequencies(game, table, choices),
        losses={names[seen]: found.loss for seen, found in faults.items()},
        mistakes={names[seen]: found.mistakes(mistakes) for seen, found in faults.items()},
    )


def _frequencies(
    game: HoldemGame, table: OutcomeTable, choices: Sequence[StrategyDecision]
) -> dict[str, dict[str, Fraction]]:
    """Of all rounds; what is bet earlier does not come to a later decision."""
    left = Fraction(1)
    found = {}
    for level, choice in zip(game.levels, choices, strict=True):
        shares = [table.frequency(Ending(level.seen, k)) for k in level.multiples]
        left -= sum(shares, Fraction(0))
        found[choice.name] = dict(zip(choice.actions, [*shares, left], strict=True))
    return found
