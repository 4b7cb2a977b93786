"""Every deal under the best play: what was said, the final strength and how the showdown ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.arrivals import Arrivals
from croupier.mathematics.counters.boards.betting import StrategyArrays, joined
from croupier.mathematics.counters.boards.games import OUTCOMES, HoldemGame
from croupier.mathematics.counters.boards.geometry import (
    flop_views,
    flops_of,
    hand_images,
    orbits_of,
)
from croupier.mathematics.counters.boards.kernel_records import hand_rows
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_FLOPS,
    RANK_TURNS,
    TURN_VIEWS,
    VIEWS,
)
from croupier.mathematics.counters.boards.outcomes import Played
from croupier.mathematics.counters.boards.ranking_pass import river_choices
from croupier.mathematics.counters.boards.stages import new_stage_scratch
from croupier.mathematics.counters.boards.strategies import second_sweep
from croupier.mathematics.counters.boards.strengths import STRENGTHS
from croupier.mathematics.counters.boards.turns import flop_pairs, turns_of
from croupier.mathematics.counters.several_bets.bets import Path
from croupier.mathematics.counters.several_bets.games import SeveralBets
from croupier.mathematics.counters.several_bets.solver import Solution, free_game, river_game
from croupier.mathematics.counters.several_bets.turns import (
    Origins,
    arrive_by_flop,
    arrive_by_turn,
    count_by_path,
)
from croupier.mathematics.kernels.arrays import I8, I32, I64
from croupier.mathematics.kernels.threads import cores, ranges, spread

__all__ = ["Ending", "OutcomeTable", "outcome_table"]


class Ending(NamedTuple):
    """A path to its end, and its deals[strength, outcome]."""

    path: Path
    deals: I64


@dataclass(frozen=True)
class OutcomeTable:
    """Every deal, in every order told apart."""

    game: SeveralBets
    endings: tuple[Ending, ...]

    @cached_property
    def total(self) -> int:
        return sum(int(ending.deals.sum()) for ending in self.endings)

    def net(self, path: Path) -> I64:
        """[strength, outcome]: the round's net result in units of 1/scale."""
        if path.folded:
            return np.full((STRENGTHS, OUTCOMES), self.game.fold(path.bets), dtype=np.int64)
        return self.game.payoffs(path.bets).T

    def distribution(self) -> dict[Fraction, int]:
        """Deals by net result."""
        found: dict[int, int] = {}
        for path, deals in self.endings:
            used = deals > 0
            amounts, which = np.unique(self.net(path)[used], return_inverse=True)
            sums = np.zeros(len(amounts), dtype=np.int64)
            np.add.at(sums, which, deals[used])
            for amount, count in zip(amounts.tolist(), sums.tolist(), strict=True):
                found[amount] = found.get(amount, 0) + count
        return {Fraction(net, self.game.scale): found[net] for net in sorted(found)}

    def frequency(self, path: Path) -> Fraction:
        deals = next(ending.deals for ending in self.endings if ending.path == path)
        return Fraction(int(deals.sum()), self.total)

    def decided_units(self) -> Fraction:
        """Mean units of all decided wagers."""
        parts = (sum(path.bets) * self.frequency(path) for path, _ in self.endings)
        return sum(parts, Fraction(0))


def outcome_table(solution: Solution, threads: int | None = None) -> OutcomeTable:
    """Every deal under the best play; at the river it is found board by board."""
    threads = threads or cores()
    endings: list[Ending] = []
    for paths, arrivals in _arrivals(solution, threads):
        endings += _endings(solution.game, paths, arrivals, threads)
    return OutcomeTable(solution.game, tuple(endings))


def _endings(
    game: SeveralBets, paths: tuple[Path, ...], arrivals: Arrivals, threads: int
) -> Iterator[Ending]:
    """How the deals end that come by these paths."""
    level = game.level(5)
    at_river = dict(zip(level.arriving, level.leaving, strict=True)) if level else {}
    answers_of = {path: at_river.get(path, (path,)) for path in paths}
    ended = [path for path in paths if answers_of[path] == (path,)]
    if ended:
        rows = [paths.index(path) for path in ended]
        played = _played(game, arrivals, rows)
        found = second_sweep(free_game(game), played, len(rows), len(rows), threads)
        yield from map(Ending, ended, found)
    for path in paths:
        if path not in ended:
            own, _ = river_game(game, path)
            ends = _at_river(own, path, answers_of[path])
            played = _played(game, arrivals, [paths.index(path)])
            yield from map(Ending, ends, second_sweep(own, played, 1, len(ends), threads))


def _at_river(own: HoldemGame, path: Path, answers: tuple[Path, ...]) -> list[Path]:
    """The paths that the river's choices lead to, in the order of `river_choices`."""
    choices, folds = river_choices(own)
    before = sum(path.bets)
    onward = [answer for answer in answers if not answer.folded]
    found = [next(p for p in onward if sum(p.bets) == before + k) for k in choices]
    return [*found, *(answer for answer in answers if answer.folded and folds)]


def _played(game: SeveralBets, arrivals: Arrivals, rows: list[int]) -> Played:
    """The same arrivals with some rows only."""

    def some(part: I32) -> I32:
        return part if part.shape[1] in (0, len(rows)) else np.ascontiguousarray(part[:, rows])

    ranks, views, *turns = arrivals
    at_turn = [None if part is None else some(part) for part in turns]
    river = StrategyArrays({}).river._replace(bold=game.takes_first)
    return Played(river, 1, Arrivals(some(ranks), some(views), *at_turn))


