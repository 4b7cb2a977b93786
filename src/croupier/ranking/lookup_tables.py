"""The tables of the compiled evaluator: how cards become a number, and why no two hands collide.

**Strengths.** Five cards are either one of 6,175 multisets of ranks that are not all of one suit,
or one of 1,287 sets of five different ranks that are. Each of these 7,462 has a value of its own,
so a hand's place among the sorted `VALUES` says the same as its value in thirteen bits. That place
is its strength: 0 is seven-five-four-three-two, 7461 the royal flush.

**Keys.** Write the ranks of a hand as a number in base five, one digit for each rank saying how
many cards of it there are. A deck has four of a rank, so no digit overflows: different multisets
have different codes, hands of five, six and seven cards among them, and every code is below 5**13,
which is less than 2**32. Multiplying by an odd number permutes the 32-bit integers, so the key

    code * MULTIPLIER  modulo 2**32

is unique as well. And it is a sum: each card adds the same term whatever the others are.
So a hand's key is the sum of four entries of one table, `keys`, indexed by the thirteen rank bits
of a suit. The rest of those 64-bit entries is used for two more sums:

    bits 0-31   the key (the sum of four carries into bits 32 and 33, which are not used)
    bits 40-47  how many cards
    bits 48-63  the strength of the flush in this suit, if it holds five cards or more, else 0

Among seven cards at most one suit has five, so the last sum is the strength of the hand's flush, or
0. With five cards of one suit, at least five ranks are different, which leaves no room for quads or
a full house: a flush, where there is one, is the best hand.

**A perfect hash.** The 73,775 keys are looked up in a table of 2**17 strengths, small enough for
the second-level cache. The low 17 bits of a key are its column, the high 14 its row. Many keys
share a column, so every row is given a shift, and a key is stored at `column ^ shifts[row]`. Two
keys of one row have different columns (`_shifts` checks it), so they get different slots. The
rows are placed one after the other, the fullest first, each with the first shift that puts all its
keys into free slots. With the golden ratio as multiplier, 75 shifts are enough.

**Six and seven cards.** The best five of n + 1 cards lie among some n of them, so the strength of a
hand is the greatest of those with one card removed. So the five-card strengths give the table for
six and then for seven cards; this file needs no definition of a straight.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.ranking import plain
from croupier.ranking.hands import Category

MULTIPLIER: Final = 0x9E3779B9
ROW_BITS: Final = 14
COLUMN_BITS: Final = 17
COUNT_AT: Final = 40
FLUSH_AT: Final = 48
NO_HAND: Final = 0xFFFF

Codes: TypeAlias = NDArray[np.uint64]
Strengths: TypeAlias = NDArray[np.uint16]

_POWERS: Final = tuple(5**rank for rank in range(13))
# Sorted, so five of one rank have equal ends.
_OFFSUIT: Final = [r for r in combinations_with_replacement(range(13), 5) if r[0] != r[4]]
_SUITED: Final = list(combinations(range(13), 5))


class LookupTables(NamedTuple):
    keys: NDArray[np.uint64]
    shifts: NDArray[np.uint8]
    strengths: Strengths


def _values() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the values of `_OFFSUIT` and `_SUITED`, each from one example hand."""
    # At most four cards of a rank are next to each other, so suits in turn give four different
    # cards.
    offsuit = [sum(1 << i % 4 * 13 + rank for i, rank in enumerate(h)) for h in _OFFSUIT]
    suited = [sum(1 << rank for rank in hand) for hand in _SUITED]
    return (
        np.array([plain.value_of(mask) for mask in offsuit], np.int64),
        np.array([plain.value_of(mask) for mask in suited], np.int64),
    )


_OFFSUIT_VALUES, _SUITED_VALUES = _values()

VALUES: Final[NDArray[np.int64]] = np.sort(np.concatenate([_OFFSUIT_VALUES, _SUITED_VALUES]))
VALUES.flags.writeable = False

# The weakest strength of each category; a category ends where the next begins.
FIRST_STRENGTHS: Final[dict[Category, int]] = {
    category: int(np.searchsorted(VALUES, category << 20)) for category in Category
}


