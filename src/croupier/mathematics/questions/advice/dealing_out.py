"""What may still be said and what it is worth, by dealing out the cards that are left.

From the flop on the remaining cards are dealt one by one against every dealer's hand. This shares
no code with the solver's kernels, so each is a check of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from croupier.mathematics.counters.boards.games import HoldemGame, Path
from croupier.mathematics.hand_values import values_of
from croupier.mathematics.kernels.arrays import I64
from croupier.ranking.fast import strengths


class DealtOut:
    """One hand with the community cards seen so far, three at least."""

    def __init__(self, game: HoldemGame, own: Sequence[int], community: Sequence[int]) -> None:
        self.game = game
        self.own = sorted(int(card) for card in own)
        self.seen = tuple(int(card) for card in community)
        self.deck = [card for card in range(52) if game.deck >> card % 13 & 1]
        self._counts: dict[frozenset[int], tuple[I64, int]] = {}
        self._pays: dict[tuple[int, ...], I64] = {}

    def value(self, path: Path) -> Fraction:
        """What it is worth to go on by this path, in units of one required wager."""
        if path.folded:
            return Fraction(self.game.fold(path.bets), self.game.scale)
        total, ways = self._onward(path, self.seen)
        return Fraction(total, ways * self.game.scale)

    def _onward(self, path: Path, shown: tuple[int, ...]) -> tuple[int, int]:
        """The sum over all that may come after these cards, and in how many ways it comes."""
        if len(shown) == 5:
            counts, mine = self._showdowns(frozenset(shown))
            return int(counts @ self._payoffs(path.bets)[:, mine]), int(counts.sum())
        total = ways = 0
        for card in self.deck:
            if card not in shown and card not in self.own:
                sums, each = self._best(path, (*shown, card))
                total, ways = total + sums, ways + each
        return total, ways

    def _best(self, path: Path, shown: tuple[int, ...]) -> tuple[int, int]:
        """The best answer to what is asked on these cards, if anything is."""
        level = self.game.level(len(shown))
        answers = (path,) if level is None else level.leaving[level.arriving.index(path)]
        sums = [self._onward(answer, shown) for answer in answers if not answer.folded]
        ways = sums[0][1] if sums else self._onward(path, shown)[1]
        folds = [self.game.fold(a.bets) * ways for a in answers if a.folded]
        return max([*(total for total, _ in sums), *folds]), ways

    def _payoffs(self, bets: tuple[int, ...]) -> I64:
        if bets not in self._pays:
            self._pays[bets] = self.game.payoffs(bets)
        return self._pays[bets]

    def _showdowns(self, board: frozenset[int]) -> tuple[I64, int]:
        """How many of the dealer's hands end the round in each way, and the own strength."""
        if board not in self._counts:
            left = [card for card in self.deck if card not in board and card not in self.own]
            shared = sum(1 << card for card in board)
            hands = [tuple(self.own), *combinations(left, 2)]
            masks = np.array([shared | 1 << a | 1 << b for a, b in hands], np.uint64)
            mine, *_ = found = self._strengths(masks)
            theirs = found[1:]
            row = np.where(theirs < mine, 0, np.where(theirs == mine, 2, 4))
            row += theirs < self.game.qualifier
            self._counts[board] = np.bincount(row, minlength=6).astype(np.int64), int(mine)
        return self._counts[board]

    def _strengths(self, masks: NDArray[np.uint64]) -> I64:
        if self.game.ranking is None:
            return strengths(masks).astype(np.int64)
        return self.game.strengths.of(values_of(self.game.ranking, masks))
