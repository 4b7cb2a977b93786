"""Showdowns by how strong the dealer is: the outcome table with finer marks.

Thresholds cut the dealer's strengths into bins. They cost little: the sweep that counts unqualified
opponents counts those under any other threshold in the same way, and what a hand beats of the bin
it lies in itself follows from its wins and ties.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.mathematics.counters.boards.boards import Ranked, count_sequence
from croupier.mathematics.kernels.arrays import I8, I16, I32, I64
from croupier.mathematics.kernels.decorators import part, whole

__all__ = ["Cuts", "count_below", "tabulate_cells"]


class Cuts(NamedTuple):
    """What tells deals apart, and space to count in."""

    ranked: Ranked
    thresholds: I64  # of the dealer's strength, ascending
    qualifier: int  # the qualifier's place among them
    interval: I16  # [own strength]
    plain_boards: I8  # the kind of a board by its ranks
    flush_boards: I8  # and by its mask where all five cards are of one suit
    below: I32  # [threshold, place]: opponents under it
    under: I64  # their sums for one strength


@part
def count_below(length: int, cuts: Cuts) -> None:
    """Sweep once for each threshold; the qualifier's count stays in `ranked`."""
    thresholds, below, ranked = cuts.thresholds, cuts.below, cuts.ranked
    for i in range(len(thresholds)):
        t = i if i < cuts.qualifier else i + 1  # the qualifier comes last
        if i + 1 == len(thresholds):
            t = cuts.qualifier
        count_sequence(length, thresholds[t], ranked)
        for place in range(length):
            below[t, place] = ranked.unqualified[place]


@part
def tabulate_cells(
    length: int,
    opponents: int,
    choices: I8,
    deals: I32,
    kinds: int,
    cuts: Cuts,
    table: I64,
) -> None:
    """table[ending x label, interval, 3 * bin + result] += deals[ending x label, class] * hands.

    One strength at a time, as in the outcome table.
    """
    thresholds, interval, below, under = cuts.thresholds, cuts.interval, cuts.below, cuts.under
    ranked, strengths, classes = cuts.ranked, cuts.ranked.strengths, cuts.ranked.classes
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
            for t in range(bins - 1):
                under[t] = 0
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
