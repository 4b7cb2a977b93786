"""Thread pools for blocking work.

Sign-in, history, submissions and tables each have their own pool, so that none waits for another,
and a queue of limited length.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias, TypeVar

from anyio import CapacityLimiter, to_thread
from litestar.di import NamedDependency

from croupier.web.server.problems import Overloaded

MOST_CHECKS_WAITING: Final = 20
T = TypeVar("T")


class Pool:
    """A number of threads and a queue; if the queue is full, the next call is refused at once."""

    def __init__(self, name: str, work: str, threads: int, most_waiting: int) -> None:
        self.name, self.work = name, work
        self.limiter: Final = CapacityLimiter(threads)
        self._threads, self._most_waiting = threads, most_waiting
        self._inside = 0

    @property
    def waiting(self) -> int:
        """The number of calls without a thread. Calls that arrived in the same moment are not in
        the limiter's queue yet, so the calls that have not ended are counted, too."""
        return max(self.limiter.statistics().tasks_waiting, self._inside - self._threads)

    async def run(self, work: Callable[[], T]) -> T:
        if self.waiting >= self._most_waiting:
            raise Overloaded(f"too many people ask for {self.work} just now: try again")
        self._inside += 1
        try:
            return await to_thread.run_sync(work, limiter=self.limiter)
        finally:
            self._inside -= 1


class Pools:
    """The pools of one worker: play never waits for people who read history or try passwords."""

    def __init__(self) -> None:
        self.tables = Pool("tables", "the tables", 16, 400)
        self.history = Pool("history", "past rounds", 3, 30)
        self.signing_in = Pool("sign_in", "signing in", 2, 20)
        self.checking = Pool("checks", "the check of a submission", 1, MOST_CHECKS_WAITING)
        self.all = (self.tables, self.history, self.signing_in, self.checking)


ThePools: TypeAlias = NamedDependency[Pools]


async def pause(event: asyncio.Event, seconds: float | None) -> None:
    """Wait until the event is set, at most `seconds`.

    Does not use `asyncio.wait_for`: in Python 3.11 it loses a cancellation that arrives in the
    moment in which the event is set, and a server that has to stop would never end.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
