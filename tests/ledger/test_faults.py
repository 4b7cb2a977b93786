"""Full disk, locks, lost connections, wrong files: a clear error, nothing written, and on."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import psycopg
import pytest

from croupier.errors import BadRequest
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.stores import postgres
from croupier.ledger.stores.schema import WRITES
from croupier.ledger.stores.sqlite import LOOK_SECONDS
from tests.ledger.crashes import scratch
from tests.ledger.samples import NOON, addition, check_all, fill

LARGE = NewEntry("noted", b'{"long":"%s"}' % Random(1).randbytes(300_000).hex().encode())
"""300 KB that cannot be compressed."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def lite(file: Path) -> Iterator[Journal]:
    with open_journal(file, wait_seconds=0.2) as store:
        yield store


@pytest.fixture
def server_store(postgres_url: str) -> Iterator[Journal]:
    with open_journal(postgres_url, wait_seconds=1) as store:
        yield store


def refused(store: Journal, words: str, new: Addition | None = None) -> JournalUnavailable:
    """The addition is refused in these words, and everything is as before."""
    before = store.consistent_view()
    with pytest.raises(JournalUnavailable, match=words) as caught:
        store.add(new or addition("table/1", before.heads["table/1"].version, 5), at=NOON)
    assert store.consistent_view() == before
    return caught.value


def goes_on(store: Journal) -> None:
    count = store.head("table/1").version
    fill(store, count=count + 3)
    assert check_all(store)["table/1"].version == count + 3


# -- SQLite ---------------------------------------------------------------------------------------


def test_locked_by_another_program(file: Path, lite: Journal) -> None:
    fill(lite, count=3)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        error = refused(lite, "another program has it locked and did not let go for 0.2 seconds")
        assert "nothing was written" in str(error)
        assert "journal.db" in str(error)
        assert not error.perhaps_written
        other.execute("ROLLBACK")
    goes_on(lite)


def test_waits_for_a_short_lock(file: Path) -> None:
    with open_journal(file, wait_seconds=5) as store:
        fill(store, count=1)
        with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            timer = threading.Timer(0.2, lambda: other.execute("COMMIT"))
            timer.start()
            fill(store, count=2)
            timer.join()
        goes_on(store)


def test_database_has_no_room(lite: Journal) -> None:
    fill(lite, count=3)
    pages = lite._idle[-1].execute("PRAGMA page_count").fetchone()[0]
    lite._idle[-1].execute(f"PRAGMA max_page_count = {pages + 2}")
    refused(lite, "the disk is full", Addition("table/1", 3, (LARGE,)))
    goes_on(lite)


@contextmanager
def file_limit(size: int) -> Iterator[None]:
    """Writes beyond it fail in the middle, as on a full disk."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


@pytest.mark.parametrize("room", [0, 100, 5000, 70_000, 250_000])
def test_the_operating_system_refuses_a_write_half_way(
    file: Path, lite: Journal, room: int
) -> None:
    fill(lite, count=3)
    with file_limit(Path(f"{file}-wal").stat().st_size + room):
        refused(lite, "disk", Addition("table/1", 3, (LARGE,)))
        refused(lite, "disk", Addition("table/1", 3, (LARGE,)))
    goes_on(lite)
    with open_journal(file) as again:
        goes_on(again)


def test_the_file_is_moved_away_and_put_back(file: Path, lite: Journal) -> None:
    fill(lite, count=3)
    away = file.with_name("away.db")
    file.rename(away)
    time.sleep(LOOK_SECONDS * 1.1)
    with pytest.raises(JournalUnavailable, match="moved, deleted or replaced"):
        lite.add(addition("table/1", 3, 5), at=NOON)
    with pytest.raises(JournalUnavailable, match="cannot be opened"):
        lite.add(addition("table/1", 3, 5), at=NOON)
    assert not file.exists()
    away.rename(file)
    goes_on(lite)


def test_not_a_database(file: Path) -> None:
    file.write_bytes(b"Dear diary, today we dealt.\n" * 100)
    with pytest.raises(JournalUnavailable, match="it is not a SQLite database"):
        open_journal(file)
    assert file.read_bytes().startswith(b"Dear diary")


def test_a_database_of_another_program_is_left_alone(file: Path) -> None:
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    before = file.read_bytes()
    with pytest.raises(BadRequest, match="another program: it has tables recipes"):
        open_journal(file)
    assert file.read_bytes() == before
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA application_id = 7")
    with pytest.raises(BadRequest, match="a database of another program"):
        open_journal(file)


def test_a_folder_and_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="is a folder"):
        open_journal(tmp_path)
    with pytest.raises(JournalUnavailable, match="cannot be created: No such file"):
        open_journal(tmp_path / "missing" / "journal.db")


READ_ONLY = """
import os, shutil, sys
from pathlib import Path
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import open_journal
from tests.ledger.samples import NOON, addition, check_all, fill
with open_journal(sys.argv[1] + ".first") as store:  # imports what nobody else may read
    fill(store); check_all(store)