def five_card_strengths() -> tuple[Strengths, Strengths]:
    """Return two arrays of strengths: for five ranks not all of one suit, in the order of
    `combinations_with_replacement` without five of a rank; and for five ranks of one suit, in the
    order of `combinations`."""
    offsuit, suited = (np.searchsorted(VALUES, v) for v in (_OFFSUIT_VALUES, _SUITED_VALUES))
    return offsuit.astype(np.uint16), suited.astype(np.uint16)


@cache
def lookup_tables() -> LookupTables:
    """Build the tables when the first kernel is compiled; compiled code carries them as
    constants."""
    five = np.array([sum(_POWERS[rank] for rank in hand) for hand in _OFFSUIT], np.uint64)
    six = _with_one_more(five)
    seven = _with_one_more(six)
    shifts = _shifts(np.concatenate([five, six, seven]))
    strengths = np.full(1 << COLUMN_BITS, NO_HAND, np.uint16)
    strengths[_slots(five, shifts)], _ = five_card_strengths()
    for codes in (six, seven):
        strengths[_slots(codes, shifts)] = _best_with_one_less(codes, shifts, strengths)
    return LookupTables(_keys(), shifts, strengths)


def _digits(codes: Codes, rank: int) -> Codes:
    return codes // np.uint64(_POWERS[rank]) % np.uint64(5)


def _with_one_more(codes: Codes) -> Codes:
    """Return every multiset that one more card can make of these."""
    grown = [codes[_digits(codes, r) < 4] + np.uint64(_POWERS[r]) for r in range(13)]
    return np.unique(np.concatenate(grown))


def _best_with_one_less(codes: Codes, shifts: NDArray[np.uint8], strengths: Strengths) -> Strengths:
    best = np.zeros(codes.size, np.uint16)
    for rank in range(13):
        held = _digits(codes, rank) > 0
        fewer = codes[held] - np.uint64(_POWERS[rank])
        best[held] = np.maximum(best[held], strengths[_slots(fewer, shifts)])
    return best


def _rows_and_columns(codes: Codes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    keys = codes * np.uint64(MULTIPLIER) & np.uint64(0xFFFFFFFF)
    rows = keys >> np.uint64(32 - ROW_BITS)
    columns = keys & np.uint64((1 << COLUMN_BITS) - 1)
    return rows.astype(np.int64), columns.astype(np.int64)


def _slots(codes: Codes, shifts: NDArray[np.uint8]) -> NDArray[np.int64]:
    rows, columns = _rows_and_columns(codes)
    return columns ^ shifts[rows]


def _shifts(codes: Codes) -> NDArray[np.uint8]:
    """Return for every row the first shift that puts its keys into free slots."""
    rows: dict[int, list[int]] = {}
    for row, column in zip(*(part.tolist() for part in _rows_and_columns(codes)), strict=True):
        rows.setdefault(row, []).append(column)
    taken = bytearray(1 << COLUMN_BITS)
    shifts = np.zeros(1 << ROW_BITS, np.uint8)
    for row, columns in sorted(rows.items(), key=lambda item: -len(item[1])):
        if len(set(columns)) != len(columns):
            raise AssertionError(f"two keys share row {row} and a column: change MULTIPLIER")
        shift = next(s for s in range(256) if not any(taken[c ^ s] for c in columns))
        for column in columns:
            taken[column ^ shift] = 1
        shifts[row] = shift
    return shifts


def _keys() -> NDArray[np.uint64]:
    """Return for each rank mask of a suit its part of the key, its count, and the strength of its
    flush."""
    flushes = np.zeros(1 << 13, np.uint64)
    for hand, strength in zip(_SUITED, five_card_strengths()[1], strict=True):
        flushes[sum(1 << rank for rank in hand)] = strength
    keys = np.zeros(1 << 13, np.uint64)
    for mask in range(1 << 13):
        held = [rank for rank in range(13) if mask >> rank & 1]
        if len(held) > 5:  # smaller masks come first, so those with one rank less are known
            flushes[mask] = max(flushes[mask ^ 1 << rank] for rank in held)
        key = sum(_POWERS[rank] for rank in held) * MULTIPLIER & 0xFFFFFFFF
        keys[mask] = key | len(held) << COUNT_AT | int(flushes[mask]) << FLUSH_AT
    return keys
