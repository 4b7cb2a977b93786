"""From boards to the flops and turns that they may have come from, and back.

A board's row of quantities is added to its flops (and turns). A hand's own cards thin out the
runouts. An f card of the runout cannot be in the hand (it is unique: such classes are absent from
the board); an x kind with n cards left after the flop leaves n - j when the hand holds j of them.
The row of a board is multiplied by that count before it is added. Boards with the same f ranks
share most of their flops: what they have for a flop with given x cards is summed first (`shared`),
and added to the flops with `add_shared` when all of them have been priced.

The same rows and multiplicities, read the other way, carry counts from flops to boards: for every
board and class of hands, how many deals (hand, flop, turn and river, in every order that the game
distinguishes) have ended their betting in each way before the river. Deals that come to a decision
at the turn undecided go from flops to boards of four cards, and from there to boards of five.

Counts are of 32 bits: a board by suit stands for at most 36 boards, a class for at most 9 hands,
and 10 flops in 6 orders, with turn and river in 2, make 38,880; a board by rank for at most 1,024,
with 16 hands 1,966,080. With the counts of `counted_boards` that is the whole outcome table, at the
cost of another solve.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.geometry import Turns
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    THREE_F,
    TURN_FOUR_F,
    TURN_THREE_F,
    TWO_F,
    Numbering,
    StrengthTables,
    four_number,
    pair_number,
    three_number,
    two_number,
)
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64, U8, IntArray
from croupier.mathematics.kernels.decorators import kernel, part, whole

NO_X: Final = 13
"""In place of an x rank: no x card is on the flop."""


class ClassRows(NamedTuple):
    """Scratch space: a board's quantities, and the span of classes in which each is not zero."""

    values: I64  # in order of the sequence
    row: IntArray  # by class, less what they are without flushes
    shared: IntArray  # [x rank of the flop, or NO_X, quantity, class]: sums over boards
    ways: I32
    start: I64
    stop: I64
    used: I8
    f: I8  # the board's f ranks
    cards: I32  # how many of each kind of card are left


def new_rows(quantities: int, like: IntArray) -> ClassRows:
    return ClassRows(
        np.zeros((quantities, CLASSES), np.int64),
        np.zeros((quantities, CLASSES), like.dtype),
        np.zeros((NO_X + 1, quantities, CLASSES), like.dtype),
        np.zeros(CLASSES, np.int32),
        np.zeros(quantities, np.int64),
        np.zeros(quantities, np.int64),
        np.ones(quantities, np.int8),
        np.zeros(5, np.int8),
        np.zeros(26, np.int32),
    )


@part
def _add(out: IntArray, view: int, rows: ClassRows) -> None:
    for quantity in range(rows.row.shape[0]):
        start, stop = rows.start[quantity], rows.stop[quantity]
        target, source = out[view, quantity, start:stop], rows.row[quantity, start:stop]
        for i in range(len(target)):
            target[i] += source[i]


@part
def _add_times(out: IntArray, view: int, rows: ClassRows) -> None:
    """Add the row times `ways`."""
    for quantity in range(rows.row.shape[0]):
        start, stop = rows.start[quantity], rows.stop[quantity]
        target, source = out[view, quantity, start:stop], rows.row[quantity, start:stop]
        ways = rows.ways[start:stop]
        for i in range(len(target)):
            target[i] += source[i] * ways[i]


@part
def ways_of_one(p: int, held_of: I32, cards: I32, ways: I32) -> None:
    """Write how many cards of x rank p the flop and the hand leave, by the hand's class."""
    held, left = held_of[p], cards[13 + p] + 1
    for number in range(CLASSES):
        ways[number] = left - held[number]


@part
def ways_of_two(p: int, q: int, held_of: I32, cards: I32, ways: I32) -> None:
    """Write how many ways there are to deal x ranks p and q as turn and river, by the
    hand's class."""
    held, others = held_of[p], held_of[q]
    if p == q:
        left = cards[13 + p] + 2
        for number in range(CLASSES):
            n = left - held[number]
            ways[number] = (n * (n - 1)) >> 1
    else:
        left, right = cards[13 + p] + 1, cards[13 + q] + 1
        for number in range(CLASSES):
            ways[number] = (left - held[number]) * (right - others[number])


