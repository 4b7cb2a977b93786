"""Leaks: situations ranked by what they cost the player, and drilled by spaced repetition.

A situation answered wrongly goes into box 1 of five. Once it is due, a right answer moves it one
box up and a wrong answer back to box 1. It is due again 10 minutes, 1 day, 3 days, 7 days, or 21
days after it came into its box; a right answer in box 5 removes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

import msgspec

from croupier.ledger.entries import stamp
from croupier.school.practice.pricing import Priced
from croupier.school.progress_store import RecordType

INTERVALS: Final = (
    timedelta(minutes=10),
    timedelta(days=1),
    timedelta(days=3),
    timedelta(days=7),
    timedelta(days=21),
)


class Leak(msgspec.Struct, frozen=True):
    """A situation of one game. `box` 0: nothing to repeat. `cost`: the total in units of one
    required wager."""

    decision: str
    asked: int = 0
    wrong: int = 0
    cost: str = "0"
    box: int = 0
    due_at: str = ""
    said: str = ""
    best: str = ""
    """The wrong answer and the better one, the last time."""

    @property
    def cost_exact(self) -> Fraction:
        return Fraction(self.cost)


class Leaks(msgspec.Struct, frozen=True):
    """The leaks of one game, by situation."""

    situations: dict[str, Leak] = {}


LEAKS: Final = RecordType("practice leaks", Leaks)


def noted(leaks: Leaks | None, priced: Priced, now: datetime) -> Leaks:
    """Return the leaks after one more decision."""
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
    """Return the situations that cost anything, most expensive first."""
    costly = [(name, leak) for name, leak in leaks.situations.items() if leak.cost_exact]
    return sorted(costly, key=lambda item: (-item[1].cost_exact, item[0]))


def due(leaks: Leaks, now: datetime) -> list[str]:
    """Return the due situations: lowest box first, then longest overdue."""
    waiting = _waiting(leaks.situations.items(), stamp(now))
    return [name for _, _, name in sorted(waiting)]


def _waiting(situations: Iterable[tuple[str, Leak]], now: str) -> list[tuple[int, str, str]]:
    return [
        (leak.box, leak.due_at, name)
        for name, leak in situations
        if leak.box and leak.due_at <= now
    ]
