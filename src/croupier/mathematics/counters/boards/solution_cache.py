"""Solutions kept on disk: what `advise` needs, without solving again."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.cache import key_of, read_arrays, write_arrays
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.rulebook import game_of
from croupier.mathematics.counters.boards.solver import Solution, SolvedStage, solve
from croupier.rulebooks.rules import Rules

__all__ = ["solution_of"]


def solution_of(rules: Rules, game: HoldemGame | None = None) -> Solution:
    """The solved main game under these rules: remembered, read from disk, or solved now."""
    found = rules.prepared.get(Solution)
    if isinstance(found, Solution):
        return found
    game = game or game_of(rules)
    key = key_of(rules, "solution")
    stored = read_arrays(key)
    solution = None if stored is None else _restored(game, stored)
    if solution is None:
        solution = solve(game)
        write_arrays(key, _arrays(solution))
    rules.prepared[Solution] = solution
    return solution


def _arrays(solution: Solution) -> dict[str, NDArray[np.generic]]:
    arrays: dict[str, NDArray[np.generic]] = {}
    for seen, stage in solution.stages.items():
        arrays[f"{seen}.multiples"] = np.array(stage.multiples, dtype=np.int64)
        arrays[f"{seen}.ways"] = np.array([str(stage.ways)])
        if stage.size is not None:
            arrays[f"{seen}.size"] = stage.size
        for part in ("required", "decided", "declined"):
            arrays[f"{seen}.{part}"] = _stored(getattr(stage, part))
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
    try:
        seen = sorted({int(name.partition(".")[0]) for name in arrays})
        return Solution(game, {number: _stage(number, arrays) for number in seen})
    except (KeyError, ValueError):
        return None


def _stage(seen: int, arrays: dict[str, NDArray[np.generic]]) -> SolvedStage:
    def numbers(part: str) -> NDArray[np.generic]:
        stored = arrays[f"{seen}.{part}"]
        if stored.dtype.kind != "U":
            return stored.astype(np.int64)
        return np.array([int(text) for text in stored.tolist()], dtype=object)

    size = arrays.get(f"{seen}.size")
    return SolvedStage(
        seen=seen,
        multiples=tuple(int(k) for k in arrays[f"{seen}.multiples"]),
        required=numbers("required"),
        decided=numbers("decided"),
        declined=numbers("declined"),
        size=None if size is None else size.astype(np.int64),
        ways=int(str(arrays[f"{seen}.ways"][0])),
    )
