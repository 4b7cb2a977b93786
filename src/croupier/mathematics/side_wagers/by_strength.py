"""Wagers on hands of several people: paytables read from strengths, and hands that are beaten.

Who is beaten or who is highest depends on strength alone; so does the line that pays, except for
the suit of a flush. No suit is better than another, so of the deals in which such a hand has a
given strength a quarter falls to each suit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.game.paytable_lines import Leaf, LineTests, line_tests
from croupier.mathematics.hand_values import (
    Masks,
    ValueTables,
    deck_mask,
    strength_in,
    subsets,
    value_tables,
)
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.kernels.decorators import kernel, part, whole
from croupier.mathematics.side_wagers.columns import Columns, bits_of, codes_of, is_usual
from croupier.mathematics.side_wagers.deals import Counted, WagerTally, tally_lines
from croupier.ranking.built_in import built_in
from croupier.ranking.categories import CATEGORIES
from croupier.ranking.fast import strengths_on_board
from croupier.ranking.lookup_tables import VALUES
from croupier.ranking.ranking import Ranking
from croupier.rulebooks.rankings import ranking_of
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import EitherHandBeaten

USUAL: Final = built_in("five_card")
_CARDS: Final = 7


class SevenCardStrengths(NamedTuple):
    """The values of seven cards, lowest first, each at the index that is its strength, and the
    strengths by ranks and by suit. The usual ranking has an evaluator of its own."""

    values: NDArray[np.int64]
    tables: ValueTables
    is_usual: bool


@cache
def seven_card_strengths(ranking: Ranking) -> SevenCardStrengths:
    tables = value_tables(ranking, _CARDS)
    values = VALUES.astype(np.int64)
    if not is_usual(ranking):
        held = np.concatenate([tables.ranks, tables.suit])
        values = np.unique(held[held >= 0]).astype(np.int64)
    by_ranks, by_suit = (
        np.where(table >= 0, np.searchsorted(values, table), -1).astype(np.int32)
        for table in (tables.ranks, tables.suit)
    )
    return SevenCardStrengths(
        values, ValueTables(by_ranks, by_suit, tables.choose), is_usual(ranking)
    )


class Run(NamedTuple):
    """Strengths from `start` up to `stop` for which the same leaves hold, suit by suit."""

    start: int
    stop: int
    held: tuple[int, ...]


def strength_bits(leaves: Sequence[Leaf], own: Collection[str], ranking: Ranking = USUAL) -> I64:
    """Return [suit, strength]: the leaves on these hands of seven cards that hold, flushes in the
    given suit."""
    for leaf in leaves:
        if leaf.hand in own and (
            leaf.ranks or leaf.suited is not None or (leaf.suits and not leaf.category)
        ):
            raise Unsolvable(f"sessions do not know lines on single cards of seven: {leaf}")
    rows = [_columns(ranking, suit) for suit in range(4)]
    return np.stack([bits_of(leaves, dict.fromkeys(own, each)) for each in rows])


def _flushes(ranking: Ranking) -> NDArray[np.bool_]:
    """Return for every strength whether it is that of cards of one suit."""
    suited = [name in CATEGORIES and CATEGORIES[name].suited for name in ranking.names]
    return np.asarray(np.array(suited)[seven_card_strengths(ranking).values >> 20])


def runs_of(tests: LineTests, own: str, ranking: Ranking) -> list[Run]:
    """Return all strengths, cut into runs that no line separates."""
    assert all(leaf.hand == own for leaf in tests.leaves), tests.leaves
    held, flush = strength_bits(tests.leaves, {own}, ranking), _flushes(ranking)
    cuts = np.flatnonzero((held[:, 1:] != held[:, :-1]).any(axis=0)) + 1
    # A run never mixes flushes with other hands, so that quarters of it are quarters of flushes.
    cuts = np.union1d(cuts, np.flatnonzero(flush[1:] != flush[:-1]) + 1)
    edges = [0, *cuts.tolist(), flush.size]
    return [Run(start, stop, tuple(held[:, start].tolist())) for start, stop in pairwise(edges)]


def _columns(ranking: Ranking, suit: int) -> Columns:
    """Return all strengths as rows, flushes in the given suit."""
    values = seven_card_strengths(ranking).values
    best = np.where(_flushes(ranking), 1 << suit, 0xFF).astype(np.uint8)
    return Columns(
        category=codes_of(ranking)[values >> 20],
        made=(values >> 16 & 15).astype(np.uint8),
        suits=best,
        best_suits=best,
        ranks=np.full(values.size, -1, np.int64),
    )


def count_runs(runs: list[Run], count: Callable[[int, int], int], total: int) -> Counted:
    """Return the deals by leaves, from the number of deals in each run; the rest have none
    of them."""
    by_leaves: Counter[int] = Counter()
    for run in runs:
        deals = count(run.start, run.stop)
        for held, suits in Counter(run.held).items():
            by_leaves[held] += deals * suits // 4
            assert deals * suits % 4 == 0
    return Counted(by_leaves, total)


def canonical_boards(ranking: Ranking) -> tuple[Masks, NDArray[np.int64]]:
    """Return one board of five cards for each class under exchange of suits, and the size of the
    class.

    A board is canonical if its suits, read as numbers, descend; the 24 orders of the suits give 24
    boards, fewer if suits are alike.
    """
    boards = subsets(5, deck_mask(ranking))
    suits = [boards >> np.uint64(13 * suit) & np.uint64(8191) for suit in range(4)]
    down = (suits[0] >= suits[1]) & (suits[1] >= suits[2]) & (suits[2] >= suits[3])
    kept = [suit[down] for suit in suits]
    same = [kept[n] == kept[n + 1] for n in range(3)]
    alike = np.ones(int(down.sum()), np.int64)
    run = np.ones_like(alike)
    for equal in same:
        run = np.where(equal, run + 1, 1)
        alike *= run
    weights = 24 // alike
    assert int(weights.sum()) == boards.size
    return boards[down], weights


_SUITS = 1 | 1 << 13 | 1 << 26 | 1 << 39


def tally_beaten(rules: Rules, settles: EitherHandBeaten) -> WagerTally:
    """Return the tally of a wager on the losing hand of the two, or only on the player's."""
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
    # If nothing is beaten (a tie, or a side that does not count), it loses as without a line.
    idle = total - sum(counted.by_leaves.values())
    *paid, (hand, pays, lost) = tally.endings
    return WagerTally((*paid, (hand, pays, lost + idle)), total)


