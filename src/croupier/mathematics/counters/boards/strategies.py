"""A strategy as arrays: how many deals take each path, and how they end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.mathematics.counters.boards.counted_boards import (
    CountedBoards,
    boards_by_rank,
    boards_by_suit,
    suit_masks,
)
from croupier.mathematics.counters.boards.games import (
    OUTCOMES,
    HoldemGame,
    Path,
    RiverGame,
    deck_tables,
)
from croupier.mathematics.counters.boards.geometry import (
    flop_pairs,
    flop_views,
    flops_of,
    hand_images,
    orbits_of,
    turns_of,
)
from croupier.mathematics.counters.boards.information_sets import (
    Labels,
    Origins,
    arrive_by_flop,
    arrive_by_turn,
    count_by_path,
    hand_rows,
    new_stage_scratch,
)
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANK_TURNS,
    STRENGTHS,
    TURN_VIEWS,
    VIEWS,
)
from croupier.mathematics.counters.boards.outcomes import (
    Cuts,
    Played,
    River,
    new_outcome_scratch,
    tabulate_boards,
)
from croupier.mathematics.counters.boards.prices import PricedBoards, prices_of
from croupier.mathematics.counters.boards.runouts import Arrivals
from croupier.mathematics.counters.boards.solver import (
    Solution,
    free_game,
    is_asked_at_river,
    river_game,
)
from croupier.mathematics.kernels.arrays import I8, I32, I64
from croupier.mathematics.kernels.threads import cores, ranges, spread

_AT_ONCE: Final = 10
"""Paths in one sweep where the turn decides: memory grows with them."""


def best_river(takes_first: bool = True) -> River:
    """Return the best response at the river, board by board."""
    nothing = np.zeros((0, 0), np.int8)
    return River(nothing, nothing, takes_first)


@dataclass(frozen=True)
class Strategy:
    """A strategy. `answers[seen][path]` has the index of the answer among those of a path that
    decides there: by orbit (seen 0 to 2, `geometry.orbits_of`), by canonical pair (3,
    `geometry.flops_of`) or by situation (4, `geometry.turns_of`)."""

    game: HoldemGame
    answers: Mapping[int, Mapping[Path, I8]]
    river: River

    @cached_property
    def arriving(self) -> tuple[tuple[Path, ...], I8]:
        """The paths up to the flop, and [pair, path]: how many orders of the flop's cards lead to
        each."""
        return _orders(self, 2)

    @cached_property
    def after_flop(self) -> tuple[tuple[Path, ...], I8]:
        """The paths after the flop's decision, and [pair, path] likewise."""
        return _orders(self, 3)

    def is_asked(self, seen: int, path: Path) -> bool:
        return path in self.answers.get(seen, ())

    @cached_property
    def origins(self) -> dict[Path, Path]:
        """The paths that some deal takes before the river, each with the path by which it came to
        the turn (itself if nothing is asked there)."""
        paths, orders = self.after_flop
        origins: dict[Path, Path] = {}
        for number, path in enumerate(paths):
            if not orders[:, number].any():
                continue
            if not self.is_asked(4, path):
                origins[path] = path
                continue
            answers = self.game.answers(4, path)
            chosen = self.answers[4][path]
            origins |= {p: path for place, p in enumerate(answers) if (chosen == place).any()}
        return {path: origins[path] for path in self.game.paths if path in origins}


def optimal_strategy(solution: Solution) -> Strategy:
    """Return the best play; of equally good answers the one that the game prefers."""
    game = solution.game
    answers: dict[int, Mapping[Path, I8]] = {
        seen: {path: stage.actions(path) for path in stage.level.asked_paths}
        for seen, stage in solution.stages.items()
    }
    turn = game.level(4)
    if turn is not None:
        answers[4] = dict(zip(turn.asked_paths, solution.turn, strict=True))
    return Strategy(game, answers, best_river(game.takes_first))


# -- how many orders of the cards matter ----------------------------------------------------------


def orders_of_flop(game: HoldemGame) -> int:
    """Return how many orders of a flop's cards can lead to different decisions."""
    early = [level.seen for level in game.levels if level.seen in (1, 2)]
    return (1, 3, 6)[len(early)]


def orders_of_board(game: HoldemGame) -> int:
    """Return in how many orders of all community cards each deal is counted."""
    return orders_of_flop(game) * (2 if game.level(4) else 1)


