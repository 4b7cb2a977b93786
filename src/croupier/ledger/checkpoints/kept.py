"""Checkpoints kept elsewhere: in a file, in a folder, in another PostgreSQL database.

A file holds one checkpoint per line, as JSON, and is appended to. In a folder each checkpoint is a
file of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.errors import BadData, BadRequest, not_installed, plain
from croupier.ledger.checkpoints.checkpoints import Checkpoint
from croupier.ledger.signatures.machine_key import is_public_key

MOST_BYTES: Final = 64 * 2**20
_decode: Final = msgspec.json.Decoder(Checkpoint).decode
_encode: Final = msgspec.json.Encoder().encode
_MAKE: Final = (
    "CREATE TABLE IF NOT EXISTS croupier_checkpoints (size bigint NOT NULL, root text NOT NULL,"
    " at text NOT NULL, key text NOT NULL, signature text PRIMARY KEY)"
)
_KEEP: Final = (
    "INSERT INTO croupier_checkpoints (size, root, at, key, signature) VALUES (%s, %s, %s, %s, %s)"
    " ON CONFLICT DO NOTHING"
)
_ALL: Final = "SELECT size, root, at, key, signature FROM croupier_checkpoints ORDER BY size"


def keep_checkpoint(checkpoint: Checkpoint, where: str) -> None:
    """Store a checkpoint there, once even if called again; on return it is on disk."""
    if "://" in where:
        _keep_on_server(checkpoint, where)
        return
    path = Path(where)
    line = _encode(checkpoint) + b"\n"
    try:
        if path.is_dir():
            time = checkpoint.at.replace(":", "").partition(".")[0]
            path = path / f"checkpoint-{checkpoint.size:012}-{time}Z.json"
        elif path.exists() and checkpoint in kept_checkpoints(where):
            return
        _append(path, line)
    except OSError as error:
        raise BadRequest(f"{plain(where, 200)} cannot be written: {error.strerror}") from None


def _append(path: Path, line: bytes) -> None:
    if path.name.startswith("checkpoint-") and path.exists() and path.read_bytes() == line:
        return
    with path.open("ab") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def kept_checkpoints(where: str) -> tuple[Checkpoint, ...]:
    """Return all checkpoints kept there; refuse if there is none."""
    if "://" in where:
        checkpoints = _on_server(where)
    else:
        path = Path(where)
        try:
            paths = sorted(path.glob("*.json*")) if path.is_dir() else [path]
            checkpoints = tuple([checkpoint for file in paths for checkpoint in _read(file)])
        except OSError as error:
            raise BadRequest(f"{plain(where, 200)} cannot be read: {error.strerror}") from None
    if not checkpoints:
        raise BadRequest(f"there is no checkpoint in {plain(where, 200)}")
    return checkpoints


def _read(path: Path) -> tuple[Checkpoint, ...]:
    if path.stat().st_size > MOST_BYTES:
        raise BadData(f"{plain(path, 200)} is too large for checkpoints")
    try:
        return checkpoints_in(path.read_bytes())
    except BadData as error:
        raise BadData(f"{plain(path, 200)}, {error.message}") from None


def checkpoints_in(text: bytes) -> tuple[Checkpoint, ...]:
    """Parse checkpoints, one per line."""
    checkpoints = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            checkpoints.append(_decode(line))
        except (msgspec.DecodeError, UnicodeError) as error:
            raise BadData(
                f"line {number}: this is no checkpoint ({plain(error, 100)}); `croupier checkpoint "
                "--json` writes one"
            ) from None
    return tuple(checkpoints)


def public_keys(named: Iterable[str]) -> frozenset[str]:
    """Return public keys, each passed as its digits or as the name of a file that holds it."""
    keys = set()
    for key_or_file in named:
        text = key_or_file.strip().lower()
        if not is_public_key(text):
            try:
                text = Path(key_or_file).read_text("ascii").strip().lower()
            except (OSError, UnicodeError):
                text = ""
        if not is_public_key(text):
            raise BadRequest(
                f"{plain(key_or_file, 100)} is no public key: write its 64 hexadecimal digits, or "
                "a file that has them (`croupier checkpoint` prints the key)"
            )
        keys.add(text)
    return frozenset(keys)


def _connected(where: str) -> Any:
    try:
        import psycopg
    except ImportError:
        raise not_installed("PostgreSQL", "psycopg", "postgres") from None
    if not where.startswith(("postgresql://", "postgres://")):
        raise BadRequest("checkpoints are kept in a file, a folder or a postgresql:// database")
    try:
        return psycopg.connect(where, connect_timeout=5)
    except psycopg.Error as error:
        reason = f"{error}".strip().splitlines()[0]
        raise BadRequest(f"the database for checkpoints: {plain(reason, 200)}") from None


def _keep_on_server(checkpoint: Checkpoint, where: str) -> None:
    with _connected(where) as connection:
        if connection.execute("SELECT to_regclass('entries')").fetchone()[0] is not None:
            raise BadRequest(
                "that database has a journal: keep checkpoints where the owner of the journal "
                "cannot change them"
            )
        connection.execute(_MAKE)
        connection.execute(_KEEP, msgspec.structs.astuple(checkpoint))


def _on_server(where: str) -> tuple[Checkpoint, ...]:
    with _connected(where) as connection:
        if connection.execute("SELECT to_regclass('croupier_checkpoints')").fetchone()[0] is None:
            return ()
        return tuple([Checkpoint(*row) for row in connection.execute(_ALL).fetchall()])
