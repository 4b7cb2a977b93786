"""Who is at a table, who has gone away, how fast they want it dealt, who works at a rehearsal."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from croupier.runtime.dealer import AT_ONCE, PACES, Pace, PaceName, no_slower

AT_WORK: Final = 60.0
"""Seconds for which somebody counts as at work after their last command."""
STAYS: Final = 900.0
"""Seconds after which software stops at a rehearsal table where nobody does anything."""
AWAY_SECONDS: Final = 30.0
"""So long after the last connection, command or look a player is away: a page may be reloaded,
a telephone may lose its network for a moment."""


class Presence:
    """The players of one table, by what this process sees of them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: Counter[str] = Counter()
        self._last: dict[str, float] = {}

    def came(self, name: str) -> None:
        self._open[name] += 1

    def went(self, name: str) -> None:
        self._open[name] -= 1
        if not self._open[name]:
            del self._open[name]
        self.acted(name)

    def acted(self, name: str) -> None:
        self._last[name] = self._clock()

    def seconds_left(self, name: str) -> float | None:
        """Seconds until the player counts as away, 0 if they do; None while they are connected.
        After a restart, when nothing is known yet, they have the whole time."""
        if name in self._open:
            return None
        gone = self._clock() - self._last.setdefault(name, self._clock())
        return max(0.0, AWAY_SECONDS - gone)

    def away(self, names: Iterable[str]) -> frozenset[str]:
        """Those of these players who have gone away."""
        return frozenset([name for name in names if self.seconds_left(name) == 0])

    def next_look(self, names: Iterable[str], most: float) -> float:
        """In how many seconds one of these players may count as away, at most `most`."""
        left = [self.seconds_left(name) for name in names]
        return min([most, *(seconds + 0.1 for seconds in left if seconds)])

    def forget_all_but(self, names: Iterable[str]) -> None:
        """Of people who have left the table nothing is kept."""
        kept = {*names, *self._open}
        self._last = {name: at for name, at in self._last.items() if name in kept}


_ORDER: Final = tuple(PACES)


class Wish:
    """What the page of a player has said."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.pace: PaceName = "casino"
        self.skips = False
        """On to what people are asked next."""


def slowest(wishes: Iterable[Wish]) -> PaceName:
    return min((wish.pace for wish in wishes), key=_ORDER.index, default="casino")


def pace_of(wishes: list[Wish], house: Pace) -> Pace:
    """Never slower than the house deals; at once where everybody skips."""
    skipping = {wish.player for wish in wishes if wish.skips}
    if wishes and skipping.issuperset(wish.player for wish in wishes):
        return no_slower(house, AT_ONCE)
    return no_slower(house, PACES[slowest(wishes)])


class Rehearsal:
    """Who works at a rehearsal table: software plays the roles that nobody has taken, and only
    while people are there."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._worked: dict[str, float] = {}
        self._last_person = float("-inf")
        self._rests_at = 0
        self.taken_by = ""
        """The guest for whom the table was opened."""

    def note_watching(self) -> None:
        self._last_person = self._clock()

    def note_work(self, role: str) -> None:
        """Somebody works here in this role: software leaves it to them."""
        self._last_person = self._worked[role] = self._clock()

    def clear(self) -> None:
        """Nobody works here any more, software neither."""
        self._worked.clear()
        self._last_person = float("-inf")

    def rest(self, version: int) -> None:
        """What software wanted to do was refused: it waits until something has happened."""
        self._rests_at = version

    def rests(self, version: int) -> bool:
        return version == self._rests_at or self._clock() - self._last_person >= STAYS

    def roles_at_work(self) -> set[str]:
        since = self._clock() - AT_WORK
        return {role for role, at in self._worked.items() if at > since}

    def has_worked(self, role: str) -> bool:
        return role in self._worked
