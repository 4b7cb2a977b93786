"""The player's risk of ruin, and the bankroll that the house needs.

A player is ruined when the money left after a round does not cover the needs of the next one. There
are two answers. One needs the stakes that a round begins with, and assumes that every raise is
covered: that only makes the money left smaller, so ruin comes sooner. The other needs the largest
raises as well (`stakes.largest_raises`), and is exact for a player who leaves the table once they
cannot make them; a player who stays with less plays worse, and another game.

Over n rounds the money left is walked forward exactly; ruined players leave the walk. A player so
far ahead that the rest of the rounds could ruin them with a probability under 1e-13 (Chernoff's
bound) is counted as safe. All terms are positive, so rounding adds no more than one unit in the
last place for each term and round.

Over all time: with E exp(-t X) = 1 for a t > 0 (the adjustment equation; such a t exists if the
mean net X is above 0), the probability of ruin lies between exp(-t * (way + overshoot)) and exp(-t
* way), where `way` is what must be lost and `overshoot` the most by which a single round can
overshoot.

For the house, the question is the deepest loss within a number of hands, each winning X from it.
The greatest of the sums S(0) … S(n) of independent hands is distributed as W(n), where W(0) = 0 and
W(k) = max(0, W(k-1) + X): the hands in reverse order make the same sums. So one walk over the
lattice of the nets answers for every bankroll at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, gcd, inf, log
from typing import Final

import numpy as np

from croupier.errors import BadRequest
from croupier.mathematics.kernels.decorators import kernel
from croupier.mathematics.questions.sessions.over_rounds import Floats, mean_of

_SAFE: Final = 1e-13
_ULP: Final = 2.0**-53
_MOST_WORK: Final = 60_000_000_000
_BEYOND: Final = 1e-9
_MOST_WORK_OF_HOUSE: Final = 20_000_000_000


@dataclass(frozen=True)
class Ruin:
    """The chance of ruin within a number of rounds; wrong by at most `error`."""

    chance: float
    error: float


@dataclass(frozen=True)
class LongRun:
    """Bounds of the chance of eventual ruin; both are 1 if the mean is not positive."""

    at_least: float
    at_most: float
    adjustment: float | None
    """The t of the adjustment equation, per cent of money; None if there is none."""


def ruin_within(nets: Mapping[int, int], bankroll: int, needed: int, rounds: int) -> Ruin:
    """Return the chance of ruin within the rounds; `needed` is what a round begins with; all
    amounts in cents."""
    _check(bankroll, needed)
    if min(nets) >= 0:
        return Ruin(0.0, 0.0)
    step = gcd(*nets) or 1
    total = sum(nets.values())
    offsets = np.array([net // step for net in nets], np.int64)
    chances = np.array([deals / total for deals in nets.values()])
    # Place 0 is the least money with which one may still play.
    start = (bankroll - needed) // step
    safe = _height(nets, rounds, step, _SAFE)
    if start >= safe:
        return Ruin(0.0, _SAFE)
    if safe * len(nets) * rounds > _MOST_WORK:
        raise BadRequest(
            "the risk of ruin for these amounts over that many rounds takes too long: choose "
            "stakes and meters in whole dollars, or fewer rounds"
        )
    alive = np.zeros(safe)
    alive[start] = 1.0
    ruined = float(walk(alive, offsets, chances, rounds))
    return Ruin(ruined, _SAFE + (len(nets) + 2) * rounds * _ULP)


def _check(bankroll: int, needed: int) -> None:
    if bankroll < needed:
        raise BadRequest(
            "the bankroll does not cover the stakes of the first round: nothing can be played"
        )


def _height(nets: Mapping[int, int], rounds: int, step: int, chance: float) -> int:
    """Return a number of steps by which the sum of the nets falls within the rounds with less than
    this chance.

    By Doob's inequality for exp(-t * sum), the chance to fall by h is at most exp(-t * h) times the
    largest of its means, max(1, M)^rounds; t is chosen to make h small.
    """
    best = max(-min(nets), 0) * rounds // step + 1
    for power in np.linspace(-12, 0, 97):
        t = 10.0**power / step * 10
        grown = max(0.0, _log_mean(nets, t)) * rounds
        best = min(best, int((grown - log(chance)) / (t * step)) + 2)
    return max(1, best)


def _log_mean(nets: Mapping[int, int], t: float) -> float:
    """Return log E exp(-t X)."""
    total = sum(nets.values())
    highest = max(-t * net for net in nets)
    inner = sum(deals / total * exp(-t * net - highest) for net, deals in nets.items())
    return highest + log(inner)


@kernel
def walk(alive: Floats, offsets: np.ndarray, chances: Floats, rounds: int) -> float:
    """Return the probability of leaving `alive` at its lower end; mass that leaves at the upper end
    is safe."""
    size = len(alive)
    after = np.zeros(size)
    ruined = 0.0
    for _ in range(rounds):
        after[:] = 0.0
        for which in range(len(offsets)):
            offset, chance = offsets[which], chances[which]
            low, high = max(0, -offset), min(size, size - offset)
            for place in range(min(low, size)):
                ruined += alive[place] * chance
            if high > low:
                source, target = alive[low:high], after[low + offset : high + offset]
                for place in range(high - low):
                    target[place] += source[place] * chance
        alive, after = after, alive
    return ruined


def ruin_for_ever(nets: Mapping[int, int], bankroll: int, needed: int) -> LongRun:
    _check(bankroll, needed)
    if min(nets) >= 0:
        return LongRun(0.0, 0.0, inf)
    t = adjustment(nets)
    if t is None:
        return LongRun(1.0, 1.0, None)
    step = gcd(*nets) or 1
    way = ((bankroll - needed) // step + 1) * step
    overshoot = -min(nets) - step
    return LongRun(exp(-t * (way + overshoot)), exp(-t * way), t)


def adjustment(nets: Mapping[int, int]) -> float | None:
    """Return the positive t with E exp(-t X) = 1, by bisection; None if the mean is not above 0."""
    if mean_of(nets) <= 0 or min(nets) >= 0:
        return None
    high = 1.0 / -min(nets)
    while _log_mean(nets, high) < 0:
        high *= 2
    low = high / 2
    while _log_mean(nets, low) > 0:
        low /= 2
    for _ in range(200):
        middle = (low + high) / 2
        if _log_mean(nets, middle) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


# -- the house -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RunningLoss:
    """The probability that the deepest loss of `hands` hands is i * step cents, for i from 0; no
    sum of them is wrong by more than `error`."""

    hands: int
    step: int
    chances: Floats
    error: float

    def covered(self, percent: float) -> int:
        """Return the least bankroll, in cents, that lasts with at least this probability in
        percent."""
        reached = np.cumsum(self.chances) - self.error
        place = int(np.searchsorted(reached, percent / 100))
        assert place < len(reached)
        return place * self.step


def running_loss(nets: Mapping[int, int], hands: int) -> RunningLoss:
    """Return the deepest loss; `nets` are what one hand wins from the house, in cents, with the
    number of its deals."""
    if not 0 <= hands <= 1_000_000:
        raise BadRequest(f"a bankroll lasts 0 to 1,000,000 hands, not {hands}")
    step = gcd(*nets) or 1
    size = _height({-net: deals for net, deals in nets.items()}, hands, step, _BEYOND)
    if size * len(nets) * hands > _MOST_WORK_OF_HOUSE:
        raise BadRequest(
            "the bankroll for these amounts over this many hands takes too long: choose stakes and "
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
