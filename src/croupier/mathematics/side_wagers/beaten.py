"""Bad Beat: how often a hand of each strength is beaten, player against dealer on one board.

On one board rank the hands of two cards, 1,081 of a full deck, and go down from the strongest. Of
the n hands of a strength and the `above` stronger ones, n * above pairs could meet; they cannot
where they share a card. Two different hands share at most one, so card by card the pairs that share
it are counted and taken off. The dealer beats the player as often as the other way round.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.game.paytable_lines import line_tests
from croupier.mathematics.hand_values import ValueTables, deck_mask, strength_in
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.mathematics.side_wagers.by_strength import (
    SevenCardStrengths,
    canonical_boards,
    count_runs,
    runs_of,
    seven_card_strengths,
)
from croupier.mathematics.side_wagers.deals import WagerTally, tally_lines
from croupier.mathematics.side_wagers.enumeration import Masks
from croupier.ranking.fast import strengths_on_board
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import EitherHandBeaten

_SUITS = 1 | 1 << 13 | 1 << 26 | 1 << 39


def tally_beaten(rules: Rules, settles: EitherHandBeaten) -> WagerTally:
    """Paid on the losing hand of the two, or only on the player's."""
    tests = line_tests(rules, settles)
    ranking = ranking_of(rules.book, settles.hand)
    beaten = beaten_by_strength(ranking)
    cards = 4 * len(ranking.ranks)
    total = comb(cards, 5) * comb(cards - 5, 2) * comb(cards - 7, 2)
    sides = 1 if settles.loser == "player_only" else 2
    counted = count_runs(
        runs_of(tests, settles.hand, ranking),
        lambda start, stop: sides * int(beaten[start:stop].sum()),
        total,
    )
    tally = tally_lines(tests, counted)
    # Nothing beaten (a tie, or a beaten side that does not count) loses like a hand without a line.
    idle = total - sum(counted.by_leaves.values())
    *paid, (hand, pays, lost) = tally.endings
    return WagerTally((*paid, (hand, pays, lost + idle)), total)


@cache
def beaten_by_strength(ranking: Ranking) -> NDArray[np.int64]:
    """In how many deals the player holds each strength and the dealer a stronger hand."""
    boards, weights = canonical_boards(ranking)
    deck, strengths = np.uint64(deck_mask(ranking) * _SUITS), seven_card_strengths(ranking)

    def share(start: int) -> NDArray[np.int64]:
        out = np.zeros(strengths.values.size, np.int64)
        _beaten(boards[start::8], weights[start::8], deck, strengths, out)
        return out

    with ThreadPoolExecutor(2) as pool:
        return np.asarray(np.sum(list(pool.map(share, range(8))), axis=0))


@kernel
def _beaten(
    boards: Masks,
    weights: NDArray[np.int64],
    deck: np.uint64,
    strengths: SevenCardStrengths,
    out: NDArray[np.int64],
) -> None:
    unseen = 0
    for card in range(52):
        unseen += whole(deck >> np.uint64(card) & np.uint64(1))
    unseen -= 5
    hands = unseen * (unseen - 1) // 2
    found = np.empty(hands, np.uint16)
    number = np.full(out.size, -1, np.int64)
    levels = np.empty(hands, np.int64)
    with_card = np.zeros((hands, unseen), np.int64)
    for board in range(boards.size):
        if strengths.is_usual:
            strengths_on_board(boards[board], found)
        else:
            _rank_hands(boards[board], deck & ~boards[board], strengths.tables, found)
        distinct = _levels(found, number, levels)
        place = 0
        for high in range(1, unseen):
            for low in range(high):
                level = number[found[place]]
                with_card[level, high] += 1
                with_card[level, low] += 1
                place += 1
        _sweep(weights[board], distinct, levels, with_card, out)
        for level in range(distinct):
            number[levels[level]] = -1
            for card in range(unseen):
                with_card[level, card] = 0


@part
def _rank_hands(
    board: np.uint64, left: np.uint64, tables: ValueTables, out: NDArray[np.uint16]
) -> None:
    """The strengths of every two unseen cards, in the order of `strengths_on_board`."""
    place = 0
    for high in range(52):
        if not left >> np.uint64(high) & np.uint64(1):
            continue
        for low in range(high):
            if left >> np.uint64(low) & np.uint64(1):
                held = board | np.uint64(1) << np.uint64(high) | np.uint64(1) << np.uint64(low)
                out[place] = strength_in(held, tables)
                place += 1


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
    above_with = np.zeros(with_card.shape[1], np.int64)
    for level in range(distinct):
        held = 0
        shared = 0
        for card in range(with_card.shape[1]):
            held += with_card[level, card]
            shared += with_card[level, card] * above_with[card]
            above_with[card] += with_card[level, card]
        held //= 2
        out[levels[level]] += weight * (held * above - shared)
        above += held
