"""What all cards seen show together, whoever holds them, and what is bet: noted for games of
streets beside the features of `features`."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.kernels.arrays import I8
from croupier.mathematics.questions.strategies.features import FEATURES
from croupier.ranking.hands import ACE

__all__ = ["MOST_SEEN", "SeenFeature", "note_seen"]

MOST_SEEN: Final = 7


class SeenFeature(IntEnum):
    """Rows after those of `Feature`. `RANKS`: the ranks of all cards, highest first, -1 after the
    last. `RUNS`: the most ranks among two to five that follow each other, the ace high or
    low; `SUITED_RUNS`: the same in one suit."""

    RANKS = FEATURES
    RUNS = FEATURES + MOST_SEEN
    SUITED_RUNS = RUNS + 4
    UNITS = SUITED_RUNS + 4  # what lies there before the decision, in units of a required wager
    END = UNITS + 1


def _windows(width: int) -> list[int]:
    """All sets of so many ranks that follow each other, as bits."""
    low = [1 << ACE | (1 << width - 1) - 1]
    return low + [((1 << width) - 1) << rank for rank in range(14 - width)]


def note_seen(masks: NDArray[np.uint64], features: I8) -> None:
    """Fill the rows of `SeenFeature`, except the units, for sets of as many cards each."""
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
