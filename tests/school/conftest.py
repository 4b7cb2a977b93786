"""Both databases: a test that asks for `journal` runs on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.ledger.journal import Journal, open_journal
from tests.postgres import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]


@pytest.fixture(params=["sqlite", "postgresql"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres_url"))
    with open_journal(url) as opened:
        yield opened
