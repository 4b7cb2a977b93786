"""The published games as arrays, for tests and benchmarks; rulebooks supply them in the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm
from typing import Literal

import numpy as np

from croupier.mathematics.counters.boards import solver
from croupier.mathematics.counters.boards.games import (
    HoldemGame,
    Path,
    Question,
    RiverGame,
    payoffs,
)
from croupier.mathematics.counters.boards.numbering import STRENGTHS
from croupier.mathematics.hand_values import FULL_DECK
from croupier.mathematics.kernels.arrays import I64
from croupier.ranking.hands import Category
from croupier.ranking.lookup_tables import FIRST_STRENGTHS, VALUES

__all__ = [
    "BLIND_A",
    "BetDecision",
    "OneBetGame",
    "category_of_strength",
    "jackpot",
    "river",
    "solve",
    "ultimate",
    "whole",
    "wpt",
]

Odds = Sequence[int | Fraction]


@dataclass(frozen=True, slots=True)
class BetDecision:
    """A point at which the player may bet one of `multiples`, or decline.

    After `seen` community cards. Declining is a check (the game goes on; after the last decision
    the hand is shown down with no decided wager) or a fold (the game ends).
    """

    seen: int
    multiples: tuple[int, ...]
    decline: Literal["check", "fold"] = "check"


@dataclass(frozen=True, eq=False)
class OneBetGame:
    """A game with one decided wager. `deck` is the mask of the ranks in play."""

    decisions: tuple[BetDecision, ...]
    required: I64  # A[outcome, strength]
    decided: I64  # B[outcome, strength], for one unit
    qualifier: int = 0  # the lowest strength with which the dealer qualifies
    fold: int = 0
    scale: int = 1
    deck: int = FULL_DECK

    def __post_init__(self) -> None:
        if any(decision.decline == "fold" for decision in self.decisions[:-1]):
            raise ValueError("only the last decision may be a fold: nothing can follow it")

    @property
    def levels(self) -> tuple[BetDecision, ...]:
        """Decisions at the same number of cards as one: declining the first leads to the second."""
        merged: list[BetDecision] = []
        for decision in self.decisions:
            if merged and merged[-1].seen == decision.seen:
                multiples = dict.fromkeys(merged[-1].multiples + decision.multiples)
                merged[-1] = BetDecision(decision.seen, tuple(multiples), decision.decline)
            else:
                merged.append(decision)
        return tuple(merged)

    @property
    def river(self) -> tuple[tuple[int, ...], bool]:
        """The multiples after five cards (0 is a free showdown), and whether folding is allowed."""
        last = self.levels[-1]
        if last.seen < 5:
            return (0,), False
        if last.decline == "fold":
            return last.multiples, True
        return (*last.multiples, 0), False

    @property
    def cards(self) -> int:
        return 4 * self.deck.bit_count()

    @property
    def dealer_hands(self) -> int:
        return comb(self.cards - 7, 2)


BLIND_A: Odds = (
    500,
    50,
    10,
    3,
    Fraction(3, 2),
    1,
)  # royal, straight flush, quads, house, flush, run
ODDS_A: Odds = (500, 50, 10, 3, Fraction(3, 2), 1)
X_TRA: Odds = (500, 50, 10, 4, 2, 1)
_PAIR = FIRST_STRENGTHS[Category.PAIR]


def category_of_strength() -> I64:
    """The `Category` of every strength."""
    return np.asarray(VALUES, dtype=np.int64) >> 20


def _table(odds: Odds, scale: int) -> I64:
    """Amounts by strength: the lines from the royal flush down, nothing below the last."""
    by_category = np.zeros(len(Category), dtype=np.int64)
    for line, pays in enumerate(odds):
        by_category[Category.ROYAL_FLUSH - line] = int(pays * scale)
    return by_category[category_of_strength()]


def _game(
    win: Odds,
    decisions: tuple[BetDecision, ...],
    loss: Odds = (),
    lost_when_beaten: bool = False,
    deck: int = FULL_DECK,
) -> OneBetGame:
    """Ante and a bonus wager: `win` on a win; on a loss it loses, or pays `loss` where listed."""
    scale = lcm(*(Fraction(pays).denominator for pays in (*win, *loss)))
    bonus = _table(win, scale)
    bad_beat = _table(loss, scale)
    beaten = np.where(bad_beat > 0, bad_beat, -scale)
    unqualified = -scale if lost_when_beaten else 0
    required = payoffs([bonus + scale, bonus, 0, 0, beaten - scale, beaten + unqualified])
    decided = payoffs([scale, scale, 0, 0, -scale, -scale])
    return OneBetGame(decisions, required, decided, _PAIR, -2 * scale, scale, deck)


def ultimate(blind: Odds = BLIND_A, deck: int = FULL_DECK) -> OneBetGame:
    decisions = (BetDecision(0, (4, 3)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold"))
    return _game(blind, decisions, deck=deck)


def jackpot(
    x_tra: Odds = X_TRA, lost_when_beaten: bool = False, deck: int = FULL_DECK
) -> OneBetGame:
    decisions = (BetDecision(1, (3,)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold"))
    return _game(x_tra, decisions, lost_when_beaten=lost_when_beaten, deck=deck)


def wpt(bad_beat: Odds = (500, 500, 50, 10, 8, 5), deck: int = FULL_DECK) -> OneBetGame:
    decisions = (BetDecision(0, (3,)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold"))
    return _game(ODDS_A, decisions, loss=bad_beat, deck=deck)


def whole(game: OneBetGame, *, takes_first: bool = True) -> HoldemGame:
    """The same game by what is said at each decision."""
    return HoldemGame(
        tuple(
            Question(
                each.seen,
                0,
                tuple((f"{k}x", k) for k in each.multiples),
                each.decline,
                each.decline == "fold",
            )
            for each in game.decisions
        ),
        game.required,
        (game.decided,),
        (game.fold, 0),
        game.qualifier,
        game.scale,
        game.deck,
        takes_first=takes_first,
    )


def river(game: OneBetGame) -> RiverGame:
    """What is left on all five community cards of a hand that has bet nothing before."""
    return solver.river_game(whole(game), Path((), (0,)))[0]


def solve(game: OneBetGame, threads: int | None = None) -> solver.Solution:
    return solver.solve_holdem(whole(game), threads)


assert STRENGTHS == 7462
