"""Tables of sets of cards under exchange of suits, and how they grow by one card.

A row is what is known of the cards seen: for each suit the ranks held in each of a few groups,
thirteen bits a group, and the number of what complete hands came to. Suits that nothing tells apart
are in descending order, so rows that are alike are one. Rows are found by an open hash table, which
compares whole rows: nothing rests on a hash alone.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.kernels.decorators import kernel, part

__all__ = [
    "EMPTY",
    "MOST_GROUPS",
    "CardTable",
    "Rows",
    "find_row",
    "grow",
    "regroup",
    "spread_children",
    "sum_children",
]

MOST_GROUPS: Final = 4
"""Four times thirteen bits fit beside each other."""
_MOST_ROWS: Final = 10_000_000
_MOST_CHILDREN: Final = 120_000_000
Rows: TypeAlias = NDArray[np.int64]
"""[row, 5]: the four suits, and the number of the results."""
Slots: TypeAlias = NDArray[np.int64]
EMPTY: Final = np.zeros((1, 5), np.int64)


class CardTable(NamedTuple):
    """Rows with their hash table: `slots` has the number of a row, or -1."""

    rows: Rows
    slots: Slots


def too_many() -> Unsolvable:
    return Unsolvable(
        "the main game cannot be solved exactly: its hands and decisions tell more sets of cards "
        "apart than can be gone through; fewer cards, or fewer different hands, could be"
    )


@part
def _ordered(row: NDArray[np.int64], blocks: NDArray[np.int64]) -> None:
    """Puts suits that nothing tells apart into descending order."""
    for place in range(1, 4):
        at = place
        while at > 0 and blocks[at] == blocks[at - 1] and row[at] > row[at - 1]:
            row[at], row[at - 1] = row[at - 1], row[at]
            at -= 1


@part
def _hash(row: NDArray[np.int64]) -> int:
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for column in range(5):
        mixed ^= np.uint64(row[column])
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(31)
    return int(mixed >> np.uint64(1))


@part
def _slot_of(row: NDArray[np.int64], rows: Rows, slots: Slots) -> int:
    """Where the row stands in the hash table, or would."""
    mask = slots.size - 1
    at = _hash(row) & mask
    while slots[at] >= 0:
        other = rows[slots[at]]
        if (
            other[0] == row[0]
            and other[1] == row[1]
            and other[2] == row[2]
            and other[3] == row[3]
            and other[4] == row[4]
        ):
            return at
        at = (at + 1) & mask
    return at


@part
def _larger(rows: Rows, count: int) -> tuple[Rows, Slots]:
    """The same rows with room for as many again."""
    more = np.zeros((4 * rows.shape[0], 5), np.int64)
    more[:count] = rows[:count]
    slots = np.full(2 * more.shape[0], -1, np.int64)
    for number in range(count):
        slots[_slot_of(more[number], more, slots)] = number
    return more, slots


@kernel
def _grow(
    rows: Rows,
    shift: int,
    ranks: NDArray[np.int64],
    blocks: NDArray[np.int64],
    children: NDArray[np.int32],
    most: int,
) -> tuple[Rows, Slots, int]:
    """Adds every card to every row; `children` gets the numbers of the rows that come of it."""
    found = np.zeros((1024, 5), np.int64)
    slots = np.full(2048, -1, np.int64)
    count = 0
    row = np.zeros(5, np.int64)
    for parent in range(rows.shape[0]):
        for suit in range(4):
            held = rows[parent, suit]
            held |= held >> 13 | held >> 26 | held >> 39
            for place in range(ranks.size):
                column = suit * ranks.size + place
                if held >> ranks[place] & 1:
                    children[parent, column] = -1
                    continue
                row[:] = rows[parent]
                row[suit] |= 1 << ranks[place] + shift
                _ordered(row, blocks)
                at = _slot_of(row, found, slots)
                if slots[at] < 0:
                    if count == most:
                        return found, slots, -1
                    if count == found.shape[0]:
                        found, slots = _larger(found, count)
                        at = _slot_of(row, found, slots)
                    found[count] = row
                    slots[at] = count
                    count += 1
                children[parent, column] = slots[at]
    return found, slots, count


def grow(
    rows: Rows, group: int, ranks: NDArray[np.int64], blocks: NDArray[np.int64]
) -> tuple[CardTable, NDArray[np.int32]]:
    """All rows with one more card in a group, and for every row and card the number of the row
    that it leads to (-1: it is held already)."""
    if rows.shape[0] * 4 * ranks.size > _MOST_CHILDREN:
        raise too_many()
    children = np.empty((rows.shape[0], 4 * ranks.size), np.int32)
    found, slots, count = _grow(rows, 13 * group, ranks, blocks, children, _MOST_ROWS)
    if count < 0:
        raise too_many()
    return CardTable(found[:count].copy(), slots), children


@kernel
def _regroup(
    rows: Rows,
    results: NDArray[np.int64],
    groups: NDArray[np.int64],
    blocks: NDArray[np.int64],
    numbers: NDArray[np.int32],
) -> tuple[Rows, Slots, int]:
    found = np.zeros((1024, 5), np.int64)
    slots = np.full(2048, -1, np.int64)
    count = 0
    row = np.zeros(5, np.int64)
    for number in range(rows.shape[0]):
        for suit in range(4):
            row[suit] = 0
            for group in range(groups.size):
                if groups[group] < 0:
                    continue
                row[suit] |= (rows[number, suit] >> 13 * group & 8191) << 13 * groups[group]
        row[4] = results[number]
        _ordered(row, blocks)
        at = _slot_of(row, found, slots)
        if slots[at] < 0:
            if count == found.shape[0]:
                found, slots = _larger(found, count)
                at = _slot_of(row, found, slots)
            found[count] = row
            slots[at] = count
            count += 1
        numbers[number] = slots[at]
    return found, slots, count


def regroup(
    rows: Rows,
    results: NDArray[np.int64],
    groups: NDArray[np.int64],
    blocks: NDArray[np.int64],
) -> tuple[CardTable, NDArray[np.int32]]:
    """The rows with their groups renamed (-1: forgotten) and new results, alike ones together; and
    where each of the old ones is now."""
    numbers = np.empty(rows.shape[0], np.int32)
    found, slots, count = _regroup(rows, results, groups, blocks, numbers)
    return CardTable(found[:count].copy(), slots), numbers


@kernel
def find_row(row: NDArray[np.int64], blocks: NDArray[np.int64], rows: Rows, slots: Slots) -> int:
    """The number of a row whose suits may be in any order, -1 where there is none."""
    _ordered(row, blocks)
    return int(slots[_slot_of(row, rows, slots)])


@kernel
def sum_children(
    children: NDArray[np.int32], values: NDArray[np.int64], out: NDArray[np.int64]
) -> None:
    """For every row and column the sum of the values of what may come."""
    for row in range(children.shape[0]):
        for place in range(children.shape[1]):
            child = children[row, place]
            if child >= 0:
                for column in range(values.shape[1]):
                    out[row, column] += values[child, column]


@kernel
def spread_children(
    children: NDArray[np.int32], weights: NDArray[np.int64], out: NDArray[np.int64]
) -> None:
    """Every row hands its weight to each row that may come."""
    for row in range(children.shape[0]):
        if weights[row]:
            for place in range(children.shape[1]):
                child = children[row, place]
                if child >= 0:
                    out[child] += weights[row]
