"""Recognition of files that are not journals, by their first bytes: nothing is opened as a
database, created or changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from croupier.errors import BadRequest, plain

_SQLITE: Final = b"SQLite format 3\0"
_BEGINNINGS: Final = {
    b"\x1f\x8b": "compressed (gzip): unpack it first",
    b"PK\x03\x04": "a ZIP archive: unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed (zstd): unpack it first",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture (PNG)",
    b"PGDMP": "a dump of a PostgreSQL database: restore it, and name the database",
    b"-- PostgreSQL database dump": "a dump of a PostgreSQL database: restore it, and name it",
    b"PRAGMA foreign_keys": "a journal or another database as SQL text: read it into SQLite first",
    b"\x37\x7f\x06\x82": "the -wal file of a database: name the database itself",
    b"\x37\x7f\x06\x83": "the -wal file of a database: name the database itself",
}


def check_is_journal(path: Path) -> None:
    """Refuse a file that cannot be a journal, and say what it is instead. Whether a SQLite database
    is a journal is checked when it is opened."""
    if path.is_dir():
        names = sorted(journal_file.name for journal_file in path.glob("*.db"))
        hint = f": it has {', '.join(names[:3])}" if names else ""
        raise _no(path, f"a folder{hint}")
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except OSError as error:
        raise BadRequest(f"{plain(path, 200)} cannot be read: {error.strerror}") from None
    if not start:
        raise _no(path, "an empty file")
    if not start.startswith(_SQLITE):
        raise _no(path, _what(start))


def _no(path: Path, description: str) -> BadRequest:
    return BadRequest(
        f"{plain(path, 200)} is not a journal but {description}", code="not_a_journal"
    )


def _what(start: bytes) -> str:
    for beginning, description in _BEGINNINGS.items():
        if start.startswith(beginning):
            return description
    try:
        text = start.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(start) - 4:
            return "something that no program of ours wrote"
        text = start[: error.start].decode("utf-8")
    if "\0" in text:
        return "something that no program of ours wrote"
    return _what_text(text.lstrip("\ufeff \t\r\n"))


def _what_text(text: str) -> str:
    if text.startswith('{"form":"croupier proof'):
        return "a proof of a round: `croupier verify --proof` checks it"
    line = text.partition("\n")[0]
    data = _json(line)
    if isinstance(data, dict):
        if {"size", "root", "signature"} <= data.keys():
            return "signed checkpoints: `croupier verify --since` takes them"
        if {"stream", "version", "hash"} <= data.keys():
            return "an export of a journal, which has not all that a journal has"
        return "JSON"
    if text.startswith(("{", "[{")):
        return "JSON"
    if "rulebook" in text and "=" in text:
        return "TOML, perhaps a rulebook or a submission: `croupier check` and `rulebooks check`"
    return "text" if text else "a file of blanks"


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
