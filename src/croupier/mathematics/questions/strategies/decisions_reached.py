"""Where a strategy arrives and what each action is worth there: the ground that losses stand on.

What a strategy loses at a decision is the sum, over the hands with which it comes there, of the
best action's value less the chosen one's, both with the best play afterwards. Summed over the
decisions that is the whole difference to optimal play, exactly. This module supplies the counts of
arrivals at the flop and, board by board, counts and values at the turn and at the river.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import NamedTuple, TypeAlias

import numpy as np

from croupier.mathematics.counters.boards.arrivals import (
    Arrivals,
    arrive_at_plain_board,
    arrive_at_suited_board,
    collect_shared,
    count_at_turns,
)
from croupier.mathematics.counters.boards.betting import (
    Ending,
    StrategyArrays,
    betting_of,
    count_arrivals,
    decides_at_turn,
    endings_up_to_flop,
    undecided_at_flop,
)
from croupier.mathematics.counters.boards.boards import board_counts, counts_of
from croupier.mathematics.counters.boards.counted_boards import boards_by_rank, boards_by_suit
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.geometry import flops_of, hand_images
from croupier.mathematics.counters.boards.kernel_records import DeckTables, deck_tables
from croupier.mathematics.counters.boards.numbering import CLASSES, PAIRS, RANK_BOARDS
from croupier.mathematics.counters.boards.ranking_pass import prices_of
from croupier.mathematics.counters.boards.scatter import NO_X
from croupier.mathematics.counters.boards.showdown_prices import PricedBoards, price_sequence
from croupier.mathematics.counters.boards.suited_boards import ranks_of, suited_counts
from croupier.mathematics.counters.boards.turns import TurnValues, flop_pairs, turns_of, visit_turns
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.kernels.decorators import kernel, whole
from croupier.mathematics.kernels.threads import cores, spread
from croupier.mathematics.questions.strategies.situations import (
    SuitBoards,
    river_chunks,
    suit_boards,
)

__all__ = [
    "Arrived",
    "ArrivedAtTurn",
    "arrivals_at_flop",
    "orders_of_board",
    "orders_of_flop",
    "runouts_of",
    "visit_river",
    "visit_turn",
]


class Arrived(NamedTuple):
    """Some boards at the river, [board, class]: deals that come here undecided, and the sums over
    the dealer's hands of the required wagers (A) and of a unit of the decided one (B)."""

    suited: bool
    start: int
    stop: int
    deals: I64
    required: I64
    decided: I64


VisitRiver: TypeAlias = Callable[[Arrived], None]


def orders_of_flop(game: HoldemGame) -> int:
    """How many orders of a flop's cards the game tells apart."""
    early = [level.seen for level in game.levels if level.seen in (1, 2)]
    return (1, 3, 6)[len(early)]


def orders_of_board(game: HoldemGame) -> int:
    """In how many orders of all community cards each deal is counted."""
    return orders_of_flop(game) * (2 if decides_at_turn(game) else 1)


def runouts_of(game: HoldemGame) -> int:
    """The ways to deal turn and river beside a hand and a flop, as far as they are told apart."""
    return comb(game.cards - 5, 2) * (2 if decides_at_turn(game) else 1)


def arrivals_at_flop(game: HoldemGame, strategy: StrategyArrays) -> I64:
    """For every canonical pair: how many deals of flop and hand come to it undecided."""
    orders = undecided_at_flop(game, endings_up_to_flop(game, strategy), after=False)
    return orders.astype(np.int64) * flops_of(game.deck).orbit


class ArrivedAtTurn(NamedTuple):
    """Some boards of four cards: deals that come undecided to each of their situations, and what
    the actions are worth there."""

    deals: I64
    found: TurnValues


def visit_turn(
    game: HoldemGame, strategy: StrategyArrays, visit: Callable[[ArrivedAtTurn], None]
) -> None:
    """Call `visit` for all situations of the turn in pieces, from several threads at once."""
    threads = cores()
    turns, images, pairs = turns_of(game.deck), hand_images(), flop_pairs(game.deck)
    undecided = undecided_at_flop(game, endings_up_to_flop(game, strategy), after=True)

    def arrived(found: TurnValues) -> None:
        deals = np.zeros(found.values.shape[1], np.int64)
        count_at_turns(found.start, found.stop, turns, images, pairs, undecided, deals)
        visit(ArrivedAtTurn(deals, found))

    visit_turns(game, arrived, threads)


def _only(arrivals: Arrivals, row: int) -> Arrivals:
    """One row alone; the last are the deals that come to the river with nothing bet."""
    ranks, views, turn_ranks, turn_views = arrivals
    early = views.shape[1]
    at_flop = slice(row, row + 1) if row < early else slice(0)
    at_turn = slice(row - early, row - early + 1) if row >= early else slice(0)
    # With a decision at the turn, turn and river are told apart.
    times = 1 if turn_views is None else 2
    flops = [np.ascontiguousarray(part[:, at_flop] * times) for part in (ranks, views)]
    if turn_ranks is None or turn_views is None:
        return Arrivals(*flops)
    turns = [np.ascontiguousarray(part[:, at_turn]) for part in (turn_ranks, turn_views)]
    return Arrivals(*flops, *turns)


