"""Journals that releases wrote, kept as data: fixtures/README.md says what is in them."""

from __future__ import annotations

import gzip
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

__all__ = ["MONEY", "TABLES", "machine_of_the_fixtures", "restore", "sql_of"]

TABLES: Final = "journal-0.2.0.sql.gz"
MONEY: Final = "journal-0.2.0-money.sql.gz"
_HERE: Final = Path(__file__).parent / "fixtures"


def sql_of(name: str) -> str:
    return gzip.decompress((_HERE / name).read_bytes()).decode("utf-8")


def restore(path: Path, name: str = TABLES) -> Path:
    """The journal as a SQLite file that was not there before."""
    assert not path.exists()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(sql_of(name))
    return path


def _key(folder: Path) -> Path:
    """The key of the machine that wrote them, in a file that only its owner reads."""
    path = folder / "machine.key"
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
        file.write((_HERE / "machine.key").read_bytes())
    return path


@contextmanager
def machine_of_the_fixtures(folder: Path) -> Iterator[None]:
    """In here this machine has the key of the machine that wrote them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_KEY_FILE", str(_key(folder)))
        yield
