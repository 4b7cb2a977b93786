"""Hold'em as the kernels price it: required wagers that pay A, and one that is decided and pays B.

Both depend only on the player's final strength and on how it compares with the dealer's. A bet of k
units is worth A + k*B at the showdown, and a fold is worth a constant. All amounts are integers, in
units of 1/scale of one required wager. The end of every path of a `HoldemGame` is such a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from math import comb
from typing import Final, Literal

import numpy as np

from croupier.mathematics.counters.boards.strengths import STRENGTHS, StrengthTables
from croupier.mathematics.kernels.arrays import I64

__all__ = ["FULL_DECK", "BetDecision", "OneBetGame", "ShowdownResult", "payoffs"]

FULL_DECK: Final = (1 << 13) - 1
_INT64: Final = (1 << 63) - 1


class ShowdownResult(IntEnum):
    """How a showdown ends: the rows of a payoff array."""

    WIN_QUALIFIED = 0
    WIN_UNQUALIFIED = 1
    TIE_QUALIFIED = 2
    TIE_UNQUALIFIED = 3
    LOSS_QUALIFIED = 4
    LOSS_UNQUALIFIED = 5


OUTCOMES: Final = len(ShowdownResult)


@dataclass(frozen=True, slots=True)
class BetDecision:
    """A point at which the player may bet one of `multiples`, or decline.

    After `seen` community cards. Declining is a check (the game goes on; after the last decision
    the hand is shown down with no decided wager) or a fold (the game ends).
    """

    seen: int
    multiples: tuple[int, ...]
    decline: Literal["check", "fold"] = "check"

    def __post_init__(self) -> None:
        if not 0 <= self.seen <= 5:
            raise ValueError(f"a decision after {self.seen} community cards: there are five")
        if not self.multiples or min(self.multiples) < 1:
            raise ValueError(f"multiples offered must be positive: {self.multiples}")


def payoffs(rows: Sequence[int | Sequence[int] | I64]) -> I64:
    """Six rows over strengths, in the order of `ShowdownResult`; a single number fills its row."""
    if len(rows) != OUTCOMES:
        raise ValueError(f"six outcomes have six rows of payoffs, not {len(rows)}")
    table = np.zeros((OUTCOMES, STRENGTHS), dtype=np.int64)
    for row, amounts in enumerate(rows):
        table[row] = amounts
    table.flags.writeable = False
    return table


@dataclass(frozen=True, eq=False)
class OneBetGame:
    """One game with its paytables filled in. `deck` is the mask of the ranks in play."""

    decisions: tuple[BetDecision, ...]
    required: I64  # A[outcome, strength]
    decided: I64  # B[outcome, strength], for one unit
    qualifier: int = 0  # the lowest strength with which the dealer qualifies
    fold: int = 0
    scale: int = 1
    deck: int = FULL_DECK
    tables: StrengthTables | None = None  # of another ranking than the usual one
    levels: tuple[BetDecision, ...] = field(init=False)  # one per number of cards seen

    def __post_init__(self) -> None:
        seen = [decision.seen for decision in self.decisions]
        if not seen or seen != sorted(seen):
            raise ValueError(f"decisions come in order of the cards seen, at least one: {seen}")
        if any(decision.decline == "fold" for decision in self.decisions[:-1]):
            raise ValueError("only the last decision may be a fold: nothing can follow it")
        if self.scale < 1 or not 0 <= self.qualifier <= STRENGTHS:
            raise ValueError("the scale is positive and the qualifier a strength")
        if self.required.shape != (OUTCOMES, STRENGTHS) or self.required.shape != (
            self.decided.shape
        ):
            raise ValueError(f"payoffs have {OUTCOMES} rows of {STRENGTHS} strengths")
        if not 0 < self.deck <= FULL_DECK or self.cards < 9:
            raise ValueError("a deck needs nine cards for one round")
        object.__setattr__(self, "levels", _merged(self.decisions))
        self._check_range()

    @property
    def cards(self) -> int:
        return 4 * self.deck.bit_count()

    @property
    def dealer_hands(self) -> int:
        """The showdowns behind one player's hand and one board: 990 with the full deck."""
        return comb(self.cards - 7, 2)

    @property
    def largest(self) -> int:
        """No action's payoff exceeds this in absolute value."""
        most = max(max(decision.multiples) for decision in self.decisions)
        required = int(np.abs(self.required).max())
        decided = int(np.abs(self.decided).max())
        return max(required + most * decided, abs(self.fold))

    def _check_range(self) -> None:
        """Every stored sum runs over at most (47 * 46) runouts times 990 showdowns of one hand.

        Sums over more than that (a player's hand over all flops) are kept in two halves and joined
        in Python's integers. The factor four leaves room for the differences between two of them.
        """
        runouts = (self.cards - 5) * (self.cards - 6)
        if 4 * runouts * self.dealer_hands * self.largest > _INT64:
            raise OverflowError(f"payoffs of up to {self.largest} units are too large to be exact")


def _merged(decisions: tuple[BetDecision, ...]) -> tuple[BetDecision, ...]:
    """Decisions at the same number of cards are one: declining the first leads to the second."""
    merged: list[BetDecision] = []
    for decision in decisions:
        if merged and merged[-1].seen == decision.seen:
            multiples = dict.fromkeys(merged[-1].multiples + decision.multiples)
            merged[-1] = BetDecision(decision.seen, tuple(multiples), decision.decline)
        else:
            merged.append(decision)
    return tuple(merged)