def runouts_of(game: HoldemGame) -> int:
    """Return how many ways there are to deal turn and river beside a hand and a flop, in order if
    the turn decides."""
    return comb(game.cards - 5, 2) * (2 if game.level(4) else 1)


# -- deals on the way to the river ----------------------------------------------------------------


def _orders(strategy: Strategy, last: int) -> tuple[tuple[Path, ...], I8]:
    """Return the paths after the decisions on up to `last` cards, and [pair, path]: how many orders
    of the flop's cards lead to each."""
    game = strategy.game
    every = game.paths
    numbers = {path: number for number, path in enumerate(every)}
    early = [level for level in game.levels if level.seen <= last]
    gone = [path for level in early for paths in level.leaving for path in paths if path.folded]
    after = (*gone, *(early[-1].onward if early else game.levels[0].arriving))
    places = np.zeros(len(every), np.int8)
    for place, path in enumerate(after):
        places[numbers[path]] = place
    decided = {level.seen for level in early if strategy.answers.get(level.seen)}
    nothing, none = np.zeros((0, 0), np.int8), np.zeros(0, np.int32)
    nexts = tuple(
        _nexts(strategy, seen, numbers) if seen in decided else nothing for seen in range(4)
    )
    orbits = tuple(
        orbits_of(game.deck, seen).number if seen in decided else none for seen in range(3)
    )
    flops = flops_of(game.deck)
    out = np.zeros((len(flops.hand), len(after)), np.int8)
    told_apart = tuple(game.level(seen) is not None for seen in (1, 2))

    def work(_: int, span: tuple[int, int]) -> None:
        count_by_path(*span, flops, orbits, nexts, *told_apart, places, out)

    spread(ranges(len(flops.cards), 100), work, cores())
    return after, out


def _nexts(strategy: Strategy, seen: int, numbers: dict[Path, int]) -> I8:
    """Return [path, information set]: the successor path, or the path itself if nothing is
    asked."""
    answers = strategy.answers[seen]
    length = len(next(iter(answers.values())))
    out = np.repeat(np.arange(len(numbers), dtype=np.int8)[:, None], length, axis=1)
    for path, places in answers.items():
        follow = np.array([numbers[p] for p in strategy.game.answers(seen, path)], np.int8)
        out[numbers[path]] = follow[places]
    return out


class Labeled(NamedTuple):
    """Pairs of flop and hand with a label from 0 to `kinds` - 1; only those `inside`."""

    labels: I8
    kinds: int
    inside: npt.NDArray[np.bool_]


def arrivals_of(
    strategy: Strategy, paths: tuple[Path, ...], threads: int, labeled: Labeled | None = None
) -> Arrivals:
    """Return how many deals come to each board by some of the paths before the river, first those
    that decide nothing at the turn."""
    early = tuple(path for path in paths if strategy.origins[path] == path)
    late = paths[len(early) :]
    assert early + late == paths
    flops = _by_flop(strategy, early, threads, labeled)
    if strategy.game.level(4) is None:
        return Arrivals(*flops)
    turns = _by_turn(strategy, late, threads, labeled)
    if not late:  # turn and river count in both orders
        flops = (2 * flops[0], 2 * flops[1])
    return Arrivals(*flops, *turns)


def _labels(labeled: Labeled | None) -> Labels:
    if labeled is None:
        return Labels(np.zeros(0, np.int8), 1)
    return Labels(labeled.labels, labeled.kinds)


def _orders_by(strategy: Strategy, paths: Sequence[Path], labeled: Labeled | None) -> I8:
    """Return [pair, path]: how many orders of the flop's cards lead to these paths after the
    flop."""
    every, orders = strategy.after_flop
    counts = np.ascontiguousarray(orders[:, [every.index(path) for path in paths]])
    if labeled is not None:
        counts[~labeled.inside] = 0
    return counts


def _by_flop(
    strategy: Strategy, paths: tuple[Path, ...], threads: int, labeled: Labeled | None
) -> tuple[I32, I32]:
    deck, labels = strategy.game.deck, _labels(labeled)
    flops, seen, rows = flops_of(deck), flop_views(deck), hand_rows()
    orders = _orders_by(strategy, paths, labeled)
    plain = np.zeros((threads, RANK_FLOPS, len(paths) * labels.kinds, PAIRS), np.int32)
    suited = np.zeros((threads, VIEWS, len(paths) * labels.kinds, CLASSES), np.int32)

    def work(thread: int, span: tuple[int, int]) -> None:
        out = (plain[thread], suited[thread])
        arrive_by_flop(*span, flops, seen, rows, orders, labels, *out)

    if paths:
        spread(ranges(len(flops.cards), 100), work, threads)
    return joined(plain), joined(suited)


