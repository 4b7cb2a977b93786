"""Streams walked in several processes: each opens the journal itself and gives back what it found
and what it gathered for the checks between streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

from croupier.ledger.databases import Address
from croupier.ledger.differences import Difference
from croupier.ledger.entries import StreamHead
from croupier.ledger.journal import ConsistentView, Journal, open_address
from croupier.ledger.verification.books import Award, AwardKey, Books
from croupier.ledger.verification.streams import TOLD_EVERY, walk_stream
from croupier.workers import Workers

__all__ = ["ClusterWalk", "Processes"]

BEAT_SECONDS: Final = 0.5


class _Task(NamedTuple):
    stream: str
    head: StreamHead
    indexed: int
    requested: int
    awards: dict[AwardKey, Award]


class _There(NamedTuple):
    address: Address
    task: _Task


class _Result(NamedTuple):
    stream: str
    differences: list[Difference]
    books: Books


class ClusterWalk:
    """The same by the workers of a cluster, who must reach the journal under its address: a server,
    or a file on a disk that they share."""

    def __init__(self, address: Address, workers: Workers, told: Callable[[int], None]) -> None:
        self._address, self._workers, self._told = address, workers, told
        self._walked = 0

    def walk(
        self, streams: Iterable[str], picture: ConsistentView, books: Books
    ) -> Iterator[Difference]:
        tasks = [_task(stream, picture, books) for stream in streams]
        tasks.sort(key=lambda task: -task.head.version)
        for found in self._workers.map(_walk_there, [_There(self._address, t) for t in tasks]):
            self._walked += found.books.entries
            self._told(self._walked)
            _merge(found, books)
            yield from found.differences


class Processes:
    """Use it in a `with`. Memory is that of the differences of one stream."""

    def __init__(self, address: Address, jobs: int, told: Callable[[int], None]) -> None:
        context = get_context("spawn")
        self._count = context.Value("q", 0)
        self._told = told
        self._pool = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_begin, initargs=(address, self._count)
        )

    def __enter__(self) -> Processes:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def walk(
        self, streams: Iterable[str], picture: ConsistentView, books: Books
    ) -> Iterator[Difference]:
        """The longest first; everything that differs, a stream at a time."""
        tasks = sorted(
            [_task(stream, picture, books) for stream in streams],
            key=lambda task: -task.head.version,
        )
        waiting: set[Future[_Result]] = {self._pool.submit(_walk, task) for task in tasks}
        while waiting:
            done, waiting = wait(waiting, BEAT_SECONDS, FIRST_COMPLETED)
            self._told(self._count.value)
            for one in done:
                found = one.result()
                _merge(found, books)
                yield from found.differences


def _task(stream: str, picture: ConsistentView, books: Books) -> _Task:
    kind, _, name = stream.partition(":")
    awards = {key: award for key, award in books.awards.items() if key.table == name}
    return _Task(
        stream,
        picture.heads[stream],
        picture.indexed.get(stream, 0),
        picture.requested.get(stream, 0),
        awards if kind == "table" else {},
    )


def _merge(found: _Result, books: Books) -> None:
    """What a table was paid is settled; what a link paid waits for its tables."""
    kind, _, name = found.stream.partition(":")
    if kind == "table":
        for key in [key for key in books.awards if key.table == name]:
            del books.awards[key]
    books.take(found.books)


# -- in a process of its own -----------------------------------------------------------------------

_state: dict[str, Any] = {}


def _begin(address: Address, count: Any) -> None:
    _state.update(journal=open_address(address), count=count)


def _walk(task: _Task) -> _Result:
    found = _walked(_state["journal"], task, lambda _: _count(TOLD_EVERY))
    _count(found.books.entries % TOLD_EVERY)
    return found


def _walked(journal: Journal, task: _Task, told: Callable[[int], None]) -> _Result:
    books, stream = Books(), task.stream
    books.awards = task.awards
    picture = ConsistentView(
        {stream: task.head}, {}, (), {stream: task.indexed}, {stream: task.requested}
    )

    found = list(walk_stream(journal.as_stored(), stream, picture, books, told))
    return _Result(stream, found, books)


def _count(entries: int) -> None:
    with _state["count"].get_lock():
        _state["count"].value += entries


# -- by a worker of a cluster ----------------------------------------------------------------------


def _walk_there(there: _There) -> _Result:
    journal = open_address(there.address)
    try:
        return _walked(journal, there.task, lambda _: None)
    finally:
        journal.close()
