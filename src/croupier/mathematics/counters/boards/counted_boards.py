"""All hands on one board, ranked and counted against each other without comparing any two.

Only kinds of card that can differ in effect are distinguished: ranks where no flush is possible,
`f` and `x` kinds where one is (see `numbering`). A sequence of hand classes, weakest first, is
swept once with a counter for the hands passed so far and one per kind of card for those that hold a
given card of that kind. A hand (a, b) then beats `below - below[a] - below[b]` of the hands
disjoint from it: no weaker hand holds both of its cards. Counting again after its own group has
been added gives the ties, where the hand itself has been subtracted twice and added once: hence the
+ 1.

Dealer's hands under the qualifier are a prefix of the sequence, so the counters at that point give
every hand's number of unqualified opponents in the same way.

Boards are counted once for all games with the same deck, ranking and qualifier: what another game
pays does not change who wins. The counts take about 100 MB, so only the latest ones are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.games import DeckTables, RiverGame, deck_tables
from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    MIXED,
    PAIRS,
    PLAIN,
    RANK_BOARDS,
    SUITED_BOARDS,
    Numbering,
    StrengthTables,
    board_of,
    others_of,
    ranks_of,
    sorted_number,
    suited_board_number,
    suited_counts,
)
from croupier.mathematics.kernels.arrays import I8, I16, I32, U8, U16
from croupier.mathematics.kernels.decorators import part, standalone_kernel, whole
from croupier.mathematics.kernels.threads import ranges, spread


class Ranked(NamedTuple):
    """The hand classes of one board in ascending strength, with their counts."""

    classes: U16
    strengths: U16
    first: U8  # the two kinds of card of each class
    second: U8
    wins: I32
    ties: I32
    unqualified: I32  # opponents below the qualifier
    flush_classes: U16  # those that hold a flush, in ascending strength; the same for many boards
    flush_strengths: U16
    cards: I32  # how many of each kind of card are left
    below: I32  # counters of the sweep
    below_qualifier: I32
    f: I8  # the board's f ranks
    five: I8  # its ranks, to be sorted


@part
def new_ranked() -> Ranked:
    return Ranked(
        np.zeros(CLASSES, np.uint16),
        np.zeros(CLASSES, np.uint16),
        np.zeros(CLASSES, np.uint8),
        np.zeros(CLASSES, np.uint8),
        np.zeros(CLASSES, np.int32),
        np.zeros(CLASSES, np.int32),
        np.zeros(CLASSES, np.int32),
        np.zeros(CLASSES, np.uint16),
        np.zeros(CLASSES, np.uint16),
        np.zeros(26, np.int32),
        np.zeros(26, np.int32),
        np.zeros(26, np.int32),
        np.zeros(5, np.int8),
        np.zeros(5, np.int8),
    )


class HandCounts(NamedTuple):
    """The counted hands of one board: see `CountedBoards`."""

    classes: U16
    strengths: U16
    wins: U16
    ties: U16
    unqualified: U16


class CountedBoards(NamedTuple):
    """Counted boards by suit, or by rank where no flush is possible: [board, place] in ascending
    strength.

    Nothing here depends on payments, so it serves every further game.
    """

    classes: U16  # on a board by rank: pairs
    strengths: U16
    wins: U16
    ties: U16
    unqualified: U16
    lengths: I16  # [board]: how many classes the deck can still deal; 0 on an impossible board
    by_rank: I16  # [board]: its number by rank


def new_counted_boards(boards: int, most: int) -> CountedBoards:
    classes, strengths, wins, ties, unqualified = (
        np.zeros((boards, most), np.uint16) for _ in range(5)
    )
    by_rank = np.zeros(boards, np.int16)
    return CountedBoards(
        classes, strengths, wins, ties, unqualified, np.zeros(boards, np.int16), by_rank
    )


@part
def counts_of(boards: CountedBoards, board: int) -> HandCounts:
    return HandCounts(
        boards.classes[board],
        boards.strengths[board],
        boards.wins[board],
        boards.ties[board],
        boards.unqualified[board],
    )


@part
def board_counts(ranks: I8, deck: int, cards: I32) -> bool:
    """Count the cards of each rank that a board leaves; return False if the deck cannot deal the
    board."""
    for rank in range(13):
        cards[rank] = 4 if deck >> rank & 1 else 0
    possible = True
    for place in range(5):
        cards[ranks[place]] -= 1
        possible = possible and cards[ranks[place]] >= 0
    return possible


@part
def lay_out(board: int, boards: CountedBoards, first: U8, second: U8, ranked: Ranked) -> int:
    """Copy a board's sequence into `ranked`, to be counted in another way, and return its length.
    `first` and `second` are the kinds of card of a class, or the ranks of a pair."""
    length = whole(boards.lengths[board])
    for place in range(length):
        number = boards.classes[board, place]
        ranked.classes[place] = number
        ranked.strengths[place] = boards.strengths[board, place]
        ranked.first[place] = first[number]
        ranked.second[place] = second[number]
    return length


@part
def count_sequence(length: int, qualifier: int, ranked: Ranked) -> None:
    """Sweep the first `length` classes of `ranked`: count each class's wins, ties and unqualified
    opponents."""
    cards, below, mark = ranked.cards, ranked.below, ranked.below_qualifier
    first, second, strengths = ranked.first, ranked.second, ranked.strengths
    wins, ties, unqualified = ranked.wins, ranked.ties, ranked.unqualified
    for card_kind in range(26):
        below[card_kind] = 0
    passed = 0
    marked = -1
    start = 0
    while start < length:
        strength = strengths[start]
        if marked < 0 and strength >= qualifier:
            marked = passed
            for card_kind in range(26):
                mark[card_kind] = below[card_kind]
        stop = start
        while stop < length and strengths[stop] == strength:
            a, b = first[stop], second[stop]
            wins[stop] = passed - below[a] - below[b]
            stop += 1
        for place in range(start, stop):
            a, b = first[place], second[place]
            if a == b:
                passed += cards[a] * (cards[a] - 1) // 2
                below[a] += cards[a] - 1
            else:
                passed += cards[a] * cards[b]
                below[a] += cards[b]
                below[b] += cards[a]
        for place in range(start, stop):
            a, b = first[place], second[place]
            ties[place] = passed - below[a] - below[b] - wins[place] + 1
        start = stop
    if marked < 0:
        marked = passed
        for card_kind in range(26):
            mark[card_kind] = below[card_kind]
    for place in range(length):
        a, b = first[place], second[place]
        itself = 1 if strengths[place] < qualifier else 0
        unqualified[place] = marked - mark[a] - mark[b] + itself


@part
def insert_class(length: int, number: int, strength: int, classes: U16, strengths: U16) -> int:
    """Insert a class in order, after its equals, and return the new length."""
    place = length
    while place > 0 and strengths[place - 1] > strength:
        classes[place] = classes[place - 1]
        strengths[place] = strengths[place - 1]
        place -= 1
    classes[place] = number
    strengths[place] = strength
    return length + 1


@part
def flush_sequence(suited: int, count: int, tables: StrengthTables, ranked: Ranked) -> int:
    """Write the classes that hold a flush with `count` (3 to 5) f cards on the board, ascending,
    and return how many there are.

    They do not depend on the board's other cards, so one call serves many boards.
    """
    classes, strengths, flush = ranked.flush_classes, ranked.flush_strengths, tables.flush
    length = whole(0)
    if count == 5:
        for pair in range(PAIRS):
            length = insert_class(length, PLAIN + pair, flush[suited], classes, strengths)
    for high in range(13):
        if suited >> high & 1:
            continue
        for low in range(high):
            if not suited >> low & 1:
                strength, pair = flush[suited | 1 << high | 1 << low], high * (high - 1) // 2 + low
                length = insert_class(length, pair, strength, classes, strengths)
        if count >= 4:
            for x in range(13):
                strength = flush[suited | 1 << high]
                length = insert_class(length, MIXED + 13 * high + x, strength, classes, strengths)
    return length


@part
def is_possible(a: int, b: int, cards: I32) -> bool:
    """Return whether these cards leave a hand of the kinds a and b."""
    return bool(cards[b] > 0 and cards[a] > (1 if a == b else 0))


@part
def merge_sequences(
    count: int, flushes: int, board: int, layout: Numbering, plain: CountedBoards, ranked: Ranked
) -> int:
    """Merge a board's flushes with its other hands, and return the length; the board has `count` f
    cards."""
    cards, classes, strengths = ranked.cards, ranked.classes, ranked.strengths
    flush_classes, flush_strengths = ranked.flush_classes, ranked.flush_strengths
    first, second, high_of, low_of = layout.first, layout.second, layout.high, layout.low
    others = plain.lengths[board] if count < 5 else 0
    length, flush = whole(0), 0
    for place in range(others + 1):
        limit = plain.strengths[board, place] if place < others else 32767
        while flush < flushes and flush_strengths[flush] < limit:
            number = whole(flush_classes[flush])
            if is_possible(whole(first[number]), whole(second[number]), cards):
                classes[length] = number
                strengths[length] = flush_strengths[flush]
                length += 1
            flush += 1
        if place == others:
            break
        pair = whole(plain.classes[board, place])
        high, low = whole(high_of[pair]), whole(low_of[pair])
        if count == 3 and cards[high] and cards[13 + low]:
            classes[length] = MIXED + 13 * high + low
            strengths[length] = limit
            length += 1
        if count == 3 and high != low and cards[low] and cards[13 + high]:
            classes[length] = MIXED + 13 * low + high
            strengths[length] = limit
            length += 1
        if is_possible(13 + high, 13 + low, cards):
            classes[length] = PLAIN + pair
            strengths[length] = limit
            length += 1
    for place in range(length):
        ranked.first[place] = first[classes[place]]
        ranked.second[place] = second[classes[place]]
    return length


MOST_CLASSES: Final = 266  # on a board with three f cards: 45 of two others, 130 mixed, 91 of x


@dataclass(frozen=True)
class _Counting:
    """The key of counted boards; tables are compared by identity, and kept alive for that."""

    deck: int
    qualifier: int
    which: int
    tables: DeckTables = field(compare=False)
    threads: int = field(compare=False)


def _counting(game: RiverGame, threads: int) -> _Counting:
    tables = deck_tables(game)
    return _Counting(game.deck, game.qualifier, id(tables.strengths.no_flush), tables, threads)


def boards_by_rank(game: RiverGame, threads: int) -> CountedBoards:
    """Return the hands of every board on which no flush is possible."""
    return _boards_by_rank(_counting(game, threads))


def boards_by_suit(game: RiverGame, threads: int) -> CountedBoards:
    """Return the hands of every board on which one suit can make a flush, by
    `suited_board_number`."""
    return _boards_by_suit(_counting(game, threads))


def no_boards() -> tuple[CountedBoards, CountedBoards]:
    """Return empty boards by rank and by suit, as if the deck could deal none."""
    return new_counted_boards(RANK_BOARDS, PAIRS), new_counted_boards(SUITED_BOARDS, MOST_CLASSES)


def forget_boards() -> None:
    """Clear the counted boards, as in a new process."""
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
    """Return the f ranks of boards (three, four or five in one suit), in batches of similar
    effort."""
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
    """Rank the pairs of the boards by rank from `start` to `stop`; `cards` and `seven` are scratch
    space."""
    for board in range(start, stop):
        if board_counts(tables.numbering.board_ranks[board], tables.deck, cards):
            out.lengths[board] = _rank_plain_board(board, tables, cards, seven, out)
            out.by_rank[board] = board


@part
def _rank_plain_board(
    board: int, tables: DeckTables, cards: I32, seven: I8, out: CountedBoards
) -> int:
    """Rank the pairs of a board by table and insertion sort, and return how many there are."""
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
