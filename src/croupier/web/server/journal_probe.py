"""A probe of whether the journal can be written to, for load balancers."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Column, Integer, MetaData, Table, Text, delete, insert

from croupier.errors import CroupierError
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.side_tables import create_missing, writing

LOW_BYTES: Final = 256 * 1024 * 1024
"""Free disk space below which the probe reports the disk as nearly full."""

_metadata = MetaData()
_probes = Table(
    "web_probes",
    _metadata,
    Column("worker", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
)


class Probe(NamedTuple):
    is_ready: bool
    words: str
    disk_free_bytes: int | None = None
    """Free space on the disk with the journal's file; None if unknown, as for a database server."""

    @property
    def is_low(self) -> bool:
        return self.disk_free_bytes is not None and self.disk_free_bytes < LOW_BYTES


def prepare_probe(journal: Journal) -> None:
    create_missing(journal, _metadata)


def probe_journal(journal: Journal, database: str) -> Probe:
    """Write a row to the journal's database, so that a full disk shows, and return the result.

    Blocking: run it in a thread.
    """
    free = _free(database)
    try:
        with writing(journal) as connection:
            worker = os.getpid()
            connection.execute(delete(_probes).where(_probes.c.worker == worker))
            connection.execute(insert(_probes).values(worker=worker, at=stamp(datetime.now(UTC))))
    except CroupierError as error:
        return Probe(False, error.message, free)
    if free is not None and free < LOW_BYTES:
        return Probe(True, f"the disk is nearly full: {free // 2**20} MiB are left", free)
    return Probe(True, "the journal can be written to", free)


def _free(database: str) -> int | None:
    if "://" in database:
        return None
    try:
        return shutil.disk_usage(Path(database).absolute().parent).free
    except OSError:
        return None
