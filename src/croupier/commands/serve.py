"""`croupier serve`: the tables on the web."""

from __future__ import annotations

import os
import sys
import threading
import time

import msgspec

from croupier.commands.served_tables import open_served_table
from croupier.errors import BadRequest
from croupier.ledger.data_folder import journal_to_write
from croupier.ledger.journal import open_journal

__all__ = ["run"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def run(
    *,
    host: str,
    port: int,
    database: str | None,
    workers: int,
    demo: bool,
    dealer: str,
    floor: str,
    names: list[str],
    show: bool,
    tables: list[str],
) -> int:
    try:
        import uvicorn

        from croupier.web.settings import VARIABLE, Settings
    except ImportError as error:
        raise BadRequest(
            f"the web needs its libraries: pip install 'croupier[web]' ({error})"
        ) from None
    where = journal_to_write(database)
    _check(where, port, workers, by_software=floor == "software", demo=demo)
    settings = Settings(
        where,
        demo=demo,
        demo_tables=demo,
        software_dealer=dealer == "software",
        software_floor=floor == "software" or (floor == "auto" and demo),
        hosts=(*LOOPBACK, *names) if host in LOOPBACK or names else (),
    )
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()
    with open_journal(where) as store:  # say now, in a sentence, if it cannot be opened
        if not all(open_served_table(store, named) for named in tables):
            return 1
    address = f"http://{'localhost' if host in LOOPBACK else host}:{port}/"
    sys.stderr.write(f"Croupier deals at {address} (journal: {_shown(where)}). Ctrl-C ends it.\n")
    if show:
        threading.Thread(target=_show, args=(address, port), daemon=True).start()
    uvicorn.run(
        "croupier.web.app:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers if workers > 1 else None,
        log_level="warning",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_max_size=4096,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    return 0


def _check(where: str, port: int, workers: int, *, by_software: bool, demo: bool) -> None:
    """Refuse what cannot be served. `by_software`: the floor is."""
    if not 0 <= port <= 65535:
        raise BadRequest(f"--port {port}: a port is a number from 0 to 65535")
    if workers < 1:
        raise BadRequest(f"--workers {workers}: one at least")
    if workers > 1 and "postgres" not in where.partition("://")[0]:
        raise BadRequest(
            "several workers share a PostgreSQL: name it with --database postgresql://…"
        )
    if by_software and not demo:
        raise BadRequest(
            "--floor software: outside the demo a floorperson or above validates a progressive; "
            "leave it out, or write --floor people",
            clause="11.J(2)(c)",
        )


def _shown(where: str) -> str:
    if "://" not in where:
        return where
    from sqlalchemy import make_url

    return make_url(where).render_as_string(hide_password=True)


def _show(address: str, port: int) -> None:
    """Open the browser as soon as somebody answers."""
    import socket
    import webbrowser

    for _ in range(100):
        with socket.socket() as probe:
            probe.settimeout(0.2)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    webbrowser.open(address)
