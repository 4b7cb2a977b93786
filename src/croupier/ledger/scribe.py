"""Many tables, one disk: what they have to write at the same moment is one transaction.

Waiting for the disk takes longer than working a command out, and while a commit is on its way
further ones come in. Here they wait together, and everybody is told when the disk has his. It is a
short cut: whatever does not go smoothly raises, and its table goes the long way, by its own house.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from abc import ABC, abstractmethod
from asyncio import Future
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple

from anyio import CapacityLimiter, to_thread

from croupier.errors import CroupierError
from croupier.ledger.databases import Driver, EventRow, Work
from croupier.ledger.entries import Addition, Entry, Head, check_additions, stamp
from croupier.ledger.faults import Conflict, StoreUnavailable
from croupier.ledger.schema import WRITES
from croupier.ledger.sqlite import SQLite
from croupier.ledger.store import Store, chain_rows, work_of

__all__ = ["Page", "Scribe"]

_HAS_KEY: Final = "SELECT 1 FROM requests WHERE stream = ? AND request >= ? AND request < ?"
_HAS_ENTRY: Final = "SELECT 1 FROM events WHERE stream = ? AND version = ?"


class Line(NamedTuple):
    """What one command writes. Where a key beginning with `key` is in the journal, the request was
    made before, and the line does not hold."""

    additions: tuple[Addition, ...]
    at: datetime
    key: str = ""


class Page(NamedTuple):
    """What one table writes, in order: all of it or nothing."""

    lines: Sequence[Line]


class _Waiting(NamedTuple):
    page: Page
    future: Future[None]


class _Chained(NamedTuple):
    additions: list[Addition]
    rows: list[list[EventRow]]
    heads: dict[str, Head]


class Scribe:
    """Belongs to the event loop. One page waits in `write` until it is on the disk."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pen: _Pen = (
            _SQLitePen(store, store._database)
            if isinstance(store._database, SQLite)
            else _ServerPen(store)
        )
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def write(self, page: Page) -> None:
        """Raises `Conflict` or `StoreUnavailable` where it is not as the writer believed."""
        future: Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(page, future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_on())
        await future

    async def close(self) -> None:
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        await self._pen.close()

    async def _write_on(self) -> None:
        await asyncio.sleep(0)  # whoever is ready in this moment comes along
        while self._waiting:
            batch, self._waiting = self._waiting, []
            await self._write_together(batch)

    async def _write_together(self, batch: list[_Waiting]) -> None:
        """One foreign row spoils a transaction: then everybody writes for himself."""
        try:
            await self._write_pages(batch)
        except Conflict as error:
            if len(batch) == 1:
                _refuse(batch, error)
            for one in batch:
                if not one.future.done():
                    await self._write_together([one])
        except Exception as error:
            _refuse(batch, error)
        except BaseException:
            _refuse(batch, StoreUnavailable("the server stops: the same can be tried again"))
            raise

    async def _write_pages(self, batch: list[_Waiting]) -> None:
        good: list[_Waiting] = []
        chains: list[_Chained] = []
        taken: set[str] = set()
        for one in batch:
            try:
                chained = self._chain(one.page, taken)
            except CroupierError as error:
                _refuse([one], error)
                continue
            taken |= chained.heads.keys()
            chains.append(chained)
            good.append(one)
        if not good:
            return
        bad = await self._pen.put_down(chains, [one.page for one in good])
        for place, (one, chained) in enumerate(zip(good, chains, strict=True)):
            if place in bad:
                _refuse([one], Conflict("somebody else was first"))
                continue
            self._store._heads |= chained.heads
            if not one.future.done():
                one.future.set_result(None)

    def _chain(self, page: Page, taken: set[str]) -> _Chained:
        """`taken` are streams that others write to in the same breath: two tables on one link."""
        done = _Chained([], [], {})
        written: list[Entry] = []
        for line in page.lines:
            check_additions(line.additions)
            at = stamp(line.at)
            for addition in line.additions:
                stream = addition.stream
                head = done.heads.get(stream) or self._store._heads.get(stream)
                if head is None or head.version != addition.after or stream in taken:
                    raise Conflict(f"{stream} is not known to be at entry {addition.after}")
                rows = chain_rows(head.hash, addition, at, written)
                done.additions.append(addition)
                done.rows.append(rows)
                done.heads[stream] = Head(rows[-1][1], rows[-1][-1])
        return done


def _refuse(batch: Sequence[_Waiting], error: Exception) -> None:
    for one in batch:
        if not one.future.done():
            one.future.set_exception(error)


