"""The second sweep with finer marks: what every wager of a seat needs to know of a deal.

`holdem.strategies.outcome_table` keeps strength and result. Wagers placed beside the main game also
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

from croupier.mathematics.counters.boards.arrivals import Arrivals
from croupier.mathematics.counters.boards.betting import (
    Betting,
    Ending,
    StrategyArrays,
    betting_of,
    count_arrivals,
    decides_at_turn,
    joined,
)
from croupier.mathematics.counters.boards.boards import CountedBoards, new_ranked
from croupier.mathematics.counters.boards.cells import Cuts
from croupier.mathematics.counters.boards.counted_boards import (
    boards_by_rank,
    boards_by_suit,
    suit_masks,
)
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.kernel_records import deck_tables
from croupier.mathematics.counters.boards.numbering import CLASSES, PAIRS, RANK_BOARDS
from croupier.mathematics.counters.boards.outcomes import (
    OutcomeScratch,
    Played,
    new_outcome_scratch,
    tabulate_boards,
)
from croupier.mathematics.counters.boards.ranking_pass import prices_of
from croupier.mathematics.counters.boards.showdown_prices import PricedBoards
from croupier.mathematics.counters.boards.strengths import STRENGTHS
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64
from croupier.mathematics.kernels.threads import cores, ranges, spread

__all__ = ["Marks", "sweep"]

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
    game: HoldemGame,
    strategy: StrategyArrays,
    marks: Marks,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> tuple[tuple[Ending, ...], I64]:
    """All deals as [ending, label, board kind, interval, 3 * bin + result]; results are won, tied
    and lost. The river is played by the best response."""
    threads = cores()
    betting = betting_of(game, strategy, threads)
    labels = int(marks.labels.max()) + 1
    at_once = _ROWS_WITH_TURN if decides_at_turn(game) else _ROWS_AT_ONCE
    batch = max(1, min(labels, at_once // betting.rows))
    cells = 3 * (len(marks.thresholds) + 1)
    shape = (len(betting.endings), labels, marks.kinds_of_board, len(marks.edges), cells)
    found = np.zeros(shape, dtype=np.int64)
    boards = (boards_by_rank(game, threads), boards_by_suit(game, threads))
    for first in range(0, labels, batch):
        progress(first, labels)
        part = _Batch(game, betting, marks, first, min(batch, labels - first), boards, threads)
        found[list(betting.kept), first : first + part.kinds] = part.run()
    progress(labels, labels)
    return betting.endings, found


@dataclass(frozen=True)
class _Batch:
    """The sweep for `kinds` labels from `first` on."""

    game: HoldemGame
    betting: Betting
    marks: Marks
    first: int
    kinds: int
    boards: tuple[CountedBoards, CountedBoards]  # by rank, by suit
    threads: int

    def run(self) -> I64:
        """[ending, label, board kind, interval, cell]"""
        game, marks, kinds, threads = self.game, self.marks, self.kinds, self.threads
        arrivals, kept = self._arrivals(), len(self.betting.kept)
        rows = self.betting.rows * kinds
        cells = 3 * (len(marks.thresholds) + 1)
        shape = (threads, marks.kinds_of_board, kept * kinds, len(marks.edges), cells)
        deals = np.zeros(shape, dtype=np.int64)
        with_flush = np.zeros((threads, RANK_BOARDS, rows, PAIRS), dtype=np.int32)
        interval = np.searchsorted(marks.edges, np.arange(STRENGTHS), side="right") - 1
        qualifier = int(np.searchsorted(marks.thresholds, game.qualifier))
        priced = PricedBoards(prices_of(game), *self.boards)
        played = Played(StrategyArrays({}).river, kinds, arrivals)
        fixed = (deck_tables(game), priced, played)
        boards_by = (interval.astype(np.int16), marks.plain_boards, marks.flush_boards)

        def scratch() -> tuple[Cuts, OutcomeScratch]:
            below = np.zeros((len(marks.thresholds), CLASSES), np.int32)
            under = np.zeros(len(marks.thresholds), np.int64)
            cuts = Cuts(new_ranked(), marks.thresholds, qualifier, *boards_by, below, under)
            return cuts, new_outcome_scratch(rows)

        def suits(thread: int, masks: I32) -> None:
            into = (with_flush[thread], deals[thread])
            tabulate_boards(0, 0, masks, *fixed, *scratch(), *into)

        spread(suit_masks(game.deck), suits, threads)
        counted = joined(with_flush)

        def plain(thread: int, span: tuple[int, int]) -> None:
            none, into = np.zeros(0, np.int32), (counted, deals[thread])
            tabulate_boards(*span, none, *fixed, *scratch(), *into)

        spread(ranges(RANK_BOARDS, 400), plain, threads)
        together = deals.sum(axis=0).reshape(marks.kinds_of_board, kept, kinds, *shape[3:])
        return np.ascontiguousarray(together.transpose(1, 2, 0, 3, 4))

    def _arrivals(self) -> Arrivals:
        """How many deals come where with which hand: those with the batch's labels only."""
        labels = self.marks.labels
        inside = (labels >= self.first) & (labels < self.first + self.kinds)
        own = np.where(inside, labels - self.first, 0).astype(np.int8)
        return count_arrivals(self.game, self.betting, self.threads, own, self.kinds, inside)
