"""Strategies for stud without a dealer's hand: every raise is a bet of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

import numpy as np
import numpy.typing as npt

from croupier.errors import BadRequest
from croupier.mathematics.holdem.arrays import I64
from croupier.mathematics.strategies.choices import StrategyDecision
from croupier.mathematics.strategies.compiling import decide_all
from croupier.mathematics.strategies.losses import Faults
from croupier.mathematics.strategies.pricing import Price
from croupier.mathematics.strategies.situations import stud_situations
from croupier.mathematics.strategies.text import WrittenStrategy
from croupier.mathematics.stud.counts import PAIRS, THIRDS
from croupier.mathematics.stud.solver import StudSolution, solve_stud
from croupier.rulebooks.rules import Rules

__all__ = ["FollowedStud", "compile_stud", "price_stud", "stud_value"]

Raises = Mapping[str, npt.NDArray[np.bool_]]
"""By decision: whether to raise with each set of own cards, in the order of `stud_situations`."""


class FollowedStud(StudSolution):
    """The same game with the raises of a given strategy in place of the best ones."""

    def __init__(self, rules: Rules, raises: Raises) -> None:
        super().__init__(rules)
        self.raises = raises


def compile_stud(plan: WrittenStrategy) -> Raises:
    raises = {}
    for section in plan.sections:
        if len(section.choice.actions) != 2:
            raise BadRequest(f"{section.choice.name!r} offers several raises")
        situations = stud_situations(section.choice.scene.own)
        taken = decide_all(plan, section, situations.features, situations.example)
        raises[section.choice.name] = taken == 0
    return raises


def stud_value(solution: StudSolution, name: str) -> tuple[I64, int]:
    """What raising brings for each set of cards seen, as sums, and the total they are parts of."""
    decision = next(d for d in solution.decisions if d.name == name)
    gains = solution.raise_sums[name] * solution.multiple[name]
    own = decision.sees_player
    ways = PAIRS if own == 3 else THIRDS * PAIRS
    return gains, comb(52, own) * ways * solution.scale


def price_stud(
    rules: Rules, plan: WrittenStrategy, choices: Sequence[StrategyDecision], *, mistakes: int = 10
) -> Price:
    raises = compile_stud(plan)
    solution = solve_stud(rules)
    followed = FollowedStud(rules, raises)
    found = {}
    for choice in choices:
        gains, total = stud_value(solution, choice.name)
        situations = stud_situations(choice.scene.own)
        faults = Faults(choice.scene, choice.actions, total, total // len(situations))
        chosen = np.where(raises[choice.name], 0, 1).astype(np.int8)
        values = np.stack([gains, np.zeros_like(gains)])
        faults.add(situations.features, situations.example, np.ones_like(gains), chosen, values)
        found[choice.name] = faults
    base = len(solution.table.required)
    return Price(
        title=plan.title,
        rulebook=rules.book.id,
        value=followed.expected_value,
        optimal=solution.expected_value,
        standard_deviation=followed.standard_deviation,
        units_decided=followed.units_wagered - Fraction(base),
        frequencies=followed.decision_frequencies,
        losses={name: faults.loss for name, faults in found.items()},
        mistakes={name: faults.mistakes(mistakes) for name, faults in found.items()},
    )
