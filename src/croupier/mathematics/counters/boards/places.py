"""Where a hand with the community cards seen stands among the information sets of a deck."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.geometry import Flops, flops_of, orbits_of
from croupier.mathematics.counters.boards.turns import Turns, turns_of

__all__ = ["hand_number", "place_of_cards", "places_of"]

Masks: TypeAlias = NDArray[np.uint64] | NDArray[np.int64]


def hand_number(cards: Sequence[int]) -> int:
    high, low = max(cards), min(cards)
    return high * (high - 1) // 2 + low


def place_of_cards(deck: int, own: Sequence[int], community: Sequence[int]) -> int:
    """The number of the orbit, of the canonical pair or of the situation that two own cards and
    none to four community cards belong to."""
    seen = len(community)
    if seen > 2:
        return _place(flops_of(deck) if seen == 3 else turns_of(deck), deck, own, community)
    orbits = orbits_of(deck, seen)
    shown = (0, *community)[-1] if seen < 2 else hand_number(community)
    return int(orbits.number[hand_number(own) * orbits.width + shown])


def _place(boards: Flops | Turns, deck: int, own: Sequence[int], community: Sequence[int]) -> int:
    columns = [0] * 4
    for card in community:
        columns[card // 13] |= 1 << 13 + card % 13
    for card in own:
        columns[card // 13] |= 1 << card % 13
    columns.sort(reverse=True)
    key = sum(column >> 13 << 13 * suit for suit, column in enumerate(columns))
    hand = [
        13 * suit + rank for suit in range(4) for rank in range(13) if columns[suit] >> rank & 1
    ]
    number = _numbers(deck, len(community))[key]
    start, stop = int(boards.start[number]), int(boards.start[number + 1])
    return start + bisect_left(boards.hand[start:stop], hand_number(hand))


@lru_cache(maxsize=4)
def _numbers(deck: int, cards: int) -> dict[int, int]:
    """By the mask of their cards: the numbers of the canonical boards."""
    boards = (flops_of(deck) if cards == 3 else turns_of(deck)).cards.tolist()
    return {sum(1 << card for card in board): number for number, board in enumerate(boards)}


def places_of(deck: int, own: Masks, boards: Masks, seen: int) -> NDArray[np.int64]:
    """The same for many hands or boards of three or four cards, as masks that share no card."""
    known, suits = (flops_of(deck) if seen == 3 else turns_of(deck)), np.arange(0, 52, 13)
    shown, held = (each.astype(np.int64)[:, None] >> suits & 8191 for each in (boards, own))
    columns = -np.sort(-(shown << 13 | held), axis=1)
    keys, hands = ((part << suits).sum(axis=1) for part in (columns >> 13, columns & 8191))
    high = np.floor(np.log2(hands)).astype(np.int64)
    low = np.floor(np.log2(hands ^ 1 << high)).astype(np.int64)
    listed = (1 << known.cards.astype(np.int64)).sum(axis=1)
    order = np.argsort(listed)
    number = order[np.searchsorted(listed, keys, sorter=order)]
    wanted = high * (high - 1) // 2 + low
    start, stop = (known.start[number + end].astype(np.int64) for end in (0, 1))
    while (start < stop).any():  # all halve at once
        middle = (start + stop) // 2
        below = (start < stop) & (known.hand[np.minimum(middle, len(known.hand) - 1)] < wanted)
        start, stop = np.where(below, middle + 1, start), np.where(below, stop, middle)
        stop = np.maximum(start, stop)
    found: NDArray[np.int64] = start
    return found
