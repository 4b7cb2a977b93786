"""A real PostgreSQL for the tables that live on one."""

from __future__ import annotations

from tests.postgres import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]
