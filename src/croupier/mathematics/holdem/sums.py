"""From boards to flops: for every flop and hand, the sums over all runouts.

Let V0(ranks) be a quantity (`pricing`) as if flushes did not exist, and Vf its value on a board
where suit f can make one. The sum over the runouts R that leave a hand h its cards is

    sum V0(F + R)  +  for each suit f on the flop: sum over the R that make f possible (Vf - V0)(F +
    R)

The first sum depends on ranks only: 455 flops by 91 hands. Each of the others depends on the flop
and the hand only as seen from f: 2,483 views by 338 classes. So 6,175 boards by rank and 36,608
boards by one suit stand for all 2,598,960, and a flop's 1,176 hands are put together from at most
four rows. Turns are summed in the same way, from 11,531 views, where a game decides there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.mathematics.holdem.arrays import I8, I32, I64, IntArray
from croupier.mathematics.holdem.boards import (
    Ranked,
    board_counts,
    count_sequence,
    flush_sequence,
    lay_out_plain,
    merge_sequences,
)
from croupier.mathematics.holdem.kernel_records import DeckTables
from croupier.mathematics.holdem.kernels import kernel, part, whole
from croupier.mathematics.holdem.numbering import CLASSES, PAIRS, Numbering, sorted_number
from croupier.mathematics.holdem.scatter import (
    ClassRows,
    add_shared,
    scatter_flops,
    scatter_turns,
)
from croupier.mathematics.holdem.showdown_prices import (
    PricedBoards,
    Prices,
    count_columns,
    price_sequence,
)
from croupier.mathematics.holdem.strengths import StrengthTables

__all__ = [
    "PlainValues",
    "RunoutScratch",
    "add_runouts",
    "board_of",
    "new_runout_scratch",
    "others_of",
    "price_plain_boards",
    "price_suited_boards",
    "ranks_of",
    "suited_counts",
]


class PlainValues(NamedTuple):
    """The quantities of every board by rank, as if flushes did not exist."""

    values: I64  # [board, quantity, pair]
    used: I8  # [board, quantity]: is it ever other than 0?


class RunoutScratch(NamedTuple):
    five: I8
    left: I64  # [rank]
    ways: I64  # [pair]


def new_runout_scratch() -> RunoutScratch:
    return RunoutScratch(np.zeros(5, np.int8), np.zeros(13, np.int64), np.zeros(PAIRS, np.int64))


@kernel
def price_plain_boards(
    start: int,
    stop: int,
    tables: DeckTables,
    priced: PricedBoards,
    ranked: Ranked,
    buffer: I64,
    out: PlainValues,
    several: bool | None,
) -> None:
    """Price the boards by rank from `start` to `stop`.

    `ranked` and `buffer` [quantity, class] are scratch space.
    """
    deck, layout, prices, plain = tables.deck, tables.numbering, priced.prices, priced.ranked
    values, used = out.values, out.used
    quantities = values.shape[1]
    for board in range(start, stop):
        if not board_counts(layout.board_ranks[board], deck, ranked.cards):
            continue
        length = lay_out_plain(board, layout, plain, ranked)
        count_sequence(length, prices.qualifier, ranked)
        price_sequence(length, ranked, prices, buffer)
        if several is not None:
            count_columns(length, ranked, prices, buffer, used[board])
        for quantity in range(quantities):
            for place in range(length if used[board, quantity] else 0):
                values[board, quantity, ranked.classes[place]] = buffer[quantity, place]


@kernel
def add_runouts(
    start: int,
    stop: int,
    tables: DeckTables,
    seen: I8,
    plain: PlainValues,
    scratch: RunoutScratch,
    out: I64,
) -> None:
    """The sums over runouts as if there were no flushes: out[ranks seen, quantity, pair].

    `seen` has a row of three ranks for every flop, or of four for every board at the turn.
    """
    deck, choose, layout = tables.deck, tables.strengths.choose, tables.numbering
    values, used = plain.values, plain.used
    five, left, ways = scratch.five, scratch.left, scratch.ways
    known = seen.shape[1]
    for row in range(start, stop):
        for rank in range(13):
            left[rank] = 4 if deck >> rank & 1 else 0
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


@part
def _price_differences(
    length: int,
    board: int,
    layout: Numbering,
    prices: Prices,
    ranked: Ranked,
    plain: PlainValues,
    rows: ClassRows,
    several: bool | None,
) -> None:
    """rows.row = the board's quantities less those that it would have without flushes."""
    values, row, classes, pairs = rows.values, rows.row, ranked.classes, layout.pair
    plain_values, plain_used = plain.values, plain.used
    price_sequence(length, ranked, prices, values)
    if several is not None:
        count_columns(length, ranked, prices, values, rows.used)
    for quantity in range(row.shape[0]):
        first, last = CLASSES, 0
        if not rows.used[quantity] and not plain_used[board, quantity]:
            rows.start[quantity] = rows.stop[quantity] = 0
            continue
        for number in range(CLASSES):
            row[quantity, number] = 0
        for place in range(length):
            number = whole(classes[place])
            difference = values[quantity, place] - plain_values[board, quantity, pairs[number]]
            row[quantity, number] = difference
            if difference != 0:
                first = min(first, number)
                last = max(last, number + 1)
        rows.start[quantity] = first
        rows.stop[quantity] = last