class _Pen(ABC):
    """A connection to write with. Gives the places of the pages that do not hold; the others are
    on the disk when it returns."""

    def __init__(self, store: Store) -> None:
        self._database = store._database
        self._writer: Driver = None
        self._limiter = CapacityLimiter(1)

    @abstractmethod
    async def put_down(self, chains: list[_Chained], pages: list[Page]) -> set[int]: ...

    async def close(self) -> None:
        await self._in_thread(self._discard)

    async def _in_thread(self, work: Callable[[], None]) -> None:
        await to_thread.run_sync(work, limiter=self._limiter)

    def _open(self) -> None:
        if self._writer is None:
            self._writer = self._database.open_writer()

    def _discard(self) -> None:
        """After trouble the next page opens a new connection: the old one's state cannot matter."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(self._database.errors):
                writer.close()

    def _explained(self, error: BaseException) -> BaseException:
        """The long way finds out what it was, and says it to people."""
        if isinstance(error, CroupierError) or not isinstance(error, Exception):
            return error
        if isinstance(error, self._database.broken_constraint):
            return Conflict("somebody else was first")
        return StoreUnavailable(f"the journal cannot be written together: {error}")


class _SQLitePen(_Pen):
    """Rows are put down here and now, which takes microseconds; a thread waits for the disk. In a
    thread every row would wait for its turn with the interpreter as well."""

    def __init__(self, store: Store, database: SQLite) -> None:
        super().__init__(store)
        self._file = database

    async def put_down(self, chains: list[_Chained], pages: list[Page]) -> set[int]:
        try:
            await self._begin()
            bad = {place for place, page in enumerate(pages) if self._is_repeated(page)}
            work = _together([one for place, one in enumerate(chains) if place not in bad])
            if work is not None:
                for statement, rows in zip(WRITES, work.rows(), strict=True):
                    if rows:
                        self._writer.executemany(statement, rows)
            await self._in_thread(self._commit)
        except BaseException as error:
            await self._in_thread(self._discard)
            raise self._explained(error) from error
        return bad

    async def _begin(self) -> None:
        if self._writer is None:
            await self._in_thread(self._open)
        if time.monotonic() > self._file._look_again:
            self._file._check_file()
        try:
            self._writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            await self._in_thread(self._wait_and_begin)

    def _open(self) -> None:
        super()._open()
        self._writer.execute("PRAGMA busy_timeout = 0")

    def _wait_and_begin(self) -> None:
        """Somebody else writes just now."""
        self._writer.execute(f"PRAGMA busy_timeout = {round(self._file.wait_seconds * 1000)}")
        self._writer.execute("BEGIN IMMEDIATE")
        self._writer.execute("PRAGMA busy_timeout = 0")

    def _commit(self) -> None:
        self._writer.execute("COMMIT")

    def _is_repeated(self, page: Page) -> bool:
        return any(
            self._writer.execute(
                _HAS_KEY, (line.additions[0].stream, line.key, line.key + "g")
            ).fetchone()
            for line in page.lines
            if line.key
        )


class _ServerPen(_Pen):
    """Everything in a thread: each answer of the server's is waited for."""

    async def put_down(self, chains: list[_Chained], pages: list[Page]) -> set[int]:
        bad: set[int] = set()
        try:
            await self._in_thread(partial(self._put_down, chains, pages, bad))
        except BaseException as error:
            await self._in_thread(self._discard)
            raise self._explained(error) from error
        return bad

    def _put_down(self, chains: list[_Chained], pages: list[Page], bad: set[int]) -> None:
        self._open()
        bad |= self._look(pages)
        work = _together([one for place, one in enumerate(chains) if place not in bad])
        if work is not None:
            self._database.write(self._writer, work)

    def _look(self, pages: list[Page]) -> set[int]:
        """All questions in one go: was it asked before, and is the next version still free?"""
        asked = []
        with self._writer.pipeline():
            for place, page in enumerate(pages):
                firsts: dict[str, int] = {}
                for line in page.lines:
                    for addition in line.additions:
                        firsts.setdefault(addition.stream, addition.after + 1)
                asked += [(place, self._ask(_HAS_ENTRY, first)) for first in firsts.items()]
                for line in page.lines:
                    if line.key:
                        told = (line.additions[0].stream, line.key, line.key + "g")
                        asked.append((place, self._ask(_HAS_KEY, told)))
            bad = {place for place, cursor in asked if cursor.fetchone()}
        self._writer.rollback()
        return bad

    def _ask(self, query: str, told: tuple[object, ...]) -> Driver:
        return self._writer.execute(query.replace("?", "%s"), told)


def _together(chains: list[_Chained]) -> Work | None:
    if not chains:
        return None
    additions = [one for chained in chains for one in chained.additions]
    return work_of(tuple(additions), [rows for chained in chains for rows in chained.rows])
