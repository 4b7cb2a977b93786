"""`croupier serve`: the tables on the web."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from croupier.commands.options import Flag, Repeated, documented
from croupier.commands.output import print_refusal
from croupier.errors import BadRequest, Refusal, RuleBroken, not_installed, plain
from croupier.files import is_toml_file

if TYPE_CHECKING:
    from croupier.commands.table import Terms
    from croupier.ledger.journal import Journal
    from croupier.tables.state import Table

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


@documented
def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8235,
    database: str | None = None,
    database_file: Path | None = None,
    workers: int = 1,
    demo: bool = True,
    dealer: Literal["software", "people"] = "software",
    floor: Literal["auto", "software", "people"] = "auto",
    name: Repeated = None,
    submission: str | None = None,
    rules: str | None = None,
    tls_cert: Path | None = None,
    tls_key: Path | None = None,
    proxy: Repeated = None,
    second_factor: bool | None = None,
    dealers_factor: bool = False,
    own_pace: bool = True,
    log: Literal["text", "json"] = "text",
    docs: Path | None = None,
    open: Flag = False,  # noqa: A002
) -> int:
    """Open the tables on the web: play the games in a browser. Without options, tables of the five
    documents are open to guests with play chips, dealt by software, and kept in a journal in the
    data folder.

    Parameters
    ----------
    host
        The address to listen at; 0.0.0.0 for every one of this machine.
    port
        The port to listen at.
    database
        The journal: a file, or postgresql://… which several workers can share. By default the one
        named by CROUPIER_DATABASE or CROUPIER_DATABASE_FILE, else the one in the data folder.
    database_file
        A file with the database in its one line. A password belongs there, never on the command
        line.
    workers
        How many processes serve; more than one needs PostgreSQL.
    demo
        Guests may play without an account, at tables of the five documents.
    dealer
        Who deals virtual cards: software, or people who have signed in.
    floor
        Who validates a progressive: software, the default of a demo and refused without it
        (11.J(2)(c)), or people.
    name
        A host name under which the server is reached. Repeatable.
    submission
        A Rules Submission whose table is opened at once; if it breaks a rule, its errors are
        printed clause by clause, and nothing is served.
    rules
        A rulebook, or the path of a rulebook file, that a table is opened on at once.
    tls_cert
        The certificate to serve HTTPS with, as a PEM file.
    tls_key
        Its private key.
    proxy
        The address of a proxy in front, which says where requests come from and whether they came
        by HTTPS. Repeatable; needs --name.
    second_factor
        Floorpersons, operators, auditors and surveillance sign in with an authenticator, too: the
        default outside the demo.
    dealers_factor
        Dealers sign in with an authenticator, too.
    own_pace
        Players may have software deal faster to them than the house's pace, and skip its waits.
    log
        `text`: problems, in lines for people. `json`: everything, as JSON.
    docs
        The folder of the documentation as a site, shown under /docs/; by default site/ of a
        checkout where `make docs` was run.
    open
        Show the lobby in the browser.
    """
    try:
        from croupier.web.pages.handbook import built_handbook, check_handbook
        from croupier.web.server.serving import run_server
        from croupier.web.server.settings import Settings
    except ImportError as error:
        raise not_installed("croupier serve", error.name or error, "web") from None
    from croupier.ledger.journal import open_journal
    from croupier.runtime.house_terms import check_chips
    from croupier.runtime.leases import only_server

    where = _where(database, database_file)
    _check(where, port, workers, by_software=floor == "software", demo=demo)
    check_port(host, port)
    names = name or []
    tls = _tls(tls_cert, tls_key)
    is_private = host in LOOPBACK or tls is not None or bool(proxy)
    _check_privacy(host, demo=demo, is_private=is_private, by_proxy=bool(proxy), names=names)
    settings = Settings(
        where,
        demo=demo,
        demo_tables=demo,
        software_dealer=dealer == "software",
        software_floor=floor == "software" or (floor == "auto" and demo),
        hosts=(*LOOPBACK, *(each.lower() for each in names)) if host in LOOPBACK or names else (),
        proxies=tuple(proxy or ()),
        second_factor=not demo if second_factor is None else second_factor,
        dealers_factor=dealers_factor,
        own_pace=own_pace,
        log_format=log,
        prepares_advice=workers == 1,
        handbook=str(check_handbook(docs) if docs else built_handbook() or ""),
    )
    with open_journal(where) as store:  # report at once if it cannot be written to
        store.macs_to_write()
        shown = store.name
        check_chips(store, "play" if demo else "money")
        stated = [each for each in (submission, rules) if each is not None]
        if not all(open_served_table(store, each) for each in stated):
            return 1
    scheme = "http" if tls is None else "https"
    address = f"{scheme}://{'localhost' if host in LOOPBACK else host}:{port}/"
    with only_server(where, address):
        sys.stderr.write(f"Croupier deals at {address} (journal: {shown}). Ctrl-C ends it.\n")
        if open:
            import threading

            threading.Thread(target=_show, args=(address, port), daemon=True).start()
        run_server(settings, host=host, port=port, workers=workers, tls=tls)
    return 0


def _where(database: str | None, file: Path | None) -> str:
    if database is not None and file is not None:
        raise BadRequest("--database and --database-file both name the journal: give one of them")
    from croupier.ledger.data_folder import database_in, journal_to_write

    return database_in(file) if file is not None else journal_to_write(database)


def _check(where: str, port: int, workers: int, *, by_software: bool, demo: bool) -> None:
    """Refuse what cannot be served. `by_software`: the floor is software."""
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
    """Return the certificate and its key, tried before anything is served."""
    import ssl

    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise BadRequest("--tls-cert and --tls-key belong together: name both files")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except (OSError, ssl.SSLError) as error:
        raise BadRequest(
            f"{cert} with {key} is not a certificate with its key: {error.strerror or error}"
        ) from None
    return cert, key


def _check_privacy(
    host: str, *, demo: bool, is_private: bool, by_proxy: bool, names: list[str]
) -> None:
    """Refuse to send passwords and cookies over a network in the clear."""
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
        f"Plain HTTP at {host}: anybody on the network can read along. For play chips only.\n"
    )


def _show(address: str, port: int) -> None:
    """Open the browser as soon as the server answers."""
    import socket
    import webbrowser

    for _ in range(100):
        with socket.socket() as probe:
            probe.settimeout(0.2)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    webbrowser.open(address)


# -- the port -------------------------------------------------------------------------------------


def check_port(host: str, port: int) -> None:
    """Refuse a port on which another program listens; the message says which, and what to do."""
    import errno
    import socket

    if port == 0:
        return
    try:
        family, sort, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, sort, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror as error:
        raise BadRequest(f"--host {host}: {error.strerror}") from None
    except PermissionError:
        raise BadRequest(
            f"--port {port}: ports below 1024 need more rights than you have; take one above"
        ) from None
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise BadRequest(f"--host {host} --port {port}: {error.strerror}") from None
        raise BadRequest(
            f"port {port} is taken: {_who(host, port)}. End it, or give this server another port "
            f"(--port {port + 1 if port < 65535 else port - 1})"
        ) from None


def _who(host: str, port: int) -> str:
    """Return the program that answers there, as far as a request shows."""
    import http.client

    there = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1", "::1") else host
    line = http.client.HTTPConnection(there, port, timeout=2)
    try:
        line.request("GET", "/api/v1/health")
        text = line.getresponse().read(1000)
    except (OSError, http.client.HTTPException):
        return "a program that is not Croupier listens there"
    finally:
        line.close()
    if b'"tables"' in text or b'"status"' in text:
        return f"a Croupier is running at http://{there}:{port}/"
    return f"another web server is running at http://{there}:{port}/"


# -- tables that are open at once -----------------------------------------------------------------


def open_served_table(store: Journal, named: str) -> bool:
    """Open a table on a submission or a rulebook, unless it is already open on these terms. If it
    cannot be opened, print why."""
    from croupier.commands.table import FIRST_INVENTORY, refuse_submission, terms_of
    from croupier.rounds.declaration import Actor
    from croupier.runtime.house import House
    from croupier.tables.commands import OpenTable

    terms = terms_of(named)
    if terms.errors:
        refuse_submission(terms, as_json=False)
        return False
    house = House(store)
    name = _name(named, terms)
    before = house.table(name) if name in house.tables() else None
    try:
        if before is not None and before.is_open:
            _check_same(before, terms)
            return True
        inventory = FIRST_INVENTORY if before is None else 0
        command = OpenTable(
            name,
            terms.rulebook,
            terms.submission,
            terms.rulebook_text,
            inventory=inventory,
            strict=True,
        )
        house.do(name, command, Actor("operator", "command line"))
    except (Refusal, RuleBroken) as refusal:
        print_refusal(refusal, as_json=False)
        return False
    return True


def _name(named: str, terms: Terms) -> str:
    """Return the table's name from the submission, or else the file's or the rulebook's."""
    import re

    from croupier.rulebooks.rules import submission_of

    stated = submission_of(terms.submission).table
    text = stated or (Path(named).stem if is_toml_file(named) else terms.rulebook)
    return re.sub(r"[\s:]+", "-", text.strip())[:60] or terms.rulebook


def _check_same(table: Table, terms: Terms) -> None:
    from croupier.rulebooks.kept_rules import own_text

    text = own_text(table.rulebook, table.rulebook_text)
    had = (table.rulebook, text, _without_limits(table.submission))
    if had != (terms.rulebook, terms.rulebook_text, _without_limits(terms.submission)):
        raise Refusal(
            f"table {plain(table.id)} is open on other terms: close it first "
            f"(croupier table close {plain(table.id)} --as operator:NAME)",
            code="already_done",
        )


def _without_limits(submission: str) -> bytes:
    """Return the submission without limits, which may have changed since the table was opened."""
    import msgspec

    from croupier.rulebooks.rules import submission_of

    terms = submission_of(submission)
    options = {name: value for name, value in terms.options.items() if name != "minimum_wager"}
    return msgspec.json.encode(msgspec.structs.replace(terms, limits={}, options=options))
