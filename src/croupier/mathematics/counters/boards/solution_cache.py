"""Solutions of a rulebook's game: remembered with its rules, kept on disk, or solved now."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.cache import key_of, read_arrays, write_arrays
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.geometry import orbits_of
from croupier.mathematics.counters.boards.outcome_tables import OutcomeTable, outcome_table
from croupier.mathematics.counters.boards.ranking_pass import TooManyColumns
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solver import Solution, Stage, solve
from croupier.mathematics.counters.boards.strategies import Strategy, optimal_strategy
from croupier.mathematics.shapes.shape import refused
from croupier.rulebooks.rules import Rules

__all__ = ["best_play", "solution_of", "table_of"]


def solution_of(rules: Rules) -> Solution:
    """The solved main game under these rules."""
    found = rules.prepared.get(Solution)
    if isinstance(found, Solution):
        return found
    game, key = game_of(rules), key_of(rules, "solution by paths")
    stored = read_arrays(key)
    solution = None if stored is None else _restored(game, stored)
    if solution is None:
        try:
            solution = solve(game)
        except TooManyColumns:
            raise refused(
                "the main game",
                "the wagers that decisions bet pay in too many different ways together: with fewer "
                "multiples, or paytables that are alike, it can be solved",
            ) from None
        write_arrays(key, _arrays(solution))
    rules.prepared[Solution] = solution
    return solution


def best_play(rules: Rules) -> Strategy:
    found = rules.prepared.get(Strategy)
    if not isinstance(found, Strategy):
        found = rules.prepared[Strategy] = optimal_strategy(solution_of(rules))
    return found


def table_of(rules: Rules) -> OutcomeTable:
    """Every deal under the best play of these rules."""
    found = rules.prepared.get(OutcomeTable)
    if not isinstance(found, OutcomeTable):
        found = rules.prepared[OutcomeTable] = outcome_table(best_play(rules))
    return found


def _arrays(solution: Solution) -> dict[str, NDArray[np.generic]]:
    """What the paths are worth that can be chosen; the answers at the turn are large and soon
    worked out again."""
    arrays: dict[str, NDArray[np.generic]] = {"value": np.array([str(solution.value)])}
    for seen, stage in solution.stages.items():
        arrays[f"{seen}.ways"] = np.array([str(stage.ways)])
        for place, path in enumerate(stage.level.onward):
            if path in stage.onward:
                arrays[f"{seen}.{place}"] = _stored(stage.onward[path])
    return arrays


def _stored(numbers: NDArray[Any]) -> NDArray[np.generic]:
    """In 32 bits where they fit. Before the flop the sums are Python's integers: they can exceed
    64."""
    if numbers.dtype == object:
        return numbers.astype(str)
    room = np.iinfo(np.int32)
    fit = bool(len(numbers)) and numbers.min() >= room.min and numbers.max() <= room.max
    return numbers.astype(np.int32) if fit else numbers


def _restored(game: HoldemGame, arrays: dict[str, NDArray[np.generic]]) -> Solution | None:
    def numbers(name: str) -> NDArray[np.generic]:
        stored = arrays[name]
        if stored.dtype.kind != "U":
            return stored.astype(np.int64)
        return np.array([int(text) for text in stored.tolist()], dtype=object)

    stages = {}
    try:
        for level in game.levels:
            if level.seen > 3:
                continue
            onward = {
                path: numbers(f"{level.seen}.{place}")
                for place, path in enumerate(level.onward)
                if f"{level.seen}.{place}" in arrays
            }
            size = orbits_of(game.deck, level.seen).size if level.seen < 3 else None
            ways = int(str(arrays[f"{level.seen}.ways"][0]))
            stages[level.seen] = Stage(game, level, onward, size, ways)
        value = Fraction(str(arrays["value"][0]))
    except (KeyError, ValueError):
        return None
    return Solution(game, value, dict(sorted(stages.items(), reverse=True)))
