"""From boards to flops: for every flop and hand, the sums over all runouts.

Let V0(ranks) be a quantity (see `prices`) as if flushes did not exist, and Vf its value on a board
where suit f can make one. The sum over the runouts R that leave a hand h its cards is

    sum V0(F + R)
    + for each suit f on the flop: the sum of (Vf - V0)(F + R) over the R that make f possible

The first sum depends on ranks only: 455 flops by 91 hands. Each of the others depends on the flop
and the hand only as seen from f: 2,483 views by 338 classes. So 6,175 boards by rank and 36,608
boards by one suit stand for all 2,598,960, and a flop's 1,176 hands are composed from at most four
rows. Turns are summed in the same way, from 11,531 views, if a game decides there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import (
    HandCounts,
    boards_by_rank,
    boards_by_suit,
    counts_of,
    suit_masks,
)
from croupier.mathematics.counters.boards.games import DeckTables, RiverGame, deck_tables
from croupier.mathematics.counters.boards.information_sets import RunoutSums
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    RANK_TURNS,
    TURN_VIEWS,
    VIEWS,
    others_of,
    ranks_of,
    sorted_number,
    suited_board_number,
    suited_counts,
)
from croupier.mathematics.counters.boards.prices import (
    Columns,
    PricedBoards,
    Prices,
    count_columns,
    fits_32_bits,
    price_sequence,
    prices_of,
)
from croupier.mathematics.counters.boards.runouts import (
    ClassRows,
    add_shared,
    new_rows,
    scatter_flops,
    scatter_turns,
)
from croupier.mathematics.kernels.arrays import I8, I32, I64, U8, IntArray
from croupier.mathematics.kernels.decorators import part, standalone_kernel, whole
from croupier.mathematics.kernels.threads import ranges, spread


@dataclass(frozen=True)
class BoardSums:
    """Quantities summed over runouts, without flushes by rank and the differences by view."""

    plain: I64  # [ranks seen, quantity, pair]
    parts: Sequence[I32 | I64]  # of every thread: [view, quantity, class]

    def of(self, quantity: int) -> RunoutSums:
        """Return one quantity: [ranks seen, pair] and [view, class]."""
        suited = self.parts[0][:, quantity].copy()
        for counted in self.parts[1:]:
            suited += counted[:, quantity]
        return RunoutSums(np.ascontiguousarray(self.plain[:, quantity]), suited)


@dataclass(frozen=True)
class FlopTables:
    flops: BoardSums
    turns: BoardSums  # empty unless the game decides there


class PlainValues(NamedTuple):
    """The quantities of every board by rank, as if flushes did not exist."""

    values: IntArray  # [board, quantity, pair]
    used: I8  # [board, quantity]: is it ever other than 0?


class RunoutScratch(NamedTuple):
    five: I8
    left: I64  # [rank]
    ways: I64  # [pair]


def new_runout_scratch() -> RunoutScratch:
    return RunoutScratch(np.zeros(5, np.int8), np.zeros(13, np.int64), np.zeros(PAIRS, np.int64))


def cards_by_rank(deck: int) -> I64:
    """Return how many cards of each rank a deck has."""
    return np.array([4 * (deck >> rank & 1) for rank in range(13)], np.int64)


@standalone_kernel
def add_runouts(
    start: int,
    stop: int,
    tables: DeckTables,
    available: I64,
    seen: I8,
    plain: PlainValues,
    scratch: RunoutScratch,
    out: I64,
) -> None:
    """Add up the runouts as if there were no flushes: out[ranks seen, quantity, pair].

    `available` has the number of cards of each rank that can come. `seen` has a row of three ranks
    for every flop, or of four for every board at the turn.
    """
    choose, layout = tables.strengths.choose, tables.numbering
    values, used = plain.values, plain.used
    five, left, ways = scratch.five, scratch.left, scratch.ways
    known = seen.shape[1]
    for row in range(start, stop):
        for rank in range(13):
            left[rank] = available[rank]
        for place in range(known):
            left[seen[row, place]] -= 1
        possible = True
        for rank in range(13):
            possible = possible and left[rank] >= 0
        if not possible:
            continue
        for runout in range(PAIRS if known == 3 else 13):
            high = whole(layout.high[runout]) if known == 3 else runout
            low = whole(layout.low[runout])
            if left[high] == 0 or (known == 3 and left[low] < (2 if high == low else 1)):
                continue
            five[3], five[4] = low, high
            for place in range(known):
                five[place] = seen[row, place]
            board = sorted_number(five, choose)
            for pair in range(PAIRS):
                top, bottom = layout.high[pair], layout.low[pair]
                ways[pair] = left[high] - (top == high) - (bottom == high)
                if known == 3 and high == low:
                    ways[pair] = ways[pair] * (ways[pair] - 1) // 2
                elif known == 3:
                    ways[pair] *= left[low] - (top == low) - (bottom == low)
            for quantity in range(values.shape[1]):
                if used[board, quantity]:
                    target, source = out[row, quantity], values[board, quantity]
                    for pair in range(PAIRS):
                        target[pair] += ways[pair] * source[pair]


@standalone_kernel
def price_boards(
    start: int,
    stop: int,
    suits: I32,
    tables: DeckTables,
    priced: PricedBoards,
    columns: Columns | None,
    plain: PlainValues,
    rows: ClassRows,
    out: IntArray,
    turns: IntArray | None,
) -> None:
    """Price the boards by rank from `start` to `stop` into `plain`, and all boards whose f ranks
    are one of the masks `suits` into out[view, quantity, class]. (One kernel, so that their shared
    parts are compiled once; boards by suit need those by rank.)

    `turns` likewise, by views of four cards, or None if no game decides at the turn. `columns` is
    None for a single game: numba skips what it knows to be None. `rows` is scratch space.
    """
    by_suit, layout = priced.by_suit, tables.numbering
    f, cards = rows.f, rows.cards
    for board in range(start, stop):
        _price_by_rank(board, priced, columns, plain, rows)
    for i in range(len(suits)):
        suited = suits[i]
        count = ranks_of(suited, f)
        first = suited_board_number(f, count, 0, 0)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            if by_suit.lengths[first + x] == 0:
                continue
            _price_by_suit(first + x, layout.pair, priced, columns, plain, rows)
            p, q = others_of(x, count, layout)
            suited_counts(suited, count, p, q, tables.deck, cards)
            scatter_flops(f, count, p, q, layout.held, cards, rows, out)
            if turns is not None:
                scatter_turns(f, count, p, q, layout.held, cards, rows, turns)
        add_shared(f, count, rows, out)


@part
def _price_board(
    length: int, counts: HandCounts, prices: Prices, columns: Columns | None, rows: ClassRows
) -> None:
    """Write all quantities of a board into rows.values."""
    price_sequence(length, counts, prices, rows.values)
    if columns is not None:
        count_columns(length, counts, prices, columns, rows.values, rows.used)


@part
def _price_by_rank(
    board: int,
    priced: PricedBoards,
    columns: Columns | None,
    plain: PlainValues,
    rows: ClassRows,
) -> None:
    boards, values = priced.by_rank, rows.values
    length, counts = whole(boards.lengths[board]), counts_of(boards, board)
    _price_board(length, counts, priced.prices, columns, rows)
    for quantity in range(plain.values.shape[1]):
        plain.used[board, quantity] = rows.used[quantity]
        for place in range(length if rows.used[quantity] else 0):
            plain.values[board, quantity, counts.classes[place]] = values[quantity, place]


@part
def _price_by_suit(
    number: int,
    pairs: U8,
    priced: PricedBoards,
    columns: Columns | None,
    plain: PlainValues,
    rows: ClassRows,
) -> None:
    """Write into rows.row the board's quantities less those it would have without flushes."""
    boards, board = priced.by_suit, whole(priced.by_suit.by_rank[number])
    length, counts = whole(boards.lengths[number]), counts_of(boards, number)
    _price_board(length, counts, priced.prices, columns, rows)
    classes = counts.classes[:length]
    for quantity in range(rows.row.shape[0]):
        if not rows.used[quantity] and not plain.used[board, quantity]:
            rows.start[quantity] = rows.stop[quantity] = 0
            continue
        row, values = rows.row[quantity], rows.values[quantity]
        without = plain.values[board, quantity]
        for each in range(CLASSES):
            row[each] = 0
        for place in range(len(classes)):
            each = classes[place]
            row[each] = values[place] - without[pairs[each]]
        first, last = 0, CLASSES
        if quantity >= 2:  # E and what further games add are 0 for most hands, A and B for few
            while last > 0 and row[last - 1] == 0:
                last -= 1
            while first < last and row[first] == 0:
                first += 1
        rows.start[quantity] = first
        rows.stop[quantity] = last


