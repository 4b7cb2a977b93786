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

from croupier.mathematics.holdem.arrays import I8, I16, I32, I64
from croupier.mathematics.holdem.betting import (
    Betting,
    Ending,
    Strategy,
    betting_of,
    count_arrivals,
    decides_at_turn,
    joined,
)
from croupier.mathematics.holdem.boards import (
    Ranked,
    RankedBoards,
    board_counts,
    count_sequence,
    flush_sequence,
    merge_sequences,
    new_ranked,
)
from croupier.mathematics.holdem.games import Game
from croupier.mathematics.holdem.kernels import kernel, whole
from croupier.mathematics.holdem.layout import CLASSES, PAIRS, RANK_BOARDS, Layout, layout
from croupier.mathematics.holdem.outcomes import choose_at_river
from croupier.mathematics.holdem.pricing import Prices
from croupier.mathematics.holdem.reach import (
    Arrivals,
    arrive_at_plain_board,
    arrive_at_suited_board,
)
from croupier.mathematics.holdem.strategies import ranked_boards
from croupier.mathematics.holdem.strengths import STRENGTHS, StrengthTables, strength_tables
from croupier.mathematics.holdem.sums import board_of, others_of, ranks_of, suited_counts
from croupier.mathematics.holdem.tables import prices_of, ranges, suit_masks
from croupier.mathematics.holdem.threads import cores, spread

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
    game: Game,
    strategy: Strategy,
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
    ranked = ranked_boards(game, threads)
    for first in range(0, labels, batch):
        progress(first, labels)
        part = _Batch(game, betting, marks, first, min(batch, labels - first), ranked, threads)
        found[list(betting.kept), first : first + part.kinds] = part.run()
    progress(labels, labels)
    return betting.endings, found


@dataclass(frozen=True)
class _Batch:
    """The sweep for `kinds` labels from `first` on."""

    game: Game
    betting: Betting
    marks: Marks
    first: int
    kinds: int
    ranked: RankedBoards
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
        fixed = (game.deck, strength_tables(), layout(), prices_of([game]), self.ranked, kinds)
        cuts = (marks.thresholds, qualifier, interval.astype(np.int16), marks.plain_boards)

        def suits(thread: int, masks: I32) -> None:
            into = (marks.flush_boards, arrivals, deals[thread], with_flush[thread])
            suited_cells(masks, *fixed, *cuts, *into)

        spread(suit_masks(game.deck), suits, threads)
        counted = joined(with_flush)

        def boards(thread: int, span: tuple[int, int]) -> None:
            plain_cells(*span, *fixed, *cuts, arrivals, counted, deals[thread])

        spread(ranges(RANK_BOARDS, 400), boards, threads)
        together = deals.sum(axis=0).reshape(marks.kinds_of_board, kept, kinds, *shape[3:])
        return np.ascontiguousarray(together.transpose(1, 2, 0, 3, 4))

    def _arrivals(self) -> Arrivals:
        """How many deals come where with which hand: those with the batch's labels only."""
        labels = self.marks.labels
        inside = (labels >= self.first) & (labels < self.first + self.kinds)
        own = np.where(inside, labels - self.first, 0).astype(np.int8)
        return count_arrivals(self.game, self.betting, self.threads, own, self.kinds, inside)


# -- kernels --------------------------------------------------------------------------------------


@kernel
def _count(length: int, thresholds: I64, qualifier: int, ranked: Ranked, below: I32) -> None:
    """below[t, place] = opponents under threshold t; the qualifier's count stays in `ranked`."""
    for t in range(len(thresholds)):
        if t != qualifier:
            count_sequence(length, thresholds[t], ranked)
            below[t, :length] = ranked.unqualified[:length]
    count_sequence(length, thresholds[qualifier], ranked)
    below[qualifier, :length] = ranked.unqualified[:length]


@kernel
def _tabulate_cells(
    length: int,
    ranked: Ranked,
    opponents: int,
    choices: I8,
    deals: I32,
    kinds: int,
    thresholds: I64,
    below: I32,
    under: I64,
    interval: I16,
    table: I64,
) -> None:
    """table[ending x label, interval, 3 * bin + result] += deals[ending x label, class] * hands.

    One strength at a time; `under` is room for the sums of the opponents under each threshold.
    """
    strengths, classes = ranked.strengths, ranked.classes
    before_river = deals.shape[0] - kinds
    bins = len(thresholds) + 1
    start = 0
    while start < length:
        strength = strengths[start]
        stop = start + 1
        while stop < length and strengths[stop] == strength:
            stop += 1
        for target in range(table.shape[0]):
            row, choice = target, -1
            if target >= before_river:
                choice = (target - before_river) // kinds
                row = target - choice * kinds
            count, wins, ties = 0, 0, 0
            under[:] = 0
            for place in range(start, stop):
                times = whole(deals[row, classes[place]])
                if times and (choice < 0 or choices[place] == choice):
                    count += times
                    wins += times * ranked.wins[place]
                    ties += times * ranked.ties[place]
                    for t in range(bins - 1):
                        under[t] += times * below[t, place]
            if count == 0:
                continue
            cells = table[target, interval[strength]]
            low = 0
            for b in range(bins):
                high = under[b] if b + 1 < bins else count * opponents
                if b + 1 < bins and strength >= thresholds[b]:
                    cells[3 * b] += high - low
                elif b > 0 and strength < thresholds[b - 1]:
                    cells[3 * b + 2] += high - low
                else:
                    cells[3 * b] += wins - low
                    cells[3 * b + 1] += ties
                    cells[3 * b + 2] += high - wins - ties
                low = high
        start = stop


