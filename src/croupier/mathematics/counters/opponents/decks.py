"""Hands up to an exchange of suits.

A hand is four masks of ranks, one for each suit. No suit is better than another: if nothing is
seen, a hand whose masks descend stands for all its images under exchanges of suits; if cards of the
dealer are seen, only suits that hold the same of them can be exchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from croupier.cards import DECK, RANKS, Card
from croupier.mathematics.kernels.arrays import I16, I64
from croupier.mathematics.kernels.decorators import kernel, part, whole

FourSuits: TypeAlias = tuple[int, int, int, int]
"""The ranks held in each suit, as thirteen bits."""
NOTHING: Final[FourSuits] = (0, 0, 0, 0)


def suits_of(cards: Iterable[Card]) -> FourSuits:
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card.suit] |= 1 << card.rank
    return masks[0], masks[1], masks[2], masks[3]


class VersusDeck:
    """One deck of four suits with these ranks."""

    def __init__(self, ranks: str) -> None:
        self.mask = sum(1 << RANKS.index(rank) for rank in ranks)
        self.cards = tuple(card for card in DECK if self.mask >> card.rank & 1)
        self.size = len(self.cards)

    @cached_property
    def by_count(self) -> tuple[I16, I64]:
        """All masks of a suit, first by their number of ranks, then as numbers, with the position
        at which each number of ranks begins."""
        every = np.arange(1 << 13)
        masks = every[every & ~self.mask == 0]
        counts = np.bitwise_count(masks)
        order = np.lexsort((masks, counts))
        starts = np.searchsorted(counts[order], np.arange(self.size // 4 + 2))
        return masks[order].astype(np.int16), starts.astype(np.int64)


class SeenCards(NamedTuple):
    """Dealer's cards that are seen: one set of a class, and how many sets it stands for."""

    masks: FourSuits
    times: int


class HandClasses(NamedTuple):
    """Hands without certain cards: one for each class, and how many hands it stands for."""

    masks: I16  # [class, suit]
    times: I64


def seen_cards(deck: VersusDeck, count: int, gone: FourSuits = NOTHING) -> list[SeenCards]:
    """Return the classes of `count` cards that a dealer can show when the cards `gone` are
    missing."""
    classes = hand_classes(deck, count, gone)
    return [
        SeenCards(tuple(masks), times)
        for masks, times in zip(classes.masks.tolist(), classes.times.tolist(), strict=True)
    ]


def hand_classes(
    deck: VersusDeck,
    count: int,
    seen: Sequence[int],
    first: I16 | None = None,
    gone: FourSuits = NOTHING,
) -> HandClasses:
    """Return the hands of `count` cards up to an exchange of suits, without the cards `seen` and
    `gone`; with `first`, only those with one of these masks in the first suit."""
    masks, starts = deck.by_count
    # Suits are alike if the same cards are seen and the same are gone: the high bits say which.
    apart = [shown | lost | shown << 13 for shown, lost in zip(seen, gone, strict=True)]
    without = np.array(apart, np.int64)
    begun = masks if first is None else first
    nothing = np.zeros((0, 4), np.int16), np.zeros(0, np.int64)
    number = _classes(count, without, begun, masks, starts, *nothing)
    classes = HandClasses(np.zeros((number, 4), np.int16), np.zeros(number, np.int64))
    _classes(count, without, begun, masks, starts, *classes)
    return classes


@part
def _bits(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel
def _classes(
    count: int, seen: I64, first: I16, masks: I16, starts: I64, hands: I16, times: I64
) -> int:
    """Visit every class and return how many there are; write them down if there is room."""
    number = 0
    most = len(starts) - 2
    hand = np.zeros(4, np.int64)
    last = 1 << 13
    for a in first:
        hand[0] = whole(a)
        left_a = count - _bits(hand[0])
        if left_a < 0 or hand[0] & seen[0]:
            continue
        limit_b = hand[0] if seen[1] == seen[0] else last
        for i in range(starts[min(left_a, most) + 1]):
            hand[1] = whole(masks[i])
            if hand[1] > limit_b or hand[1] & seen[1]:
                continue
            left_b = left_a - _bits(hand[1])
            limit_c = hand[1] if seen[2] == seen[1] else last
            for j in range(starts[min(left_b, most) + 1]):
                hand[2] = whole(masks[j])
                if hand[2] > limit_c or hand[2] & seen[2]:
                    continue
                left_c = left_b - _bits(hand[2])
                if left_c > most:
                    continue
                limit_d = hand[2] if seen[3] == seen[2] else last
                for k in range(starts[left_c], starts[left_c + 1]):
                    hand[3] = whole(masks[k])
                    if hand[3] > limit_d:
                        break
                    if hand[3] & seen[3]:
                        continue
                    if len(times):
                        for suit in range(4):
                            hands[number, suit] = hand[suit]
                        times[number] = _exchanges(hand, seen)
                    number += 1
    return number


@part
def _exchanges(hand: I64, seen: I64) -> int:
    """Return how many hands the exchanges of suits make of one: the orders of the suits that can be
    exchanged, less those of suits that are alike."""
    times, suits, alike = 1, 1, 1
    for suit in range(1, 4):
        same = seen[suit] == seen[suit - 1]
        suits = suits + 1 if same else 1
        alike = alike + 1 if same and hand[suit] == hand[suit - 1] else 1
        times = times * suits // alike
    return times
