"""Journaling a round beside the bare driver writing the same rows with the same commits.

A round is 25 commits with 30 entries, 12 of them moving money, and at its end a chapter and a
snapshot. "Ours" is `Journal.add`: it checks, chains and hashes, and writes. "Bare" is the driver
with the rows ready in advance, into the same tables without triggers, synced at every commit as
ours is. They take turns round by round, so that a busy moment of disk or machine hits both; a
round's time is the sum of its commits' medians over all rounds.

On PostgreSQL there are two bare ones: statement by statement, as most programs do it, and with
everything in one pipeline a commit, as ours does it.

Then a million entries are read and their chain checked, with the memory that takes.
"""

from __future__ import annotations

import gc
import re
import resource
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

from benchmarks.figures import Ratio, report
from croupier.ledger.entries import Addition, Chapter, Mark, NewEntry, Transfer, stamp
from croupier.ledger.journal import Journal, open_journal, transaction_rows
from croupier.ledger.signatures.chain import GENESIS, chain_rows, check_chain
from croupier.ledger.signatures.macs import Macs
from croupier.ledger.stores.bodies import packed
from croupier.ledger.stores.database import Rows, TransactionRows
from croupier.ledger.stores.schema import WRITES
from croupier.ledger.verification.checks import check_balances

ROUNDS = 120
COMMITS = 25
ENTRIES = 30
MILLION = 1_000_000
NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
STREAM = "table/1"

Round = list[Addition]


def a_round(number: int) -> Round:
    """Commits of one or two entries, of the size that bets, cards and payments have."""
    first = number * ENTRIES
    additions: Round = []
    after = first
    for commit in range(COMMITS):
        count = 2 if commit % 5 == 0 else 1
        entries = tuple(_entry(after + place) for place in range(count))
        additions.append(Addition(STREAM, after, entries, request=f"{number}/{commit}"))
        after += count
    last = additions[-1]
    marks = tuple(Mark("player", f"player {seat}") for seat in range(6))
    time = stamp(NOW)
    additions[-1] = Addition(
        *(last.stream, last.after, last.entries),
        chapters=(Chapter(STREAM, number, first + 1, after, time, time, marks),),
        snapshot=b'{"seats":[%s]}' % (b"0" * 1500),
        request=last.request,
    )
    return additions


def _entry(number: int) -> NewEntry:
    seat = number % 6
    body = (
        b'{"command":{"type":"act","seat":%d,"player":"player %d","action":"check"},'
        b'"by":{"role":"player","name":"player %d"},"followed":[{"type":"acted","seat":%d,'
        b'"decision":"preflop","action":"check","cents":0,"clause":"12.B(1)"}],"request":"key-%08d"}'
    ) % (seat, seat, seat, seat, number)
    if number % 5 < 2:
        return NewEntry("bet", body, (Transfer(f"player:{seat}", "table:1:inventory", 2500),))
    return NewEntry("dealt", body)


def ours(store: Journal, rounds: list[Round]) -> Iterator[None]:
    yield
    for additions in rounds:
        for addition in additions:
            store.add(addition, at=NOW)
            yield


class Ready(NamedTuple):
    """A transaction as the driver takes it: the rows of each table, and the streams that grow."""

    rows: list[Rows]
    versions: dict[str, int]


def bare(
    write: Callable[[Ready], None],
    works: list[list[TransactionRows]],
    as_stored: Callable[[bytes], object],
) -> Iterator[None]:
    ready = [[_ready(work, as_stored) for work in commits] for commits in works]
    yield
    for commits in ready:
        for work in commits:
            write(work)
            yield


def _ready(work: TransactionRows, as_stored: Callable[[bytes], object]) -> Ready:
    entries, *others = work.rows()
    rows = [(*row[:4], as_stored(row[4]), *row[5:]) for row in entries]
    return Ready([rows, *others], work.stream_versions())


def ready_rows(rounds: list[Round]) -> list[list[TransactionRows]]:
    """What ours will write, as rows."""
    previous, works, macs = GENESIS, [], Macs(b"a key of 32 bytes for benchmarks")
    for additions in rounds:
        commits = []
        for addition in additions:
            rows = chain_rows(macs.of_contents, previous, addition, stamp(NOW), [])
            previous = rows[-1][-1]
            commits.append(transaction_rows(macs, (addition,), [rows]))
        works.append(commits)
    return works


def sqlite_writer(connection: sqlite3.Connection) -> Callable[[Ready], None]:
    def write(work: Ready) -> None:
        connection.execute("BEGIN IMMEDIATE")
        for statement, rows in zip(WRITES, work.rows, strict=True):
            if rows:
                connection.executemany(statement, rows)
        connection.execute("COMMIT")

    return write


def postgres_writer(connection: Any, pipelined: bool) -> Callable[[Ready], None]:
    statements = [statement.replace("?", "%s") for statement in WRITES]

    def send(cursor: Any, work: Ready) -> None:
        for statement, rows in zip(statements, work.rows, strict=True):
            if rows:
                cursor.executemany(statement, rows)
        for stream, version in work.versions.items():
            cursor.execute("SELECT pg_notify('croupier', %s)", (f"{stream} {version}",))

    def write(work: Ready) -> None:
        if pipelined:
            with connection.pipeline(), connection.cursor() as cursor:
                send(cursor, work)
                connection.commit()
        else:
            with connection.cursor() as cursor:
                send(cursor, work)
            connection.commit()

    return write


class Taken(NamedTuple):
    """Seconds a round, on the clock and of the processor."""

    clock: float
    processor: float


