"""Journals that earlier programs wrote, kept as data: fixtures/README.md says what is in them."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

__all__ = ["FORM_2", "SEALED", "restore"]

FORM_2: Final = "journal-2.sql.gz"
SEALED: Final = "journal-0.2.sql.gz"
_HERE: Final = Path(__file__).parent / "fixtures"


def restore(path: Path, name: str = FORM_2) -> Path:
    """The journal as a SQLite file that was not there before."""
    assert not path.exists()
    text = gzip.decompress((_HERE / name).read_bytes()).decode("utf-8")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(text)
    return path
