"""How much a worker does at once, and when it must send people away before everybody waits."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from croupier.web.server.problems import Overloaded, TooMany
from croupier.web.server.settings import Throttles

LOOK_SECONDS: Final = 0.25
HOLD_SECONDS: Final = 1.0
MOST_HELD: Final = 256
"""Requests of one address that are kept waiting before they are refused."""
LATE_FOR_STRANGERS: Final = 1.0
LATE_FOR_ALL: Final = 3.0
"""Seconds by which the event loop is late: from then on requests are refused at the door, those of
strangers first, so that people at the tables still get their answers."""


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """An address as it is counted: of IPv6 its network, since one household has 2**64 of them. A
    socket for both protocols writes IPv4 addresses as `::ffff:10.0.0.1`: each of these is one."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((found, 64), strict=False))


class Load:
    """Used from the event loop only."""

    def __init__(self, throttles: Throttles | None) -> None:
        self._throttles = throttles
        self._at_once: Counter[str] = Counter()
        self._expected = float("inf")
        self.in_flight = 0
        self.late = 0.0
        self.shed = 0
        """Requests that were sent away because there were too many."""

    async def watch(self) -> None:
        """How late the loop comes to what is due: that is how long everybody waits."""
        while True:
            self._expected = time.monotonic() + LOOK_SECONDS
            await asyncio.sleep(LOOK_SECONDS)
            self.late = max(0.0, time.monotonic() - self._expected)

    @contextmanager
    def request(self, key: str, address: str, *, stranger: bool) -> Iterator[None]:
        """While it is answered. `key` is the person, or the address of a stranger."""
        if self._throttles is not None:
            self._check_load(self._throttles, stranger=stranger)
            self._check(key, self._throttles.at_once)
        with self._counted(key), self._in_flight(address):
            yield

    @contextmanager
    def file(self, address: str) -> Iterator[None]:
        """While a file is sent. Who asks is not looked up, and thirty browsers may share a router:
        the address alone is counted."""
        if self._throttles is not None:
            self._check_load(self._throttles, stranger=False)
        with self._in_flight(address):
            yield

    @contextmanager
    def _in_flight(self, address: str) -> Iterator[None]:
        key = f"address {address}"
        if self._throttles is not None:
            self._check(key, self._throttles.at_once_address)
        with self._counted(key):
            self.in_flight += 1
            try:
                yield
            finally:
                self.in_flight -= 1

    async def hold(self, address: str) -> None:
        """Keep a request waiting that will be refused: while it does, its connection brings no
        further one, and its sender cannot be refused faster than that."""
        key = f"held {address}"
        if self._at_once[key] < MOST_HELD:
            with self._counted(key):
                await asyncio.sleep(HOLD_SECONDS)

    @contextmanager
    def live(self, address: str) -> Iterator[None]:
        """While a live connection is open."""
        key = f"live {address}"
        if self._throttles is not None:
            self._check(key, self._throttles.live_connections)
        with self._counted(key):
            yield

    def _check_load(self, limits: Throttles, *, stranger: bool) -> None:
        late = max(self.late, time.monotonic() - self._expected)
        most = LATE_FOR_STRANGERS if stranger else LATE_FOR_ALL
        if late > most or self.in_flight >= limits.in_flight:
            self.shed += 1
            raise Overloaded("the server is busy: try again in a moment")

    def _check(self, key: str, most: int) -> None:
        if self._at_once[key] >= most:
            raise TooMany(f"at most {most} at once: wait for the answers", 1)

    @contextmanager
    def _counted(self, key: str) -> Iterator[None]:
        self._at_once[key] += 1
        try:
            yield
        finally:
            self._at_once[key] -= 1
            if not self._at_once[key]:
                del self._at_once[key]