@part
def scatter_flops(
    f: I8, count: int, p: int, q: int, held: I32, cards: I32, rows: ClassRows, out: IntArray
) -> None:
    """Add a board's row to the views of its ten flops: f ranks ascending, then x ranks p and q.

    Flops with two or three f cards out of three, and with three out of four, are added with
    `add_shared`.
    """
    if count == 5:
        for i in range(5):
            for j in range(i + 1, 5):
                for k in range(j + 1, 5):
                    _add(out, THREE_F + three_number(f[i], f[j], f[k]), rows)
    elif count == 4:
        for i in range(4):
            for j in range(i + 1, 4):
                _add(out, TWO_F + 13 * two_number(f[i], f[j]) + p, rows)
        ways_of_one(p, held, cards, rows.ways)
        _add_times(rows.shared, NO_X, rows)
    else:
        for i in range(3):
            _add(out, 91 * f[i] + pair_number(p, q), rows)
        for turned, kept in ((p, q), (q, p)):
            ways_of_one(turned, held, cards, rows.ways)
            _add_times(rows.shared, kept, rows)
            if p == q:
                break
        ways_of_two(p, q, held, cards, rows.ways)
        _add_times(rows.shared, NO_X, rows)


@part
def add_shared(f: I8, count: int, rows: ClassRows, out: IntArray) -> None:
    """Add what all boards with these f ranks have in common, and clear it."""
    if count == 5:
        return
    for i in range(count):
        for j in range(i + 1, count):
            for x in range(13 if count == 3 else 0):
                _add_whole(out[TWO_F + 13 * two_number(f[i], f[j]) + x], rows.shared[x])
            for k in range(j + 1, count):
                view = THREE_F + three_number(f[i], f[j], f[k])
                _add_whole(out[view], rows.shared[NO_X])
    for x in range(0 if count == 3 else NO_X, NO_X + 1):
        for quantity in range(rows.shared.shape[1]):
            for number in range(CLASSES):
                rows.shared[x, quantity, number] = 0


@part
def _add_whole(out: IntArray, sums: IntArray) -> None:
    for quantity in range(out.shape[0]):
        target, source = out[quantity], sums[quantity]
        for number in range(CLASSES):
            target[number] += source[number]


@part
def scatter_turns(
    f: I8, count: int, p: int, q: int, held: I32, cards: I32, rows: ClassRows, out: IntArray
) -> None:
    """Add a board's row to the views of the five boards that it may have been at the turn."""
    if count == 5:
        for i in range(5):
            _add(out, TURN_FOUR_F + four_number(f, i), rows)
    elif count == 4:
        for i in range(4):
            for j in range(i + 1, 4):
                for k in range(j + 1, 4):
                    _add(out, TURN_THREE_F + 13 * three_number(f[i], f[j], f[k]) + p, rows)
        ways_of_one(p, held, cards, rows.ways)
        _add_times(out, TURN_FOUR_F + four_number(f, 4), rows)
    else:
        for i in range(3):
            for j in range(i + 1, 3):
                _add(out, 91 * two_number(f[i], f[j]) + pair_number(p, q), rows)
        for turned, kept in ((p, q), (q, p)):
            ways_of_one(turned, held, cards, rows.ways)
            _add_times(out, TURN_THREE_F + 13 * three_number(f[0], f[1], f[2]) + kept, rows)
            if p == q:
                break


class Arrivals(NamedTuple):
    """Deals by how their betting has ended (and by label), on the way to the river.

    Without a decision at the turn all rows are in the first two arrays. With one they hold the
    deals that ended at the flop or before; the rows after them, ended at the turn and undecided,
    are in the others, which are None if nothing is decided there: kernels are then compiled without
    them.
    """

    flop_ranks: I32  # [flop by rank, row, pair]
    flop_views: I32  # [view, row, class]
    turn_ranks: I32 | None = None  # [board of four by rank, row, pair]
    turn_views: I32 | None = None  # [view of four, row, class]


