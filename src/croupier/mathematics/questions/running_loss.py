"""The deepest loss within a number of hands: the bankroll that pays every win on the way.

The greatest of the sums S(0) … S(n) of independent hands is distributed as W(n), where W(0) = 0 and
W(k) = max(0, W(k-1) + X): the hands in reverse order make the same sums. So one walk over the
lattice of the nets answers for every bankroll at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, gcd, log
from typing import Final

import numpy as np

from croupier.errors import BadRequest
from croupier.mathematics.questions.sessions.over_rounds import Floats

__all__ = ["RunningLoss", "running_loss"]

_MOST_WORK: Final = 20_000_000_000
_BEYOND: Final = 1e-9
_ULP: Final = 2.0**-53


@dataclass(frozen=True)
class RunningLoss:
    """The chance that the deepest loss of `hands` hands is i * step cents, from 0 on; no sum of
    chances is wrong by more than `error`."""

    hands: int
    step: int
    chances: Floats
    error: float

    def covered(self, percent: float) -> int:
        """The least bankroll, in cents, that lasts with at least so many percent."""
        reached = np.cumsum(self.chances) - self.error
        place = int(np.searchsorted(reached, percent / 100))
        assert place < len(reached)
        return place * self.step


def running_loss(nets: Mapping[int, int], hands: int) -> RunningLoss:
    """`nets` are what one hand wins from the house, in cents, with the number of its deals."""
    if not 0 <= hands <= 1_000_000:
        raise BadRequest(f"a bankroll lasts 0 to 1,000,000 hands, not {hands}")
    step = gcd(*nets) or 1
    size = _height(nets, hands, step)
    if size * len(nets) * hands > _MOST_WORK:
        raise BadRequest(
            "the bankroll for these amounts over so many hands takes too long: choose stakes and "
            "meters in whole dollars, or fewer rounds"
        )
    total = sum(nets.values())
    moves = [(net // step, deals / total) for net, deals in nets.items()]
    walked = np.zeros(size)
    walked[0] = 1.0
    for _ in range(hands):
        after = np.zeros(size)
        for move, chance in moves:
            if move >= 0:
                after[min(move, size) :] += chance * walked[: max(size - move, 0)]
            else:
                after[: max(size + move, 0)] += chance * walked[-move:]
                after[0] += chance * walked[:-move].sum()
        walked = after
    return RunningLoss(hands, step, walked, hands * (_BEYOND + (len(nets) + 2) * _ULP))


def _height(nets: Mapping[int, int], hands: int, step: int) -> int:
    """Steps of loss that are passed after any one hand with a chance under 1e-9.

    By Doob's inequality for exp(t * sum) the chance to reach h is at most exp(-t * h) times
    max(1, M(t))^hands; t is chosen to make h small.
    """
    total, largest = sum(nets.values()), max(nets)
    best = max(largest, 0) * hands // step + 2
    for power in np.linspace(-12, 0, 97):
        t = 10.0**power / step * 10
        inner = sum(deals / total * exp(t * (net - largest)) for net, deals in nets.items())
        grown = max(0.0, t * largest + log(inner)) * hands
        best = min(best, int((grown - log(_BEYOND)) / (t * step)) + 2)
    return max(2, best)
