"""The second sweep with finer marks: what every wager of a seat needs to know of a deal.

`outcome_table` keeps strength and result. Wagers placed beside the main game also
look at the hole cards and the flop (a *label* of the pair), at the board alone (a *board kind*) and
at how strong the dealer is (a *bin* between thresholds). The dealer's bin costs little: the sweep
that counts unqualified opponents counts those under any other threshold in the same way, and what a
hand beats of the bin it lies in itself follows from its wins and ties.

Own strengths are merged into the intervals that no wager tells apart, and labels are taken a few at
a time, so that memory stays small whatever is bet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import (
    CountedBoards,
    boards_by_rank,
    boards_by_suit,
    new_ranked,
)
from croupier.mathematics.counters.boards.games import Path, RiverGame
from croupier.mathematics.counters.boards.numbering import CLASSES
from croupier.mathematics.counters.boards.outcomes import Cuts
from croupier.mathematics.counters.boards.strategies import (
    Group,
    Labeled,
    Strategy,
    groups_of,
    second_sweep,
)
from croupier.mathematics.counters.boards.strengths import STRENGTHS
from croupier.mathematics.kernels.arrays import I8, I16, I64
from croupier.mathematics.kernels.threads import cores

_ROWS_AT_ONCE: Final = 24
_ROWS_WITH_TURN: Final = 9  # a row takes five times the memory there


@dataclass(frozen=True)
class Marks:
    """What deals are told apart by.

    `labels`: a number for each canonical (flop, hand); `plain_boards` and `flush_boards`: the kind
    of a board by its ranks, and by its mask where all five are of one suit; `edges`: where the
    intervals of own strength begin, 0 first; `thresholds`: those of the dealer's strength,
    ascending, the qualifier among them.
    """

    labels: I16
    plain_boards: I8
    flush_boards: I8
    edges: I64
    thresholds: I64

    @property
    def kinds_of_board(self) -> int:
        return 1 + int(max(self.plain_boards.max(), self.flush_boards.max()))


def sweep(
    strategy: Strategy,
    marks: Marks,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[tuple[Path, ...], I64]:
    """All deals as [path, label, board kind, interval, 3 * bin + result]; results are won, tied and
    lost. Of the paths those that some deal takes to its end."""
    threads, game = cores(), strategy.game
    at_once = _ROWS_WITH_TURN if game.level(4) else _ROWS_AT_ONCE
    groups = list(groups_of(strategy, at_once))
    ends = tuple(path for path in game.paths if any(path in group.ends for group in groups))
    labels = int(marks.labels.max()) + 1
    batch = max(1, min(labels, at_once // max(len(group.paths) for group in groups)))
    cells = 3 * (len(marks.thresholds) + 1)
    shape = (len(ends), labels, marks.kinds_of_board, len(marks.edges), cells)
    counted = np.zeros(shape, dtype=np.int64)
    # How the hands compare on every board is the same for all paths.
    first_game = groups[0].game
    boards = boards_by_rank(first_game, threads), boards_by_suit(first_game, threads)
    for first in range(0, labels, batch):
        progress(first, labels)
        kinds = min(batch, labels - first)
        labeled = _labeled(marks, first, kinds)
        for group in groups:
            deals = _sweep_group(strategy, marks, group, labeled, boards, threads)
            places = [ends.index(path) for path in group.ends]
            counted[places, first : first + kinds] = deals
    progress(labels, labels)
    return ends, counted


def _counted(game: RiverGame, threads: int) -> tuple[CountedBoards, CountedBoards]:
    """How the hands compare on every board, which is the same for all paths."""
    return boards_by_rank(game, threads), boards_by_suit(game, threads)


def _labeled(marks: Marks, first: int, kinds: int) -> Labeled:
    inside = (marks.labels >= first) & (marks.labels < first + kinds)
    return Labeled(np.where(inside, marks.labels - first, 0).astype(np.int8), kinds, inside)


def _sweep_group(
    strategy: Strategy,
    marks: Marks,
    group: Group,
    labeled: Labeled,
    boards: tuple[CountedBoards, CountedBoards],
    threads: int,
) -> I64:
    """[path, label, board kind, interval, cell] of some paths and labels."""
    kinds, width = labeled.kinds, 3 * (len(marks.thresholds) + 1)
    interval = np.searchsorted(marks.edges, np.arange(STRENGTHS), side="right") - 1
    qualifier = int(np.searchsorted(marks.thresholds, strategy.game.qualifier))
    boards_by = (interval.astype(np.int16), marks.plain_boards, marks.flush_boards)

    def cuts() -> Cuts:
        below = np.zeros((len(marks.thresholds), CLASSES), np.int32)
        under = np.zeros(len(marks.thresholds), np.int64)
        return Cuts(new_ranked(), marks.thresholds, qualifier, *boards_by, below, under)

    played = group.played(strategy, threads, labeled)
    shape = (marks.kinds_of_board, len(group.ends) * kinds, len(marks.edges), width)
    deals = second_sweep(group.game, played, shape, threads, boards, cuts)
    apart = deals.reshape(marks.kinds_of_board, len(group.ends), kinds, *shape[2:])
    return np.ascontiguousarray(apart.transpose(1, 2, 0, 3, 4))