@kernel
def count_at_turns(
    start: int, stop: int, turns: Turns, images: I16, pair_of: I32, undecided: I8, out: I64
) -> None:
    """Count how many deals of hand, flop and turn come to the situations of some boards;
    `undecided` has the orders of the flop by pair."""
    for board in range(start, stop):
        for situation in range(turns.start[board], turns.start[board + 1]):
            orders = 0
            for last in range(4):
                hand = images[turns.exchange[board, last], turns.hand[situation]]
                orders += undecided[pair_of[turns.flop[board, last], hand]]
            out[situation - turns.start[start]] = orders * turns.orbit[situation]


@part
def _collect(view: int, source: I32, target: I32) -> None:
    for row in range(target.shape[0]):
        a, b = target[row], source[view, row]
        for i in range(len(a)):
            a[i] += b[i]


@part
def _collect_times(ways: I32, source: I32, target: I32) -> None:
    for row in range(target.shape[0]):
        a, b = target[row], source[row]
        for i in range(len(a)):
            a[i] += b[i] * ways[i]


@part
def _clear(counts: I32) -> None:
    for row in range(counts.shape[0]):
        for i in range(counts.shape[1]):
            counts[row, i] = 0


@part
def _double(counts: I32) -> None:
    # Element by element: numba compiles `counts *= 2` for seven seconds.
    for row in range(counts.shape[0]):
        for i in range(counts.shape[1]):
            counts[row, i] *= 2


@part
def collect_shared(f: I8, count: int, arrivals: Arrivals, shared: I32) -> None:
    """Write shared[x rank of the flop, or NO_X, row, class]: what all boards with these f ranks
    have in common; call it before `arrive_at_suited_board`, once for all of them."""
    if count == 5:
        return
    views = arrivals.flop_views
    early = views.shape[1]
    for x in range(0 if count == 3 else NO_X, NO_X + 1):
        _clear(shared[x, :early])
    for i in range(count):
        for j in range(i + 1, count):
            for x in range(13 if count == 3 else 0):
                _collect(TWO_F + 13 * two_number(f[i], f[j]) + x, views, shared[x, :early])
            for k in range(j + 1, count):
                view = THREE_F + three_number(f[i], f[j], f[k])
                _collect(view, views, shared[NO_X, :early])


@part
def arrive_at_suited_board(
    f: I8,
    count: int,
    p: int,
    q: int,
    layout: Numbering,
    cards: I32,
    arrivals: Arrivals,
    shared: I32,
    ways: I32,
    out: I32,
) -> None:
    """Write out[row, class]: deals at this board; f ranks ascending, then x ranks p and q."""
    early, held = arrivals.flop_views.shape[1], layout.held
    _clear(out)
    _from_flops(f, count, p, q, held, cards, arrivals.flop_views, shared, ways, out[:early])
    _from_turns(f, count, p, q, held, cards, arrivals.turn_views, ways, early, out)


@part
def _from_turns(
    f: I8,
    count: int,
    p: int,
    q: int,
    held: I32,
    cards: I32,
    suited: I32 | None,
    ways: I32,
    early: int,
    out: I32,
) -> None:
    """Add what comes from the five boards of four cards, if the turn decides: `scatter_turns`
    transposed."""
    if suited is not None and suited.shape[1]:
        _double(out[:early])  # turn and river in either order
        late = out[early:]
        if count == 5:
            for i in range(5):
                _collect(TURN_FOUR_F + four_number(f, i), suited, late)
        elif count == 4:
            for i in range(4):
                for j in range(i + 1, 4):
                    for k in range(j + 1, 4):
                        view = TURN_THREE_F + 13 * three_number(f[i], f[j], f[k]) + p
                        _collect(view, suited, late)
            ways_of_one(p, held, cards, ways)
            _collect_times(ways, suited[TURN_FOUR_F + four_number(f, 4)], late)
        else:
            for i in range(3):
                for j in range(i + 1, 3):
                    _collect(91 * two_number(f[i], f[j]) + pair_number(p, q), suited, late)
            for turned, kept in ((p, q), (q, p)):
                ways_of_one(turned, held, cards, ways)
                view = TURN_THREE_F + 13 * three_number(f[0], f[1], f[2]) + kept
                _collect_times(ways, suited[view], late)
                if p == q:
                    break


