"""Bad Beat: how often a hand of each strength is beaten, player against dealer on one board.

On one board rank the 1,081 hands of two cards and go down from the strongest. Of the n hands of a
strength and the `above` stronger ones, n * above pairs could meet; they cannot where they share a
card. Two different hands share at most one, so card by card the pairs that share it are counted and
taken off. The dealer beats the player as often as the other way round.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.game.paytable_lines import line_tests
from croupier.mathematics.kernels.decorators import kernel, part
from croupier.mathematics.side_wagers.by_strength import canonical_boards, count_runs, runs_of
from croupier.mathematics.side_wagers.enumeration import Masks
from croupier.mathematics.side_wagers.wager_tallies import WagerTally, tally_lines
from croupier.ranking.fast import strengths_on_board
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import EitherHandBeaten

__all__ = ["beaten_by_strength", "tally_beaten"]

TOTAL = comb(52, 5) * comb(47, 2) * comb(45, 2)


def tally_beaten(rules: Rules, settles: EitherHandBeaten) -> WagerTally:
    """Paid on the losing hand of the two, or only on the player's."""
    tests = line_tests(rules, settles)
    beaten = beaten_by_strength()
    sides = 1 if settles.loser == "player_only" else 2
    counted = count_runs(
        runs_of(tests, settles.hand),
        lambda start, stop: sides * int(beaten[start:stop].sum()),
        TOTAL,
    )
    tally = tally_lines(tests, counted)
    # Nothing beaten (a tie, or a beaten side that does not count) loses like a hand without a line.
    idle = TOTAL - sum(counted.by_leaves.values())
    *paid, (hand, pays, lost) = tally.endings
    return WagerTally((*paid, (hand, pays, lost + idle)), TOTAL)


@cache
def beaten_by_strength() -> NDArray[np.int64]:
    """In how many deals the player holds each strength and the dealer a stronger hand."""
    boards, weights = canonical_boards()

    def share(start: int) -> NDArray[np.int64]:
        out = np.zeros(7462, np.int64)
        _beaten(boards[start::8], weights[start::8], out)
        return out

    with ThreadPoolExecutor(2) as pool:
        return np.asarray(np.sum(list(pool.map(share, range(8))), axis=0))


@kernel
def _beaten(boards: Masks, weights: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    found = np.empty(1081, np.uint16)
    number = np.full(7462, -1, np.int64)
    levels = np.empty(1081, np.int64)
    with_card = np.zeros((1081, 47), np.int64)
    for board in range(boards.size):
        strengths_on_board(boards[board], found)
        distinct = _levels(found, number, levels)
        place = 0
        for high in range(1, 47):
            for low in range(high):
                level = number[found[place]]
                with_card[level, high] += 1
                with_card[level, low] += 1
                place += 1
        _sweep(weights[board], distinct, levels, with_card, out)
        for level in range(distinct):
            number[levels[level]] = -1
            for card in range(47):
                with_card[level, card] = 0


@part
def _levels(found: NDArray[np.uint16], number: NDArray[np.int64], levels: NDArray[np.int64]) -> int:
    """The different strengths, strongest first; `number` says which of them a strength is."""
    distinct = 0
    for place in range(found.size):
        if number[found[place]] < 0:
            number[found[place]] = 0
            levels[distinct] = found[place]
            distinct += 1
    _sort_down(levels, distinct)
    for level in range(distinct):
        number[levels[level]] = level
    return distinct


@part
def _sort_down(levels: NDArray[np.int64], count: int) -> None:
    """Shell's way: numba's own sort takes longer to compile than everything here together."""
    gap = count // 2
    while gap > 0:
        for end in range(gap, count):
            level, place = levels[end], end
            while place >= gap and levels[place - gap] < level:
                levels[place] = levels[place - gap]
                place -= gap
            levels[place] = level
        gap //= 2


@part
def _sweep(
    weight: int,
    distinct: int,
    levels: NDArray[np.int64],
    with_card: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    above = 0
    above_with = np.zeros(47, np.int64)
    for level in range(distinct):
        held = 0
        shared = 0
        for card in range(47):
            held += with_card[level, card]
            shared += with_card[level, card] * above_with[card]
            above_with[card] += with_card[level, card]
        held //= 2
        out[levels[level]] += weight * (held * above - shared)
        above += held
