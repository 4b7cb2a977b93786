"""Flops and hands of the cards left when some are seen, each once for all exchanges of suits."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from croupier.mathematics.counters.boards.geometry import EXCHANGES, HANDS, card_pairs
from croupier.mathematics.kernels.arrays import I64
from croupier.mathematics.questions.information.removed_cards import FlopsLeft

__all__ = ["cards_left", "flops_left"]


def cards_left(deck: int, gone: tuple[int, ...], held: tuple[int, ...]) -> list[int]:
    """Of a deck with the ranks of the mask `deck`."""
    return [card for card in range(52) if deck >> card % 13 & 1 and card not in (*gone, *held)]


def flops_left(
    deck: int, gone: tuple[int, ...], held: tuple[int, ...], seen: int
) -> tuple[FlopsLeft, I64]:
    """And the number of deals in each situation before the flop. With `seen` 1 a community card is
    known there."""
    images = _staying(gone, held)
    left = cards_left(deck, gone, held)
    cards = np.array(list(combinations(left, 3)), np.int64)
    masks = [(1 << image[cards]).sum(axis=1) for image in images]
    _, example, weight = np.unique(np.minimum.reduce(masks), return_index=True, return_counts=True)
    ends = card_pairs().astype(np.int64)
    inside = np.isin(ends, left).all(axis=1)
    keys = np.minimum.reduce([_hand_keys(image, ends, seen) for image in images])
    allowed = np.asarray(inside)
    if seen:
        known = np.arange(52)
        clear = (ends[:, :1] != known) & (ends[:, 1:] != known) & np.isin(known, left)
        allowed = np.logical_and(allowed[:, None], clear).ravel()
    _, which, sizes = np.unique(keys[allowed], return_inverse=True, return_counts=True)
    number = np.full(HANDS * 52 if seen else HANDS, -1, np.int32)
    number[allowed] = which
    found = FlopsLeft(
        cards[example].astype(np.int8),
        weight.astype(np.int64),
        np.flatnonzero(inside).astype(np.int16),
        card_pairs(),
        seen,
        number,
    )
    return found, sizes.astype(np.int64)


def _hand_keys(image: I64, ends: I64, seen: int) -> I64:
    """A number for the image of every hand, or of every hand and community card."""
    a, b = image[ends[:, 0]], image[ends[:, 1]]
    hands = np.maximum(a, b) * 52 + np.minimum(a, b)
    return (hands[:, None] * 52 + image).ravel() if seen else hands


def _staying(gone: tuple[int, ...], held: tuple[int, ...]) -> list[I64]:
    """The exchanges of suits that leave the cards seen what they are: where each card goes."""
    cards = np.arange(52)
    images = [np.array(suits)[cards // 13] * 13 + cards % 13 for suits in EXCHANGES]
    return [
        image
        for image in images
        if set(image[list(gone)].tolist()) == set(gone)
        and set(image[list(held)].tolist()) == set(held)
    ]
