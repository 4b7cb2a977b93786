"""What somebody does who owns the database: no trigger holds him, and hashes can be computed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

__all__ = ["behind_our_back", "change", "rechain"]


@contextmanager
def behind_our_back(path: Path) -> Iterator[sqlite3.Connection]:
    """The database without its triggers, which are put back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        found = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = found.fetchall()
        for name, _ in triggers:
            raw.execute(f"DROP TRIGGER {name}")
        yield raw
        for _, statement in triggers:
            raw.execute(statement)


def change(raw: sqlite3.Connection, stream: str, version: int, old: str, new: str) -> None:
    place = (stream, version)
    (body,) = raw.execute(
        "SELECT body FROM entries WHERE stream = ? AND version = ?", place
    ).fetchone()
    assert old in body
    update = "UPDATE entries SET body = ? WHERE stream = ? AND version = ?"
    raw.execute(update, (body.replace(old, new), *place))


def rechain(raw: sqlite3.Connection, stream: str) -> None:
    """Hashes that hold again: the work of somebody who owns the database."""
    previous = "0" * 64
    raw.execute("BEGIN")
    query = "SELECT version, at, kind, body, transfers FROM entries WHERE stream = ? ORDER BY 1"
    for version, *told in raw.execute(query, (stream,)).fetchall():
        fields = [part.encode() for part in (previous, stream, str(version), *told)]
        previous = sha256(b"".join(b"%d:%b\n" % (len(f), f) for f in fields)).hexdigest()
        update = "UPDATE entries SET hash = ? WHERE stream = ? AND version = ?"
        raw.execute(update, (previous, stream, version))
    raw.execute("COMMIT")
