"""The journal that version 0.1 wrote, kept as data: fixtures/README.md says what is in it."""

from __future__ import annotations

import gzip
import json
import sqlite3
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "fixtures"


def restore(path: Path) -> Path:
    """The journal as a SQLite file that was not there before."""
    assert not path.exists()
    text = gzip.decompress((HERE / "journal-0.1.sql.gz").read_bytes()).decode("utf-8")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(text)
    return path


@lru_cache(maxsize=1)
def expected() -> dict[str, Any]:
    """What must be found in it, and in whatever it is migrated to."""
    found: dict[str, Any] = json.loads((HERE / "journal-0.1.expected.json").read_text("utf-8"))
    return found