@cache
def beaten_by_strength(ranking: Ranking) -> NDArray[np.int64]:
    """Return in how many deals the player holds each strength and the dealer a stronger hand."""
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
    values = np.empty(hands, np.uint16)
    number = np.full(out.size, -1, np.int64)
    levels = np.empty(hands, np.int64)
    with_card = np.zeros((hands, unseen), np.int64)
    for board in range(boards.size):
        if strengths.is_usual:
            strengths_on_board(boards[board], values)
        else:
            _rank_hands(boards[board], deck & ~boards[board], strengths.tables, values)
        distinct = _levels(values, number, levels)
        place = 0
        for high in range(1, unseen):
            for low in range(high):
                level = number[values[place]]
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
    """Write the strengths of every two unseen cards, in the order of `strengths_on_board`."""
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
def _levels(
    strengths: NDArray[np.uint16], number: NDArray[np.int64], levels: NDArray[np.int64]
) -> int:
    """Return the number of different strengths, strongest first; `number` gets the level of each
    strength."""
    distinct = 0
    for place in range(strengths.size):
        if number[strengths[place]] < 0:
            number[strengths[place]] = 0
            levels[distinct] = strengths[place]
            distinct += 1
    _sort_down(levels, distinct)
    for level in range(distinct):
        number[levels[level]] = level
    return distinct


@part
def _sort_down(levels: NDArray[np.int64], count: int) -> None:
    """Sort in descending order by Shell's method: numba's own sort takes longer to compile than
    everything else here."""
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