def take_turns(contestants: dict[str, Iterator[None]]) -> dict[str, Taken]:
    """Each commit of a round is compared with the same commit of other rounds."""
    times: dict[str, list[list[Taken]]] = {
        name: [[] for _ in range(COMMITS)] for name in contestants
    }
    names = list(contestants)
    for name in names:
        next(contestants[name])  # everything is made ready
    gc.collect()
    gc.freeze()  # the rows made ready are not what the collector should be busy with
    for _ in range(ROUNDS):
        names.append(names.pop(0))
        for name in names:
            for commit in times[name]:
                clock, processor = perf_counter(), process_time()
                next(contestants[name])
                commit.append(Taken(perf_counter() - clock, process_time() - processor))
    return {
        name: Taken(
            sum(median(one.clock for one in commit) for commit in commits),
            sum(median(one.processor for one in commit) for commit in commits),
        )
        for name, commits in times.items()
    }


_DRIVER = re.compile(r" [0-9.]+")
"""The version of a driver, which is no part of a ratio's name."""
_ROWS: list[tuple[str, ...]] = []
_RATIOS: list[Ratio] = []


def note(title: str, times: dict[str, Taken]) -> None:
    """Keep the rows of a database for the table."""
    own = times["croupier"].clock
    for name, taken in times.items():
        micros = [f"{second / COMMITS * 1e6:.0f}" for second in taken]
        ratio = taken.clock / own
        is_bare = name != "croupier"
        reached = f"{ratio:.0%}" if is_bare else ""
        _ROWS.append((f"{title}: {name}", f"{1 / taken.clock:.0f}", *micros, reached))
        if is_bare:
            _RATIOS.append(Ratio(f"{title}: {_DRIVER.sub('', name)}", ratio))


def on_sqlite(folder: Path, rounds: list[Round], works: list[list[TransactionRows]]) -> None:
    open_journal(folder / "bare.db").close()
    with (
        open_journal(folder / "ours.db") as store,
        closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA synchronous = FULL")
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        contestants = {
            "croupier": ours(store, rounds),
            f"sqlite3 {sqlite3.sqlite_version}": bare(sqlite_writer(connection), works, packed),
        }
        note("SQLite, WAL, synchronous=FULL", take_turns(contestants))
        assert store.head(STREAM).hash == works[-1][-1].entries[-1][-1]


def on_postgres(server: Any, rounds: list[Round], works: list[list[TransactionRows]]) -> None:
    psycopg = import_module("psycopg")
    urls = [server.fresh() for _ in range(3)]
    for url in urls:
        open_journal(url).close()
    with (
        open_journal(urls[0]) as store,
        psycopg.connect(urls[1]) as plain,
        psycopg.connect(urls[2]) as pipelined,
    ):
        for connection in (plain, pipelined):
            for table in ("entries", "requests"):
                connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
            connection.commit()
        contestants = {
            "croupier": ours(store, rounds),
            f"psycopg {psycopg.__version__}": bare(
                postgres_writer(plain, False), works, bytes.decode
            ),
            f"psycopg {psycopg.__version__}, pipelined": bare(
                postgres_writer(pipelined, True), works, bytes.decode
            ),
        }
        note("PostgreSQL, fsync, a socket of this machine", take_turns(contestants))
        assert store.head(STREAM).hash == works[-1][-1].entries[-1][-1]


@contextmanager
def a_server(folder: Path) -> Iterator[Any]:
    """A private server, made as the tests make theirs; None where that cannot be."""
    if find_spec("psycopg") is None or find_spec("pytest") is None:
        print("\nPostgreSQL is not measured: psycopg and pytest are needed for it")
        yield None
        return
    helper = import_module("tests.postgres")
    programs = helper.find_programs()
    if programs is None:
        print("\nPostgreSQL is not measured: there is no server on this machine")
        yield None
        return
    folder.mkdir()
    folder.parent.chmod(0o755)
    server = helper.Server(programs, folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def a_million(url: str | Path, name: str, count: int) -> None:
    with open_journal(url) as store:
        start = perf_counter()
        for after in range(0, count, 1000):
            entries = tuple(_entry(after + place) for place in range(1000))
            store.add(Addition(STREAM, after, entries), at=NOW)
        written = perf_counter() - start
        check_chain(store.read(STREAM, up_to=10_000))  # whatever is made only once is made now
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = perf_counter()
        head = check_chain(store.read(STREAM))
        checked = perf_counter() - start
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        assert head == store.head(STREAM)
        start = perf_counter()
        check_balances(store)
        summed = perf_counter() - start
    print(
        f"{name}: {count:,} entries written in {written:.1f} s (1,000 a commit), read and chain "
        f"checked in {checked:.1f} s, balances recomputed in {summed:.1f} s; peak memory grew by "
        f"{grown:.1f} MiB"
    )


def main() -> None:
    count = int(sys.argv[1]) if sys.argv[1:] and sys.argv[1].isdigit() else MILLION
    rounds = [a_round(number) for number in range(ROUNDS)]
    works = ready_rows(rounds)
    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
    try:
        on_sqlite(folder, rounds, works)
        with a_server(folder / "server") as server:
            if server is not None:
                on_postgres(server, rounds, works)
            print(f"\n{COMMITS} commits and {ENTRIES} entries a round, medians of {ROUNDS} rounds")
            head = ("", "rounds a second", "µs a commit", "of it CPU", "ours reaches")
            report("journal", head, _ROWS, _RATIOS)
            a_million(folder / "million.db", "SQLite", count)
            if server is not None:
                a_million(server.fresh(), "PostgreSQL", count)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
