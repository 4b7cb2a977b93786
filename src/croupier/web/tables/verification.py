"""`croupier verify` started from the page, in a separate process so that no table waits for it.

One run at a time per journal. Its progress is stored in a table beside the journal, where every
worker of the server finds it. The process ends with the server, or when somebody stops it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

import msgspec
from litestar.di import NamedDependency
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Integer,
    MetaData,
    Row,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from croupier.errors import CroupierError, Refusal, plain
from croupier.ledger.checkpoints.checkpoints import Checkpoint
from croupier.ledger.checkpoints.signed_past import signed_words
from croupier.ledger.differences import Difference, verdict_of
from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.side_tables import create_missing, writing
from croupier.ledger.verification.verify import Walk

BEAT_SECONDS: Final = 0.5
SILENT_SECONDS: Final = 30.0
"""Seconds without a heartbeat after which the process counts as dead."""
MOST_KEPT: Final = 10_000
"""Number of differences stored for reading; all are counted."""
KEPT_AT_ONCE: Final = 200

_metadata = MetaData()
_runs = Table(
    "web_verifications",
    _metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("started_by", Text, nullable=False),
    Column("started_at", Text, nullable=False),
    Column("beat_at", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("stop", Boolean, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("entries", BigInteger, nullable=False),
    Column("rounds", BigInteger, nullable=False),
    Column("streams", BigInteger, nullable=False),
    Column("differences", BigInteger, nullable=False),
    Column("message", Text, nullable=False),
)
_found = Table(
    "web_differences",
    _metadata,
    Column("place", BigInteger, primary_key=True, autoincrement=False),
    Column("stream", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("message", Text, nullable=False),
)


class VerificationForm(msgspec.Struct, frozen=True):
    """A verification and its progress. `state` is `none` (none was started yet), `running`, the
    verdict (`anchored`, `unanchored`, `differs`), `stopped`, or `failed`. `message` gives the
    reason for a failure, or the verdict in words and how far the journal is signed. `differences`
    is how many have been found."""

    state: str
    started_by: str = ""
    started_at: str = ""
    seconds: float = 0.0
    total: int = 0
    entries: int = 0
    percent: float = 0.0
    entries_per_second: int = 0
    streams: int = 0
    rounds: int = 0
    differences: int = 0
    message: str = ""


class DifferencesForm(msgspec.Struct, frozen=True):
    """A page of differences. `after` is the value that requests the next page, null at the end."""

    differences: tuple[Difference, ...]
    after: int | None


class Verifications:
    """Starts, stops and reports verifications. Blocking: call it in a thread."""

    def __init__(self, journal: Journal, database: str) -> None:
        self._journal = journal
        self._database = database
        self._process: subprocess.Popen[bytes] | None = None
        create_missing(journal, _metadata)

    def start(self, by: str, kept: tuple[Checkpoint, ...] = ()) -> VerificationForm:
        """Start a verification. `kept` holds the auditor's checkpoints, which the journal must
        extend."""
        number = self._begin(by)
        self.close()  # the previous process
        try:
            self._process = _spawn(self._database, number, kept)
        except OSError as error:
            _change(self._journal, number, state="failed", message=f"it cannot start: {error}")
        return self.latest()

    def _begin(self, by: str) -> int:
        now = datetime.now(UTC)
        with writing(self._journal) as connection:
            last = connection.execute(_LAST).first()
            if last is not None and _state(last, now) == "running":
                raise Refusal(
                    f"{last.started_by} has started a verification: wait for its end, or stop it",
                    code="not_now",
                )
            number = last.number + 1 if last is not None else 1
            connection.execute(delete(_runs).where(_runs.c.number < number - 1))
            connection.execute(delete(_found))
            counts = dict.fromkeys(("total", "entries", "rounds", "streams", "differences"), 0)
            message = {"started_by": by, "started_at": stamp(now), "beat_at": stamp(now)}
            row = {"number": number, "state": "running", "stop": False, "message": ""}
            connection.execute(insert(_runs).values(**row, **message, **counts))
        return int(number)

    def stop(self, only: str = "") -> VerificationForm:
        """Stop the verification that is running. `only`: refuse unless this person started it,
        because guests stop only their own."""
        with writing(self._journal) as connection:
            last = connection.execute(_LAST).first()
            if only and last is not None and last.started_by != only:
                raise Refusal(f"{last.started_by} has started it, and stops it", code="not_yours")
            connection.execute(update(_runs).where(_runs.c.state == "running").values(stop=True))
        return self.latest()

    def latest(self) -> VerificationForm:
        with self._journal.reader() as connection:
            row = connection.execute(_LAST).first()
        return VerificationForm("none") if row is None else _form(row)

    def differences(self, after: int, limit: int) -> DifferencesForm:
        query = select(_found).where(_found.c.place > after).order_by(_found.c.place).limit(limit)
        with self._journal.reader() as connection:
            rows = connection.execute(query).all()
        differences = tuple([Difference(row.stream, row.version, row.message) for row in rows])
        return DifferencesForm(differences, rows[-1].place if len(rows) == limit else None)

    def close(self) -> None:
        """End the process: it stops when its input closes, and is killed after 5 seconds."""
        process = self._process
        if process is None:
            return
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


TheVerifications: TypeAlias = NamedDependency[Verifications]


_LAST: Final = select(_runs).order_by(_runs.c.number.desc()).limit(1)


def _form(row: Row[Any]) -> VerificationForm:
    now = datetime.now(UTC)
    state = _state(row, now)
    end = now if state == "running" else datetime.fromisoformat(row.beat_at)
    seconds = max(0.0, (end - datetime.fromisoformat(row.started_at)).total_seconds())
    message = row.message
    if state == "failed" and not message:
        message = "the process that verified has gone: start it again"
    return VerificationForm(
        state=state,
        started_by=row.started_by,
        started_at=row.started_at,
        seconds=round(seconds, 1),
        total=row.total,
        entries=row.entries,
        percent=round(100 * row.entries / row.total, 1) if row.total else 0.0,
        entries_per_second=round(row.entries / seconds) if seconds else 0,
        streams=row.streams,
        rounds=row.rounds,
        differences=row.differences,
        message=message,
    )


def _state(row: Row[Any], now: datetime) -> str:
    silent = now - datetime.fromisoformat(row.beat_at) > timedelta(seconds=SILENT_SECONDS)
    if row.state == "whole":  # older versions did not check the signer
        return "unanchored"
    return "failed" if row.state == "running" and silent else str(row.state)


def _spawn(database: str, number: int, kept: tuple[Checkpoint, ...]) -> subprocess.Popen[bytes]:
    """Start the process. The database address goes through a pipe, because everyone could read its
    password on a command line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "croupier.web.tables.verification"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    process.stdin.write(msgspec.json.encode((database, number, kept)) + b"\n")
    process.stdin.flush()
    threading.Thread(target=process.wait, daemon=True).start()
    return process


