"""Servers to attack: in the test's process, or real ones on loopback."""

from tests.postgres import postgres_server, postgres_url
from tests.web.conftest import opened_journal, server, start

__all__ = ["opened_journal", "postgres_server", "postgres_url", "server", "start"]
