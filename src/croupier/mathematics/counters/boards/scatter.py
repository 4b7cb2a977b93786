"""A board's row of quantities, added to the flops (and turns) that it may have come from.

A hand's own cards thin out the runouts. An f card of the runout cannot be in the hand (it is
unique: such classes are absent from the board); an x kind with n cards left after the flop leaves n
- j when the hand holds j of them. The row of a board is multiplied by that count before it is
added.

Boards with the same f ranks share most of their flops. What they have for a flop with given x cards
is summed first (`shared`), and added to the flops with `add_shared` when all of them have been
priced.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    THREE_F,
    TURN_FOUR_F,
    TURN_THREE_F,
    TWO_F,
    four_number,
    pair_number,
    three_number,
    two_number,
)
from croupier.mathematics.kernels.arrays import I8, I32, I64, IntArray
from croupier.mathematics.kernels.decorators import part

__all__ = [
    "NO_X",
    "ClassRows",
    "add_shared",
    "new_rows",
    "scatter_flops",
    "scatter_turns",
    "ways_of_one",
    "ways_of_two",
]


NO_X: Final = 13
"""In place of an x rank: no x card is on the flop."""


class ClassRows(NamedTuple):
    """Scratch: a board's quantities, and the span of classes in which each is not zero."""

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
    """The row times `ways`."""
    for quantity in range(rows.row.shape[0]):
        start, stop = rows.start[quantity], rows.stop[quantity]
        target, source = out[view, quantity, start:stop], rows.row[quantity, start:stop]
        ways = rows.ways[start:stop]
        for i in range(len(target)):
            target[i] += source[i] * ways[i]


@part
def ways_of_one(p: int, held_of: I32, cards: I32, ways: I32) -> None:
    """The cards of x rank p that the flop and the hand leave, by the hand's class."""
    held, left = held_of[p], cards[13 + p] + 1
    for number in range(CLASSES):
        ways[number] = left - held[number]


@part
def ways_of_two(p: int, q: int, held_of: I32, cards: I32, ways: I32) -> None:
    """The ways to deal x ranks p and q as turn and river."""
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

    Those with two or three f cards of three, and with three of four, are added with `add_shared`.
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
    """Add what all boards with these f ranks have in common, and forget it."""
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
