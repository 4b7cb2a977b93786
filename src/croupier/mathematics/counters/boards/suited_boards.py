"""Boards on which one suit can make a flush: their cards, and how they are numbered."""

from __future__ import annotations

from typing import Final

from croupier.mathematics.counters.boards.numbering import (
    Numbering,
    four_number,
    pair_number,
    sorted_number,
    three_number,
)
from croupier.mathematics.counters.boards.strengths import StrengthTables
from croupier.mathematics.kernels.arrays import I8, I32
from croupier.mathematics.kernels.decorators import part, whole

__all__ = [
    "SUITED_BOARDS",
    "board_of",
    "others_of",
    "ranks_of",
    "suited_board_number",
    "suited_counts",
]

SUITED_BOARDS: Final = 36_608


@part
def suited_board_number(f: I8, count: int, p: int, q: int) -> int:
    """Boards by suit: 286 * 91 with three f cards, 715 * 13 with four, 1,287 with five."""
    if count == 3:
        return 91 * three_number(whole(f[0]), whole(f[1]), whole(f[2])) + pair_number(p, q)
    if count == 4:
        return 26026 + 13 * four_number(f, 4) + p
    n = whole(f[4])
    return 35321 + four_number(f, 4) + n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120


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