@kernel
def suited_cells(
    suits: I32,
    deck: int,
    tables: StrengthTables,
    layout: Layout,
    prices: Prices,
    plain: RankedBoards,
    kinds: int,
    thresholds: I64,
    qualifier: int,
    interval: I16,
    plain_boards: I8,
    flush_boards: I8,
    arrivals: Arrivals,
    table: I64,
    with_flush: I32,
) -> None:
    """`holdem.outcomes.suited_outcomes` with the marks of this module."""
    ranked = new_ranked()
    rows = with_flush.shape[1]
    values, choices = np.zeros((3, CLASSES), np.int64), np.zeros(CLASSES, np.int8)
    best = np.zeros(0, np.int8)  # no policy: the best choice
    below, under = (
        np.zeros((len(thresholds), CLASSES), np.int32),
        np.zeros(len(thresholds), np.int64),
    )
    deals, part = np.zeros((rows, CLASSES), np.int32), np.zeros((rows, CLASSES), np.int32)
    ways = np.zeros(CLASSES, np.int32)
    f, five = np.zeros(5, np.int8), np.zeros(5, np.int8)
    for suited in suits:
        count = ranks_of(suited, f)
        flushes = flush_sequence(suited, count, tables, ranked)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            p, q = others_of(x, count, layout)
            if not suited_counts(suited, count, p, q, deck, ranked.cards):
                continue
            board = board_of(f, count, p, q, five, tables)
            length = merge_sequences(count, flushes, board, layout, plain, ranked)
            _count(length, thresholds, qualifier, ranked, below)
            arrive_at_suited_board(
                f, count, p, q, layout, ranked.cards, arrivals, part, ways, deals
            )
            kind = flush_boards[suited] if count == 5 else plain_boards[board]
            choose_at_river(length, ranked, prices, best, True, values, choices)
            cuts = (thresholds, below, under, interval)
            _tabulate_cells(
                length, ranked, prices.opponents, choices, deals, kinds, *cuts, table[kind]
            )
            for row in range(rows):
                for place in range(length):
                    number = ranked.classes[place]
                    with_flush[board, row, layout.pair[number]] += deals[row, number]


@kernel
def plain_cells(
    start: int,
    stop: int,
    deck: int,
    tables: StrengthTables,
    layout: Layout,
    prices: Prices,
    plain: RankedBoards,
    kinds: int,
    thresholds: I64,
    qualifier: int,
    interval: I16,
    plain_boards: I8,
    arrivals: Arrivals,
    with_flush: I32,
    table: I64,
) -> None:
    """`holdem.outcomes.plain_outcomes` with the marks of this module."""
    ranked = new_ranked()
    rows = with_flush.shape[1]
    values, choices = np.zeros((3, CLASSES), np.int64), np.zeros(CLASSES, np.int8)
    best = np.zeros(0, np.int8)  # no policy: the best choice
    below, under = (
        np.zeros((len(thresholds), CLASSES), np.int32),
        np.zeros(len(thresholds), np.int64),
    )
    deals = np.zeros((rows, PAIRS), np.int32)
    for board in range(start, stop):
        ranks = layout.board_ranks[board]
        if not board_counts(ranks, deck, ranked.cards):
            continue
        length = whole(plain.lengths[board])
        for place in range(length):
            pair = plain.order[board, place]
            ranked.classes[place] = pair
            ranked.strengths[place] = plain.strengths[board, place]
            ranked.first[place] = layout.high[pair]
            ranked.second[place] = layout.low[pair]
        _count(length, thresholds, qualifier, ranked, below)
        arrive_at_plain_board(ranks, ranked.cards, tables, layout, arrivals, deals)
        for row in range(rows):
            for pair in range(PAIRS):
                deals[row, pair] -= with_flush[board, row, pair]
        kind = plain_boards[board]
        choose_at_river(length, ranked, prices, best, True, values, choices)
        cuts = (thresholds, below, under, interval)
        _tabulate_cells(length, ranked, prices.opponents, choices, deals, kinds, *cuts, table[kind])