# -- deals on the way to the river ----------------------------------------------------------------


def _arrivals(solution: Solution, threads: int) -> Iterator[tuple[tuple[Path, ...], Arrivals]]:
    """The paths before the river, and how many deals come by each of them; some at a time, since
    those that are kept by the four cards of the turn are large."""
    game, turn = solution.game, solution.game.level(4)
    at_flop, orders = _orders(solution, threads)
    if turn is None:
        plain, suited = _by_flop(game, orders, threads)
        yield at_flop, Arrivals(plain, suited)
        return
    no_flops, no_views = (np.zeros((size, 0, width), np.int32) for size, width in _FLOPS)
    follow = {path: (path,) for path in at_flop} | dict(
        zip(turn.arriving, turn.leaving, strict=True)
    )
    every = tuple(dict.fromkeys(after for path in at_flop for after in follow[path]))
    for at in range(0, len(every), _AT_ONCE):
        paths = every[at : at + _AT_ONCE]
        nexts = np.full((len(at_flop), 1 + max(map(len, follow.values()))), -1, np.int8)
        for number, path in enumerate(at_flop):
            nexts[number, 0] = turn.arriving.index(path) if path in turn.arriving else -1
            for place, after in enumerate(follow[path], 1):
                nexts[number, place] = paths.index(after) if after in paths else -1
        plain, suited = _by_turn(solution, orders, nexts, len(paths), threads)
        yield paths, Arrivals(no_flops, no_views, plain, suited)


_AT_ONCE: Final = 10
_FLOPS = ((RANK_FLOPS, PAIRS), (VIEWS, CLASSES))
_TURNS = ((RANK_TURNS, PAIRS), (TURN_VIEWS, CLASSES))


def _orders(solution: Solution, threads: int) -> tuple[tuple[Path, ...], I8]:
    """The paths after the flop, and [pair, path]: the orders of its cards that lead to each."""
    game = solution.game
    every = game.paths
    numbers = {path: number for number, path in enumerate(every)}
    early = [level for level in game.levels if level.seen <= 3]
    gone = [path for level in early for paths in level.leaving for path in paths if path.folded]
    after = (*gone, *(early[-1].onward if early else game.levels[0].arriving))
    places = np.zeros(len(every), np.int8)
    for place, path in enumerate(after):
        places[numbers[path]] = place
    nothing = np.zeros((0, 0), np.int8)
    nexts = tuple(
        _nexts(solution, seen, numbers) if seen in solution.stages else nothing for seen in range(4)
    )
    none = np.zeros(0, np.int32)
    orbits = tuple(
        orbits_of(game.deck, seen).number if seen in solution.stages else none for seen in range(3)
    )
    flops = flops_of(game.deck)
    out = np.zeros((len(flops.hand), len(after)), np.int8)

    def work(_: int, span: tuple[int, int]) -> None:
        count_by_path(*span, flops, orbits, nexts, places, out)

    spread(ranges(len(flops.cards), 100), work, threads)
    return after, out


def _nexts(solution: Solution, seen: int, numbers: dict[Path, int]) -> I8:
    """[path, information set]: the path that follows, itself where it is not asked."""
    stage = solution.stages[seen]
    length = len(next(iter(stage.onward.values()), np.zeros(0))) or len(
        stage.worth(stage.level.leaving[0][0])
    )
    out = np.repeat(np.arange(len(numbers), dtype=np.int8)[:, None], length, axis=1)
    for arriving, answers in zip(stage.level.arriving, stage.level.leaving, strict=True):
        follow = np.array([numbers[path] for path in answers], np.int8)
        out[numbers[arriving]] = follow[stage.actions(arriving)]
    return out


def _by_flop(game: SeveralBets, orders: I8, threads: int) -> tuple[I32, I32]:
    flops, seen, rows = flops_of(game.deck), flop_views(game.deck), hand_rows()
    paths = orders.shape[1]
    plain, suited = (
        np.zeros((threads, size, paths, width), dtype=np.int32) for size, width in _FLOPS
    )

    def work(thread: int, span: tuple[int, int]) -> None:
        out = (plain[thread], suited[thread])
        arrive_by_flop(*span, flops, seen, rows, orders, *out)

    spread(ranges(len(flops.cards), 100), work, threads)
    return joined(plain), joined(suited)


def _by_turn(
    solution: Solution, orders: I8, nexts: I8, paths: int, threads: int
) -> tuple[I32, I32]:
    """The deals of so many paths after the turn; `nexts` as of `arrive_by_turn`."""
    deck = solution.game.deck
    turns, rows = turns_of(deck), hand_rows()
    told = (orders, Origins(hand_images(), flop_pairs(deck)), solution.turn, nexts)
    plain, suited = (
        np.zeros((threads, size, paths, width), dtype=np.int32) for size, width in _TURNS
    )

    def work(thread: int, span: tuple[int, int]) -> None:
        scratch = (new_stage_scratch(), np.zeros(len(nexts), np.int64))
        arrive_by_turn(*span, turns, rows, *told, *scratch, plain[thread], suited[thread])

    spread(ranges(len(turns.cards), 400), work, threads)
    return joined(plain), joined(suited)
