"""Where a player loses money: situations ranked by what they cost, and drilled by boxes.

The rule of the boxes: a situation that is answered wrong goes into box 1. There are five boxes;
each right answer, once the situation is due, moves it one box up, each wrong one back to box 1. It
is due again 10 minutes, 1 day, 3 days, 7 days or 21 days after it came into box 1, 2, 3, 4 or 5,
and leaves for good with a right answer in box 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

import msgspec

from croupier.ledger.entries import stamp
from croupier.school.practice.pricing import Priced
from croupier.school.progress_store import Kind

__all__ = ["INTERVALS", "LEAKS", "Leak", "Leaks", "due", "noted", "ranked"]

INTERVALS: Final = (
    timedelta(minutes=10),
    timedelta(days=1),
    timedelta(days=3),
    timedelta(days=7),
    timedelta(days=21),
)


class Leak(msgspec.Struct, frozen=True):
    """A situation of one game. `box` 0: nothing to repeat. `cost` in units of one required wager,
    in all."""

    decision: str
    asked: int = 0
    wrong: int = 0
    cost: str = "0"
    box: int = 0
    due_at: str = ""
    said: str = ""
    best: str = ""
    """What was said and what was better, the last time that it was wrong."""

    @property
    def cost_exact(self) -> Fraction:
        return Fraction(self.cost)


class Leaks(msgspec.Struct, frozen=True):
    """By situation; `decisions` and `hands` are all that were ever played of the game."""

    situations: dict[str, Leak] = {}


LEAKS: Final = Kind("practice leaks", Leaks)


def noted(leaks: Leaks | None, priced: Priced, now: datetime) -> Leaks:
    """After one more decision."""
    there = {} if leaks is None else leaks.situations
    old = there.get(priced.situation, Leak(priced.decision))
    changed = msgspec.structs.replace(
        old, asked=old.asked + 1, cost=str(old.cost_exact + priced.cost)
    )
    if not priced.is_right:
        changed = msgspec.structs.replace(
            changed, wrong=old.wrong + 1, said=priced.said, best=priced.best
        )
    box = _box_after(old, now, is_right=priced.is_right)
    if box != old.box or not priced.is_right:
        due_at = stamp(now + INTERVALS[box - 1]) if box else ""
        changed = msgspec.structs.replace(changed, box=box, due_at=due_at)
    return Leaks({**there, priced.situation: changed})


def _box_after(leak: Leak, now: datetime, *, is_right: bool) -> int:
    if not is_right:
        return 1
    if not leak.box or stamp(now) < leak.due_at:
        return leak.box
    return leak.box + 1 if leak.box < len(INTERVALS) else 0


def ranked(leaks: Leaks) -> list[tuple[str, Leak]]:
    """The dearest first; those that never cost anything are none."""
    costly = [(name, leak) for name, leak in leaks.situations.items() if leak.cost_exact]
    return sorted(costly, key=lambda one: (-one[1].cost_exact, one[0]))


def due(leaks: Leaks, now: datetime) -> list[str]:
    """The situations to be asked now: what has waited longest in the lowest box first."""
    waiting = _waiting(leaks.situations.items(), stamp(now))
    return [name for _, _, name in sorted(waiting)]


def _waiting(situations: Iterable[tuple[str, Leak]], now: str) -> list[tuple[int, str, str]]:
    return [
        (leak.box, leak.due_at, name)
        for name, leak in situations
        if leak.box and leak.due_at <= now
    ]
