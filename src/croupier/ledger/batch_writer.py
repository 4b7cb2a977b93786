"""Batched writer for servers: concurrent writes of many tables share one transaction.

Waiting for the disk takes longer than planning a command, so more commands arrive during a commit.
They are collected and written together, and each caller returns when its write is on disk. If
anything fails, this raises, and the table writes its own entries with `Journal.add`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from abc import ABC, abstractmethod
from asyncio import Future
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from anyio import CapacityLimiter, to_thread

from croupier.errors import CroupierError
from croupier.ledger.entries import (
    Addition,
    Entry,
    Fence,
    StreamHead,
    Write,
    check_additions,
    stamp,
)
from croupier.ledger.faults import Conflict, JournalUnavailable, LeaseLost
from croupier.ledger.journal import Journal, transaction_rows
from croupier.ledger.signatures.chain import chain_rows
from croupier.ledger.signatures.macs import Macs
from croupier.ledger.stores.database import Driver, EntryRow, TransactionRows
from croupier.ledger.stores.sqlite import SQLite, insert_rows

_HAS_KEY: Final = "SELECT 1 FROM requests WHERE stream = ? AND request = ?"
_HAS_ENTRY: Final = "SELECT 1 FROM entries WHERE stream = ? AND version = ?"


class _Waiting:
    """The queued writes of one table, in order; all of them are written or none."""

    def __init__(self, writes: Sequence[Write], future: Future[None]) -> None:
        self.writes, self.future = writes, future


class _Chained(NamedTuple):
    additions: list[Addition]
    rows: list[list[EntryRow]]
    heads: dict[str, StreamHead]
    fences: set[Fence]


class BatchWriter:
    """Collects the writes of many tables into shared transactions; for use from the event loop
    only."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._writer: _Writer = (
            _SQLiteWriter(journal, journal.database)
            if isinstance(journal.database, SQLite)
            else _ServerWriter(journal)
        )
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, writes: Sequence[Write]) -> None:
        """Write these and return when they are on disk.

        Raises `Conflict` if a stream is not at the version that the writer saw, and
        `JournalUnavailable` if the database cannot be used. A caller canceled while queued has
        written nothing. A write that has begun cannot be recalled, so it is awaited first; the
        cancellation follows right after.
        """
        waiting = _Waiting(writes, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_on())
        is_canceled = False
        while not waiting.future.done():
            try:
                await asyncio.wait([waiting.future])
            except asyncio.CancelledError:
                if waiting in self._waiting:
                    self._waiting.remove(waiting)
                    raise
                is_canceled = True
        task = asyncio.current_task()
        if is_canceled and task is not None:
            task.cancel()
        waiting.future.result()

    async def close(self) -> None:
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        await self._writer.close()

    async def _write_on(self) -> None:
        await asyncio.sleep(0)  # let other writes of this moment join the batch
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await self._write_together(batch)

    async def _write_together(self, batch: list[_Waiting]) -> None:
        """Write a batch in one transaction. One conflict or lost lease fails the whole transaction;
        then each table is written alone."""
        try:
            await self._write_batch(batch)
        except (Conflict, LeaseLost) as error:
            if len(batch) == 1:
                _refuse(batch, error)
            for waiting in batch:
                if not waiting.future.done():
                    await self._write_together([waiting])
        except Exception as error:
            _refuse(batch, error)
        except BaseException:
            _refuse(batch, JournalUnavailable("the server is stopping: try again"))
            raise

    async def _write_batch(self, batch: list[_Waiting]) -> None:
        good: list[_Waiting] = []
        chains: list[_Chained] = []
        taken: set[str] = set()
        for waiting in batch:
            try:
                chained = self._chain(waiting.writes, taken)
            except CroupierError as error:
                _refuse([waiting], error)
                continue
            taken |= chained.heads.keys()
            chains.append(chained)
            good.append(waiting)
        if not good:
            return
        bad = await self._writer.put(chains, [waiting.writes for waiting in good])
        for place, (waiting, chained) in enumerate(zip(good, chains, strict=True)):
            if place in bad:
                _refuse([waiting], Conflict("another writer was first"))
                continue
            self._journal.heads |= chained.heads
            self._journal.entries_added += sum(map(len, chained.rows))
            if not waiting.future.done():
                waiting.future.set_result(None)

    def _chain(self, writes: Sequence[Write], taken: set[str]) -> _Chained:
        """Chain the writes to the known heads. `taken` holds the streams that other writes of this
        batch use (two tables may share a link)."""
        done = _Chained([], [], {}, set())
        mac_of = self._journal.macs_to_write().of_contents
        written: list[Entry] = []
        for write in writes:
            check_additions(write.additions)
            at = stamp(write.at)
            if write.fence is not None:
                done.fences.add(write.fence)
            for addition in write.additions:
                stream = addition.stream
                head = done.heads.get(stream) or self._journal.heads.get(stream)
                if head is None or head.version != addition.after or stream in taken:
                    raise Conflict(f"{stream} is not known to be at entry {addition.after}")
                rows = chain_rows(mac_of, head.hash, addition, at, written)
                done.additions.append(addition)
                done.rows.append(rows)
                done.heads[stream] = StreamHead(rows[-1][1], rows[-1][-1])
        return done


