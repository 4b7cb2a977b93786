"""The journal on a PostgreSQL server, for several processes at once."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import psycopg
from sqlalchemy import URL, Connection, create_engine

from croupier.errors import plain
from croupier.ledger.faults import LEASE_LOST, JournalUnavailable, LeaseLost
from croupier.ledger.stores.database import (
    Address,
    Driver,
    StreamGrown,
    TransactionRows,
    latest_only,
)
from croupier.ledger.stores.schema import WRITES

_log = logging.getLogger("croupier.ledger")

CHANNEL: Final = "croupier"
_MIGRATING: Final = 0x43524F55  # the number of an advisory lock: "CROU"
_WRITES: Final = tuple(statement.replace("?", "%s") for statement in WRITES)
_NOTIFY: Final = "SELECT pg_notify(%s, %s)"
_FENCE: Final = "SELECT croupier_check_lease(%s, %s)"
_SECRETS: Final = ("password", "sslpassword")
"""Parameters of a URL's query that hold secrets."""


def _without_secrets(url: URL) -> str:
    secrets = {name: "***" for name in _SECRETS if name in url.query}
    return url.update_query_dict(secrets).render_as_string(hide_password=True)


class Postgres:
    errors: type[Exception] = psycopg.Error
    broken_constraint: type[Exception] = psycopg.IntegrityError
    # Commits that arrive together share one disk sync.
    writers = 8

    def __init__(self, url: URL, wait_seconds: float) -> None:
        self.name = plain(_without_secrets(url), 200)
        self.wait_seconds = wait_seconds
        self._url = url.set(drivername="postgresql+psycopg")
        self.address = Address(url.render_as_string(hide_password=False))
        options: dict[str, Any] = {"connect_timeout": max(2, round(wait_seconds))}
        # The ping lets reads continue after the server was restarted.
        self.engine = create_engine(
            self._url, connect_args=options, pool_pre_ping=True, pool_size=10, max_overflow=20
        )

    @contextmanager
    def migrating(self, connection: Connection) -> Iterator[None]:
        try:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
            yield
            connection.commit()
        except BaseException:
            with suppress(Exception):
                connection.rollback()
            raise

    @contextmanager
    def consistent_read(self, connection: Connection) -> Iterator[None]:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        try:
            yield
        finally:
            connection.rollback()

    def open_writer(self) -> Driver:
        writer = self.connect()
        milliseconds = round(self.wait_seconds * 1000)
        writer.execute(f"SET lock_timeout = {milliseconds}")
        # A server may be configured to answer before the commit is on disk; the journal needs it
        # there.
        writer.execute("SET synchronous_commit = on")
        writer.commit()
        return writer

    def connect(self) -> Driver:
        """Open a separate connection, outside the pool."""
        proxied = self.engine.raw_connection()
        driver = proxied.driver_connection
        proxied.detach()
        return driver

    def hash_at(self, writer: Driver, stream: str, version: int) -> str | None:
        row = writer.execute(
            "SELECT hash FROM entries WHERE stream = %s AND version = %s", (stream, version)
        ).fetchone()
        writer.rollback()
        return None if row is None else row[0]

    def write(self, writer: Driver, work: TransactionRows) -> None:
        """Send the whole transaction in one pipeline: one round trip, not one per statement. After
        a statement fails the server skips the rest, including the COMMIT."""
        failed: psycopg.Error | None = None
        try:
            with writer.pipeline(), writer.cursor() as cursor:
                try:
                    for fence in sorted(work.fences):
                        cursor.execute(_FENCE, fence)
                    entries, *others = work.rows()
                    for s, v, at, k, body, t, m, h in entries:
                        cursor.execute(_WRITES[0], (s, v, at, k, body.decode(), t, m, h))
                    for statement, rows in zip(_WRITES[1:], others, strict=True):
                        for row in rows:
                            cursor.execute(statement, row)
                    for stream, version in work.stream_versions().items():
                        cursor.execute(_NOTIFY, (CHANNEL, f"{stream} {version}"))
                    writer.commit()
                except psycopg.Error as error:
                    # Leave the pipeline normally, so that psycopg does not log follow-up errors.
                    failed = error
        except psycopg.Error as error:
            failed = failed or error
        except BaseException:
            writer.close()
            raise
        if failed is not None:
            with suppress(psycopg.Error):
                writer.rollback()
            if failed.sqlstate == LEASE_LOST:
                raise LeaseLost(plain(failed.diag.message_primary, 200)) from failed
            raise failed

    def is_lost(self, writer: Driver) -> bool:
        return bool(writer.closed)

    def explain(self, error: BaseException | None) -> JournalUnavailable:
        state = getattr(error, "sqlstate", None)
        if state is None:
            reason = "the connection was lost or refused"
        elif state.startswith("53"):
            reason = "the server has run out of disk, memory or connections"
        elif state in {"55P03", "40P01", "40001", "57014"}:
            reason = "another writer has it locked"
        elif state.startswith("57"):
            reason = "the server is shutting down or starting"
        elif state == "25006":
            reason = "the server is read-only"
        else:
            reason = "the server refuses"
        lines = f"{error}".strip().splitlines()
        detail = plain(lines[0] if lines else type(error).__name__, 200)
        return JournalUnavailable(
            f"the journal {self.name} cannot be used: {reason}; nothing was written, and the same "
            f"can be tried again ({detail})"
        )

    def close(self) -> None:
        self.engine.dispose()

    def listen(self) -> _Listening:
        return _Listening(self)


class _Listening:
    def __init__(self, database: Postgres) -> None:
        self._database = database
        self._connection = database.connect()
        self._connection.autocommit = True
        self._connection.execute(f"LISTEN {CHANNEL}")

    def wait(self, seconds: float) -> tuple[StreamGrown, ...]:
        try:
            notes = self._connection.notifies(timeout=seconds, stop_after=1)
            heard = [_stream_grown(notify.payload) for notify in notes]
            return latest_only(grown for grown in heard if grown is not None)
        except psycopg.Error as error:
            raise self._database.explain(error) from error

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> _Listening:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _stream_grown(payload: str) -> StreamGrown | None:
    """Parse a notification; None if it is malformed, since anybody who may connect to the database
    can send anything on the channel."""
    stream, _, version = payload.rpartition(" ")
    if stream and version.isascii() and version.isdecimal() and len(version) <= 18:
        return StreamGrown(stream, int(version))
    _log.warning("a note on the channel %s makes no sense: %s", CHANNEL, plain(payload, 100))
    return None
