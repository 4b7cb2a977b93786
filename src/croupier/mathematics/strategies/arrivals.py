"""Where a strategy arrives and what each action is worth there: the ground that losses stand on.

What a strategy loses at a decision is the sum, over the hands with which it comes there, of the
best action's value less the chosen one's, both with the best play afterwards. Summed over the
decisions that is the whole difference to optimal play, exactly. This module supplies the counts of
arrivals at the flop and, board by board, counts and values at the river.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from croupier.mathematics.holdem.arrays import I8, I32, I64
from croupier.mathematics.holdem.boards import (
    RankedBoards,
    board_counts,
    count_sequence,
    flush_sequence,
    merge_sequences,
    new_ranked,
    new_ranked_boards,
)
from croupier.mathematics.holdem.games import Game
from croupier.mathematics.holdem.geometry import Flops, flops_of, orbits_of, rank_pairs
from croupier.mathematics.holdem.kernels import kernel, whole
from croupier.mathematics.holdem.layout import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    RANK_FLOPS,
    VIEWS,
    Layout,
    layout,
    suit_classes,
)
from croupier.mathematics.holdem.outcomes import rank_plain_boards
from croupier.mathematics.holdem.pricing import Prices, price_sequence
from croupier.mathematics.holdem.reach import (
    _before_flop,
    arrive_at_flops,
    arrive_at_plain_board,
    arrive_at_suited_board,
)
from croupier.mathematics.holdem.strategies import Strategy
from croupier.mathematics.holdem.strengths import StrengthTables, strength_tables
from croupier.mathematics.holdem.sums import board_of, ranks_of, suited_counts
from croupier.mathematics.holdem.tables import prices_of, ranges
from croupier.mathematics.holdem.threads import cores, spread
from croupier.mathematics.strategies.spots import SuitBoards, river_chunks, suit_boards

__all__ = ["Arrived", "arrivals_at_flop", "orders_of_flop", "visit_river"]


class Arrived(NamedTuple):
    """Some boards at the river, [board, class]: deals that come here undecided, and the sums over
    the dealer's hands of the required wagers (A) and of a unit of the decided one (B)."""

    suited: bool
    start: int
    stop: int
    deals: I64
    required: I64
    decided: I64


Visit: TypeAlias = Callable[[Arrived], None]


def orders_of_flop(game: Game) -> int:
    """How many orders of a flop's cards the game tells apart."""
    early = [level.seen for level in game.levels if level.seen in (1, 2)]
    return (1, 3, 6)[len(early)]


def _betting(game: Game, strategy: Strategy, seen: int) -> I8:
    """0 where the betting ends at this decision, -1 where it goes on; empty without a decision."""
    level = next((level for level in game.levels if level.seen == seen), None)
    if level is None:
        return np.zeros(0, np.int8)
    if level.decline == "fold":
        return np.zeros(len(strategy.actions[seen]), np.int8)
    return np.where(strategy.actions[seen] >= 0, 0, -1).astype(np.int8)


def _numbers(game: Game, ended: tuple[I8, ...]) -> tuple[I32, ...]:
    none = np.zeros(0, np.int32)
    return tuple(
        orbits_of(game.deck, seen).number if len(ended[seen]) else none for seen in range(3)
    )


def arrivals_at_flop(game: Game, strategy: Strategy) -> I64:
    """For every canonical pair: how many deals of flop and hand come to it undecided."""
    flops = flops_of(game.deck)
    ended = tuple(_betting(game, strategy, seen) for seen in range(3))
    out = np.zeros(len(flops.hand), np.int64)
    _count_undecided(flops, _numbers(game, ended), ended, out)
    return out


@kernel
def _count_undecided(
    flops: Flops, numbers: tuple[I32, I32, I32], endings: tuple[I8, I8, I8], out: I64
) -> None:
    weights = np.zeros(64, np.int64)
    for flop in range(len(flops.cards)):
        for pair in range(flops.start[flop], flops.start[flop + 1]):
            hand = whole(flops.hand[pair])
            undecided = _before_flop(hand, flops.cards[flop], numbers, endings, weights)
            out[pair] = undecided * np.int64(flops.orbit[pair])


def _past_the_flop(game: Game, strategy: Strategy, threads: int) -> tuple[I32, I32]:
    """Deals that are still undecided after the flop: by rank and pair, by view and class."""
    flops = flops_of(game.deck)
    ended = tuple(_betting(game, strategy, seen) for seen in range(4))
    plain = np.zeros((threads, RANK_FLOPS, 2, PAIRS), np.int32)
    suited = np.zeros((threads, VIEWS, 2, CLASSES), np.int32)
    fixed = (flops, strength_tables(), suit_classes(), rank_pairs(), _numbers(game, ended))
    none = np.zeros(0, np.int8)

    def work(thread: int, span: tuple[int, int]) -> None:
        arrive_at_flops(*span, *fixed, ended[:3], ended[3], none, 1, plain[thread], suited[thread])

    spread(ranges(len(flops.cards), 100), work, threads)
    return (
        plain.sum(axis=0, dtype=np.int32)[:, 1:].copy(),
        suited.sum(axis=0, dtype=np.int32)[:, 1:].copy(),
    )


