"""The exact price of a strategy: its edge, its cost against the best play, and where it errs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from pathlib import Path

from croupier.mathematics.holdem.games import Game
from croupier.mathematics.holdem.rulebook import game_of
from croupier.mathematics.holdem.solver import Solution
from croupier.mathematics.holdem.stored import solution_of
from croupier.mathematics.holdem.strategies import Ending, OutcomeTable, Strategy, outcome_table
from croupier.mathematics.strategies.compiling import compile_plan
from croupier.mathematics.strategies.losses import Mistake, holdem_faults
from croupier.mathematics.strategies.text import Choice, Plan, read_strategy
from croupier.mathematics.strategies.words import Scene
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

__all__ = ["Price", "choices_for", "is_stud", "price_file", "price_holdem", "price_plan"]


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


def is_stud(book: Rulebook) -> bool:
    """Games without a dealer's hand go through the stud solver."""
    return book.dealer is None


def choices_for(rules: Rules) -> tuple[Choice, ...]:
    """The decisions of a rulebook. Two after the same cards are one, under the first's name."""
    merged: dict[tuple[int, int], Choice] = {}
    for decision in rules.book.decisions:
        scene = Scene(decision.sees_player, decision.sees_community)
        place = (scene.own, scene.community)
        before = merged[place].actions[:-1] if place in merged else ()
        name = merged[place].name if place in merged else decision.name
        bets = dict.fromkeys((*before, *decision.bets))
        merged[place] = Choice(name, (*bets, decision.otherwise), scene)
    return tuple(merged.values())


def price_file(rules: Rules, path: Path, *, mistakes: int = 10) -> Price:
    return price_plan(rules, read_strategy(path, choices_for(rules)), mistakes=mistakes)


def price_plan(
    rules: Rules, plan: Plan, solution: Solution | None = None, *, mistakes: int = 10
) -> Price:
    if is_stud(rules.book):
        from croupier.mathematics.strategies.stud import price_stud

        return price_stud(rules, plan, mistakes=mistakes)
    game = solution.game if solution else game_of(rules)
    strategy = compile_plan(game, plan)
    solution = solution or solution_of(rules, game)
    choices = choices_for(rules)
    return price_holdem(solution, strategy, choices, plan.title, rules.book.id, mistakes=mistakes)


def price_holdem(
    solution: Solution,
    strategy: Strategy,
    choices: Sequence[Choice],
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
    game: Game, table: OutcomeTable, choices: Sequence[Choice]
) -> dict[str, dict[str, Fraction]]:
    """Of all rounds; what is bet earlier does not come to a later decision."""
    left = Fraction(1)
    found = {}
    for level, choice in zip(game.levels, choices, strict=True):
        shares = [table.frequency(Ending(level.seen, k)) for k in level.multiples]
        left -= sum(shares, Fraction(0))
        found[choice.name] = dict(zip(choice.actions, [*shares, left], strict=True))
    return found
