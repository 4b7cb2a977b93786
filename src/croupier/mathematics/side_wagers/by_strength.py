"""Paytables read from the strength of a hand alone, for wagers on hands of several people.

Who is beaten, or who is highest, is a matter of strength; so is the line that pays, for everything
but the suit of a flush. No suit is better than another, so of the deals in which such a hand has a
given strength a quarter falls to each suit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.game.paytable_lines import Leaf, LineTests
from croupier.mathematics.hand_values import ValueTables, deck_mask, value_tables
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.side_wagers.columns import Columns, bits_of, codes_of, is_usual
from croupier.mathematics.side_wagers.deals import Counted
from croupier.mathematics.side_wagers.enumeration import Masks, subsets
from croupier.ranking.built_in import built_in
from croupier.ranking.categories import CATEGORIES
from croupier.ranking.lookup_tables import VALUES
from croupier.ranking.ranking import Ranking

USUAL: Final = built_in("five_card")
_CARDS: Final = 7


class SevenCardStrengths(NamedTuple):
    """The values that seven cards can have, lowest first, each at the place that is its strength,
    and the strengths by ranks and by suit. The usual ones have an evaluator of their own."""

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
    """[suit, strength]: the leaves on these hands of seven cards that hold, flushes in the given
    suit."""
    for leaf in leaves:
        if leaf.hand in own and (
            leaf.ranks or leaf.suited is not None or (leaf.suits and not leaf.category)
        ):
            raise Unsolvable(f"a line on single cards of seven is more than sessions know: {leaf}")
    rows = [_columns(ranking, suit) for suit in range(4)]
    return np.stack([bits_of(leaves, dict.fromkeys(own, each)) for each in rows])


def _flushes(ranking: Ranking) -> NDArray[np.bool_]:
    """For every strength whether it is that of cards of one suit."""
    suited = [name in CATEGORIES and CATEGORIES[name].suited for name in ranking.names]
    return np.asarray(np.array(suited)[seven_card_strengths(ranking).values >> 20])


def runs_of(tests: LineTests, own: str, ranking: Ranking) -> list[Run]:
    """All strengths cut into runs that no line separates."""
    assert all(leaf.hand == own for leaf in tests.leaves), tests.leaves
    held, flush = strength_bits(tests.leaves, {own}, ranking), _flushes(ranking)
    cuts = np.flatnonzero((held[:, 1:] != held[:, :-1]).any(axis=0)) + 1
    # A run never mixes flushes with other hands, so that quarters of it are quarters of flushes.
    cuts = np.union1d(cuts, np.flatnonzero(flush[1:] != flush[:-1]) + 1)
    edges = [0, *cuts.tolist(), flush.size]
    return [Run(start, stop, tuple(held[:, start].tolist())) for start, stop in pairwise(edges)]


def _columns(ranking: Ranking, suit: int) -> Columns:
    """All strengths as rows, flushes in the given suit."""
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
    """The deals by leaves, given how many fall into each run; the rest have none of them."""
    by_leaves: Counter[int] = Counter()
    for run in runs:
        deals = count(run.start, run.stop)
        for held, suits in Counter(run.held).items():
            by_leaves[held] += deals * suits // 4
            assert deals * suits % 4 == 0
    return Counted(by_leaves, total)


def canonical_boards(ranking: Ranking) -> tuple[Masks, NDArray[np.int64]]:
    """One board of five cards for each class under exchange of suits, and the size of the class.

    Canonical is the board whose suits, read as numbers, descend; the 24 orders of the suits give 24
    boards, fewer where suits are alike.
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
