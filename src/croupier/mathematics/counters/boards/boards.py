"""All hands on one board, ranked and counted against each other without comparing two of them.

Only kinds of card that can differ in effect are told apart: ranks where no flush is possible, `f`
and `x` kinds where one is (see `layout`). A sequence of hand classes, weakest first, is swept once
with a counter for the hands passed so far and one per kind of card for those that hold one given
card of that kind. A hand (a, b) then beats `below - below[a] - below[b]` of the hands disjoint from
it: no weaker hand holds both of its cards. Counting again after its own group has been added gives
the ties, where the hand itself has been taken off twice and put in once: hence the + 1.

Dealer's hands under the qualifier are a prefix of the sequence, so the counters at that point give
every hand's number of unqualified opponents in the same way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.mathematics.counters.boards.numbering import (
    CLASSES,
    MIXED,
    PAIRS,
    PLAIN,
    Numbering,
)
from croupier.mathematics.counters.boards.strengths import StrengthTables
from croupier.mathematics.kernels.arrays import I8, I16, I32, U8, U16
from croupier.mathematics.kernels.decorators import part, whole

__all__ = [
    "CountedBoards",
    "HandCounts",
    "Ranked",
    "board_counts",
    "count_sequence",
    "counts_of",
    "flush_sequence",
    "insert_class",
    "lay_out",
    "merge_sequences",
    "new_counted_boards",
    "new_ranked",
]


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
    """The hands of one board as they were counted: see `CountedBoards`."""

    classes: U16
    strengths: U16
    wins: U16
    ties: U16
    unqualified: U16


class CountedBoards(NamedTuple):
    """Boards by suit, or by rank where no flush is possible: [board, place] in ascending strength.

    Nothing here depends on what is paid, so it serves every further game.
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
    """How many cards of each rank a board leaves; False if the deck cannot deal it."""
    for rank in range(13):
        cards[rank] = 4 if deck >> rank & 1 else 0
    possible = True
    for place in range(5):
        cards[ranks[place]] -= 1
        possible = possible and cards[ranks[place]] >= 0
    return possible


@part
def lay_out(board: int, boards: CountedBoards, first: U8, second: U8, ranked: Ranked) -> int:
    """A board's sequence as `ranked` has it, to be counted in another way: its length. `first` and
    `second` are the kinds of card of a class, or the ranks of a pair."""
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
    """Sweep the first `length` classes of `ranked`: wins, ties, unqualified opponents of each."""
    cards, below, mark = ranked.cards, ranked.below, ranked.below_qualifier
    first, second, strengths = ranked.first, ranked.second, ranked.strengths
    wins, ties, unqualified = ranked.wins, ranked.ties, ranked.unqualified
    for kind in range(26):
        below[kind] = 0
    passed = 0
    marked = -1
    start = 0
    while start < length:
        strength = strengths[start]
        if marked < 0 and strength >= qualifier:
            marked = passed
            for kind in range(26):
                mark[kind] = below[kind]
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
        for kind in range(26):
            mark[kind] = below[kind]
    for place in range(length):
        a, b = first[place], second[place]
        itself = 1 if strengths[place] < qualifier else 0
        unqualified[place] = marked - mark[a] - mark[b] + itself


@part
def insert_class(length: int, number: int, strength: int, classes: U16, strengths: U16) -> int:
    """Put a class where it belongs among those so far, after its equals: how many there are."""
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
    """The classes that hold a flush with `count` (3 to 5) f cards on the board, ascending.

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
def _possible(a: int, b: int, cards: I32) -> bool:
    return bool(cards[b] > 0 and cards[a] > (1 if a == b else 0))


@part
def merge_sequences(
    count: int, flushes: int, board: int, layout: Numbering, plain: CountedBoards, ranked: Ranked
) -> int:
    """All classes of a board with `count` f cards: its flushes merged with its other hands."""
    cards, classes, strengths = ranked.cards, ranked.classes, ranked.strengths
    flush_classes, flush_strengths = ranked.flush_classes, ranked.flush_strengths
    first, second, high_of, low_of = layout.first, layout.second, layout.high, layout.low
    others = plain.lengths[board] if count < 5 else 0
    length, flush = whole(0), 0
    for place in range(others + 1):
        limit = plain.strengths[board, place] if place < others else 32767
        while flush < flushes and flush_strengths[flush] < limit:
            number = whole(flush_classes[flush])
            if _possible(whole(first[number]), whole(second[number]), cards):
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
        if _possible(13 + high, 13 + low, cards):
            classes[length] = PLAIN + pair
            strengths[length] = limit
            length += 1
    for place in range(length):
        ranked.first[place] = first[classes[place]]
        ranked.second[place] = second[classes[place]]
    return length
