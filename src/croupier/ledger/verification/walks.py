"""Walks over streams: in this process one stream at a time, in several processes, or on a
cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any, Final, NamedTuple

from croupier.errors import plain
from croupier.ledger.differences import Difference
from croupier.ledger.entries import (
    Entry,
    StreamHead,
    add_transfers,
)
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import ConsistentView, Journal, open_address
from croupier.ledger.records.cashier_entries import account_stream
from croupier.ledger.rules_texts import RULES
from croupier.ledger.signatures.chain import GENESIS, ChainBroken, contents_of, hash_after
from croupier.ledger.signatures.macs import same_mac
from croupier.ledger.stores.database import Address
from croupier.ledger.verification.comparing import Award, AwardKey, Books
from croupier.ledger.verification.replays import (
    AccountReplay,
    AttemptsReplay,
    CorrectionsReplay,
    LinkReplay,
    Replay,
    RulesReplay,
)
from croupier.ledger.verification.table_replay import TableReplay
from croupier.workers import Workers

TOLD_EVERY: Final = 1000
_FORGED: Final = "its MAC is wrong: nothing that has the key of this machine wrote it"


def walk_stream(
    journal: Journal,
    stream: str,
    picture: ConsistentView,
    books: Books,
    progress: Callable[[int], None],
) -> Iterator[Difference]:
    """Yield every difference in a stream."""
    replay = _replay(journal, stream, picture, books)
    head, links, macs = picture.heads[stream], _Chain(), journal.macs.to_check()
    for entry in _entries(journal, stream, head):
        if isinstance(entry, Difference):
            links.lose(entry.version)
            replay.miss()
            yield entry
            continue
        text = contents_of(entry)
        broken = list(links.differ(entry, text))
        for message in broken:
            yield Difference(stream, links.missing or entry.version, message)
        if links.missing:
            replay.miss()
        if macs is None:
            books.unchecked += 1
        elif not (broken or same_mac(macs.of_contents(entry.hash, text), entry.mac)):
            yield Difference(stream, entry.version, _FORGED)
        add_transfers(entry.transfers, books.balances)
        books.entries += 1
        if books.entries % TOLD_EVERY == 0:
            progress(books.entries)
        for message in replay.differs(entry):
            yield Difference(stream, entry.version, message)
    if links.version < head.version:
        yield Difference(stream, links.version + 1, "it is missing: the stream ends before")
    for message in replay.ended():
        yield Difference(stream, links.version, message)


def _replay(journal: Journal, stream: str, picture: ConsistentView, books: Books) -> Replay:
    if stream.startswith("table:"):
        return TableReplay(journal, stream, picture, books)
    if stream.startswith("corrections:"):
        return CorrectionsReplay(stream, books)
    if stream.startswith("attempts:"):
        return AttemptsReplay(journal, stream, books)
    if stream.startswith("link:"):
        return LinkReplay(journal, stream, picture, books)
    if stream.startswith(account_stream("")):
        return AccountReplay(journal, stream, picture, books)
    return RulesReplay() if stream == RULES else Replay()


def _entries(journal: Journal, stream: str, head: StreamHead) -> Iterator[Entry | Difference]:
    """Yield the entries of a stream. An unreadable entry becomes a difference, and the next one is
    tried."""
    after = 0
    while after < head.version:
        try:
            for entry in journal.read(stream, after, head.version):
                yield entry
                after = entry.version
            return
        except ChainBroken as error:
            after = max(after + 1, error.version)
            yield Difference(stream, after, error.message_alone)
        except JournalUnavailable as error:
            bad = _first_unreadable(journal, stream, after, head)
            if bad is None:
                raise
            after = bad
            yield Difference(stream, after, f"it cannot be read: {error.message}")


class _Chain:
    """The chain of a stream, followed past a broken entry: the next entry may follow from the
    stored hash or from the correct one."""

    def __init__(self) -> None:
        self.version = 0
        self.missing = 0
        """The first missing entry, if the last entry read came too early; else 0."""
        self._hashes = {GENESIS}

    def lose(self, version: int) -> None:
        """Note that an entry cannot be read: the next one is accepted whatever its hash."""
        self.version, self._hashes = version, set()

    def differ(self, entry: Entry, text: bytes) -> Iterator[str]:
        """Yield what is wrong with the entry's place and hash; `text` is the text that its hash
        covers."""
        expected, self.version = self.version + 1, entry.version
        self.missing = expected if entry.version != expected else 0
        hashes = {hash_after(previous, text) for previous in self._hashes}
        if self.missing:
            yield f"it is missing: entry {entry.version} of {plain(entry.stream)} comes instead"
            self._hashes = {entry.hash}
        elif not hashes or entry.hash in hashes or entry.is_pruned:
            self._hashes = {entry.hash}
        else:
            yield f"its hash is {plain(entry.hash, 64)}, but its contents give {min(hashes)}"
            self._hashes = hashes | {entry.hash}


def _first_unreadable(journal: Journal, stream: str, after: int, head: StreamHead) -> int | None:
    """Return the first entry at which the database itself fails, or None if there is none; raises
    if the database cannot be reached at all."""
    journal.streams(stream)
    for version in range(after + 1, head.version + 1):
        try:
            list(journal.read(stream, after=version - 1, up_to=version))
        except JournalUnavailable:
            return version
    return None


# -- several processes -----------------------------------------------------------------------------

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
    """Walks streams on the workers of a cluster, who must reach the journal under its address: a
    server, or a file on a disk that they share."""

    def __init__(self, address: Address, workers: Workers, progress: Callable[[int], None]) -> None:
        self._address, self._workers, self._told = address, workers, progress
        self._walked = 0

    def walk(
        self, streams: Iterable[str], picture: ConsistentView, books: Books
    ) -> Iterator[Difference]:
        tasks = [_task(stream, picture, books) for stream in streams]
        tasks.sort(key=lambda task: -task.head.version)
        for result in self._workers.map(_walk_there, [_There(self._address, t) for t in tasks]):
            self._walked += result.books.entries
            self._told(self._walked)
            _merge(result, books)
            yield from result.differences


class Processes:
    """Walks streams in several processes; use it in a `with` statement. Memory is that of the
    differences of one stream."""

    def __init__(self, address: Address, jobs: int, progress: Callable[[int], None]) -> None:
        context = get_context("spawn")
        self._count = context.Value("q", 0)
        self._told = progress
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
        """Walk the longest streams first; yield every difference, a stream at a time."""
        tasks = sorted(
            [_task(stream, picture, books) for stream in streams],
            key=lambda task: -task.head.version,
        )
        waiting: set[Future[_Result]] = {self._pool.submit(_walk, task) for task in tasks}
        while waiting:
            done, waiting = wait(waiting, BEAT_SECONDS, FIRST_COMPLETED)
            self._told(self._count.value)
            for future in done:
                result = future.result()
                _merge(result, books)
                yield from result.differences


def _task(stream: str, picture: ConsistentView, books: Books) -> _Task:
    stream_kind, _, name = stream.partition(":")
    awards = {key: award for key, award in books.awards.items() if key.table == name}
    return _Task(
        stream,
        picture.heads[stream],
        picture.indexed.get(stream, 0),
        picture.requested.get(stream, 0),
        awards if stream_kind == "table" else {},
    )


def _merge(result: _Result, books: Books) -> None:
    """Add a stream's result to the books. After a table, its awards are settled; after a link, its
    awards wait for their tables."""
    item_kind, _, name = result.stream.partition(":")
    if item_kind == "table":
        for key in [key for key in books.awards if key.table == name]:
            del books.awards[key]
    books.take(result.books)


# -- in a worker process ---------------------------------------------------------------------------

_state: dict[str, Any] = {}


def _begin(address: Address, count: Any) -> None:
    _state.update(journal=open_address(address), count=count)


def _walk(task: _Task) -> _Result:
    result = _walked(_state["journal"], task, lambda _: _count(TOLD_EVERY))
    _count(result.books.entries % TOLD_EVERY)
    return result


def _walked(journal: Journal, task: _Task, progress: Callable[[int], None]) -> _Result:
    books, stream = Books(), task.stream
    books.awards = task.awards
    picture = ConsistentView(
        {stream: task.head}, {}, (), {stream: task.indexed}, {stream: task.requested}
    )

    differences = list(walk_stream(journal.as_stored(), stream, picture, books, progress))
    return _Result(stream, differences, books)


def _count(entries: int) -> None:
    with _state["count"].get_lock():
        _state["count"].value += entries


# -- on a worker of a cluster ----------------------------------------------------------------------


def _walk_there(there: _There) -> _Result:
    journal = open_address(there.address)
    try:
        return _walked(journal, there.task, lambda _: None)
    finally:
        journal.close()
