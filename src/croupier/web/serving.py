"""The server program: uvicorn with our protocols, our limits and our settings."""

from __future__ import annotations

import logging
import os
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

import msgspec
import uvicorn

from croupier.web.logs import log_config
from croupier.web.metrics import shared_folder
from croupier.web.protocols import LiveProtocol, RequestProtocol
from croupier.web.settings import VARIABLE, Settings

__all__ = ["run_server", "server_options"]

APP: Final = "croupier.web.app:create_app"


def server_options(settings: Settings) -> dict[str, Any]:
    """Everything about uvicorn but where it listens."""
    return {
        "factory": True,
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
        # Where a request comes from is told by the connection, or by a proxy that was named.
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
    """Until it is stopped. `fd`: a socket that listens already. `tls`: a certificate, its key."""
    # Whoever sends nonsense must not fill the log.
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


def _is_no_nonsense(record: logging.LogRecord) -> bool:
    """A live connection is logged with its address, which is as long as its sender likes."""
    nonsense = ("Invalid HTTP request", "Unsupported upgrade", '%s - "WebSocket')
    return not str(record.msg).startswith(nonsense)
