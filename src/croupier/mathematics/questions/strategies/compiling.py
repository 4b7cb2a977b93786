"""From a text to the answer in every situation.

Each line is tested on every hand of its decision. A hand that two lines send to different actions
is a contradiction, and a hand that no line covers is undecided; both are refused with example
cards. This also holds for hands that an earlier decision would never let through.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.strategies.decisions import InformationSets
from croupier.mathematics.questions.strategies.situations import ExampleHand
from croupier.mathematics.questions.strategies.text import Section, WrittenStrategy
from croupier.mathematics.questions.strategies.vocabulary import Features, Flags

NOBODY: Final = -1
IMPOSSIBLE: Final = -2


def answers_of(plan: WrittenStrategy, sets: InformationSets) -> I8:
    """Return the answers of a strategy; a line with an answer that is not allowed is refused."""
    section = plan.sections[sets.place]
    chosen = decide_all(plan, section, sets.features, sets.example, sets.possible)
    if sets.allowed is None:
        return chosen
    for answer, word in enumerate(section.choice.actions):
        wrong = (chosen == answer) & ~sets.allowed[answer]
        if wrong.any():
            raise plan.refuse(
                section.lines[-1].number,
                f"{section.choice.name!r}: {word!r} may not be said with "
                f"{sets.example(int(wrong.argmax()))}",
            )
    return chosen


def decide_all(
    plan: WrittenStrategy,
    section: Section,
    features: Features,
    example: Callable[[int], ExampleHand],
    possible: Flags | None = None,
) -> I8:
    """Return the number of the action taken in every possible situation; declining is the last."""
    actions = section.choice.actions
    taken = np.full(features.shape[1], NOBODY, np.int8)
    if possible is not None:
        taken[~possible] = IMPOSSIBLE
    by_line = np.zeros(features.shape[1], np.int16)
    for place, line in enumerate(section.lines):
        action = actions.index(line.action)
        if line.test is None:
            taken[taken == NOBODY] = action
            continue
        holds = line.test(features)
        if line.left_over:
            holds &= taken == NOBODY
        clash = np.flatnonzero(holds & (taken >= 0) & (taken != action))
        if len(clash):
            before = section.lines[int(by_line[clash[0]])]
            raise plan.refuse(
                line.number,
                f"a contradiction at {section.choice.name!r}: {example(int(clash[0]))} is "
                f"'{line.action}' by this line and '{before.action}' by line {before.number}; "
                "take it out of one of them with 'except'",
            )
        holds &= taken == NOBODY
        by_line[holds] = place
        taken[holds] = action
    left = np.flatnonzero(taken == NOBODY)
    if len(left):
        raise plan.refuse(
            section.lines[-1].number,
            f"{section.choice.name!r} leaves hands undecided, {example(int(left[0]))} to begin "
            f"with: add a line such as '{actions[-1]} otherwise'",
        )
    taken[taken == IMPOSSIBLE] = len(actions) - 1
    return taken
