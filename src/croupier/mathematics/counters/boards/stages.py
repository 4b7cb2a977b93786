"""From flops to the deal: what is summed up for every information set.

At the flop and at the turn a hand's quantities are put together from the rows of `sums`. Before the
flop, sums run over all flops; they are accumulated in two halves of 32 bits and joined in Python's
integers, so no payoff is too large for them.
"""

from __future__ import annotations

import numpy as np

from croupier.mathematics.counters.boards.geometry import Flops, FlopViews
from croupier.mathematics.counters.boards.kernel_records import HandRows, RunoutSums
from croupier.mathematics.counters.boards.numbering import (
    THREE_F,
    TURN_FOUR_F,
    TURN_THREE_F,
    TWO_F,
    four_number,
    pair_number,
    three_number,
    two_number,
)
from croupier.mathematics.counters.boards.strengths import StrengthTables
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64
from croupier.mathematics.kernels.decorators import kernel, part, standalone_kernel, whole

__all__ = [
    "flop_rows",
    "gather_flops",
    "gather_turns",
    "new_stage_scratch",
    "total_up",
    "turn_rows",
]


def new_stage_scratch() -> I64:
    """Four numbers each: suits, views of them, ranks in a suit, ranks outside, sums.

    Kernels are given scratch space instead of making it: numba compiles every `np.zeros` for long.
    """
    return np.zeros((5, 4), np.int64)


@part
def flop_rows(cards: I8, tables: StrengthTables, scratch: I64) -> tuple[int, int]:
    """A flop's number by rank, and the suits on it with its views from each: how many. Of
    canonical flops `geometry.flop_views` has them ready.

    Both are left in the first two rows of `scratch` (`new_stage_scratch`).
    """
    suits, views, f, x = scratch[0], scratch[1], scratch[2], scratch[3]
    found = 0
    for suit in range(4):
        ins = _split(cards, suit, f, x)
        if ins == 0:
            continue
        if ins == 1:
            view = 91 * f[0] + pair_number(x[0], x[1])
        elif ins == 2:
            view = TWO_F + 13 * two_number(f[0], f[1]) + x[0]
        else:
            view = THREE_F + three_number(f[0], f[1], f[2])
        suits[found] = suit
        views[found] = view
        found += 1
    return _rank_number(cards, tables, f, x), found


@part
def _split(cards: I8, suit: int, f: I64, x: I64) -> int:
    """The ranks of a suit's cards and of the others, each ascending: how many the suit has."""
    ins = 0
    outs = 0
    for rank in range(13):
        for place in range(len(cards)):
            card = whole(cards[place])
            if card % 13 == rank and card // 13 == suit:
                f[ins] = rank
                ins += 1
            elif card % 13 == rank:
                x[outs] = rank
                outs += 1
    return ins


@part
def _rank_number(cards: I8, tables: StrengthTables, f: I64, x: I64) -> int:
    """The number of the multiset of the cards' ranks."""
    _split(cards, 4, f, x)  # of no suit: all are outside
    number = 0
    for place in range(len(cards)):
        number += tables.choose[x[place] + place, place + 1]
    return number


@standalone_kernel
def gather_flops(
    start: int,
    stop: int,
    flops: Flops,
    seen: FlopViews,
    rows: HandRows,
    sums: RunoutSums,
    out: I64,
) -> None:
    """One quantity for all pairs of the flops from `start` to `stop`."""
    classes, pairs = rows.classes, rows.pairs
    plain, suited = sums.plain, sums.suited
    for flop in range(start, stop):
        ranks, count = seen.ranks[flop], seen.suit_count[flop]
        suits, views = seen.suits[flop], seen.views[flop]
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = flops.hand[pair]
            total = plain[ranks, pairs[hand]]
            for i in range(count):
                total += suited[views[i], classes[suits[i], hand]]
            out[pair] = total


@part
def turn_rows(cards: I8, tables: StrengthTables, scratch: I64) -> tuple[int, int]:
    """As `flop_rows` for four cards: only suits with two or more of them can still make a flush."""
    suits, views, f, x = scratch[0], scratch[1], scratch[2], scratch[3]
    found = 0
    for suit in range(4):
        ins = _split(cards, suit, f, x)
        if ins < 2:
            continue
        if ins == 2:
            view = 91 * two_number(f[0], f[1]) + pair_number(x[0], x[1])
        elif ins == 3:
            view = TURN_THREE_F + 13 * three_number(f[0], f[1], f[2]) + x[0]
        else:
            view = TURN_FOUR_F + four_number(f, 4)
        suits[found] = suit
        views[found] = view
        found += 1
    return _rank_number(cards, tables, f, x), found


@kernel
def gather_turns(
    start: int,
    stop: int,
    boards: I8,
    starts: I32,
    hands: I16,
    rows: HandRows,
    sums: RunoutSums,
    scratch: I64,
    out: I64,
) -> None:
    """All quantities for the situations of the boards of four cards from `start` to `stop`."""
    tables, classes, pairs = rows.strengths, rows.classes, rows.pairs
    plain, suited = sums.plain, sums.suited
    suits, views = scratch[0], scratch[1]
    for board in range(start, stop):
        ranks, count = turn_rows(boards[board], tables, scratch)
        for situation in range(starts[board], starts[board + 1]):
            hand = hands[situation]
            for quantity in range(len(out)):
                total = plain[quantity, ranks, pairs[hand]]
                for i in range(count):
                    total += suited[quantity, views[i], classes[suits[i], hand]]
                out[quantity, situation - starts[start]] = total


@standalone_kernel
def total_up(
    start: int,
    stop: int,
    flops: Flops,
    seen: int,
    number: I32,
    values: tuple[I64, I64, I64],
    halves: I64,
) -> None:
    """Sum three quantities over orbits, by what was seen before the flop.

    halves[orbit, 0..5] = high and low halves of the three.
    """
    a, b, c = values
    for flop in range(start, stop):
        cards = flops.cards[flop]
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = whole(flops.hand[pair])
            orbit = whole(flops.orbit[pair])
            for i in range(1 if seen == 0 else 3):
                row = halves[number[_seen_before(hand, cards, seen, i)]]
                row[0] += orbit * (a[pair] >> 32)
                row[1] += orbit * (a[pair] & 0xFFFFFFFF)
                row[2] += orbit * (b[pair] >> 32)
                row[3] += orbit * (b[pair] & 0xFFFFFFFF)
                row[4] += orbit * (c[pair] >> 32)
                row[5] += orbit * (c[pair] & 0xFFFFFFFF)


@part
def _seen_before(hand: int, cards: I8, seen: int, i: int) -> int:
    """A hand with the flop's card i, or with the two from i on, as `geometry.Orbits` counts."""
    if seen == 0:
        return hand
    if seen == 1:
        return hand * 52 + whole(cards[i])
    return hand * 1326 + two_number(whole(cards[i]), whole(cards[(i + 1) % 3]))