def _ranked(game: Game, threads: int) -> RankedBoards:
    found = new_ranked_boards(RANK_BOARDS)
    tables, shape = strength_tables(), layout()

    def work(_: int, span: tuple[int, int]) -> None:
        rank_plain_boards(*span, game.deck, tables, shape, found)

    spread(ranges(RANK_BOARDS, 400), work, threads)
    return found


def visit_river(game: Game, strategy: Strategy, visit: Visit) -> None:
    """Call `visit` for all boards in pieces, from several threads at once."""
    threads = cores()
    last = _past_the_flop(game, strategy, threads)
    with_flush = np.zeros((threads, RANK_BOARDS, PAIRS), np.int64)
    fixed = (game.deck, strength_tables(), layout())
    prices, ranked = prices_of([game]), _ranked(game, threads)

    def boards_by_suit(thread: int, span: tuple[int, int]) -> None:
        found = _new_arrived(True, *span)
        _suited_river(
            *span, *fixed, suit_boards(), prices, ranked, last[1], with_flush[thread], *found[3:]
        )
        visit(found)

    def boards_by_rank(_: int, span: tuple[int, int]) -> None:
        found = _new_arrived(False, *span)
        _plain_river(*span, *fixed, prices, ranked, last[0], taken, *found[3:])
        visit(found)

    spread(
        [(start, stop) for by_suit, start, stop in river_chunks() if by_suit],
        boards_by_suit,
        threads,
    )
    taken = with_flush.sum(axis=0)
    spread(
        [(start, stop) for by_suit, start, stop in river_chunks() if not by_suit],
        boards_by_rank,
        threads,
    )


def _new_arrived(suited: bool, start: int, stop: int) -> Arrived:
    shape = (stop - start, CLASSES if suited else PAIRS)
    deals, required, decided = (np.zeros(shape, np.int64) for _ in range(3))
    return Arrived(suited, start, stop, deals, required, decided)


@kernel
def _suited_river(
    start: int,
    stop: int,
    deck: int,
    tables: StrengthTables,
    shape: Layout,
    boards: SuitBoards,
    prices: Prices,
    plain: RankedBoards,
    arrivals: I32,
    with_flush: I64,
    deals: I64,
    required: I64,
    decided: I64,
) -> None:
    ranked = new_ranked()
    values = np.zeros((3, CLASSES), np.int64)
    part, here = np.zeros((1, CLASSES), np.int32), np.zeros((1, CLASSES), np.int32)
    ways = np.zeros(CLASSES, np.int32)
    f, five = np.zeros(5, np.int8), np.zeros(5, np.int8)
    before, flushes, count = -1, whole(0), 0
    for number in range(start, stop):
        mask, p, q = boards.mask[number], whole(boards.p[number]), whole(boards.q[number])
        if mask != before:
            count = ranks_of(mask, f)
            flushes = flush_sequence(mask, count, tables, ranked)
            before = mask
        if not suited_counts(mask, count, p, q, deck, ranked.cards):
            continue
        board = board_of(f, count, p, q, five, tables)
        length = merge_sequences(count, flushes, board, shape, plain, ranked)
        count_sequence(length, prices.qualifier, ranked)
        arrive_at_suited_board(f, count, p, q, shape, ranked.cards, arrivals, part, ways, here)
        price_sequence(length, ranked, prices, values)
        for place in range(length):
            hand = ranked.classes[place]
            deals[number - start, hand] = here[0, hand]
            required[number - start, hand] = values[0, place]
            decided[number - start, hand] = values[1, place]
            with_flush[board, shape.pair[hand]] += here[0, hand]


@kernel
def _plain_river(
    start: int,
    stop: int,
    deck: int,
    tables: StrengthTables,
    shape: Layout,
    prices: Prices,
    plain: RankedBoards,
    arrivals: I32,
    with_flush: I64,
    deals: I64,
    required: I64,
    decided: I64,
) -> None:
    ranked = new_ranked()
    values = np.zeros((3, CLASSES), np.int64)
    here = np.zeros((1, PAIRS), np.int32)
    for board in range(start, stop):
        ranks = shape.board_ranks[board]
        if not board_counts(ranks, deck, ranked.cards):
            continue
        length = whole(plain.lengths[board])
        for place in range(length):
            pair = plain.order[board, place]
            ranked.classes[place] = pair
            ranked.strengths[place] = plain.strengths[board, place]
            ranked.first[place] = shape.high[pair]
            ranked.second[place] = shape.low[pair]
        count_sequence(length, prices.qualifier, ranked)
        arrive_at_plain_board(ranks, ranked.cards, tables, shape, arrivals, here)
        price_sequence(length, ranked, prices, values)
        for place in range(length):
            pair = ranked.classes[place]
            deals[board - start, pair] = here[0, pair] - with_flush[board, pair]
            required[board - start, pair] = values[0, place]
            decided[board - start, pair] = values[1, place]