def visit_river(
    game: HoldemGame, strategy: StrategyArrays, visit: VisitRiver, ended: Ending | None = None
) -> None:
    """Call `visit` for all boards in pieces, from several threads at once: with the deals that come
    there undecided, or with those whose betting has `ended` so before the river."""
    threads = cores()
    betting = betting_of(game, strategy, threads)
    row = betting.rows - 1
    if ended is not None:
        number = betting.endings.index(ended)
        if number not in betting.kept:
            return
        row = betting.kept.index(number)
    last = _only(count_arrivals(game, betting, threads), row)
    with_flush = np.zeros((threads, RANK_BOARDS, PAIRS), np.int64)
    boards = (boards_by_rank(game, threads), boards_by_suit(game, threads))
    fixed = (deck_tables(game), PricedBoards(prices_of(game), *boards), last)

    def suited(thread: int, span: tuple[int, int]) -> None:
        found = _new_arrived(True, *span)
        into = (with_flush[thread], _sums_of(found))
        _suited_river(*span, *fixed, suit_boards(), *into)
        visit(found)

    def plain(_: int, span: tuple[int, int]) -> None:
        found = _new_arrived(False, *span)
        _plain_river(*span, *fixed, taken, _sums_of(found))
        visit(found)

    spread(
        [(start, stop) for suits, start, stop in river_chunks() if suits],
        suited,
        threads,
    )
    taken = with_flush.sum(axis=0)
    spread(
        [(start, stop) for suits, start, stop in river_chunks() if not suits],
        plain,
        threads,
    )


def _new_arrived(suited: bool, start: int, stop: int) -> Arrived:
    shape = (stop - start, CLASSES if suited else PAIRS)
    deals, required, decided = (np.zeros(shape, np.int64) for _ in range(3))
    return Arrived(suited, start, stop, deals, required, decided)


class _RiverSums(NamedTuple):
    """The arrays of `Arrived`, to be filled."""

    deals: I64
    required: I64
    decided: I64


def _sums_of(found: Arrived) -> _RiverSums:
    return _RiverSums(found.deals, found.required, found.decided)


@kernel
def _suited_river(
    start: int,
    stop: int,
    tables: DeckTables,
    priced: PricedBoards,
    arrivals: Arrivals,
    suits: SuitBoards,
    with_flush: I64,
    out: _RiverSums,
) -> None:
    prices, boards, shape = priced.prices, priced.by_suit, tables.numbering
    deals, required, decided = out.deals, out.required, out.decided
    values = np.zeros((3, CLASSES), np.int64)
    here, ways = np.zeros((1, CLASSES), np.int32), np.zeros(CLASSES, np.int32)
    shared = np.zeros((NO_X + 1, 1, CLASSES), np.int32)
    f, cards = np.zeros(5, np.int8), np.zeros(26, np.int32)
    before, count = -1, 0
    for number in range(start, stop):
        mask, p, q = suits.mask[number], whole(suits.p[number]), whole(suits.q[number])
        length, counts = whole(boards.lengths[number]), counts_of(boards, number)
        if mask != before:
            count = ranks_of(mask, f)
            collect_shared(f, count, arrivals, shared)
            before = mask
        if not suited_counts(mask, count, p, q, tables.deck, cards):
            continue
        arrive_at_suited_board(f, count, p, q, shape, cards, arrivals, shared, ways, here)
        price_sequence(length, counts, prices, values)
        for place in range(length):
            hand = counts.classes[place]
            deals[number - start, hand] = here[0, hand]
            required[number - start, hand] = values[0, place]
            decided[number - start, hand] = values[1, place]
            with_flush[boards.by_rank[number], shape.pair[hand]] += here[0, hand]


@kernel
def _plain_river(
    start: int,
    stop: int,
    tables: DeckTables,
    priced: PricedBoards,
    arrivals: Arrivals,
    with_flush: I64,
    out: _RiverSums,
) -> None:
    prices, boards, shape = priced.prices, priced.by_rank, tables.numbering
    deals, required, decided = out.deals, out.required, out.decided
    values = np.zeros((3, CLASSES), np.int64)
    here, cards = np.zeros((1, PAIRS), np.int32), np.zeros(26, np.int32)
    for board in range(start, stop):
        ranks = shape.board_ranks[board]
        if not board_counts(ranks, tables.deck, cards):
            continue
        length, counts = whole(boards.lengths[board]), counts_of(boards, board)
        arrive_at_plain_board(ranks, cards, tables.strengths, shape, arrivals, here)
        price_sequence(length, counts, prices, values)
        for place in range(length):
            pair = counts.classes[place]
            deals[board - start, pair] = here[0, pair] - with_flush[board, pair]
            required[board - start, pair] = values[0, place]
            decided[board - start, pair] = values[1, place]
