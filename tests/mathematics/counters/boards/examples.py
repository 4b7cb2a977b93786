"""The published games as arrays, for tests and benchmarks; rulebooks supply them in the end."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from croupier.mathematics.counters.boards import solver
from croupier.mathematics.counters.boards.games import HoldemGame
from croupier.mathematics.counters.boards.one_bet import FULL_DECK, BetDecision, OneBetGame, payoffs
from croupier.mathematics.counters.boards.paths import Question
from croupier.mathematics.counters.boards.strengths import STRENGTHS, category_of_strength
from croupier.mathematics.kernels.arrays import I64
from croupier.ranking.fast import FIRST_STRENGTHS
from croupier.ranking.hands import Category

__all__ = ["BLIND_A", "jackpot", "solve", "ultimate", "whole", "wpt"]

Odds = Sequence[int | Fraction]

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


def solve(game: OneBetGame, threads: int | None = None) -> solver.Solution:
    return solver.solve(whole(game), threads)


assert STRENGTHS == 7462
