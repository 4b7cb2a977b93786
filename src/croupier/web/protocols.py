"""HTTP and WebSocket as uvicorn speaks them, with an end to patience: how many connections an
address may have, how large a request's head may be, how long it may take to arrive, how much a live
connection may send, and how long an answer may lie unread."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import lru_cache
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from croupier.web.settings import Settings, from_environment

__all__ = ["LIVE_BURST", "MOST_HEAD", "LiveProtocol", "RequestProtocol"]

MOST_HEAD: Final = 32 * 1024
UNREAD_SECONDS: Final = 60.0
LIVE_BURST: Final = MOST_HEAD + 16 * 1024
LIVE_RATE: Final = 1024
"""Bytes, with the request that opens it, and bytes a second. Clients answer pings and say nothing
else; whoever sends more, pings included, is cut off."""
_TOO_LONG: Final = (
    b"This address, or what the browser sends with it, is longer than %d bytes. "
    b"Shorten the address, or clear the cookies of this site." % MOST_HEAD
)

_open: Final[Counter[str]] = Counter()


@lru_cache(maxsize=1)
def _settings() -> Settings:
    return from_environment()


def _address(client: tuple[str, int] | None) -> str:
    return client[0] if client else "local"


class RequestProtocol(HttpToolsProtocol):
    def __init__(self, *told: Any, **named: Any) -> None:
        super().__init__(*told, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True
        self._is_too_long = False
        self._address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = _address(self.client)
        _open[self._address] += 1
        limits = _settings().throttles
        by_proxy = self._address in _settings().proxies
        if limits is not None and not by_proxy and _open[self._address] > limits.open_connections:
            self._end(b"503 Service Unavailable", b"too many connections from this address")
            return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._forget()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head_bytes += len(data)
            if self._timer is None:
                self._wait()
        super().data_received(data)
        if self._in_head and self._head_bytes > MOST_HEAD and not self.transport.is_closing():
            self._too_long()

    def on_headers_complete(self) -> None:
        if sum([len(name) + len(value) for name, value in self.headers], len(self.url)) > MOST_HEAD:
            self._is_too_long = True
            raise ValueError("the headers are too long")  # ends in `send_400_response`
        self._in_head, self._head_bytes = False, 0
        self._wait()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        if self._is_too_long:
            self._too_long()
        else:
            super().send_400_response(msg)

    def on_message_complete(self) -> None:
        self._in_head, self._head_bytes = True, 0
        self._cancel()
        super().on_message_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_unread()

    def _wait(self) -> None:
        self._cancel()
        self._timer = self.loop.call_later(_settings().request_seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self._end(b"408 Request Timeout", b"the request took too long to arrive")

    def _too_long(self) -> None:
        self._end(b"431 Request Header Fields Too Large", _TOO_LONG)

    def _end(self, status: bytes, message: bytes) -> None:
        self.transport.write(
            b"HTTP/1.1 %b\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
            b"retry-after: 5\r\nconnection: close\r\n\r\n%b" % (status, len(message), message)
        )
        self.transport.close()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _forget(self) -> None:
        self._cancel()
        self._stop_unread()
        if self._address:
            _leave(self._address)
            self._address = ""


class LiveProtocol(WebSocketsSansIOProtocol):
    def __init__(self, *told: Any, **named: Any) -> None:
        super().__init__(*told, **named)
        self._left, self._at = float(LIVE_BURST), time.monotonic()
        self._address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._address = _address(self.client)
        _open[self._address] += 1

    def connection_lost(self, exc: Exception | None) -> None:
        if self._address:
            _leave(self._address)
            self._address = ""
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        self._left = min(LIVE_BURST, self._left + (now - self._at) * LIVE_RATE) - len(data)
        self._at = now
        if self._left < 0:
            self.transport.abort()
            return
        super().data_received(data)


def _leave(address: str) -> None:
    _open[address] -= 1
    if _open[address] <= 0:
        del _open[address]
