"""One server on one journal file: the second is refused, and told where the first one is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from croupier.errors import BadRequest, plain
from croupier.ledger.data_folder import opener_for_owner

__all__ = ["only_server"]


@contextmanager
def only_server(journal: str, address: str) -> Iterator[None]:
    """While it serves. A file beside the journal is locked and names the address; the lock goes
    with the process, however it ends. A PostgreSQL takes any number of servers."""
    if "://" in journal or os.name != "posix":
        yield
        return
    import fcntl

    with open(f"{journal}.server", "a+", encoding="utf-8", opener=opener_for_owner) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            there = plain(file.read(200).strip(), 200) or "an address that it has not told yet"
            raise BadRequest(
                f"another server has the journal {plain(journal, 200)} open: {there}. Use that one "
                "or stop it; several servers share a PostgreSQL (--database postgresql://…)"
            ) from None
        file.truncate(0)
        file.write(f"{address} (process {os.getpid()})\n")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
