"""Who is at a table and who has gone away: nobody waits for a closed page."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from croupier.runtime.dealer import AT_ONCE, PACES, Pace, PaceName, no_slower

AWAY_SECONDS: Final = 30.0
"""So long after the last connection, command or look a player is away: a page may be loaded anew,
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
        """Until the player counts as away, 0 if he does; None while he is connected. One of whom
        nothing is known yet, after a restart for instance, has the whole time."""
        if name in self._open:
            return None
        gone = self._clock() - self._last.setdefault(name, self._clock())
        return max(0.0, AWAY_SECONDS - gone)

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
