"""Commands for operators: `backup`, `restore`, `cache`, `warm`, `health` and `selfcheck`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from cyclopts import Parameter

from croupier.commands.journal import opened
from croupier.commands.options import AsJson, Flag, Journal, documented
from croupier.commands.output import Progress, print_error, print_json
from croupier.errors import BadRequest

if TYPE_CHECKING:
    import ssl

    from croupier.ledger.maintenance.backups import Backup
    from croupier.mathematics.kernels.first_use import Sort

MOST_NAMED: Final = 20
REQUEST_SECONDS: Final = 4.0
MOST_ANSWER: Final = 64 * 1024


# -- backups --------------------------------------------------------------------------------------


@documented
def backup(file: Path, /, *, journal: Journal = None, json: AsJson = False) -> int:
    """Copy a journal with its accounts into one file. Tables may be played meanwhile. The copy is a
    journal itself; it is verified before it gets its name, and sessions are left out.

    Parameters
    ----------
    file
        The file to make; it must not exist yet.
    """
    from croupier.ledger.maintenance.backups import back_up

    with opened(journal) as store:
        return _print_backup(back_up(store, file), "copied to", as_json=json)


@documented
def restore(
    file: Path,
    /,
    *,
    to: Annotated[
        str | None,
        Parameter(
            help="An empty database: a new file, or postgresql://…; by default the one named by "
            "CROUPIER_DATABASE or CROUPIER_DATABASE_FILE."
        ),
    ] = None,
    json: AsJson = False,
) -> int:
    """Make a journal from a backup, and verify it.

    Parameters
    ----------
    file
        What `croupier backup` made.
    """
    from croupier.ledger.data_folder import named_journal
    from croupier.ledger.maintenance.backups import restore as restored

    target = named_journal(to)
    if target is None:
        raise BadRequest("name an empty database with --to, or with CROUPIER_DATABASE_FILE")
    return _print_backup(restored(file, target), "restored to", as_json=json)


def _print_backup(backup: Backup, done: str, *, as_json: bool) -> int:
    if as_json:
        print_json(backup)
    elif backup.valid:
        sys.stdout.write(
            f"{backup.entries:,} entries of {backup.streams} streams {done} {backup.file}, "
            "verified.\n"
        )
    else:
        sys.stdout.write(
            f"Nothing was {done.partition(' ')[0]}: the journal does not verify. "
            "`croupier verify` lists every difference.\n"
        )
    return 0 if backup.valid else 1


# -- solved results and compiled code -------------------------------------------------------------


@documented
def cache(*, clear: Flag = False, json: AsJson = False) -> int:
    """Show or clear the solved results on disk. They are kept in `CROUPIER_CACHE_DIR`, up to
    `CROUPIER_CACHE_MB` megabytes (1024); beyond that, the least recently used results go.
    Without them everything is worked out again.

    Parameters
    ----------
    clear
        Remove them all.
    """
    from croupier.mathematics.cache import cache_use, clear_cache

    removed = clear_cache() if clear else 0
    use = cache_use()
    if json:
        import msgspec

        print_json({**msgspec.to_builtins(use), "removed": removed})
        return 0
    if clear:
        sys.stdout.write(f"{removed:,} results removed.\n")
    sys.stdout.write(
        f"{use.files:,} solved results take {use.bytes / 2**20:,.1f} MB of "
        f"{use.limit_bytes / 2**20:,.0f} in {use.folder}.\n"
    )
    return 0


@documented
def warm(*, json: AsJson = False) -> int:
    """Compile the solvers of the bundled games once. Without it the first command that needs
    compiled code waits for it: some seconds for a game. The code is kept with the program, or in
    the folder that `NUMBA_CACHE_DIR` names; code that is compiled already is left alone.
    """
    from croupier.mathematics.kernels.listed import compile_kernels, listed_kernels
    from croupier.mathematics.kernels.threads import cores

    kernels = listed_kernels()
    done = compile_kernels(kernels, cores())
    with Progress(len(kernels)) as progress:
        compiled = sum(progress.step("compiling", partial(next, done)) for _ in kernels)
    if json:
        print_json({"kernels": len(kernels), "compiled": compiled})
    else:
        sys.stdout.write(f"{len(kernels)} kernels are ready, {compiled} of them compiled now.\n")
    return 0


_reported: list[str] = []


def on_first_use(sort: Sort) -> None:
    """Print that a command waits for a kernel to be compiled: seconds of silence would worry
    people.

    Kernels that run without numba are compiled together by several processes, for the types that
    most games need.
    """
    from croupier.mathematics.kernels.listed import compile_kernels, listed_kernels, standalone
    from croupier.mathematics.kernels.threads import cores

    if not _reported and sys.stderr.isatty():
        print_error("first use: compiling, half a minute; `croupier warm` compiles everything")
    _reported.append(sort)
    if sort == "standalone" and _reported.count(sort) == 1:
        first = {kernel.name: kernel for kernel in reversed(standalone(listed_kernels()))}
        for _ in compile_kernels(first.values(), cores()):
            pass


# -- the server and the installation --------------------------------------------------------------


@documented
def health(
    *,
    host: str = "127.0.0.1",
    port: int = 8235,
    tls_cert: Path | None = None,
    wait: float = 0,
    json: AsJson = False,
) -> int:
    """Ask the server on this machine whether people can play. Ends with 1 if they cannot; for a
    health check of systemd or of a container.

    Parameters
    ----------
    host
        The address that it listens at.
    port
        The port that it listens at.
    tls_cert
        The certificate that it serves HTTPS with, as a PEM file: only a server that shows this one
        is believed. By default plain HTTP.
    wait
        Retry for this many seconds until it is ready.
    """
    import time

    trusted = _trusting(tls_cert) if tls_cert is not None else None
    end = time.monotonic() + wait
    while True:
        is_ready, words = _ready(host, port, trusted)
        left = end - time.monotonic()
        if is_ready or left <= 0:
            break
        time.sleep(min(left, 0.5))
    if json:
        print_json({"ready": is_ready, "words": words})
    else:
        sys.stdout.write(f"{'Ready' if is_ready else 'Not ready'}: {words}.\n")
    return 0 if is_ready else 1


def _trusting(cert: Path) -> ssl.SSLContext:
    """Return a context that trusts only this certificate, whatever name it is for: the request goes
    to the server's address."""
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        context.load_verify_locations(cert)
    except (OSError, ssl.SSLError) as error:
        raise BadRequest(f"{cert} is not a certificate: {error.strerror or error}") from None
    return context


