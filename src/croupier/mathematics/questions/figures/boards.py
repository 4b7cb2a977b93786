"""The figures of a hold'em game under the best play: decisions, and every ending of a round."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import numpy as np

from croupier.mathematics.counters.boards.betting import Ending
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solution_cache import solution_of
from croupier.mathematics.counters.boards.strategies import (
    OutcomeTable,
    optimal_strategy,
    outcome_table,
)
from croupier.mathematics.counters.boards.strengths import category_of_strength
from croupier.mathematics.model import MainFigures
from croupier.mathematics.shapes.course import asked_decisions
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

__all__ = ["answers_of", "figures_of_table", "holdem_figures", "table_of"]

_RESULTS: Final = ("win", "win", "push", "push", "lose", "lose")


def holdem_figures(rules: Rules) -> MainFigures:
    solution = solution_of(rules, game_of(rules))
    return figures_of_table(rules, table_of(rules), solution.value)


def table_of(rules: Rules) -> OutcomeTable:
    """Every deal under the best play of these rules."""
    table = rules.prepared.get(OutcomeTable)
    if not isinstance(table, OutcomeTable):
        game = game_of(rules)
        strategy = optimal_strategy(solution_of(rules, game), rules.takes_first)
        table = rules.prepared[OutcomeTable] = outcome_table(game, strategy)
    return table


def figures_of_table(rules: Rules, table: OutcomeTable, value: Fraction) -> MainFigures:
    """`table` has every deal under the best play; its `value` may have been found without it."""
    return MainFigures(
        expected_value=value,
        standard_deviation=table.standard_deviation,
        hit_frequency=table.hit_frequency,
        units_wagered=len(rules.required) + table.decided_units(),
        decisions=_said(rules.book, table),
        outcomes=tuple(_endings(rules.book, table)),
    )


def answers_of(book: Rulebook, ending: Ending) -> tuple[tuple[str, str], ...]:
    """The decisions up to the end of the betting, and what was said at each of them."""
    answers: list[tuple[str, str]] = []
    for decision in asked_decisions(book):
        if decision.sees_community == ending.seen and not ending.fold:
            for said, multiple in decision.bets.items():
                if multiple == ending.multiple:
                    return (*answers, (decision.name, said))
        if decision.sees_community <= ending.seen:
            answers.append((decision.name, decision.otherwise))
    return tuple(answers)


def _said(book: Rulebook, table: OutcomeTable) -> dict[str, dict[str, Fraction]]:
    """For every decision how often, of all rounds, each word is said."""
    shares = {answers_of(book, ending)[-1]: table.frequency(ending) for ending in table.endings}
    asked = asked_decisions(book)
    left = Fraction(1)
    said: dict[str, dict[str, Fraction]] = {}
    for decision in book.decisions:
        reached = decision in asked
        taken = {word: shares.get((decision.name, word), Fraction(0)) for word in decision.bets}
        left -= sum(taken.values())
        said[decision.name] = taken | {decision.otherwise: left if reached else Fraction(0)}
    return said


def _endings(book: Rulebook, table: OutcomeTable) -> Iterator[dict[str, object]]:
    """Every stage, hand and result, with the round's net in units of one required wager."""
    categories = category_of_strength()
    deals = table.deals.sum(axis=1)
    for place, ending in enumerate(table.endings):
        decision, said = answers_of(book, ending)[-1]
        nets = table.net(ending)
        for category in range(len(CATEGORY_NAMES) - 1, -1, -1):
            which = categories == category
            for outcome, result in enumerate(_RESULTS):
                counts = deals[place][which, outcome]
                for net in np.unique(nets[which, outcome][counts > 0])[::-1].tolist():
                    combinations = int(counts[nets[which, outcome] == net].sum())
                    yield {
                        "decision": decision,
                        "said": said,
                        "hand": CATEGORY_NAMES[category],
                        "result": "fold" if ending.fold else result,
                        "dealer_qualifies": outcome % 2 == 0,
                        "combinations": combinations,
                        "probability": combinations / table.total,
                        "pays": {"net": str(Fraction(net, table.game.scale))},
                    }
