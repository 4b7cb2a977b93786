"""The clock of this process. It never goes back: if the computer's clock is set back, it continues
by the monotonic clock and logs a warning."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from threading import Lock
from typing import Final

TOLERANCE: Final = timedelta(seconds=1)
JUMP: Final = timedelta(seconds=30)

_WALL: Final = partial(datetime.now, UTC)
_log = logging.getLogger("croupier.clock")


class SteadyClock:
    """A thread-safe clock that never goes back."""

    def __init__(
        self,
        wall: Callable[[], datetime] = _WALL,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._last = wall()
        self._at = monotonic()
        self._was_behind = False
        self._lock = Lock()

    def __call__(self) -> datetime:
        with self._lock:
            wall, at = self._wall(), self._monotonic()
            expected = self._last + timedelta(seconds=at - self._at)
            is_behind = wall < expected - TOLERANCE
            if is_behind and not self._was_behind:
                _log.warning(
                    "the computer's clock was set back by %.0f s: time runs on here",
                    (expected - wall).total_seconds(),
                )
            elif wall > expected + JUMP:
                _log.warning(
                    "the computer's clock was set forward by %.0f s",
                    (wall - expected).total_seconds(),
                )
            self._was_behind = is_behind
            self._last = expected if is_behind else max(wall, self._last)
            self._at = at
            return self._last


now: Final = SteadyClock()