def _by_turn(
    strategy: Strategy, paths: tuple[Path, ...], threads: int, labeled: Labeled | None
) -> tuple[I32, I32]:
    deck, labels = strategy.game.deck, _labels(labeled)
    plain = np.zeros((threads, RANK_TURNS, len(paths) * labels.kinds, PAIRS), np.int32)
    suited = np.zeros((threads, TURN_VIEWS, len(paths) * labels.kinds, CLASSES), np.int32)
    if not paths:
        return joined(plain), joined(suited)
    sources = tuple(dict.fromkeys(strategy.origins[path] for path in paths))
    answers = [strategy.game.answers(4, path) for path in sources]
    nexts = np.full((len(sources), max(map(len, answers))), -1, np.int8)
    for number, leaving in enumerate(answers):
        for place, path in enumerate(leaving):
            nexts[number, place] = paths.index(path) if path in paths else -1
    turns, rows = turns_of(deck), hand_rows()
    orders, origins = (
        _orders_by(strategy, sources, labeled),
        Origins(hand_images(), flop_pairs(deck)),
    )
    actions = np.stack([strategy.answers[4][path] for path in sources])

    def work(thread: int, span: tuple[int, int]) -> None:
        arrive_by_turn(
            *(*span, turns, rows, orders, origins, actions, nexts, labels),
            *(new_stage_scratch(), np.zeros(len(sources) * labels.kinds, np.int64)),
            *(plain[thread], suited[thread]),
        )

    spread(ranges(len(turns.cards), 400), work, threads)
    return joined(plain), joined(suited)


def joined(parts: I32) -> I32:
    """Add up the threads' counts in the first one's place."""
    total: I32 = parts[0]
    for part in parts[1:]:
        total += part
    return total


# -- how the rounds end ---------------------------------------------------------------------------


class Group(NamedTuple):
    """Paths that are swept together: all have ended before the river but the last, which may decide
    there. `ends` are the paths that the rows of the table then belong to."""

    game: RiverGame
    paths: tuple[Path, ...]
    ends: tuple[Path, ...]

    def played(self, strategy: Strategy, threads: int, labeled: Labeled | None = None) -> Played:
        kinds = 1 if labeled is None else labeled.kinds
        arrivals = arrivals_of(strategy, self.paths, threads, labeled)
        # If all paths have ended, a written river would count deals outside the table.
        river = best_river() if self.ends == self.paths else strategy.river
        return Played(river, kinds, arrivals)


def groups_of(strategy: Strategy, most: int = _AT_ONCE) -> Iterator[Group]:
    """Return all paths that some deal takes, `most` at a time if the turn decides."""
    game, origins = strategy.game, strategy.origins
    early = {path for path, origin in origins.items() if path == origin}
    asked_paths = [path for path in origins if not path.folded and is_asked_at_river(game, path)]
    ended = [path for path in origins if path not in asked_paths]
    ended.sort(key=lambda path: path not in early)
    at_once = most if game.level(4) else max(len(ended), 1)
    groups = [ended[at : at + at_once] for at in range(0, len(ended), at_once)] or [[]]
    for number, paths in enumerate(groups):
        last = asked_paths[0] if number + 1 == len(groups) and asked_paths else None
        if last is not None and (last not in early or not paths or paths[-1] in early):
            asked_paths.remove(last)
            own, _ = river_game(game, last)
            yield Group(own, (*paths, last), (*paths, *_ends(own, game, last)))
        elif paths:
            yield Group(free_game(game), tuple(paths), tuple(paths))
    for path in asked_paths:
        own, _ = river_game(game, path)
        yield Group(own, (path,), _ends(own, game, path))


def _ends(own: RiverGame, game: HoldemGame, path: Path) -> tuple[Path, ...]:
    """Return the paths that the river's choices lead to, in the order of the game's multiples."""
    answers, before = game.answers(5, path), sum(path.bets)
    onward = [answer for answer in answers if not answer.folded]
    ends = [next(p for p in onward if sum(p.bets) == before + k) for k in own.multiples]
    return (*ends, *(answer for answer in answers if answer.folded))


class Ending(NamedTuple):
    """A path to its end, and its deals[strength, outcome]."""

    path: Path
    deals: I64