key = Path(sys.argv[1] + ".key")
shutil.copy(os.environ["CROUPIER_KEY_FILE"], key)
os.chown(key, 65534, 65534)
os.environ["CROUPIER_KEY_FILE"] = str(key)
os.setgid(65534); os.setuid(65534)
with open_journal(Path(sys.argv[1])) as store:
    assert check_all(store)["table/1"].version == 3
    try:
        store.add(addition("table/1", 3, 5), at=NOON)
    except JournalUnavailable as error:
        print(error)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_read_only_file_can_be_read() -> None:
    with scratch() as folder:
        file = folder / "journal.db"
        with open_journal(file) as store:
            fill(store, count=3)
            # Kept open: only then are the -wal and -shm files there, which readers need.
            for path in folder.iterdir():
                path.chmod(0o644)
            folder.chmod(0o755)
            told = subprocess.run(
                [sys.executable, "-c", READ_ONLY, str(file)],
                capture_output=True,
                text=True,
                check=False,
                cwd=Path(__file__).parents[2],
                timeout=60,
            )
            assert "may not be written to" in told.stdout, told.stderr
            goes_on(store)


def test_sqlite_is_set_to_keep_what_it_acknowledges(lite: Journal) -> None:
    fill(lite, count=1)
    writer = lite._idle[-1]
    assert writer.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert writer.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert writer.execute("PRAGMA busy_timeout").fetchone()[0] == 200


# -- PostgreSQL -----------------------------------------------------------------------------------


def disconnect(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


def test_lost_connection_and_the_next_call_has_a_new_one(
    postgres_url: str, server_store: Journal
) -> None:
    fill(server_store, count=3)
    disconnect(postgres_url)
    error = refused(server_store, r"shutting down|connection was lost")
    assert error.perhaps_written
    goes_on(server_store)


def test_reading_goes_on_after_a_lost_connection(postgres_url: str, server_store: Journal) -> None:
    fill(server_store, count=3)
    disconnect(postgres_url)
    assert server_store.head("table/1").version == 3


def test_a_commit_whose_answer_is_lost_is_found(
    postgres_url: str, server_store: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(server_store, count=3)
    database = server_store.database
    write = database.write

    def write_and_lose(writer: psycopg.Connection[object], work: object) -> None:
        write(writer, work)  # type: ignore[arg-type]
        writer.close()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    monkeypatch.setattr(database, "write", write_and_lose)
    written = server_store.add(addition("table/1", 3, 5, 6), at=NOON)
    monkeypatch.undo()
    assert tuple(server_store.read("table/1", 3)) == written
    goes_on(server_store)


def test_a_writer_that_does_not_finish_is_not_waited_for(
    postgres_url: str, server_store: Journal
) -> None:
    fill(server_store, count=3)
    with psycopg.connect(postgres_url) as other:
        other.execute("UPDATE balances SET cents = cents")
        refused(server_store, "another writer has it locked")
    goes_on(server_store)


def test_no_server() -> None:
    with pytest.raises(JournalUnavailable, match=r"refused|lost") as caught:
        open_journal("postgresql://ann:secret@127.0.0.1:1/journal", wait_seconds=1)
    assert "secret" not in str(caught.value)
    assert "ann" in str(caught.value)


def test_a_read_only_server(postgres_url: str, server_store: Journal) -> None:
    fill(server_store, count=3)
    server_store._idle[-1].execute("SET default_transaction_read_only = on")
    server_store._idle[-1].commit()
    refused(server_store, "the server is read-only")
    goes_on(server_store)


# -- both -----------------------------------------------------------------------------------------


def test_a_newer_schema_is_refused(url: str) -> None:
    with open_journal(url) as store:
        fill(store, count=3)
    statement = "INSERT INTO migrations VALUES (99, 'from the future', 'later')"
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as lite:
            lite.execute(statement)
            lite.commit()
    else:
        with psycopg.connect(url) as connection:
            connection.execute(statement)
    with pytest.raises(BadRequest, match=r"newer Croupier \(schema 99, this program knows 4\)"):
        open_journal(url)


def test_a_fault_in_the_middle_leaves_nothing(
    store: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last table to be written does not exist: what went before must be gone as well."""
    fill(store, count=3)
    before = store.consistent_view()
    for module in ("sqlite.WRITES", "postgres._WRITES"):
        monkeypatch.setattr(
            f"croupier.ledger.stores.{module}",
            ((*_writes(module)[:-1], "INSERT INTO nowhere VALUES (1)")),
        )
    with pytest.raises(JournalUnavailable):
        store.add(addition("table/1", 3, 5), at=NOON)
    monkeypatch.undo()
    assert store.consistent_view() == before
    goes_on(store)


def _writes(module: str) -> tuple[str, ...]:
    return WRITES if module.startswith("sqlite") else postgres._WRITES


def test_interrupted_by_the_keyboard(store: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, count=3)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(store.database, "write", interrupt)
    with pytest.raises(KeyboardInterrupt):
        store.add(addition("table/1", 3, 5), at=NOON)
    monkeypatch.undo()
    goes_on(store)
