"""Servers to attack: in the test's process, or real ones on loopback."""

from tests.ledger.conftest import url
from tests.postgres import postgres_server, postgres_url
from tests.web.conftest import (
    free_apps,
    opened_journal,
    server,
    shared_processes,
    start,
    starting,
)

__all__ = [
    "free_apps",
    "opened_journal",
    "postgres_server",
    "postgres_url",
    "server",
    "shared_processes",
    "start",
    "starting",
    "url",
]
