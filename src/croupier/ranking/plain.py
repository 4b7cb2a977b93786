"""The evaluator in plain Python: five, six or seven cards from four suit masks.

Rounds are settled with it. It needs no compiled code, so a command starts at once, and takes two or
three microseconds a hand: the thirteen ranks of a suit are bits, a few Boolean operations find the
ranks held two, three and four times, and small tables give the top bits of a mask and its straight.
`ranking.fast` is the compiled evaluator for millions of hands.
"""

from __future__ import annotations

from typing import Final

from croupier.ranking.hands import ACE, Category

_RANKS: Final = 1 << 13
_STRAIGHT_BITS: Final = [(1 << 12 | 0b1111, 3)] + [(0b11111 << low, low + 4) for low in range(9)]


def _straight_tops() -> list[int]:
    """Return for each rank mask the top rank of its best straight, or -1."""
    tops = [-1] * _RANKS
    for bits, top in _STRAIGHT_BITS:
        others = more = _RANKS - 1 ^ bits
        while more:  # every choice of further ranks, down to none
            tops[bits | more] = top
            more = more - 1 & others
        tops[bits] = top
    return tops


def _top_five() -> list[int]:
    """Return for each rank mask its five highest ranks, packed as in a value; missing ranks are
    zeros."""
    packed = [0] * _RANKS
    for mask in range(1, _RANKS):
        top = mask.bit_length() - 1
        packed[mask] = top << 16 | packed[mask ^ 1 << top] >> 4
    return packed


_STRAIGHT: Final = _straight_tops()
_TOP5: Final = _top_five()

_FLUSH: Final = Category.FLUSH << 20
_STRAIGHT_FLUSH: Final = Category.STRAIGHT_FLUSH << 20
_ROYAL: Final = Category.ROYAL_FLUSH << 20 | ACE << 16
_QUADS: Final = Category.FOUR_OF_A_KIND << 20
_FULL: Final = Category.FULL_HOUSE << 20
_RUN: Final = Category.STRAIGHT << 20
_TRIPS: Final = Category.THREE_OF_A_KIND << 20
_TWO_PAIR: Final = Category.TWO_PAIR << 20
_PAIR: Final = Category.PAIR << 20


def value_of(mask: int) -> int:
    """Return the value of the best five among the five to seven cards of a 52-bit mask."""
    a, b, c, d = mask & 8191, mask >> 13 & 8191, mask >> 26 & 8191, mask >> 39
    # Five of a suit among at most seven cards leave no room for quads or a full house.
    suited = _SUITED[a] or _SUITED[b] or _SUITED[c] or _SUITED[d]
    if suited:
        return suited
    ranks = a | b | c | d
    top = _STRAIGHT[ranks]
    twice = a & b | c & d | (a | b) & (c | d)
    if not twice:
        return _RUN | top << 16 if top >= 0 else _TOP5[ranks]
    thrice = a & b & (c | d) | c & d & (a | b)
    if thrice:
        return _three_or_four_alike(a & b & c & d, thrice, twice, ranks, top)
    if top >= 0:
        return _RUN | top << 16
    high = twice.bit_length() - 1
    rest = twice ^ 1 << high
    if rest:
        low = rest.bit_length() - 1
        kickers = ranks ^ (1 << high | 1 << low)
        return _TWO_PAIR | high << 16 | low << 12 | (kickers.bit_length() - 1) << 8
    return _PAIR | high << 16 | _TOP5[ranks ^ 1 << high] >> 4 & 0xFFF0


def _suited(suit: int) -> int:
    """Return the value of five or more cards of a suit."""
    top = _STRAIGHT[suit]
    if top < 0:
        return _FLUSH | _TOP5[suit]
    return _ROYAL if top == ACE else _STRAIGHT_FLUSH | top << 16


_SUITED: Final = [_suited(suit) if suit.bit_count() > 4 else 0 for suit in range(_RANKS)]


def _three_or_four_alike(quads: int, thrice: int, twice: int, ranks: int, top: int) -> int:
    if quads:
        four = quads.bit_length() - 1
        return _QUADS | four << 16 | ((ranks ^ 1 << four).bit_length() - 1) << 12
    three = thrice.bit_length() - 1
    pairs = twice ^ 1 << three
    if pairs:
        return _FULL | three << 16 | (pairs.bit_length() - 1) << 12
    if top >= 0:
        return _RUN | top << 16
    return _TRIPS | three << 16 | _TOP5[ranks ^ 1 << three] >> 4 & 0xFF00
