"""A queue before the threads that is never too long, however many come at once."""

from __future__ import annotations

import asyncio
import threading

import pytest

from croupier.web.server.pools import Pool
from croupier.web.server.problems import Overloaded

THREADS, WAITING, CALLERS = 2, 3, 12


def _run_all(pool: Pool, turns: int) -> list[object]:
    """So many callers; after each the others get `turns` turns."""
    goes_on = threading.Event()

    async def calls() -> list[object]:
        people = []
        for _ in range(CALLERS):
            people.append(asyncio.ensure_future(pool.run(lambda: goes_on.wait(60))))
            for _ in range(turns):
                await asyncio.sleep(0)
        while sum(one.done() for one in people) < CALLERS - THREADS - WAITING:
            await asyncio.sleep(0.01)
        assert pool.waiting == WAITING
        goes_on.set()
        return await asyncio.gather(*people, return_exceptions=True)

    return asyncio.run(asyncio.wait_for(calls(), 60))


@pytest.mark.parametrize("turns", [0, 1, 5])
def test_what_is_too_much_is_sent_away(turns: int) -> None:
    """In the same moment (0 turns) nobody is in the queue yet when the next one asks."""
    pool = Pool("some", "something", THREADS, WAITING)
    found = _run_all(pool, turns)
    assert found.count(True) == THREADS + WAITING
    assert sum(isinstance(one, Overloaded) for one in found) == CALLERS - THREADS - WAITING
    assert pool.waiting <= 0
    assert _run_all(pool, turns).count(True) == THREADS + WAITING, "and again afterwards"
