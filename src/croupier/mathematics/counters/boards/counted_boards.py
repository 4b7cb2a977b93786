"""Every board ranked and counted, once for all games with the same deck, ranking and qualifier.

What a further game pays does not change who wins: it is priced from these counts. They take some
100 MB, so only the last ones are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np

from croupier.mathematics.counters.boards.boards import (
    CountedBoards,
    Ranked,
    board_counts,
    count_sequence,
    counts_of,
    flush_sequence,
    insert_class,
    lay_out,
    merge_sequences,
    new_counted_boards,
    new_ranked,
)
from croupier.mathematics.counters.boards.kernel_records import DeckTables, deck_tables
from croupier.mathematics.counters.boards.numbering import PAIRS, RANK_BOARDS, sorted_number
from croupier.mathematics.counters.boards.one_bet import OneBetGame
from croupier.mathematics.counters.boards.suited_boards import (
    SUITED_BOARDS,
    board_of,
    others_of,
    ranks_of,
    suited_board_number,
    suited_counts,
)
from croupier.mathematics.kernels.arrays import I8, I32
from croupier.mathematics.kernels.decorators import part, standalone_kernel, whole
from croupier.mathematics.kernels.threads import ranges, spread

__all__ = ["boards_by_rank", "boards_by_suit", "forget_boards", "no_boards", "suit_masks"]

MOST_CLASSES: Final = 266  # on a board with three f cards: 45 of two others, 130 mixed, 91 of x


@dataclass(frozen=True)
class _Counting:
    """What the counts depend on; tables are told apart by who they are, and kept for that."""

    deck: int
    qualifier: int
    which: int
    tables: DeckTables = field(compare=False)
    threads: int = field(compare=False)


def _counting(game: OneBetGame, threads: int) -> _Counting:
    tables = deck_tables(game)
    return _Counting(game.deck, game.qualifier, id(tables.strengths.no_flush), tables, threads)


def boards_by_rank(game: OneBetGame, threads: int) -> CountedBoards:
    """The hands of every board where no flush is possible."""
    return _boards_by_rank(_counting(game, threads))


def boards_by_suit(game: OneBetGame, threads: int) -> CountedBoards:
    """The hands of every board where one suit can make a flush, by `suited_board_number`."""
    return _boards_by_suit(_counting(game, threads))


def no_boards() -> tuple[CountedBoards, CountedBoards]:
    """By rank and by suit, none of them ranked: as if the deck could deal none."""
    return new_counted_boards(RANK_BOARDS, PAIRS), new_counted_boards(SUITED_BOARDS, MOST_CLASSES)


def forget_boards() -> None:
    """As in a new process."""
    _boards_by_rank.cache_clear()
    _boards_by_suit.cache_clear()


@lru_cache(maxsize=2)
def _boards_by_rank(counting: _Counting) -> CountedBoards:
    by_rank, by_suit = no_boards()
    tables, none = counting.tables, np.zeros(0, np.int32)

    def work(_: int, span: tuple[int, int]) -> None:
        rank_plain_boards(*span, tables, np.zeros(13, np.int32), np.zeros(7, np.int8), by_rank)
        count_boards(*span, none, tables, counting.qualifier, new_ranked(), by_rank, by_suit)

    spread(ranges(RANK_BOARDS, 400), work, counting.threads)
    return by_rank


@lru_cache(maxsize=1)
def _boards_by_suit(counting: _Counting) -> CountedBoards:
    by_rank, (_, by_suit) = _boards_by_rank(counting), no_boards()
    fixed = (counting.tables, counting.qualifier)

    def work(_: int, masks: I32) -> None:
        count_boards(0, 0, masks, *fixed, new_ranked(), by_rank, by_suit)

    spread(suit_masks(counting.deck), work, counting.threads)
    return by_suit


@lru_cache(maxsize=4)
def suit_masks(deck: int) -> list[I32]:
    """The f ranks of boards (three, four or five in one suit), in batches of like effort."""
    masks = np.array([mask for mask in range(1 << 13) if mask & ~deck == 0], dtype=np.int32)
    bits = np.bitwise_count(masks)
    batches: list[I32] = []
    for count, size in ((3, 6), (4, 30), (5, 160)):
        chosen = masks[bits == count]
        batches += [chosen[at : at + size] for at in range(0, len(chosen), size)]
    return batches


@standalone_kernel
def rank_plain_boards(
    start: int, stop: int, tables: DeckTables, cards: I32, seven: I8, out: CountedBoards
) -> None:
    """The pairs of the boards by rank from `start` to `stop`; room for 13 ranks and seven cards."""
    for board in range(start, stop):
        if board_counts(tables.numbering.board_ranks[board], tables.deck, cards):
            out.lengths[board] = _rank_plain_board(board, tables, cards, seven, out)
            out.by_rank[board] = board


@part
def _rank_plain_board(
    board: int, tables: DeckTables, cards: I32, seven: I8, out: CountedBoards
) -> int:
    """Strengths by table, then an insertion sort: how many pairs."""
    layout, no_flush, choose = tables.numbering, tables.strengths.no_flush, tables.strengths.choose
    pairs, strengths = out.classes[board], out.strengths[board]
    count = whole(0)
    for pair in range(PAIRS):
        high, low = layout.high[pair], layout.low[pair]
        if cards[low] == 0 or cards[high] < (2 if high == low else 1):
            continue
        for i in range(5):
            seven[i] = layout.board_ranks[board, i]
        seven[5], seven[6] = low, high
        strength = no_flush[sorted_number(seven, choose)]
        count = insert_class(count, pair, strength, pairs, strengths)
    return count


@standalone_kernel
def count_boards(
    start: int,
    stop: int,
    suits: I32,
    tables: DeckTables,
    qualifier: int,
    ranked: Ranked,
    by_rank: CountedBoards,
    by_suit: CountedBoards,
) -> None:
    """Count the ranked boards by rank from `start` to `stop`; rank and count all boards whose f
    ranks are one of the masks `suits`. (One kernel, so that what they share is compiled once.)"""
    layout, f = tables.numbering, ranked.f
    for board in range(start, stop):
        if board_counts(layout.board_ranks[board], tables.deck, ranked.cards):
            length = lay_out(board, by_rank, layout.high, layout.low, ranked)
            _count_board(board, length, qualifier, ranked, by_rank)
    for i in range(len(suits)):
        suited = suits[i]
        count = ranks_of(suited, f)
        flushes = flush_sequence(suited, count, tables.strengths, ranked)
        first = suited_board_number(f, count, 0, 0)
        for x in range(PAIRS if count == 3 else 13 if count == 4 else 1):
            p, q = others_of(x, count, layout)
            if suited_counts(suited, count, p, q, tables.deck, ranked.cards):
                board = board_of(f, count, p, q, ranked.five, tables.strengths)
                length = merge_sequences(count, flushes, board, layout, by_rank, ranked)
                by_suit.lengths[first + x] = length
                by_suit.by_rank[first + x] = board
                _count_board(first + x, length, qualifier, ranked, by_suit)


@part
def _count_board(
    board: int, length: int, qualifier: int, ranked: Ranked, out: CountedBoards
) -> None:
    count_sequence(length, qualifier, ranked)
    counts = counts_of(out, board)
    for place in range(length):
        counts.classes[place] = ranked.classes[place]
        counts.strengths[place] = ranked.strengths[place]
        counts.wins[place] = ranked.wins[place]
        counts.ties[place] = ranked.ties[place]
        counts.unqualified[place] = ranked.unqualified[place]
