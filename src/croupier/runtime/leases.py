"""Leases decide which process deals which table. A single process deals all of them. Several on one
PostgreSQL share the tables by leases, which end unless they are renewed: a process that has
stopped, or hangs, loses its tables within seconds, whether or not its connections are still open.

Times come from the database, and inside a process from its monotonic clock, so setting a clock has
no effect. A process that wakes up too late holds nothing. Its unfinished writes are refused by the
lease's token, which rises with each holder and is checked in the transaction of the write; and if
another process has continued, because a stream has one entry per version.
"""

from __future__ import annotations

import math
import os
import secrets
import socket
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Protocol

from croupier.errors import BadRequest, plain
from croupier.ledger.data_folder import opener_for_owner
from croupier.ledger.faults import LEASE_LOST, JournalUnavailable
from croupier.ledger.journal import Journal

LEASE_SECONDS: Final = 4.0
"""How long a lease lasts if it is not renewed."""
SPARE_SECONDS: Final = 1.0
"""Safety margin by which the holder stops early, because the database's answers may have been
slow."""

# A write checks the token and locks it until it is done (FOR KEY SHARE, because the token is part
# of a key). Renewing does not change the token, so it never waits for a write.
_PREPARE: Final = """
CREATE TABLE IF NOT EXISTS runtime_workers
    (worker text PRIMARY KEY, place text NOT NULL, beat_at timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS runtime_leases
    (game_table text PRIMARY KEY, worker text NOT NULL, ends_at timestamptz NOT NULL);
ALTER TABLE runtime_leases ADD COLUMN IF NOT EXISTS token bigint NOT NULL DEFAULT 1;
CREATE UNIQUE INDEX IF NOT EXISTS runtime_leases_token ON runtime_leases (game_table, token);
CREATE OR REPLACE FUNCTION croupier_check_lease(wanted text, held bigint) RETURNS void
LANGUAGE plpgsql AS $$ BEGIN
    PERFORM 1 FROM runtime_leases WHERE game_table = wanted AND token = held FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'table % is dealt by another process now', wanted USING ERRCODE = 'LOST';
    END IF;
END $$
""".replace("LOST", LEASE_LOST)
_BEAT: Final = """
INSERT INTO runtime_workers VALUES (%s, %s, clock_timestamp())
ON CONFLICT (worker) DO UPDATE SET beat_at = excluded.beat_at
"""
_FORGET: Final = """
DELETE FROM runtime_workers WHERE beat_at < clock_timestamp() - make_interval(secs => %s)
"""
_RENEW: Final = """
UPDATE runtime_leases SET ends_at = clock_timestamp() + make_interval(secs => %s)
WHERE worker = %s AND ends_at > clock_timestamp() AND game_table = ANY(%s)
RETURNING game_table
"""
_FREE: Final = """
SELECT name FROM unnest(%s::text[]) AS name
LEFT JOIN runtime_leases ON game_table = name
WHERE game_table IS NULL OR ends_at <= clock_timestamp() OR worker = %s
ORDER BY name LIMIT %s
"""
_TAKE: Final = """
INSERT INTO runtime_leases (game_table, worker, ends_at)
SELECT name, %s, clock_timestamp() + make_interval(secs => %s) FROM unnest(%s::text[]) AS name
ON CONFLICT (game_table) DO UPDATE
SET worker = excluded.worker, ends_at = excluded.ends_at, token = runtime_leases.token + 1
WHERE runtime_leases.ends_at <= clock_timestamp() OR runtime_leases.worker = excluded.worker
RETURNING game_table, token
"""
# The row stays: a token that started again at 1 could let an old holder write.
_LET_GO: Final = """
UPDATE runtime_leases SET ends_at = '-infinity', token = token + 1
WHERE worker = %s AND game_table = ANY(%s) AND ends_at > '-infinity'
"""


class Leases(Protocol):
    def holds(self, table: str) -> bool: ...

    def token(self, table: str) -> int:
        """Return the lease's token as this process last knew it; 0, which no lease has, if this
        process never held it."""

    def renew(self, tables: Collection[str]) -> set[str]:
        """Take this process's share of the tables, and return those newly held. Blocks."""

    def close(self) -> None: ...


