"""`croupier serve`: the tables on the web."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Literal

from croupier.commands.ports import check_port
from croupier.commands.served_tables import open_served_table
from croupier.errors import BadRequest
from croupier.ledger.data_folder import database_in, journal_to_write
from croupier.ledger.journal import open_journal
from croupier.runtime.house_terms import check_chips
from croupier.runtime.leases import only_server

__all__ = ["run"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def run(
    *,
    host: str,
    port: int,
    database: str | None,
    database_file: Path | None = None,
    workers: int,
    demo: bool,
    dealer: str,
    floor: str,
    names: list[str],
    show: bool,
    tables: list[str],
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    proxies: list[str] | None = None,
    second_factor: bool | None = None,
    dealers_factor: bool = False,
    own_pace: bool = True,
    log: Literal["text", "json"] = "text",
    docs: Path | None = None,
) -> int:
    try:
        from croupier.web.pages.handbook import built_handbook, check_handbook
        from croupier.web.server.serving import run_server
        from croupier.web.server.settings import Settings
    except ImportError as error:
        raise BadRequest(
            f"the web needs its libraries: pip install '.[web]' ({error})"
        ) from None
    where = _where(database, database_file)
    _check(where, port, workers, by_software=floor == "software", demo=demo)
    check_port(host, port)
    tls = _tls(tls_cert, tls_key)
    is_private = host in LOOPBACK or tls is not None or bool(proxies)
    _check_privacy(host, demo=demo, is_private=is_private, by_proxy=bool(proxies), names=names)
    settings = Settings(
        where,
        demo=demo,
        demo_tables=demo,
        software_dealer=dealer == "software",
        software_floor=floor == "software" or (floor == "auto" and demo),
        hosts=(*LOOPBACK, *(name.lower() for name in names)) if host in LOOPBACK or names else (),
        proxies=tuple(proxies or ()),
        second_factor=not demo if second_factor is None else second_factor,
        dealers_factor=dealers_factor,
        own_pace=own_pace,
        log_format=log,
        prepares_advice=workers == 1,
        handbook=str(check_handbook(docs) if docs else built_handbook() or ""),
    )
    with open_journal(where) as store:  # say now, in a sentence, if it cannot be written to
        store.macs_to_write()
        shown = store.name
        check_chips(store, "play" if demo else "money")
        if not all(open_served_table(store, named) for named in tables):
            return 1
    scheme = "http" if tls is None else "https"
    address = f"{scheme}://{'localhost' if host in LOOPBACK else host}:{port}/"
    with only_server(where, address):
        told = f"Croupier deals at {address} (journal: {shown}). Ctrl-C ends it.\n"
        sys.stderr.write(told)
        if show:
            threading.Thread(target=_show, args=(address, port), daemon=True).start()
        run_server(settings, host=host, port=port, workers=workers, tls=tls)
    return 0


def _where(database: str | None, file: Path | None) -> str:
    if database is not None and file is not None:
        raise BadRequest("--database and --database-file both name the journal: give one of them")
    return database_in(file) if file is not None else journal_to_write(database)


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


def _tls(cert: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    """The certificate and its key, tried before anything is served."""
    import ssl

    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise BadRequest("--tls-cert and --tls-key belong together: name both files")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        raise BadRequest(
            f"{cert} with {key} is no certificate with its key: {error.strerror or error}"
        ) from None
    return cert, key


def _check_privacy(
    host: str, *, demo: bool, is_private: bool, by_proxy: bool, names: list[str]
) -> None:
    """Passwords and cookies cross no network in the clear."""
    if by_proxy and not names:
        raise BadRequest("--proxy: name the host that people know the server by, with --name")
    if is_private:
        return
    if not demo:
        raise BadRequest(
            f"--host {host} without TLS: passwords could be read on the way. Give --tls-cert and "
            "--tls-key, or put a proxy in front and name it with --proxy and --name"
        )
    sys.stderr.write(
        f"Plain HTTP at {host}: whoever shares the network can read along. For play chips only.\n"
    )


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
