"""The figures of a game with several bets under the best play."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Final

import numpy as np

from croupier.mathematics.counters.boards.strengths import STRENGTHS, category_of_strength
from croupier.mathematics.counters.several_bets.games import SeveralBets
from croupier.mathematics.counters.several_bets.outcomes import OutcomeTable
from croupier.mathematics.counters.several_bets.rulebook import bets_solution_of, bets_table_of
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.model import MainFigures
from croupier.ranking.hands import CATEGORY_NAMES
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Rulebook

__all__ = ["bets_figures"]

_RESULTS: Final = ("win", "win", "push", "push", "lose", "lose")


def bets_figures(rules: Rules) -> MainFigures:
    solution, table = bets_solution_of(rules), bets_table_of(rules)
    nets = table.distribution()
    squares = sum((net * net * deals for net, deals in nets.items()), Fraction(0)) / table.total
    won = sum(deals for net, deals in nets.items() if net > 0)
    return MainFigures(
        expected_value=solution.value,
        standard_deviation=sqrt(squares - solution.value**2),
        hit_frequency=Fraction(won, table.total),
        units_wagered=len(rules.required) + table.decided_units(),
        decisions=_said(rules.book, table),
        outcomes=tuple(_outcomes(rules.book, table)),
    )


def _said(book: Rulebook, table: OutcomeTable) -> dict[str, dict[str, Fraction]]:
    """For every decision how often, of all rounds, each word is said."""
    said = {
        decision.name: dict.fromkeys((*decision.bets, decision.otherwise), Fraction(0))
        for decision in book.decisions
    }
    for path, _ in table.endings:
        share = table.frequency(path)
        for number, word in path.said:
            said[book.decisions[number].name][word] += share
    return said


def _categories(game: SeveralBets) -> tuple[I64, tuple[str, ...]]:
    """The category of every strength, and their names; -1 where there is no such strength."""
    if game.ranking is None or game.strengths is None:
        return category_of_strength(), CATEGORY_NAMES
    values = game.strengths.values
    found = np.full(STRENGTHS, -1, np.int64)
    found[: len(values)] = values >> 20
    return found, game.ranking.names


def _outcomes(book: Rulebook, table: OutcomeTable) -> Iterator[dict[str, object]]:
    """Everything that can be said, every hand and result, with the round's net in units of one
    required wager."""
    categories, names = _categories(table.game)
    for path, deals in table.endings:
        number, last = path.said[-1]
        nets = table.net(path)
        for category in range(len(names) - 1, -1, -1):
            which = categories == category
            for outcome, result in enumerate(_RESULTS):
                counts = deals[which, outcome]
                for net in np.unique(nets[which, outcome][counts > 0])[::-1].tolist():
                    combinations = int(counts[nets[which, outcome] == net].sum())
                    yield {
                        "decision": book.decisions[number].name,
                        "said": last,
                        "answers": [word for _, word in path.said],
                        "hand": names[category],
                        "result": "fold" if path.folded else result,
                        "dealer_qualifies": outcome % 2 == 0,
                        "combinations": combinations,
                        "probability": combinations / table.total,
                        "pays": {"net": str(Fraction(net, table.game.scale))},
                    }