class SingleProcess:
    """A single process holds all tables."""

    def holds(self, table: str) -> bool:  # noqa: ARG002
        return True

    def token(self, table: str) -> int:  # noqa: ARG002
        return 0

    def renew(self, tables: Collection[str]) -> set[str]:  # noqa: ARG002
        return set()

    def close(self) -> None:
        pass


class PostgresLeases:
    """Leases in PostgreSQL. Each worker keeps no more than its share and releases the rest."""

    def __init__(self, journal: Journal) -> None:
        self._database: Any = journal.database
        self._connection: Any = None
        self._worker = secrets.token_hex(8)
        self._place = f"{socket.gethostname()} process {os.getpid()}"
        self._held: set[str] = set()
        self._tokens: dict[str, int] = {}
        self._until = 0.0

    def token(self, table: str) -> int:
        return self._tokens.get(table, 0)

    def holds(self, table: str) -> bool:
        return table in self._held and time.monotonic() < self._until

    def renew(self, tables: Collection[str]) -> set[str]:
        began = time.monotonic()
        if began >= self._until:
            self._held = set()  # the leases have ended, whatever the database returns
        try:
            if self._connection is None:
                self._connect()
            won = self._share(sorted(tables))
        except (self._database.errors, JournalUnavailable):
            self._held = set()
            self._disconnect()
            return set()
        self._until = began + LEASE_SECONDS - SPARE_SECONDS
        return won

    def _connect(self) -> None:
        self._connection = self._database.connect()
        self._connection.autocommit = True
        with self._connection.transaction():
            # Two processes that start at once must not both create the tables.
            self._connection.execute("SELECT pg_advisory_xact_lock(hashtext('croupier leases'))")
            self._connection.execute(_PREPARE)

    def _share(self, tables: Sequence[str]) -> set[str]:
        ask = self._connection.execute
        ask(_BEAT, (self._worker, self._place))
        ask(_FORGET, (LEASE_SECONDS,))
        workers = ask("SELECT count(*) FROM runtime_workers").fetchone()[0]
        share = math.ceil(len(tables) / max(1, workers))
        surplus = sorted(self._held)[share:]
        if surplus:
            self._held -= set(surplus)
            ask(_LET_GO, (self._worker, surplus))
        if self._held:
            kept = ask(_RENEW, (LEASE_SECONDS, self._worker, list(self._held))).fetchall()
            self._held = {row[0] for row in kept}
        wanted = [table for table in tables if table not in self._held]
        room = share - len(self._held)
        if room <= 0 or not wanted:
            return set()
        free = [row[0] for row in ask(_FREE, (wanted, self._worker, room)).fetchall()]
        taken = ask(_TAKE, (self._worker, LEASE_SECONDS, free)).fetchall() if free else []
        self._tokens |= dict(taken)
        won = {row[0] for row in taken}
        self._held |= won
        return won

    def close(self) -> None:
        """Release all leases, so that other processes need not wait for them to end."""
        held, self._held = list(self._tokens), set()
        if self._connection is not None:
            with suppress(self._database.errors):
                ask = self._connection.execute
                ask(_LET_GO, (self._worker, held))
                ask("DELETE FROM runtime_workers WHERE worker = %s", (self._worker,))
        self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            with suppress(self._database.errors):
                self._connection.close()
            self._connection = None


@contextmanager
def only_server(journal: str, address: str) -> Iterator[None]:
    """Hold the journal for this server, unless it is a PostgreSQL, which takes any number of
    servers. A locked file beside the journal names the server's address; the lock ends with the
    process, however it ends."""
    if "://" in journal or os.name != "posix":
        yield
        return
    import fcntl

    with open(f"{journal}.server", "a+", encoding="utf-8", opener=opener_for_owner) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            there = plain(file.read(200).strip(), 200) or "an address that it has not told yet"
            raise BadRequest(
                f"another server has the journal {plain(journal, 200)} open: {there}. Use that one "
                "or stop it; several servers share a PostgreSQL (--database postgresql://…)"
            ) from None
        file.truncate(0)
        file.write(f"{address} (process {os.getpid()})\n")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)
