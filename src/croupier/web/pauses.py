"""Waiting for an event, but not for ever."""

from __future__ import annotations

import asyncio
from contextlib import suppress

__all__ = ["pause"]


async def pause(event: asyncio.Event, seconds: float | None) -> None:
    """Until the event is set, and at most so long.

    Not by `asyncio.wait_for`: in Python 3.11 it loses a cancellation that comes in the moment in
    which the event is set, and a server that is told to stop would go on for ever."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
