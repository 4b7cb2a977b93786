"""The arrivals of a strategy at each decision, and the value of each action there.

What a strategy loses at a decision is the sum, over the hands with which it arrives there, of the
best action's value less the chosen action's, both with the best play afterwards. Summed over the
decisions, that is exactly the whole difference from optimal play. This module supplies the counts
of arrivals up to the flop and, board by board, counts and values at the turn and at the river.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from croupier.mathematics.counters.boards.counted_boards import (
    board_counts,
    boards_by_rank,
    boards_by_suit,
    counts_of,
)
from croupier.mathematics.counters.boards.games import DeckTables, HoldemGame, Path, deck_tables
from croupier.mathematics.counters.boards.geometry import (
    card_pairs,
    flop_pairs,
    flops_of,
    hand_images,
    orbits_of,
    turns_of,
)
from croupier.mathematics.counters.boards.information_sets import (
    gather_turns,
    hand_rows,
    new_stage_scratch,
)
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    PAIRS,
    RANK_BOARDS,
    ranks_of,
    suited_counts,
)
from croupier.mathematics.counters.boards.prices import (
    PricedBoards,
    price_sequence,
    prices_of,
)
from croupier.mathematics.counters.boards.runouts import (
    NO_X,
    Arrivals,
    arrive_at_plain_board,
    arrive_at_suited_board,
    collect_shared,
    count_at_turns,
)
from croupier.mathematics.counters.boards.solver import river_game, turn_sums
from croupier.mathematics.counters.boards.strategies import Strategy, arrivals_of
from croupier.mathematics.kernels.arrays import I32, I64
from croupier.mathematics.kernels.decorators import kernel, whole
from croupier.mathematics.kernels.threads import cores, ranges, spread
from croupier.mathematics.questions.strategies.situations import (
    SuitBoards,
    river_chunks,
    suit_boards,
)


class Arrived(NamedTuple):
    """Some boards at the river, [board, class]: the deals that arrive by one path, and the sums
    over the dealer's hands for the wagers already placed (A) and for one unit of the wager to be
    decided (B)."""

    suited: bool
    start: int
    stop: int
    deals: I64
    required: I64
    decided: I64


VisitRiver: TypeAlias = Callable[[Arrived], None]


def orders_before(strategy: Strategy, seen: int) -> dict[Path, I64]:
    """Return, for each path that arrives at the decisions on none, one or two community cards, the
    number of orders of these cards in every information set."""
    game = strategy.game
    orbits = orbits_of(game.deck, seen)
    hands, shown = np.divmod(orbits.example, orbits.width)
    ends = card_pairs()[shown].astype(np.int64) if seen == 2 else shown[:, None]
    orders: dict[Path, I64] = {}
    for end in range(2 if seen == 2 else 1):
        numbers = {0: orbits_of(game.deck, 0).number[hands]}
        if seen == 2 and game.level(1):
            numbers[1] = orbits_of(game.deck, 1).number[hands * 52 + ends[:, end]]
        came = {game.levels[0].arriving[0]: np.ones(len(hands), np.int64)}
        for level in game.levels:
            if level.seen < seen:
                came = _answered(strategy, level.seen, came, numbers[level.seen])
        for path, times in came.items():
            orders[path] = orders.get(path, 0) + times
    return orders


def _answered(
    strategy: Strategy, seen: int, came: dict[Path, I64], numbers: I32
) -> dict[Path, I64]:
    after: dict[Path, I64] = {}
    for path, times in came.items():
        if not strategy.is_asked(seen, path):
            after[path] = times
            continue
        chosen = strategy.answers[seen][path][numbers]
        for place, answer in enumerate(strategy.game.answers(seen, path)):
            if not answer.folded:
                after[answer] = times * (chosen == place)
    return after


def arrivals_at_flop(strategy: Strategy) -> dict[Path, I64]:
    """Return, for each path and every canonical pair, how many deals of flop and hand arrive
    there."""
    paths, orders = strategy.arriving
    orbit = flops_of(strategy.game.deck).orbit
    return {path: orders[:, n].astype(np.int64) * orbit for n, path in enumerate(paths)}


class AtTurn(NamedTuple):
    """Some boards of four cards: the deals that arrive at each of their situations by a path that
    is asked, and the values of its answers there, as sums over the rivers and the dealer's
    hands."""

    path: Path
    start: int
    stop: int
    situations: slice
    deals: I64
    values: I64  # [answer, situation]


_BOARDS_AT_ONCE: Final = 40


def visit_turn(strategy: Strategy, visit: Callable[[AtTurn], None]) -> None:
    """Call `visit` for all situations of the turn in pieces, from several threads at once. The best
    play is assumed afterwards."""
    game, threads = strategy.game, cores()
    turns, images, pairs = turns_of(game.deck), hand_images(), flop_pairs(game.deck)
    level, (paths, orders) = game.level(4), strategy.after_flop
    assert level is not None
    columns = {
        path: np.ascontiguousarray(orders[:, paths.index(path)]) for path in level.asked_paths
    }
    sums = turn_sums(game, threads)
    fixed = (turns.cards, turns.start, turns.hand, hand_rows(), sums.runouts)

    def work(_: int, span: tuple[int, int]) -> None:
        situations = slice(int(turns.start[span[0]]), int(turns.start[span[1]]))
        size = situations.stop - situations.start
        looked_up = np.empty((len(sums.runouts.plain), size), np.int64)
        gather_turns(*span, *fixed, new_stage_scratch(), looked_up)
        for path, column in columns.items():
            deals = np.zeros(size, np.int64)
            count_at_turns(*span, turns, images, pairs, column, deals)
            values = sums.values(level.arriving.index(path), looked_up)
            visit(AtTurn(path, *span, situations, deals, values))

    spread(ranges(len(turns.cards), _BOARDS_AT_ONCE), work, threads)


def visit_river(strategy: Strategy, path: Path, visit: VisitRiver) -> None:
    """Call `visit` for all boards in pieces, from several threads at once, with the deals that
    arrive by one path; the sums are those of `river_game`."""
    threads = cores()
    if path not in strategy.origins:
        return
    game, _ = river_game(strategy.game, path)
    last = arrivals_of(strategy, (path,), threads)
    with_flush = np.zeros((threads, RANK_BOARDS, PAIRS), np.int64)
    boards = (boards_by_rank(game, threads), boards_by_suit(game, threads))
    fixed = (deck_tables(game), PricedBoards(prices_of(game), *boards), last)

    def suited(thread: int, span: tuple[int, int]) -> None:
        arrived = _new_arrived(True, *span)
        into = (with_flush[thread], _sums_of(arrived))
        _suited_river(*span, *fixed, suit_boards(), *into)
        visit(arrived)

    def plain(_: int, span: tuple[int, int]) -> None:
        arrived = _new_arrived(False, *span)
        _plain_river(*span, *fixed, taken, _sums_of(arrived))
        visit(arrived)

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


def river_values(game: HoldemGame, path: Path, arrived: Arrived) -> I64:
    """Return [choice, situation]: the values of the river's choices, as `RiverGame` lists them."""
    own, _ = river_game(game, path)
    values = [arrived.required + k * arrived.decided for k in own.multiples]
    if own.folds:
        values.append(np.zeros_like(arrived.required))
    return np.stack(values).reshape(len(values), -1)


def _new_arrived(suited: bool, start: int, stop: int) -> Arrived:
    shape = (stop - start, CLASSES if suited else PAIRS)
    deals, required, decided = (np.zeros(shape, np.int64) for _ in range(3))
    return Arrived(suited, start, stop, deals, required, decided)


class _RiverSums(NamedTuple):
    """The arrays of `Arrived`, to be filled."""

    deals: I64
    required: I64
    decided: I64


def _sums_of(arrived: Arrived) -> _RiverSums:
    return _RiverSums(arrived.deals, arrived.required, arrived.decided)


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
