"""From a text to what is done with every hand: the arrays of `holdem.strategies.StrategyArrays`.

Each line is asked about every hand of its decision. A hand that two lines send to different actions
is a contradiction, one that no line takes is undecided; both are refused with cards that show it.
Hands that an earlier decision would never let through are held to the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.numbering import CLASSES, PAIRS, RANK_BOARDS
from croupier.mathematics.counters.boards.outcomes import River
from croupier.mathematics.counters.boards.strategies import StrategyArrays
from croupier.mathematics.counters.boards.suited_boards import SUITED_BOARDS
from croupier.mathematics.counters.boards.turns import turns_of
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.kernels.threads import cores, spread
from croupier.mathematics.questions.strategies.choices import StrategyDecision
from croupier.mathematics.questions.strategies.situations import (
    ExampleHand,
    early_situations,
    flop_situations,
    river_chunks,
    river_example,
    river_situations,
    turn_chunks,
    turn_situations,
)
from croupier.mathematics.questions.strategies.text import Section, WrittenStrategy
from croupier.mathematics.questions.strategies.vocabulary import CardsSeen, Features, Flags

__all__ = ["choices_of", "compile_plan", "compile_section", "decide_all"]

NOBODY: Final = -1
IMPOSSIBLE: Final = -2


def choices_of(game: HoldemGame, names: dict[int, str]) -> tuple[StrategyDecision, ...]:
    """The decisions of a game; `names` by the number of community cards seen."""
    return tuple(
        StrategyDecision(
            names[level.seen],
            (*(f"{k}x" for k in level.multiples), level.decline),
            CardsSeen(2, level.seen),
        )
        for level in game.levels
    )


def compile_plan(game: HoldemGame, plan: WrittenStrategy) -> StrategyArrays:
    actions: dict[int, I8] = {}
    river: River | None = None
    for level, section in zip(game.levels, plan.sections, strict=True):
        if level.seen == 5:
            river = _compile_river(game, plan, section)
        else:
            actions[level.seen] = compile_section(game, plan, section)
    return StrategyArrays(actions, river) if river else StrategyArrays(actions)


def compile_section(game: HoldemGame, plan: WrittenStrategy, section: Section) -> I8:
    """A decision before the river: places among the multiples, -1 to decline."""
    seen = section.choice.scene.community
    if seen == 4:
        taken = _decide_turn(game, plan, section)
    else:
        situations = flop_situations(game.deck) if seen == 3 else early_situations(game.deck, seen)
        taken = decide_all(plan, section, situations.features, situations.example)
    taken[taken == len(section.choice.actions) - 1] = -1
    return taken


def _decide_turn(game: HoldemGame, plan: WrittenStrategy, section: Section) -> I8:
    turns = turns_of(game.deck)
    taken = np.zeros(len(turns.hand), np.int8)

    def work(_: int, piece: tuple[int, int]) -> None:
        situations = turn_situations(game.deck, *piece)
        place = slice(int(turns.start[piece[0]]), int(turns.start[piece[1]]))
        taken[place] = decide_all(plan, section, situations.features, situations.example)

    spread(turn_chunks(game.deck), work, cores())
    return taken


def _compile_river(game: HoldemGame, plan: WrittenStrategy, section: Section) -> River:
    """Places among the multiples, or their number to decline."""
    river = StrategyArrays({}).river._replace(
        plain=np.zeros((RANK_BOARDS, PAIRS), np.int8),
        suited=np.zeros((SUITED_BOARDS, CLASSES), np.int8),
    )

    def work(_: int, piece: tuple[bool, int, int]) -> None:
        suited, start, stop = piece
        situations = river_situations(game.deck, suited, start, stop)
        classes = situations.possible.shape[1]

        def example(place: int) -> ExampleHand:
            board, hand = divmod(place, classes)
            return river_example(game.deck, suited, start + board, hand)

        features = situations.features.reshape(len(situations.features), -1)
        taken = decide_all(plan, section, features, example, situations.possible.ravel() == 1)
        (river.suited if suited else river.plain)[start:stop] = taken.reshape(-1, classes)

    spread(river_chunks(), work, cores())
    return river


def decide_all(
    plan: WrittenStrategy,
    section: Section,
    features: Features,
    example: Callable[[int], ExampleHand],
    possible: Flags | None = None,
) -> I8:
    """The number of the action taken in every situation that is possible; declining is the last."""
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
