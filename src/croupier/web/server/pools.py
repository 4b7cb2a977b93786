"""Threads for what blocks. Sign-in, history, submissions and tables each have their own, so that
none waits for another; and before each a queue that is never too long to be answered."""

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
    """`run` waits for a thread; where too many wait already, the next is sent away at once."""

    def __init__(self, name: str, work: str, threads: int, most_waiting: int) -> None:
        self.name, self.work = name, work
        self.limiter: Final = CapacityLimiter(threads)
        self._threads, self._most_waiting = threads, most_waiting
        self._inside = 0

    @property
    def waiting(self) -> int:
        """Those who came in the same moment stand in no queue of the limiter's yet."""
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
    """Play never waits for those who look back, nor for those who try passwords."""

    def __init__(self) -> None:
        self.tables = Pool("tables", "the tables", 16, 400)
        self.history = Pool("history", "past rounds", 3, 30)
        self.signing_in = Pool("sign_in", "signing in", 2, 20)
        self.checking = Pool("checks", "the check of a submission", 1, MOST_CHECKS_WAITING)
        self.all = (self.tables, self.history, self.signing_in, self.checking)


ThePools: TypeAlias = NamedDependency[Pools]


async def pause(event: asyncio.Event, seconds: float | None) -> None:
    """Until the event is set, and at most so long.

    Not by `asyncio.wait_for`: in Python 3.11 it loses a cancellation that comes in the moment in
    which the event is set, and a server that has to stop would go on for ever."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
