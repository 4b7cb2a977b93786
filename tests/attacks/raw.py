"""A client that keeps no rules: bytes over a socket, as slow and as wrong as one likes."""

from __future__ import annotations

import socket
import struct
import time
from contextlib import suppress

from tests.web.kit import PATIENCE

__all__ = ["UPGRADE", "RawConnection", "status_of"]

UPGRADE = (
    b"GET /api/v1/tables/md-uth/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)


class RawConnection:
    def __init__(self, port: int, source: str = "") -> None:
        """`source`: the address to call from, `127.0.0.2` say."""
        self.port, self.source = port, source
        self._socket = socket.create_connection(
            ("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0) if source else None
        )

    def send(self, data: bytes) -> None:
        """An end of the connection is for `answer` to find."""
        with suppress(OSError):
            self._socket.sendall(data)

    def answer(self, seconds: float = PATIENCE) -> bytes:
        """Everything until the server ends the connection, or the time is over."""
        end, found = time.monotonic() + seconds, b""
        with suppress(OSError):
            while (left := end - time.monotonic()) > 0:
                self._socket.settimeout(left)
                part = self._socket.recv(65536)
                if not part:
                    break
                found += part
        return found

    def first(self, seconds: float) -> bytes:
        """What comes first within so many seconds; the rest is not waited for."""
        with suppress(OSError):
            self._socket.settimeout(seconds)
            return self._socket.recv(65536)
        return b""

    def is_ended(self, seconds: float) -> bool:
        """Does the server end the connection within so many seconds?"""
        began = time.monotonic()
        self.answer(seconds)
        return time.monotonic() - began < seconds

    def close(self) -> None:
        self._socket.close()

    def hang_up(self) -> None:
        """Close with a reset: what the server still has to say finds nobody."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()

    def __enter__(self) -> RawConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def status_of(port: int, request: bytes, seconds: float | None = None) -> int:
    """Of the answer to bytes; 0 where the server just ends the connection, or waits for more than
    so many `seconds`."""
    with RawConnection(port) as connection:
        connection.send(request)
        found = connection.answer() if seconds is None else connection.first(seconds)
        words = found.split(b" ", 2)
    return int(words[1]) if len(words) > 1 else 0
