"""The load of a worker, and the limits above which it refuses requests."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from croupier.web.server.problems import Overloaded, TooMany
from croupier.web.server.settings import Throttles

LOOK_SECONDS: Final = 0.25
HOLD_SECONDS: Final = 1.0
MOST_HELD: Final = 256
"""Requests of one address that are delayed before they are refused; further ones are refused at
once."""
LATE_FOR_STRANGERS: Final = 1.0
LATE_FOR_ALL: Final = 3.0
"""Delays of the event loop, in seconds, above which requests are refused at once: those of
strangers first, so that people at the tables still get their answers."""


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return the network under which an address is counted: a /64 for IPv6, because one household
    has 2**64 addresses. An IPv4 address in IPv6 notation (`::ffff:10.0.0.1`) counts as that IPv4
    address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ip_network((parsed, 64), strict=False))


class Load:
    """The requests and connections in progress. Used from the event loop only."""

    def __init__(self, throttles: Throttles | None) -> None:
        self._throttles = throttles
        self.at_once: Counter[str] = Counter()
        """The number of requests and connections in progress, by person or address."""
        self._expected = float("inf")
        self.in_flight = 0
        self.late = 0.0
        self.shed = 0
        """Requests that were refused because the server was too busy."""

    async def watch(self) -> None:
        """Measure how late the event loop wakes up: everybody waits that long."""
        while True:
            self._expected = time.monotonic() + LOOK_SECONDS
            await asyncio.sleep(LOOK_SECONDS)
            self.late = max(0.0, time.monotonic() - self._expected)

    def request(self, key: str, address: str, *, stranger: bool) -> _Counted:
        """Count a request while it is being answered. `key` is the person, or the address of a
        stranger."""
        if self._throttles is not None:
            self._check_load(self._throttles, stranger=stranger)
            self._check(key, self._throttles.at_once)
        return self._answering(address, key)

    def file(self, address: str) -> _Counted:
        """Count a static file while it is being sent. Only the address is counted: the person is
        not looked up for files, and thirty browsers may share a router."""
        if self._throttles is not None:
            self._check_load(self._throttles, stranger=False)
        return self._answering(address)

    def _answering(self, address: str, *keys: str) -> _Counted:
        from_there = f"address {address}"
        if self._throttles is not None:
            self._check(from_there, self._throttles.at_once_address)
        return _Counted(self, (*keys, from_there), in_flight=1)

    async def hold(self, address: str) -> None:
        """Delay a request that will be refused, so that its connection is kept busy and its sender
        cannot be refused any faster."""
        key = f"held {address}"
        if self.at_once[key] < MOST_HELD:
            with _Counted(self, (key,)):
                await asyncio.sleep(HOLD_SECONDS)

    def live(self, address: str) -> _Counted:
        """Count a live connection while it is open."""
        key = f"live {address}"
        if self._throttles is not None:
            self._check(key, self._throttles.live_connections)
        return _Counted(self, (key,))

    def _check_load(self, limits: Throttles, *, stranger: bool) -> None:
        late = max(self.late, time.monotonic() - self._expected)
        most = LATE_FOR_STRANGERS if stranger else LATE_FOR_ALL
        if late > most or self.in_flight >= limits.in_flight:
            self.shed += 1
            raise Overloaded("the server is busy: try again in a moment")

    def _check(self, key: str, most: int) -> None:
        if self.at_once[key] >= most:
            raise TooMany(f"at most {most} at once: wait for the answers", 1)


class _Counted:
    """Counts something in progress under its keys until it ends."""

    __slots__ = ("_in_flight", "_keys", "_load")

    def __init__(self, load: Load, keys: tuple[str, ...], in_flight: int = 0) -> None:
        self._load, self._keys, self._in_flight = load, keys, in_flight

    def __enter__(self) -> None:
        for key in self._keys:
            self._load.at_once[key] += 1
        self._load.in_flight += self._in_flight

    def __exit__(self, *_: object) -> None:
        counts = self._load.at_once
        self._load.in_flight -= self._in_flight
        for key in self._keys:
            counts[key] -= 1
            if not counts[key]:
                del counts[key]
