"""Exact optimal play of hold'em against the dealer, and its value as a fraction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from croupier.mathematics.counters.boards.games import BetDecision, HoldemGame
from croupier.mathematics.counters.boards.geometry import (
    card_pairs,
    flop_views,
    flops_of,
    orbits_of,
)
from croupier.mathematics.counters.boards.kernel_records import RunoutSums, hand_rows
from croupier.mathematics.counters.boards.ranking_pass import (
    MOST_GAMES,
    FlopTables,
    TooManyColumns,
    river_choices,
    same_but_required,
    sum_boards,
)
from croupier.mathematics.counters.boards.stages import (
    FlopValues,
    TurnDecision,
    gather_flops,
    new_stage_scratch,
    play_turns,
    total_up,
)
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.kernels.threads import cores, ranges, spread

__all__ = ["Solution", "SolvedStage", "solve", "solve_many"]

Numbers = npt.NDArray[Any]  # int64 at the flop, Python's integers before it


@dataclass(frozen=True)
class SolvedStage:
    """All information sets after `seen` cards: sums of A, B and of the value of declining.

    Before the flop the sums run over the members of each orbit too. Divided by `ways` (and by the
    orbit's size before the flop) they are values in units of 1/scale.
    """

    seen: int
    multiples: tuple[int, ...]  # () where nothing is decided
    required: Numbers
    decided: Numbers
    declined: Numbers
    size: I64 | None
    ways: int

    def best(self) -> Numbers:
        best = self.declined
        for k in self.multiples:
            best = np.maximum(best, self.required + k * self.decided)
        return best


@dataclass(frozen=True)
class Solution:
    """The optimal strategy with the exact value of every action."""

    game: HoldemGame
    stages: dict[int, SolvedStage]  # by cards seen: 0 and 3 always, 1, 2 where decided

    @property
    def value(self) -> Fraction:
        """Expected net result per round, in units of one required wager."""
        deal = self.stages[0]
        total = sum(int(value) for value in deal.best())
        return Fraction(total, comb(self.game.cards, 2) * deal.ways * self.game.scale)


def solve(game: HoldemGame, threads: int | None = None) -> Solution:
    return solve_many([game], threads)[0]


def solve_many(games: Sequence[HoldemGame], threads: int | None = None) -> list[Solution]:
    """Solve games together; those that differ in the required wagers' payoffs only share a pass."""
    threads = threads or cores()
    solutions: dict[int, Solution] = {}
    waiting = list(range(len(games)))
    while waiting:
        group = [i for i in waiting if same_but_required(games[waiting[0]], games[i])]
        group = group[:MOST_GAMES]
        waiting = [i for i in waiting if i not in group]
        for i, solution in zip(
            group, _solve_group([games[i] for i in group], threads), strict=True
        ):
            solutions[i] = solution
    return [solutions[i] for i in range(len(games))]


def _solve_group(games: list[HoldemGame], threads: int) -> list[Solution]:
    if len(games) > 1 and _decision(games[0], 4):
        return [_solve_group([game], threads)[0] for game in games]
    try:
        tables = sum_boards(games, threads)
    except TooManyColumns:
        return [_solve_group([game], threads)[0] for game in games]
    first = river_choices(games[0])[0][0]
    decided = _gather(games[0], tables.flops.of(1), threads)[0]
    later = _gather(games[0], tables.flops.of(2), threads, first * decided)[1]  # onward less A
    solutions = []
    for i, game in enumerate(games):
        required, onward = _gather(game, tables.required(i), threads, later)
        own = tables.added(i)
        if own is not None:
            onward += _gather(game, own, threads)[0]
        flop = _flop_stage(game, tables, required, decided, onward, threads)
        solutions.append(_solve_stages(game, flop, threads))
    return solutions


def _flop_stage(
    game: HoldemGame, tables: FlopTables, required: I64, decided: I64, onward: I64, threads: int
) -> SolvedStage:
    ways = comb(game.cards - 5, 2) * game.dealer_hands
    turn = _decision(game, 4)
    if turn is None:
        return _stage(game, 3, required, decided, onward, None, ways)
    onward = _play_turns(game, turn, tables, threads)
    return _stage(game, 3, 2 * required, 2 * decided, onward, None, 2 * ways)  # in order dealt


def _play_turns(game: HoldemGame, turn: BetDecision, tables: FlopTables, threads: int) -> I64:
    flops, rows, sums = flops_of(game.deck), hand_rows(), tables.turns.first_three()
    out = np.zeros(len(flops.hand), dtype=np.int64)
    decision = TurnDecision(
        game.deck,
        card_pairs(),
        river_choices(game)[0][0],
        np.array(turn.multiples, dtype=np.int64),
        turn.decline == "fold",
        game.fold * (game.cards - 6) * game.dealer_hands,
    )

    def work(_: int, span: tuple[int, int]) -> None:
        scratch = (np.zeros(4, np.int8), new_stage_scratch())
        play_turns(*span, flops, rows, sums, decision, *scratch, out)

    spread(ranges(len(flops.cards), 40), work, threads)
    return out


def _gather(game: HoldemGame, sums: RunoutSums, threads: int, plus: I64 | None = None) -> list[I64]:
    """One quantity for every canonical pair; and, if asked for, its sum with another one."""
    flops, seen, rows = flops_of(game.deck), flop_views(game.deck), hand_rows()
    out = [np.empty(len(flops.hand), dtype=np.int64) for _ in range(1 if plus is None else 2)]

    def work(_: int, span: tuple[int, int]) -> None:
        gather_flops(*span, flops, seen, rows, sums, out[0])
        if plus is not None:
            part = slice(flops.start[span[0]], flops.start[span[1]])
            np.add(out[0][part], plus[part], out=out[1][part])

    spread(ranges(len(flops.cards), 100), work, threads)
    return out


def _decision(game: HoldemGame, seen: int) -> BetDecision | None:
    return next((level for level in game.levels if level.seen == seen), None)


def _solve_stages(game: HoldemGame, flop: SolvedStage, threads: int) -> Solution:
    stages = {3: flop}
    for seen in (2, 1, 0):
        if seen == 0 or _decision(game, seen):
            stages[seen] = _earlier(game, seen, stages[min(stages)], threads)
    return Solution(game, stages)


def _stage(
    game: HoldemGame,
    seen: int,
    required: Numbers,
    decided: Numbers,
    onward: Numbers,
    size: I64 | None,
    ways: int,
) -> SolvedStage:
    decision = _decision(game, seen)
    multiples = decision.multiples if decision else ()
    if decision and decision.decline == "fold":
        constant = game.fold * ways
        onward = np.full(len(onward), constant) if size is None else constant * size.astype(object)
    return SolvedStage(seen, multiples, required, decided, onward, size, ways)


def _earlier(game: HoldemGame, seen: int, later: SolvedStage, threads: int) -> SolvedStage:
    orbits = orbits_of(game.deck, seen)
    ways = later.ways * comb(game.cards - 2 - seen, later.seen - seen)
    if later.seen == 3:
        sums = _from_flops(game, seen, later, threads)
    else:
        sums = _from_orbits(game, seen, later)
    required, decided, onward = sums
    return _stage(game, seen, required, decided, onward, orbits.size, ways)


def _from_flops(game: HoldemGame, seen: int, flop: SolvedStage, threads: int) -> list[Numbers]:
    flops, orbits = flops_of(game.deck), orbits_of(game.deck, seen)
    halves = np.zeros((threads, len(orbits.size), 6), dtype=np.int64)
    multiples = np.array(flop.multiples, dtype=np.int64)
    values = FlopValues(flop.required, flop.decided, flop.declined)

    def work(thread: int, span: tuple[int, int]) -> None:
        total_up(*span, flops, seen, orbits.number, values, multiples, halves[thread])

    spread(ranges(len(flops.cards), 100), work, threads)
    whole = halves.sum(axis=0).astype(object)
    return [whole[:, i] * (1 << 32) + whole[:, i + 1] for i in (0, 2, 4)]


def _from_orbits(game: HoldemGame, seen: int, later: SolvedStage) -> list[Numbers]:
    """From two cards seen to one or none, or from one to none: few enough for Python's integers."""
    before, after = orbits_of(game.deck, seen), orbits_of(game.deck, later.seen)
    sums = [np.zeros(len(before.size), dtype=object) for _ in range(3)]
    hands, shown = np.divmod(after.example, after.width)
    if seen == 0:
        targets = [before.number[hands]]
    else:
        targets = [before.number[hands * 52 + card_pairs()[shown, end]] for end in (0, 1)]
    for total, values in zip(sums, (later.required, later.decided, later.best()), strict=True):
        for target in targets:
            np.add.at(total, target, values)
    return sums
