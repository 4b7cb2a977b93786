"""A task that is told to end ends, whatever happens in the same moment."""

from __future__ import annotations

import asyncio

import pytest

from croupier.web.server.pools import pause


@pytest.mark.parametrize("steps", range(6))
def test_a_cancellation_is_not_lost_beside_an_event(steps: int) -> None:
    """However many steps the loop makes between the two. With `asyncio.wait_for` it was: a server
    with a table that changed while it was told to stop never stopped."""

    async def deal(event: asyncio.Event) -> None:
        while True:
            event.clear()
            await pause(event, 600)

    async def stop_in_the_same_moment() -> bool:
        event = asyncio.Event()
        task = asyncio.create_task(deal(event))
        for _ in range(5):
            await asyncio.sleep(0)
        event.set()
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        ended, _ = await asyncio.wait({task}, timeout=10)
        task.cancel()
        return bool(ended)

    assert asyncio.run(stop_in_the_same_moment())


def test_it_ends_with_the_event_or_the_time() -> None:
    async def both() -> None:
        event = asyncio.Event()
        await pause(event, 0.001)
        event.set()
        await pause(event, 600)
        await pause(event, None)

    asyncio.run(both())