# -- in the separate process -----------------------------------------------------------------------


class _Stopped(Exception):
    """The verification was stopped."""


class _Run:
    """One verification: the walk in this thread, its heartbeat in another."""

    def __init__(self, journal: Journal, number: int, kept: tuple[Checkpoint, ...]) -> None:
        self._journal = journal
        self._number = number
        self._kept = kept
        self._walk: Walk | None = None
        self._count = 0
        self._stop = threading.Event()
        self._done = threading.Event()

    def go(self) -> None:
        listening = threading.Thread(target=self._wait_for_end, daemon=True)
        beating = threading.Thread(target=self._beat, daemon=True)
        listening.start()
        beating.start()
        state, message = "failed", ""
        try:
            state = self._verify()
            message = self._words()
        except _Stopped:
            state = "stopped"
        except CroupierError as error:
            message = error.message
        except Exception as error:
            message = plain(repr(error), 300)
        finally:
            self._done.set()
            beating.join()
            _change(self._journal, self._number, state=state, message=message, **self._counts())

    def _verify(self) -> str:
        self._walk = walk = Walk(self._journal, self._heard, self._kept)
        batch: list[Difference] = []
        for difference in walk.differences():
            self._count += 1
            if self._count <= MOST_KEPT:
                batch.append(difference)
            if len(batch) == KEPT_AT_ONCE:
                self._keep(batch)
        self._keep(batch)
        return verdict_of(self._count, walk.gaps)

    def _words(self) -> str:
        assert self._walk is not None
        walk, said = self._walk, list[str]()
        if not self._count:
            gaps = [str(gap) for gap in walk.gaps]
            said += [f"{gap[0].upper()}{gap[1:]}." for gap in gaps]
        if walk.signed.checkpoints:
            said.append(signed_words(walk.signed))
        if self._kept and not self._count:
            count = len(self._kept)
            said.append(f"It goes on from the {count} checkpoint{'s' * (count > 1)} that you gave.")
        return " ".join(said)

    def _heard(self, _: int) -> None:
        if self._stop.is_set():
            raise _Stopped

    def _keep(self, batch: list[Difference]) -> None:
        if not batch:
            return
        with writing(self._journal) as connection:
            first = connection.execute(select(func.max(_found.c.place))).scalar() or 0
            rows = [
                {"place": place, "stream": d.stream, "version": d.version, "message": d.message}
                for place, d in enumerate(batch, first + 1)
            ]
            connection.execute(insert(_found), rows)
        batch.clear()

    def _counts(self) -> dict[str, int]:
        walk = self._walk
        if walk is None:
            return {"differences": self._count}
        counts = {"total": walk.total, "entries": walk.entries, "rounds": walk.rounds}
        return {**counts, "streams": walk.streams, "differences": self._count}

    def _beat(self) -> None:
        while not self._done.wait(BEAT_SECONDS):
            with suppress(CroupierError):
                if _change(self._journal, self._number, **self._counts()):
                    self._stop.set()

    def _wait_for_end(self) -> None:
        """Wait until the input closes, which means that the server has gone, and stop."""
        sys.stdin.buffer.read()
        self._stop.set()


def _change(journal: Journal, number: int, **values: Any) -> bool:
    """Write the progress, and return whether the run should stop."""
    mine = _runs.c.number == number
    with writing(journal) as connection:
        now = stamp(datetime.now(UTC))
        connection.execute(update(_runs).where(mine).values(beat_at=now, **values))
        return bool(connection.execute(select(_runs.c.stop).where(mine)).scalar())


def main() -> None:
    line = sys.stdin.buffer.readline()
    database, number, kept = msgspec.json.decode(line, type=tuple[str, int, tuple[Checkpoint, ...]])
    if hasattr(os, "nice"):
        os.nice(10)  # tables have priority
    with open_journal(database) as journal:
        _Run(journal, number, kept).go()
    os._exit(0)  # a thread still waits for input and would block a normal exit


if __name__ == "__main__":
    main()
