"""The journal in one file: SQLite in WAL mode, synced to disk at every commit."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Final

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import QueuePool

from croupier.errors import BadRequest, plain
from croupier.ledger.data_folder import close_to_others
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.stores.bodies import SHORT, packed, text_of
from croupier.ledger.stores.database import Address, StreamGrown, TransactionRows
from croupier.ledger.stores.schema import STREAM_VERSIONS, WRITES

APPLICATION_ID: Final = 0x43524F55  # "CROU": marks the file as a Croupier journal
POLL_SECONDS: Final = 0.05
LOOK_SECONDS: Final = 0.1  # interval between checks that the file is still in place

_MESSAGES: Final = {
    "SQLITE_BUSY": "another program has it locked",
    "SQLITE_LOCKED": "another program has it locked",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "it may not be written to (a read-only file or folder)",
    "SQLITE_NOTADB": "it is not a SQLite database",
    "SQLITE_CORRUPT": "it is damaged",
    "SQLITE_CANTOPEN": "it cannot be opened",
    "SQLITE_PERM": "it may not be opened",
    "SQLITE_IOERR": "the disk does not read or write",
    "SQLITE_NOLFS": "it is too large for the disk's file system",
}


class SQLite:
    errors: type[Exception] = sqlite3.Error
    broken_constraint: type[Exception] = sqlite3.IntegrityError
    # SQLite has one writer at a time. Writers of this process queue, which is fairer than its lock.
    writers = 1

    def __init__(self, path: Path, wait_seconds: float, *, read_only: bool = False) -> None:
        path = path.absolute()
        self.name = plain(path, 200)
        self.wait_seconds = wait_seconds
        self._copy: TemporaryDirectory[str] | None = None
        self._is_fixed = read_only and not _has_wal(path)
        """The file is read only and complete without a -wal file, so SQLite needs no file beside
        it."""
        if read_only and not self._is_fixed:
            self._copy = TemporaryDirectory(prefix="croupier-")
            path = _copied(path, Path(self._copy.name))
        elif not read_only:
            _create(path)
        self._path = str(path)
        self.address = Address(self._path, self._is_fixed)
        # mode=rw: if the file is deleted, SQLite must not create an empty one.
        self._uri = f"{path.as_uri()}?mode={'ro&immutable=1' if self._is_fixed else 'rw'}"
        self._file: tuple[int, int] | None = None
        self._look_again = 0.0
        self.engine = create_engine("sqlite://", creator=self.connect, poolclass=QueuePool)

    def connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._uri,
            uri=True,
            timeout=self.wait_seconds,
            isolation_level=None,  # we begin transactions, not the driver
            check_same_thread=False,
        )
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.create_function("body_text", 1, text_of, deterministic=True)
        with _cursor(connection) as cursor:
            # fullfsync only exists on macOS, where a plain fsync leaves data in the drive's cache.
            for pragma in ("synchronous = FULL", "fullfsync = ON", "checkpoint_fullfsync = ON"):
                cursor.execute(f"PRAGMA {pragma}")
            owner = cursor.execute("PRAGMA application_id").fetchone()[0]
            if owner not in {0, APPLICATION_ID}:
                raise BadRequest(f"{self.name} is a database of another program")
            if not self._is_fixed:
                self._use_wal(cursor)

    def _use_wal(self, cursor: sqlite3.Cursor) -> None:
        """Switch to WAL, with retries, because the switch fails at once while another process is
        switching."""
        patience = time.monotonic() + self.wait_seconds
        while cursor.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            if cursor.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                # Not our file: leave it unchanged; `migrate` reports it.
                owner = cursor.execute("PRAGMA application_id").fetchone()[0]
                if owner != APPLICATION_ID:
                    return
            try:
                cursor.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > patience:
                    raise
                time.sleep(0.01)

    @contextmanager
    def migrating(self, connection: Connection) -> Iterator[None]:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            yield
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.exec_driver_sql("COMMIT")
        except BaseException:
            with suppress(Exception):
                connection.exec_driver_sql("ROLLBACK")
            raise

    @contextmanager
    def consistent_read(self, connection: Connection) -> Iterator[None]:
        connection.exec_driver_sql("BEGIN")
        try:
            yield
        finally:
            connection.rollback()

    def open_writer(self) -> sqlite3.Connection:
        writer = self.connect()
        self._file = _identity(self._path)
        return writer

    def hash_at(self, writer: sqlite3.Connection, stream: str, version: int) -> str | None:
        with _cursor(writer) as cursor:
            row = cursor.execute(
                "SELECT hash FROM entries WHERE stream = ? AND version = ?", (stream, version)
            ).fetchone()
        return None if row is None else row[0]

    def write(self, writer: sqlite3.Connection, work: TransactionRows) -> None:
        self.check_file()
        cursor = writer.cursor()
        try:
            cursor.execute("BEGIN IMMEDIATE")
            insert_rows(cursor, work)
            cursor.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                writer.rollback()
            raise

    def check_file(self) -> None:
        """Refuse to write if the file was moved or replaced, because the entries would be lost. The
        file is checked at most ten times a second."""
        if time.monotonic() <= self._look_again:
            return
        if _identity(self._path) != self._file:
            raise JournalUnavailable(
                f"the journal {self.name} was moved, deleted or replaced while in use: put it "
                "back; nothing was written"
            )
        self._look_again = time.monotonic() + LOOK_SECONDS

    def is_lost(self, writer: sqlite3.Connection) -> bool:  # noqa: ARG002
        return False

    def explain(self, error: BaseException | None) -> JournalUnavailable:
        name = getattr(error, "sqlite_errorname", None) or ""
        reason = next((text for code, text in _MESSAGES.items() if name.startswith(code)), None)
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            reason = f"{reason} and did not let go for {self.wait_seconds:g} seconds"
        detail = plain(f"{error}", 200)
        return JournalUnavailable(
            f"the journal {self.name} cannot be used: {reason or detail}; nothing was written, and "
            f"the same can be tried again ({name or 'SQLite'}: {detail})"
        )

    def close(self) -> None:
        self.engine.dispose()
        if self._copy is not None:
            self._copy.cleanup()

    def listen(self) -> _Polling:
        return _Polling(self)


def insert_rows(cursor: sqlite3.Cursor | sqlite3.Connection, work: TransactionRows) -> None:
    """Insert the rows of each table, with the bodies of entries compressed."""
    entries = [
        (s, v, at, k, b.decode() if len(b) < SHORT else packed(b), t, m, h)
        for s, v, at, k, b, t, m, h in work.entries
    ]
    others = (work.requests, work.chapters, work.marks, work.snapshots, work.balances)
    for statement, rows in zip(WRITES, (entries, *others), strict=True):
        if rows:
            cursor.executemany(statement, rows)


class _Polling:
    """Listener for SQLite, which sends no messages between processes; `data_version` shows cheaply
    that a file changed."""

    def __init__(self, database: SQLite) -> None:
        # A separate connection, so that commits of this process are seen too.
        self.connection = database.connect()
        self._change: int | None = None
        self._heads: dict[str, int] = {}
        self._look()

    def wait(self, seconds: float) -> tuple[StreamGrown, ...]:
        end = time.monotonic() + seconds
        while not (moved := self._look()) and time.monotonic() < end:
            time.sleep(min(POLL_SECONDS, max(0.0, end - time.monotonic())))
        return moved

    def _look(self) -> tuple[StreamGrown, ...]:
        with _cursor(self.connection) as cursor:
            change = cursor.execute("PRAGMA data_version").fetchone()[0]
            if change == self._change:
                return ()
            self._change = change
            before, self._heads = self._heads, dict(cursor.execute(STREAM_VERSIONS).fetchall())
        return tuple(
            StreamGrown(stream, version)
            for stream, version in self._heads.items()
            if version > before.get(stream, 0)
        )

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> _Polling:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _cursor(connection: sqlite3.Connection) -> Iterator[sqlite3.Cursor]:
    cursor = connection.cursor()
    try:
        yield cursor
    finally:
        cursor.close()


def _identity(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _has_wal(path: Path) -> bool:
    """Whether something was written that is not yet in the file itself."""
    wal = path.with_name(f"{path.name}-wal")
    return wal.exists() and wal.stat().st_size > 0


def _copied(path: Path, folder: Path) -> Path:
    """Copy the database and its -wal file into a folder where SQLite can merge them; return the
    copy's path."""
    try:
        for name in (path.name, f"{path.name}-wal"):
            copyfile(path.with_name(name), folder / name)
    except OSError as error:
        raise JournalUnavailable(
            f"the journal {plain(path, 200)} cannot be copied: {error.strerror}"
        ) from error
    return folder / path.name


def _create(path: Path) -> None:
    """Create an empty file and sync its folder, so that it survives a power cut.

    SQLite does the same for its -wal file.
    """
    if path.is_dir():
        raise BadRequest(f"{plain(str(path), 200)} is a folder: name a file for the journal")
    if path.exists():
        close_to_others(path)
        return
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        if os.name == "posix":
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        where = plain(str(path), 200)
        raise JournalUnavailable(
            f"the journal {where} cannot be created: {error.strerror or error}"
        ) from error
