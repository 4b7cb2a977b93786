"""The highest of all hands where a fold loses the wager: only the bettor's own fold matters.

Every hand that is dealt counts for the wager, folded or not, so what the other players do with
theirs changes nothing. Whether the bettor folds follows from their own two cards and the board: the
sweep's arrivals say in how many deals each class of hands is folded on each kind of board, and
`side_wagers.highest_given_hand` how often the others are then dealt hands below each strength. What
is not folded is the rest of all deals.
"""

from __future__ import annotations

from functools import partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from croupier.errors import Unsolvable
from croupier.mathematics.counters.boards.games import Path
from croupier.mathematics.counters.boards.numbering import RANK_BOARDS, numbering
from croupier.mathematics.counters.boards.rulebook import best_play, holdem_game
from croupier.mathematics.counters.boards.strategies import Strategy, orders_of_board
from croupier.mathematics.game.payments import FOLDED, Loses
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.strategies.decisions_reached import (
    Arrived,
    river_values,
    visit_river,
)
from croupier.mathematics.questions.strategies.situations import suit_boards
from croupier.mathematics.side_wagers.by_strength import count_runs
from croupier.mathematics.side_wagers.deals import WagerTally, tally_lines
from croupier.mathematics.side_wagers.highest import (
    MOST_OTHERS,
    GivenHands,
    HandKinds,
    kinds_of,
    paid_runs,
    tally_highest,
)
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import HighestHand


def tally_kept(rules: Rules, settles: HighestHand, hands: int) -> WagerTally:
    """As `side_wagers.highest.tally_highest`, with the deals that the bettor folds apart."""
    if hands > MOST_OTHERS + 1:
        raise Unsolvable(f"{hands} hands are more than are counted where a fold loses the wager")
    tests, runs = paid_runs(rules, settles, hands)
    folded, others = _folded_by_best_play(rules), hands - 1

    def count(start: int, stop: int) -> int:
        return folded.below(stop, others) - folded.below(start, others)

    lost = tally_lines(tests, count_runs(runs, count, folded.total(others)))
    every = tally_highest(rules, settles, hands)
    times = comb(5, 3) * orders_of_board(holdem_game(rules))
    endings = tuple(
        (hand, pays, times * deals - gone)
        for (hand, pays, deals), (_, _, gone) in zip(every.endings, lost.endings, strict=True)
    )
    return WagerTally((*endings, (FOLDED, Loses(), lost.total)), times * every.total)


def _folded_by_best_play(rules: Rules) -> GivenHands:
    found = rules.prepared.get(GivenHands)
    if not isinstance(found, GivenHands):
        found = rules.prepared[GivenHands] = folded_hands(best_play(rules))
    return found


def folded_hands(strategy: Strategy) -> GivenHands:
    """The hands that a strategy folds; at the river it is the best response."""
    game = strategy.game
    pieces: list[tuple[I64, I64, I64]] = []

    def keep(found: Arrived, folds: NDArray[np.bool_]) -> None:
        board, hand = np.nonzero(folds & (found.deals > 0))
        number = board + found.start + (RANK_BOARDS if found.suited else 0)
        pieces.append((number, hand, found.deals[board, hand]))

    def at_river(path: Path, found: Arrived) -> None:
        *bets, fold = river_values(game, path, found)
        beaten = fold > np.max(bets, axis=0) if game.takes_first else fold >= np.max(bets, axis=0)
        keep(found, beaten.reshape(found.deals.shape))

    for path in strategy.origins:
        if path.folded:
            visit_river(strategy, path, lambda found: keep(found, found.deals > 0))
        elif any(answer.folded for answer in game.answers(5, path)):
            visit_river(strategy, path, partial(at_river, path))
    none = (np.zeros(0, np.int64),) * 3
    boards, hands, deals = (np.concatenate(parts) for parts in zip(none, *pieces, strict=True))
    return GivenHands(_kinds(), boards, *_types(boards >= RANK_BOARDS, hands), deals)


def _kinds() -> HandKinds:
    """One board for each of those at the river: by ranks first (five of a rank are none), then by
    suit."""
    ranks = numbering().board_ranks.astype(np.uint64)
    suits = np.arange(5, dtype=np.uint64) % 4
    by_rank = np.bitwise_or.reduce(np.uint64(1) << ranks + 13 * suits, axis=1)
    listed = suit_boards()
    p, q = (np.uint64(1) << each.astype(np.uint64) for each in (listed.p, listed.q))
    held = np.bitwise_count(listed.mask)
    by_suit = listed.mask.astype(np.uint64)
    by_suit |= np.where(held < 5, p << np.uint64(13), np.uint64(0))
    by_suit |= np.where(held < 4, q << np.uint64(26), np.uint64(0))
    boards = np.concatenate([by_rank, by_suit])
    return kinds_of(boards, np.ones(boards.size, np.int64))


def _types(by_suit: NDArray[np.bool_], hands: I64) -> tuple[I64, I64]:
    """The two cards of a class as `highest.Kinds` numbers them: those of the flush suit last."""
    shape = numbering()
    classes, pairs = np.where(by_suit, hands, 0), np.where(by_suit, 0, hands)
    return (
        np.where(by_suit, (shape.first[classes].astype(np.int64) + 13) % 26, shape.high[pairs]),
        np.where(by_suit, (shape.second[classes].astype(np.int64) + 13) % 26, shape.low[pairs]),
    )
