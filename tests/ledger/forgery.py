"""What somebody does who owns the database: no trigger holds him, and hashes can be computed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

from croupier.ledger.journal import open_journal
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.signatures.macs import Identity, macs_of
from croupier.ledger.signatures.sealing import sealed_part, sealed_text
from croupier.ledger.stores.bodies import text_of

__all__ = [
    "behind_our_back",
    "change",
    "read_bodies",
    "rechain",
    "replace_person",
    "unpack_bodies",
]


@contextmanager
def behind_our_back(path: Path) -> Iterator[sqlite3.Connection]:
    """The database without its triggers, which are put back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        found = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = found.fetchall()
        for name, _ in triggers:
            raw.execute(f"DROP TRIGGER {name}")
        unpack_bodies(raw)
        yield raw
        for _, statement in triggers:
            raw.execute(statement)


def unpack_bodies(raw: sqlite3.Connection) -> None:
    """Every body as text, to be read and changed with SQL; the journal reads it like that as well.
    Takes a database without its triggers."""
    read_bodies(raw)
    raw.execute("UPDATE entries SET body = body_text(body) WHERE typeof(body) = 'blob'")


def read_bodies(raw: sqlite3.Connection) -> None:
    """Let SQL read the text of a body: `body_text(body)`."""
    raw.create_function("body_text", 1, text_of, deterministic=True)


def change(raw: sqlite3.Connection, stream: str, version: int, old: str, new: str) -> None:
    place = (stream, version)
    (body,) = raw.execute(
        "SELECT body FROM entries WHERE stream = ? AND version = ?", place
    ).fetchone()
    assert old in body
    update = "UPDATE entries SET body = ? WHERE stream = ? AND version = ?"
    raw.execute(update, (body.replace(old, new), *place))


def rechain(raw: sqlite3.Connection, stream: str, *, with_key: bool = True) -> None:
    """Hashes that hold again: the work of somebody who owns the database. MACs that hold as well
    where they have the key of the machine, too; so the rules are what is left to find it."""
    previous = "0" * 64
    identity = Identity(*raw.execute("SELECT journal, key FROM identity").fetchone())
    macs = macs_of(machine_key(), identity) if with_key else None
    raw.execute("BEGIN")
    query = "SELECT version, at, kind, body, transfers FROM entries WHERE stream = ? ORDER BY 1"
    for version, *told in raw.execute(query, (stream,)).fetchall():
        fields = [part.encode() for part in (stream, str(version), *told)]
        text = b"".join(b"%d:%b\n" % (len(f), f) for f in fields)
        previous = sha256(b"64:" + previous.encode() + b"\n" + text).hexdigest()
        update = "UPDATE entries SET hash = ? WHERE stream = ? AND version = ?"
        raw.execute(update, (previous, stream, version))
        if macs is not None:
            update = "UPDATE entries SET mac = ? WHERE stream = ? AND version = ?"
            raw.execute(update, (macs.of_contents(previous, text), stream, version))
    raw.execute("COMMIT")


def replace_person(path: Path, old: str, new: str) -> None:
    """In everything that was written, also in what was sealed: the keys of rounds that are over are
    there for everybody. Then all hashes anew."""
    with open_journal(path) as journal:
        sealed = [one for name in journal.streams() for one in journal.read(name) if one.stored]
        parts = [sealed_part(one.stored) for one in sealed]
        keys = [
            journal.keys.key(one.stream, part.round, part.of)
            for one, part in zip(sealed, parts, strict=True)
        ]
    with behind_our_back(path) as raw:
        for one, part, key in zip(sealed, parts, keys, strict=True):
            assert key is not None
            text = one.body.replace(old.encode(), new.encode())
            again = sealed_text(key, one.stream, one.version, text)
            change(raw, one.stream, one.version, part.sealed, again)
        for column in ("body", "transfers"):
            raw.execute(f"UPDATE entries SET {column} = replace({column}, '{old}', '{new}')")
        raw.execute(f"UPDATE requests SET request = replace(request, '{old}', '{new}')")
        for (stream,) in raw.execute("SELECT DISTINCT stream FROM entries").fetchall():
            rechain(raw, stream)
