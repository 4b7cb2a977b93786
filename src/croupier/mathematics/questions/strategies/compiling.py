"""From a text to what is done with every hand: the arrays of a `Strategy`.

Each line is asked about every hand of its decision. A hand that two lines send to different actions
is a contradiction, one that no line takes is undecided; both are refused with cards that show it.
Hands that an earlier decision would never let through are held to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import HoldemGame, Path
from croupier.mathematics.counters.boards.geometry import turns_of
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    SUITED_BOARDS,
)
from croupier.mathematics.counters.boards.outcomes import River
from croupier.mathematics.counters.boards.strategies import Strategy, best_river
from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.kernels.threads import cores, spread
from croupier.mathematics.questions.strategies.choices import HoldemChoice, forks
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
from croupier.mathematics.questions.strategies.vocabulary import Features, Flags

__all__ = ["check_ranking", "compile_plan", "compile_section", "decide_all", "strategy_of"]

NOBODY: Final = -1
IMPOSSIBLE: Final = -2


def compile_plan(
    game: HoldemGame, plan: WrittenStrategy, choices: Sequence[HoldemChoice]
) -> Strategy:
    check_ranking(game)
    taken: dict[str, I8] = {}
    river = best_river(game.takes_first)
    for choice, section in zip(choices, plan.sections, strict=True):
        if choice.seen == 5:
            river = _compile_river(game, plan, section)
        else:
            taken[choice.decision.name] = compile_section(game, plan, section)
    return strategy_of(game, choices, taken, river)


def check_ranking(game: HoldemGame) -> None:
    if game.ranking is not None:
        raise Unsolvable(
            "written strategies: their words mean the usual hands of 52 cards, and this game has "
            "another deck or another order of hands"
        )


def strategy_of(
    game: HoldemGame, choices: Sequence[HoldemChoice], taken: Mapping[str, I8], river: River
) -> Strategy:
    """From the action that each choice takes in every situation; later choices may be left out."""
    answers: dict[int, dict[Path, I8]] = {}
    for level in game.levels:
        here = [choice for choice in choices if choice.seen == level.seen]
        if level.seen < 5 and all(choice.decision.name in taken for choice in here):
            answers[level.seen] = {
                path: _places(here, game.answers(level.seen, path), taken)
                for path in level.asked_paths
            }
    return Strategy(game, answers, river)


def _places(here: Sequence[HoldemChoice], answers: Sequence[Path], taken: Mapping[str, I8]) -> I8:
    """The place of the answer that the actions come to."""
    every = list(forks(here, answers))
    if len(every) == 1 and every[0].places == tuple((n,) for n in range(len(answers))):
        return taken[every[0].choice.decision.name]
    found = np.zeros(0, np.int8)
    for number, fork in enumerate(every):
        actions = taken[fork.choice.decision.name]
        if number == 0:
            found = np.zeros(len(actions), np.int8)
        first = min(place for places in fork.places for place in places)
        mine = np.ones(len(actions), np.bool_) if number == 0 else found == first
        for action, places in enumerate(fork.places):
            if places:
                found[mine & (actions == action)] = places[0]
    return found


def compile_section(game: HoldemGame, plan: WrittenStrategy, section: Section) -> I8:
    """A decision before the river: places of actions, declining last."""
    seen = section.choice.scene.community
    if seen == 4:
        return _decide_turn(game, plan, section)
    situations = flop_situations(game.deck) if seen == 3 else early_situations(game.deck, seen)
    return decide_all(plan, section, situations.features, situations.example)


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
    """Places of actions, declining last."""
    river = best_river()._replace(
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
