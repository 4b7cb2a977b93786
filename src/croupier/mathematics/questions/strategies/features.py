"""The features of a hand as small numbers: the only things that words of a strategy look at.

One kernel computes them for two or three own cards with none to five community cards, so a word
means the same at every decision. Cards are numbers, suit * 13 + rank; a mask has bit `card` set.
"""

from __future__ import annotations

from enum import IntEnum
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from croupier.mathematics.kernels.arrays import I8, I64
from croupier.mathematics.kernels.decorators import part, whole
from croupier.ranking.fast import strength_of
from croupier.ranking.hands import ACE, Category
from croupier.ranking.lookup_tables import VALUES


class Feature(IntEnum):
    """The rows of features. Ranks are 0 (two) to 12 (ace), -1 if there is none; flags are 0 and
    1."""

    HIGH = 0  # own cards by rank, highest first
    SECOND = 1
    LOW = 2  # the lowest; the second of two
    SUITED = 3  # all own cards of one suit
    CONNECTED = 4  # own ranks differ and follow each other; the ace is high or low
    CATEGORY = 5  # of the best hand of all cards seen
    MADE = 6  # its first made rank: of the quads, trips, highest pair
    BOARD = 7  # the category of the community cards alone
    IMPROVED = 8  # the hand's made part beats the community cards' own
    HIDDEN = 9  # the highest rank that is paired with an own card's help
    MATCH = 10  # the highest own rank that is also on the board
    TOP = 11  # an own card matches the board's highest rank
    FLUSH = 12  # most cards of one suit, one of them one's own
    FLUSH_CARD = 13  # the highest own card of that suit
    STRAIGHT = 14  # most ranks of one straight, one of them in the own hand only
    OPEN = 15  # four ranks in a row, open at both ends, one of them in the own hand only
    STRAIGHT_FLUSH = 16  # most cards of one straight flush, one of them one's own
    ROYAL = 17  # most cards of one royal flush, one of them one's own
    OVER = 18  # own cards above every board rank
    KICKER = 19  # ranks above the highest own card that are not on the board
    OUTS = 20  # dealer outs, noted at the turn and the river only


FEATURES: Final = len(Feature)

_MADE_RANKS: Final = {
    Category.HIGH_CARD: 0,
    Category.TWO_PAIR: 2,
    Category.FLUSH: 5,
    Category.FULL_HOUSE: 2,
}
_ONES: Final = np.array([bin(mask).count("1") for mask in range(1 << 13)], dtype=np.int8)
_TOP_BIT: Final = np.array([mask.bit_length() - 1 for mask in range(1 << 13)], dtype=np.int8)
_WINDOWS: Final = np.array([1 << 12 | 15] + [31 << low for low in range(9)], dtype=np.int64)
_SUIT: Final = (1 << 13) - 1
_ROYAL_RANKS: Final = 31 << 8
_ACE_AND_TWO: Final = 1 << 12 | 1
_ACE_TWO_THREE: Final = 1 << 12 | 3


@lru_cache(maxsize=1)
def made_parts() -> I64:
    """Return by strength the packed value without its kickers. A flush is made of all five
    cards."""
    values = np.asarray(VALUES, dtype=np.int64)
    kept = np.array([_MADE_RANKS.get(category, 1) for category in Category])[values >> 20]
    parts: I64 = values >> (20 - 4 * kept) << (20 - 4 * kept)
    return parts


@part
def _groups(mask: int) -> tuple[int, int, int, int]:
    """Return the ranks held at least once, twice, three times and four times."""
    a, b = mask & _SUIT, mask >> 13 & _SUIT
    c, d = mask >> 26 & _SUIT, mask >> 39 & _SUIT
    some, these = a | b, c | d
    both, rest = a & b, c & d
    return some | these, both | rest | some & these, both & these | rest & some, both & rest


@part
def _made_of_few(mask: int) -> int:
    """Return the made part of fewer than five cards: groups of equal ranks, nothing else."""
    _, twice, thrice, four = _groups(mask)
    if four:
        return 7 << 20 | whole(_TOP_BIT[four]) << 16
    if thrice:
        return 3 << 20 | whole(_TOP_BIT[thrice]) << 16
    if twice:
        top = whole(_TOP_BIT[twice])
        rest = twice & ~(1 << top)
        if rest:
            return 2 << 20 | top << 16 | whole(_TOP_BIT[rest]) << 12
        return 1 << 20 | top << 16
    return 0


@part
def made_of_board(board: int, cards: int, made: I64) -> int:
    if cards < 5:
        return _made_of_few(board)
    return whole(made[strength_of(np.uint64(board))])


