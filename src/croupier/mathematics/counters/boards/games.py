"""The game as its solver sees it: required wagers that pay A, wagers decided in play that pay B, C…

All depend on the player's final strength and on how it compares with the dealer's. With k units of
the first decided wager down and l of the second, a showdown is worth A + kB + lC, and a fold what
it leaves of each. Amounts are integers, in units of 1/scale of one required wager.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Final

import numpy as np

from croupier.mathematics.counters.boards.deck_strengths import DeckStrengths, deck_strengths
from croupier.mathematics.counters.boards.one_bet import FULL_DECK
from croupier.mathematics.counters.boards.paths import (
    Level,
    Path,
    Question,
    levels_of,
    paths_of,
)
from croupier.mathematics.kernels.arrays import I64
from croupier.ranking.ranking import Ranking

__all__ = ["MOST_PATHS", "HoldemGame"]

MOST_PATHS: Final = 100  # numbered in eight bits
_INT64: Final = (1 << 63) - 1


@dataclass(frozen=True, eq=False)
class HoldemGame:
    """`folded` has what a fold makes of all required wagers together, and then of a unit of each
    decided one. `deck` is the mask of the ranks in play."""

    questions: tuple[Question, ...]
    required: I64  # [result, strength]
    decided: tuple[I64, ...]  # for one unit of each
    folded: tuple[int, ...]
    qualifier: int = 0
    scale: int = 1
    deck: int = FULL_DECK
    ranking: Ranking | None = None
    """Another than the usual one; strengths are places among its values then."""
    takes_first: bool = True  # of equally good actions the first; else the last

    def __post_init__(self) -> None:
        seen = [question.seen for question in self.questions]
        if not seen or seen != sorted(seen):
            raise ValueError(f"decisions come in order of the cards seen, at least one: {seen}")
        if len({question.wager for question in self.questions if question.seen == 5}) > 1:
            raise ValueError("one wager at most is decided on all five community cards")
        if any(question.seen == 5 and not question.decline for question in self.questions):
            raise ValueError("a bet on all five community cards can be declined")
        if len(paths_of(self.levels)) > MOST_PATHS:
            raise OverflowError(f"there are more than {MOST_PATHS} ways to bet")
        runouts = (self.cards - 5) * (self.cards - 6)
        if self.level(4):
            runouts *= 24  # sums at the turn are kept for a whole class under exchange of suits
        if 4 * runouts * self.dealer_hands * self.largest > _INT64:
            raise OverflowError(f"payoffs of up to {self.largest} units are too large to be exact")

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        return levels_of(self.questions, len(self.decided))

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        return paths_of(self.levels)

    @cached_property
    def strengths(self) -> DeckStrengths | None:
        return None if self.ranking is None else deck_strengths(self.ranking)

    def level(self, seen: int) -> Level | None:
        return next((level for level in self.levels if level.seen == seen), None)

    def answers(self, seen: int, path: Path) -> tuple[Path, ...]:
        """What a path that comes to the decisions on so many cards can become there."""
        level = self.level(seen)
        return (path,) if level is None else level.leaving[level.arriving.index(path)]

    @property
    def cards(self) -> int:
        return 4 * self.deck.bit_count()

    @property
    def dealer_hands(self) -> int:
        return comb(self.cards - 7, 2)

    @property
    def largest(self) -> int:
        """No path's payoff exceeds this in absolute value."""
        most = [max(path.bets[wager] for path in self.paths) for wager in range(len(self.decided))]
        each = [int(np.abs(pays).max()) for pays in self.decided]
        decided = sum(
            k * max(pay, abs(f)) for k, pay, f in zip(most, each, self.folded[1:], strict=True)
        )
        return max(int(np.abs(self.required).max()), abs(self.folded[0])) + decided

    def payoffs(self, bets: Sequence[int]) -> I64:
        """[result, strength]: what the round comes to with these bets down."""
        total: I64 = self.required.copy()
        for multiple, pays in zip(bets, self.decided, strict=True):
            total += multiple * pays
        return total

    def fold(self, bets: Sequence[int]) -> int:
        """What a fold is worth with these bets down."""
        lost = zip(bets, self.folded[1:], strict=True)
        return self.folded[0] + sum(multiple * each for multiple, each in lost)