@dataclass(frozen=True)
class OutcomeTable:
    """Every deal, in every distinguished order, by the paths that some deal takes."""

    game: HoldemGame
    endings: tuple[Ending, ...]

    @cached_property
    def total(self) -> int:
        return sum(int(ending.deals.sum()) for ending in self.endings)

    def net(self, path: Path) -> I64:
        """Return [strength, outcome]: the round's net result in units of 1/scale."""
        if path.folded:
            return np.full((STRENGTHS, OUTCOMES), self.game.fold(path.bets), dtype=np.int64)
        return self.game.payoffs(path.bets).T

    def distribution(self) -> dict[Fraction, int]:
        """Return the deals by net result."""
        by_cents: dict[int, int] = {}
        for path, deals in self.endings:
            used = deals > 0
            amounts, which = np.unique(self.net(path)[used], return_inverse=True)
            sums = np.zeros(len(amounts), dtype=np.int64)
            np.add.at(sums, which, deals[used])
            for amount, count in zip(amounts.tolist(), sums.tolist(), strict=True):
                by_cents[amount] = by_cents.get(amount, 0) + count
        return {Fraction(net, self.game.scale): by_cents[net] for net in sorted(by_cents)}

    @property
    def value(self) -> Fraction:
        return self._moment(1)

    @property
    def variance(self) -> Fraction:
        return self._moment(2) - self.value**2

    def _moment(self, power: int) -> Fraction:
        terms = (deals * net**power for net, deals in self.distribution().items())
        return sum(terms, Fraction(0)) / self.total

    def said(self) -> dict[tuple[int, str], Fraction]:
        """Return by question and word its share of all rounds."""
        frequencies: dict[tuple[int, str], Fraction] = {}
        for path, deals in self.endings:
            share = Fraction(int(deals.sum()), self.total)
            for answer in path.said:
                frequencies[answer] = frequencies.get(answer, Fraction(0)) + share
        return frequencies

    def decided_units(self) -> Fraction:
        """The mean units of all decided wagers; add the required ones for the mean total
        wagered."""
        units = sum(sum(path.bets) * int(deals.sum()) for path, deals in self.endings)
        return Fraction(units, self.total)


def outcome_table(strategy: Strategy, threads: int | None = None) -> OutcomeTable:
    threads, game = threads or cores(), strategy.game
    endings: dict[Path, I64] = {}
    for group in groups_of(strategy):
        played = group.played(strategy, threads)
        shape = (len(group.ends), STRENGTHS, OUTCOMES)
        endings |= zip(group.ends, second_sweep(group.game, played, shape, threads), strict=True)
    return OutcomeTable(game, tuple(Ending(p, endings[p]) for p in game.paths if p in endings))


def second_sweep(
    game: RiverGame,
    played: Played,
    shape: tuple[int, ...],
    threads: int,
    boards: tuple[CountedBoards, CountedBoards] | None = None,
    cuts: Callable[[], Cuts] | None = None,
) -> I64:
    """Return the deals of all boards played this way, as `tabulate_boards` adds them up; on the
    game's boards, by rank and by suit, unless others are passed."""
    arrivals = (played.arrivals.flop_ranks, played.arrivals.turn_ranks)
    rows = sum(part.shape[1] for part in arrivals if part is not None)
    deals = np.zeros((threads, *shape), dtype=np.int64)
    with_flush = np.zeros((threads, RANK_BOARDS, rows, PAIRS), dtype=np.int32)
    boards = boards or (boards_by_rank(game, threads), boards_by_suit(game, threads))
    fixed = (deck_tables(game), PricedBoards(prices_of(game), *boards), played)

    def sweep(thread: int, start: int, stop: int, masks: I32, counted: I32) -> None:
        cut = None if cuts is None else cuts()
        scratch = new_outcome_scratch(rows)
        tabulate_boards(start, stop, masks, *fixed, cut, scratch, counted, deals[thread])

    def by_suit(thread: int, masks: I32) -> None:
        sweep(thread, 0, 0, masks, with_flush[thread])

    spread(suit_masks(game.deck), by_suit, threads)
    counted = joined(with_flush)

    def by_rank(thread: int, span: tuple[int, int]) -> None:
        sweep(thread, *span, np.zeros(0, np.int32), counted)

    spread(ranges(RANK_BOARDS, 400), by_rank, threads)
    return np.asarray(deals.sum(axis=0))