@part
def note_features(
    own: I64, board: int, board_made: int, cards: int, draws: bool, made: I64, out: I8
) -> int:
    """Fill `out` and return the strength of the hand, -1 for fewer than five cards. `cards` is
    their total number. Draws are left out at the river, where there are none."""
    mine = 0
    for card in own:
        mine |= 1 << card
    strength = -1
    if cards < 5:
        part = _made_of_few(mine | board)
    else:
        strength = whole(strength_of(np.uint64(mine | board)))
        part = made[strength]
    out[5] = part >> 20
    out[6] = part >> 16 & 15 if part >> 20 else -1
    out[7] = board_made >> 20
    out[8] = part > board_made
    once, twice, _, _ = _groups(mine | board)
    held, _, _, _ = _groups(mine)
    shown, _, _, _ = _groups(board)
    _note_own(own, held, out)
    out[9] = _TOP_BIT[held & twice]
    out[10] = _TOP_BIT[held & shown]
    top = _TOP_BIT[shown]
    out[11] = top >= 0 and held >> max(top, 0) & 1
    out[18] = 0
    for card in own:
        if board and card % 13 > top:
            out[18] += 1
    out[19] = _ONES[_SUIT >> (out[0] + 1) << (out[0] + 1) & ~shown]
    if draws:
        _note_draws(mine, mine | board, held & ~shown, once, out)
    return strength


@part
def _note_own(own: I64, held: int, out: I8) -> None:
    high, low, total = -1, 13, 0
    for card in own:
        high, low = max(high, card % 13), min(low, card % 13)
        total += card % 13
    out[0] = high
    out[1] = low if len(own) == 2 else total - high - low
    out[2] = low
    suited = True
    for card in own:
        suited = suited and card // 13 == own[0] // 13
    out[3] = suited
    different = _ONES[held] == len(own)
    wheel = held == (_ACE_AND_TWO if len(own) == 2 else _ACE_TWO_THREE)
    out[4] = different and (high - low == len(own) - 1 or wheel)


@part
def _note_draws(mine: int, every: int, hidden: int, once: int, out: I8) -> None:
    for place in range(12, 18):
        out[place] = 0
    out[13] = -1
    for suit in range(4):
        suited, held = every >> 13 * suit & _SUIT, mine >> 13 * suit & _SUIT
        if not held:
            continue
        if _ONES[suited] > out[12] or (_ONES[suited] == out[12] and _TOP_BIT[held] > out[13]):
            out[12] = _ONES[suited]
            out[13] = _TOP_BIT[held]
        for window in _WINDOWS:
            if held & window:
                out[16] = max(out[16], _ONES[suited & window])
        if held & _ROYAL_RANKS:
            out[17] = max(out[17], _ONES[suited & _ROYAL_RANKS])
    for window in _WINDOWS:
        if hidden & window:
            out[14] = max(out[14], _ONES[once & window])
    for low in range(9):  # two to five, up to ten to king: an ace would close an end
        row = 15 << low
        if once & row == row and hidden & row:
            out[15] = 1


# -- games of streets: what all cards seen show together, and what is bet --------------------------

MOST_SEEN: Final = 7


class SeenFeature(IntEnum):
    """Rows after those of `Feature`. `RANKS`: the ranks of all cards, highest first, -1 after the
    last. `RUNS`: the most ranks among two to five that follow each other, the ace high or
    low; `SUITED_RUNS`: the same in one suit."""

    RANKS = FEATURES
    RUNS = FEATURES + MOST_SEEN
    SUITED_RUNS = RUNS + 4
    UNITS = SUITED_RUNS + 4  # stakes placed before the decision, in units of a required wager
    END = UNITS + 1


def _windows(width: int) -> list[int]:
    """Return all sets of `width` ranks that follow each other, as bits."""
    low = [1 << ACE | (1 << width - 1) - 1]
    return low + [((1 << width) - 1) << rank for rank in range(14 - width)]


def note_seen(masks: npt.NDArray[np.uint64], features: I8) -> None:
    """Fill the rows of `SeenFeature`, except the units, for sets with equal numbers of cards."""
    bits = masks[:, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)
    by_rank = bits.reshape(-1, 4, 13).astype(np.int8).sum(axis=1)
    numbers, ranks = np.nonzero(by_rank[:, ::-1])
    held = np.repeat(12 - ranks, by_rank[numbers, 12 - ranks]).reshape(masks.size, -1)
    features[SeenFeature.RANKS : SeenFeature.RUNS] = -1
    features[SeenFeature.RANKS : SeenFeature.RANKS + held.shape[1]] = held.T
    suits = [
        (masks >> np.uint64(13 * suit) & np.uint64(8191)).astype(np.int64) for suit in range(4)
    ]
    together = suits[0] | suits[1] | suits[2] | suits[3]
    for place, width in enumerate((2, 3, 4, 5)):
        windows = _windows(width)
        counts = [np.bitwise_count(together & window) for window in windows]
        features[SeenFeature.RUNS + place] = np.maximum.reduce(counts)
        counts = [np.bitwise_count(suit & window) for window in windows for suit in suits]
        features[SeenFeature.SUITED_RUNS + place] = np.maximum.reduce(counts)
