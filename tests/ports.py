"""A port for a server that a test starts by its number."""

from __future__ import annotations

import random
import socket

__all__ = ["free_port"]


def free_port(address: str = "127.0.0.1") -> int:
    """A free port below those that systems give to outgoing connections: no connection of another
    test takes it before the server listens."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return port