@part
def _from_flops(
    f: I8,
    count: int,
    p: int,
    q: int,
    held: I32,
    cards: I32,
    suited: I32,
    shared: I32,
    ways: I32,
    out: I32,
) -> None:
    """Add what comes from the ten flops: `scatter_flops` transposed."""
    early = len(out)
    if count == 5:
        for i in range(5):
            for j in range(i + 1, 5):
                for k in range(j + 1, 5):
                    _collect(THREE_F + three_number(f[i], f[j], f[k]), suited, out)
    elif count == 4:
        for i in range(4):
            for j in range(i + 1, 4):
                _collect(TWO_F + 13 * two_number(f[i], f[j]) + p, suited, out)
        ways_of_one(p, held, cards, ways)
        _collect_times(ways, shared[NO_X, :early], out)
    else:
        for i in range(3):
            _collect(91 * f[i] + pair_number(p, q), suited, out)
        for turned, kept in ((p, q), (q, p)):
            ways_of_one(turned, held, cards, ways)
            _collect_times(ways, shared[kept, :early], out)
            if p == q:
                break
        ways_of_two(p, q, held, cards, ways)
        _collect_times(ways, shared[NO_X, :early], out)


@part
def arrive_at_plain_board(
    ranks: I8, cards: I32, tables: StrengthTables, layout: Numbering, arrivals: Arrivals, out: I32
) -> None:
    """Write out[row, pair]: deals at all boards of these ranks, whatever their suits."""
    early, choose, high, low = arrivals.flop_ranks.shape[1], tables.choose, layout.high, layout.low
    _clear(out)
    _from_rank_flops(ranks, cards, choose, high, low, arrivals.flop_ranks, out[:early])
    _from_rank_turns(ranks, cards, choose, high, low, arrivals.turn_ranks, early, out)


@part
def _from_rank_turns(
    ranks: I8,
    cards: I32,
    choose: I32,
    high: U8,
    low: U8,
    plain: I32 | None,
    early: int,
    out: I32,
) -> None:
    if plain is not None and plain.shape[1]:
        _double(out[:early])
        for i in range(5):
            river = ranks[i]
            if i > 0 and ranks[i - 1] == river:
                continue
            turn = 0
            for place in range(4):
                turn += choose[ranks[place if place < i else place + 1] + place, place + 1]
            for pair in range(PAIRS):
                top, bottom = high[pair], low[pair]
                ways = whole(cards[river]) + 1 - (top == river) - (bottom == river)
                for row in range(early, out.shape[0]):
                    out[row, pair] += ways * plain[turn, row - early, pair]


@part
def _from_rank_flops(
    ranks: I8, cards: I32, choose: I32, high: U8, low: U8, plain: I32, out: I32
) -> None:
    for i in range(5):
        for j in range(i + 1, 5):
            a, b = ranks[i], ranks[j]
            repeat_of_first = i > 0 and ranks[i - 1] == a
            repeat_of_second = j > i + 1 and ranks[j - 1] == b
            if repeat_of_second or repeat_of_first:
                continue
            flop = place = 0
            for k in range(5):
                if k != i and k != j:  # noqa: PLR1714
                    flop += choose[ranks[k] + place, place + 1]
                    place += 1
            for pair in range(PAIRS):
                top, bottom = high[pair], low[pair]
                n = whole(cards[a]) + (2 if a == b else 1) - (top == a) - (bottom == a)
                if a == b:
                    ways = n * (n - 1) // 2
                else:
                    ways = n * (cards[b] + 1 - (top == b) - (bottom == b))
                for row in range(out.shape[0]):
                    out[row, pair] += ways * plain[flop, row, pair]
