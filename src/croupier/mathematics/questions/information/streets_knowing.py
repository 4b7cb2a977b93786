"""Games of streets with community cards seen too early: the same game with its cards turned sooner,
and what each card is worth."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANKS
from croupier.mathematics.counters.stages.solver import StreetsSolution, solve_streets
from croupier.mathematics.questions.information.figures import KnowingFigures
from croupier.mathematics.questions.information.seen_cards import rules_seeing
from croupier.mathematics.questions.rounds.by_stage import streets_rounds
from croupier.rulebooks.rules import Rules

__all__ = ["figures_of_streets"]


def figures_of_streets(rules: Rules, knows: Mapping[str, int]) -> KnowingFigures:
    seen = rules_seeing(rules, knows)
    figures = streets_rounds(seen).figures()
    by_card = _by_rank(solve_streets(seen)) if sum(knows.values()) == 1 else {}
    return KnowingFigures(figures.expected_value, figures.decisions, figures, by_card)


def _by_rank(solution: StreetsSolution) -> dict[str, tuple[Fraction, dict[str, Fraction]]]:
    """The value of a round by the rank of the card seen, and what is said at the first decision.

    Where all cards lie in the same hand, their order is forgotten: the card seen is each of those
    in sight as often as any other. Nothing where it is not."""
    stages, asked = solution.stages, solution.asked[0]
    time = asked.question.time
    if not stages.is_one_group(time):
        return {}
    cards, weights = stages.cards_at(time), stages.arriving(time)
    column = asked.column[solution.pooled(solution.course.start)]
    best, unit = asked.best[:, column], stages.ways(time) * solution.scale
    values = np.max([each[:, column] for each in asked.values], axis=0)
    found = {}
    for rank in stages.ranks.tolist():
        of_rank = np.uint64(sum(1 << 13 * suit + rank for suit in range(4)))
        times = weights * np.bitwise_count(cards & of_rank).astype(np.int64)
        deals = int(times.sum())
        said = {
            answer.word: Fraction(int(times[best == number].sum()), deals)
            for number, answer in enumerate(asked.question.answers)
        }
        found[RANKS[rank]] = Fraction(_sum_of(times, values), deals * unit), said
    return found


def _sum_of(times: NDArray[Any], values: NDArray[Any]) -> int:
    """In whole numbers of any size."""
    return sum(a * b for a, b in zip(times.tolist(), values.tolist(), strict=True))
