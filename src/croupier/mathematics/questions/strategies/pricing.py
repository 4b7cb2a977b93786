"""The exact price of a strategy: its edge, its cost against the best play, and where it errs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from croupier.mathematics.counters.boards.rulebook import game_of, solution_of
from croupier.mathematics.counters.boards.solver import Solution
from croupier.mathematics.counters.boards.strategies import OutcomeTable, Strategy, outcome_table
from croupier.mathematics.questions.strategies.choices import HoldemChoice
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
    rules: Rules, plan: WrittenStrategy, choices: Sequence[HoldemChoice], *, mistakes: int
) -> Price:
    strategy = compile_plan(game_of(rules), plan, choices)
    solution = solution_of(rules)
    return price_holdem(solution, strategy, choices, plan.title, rules.book.id, mistakes=mistakes)


def price_holdem(
    solution: Solution,
    strategy: Strategy,
    choices: Sequence[HoldemChoice],
    title: str,
    rulebook: str,
    *,
    mistakes: int = 10,
) -> Price:
    table = outcome_table(strategy)
    faults = holdem_faults(solution, strategy, choices)
    return Price(
        title=title,
        rulebook=rulebook,
        value=table.value,
        optimal=solution.value,
        standard_deviation=sqrt(table.variance),
        units_decided=table.decided_units(),
        frequencies={choice.decision.name: _shares(table, choice) for choice in choices},
        losses={name: found.loss for name, found in faults.items()},
        mistakes={name: found.mistakes(mistakes) for name, found in faults.items()},
    )


def _shares(table: OutcomeTable, choice: HoldemChoice) -> dict[str, Fraction]:
    """Of all rounds; who has answered elsewhere or has bet before does not come to it."""
    shares, last = table.said(), max(number for number, _ in choice.actions)
    found = dict.fromkeys(choice.decision.actions, Fraction(0))
    for (number, word), place in choice.actions.items():
        is_bet = word in dict(table.game.questions[number].bets)
        if is_bet or number == last:  # to decline an earlier question leads to the next
            found[choice.decision.actions[place]] += shares.get((number, word), Fraction(0))
    return found