def sum_boards(
    games: Sequence[RiverGame],
    columns: Columns | None,
    quantities: int,
    at_turn: bool,
    threads: int,
) -> FlopTables:
    """Price every board, and sum the quantities of all games over runouts; for boards of four cards
    too if a game decides `at_turn`."""
    game, tables = games[0], deck_tables(games[0])
    narrow = all(map(fits_32_bits, games))
    width: Any = np.int32 if narrow else np.int64
    boards = (boards_by_rank(game, threads), boards_by_suit(game, threads))
    priced = PricedBoards(prices_of(game, narrow), *boards)
    values = PlainValues(
        np.zeros((RANK_BOARDS, quantities, PAIRS), width),
        np.ones((RANK_BOARDS, quantities), np.int8),
    )
    plain = np.zeros((RANK_FLOPS, quantities, PAIRS), np.int64)
    turns = np.zeros((RANK_TURNS if at_turn else 0, quantities, PAIRS), np.int64)
    suited, suited_turns = (
        [np.zeros((views, quantities, CLASSES), width) for _ in range(threads)]
        for views in (VIEWS, TURN_VIEWS if at_turn else 0)
    )

    available = cards_by_rank(game.deck)

    def price(thread: int, start: int, stop: int, masks: I32) -> None:
        rows = new_rows(quantities, suited[thread])
        sums = (suited[thread], suited_turns[thread] if at_turn else None)
        price_boards(start, stop, masks, tables, priced, columns, values, rows, *sums)

    def by_rank(thread: int, span: tuple[int, int]) -> None:
        price(thread, *span, np.zeros(0, np.int32))

    def by_suit(thread: int, masks: I32) -> None:
        price(thread, 0, 0, masks)

    def sum_by_rank(seen: I8, out: I64) -> None:
        def work(_: int, span: tuple[int, int]) -> None:
            add_runouts(*span, tables, available, seen, values, new_runout_scratch(), out)

        spread(ranges(len(out), 40), work, threads)

    spread(ranges(RANK_BOARDS, 400), by_rank, threads)
    sum_by_rank(tables.numbering.flop_ranks, plain)
    sum_by_rank(tables.numbering.turn_ranks, turns)
    spread(suit_masks(game.deck), by_suit, threads)
    return FlopTables(BoardSums(plain, suited), BoardSums(turns, suited_turns))
