"""Which process deals which table. A single process deals all. Several on one PostgreSQL share the
tables by locks; the server releases them when a process dies, so that another takes over."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Any, Protocol

from croupier.ledger.journal import Journal, JournalUnavailable

__all__ = ["Leases", "PostgresLeases", "SingleProcess"]


class Leases(Protocol):
    def holds(self, table: str) -> bool: ...

    def renew(self, tables: Collection[str]) -> set[str]:
        """Take this process's share of the tables; returns those newly held. Blocks."""

    def close(self) -> None: ...


class SingleProcess:
    """A single process holds all tables."""

    def holds(self, table: str) -> bool:  # noqa: ARG002
        return True

    def renew(self, tables: Collection[str]) -> set[str]:  # noqa: ARG002
        return set()

    def close(self) -> None:
        pass


class PostgresLeases:
    """Advisory locks of one connection. Each worker also holds a lock by which the others count the
    workers. A worker keeps no more than its share and releases the rest."""

    def __init__(self, journal: Journal) -> None:
        self._database: Any = journal.database
        self._connection: Any = None
        self._schema = ""
        self._held: set[str] = set()

    def holds(self, table: str) -> bool:
        return table in self._held

    def renew(self, tables: Collection[str]) -> set[str]:
        try:
            if self._connection is None:
                self._connect()
            return self._share(sorted(tables))
        except (self._database.errors, JournalUnavailable):
            # The server released our locks with the connection: deal nothing until we are
            # connected.
            self.close()
            return set()

    def _connect(self) -> None:
        self._connection = self._database.connect()
        self._connection.autocommit = True
        self._schema = self._connection.execute("SELECT current_schema()").fetchone()[0]
        self._connection.execute(
            "SELECT pg_advisory_lock(%s, pg_backend_pid())", (self._number("workers", 4),)
        )

    def _share(self, tables: Sequence[str]) -> set[str]:
        workers = self._connection.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
            " AND classid = %s::int8 AND granted AND database ="
            " (SELECT oid FROM pg_database WHERE datname = current_database())",
            (self._number("workers", 4) % 2**32,),
        ).fetchone()[0]
        share = math.ceil(len(tables) / max(1, workers))
        for table in sorted(self._held)[share:]:
            self._held.discard(table)
            self._connection.execute("SELECT pg_advisory_unlock(%s)", (self._number(table, 8),))
        won: set[str] = set()
        for table in tables:
            if len(self._held) >= share:
                break
            if table not in self._held and self._win(table):
                self._held.add(table)
                won.add(table)
        return won

    def _win(self, table: str) -> bool:
        row = self._connection.execute(
            "SELECT pg_try_advisory_lock(%s)", (self._number(table, 8),)
        ).fetchone()
        return bool(row[0])

    def _number(self, name: str, size: int) -> int:
        digest = sha256(f"croupier {self._schema} {name}".encode()).digest()
        return int.from_bytes(digest[:size], "big", signed=True)

    def close(self) -> None:
        self._held.clear()
        if self._connection is not None:
            self._connection.close()
            self._connection = None