def _refuse(batch: Sequence[_Waiting], error: Exception) -> None:
    for waiting in batch:
        if not waiting.future.done():
            waiting.future.set_exception(error)


class _Writer(ABC):
    """A connection to write with. `put` returns the positions of the writes that conflict; all
    others are on disk when it returns."""

    def __init__(self, journal: Journal) -> None:
        self._database = journal.database
        self._macs = journal.macs_to_write
        self._writer: Driver = None
        self._limiter = CapacityLimiter(1)

    @abstractmethod
    async def put(self, chains: list[_Chained], batch: list[Sequence[Write]]) -> set[int]: ...

    async def close(self) -> None:
        await self._in_thread(self._discard)

    async def _in_thread(self, work: Callable[[], None]) -> None:
        await to_thread.run_sync(work, limiter=self._limiter)

    def _open(self) -> None:
        if self._writer is None:
            self._writer = self._database.open_writer()

    def _discard(self) -> None:
        """Close the connection after an error; the next write opens a new one."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(self._database.errors):
                writer.close()

    def _explained(self, error: BaseException) -> BaseException:
        """Return the error to raise; `Journal.add`, tried next, explains it to people."""
        if isinstance(error, CroupierError) or not isinstance(error, Exception):
            return error
        if isinstance(error, self._database.broken_constraint):
            return Conflict("another writer was first")
        return JournalUnavailable(f"the batch cannot be written: {error}")


class _SQLiteWriter(_Writer):
    """Writes to SQLite. Rows are inserted in the event loop, which takes microseconds; only the
    commit waits in a thread. In a thread every row would also wait for the GIL."""

    def __init__(self, journal: Journal, database: SQLite) -> None:
        super().__init__(journal)
        self._file = database

    async def put(self, chains: list[_Chained], batch: list[Sequence[Write]]) -> set[int]:
        try:
            await self._begin()
            bad = {place for place, writes in enumerate(batch) if self._is_repeated(writes)}
            good = [chained for place, chained in enumerate(chains) if place not in bad]
            work = _together(good, self._macs())
            if work is not None:
                insert_rows(self._writer, work)
            await self._in_thread(self._commit)
        except BaseException as error:
            await self._in_thread(self._discard)
            raise self._explained(error) from error
        return bad

    async def _begin(self) -> None:
        if self._writer is None:
            await self._in_thread(self._open)
        self._file.check_file()
        try:
            self._writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            await self._in_thread(self._wait_and_begin)

    def _open(self) -> None:
        super()._open()
        self._writer.execute("PRAGMA busy_timeout = 0")

    def _wait_and_begin(self) -> None:
        """Wait for the other process that is writing, then begin the transaction."""
        self._writer.execute(f"PRAGMA busy_timeout = {round(self._file.wait_seconds * 1000)}")
        self._writer.execute("BEGIN IMMEDIATE")
        self._writer.execute("PRAGMA busy_timeout = 0")

    def _commit(self) -> None:
        self._writer.execute("COMMIT")

    def _is_repeated(self, writes: Sequence[Write]) -> bool:
        return any(
            self._writer.execute(_HAS_KEY, (write.additions[0].stream, write.request)).fetchone()
            for write in writes
            if write.request
        )


class _ServerWriter(_Writer):
    """Writes to PostgreSQL in a thread, because every reply of the server has to be awaited."""

    async def put(self, chains: list[_Chained], batch: list[Sequence[Write]]) -> set[int]:
        bad: set[int] = set()
        try:
            await self._in_thread(partial(self._put, chains, batch, bad))
        except BaseException as error:
            await self._in_thread(self._discard)
            raise self._explained(error) from error
        return bad

    def _put(self, chains: list[_Chained], batch: list[Sequence[Write]], bad: set[int]) -> None:
        self._open()
        bad |= self._look(batch)
        good = [chained for place, chained in enumerate(chains) if place not in bad]
        work = _together(good, self._macs())
        if work is not None:
            self._database.write(self._writer, work)

    def _look(self, batch: list[Sequence[Write]]) -> set[int]:
        """Return the positions of the writes whose request was done before or whose version is
        taken, in one round trip."""
        answers = []
        with self._writer.pipeline():
            for place, writes in enumerate(batch):
                firsts: dict[str, int] = {}
                for write in writes:
                    for addition in write.additions:
                        firsts.setdefault(addition.stream, addition.after + 1)
                answers += [(place, self._ask(_HAS_ENTRY, first)) for first in firsts.items()]
                for write in writes:
                    if write.request:
                        values = (write.additions[0].stream, write.request)
                        answers.append((place, self._ask(_HAS_KEY, values)))
            bad = {place for place, cursor in answers if cursor.fetchone()}
        self._writer.rollback()
        return bad

    def _ask(self, query: str, values: tuple[object, ...]) -> Driver:
        return self._writer.execute(query.replace("?", "%s"), values)


def _together(chains: list[_Chained], macs: Macs) -> TransactionRows | None:
    if not chains:
        return None
    additions = [addition for chained in chains for addition in chained.additions]
    rows = [rows for chained in chains for rows in chained.rows]
    work = transaction_rows(macs, tuple(additions), rows)
    work.fences = frozenset(fence for chained in chains for fence in chained.fences)
    return work
