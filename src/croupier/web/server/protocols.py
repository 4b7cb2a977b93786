"""uvicorn's HTTP and WebSocket protocols with limits.

Limited are the connections of an address, the size of a request's head and the time it takes to
arrive, the bytes that a live connection sends, and the time that an answer stays unread. Each
connection handles one request at a time.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from functools import lru_cache
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from croupier.web.server.load import network_of
from croupier.web.server.settings import Settings, from_environment

MOST_HEAD: Final = 32 * 1024
UNREAD_SECONDS: Final = 60.0
CLOSING_SECONDS: Final = 5.0
LIVE_BURST: Final = 4096
LIVE_RATE: Final = 1024
"""Bytes, and bytes per second. Clients only answer pings and choose how fast the table is dealt; a
client that sends more, pings included, is cut off."""
MOST_HEADERS: Final = 100
MOST_DRAINED: Final = 1024 * 1024
"""Bytes of a body that are still read after the answer, so that its sender sees the answer."""
_END_OF_HEAD: Final = b"\r\n\r\n"
_TOO_LARGE: Final = b"431 Request Header Fields Too Large"
_TOO_LONG: Final = (
    _TOO_LARGE,
    b"This address, or what the browser sends with it, is longer than %d bytes. "
    b"Shorten the address, or clear the cookies of this site." % MOST_HEAD,
)
_TOO_MANY: Final = (
    _TOO_LARGE,
    b"This request has more than %d headers. Send fewer of them." % MOST_HEADERS,
)
_NO_LENGTH: Final = (
    b"411 Length Required",
    b"A body is sent whole: say how long it is in the header Content-Length.",
)
_NO_BODY: Final = (
    b"400 Bad Request",
    b"A request with a body cannot ask for another protocol: leave the header Upgrade out.",
)

_open: Final[Counter[str]] = Counter()


@lru_cache(maxsize=1)
def _settings() -> Settings:
    return from_environment()


def _address(client: tuple[str, int] | None) -> str:
    return client[0] if client else "local"


class _UnreadEnds(asyncio.Protocol):
    """Closes a connection if its receiver leaves the data it was sent unread."""

    loop: Any
    transport: Any
    _unread: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_unread()

    def _stop_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class RequestProtocol(_UnreadEnds, HttpToolsProtocol):
    """One request at a time. Its head is parsed once it has arrived completely, its body as it
    arrives; anything sent after it stays unparsed until the request has been answered."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._timer: asyncio.TimerHandle | None = None
        self._received = bytearray()
        self._searched = 0
        self._body_left = 0
        self._refusal: tuple[bytes, bytes] | None = None
        self._address = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = _address(self.client)
        self._address = network_of(address)
        _open[self._address] += 1
        limits = _settings().throttles
        by_proxy = address in _settings().proxies
        if limits is not None and not by_proxy and _open[self._address] > limits.open_connections:
            self._end(b"503 Service Unavailable", b"too many connections from this address")
            return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._received.clear()
        self._forget()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._received.clear()
        self._forget()
        super().handle_websocket_upgrade()

    # -- what arrives -----------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        self._received += data
        self._read_on()

    def _read_on(self) -> None:
        """Parse what has arrived, up to the end of one request."""
        while self._received and not self.transport.is_closing():
            if self._body_left:
                size = min(self._body_left, len(self._received))
                self._body_left -= size
                self._parse(size)
            elif self._is_answering:
                self._keep_waiting()
                return
            elif not self._begins():
                return

    @property
    def _is_answering(self) -> bool:
        cycle: Any = self.cycle  # None before the first request
        return cycle is not None and not cycle.response_complete

    def _keep_waiting(self) -> None:
        self.flow.pause_reading()
        if len(self._received) > MOST_HEAD:
            self._received.clear()
            self.cycle.keep_alive = False  # data is lost: close after this answer

    def _begins(self) -> bool:
        """Parse the next head if it is complete; return False if nothing more can be parsed now."""
        received = self._received
        if received[0] in b"\r\n":  # some clients end a body with a line break
            self._received = received.lstrip(b"\r\n")
            return True
        end = received.find(_END_OF_HEAD, max(0, self._searched - len(_END_OF_HEAD)))
        size = len(received) if end < 0 else end + len(_END_OF_HEAD)
        if size > MOST_HEAD:
            self._end(*_TOO_LONG)
        elif received.count(b"\n", 0, size) > MOST_HEADERS + 2:  # the first line and the empty one
            self._end(*_TOO_MANY)
        elif end >= 0:
            self._searched = 0
            self._parse(size)
            return True
        elif not received[:1].isupper():
            self.send_400_response("Invalid HTTP request received.")
        else:
            self._searched = size
            if self._timer is None:
                self._wait()
        return False

    def _parse(self, size: int) -> None:
        part = bytes(self._received[:size])
        del self._received[:size]
        super().data_received(part)

    # -- called by the parser ---------------------------------------------------------------------

    def on_headers_complete(self) -> None:
        for name, value in self.headers:
            if name == b"content-length":
                self._body_left = int(value)
            elif name == b"transfer-encoding":
                self._refuse(*_NO_LENGTH)
        if self._body_left and self.parser.should_upgrade():
            self._refuse(*_NO_BODY)  # the parser would read the body as a request
        self._wait()
        super().on_headers_complete()

    def _refuse(self, status: bytes, message: bytes) -> None:
        self._refusal = status, message
        raise ValueError("refused")  # ends in `send_400_response`

    def send_400_response(self, msg: str) -> None:
        self._stop_answering()
        if self._refusal is not None:
            self._end(*self._refusal)
        else:
            super().send_400_response(msg)

    def on_message_complete(self) -> None:
        self._cancel()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._body_left > MOST_DRAINED:
            self.transport.close()
        elif self._received:
            self.loop.call_soon(self._read_on)

    # -- timeouts ---------------------------------------------------------------------------------

    def _wait(self) -> None:
        self._cancel()
        self._timer = self.loop.call_later(_settings().request_seconds, self._too_slow)

    def _too_slow(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self._end(b"408 Request Timeout", b"the request took too long to arrive")

    def _stop_answering(self) -> None:
        """Cancel the answer in progress: nobody will receive it."""
        self._received.clear()
        if self._is_answering:
            self.cycle.disconnected = True
            self.cycle.message_event.set()

    def _end(self, status: bytes, message: bytes) -> None:
        self._stop_answering()
        self.transport.write(
            b"HTTP/1.1 %b\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: %d\r\n"
            b"retry-after: 5\r\nconnection: close\r\n\r\n%b" % (status, len(message), message)
        )
        self.transport.close()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _forget(self) -> None:
        self._cancel()
        self._stop_unread()
        if self._address:
            _leave(self._address)
            self._address = ""


class LiveProtocol(_UnreadEnds, WebSocketsSansIOProtocol):
    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._left, self._at = float(LIVE_BURST), time.monotonic()
        self._is_opening = True
        self._address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._address = network_of(_address(self.client))
        _open[self._address] += 1

    def connection_lost(self, exc: Exception | None) -> None:
        if self._address:
            _leave(self._address)
            self._address = ""
        self._stop_unread()
        super().connection_lost(exc)

    def keepalive_timeout(self) -> None:
        """Close a connection whose client answers no pings. Unread data would keep it open, so it
        is aborted a few seconds later."""
        super().keepalive_timeout()
        self.loop.call_later(CLOSING_SECONDS, self.transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._is_opening:  # the request, which has been measured already
            self._is_opening = False
            super().data_received(data)
            return
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
