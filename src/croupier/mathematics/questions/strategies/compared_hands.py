"""Hands that are compared with the dealer's, in the ranking of their game: what a player sees of
them and of the dealer's cards, and the names of hands that a strategy may use."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from croupier.cards import RANK_WORDS, RANKS
from croupier.mathematics.counters.opponents.decks import FourSuits
from croupier.mathematics.hand_values import Strengths
from croupier.mathematics.kernels.arrays import I16, I64, U16
from croupier.mathematics.kernels.decorators import kernel, whole
from croupier.ranking.ranking import Ranking

HeldFeatures = NDArray[np.int32]
_MOST_CARDS: Final = 7


class HeldFeature(IntEnum):
    """The rows of features. Ranks are 0 (two) to 12 (ace), -1 after the last card."""

    STRENGTH = 0  # the rank of the player's hand among all hands of the game
    RANKS = 1  # those of the own cards, highest first
    FLUSH = RANKS + _MOST_CARDS  # most own cards of one suit
    DEALER = FLUSH + 1  # the ranks of the dealer's cards that are seen, highest first
    MATCHES = DEALER + _MOST_CARDS  # own cards with the rank of a dealer's card
    END = MATCHES + 1


def note_held(masks: I16, strengths: U16, seen: FourSuits) -> HeldFeatures:
    """Return [feature, hand] for hands of four masks each, against a dealer who shows these
    cards."""
    features = np.full((HeldFeature.END, len(masks)), -1, np.int32)
    features[HeldFeature.STRENGTH] = strengths
    _note(masks, _ranks_of(seen), features)
    return features


def _ranks_of(seen: FourSuits) -> I64:
    ranks = [rank for mask in seen for rank in range(13) if mask >> rank & 1]
    return np.array(sorted(ranks, reverse=True), np.int64)


@kernel
def _note(masks: I16, dealers: I64, features: NDArray[np.int32]) -> None:
    shown = 0
    for place, rank in enumerate(dealers):
        shown |= 1 << rank
        features[9 + place] = rank
    counts = np.zeros(4, np.int64)
    for hand in range(len(masks)):
        place = matches = 0
        counts[:] = 0
        for down in range(13):
            rank = 12 - down
            for suit in range(4):
                if whole(masks[hand, suit]) >> rank & 1:
                    features[1 + place, hand] = rank
                    place += 1
                    counts[suit] += 1
                    matches += shown >> rank & 1
        features[8, hand] = counts.max()
        features[16, hand] = matches


class RankedHands:
    """The names of hands in one game, and the strengths that each includes."""

    def __init__(self, ranking: Ranking, strengths: Strengths) -> None:
        self.names, self.by_suit = ranking.names, ranking.by == "longest_suit"
        self._ranking, self._strengths = ranking, strengths
        values = strengths.values
        self.categories = (values >> 20).astype(np.int64)

    @property
    def count(self) -> int:
        return len(self.categories)

    def deciding(self, strength: int) -> tuple[int, ...]:
        """Return the ranks that decide between hands of one category, most significant first."""
        return self._ranking.deciding(int(self._strengths.values[strength]))

    def least(self, category: int, of: str = "") -> int:
        """Return the lowest strength of a category with these ranks and up."""
        return self._strengths.least(self._ranking.least(self.names[category], of))

    def end(self, category: int) -> int:
        """Return one past the highest strength of a category."""
        return int(np.searchsorted(self.categories, category, side="right"))

    def beginning_with(self, category: int, of: str) -> tuple[int, int]:
        """Return the strengths of a category with these first ranks: the first, one past
        the last."""
        ranks = tuple(RANKS.index(rank) for rank in of)
        low = high = self.least(category, of)
        while high < self.end(category) and self.deciding(high)[: len(ranks)] == ranks:
            high += 1
        return low, high

    def hand_name(self, strength: int) -> str:
        """Return a hand by its category and the first deciding ranks: `pair, tens`, `QJ high`."""
        category = int(self.categories[strength])
        ranks = "".join(RANKS[rank] for rank in self.deciding(strength)[: 2 if not category else 1])
        name = self.names[category].replace("_", " ")
        return f"{name} {ranks}".strip()

    def cut(self, strength: int, most: int = _MOST_CARDS) -> str:
        """Return the words for this hand or better, with at most `most` ranks named."""
        category = int(self.categories[strength])
        ranks = "".join(RANKS[rank] for rank in self.deciding(strength))
        of = next(
            (ranks[:n] for n in range(most + 1) if self.least(category, ranks[:n]) == strength),
            ranks[:most],
        )
        name = self.names[category].replace("_", " ")
        if not of:
            return f"a {name} or better"
        if not category and not self.by_suit:
            return f"{'-'.join(of)} or better" if len(of) > 1 else f"{of} high or better"
        if name == "pair" and len(of) == 1:
            word = RANK_WORDS[RANKS.index(of)]
            return f"a pair of {word}{'es' if word.endswith('x') else 's'} or better"
        return f"a {name} {'-'.join(of)} or better"
