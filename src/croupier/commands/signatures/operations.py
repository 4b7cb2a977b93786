"""The signatures of the commands for operators of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from croupier.commands.signatures.common import AsJson, Journal, documented

__all__ = ["backup", "cache", "health", "restore", "selfcheck", "warm"]


@documented
def backup(file: Path, /, *, journal: Journal = None, json: AsJson = False) -> int:
    """Copy a journal with its accounts into one file, while tables are played.

    The copy is a journal itself. It is verified before it gets its name; sessions are left out.

    Parameters
    ----------
    file
        The file to make; it must not be there yet.
    """
    from croupier.commands import operations as command

    return command.backed_up(file, journal=journal, as_json=json)


@documented
def restore(
    file: Path,
    /,
    *,
    to: Annotated[
        str | None,
        Parameter(
            help="An empty database: a new file, or postgresql://…; if left out, the one of "
            "CROUPIER_DATABASE or CROUPIER_DATABASE_FILE."
        ),
    ] = None,
    json: AsJson = False,
) -> int:
    """Make a journal of a backup, and verify it.

    Parameters
    ----------
    file
        What `croupier backup` made.
    """
    from croupier.commands import operations as command

    return command.restored(file, database=to, as_json=json)


@documented
def cache(*, clear: Annotated[bool, Parameter(negative=())] = False, json: AsJson = False) -> int:
    """How much room solved results take on disk, and how much they may.

    They are kept in `CROUPIER_CACHE_DIR`, up to `CROUPIER_CACHE_MB` megabytes (1024); beyond that,
    what was not used for longest goes. Without them everything is worked out again.

    Parameters
    ----------
    clear
        Remove them all.
    """
    from croupier.commands import operations as command

    return command.cached(clear=clear, as_json=json)


@documented
def health(
    *,
    host: str = "127.0.0.1",
    port: int = 8235,
    tls_cert: Path | None = None,
    wait: float = 0,
    json: AsJson = False,
) -> int:
    """Ask the server on this machine whether people can play; ends with 1 if they cannot.

    For a health check of systemd or of a container.

    Parameters
    ----------
    host
        The address that it listens at.
    port
        The port that it listens at.
    tls_cert
        The certificate that it serves HTTPS with, as a PEM file: only a server that shows this one
        is believed. Left out, plain HTTP.
    wait
        Retry for this many seconds until it is ready.
    """
    from croupier.commands import operations as command

    return command.asked(host, port, tls_cert=tls_cert, wait_seconds=wait, as_json=json)


@documented
def selfcheck(*, json: AsJson = False) -> int:
    """Compare the program's own files with the record of its wheel.

    Ends with 1 where a file was changed, is missing or was added. The server does the same when it
    starts and once a day.
    """
    from croupier.commands import operations as command

    return command.checked(as_json=json)


@documented
def warm(*, json: AsJson = False) -> int:
    """Compile what the bundled games are worked out with, once, with its progress.

    Without it the first command that needs compiled code waits for it: some seconds for a game. The
    code is kept with the program, or in the folder that `NUMBA_CACHE_DIR` names; what is there
    already is not compiled again.
    """
    from croupier.commands import warm as command

    return command.run(as_json=json)
