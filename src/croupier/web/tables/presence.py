"""Who is at a table, who is away, the pace they want, and who works at a rehearsal table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from croupier.runtime.dealer import AT_ONCE, PACES, Pace, PaceName, no_slower

AT_WORK: Final = 60.0
"""Seconds for which somebody counts as working after their last command."""
STAYS: Final = 900.0
"""Seconds after which software stops at a rehearsal table where nobody does anything."""
AWAY_SECONDS: Final = 30.0
"""Seconds after the last connection, command or look until a player is away. A page may be
reloaded, or a phone may lose its network for a moment."""


class Presence:
    """The players of one table, as far as this process sees them."""

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
        """Return the seconds until the player counts as away (0 if they do), or None while they are
        connected. A player never seen before, as after a restart, gets the full time."""
        if name in self._open:
            return None
        gone = self._clock() - self._last.setdefault(name, self._clock())
        return max(0.0, AWAY_SECONDS - gone)

    def away(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of these players who are away."""
        return frozenset([name for name in names if self.seconds_left(name) == 0])

    def next_look(self, names: Iterable[str], most: float) -> float:
        """Return the seconds until one of these players may count as away, at most `most`."""
        left = [self.seconds_left(name) for name in names]
        return min([most, *(seconds + 0.1 for seconds in left if seconds)])

    def forget_all_but(self, names: Iterable[str]) -> None:
        """Forget everyone except these people and those connected."""
        kept = {*names, *self._open}
        self._last = {name: at for name, at in self._last.items() if name in kept}


_ORDER: Final = tuple(PACES)


class Wish:
    """The wishes that a player's page has sent."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.pace: PaceName = "casino"
        self.skips = False
        """The player wants to skip ahead to the next question."""


def slowest(wishes: Iterable[Wish]) -> PaceName:
    return min((wish.pace for wish in wishes), key=_ORDER.index, default="casino")


def pace_of(wishes: list[Wish], house: Pace) -> Pace:
    """Return the pace to deal at, never slower than the house's; without pauses if everyone
    skips."""
    skipping = {wish.player for wish in wishes if wish.skips}
    if wishes and skipping.issuperset(wish.player for wish in wishes):
        return no_slower(house, AT_ONCE)
    return no_slower(house, PACES[slowest(wishes)])


class Rehearsal:
    """Who works at a rehearsal table. Software plays the roles that nobody has taken, and only
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
        """Note that somebody works here in this role, so software leaves it to them."""
        self._last_person = self._worked[role] = self._clock()

    def clear(self) -> None:
        """Forget all work and visits; software stops, too."""
        self._worked.clear()
        self._last_person = float("-inf")

    def rest(self, version: int) -> None:
        """Make the software wait until the table changes, because its last command was refused."""
        self._rests_at = version

    def rests(self, version: int) -> bool:
        return version == self._rests_at or self._clock() - self._last_person >= STAYS

    def roles_at_work(self) -> set[str]:
        since = self._clock() - AT_WORK
        return {role for role, at in self._worked.items() if at > since}

    def has_worked(self, role: str) -> bool:
        return role in self._worked
