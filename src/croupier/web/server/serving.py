"""The server program: uvicorn with our protocols, our limits and our settings."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from contextlib import nullcontext, suppress
from multiprocessing import parent_process
from pathlib import Path
from typing import Any, Final

import msgspec
import uvicorn
from uvicorn.loops.auto import auto_loop_factory

from croupier.web.server.logs import log_config
from croupier.web.server.metrics import shared_folder
from croupier.web.server.protocols import LiveProtocol, RequestProtocol
from croupier.web.server.settings import VARIABLE, Settings

APP: Final = "croupier.web.app:create_app"
HANDSHAKE_SECONDS: Final = 10.0
"""Time limit for the TLS handshake. Until it ends, a connection is not counted for its address:
only its time is limited."""


def server_options(settings: Settings) -> dict[str, Any]:
    """Return all options of uvicorn except those for where it listens."""
    return {
        "factory": True,
        "loop": "croupier.web.server.serving:new_loop",
        "log_config": log_config(settings.log_format),
        "log_level": None,
        "access_log": False,
        "http": RequestProtocol,
        "ws": LiveProtocol,
        "ws_per_message_deflate": False,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "ws_max_size": 4096,
        "timeout_keep_alive": 30,
        "timeout_graceful_shutdown": 3,
        "server_header": False,
        # A request's address is that of its connection, or the one that a trusted proxy reports.
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
    }


def run_server(
    settings: Settings,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    workers: int = 1,
    fd: int | None = None,
    tls: tuple[Path, Path] | None = None,
) -> None:
    """Serve until stopped. `fd` is a socket that listens already; `tls` is a certificate and its
    key."""
    _open_many_files()
    # Malformed requests must not fill the log.
    logging.getLogger("uvicorn.error").addFilter(_is_no_nonsense)
    where: dict[str, Any] = {"fd": fd} if fd is not None else {"host": host, "port": port}
    if tls is not None:
        where |= {"ssl_certfile": str(tls[0]), "ssl_keyfile": str(tls[1])}
    with shared_folder() if workers > 1 else nullcontext("") as figures:
        settings = msgspec.structs.replace(settings, figures=figures)
        os.environ[VARIABLE] = msgspec.json.encode(settings).decode()
        uvicorn.run(
            APP,
            workers=workers if workers > 1 else None,
            **where,
            **server_options(settings),
        )


def new_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop that uvicorn would use, with a time limit on the TLS handshake."""
    loop: Any = auto_loop_factory(use_subprocess=parent_process() is not None)()
    create_server = loop.create_server

    async def impatient(*arguments: Any, ssl: Any = None, **named: Any) -> asyncio.Server:
        if ssl is not None:
            named |= {"ssl": ssl, "ssl_handshake_timeout": HANDSHAKE_SECONDS}
        server: asyncio.Server = await create_server(*arguments, **named)
        return server

    loop.create_server = impatient
    made: asyncio.AbstractEventLoop = loop
    return made


def _open_many_files() -> None:
    """Raise the limit of open files from a shell's usual 1,024 to the most that the system allows:
    otherwise as many connections from one address would leave none for anybody else, nor for the
    journal."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # macOS refuses an infinite limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _is_no_nonsense(record: logging.LogRecord) -> bool:
    """Return whether a record belongs in the log. Malformed requests do not, nor the opening of
    live connections, whose address is as long as its sender likes."""
    nonsense = ("Invalid HTTP request", "Unsupported upgrade", '%s - "WebSocket')
    return not str(record.msg).startswith(nonsense)