def _ready(host: str, port: int, trusted: ssl.SSLContext | None) -> tuple[bool, str]:
    import http.client

    import msgspec

    link: http.client.HTTPConnection = (
        http.client.HTTPConnection(host, port, timeout=REQUEST_SECONDS)
        if trusted is None
        else http.client.HTTPSConnection(host, port, timeout=REQUEST_SECONDS, context=trusted)
    )
    try:
        link.request("GET", "/api/v1/ready")
        answer = link.getresponse()
        body: Any = msgspec.json.decode(answer.read(MOST_ANSWER))
        words = body.get("words") or body.get("message") or "no reason given"
    except (OSError, http.client.HTTPException, msgspec.DecodeError, AttributeError) as error:
        return False, f"{host}:{port} does not answer as Croupier does ({error})"
    finally:
        link.close()
    return answer.status == 200, str(words).rstrip(".")


@documented
def selfcheck(*, json: AsJson = False) -> int:
    """Compare the program's files with its installation. Ends with 1 if a file was changed, is
    missing or was added. The server does the same when it starts and once a day.
    """
    from croupier.runtime.selfcheck import check_installation

    result = check_installation()
    if json:
        print_json(result)
    elif result.state == "unrecorded":
        sys.stdout.write(
            f"Croupier {result.version} runs from its sources: there is no record to compare "
            f"{result.files} files with. Their hash is {result.digest}.\n"
        )
    elif result.state == "whole":
        sys.stdout.write(
            f"Croupier {result.version} is as it was installed: {result.files} files, "
            f"hash {result.digest}.\n"
        )
    else:
        sys.stdout.write(f"Croupier {result.version} is not as it was installed:\n")
        for change in ("changed", "missing", "added"):
            names = getattr(result, change)
            for name in names[:MOST_NAMED]:
                sys.stdout.write(f"  {change} {name}\n")
            if len(names) > MOST_NAMED:
                sys.stdout.write(f"  … {len(names) - MOST_NAMED} more {change}\n")
    return 1 if result.state == "differs" else 0