@kernel
def price_suited_boards(
    suits: I32,
    deck_tables: DeckTables,
    priced: PricedBoards,
    plain_values: PlainValues,
    ranked: Ranked,
    rows: ClassRows,
    out: IntArray,
    turns: IntArray | None,
    several: bool | None,
) -> None:
    """Price all boards whose f ranks are one of the masks `suits`: out[view, quantity, class].

    `turns` likewise, by views of four cards, or None where no game decides at the turn. `several`
    is None for a single game: what numba knows to be None, it need not compile. `ranked` and `rows`
    are scratch space.
    """
    deck, tables, layout = deck_tables.deck, deck_tables.strengths, deck_tables.numbering
    prices, plain = priced.prices, priced.ranked
    f, five = ranked.f, ranked.five
    for i in range(len(suits)):
        suited = suits[i]
        count = ranks_of(suited, f)
        flushes = flush_sequence(suited, count, tables, ranked)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            p, q = others_of(x, count, layout)
            if not suited_counts(suited, count, p, q, deck, ranked.cards):
                continue
            board = board_of(f, count, p, q, five, tables)
            length = merge_sequences(count, flushes, board, layout, plain, ranked)
            count_sequence(length, prices.qualifier, ranked)
            _price_differences(length, board, layout, prices, ranked, plain_values, rows, several)
            scatter_flops(f, count, p, q, layout.held, ranked.cards, rows, out)
            if turns is not None:
                scatter_turns(f, count, p, q, layout.held, ranked.cards, rows, turns)
        add_shared(f, count, rows, out)


@part
def ranks_of(suited: int, f: I8) -> int:
    """The ranks of a mask, ascending, into `f`: how many."""
    count = 0
    for rank in range(13):
        if suited >> rank & 1:
            f[count] = rank
            count += 1
    return count


@part
def others_of(x: int, count: int, layout: Numbering) -> tuple[int, int]:
    """The ranks of the board's x cards: case x of 91, 13 or 1. What is not there is 0."""
    if count == 3:
        return whole(layout.high[x]), whole(layout.low[x])
    return x, 0


@part
def board_of(f: I8, count: int, p: int, q: int, five: I8, tables: StrengthTables) -> int:
    """The number, by rank, of a board with these f and x ranks."""
    for i in range(count):
        five[i] = f[i]
    if count < 5:
        five[4] = p
    if count < 4:
        five[3] = q
    return sorted_number(five, tables.choose)


@part
def suited_counts(suited: int, count: int, p: int, q: int, deck: int, cards: I32) -> bool:
    """How many cards of each kind a board with these f ranks (and x ranks p, q) leaves."""
    for rank in range(13):
        present = deck >> rank & 1
        cards[rank] = present - (suited >> rank & 1)
        cards[13 + rank] = 3 * present
    if count < 5:
        cards[13 + p] -= 1
    if count < 4:
        cards[13 + q] -= 1
    possible = True
    for number in range(26):
        possible = possible and cards[number] >= 0
    return possible
