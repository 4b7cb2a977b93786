"""Is the journal what happened? Every chain walked, every round played again, every cent counted.

Each entry must be what the rules give for the state before it: cards from the sealed deck in the
order of dealing, settlements, transfers, chapters, snapshots and balances are all worked out anew.
One pass over each stream, in flat memory. What comes back is the first difference of each stream.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from croupier import progressives
from croupier.errors import CroupierError, plain
from croupier.ledger.accounts import changes
from croupier.ledger.chain import GENESIS, ChainBroken, check_chain
from croupier.ledger.chapters import Pointer, chapter_of, ledger_transfers, record_of
from croupier.ledger.entries import (
    Chapter,
    Entry,
    Head,
    Snapshot,
    Transfer,
    fingerprint,
    seconds,
)
from croupier.ledger.faults import StoreUnavailable
from croupier.ledger.store import Picture, Store
from croupier.money import dollars
from croupier.progressives import Link
from croupier.randomness.shuffling import opens
from croupier.rounds.events import BettingOpened, ProgressivePaid
from croupier.rounds.records import from_json, to_json
from croupier.runtime.recall import finished_round
from croupier.runtime.retracing import actor_of, command_behind, link_command_behind, opening_of
from croupier.tables.deciding import check_correction, decide, open_table
from croupier.tables.events import Corrected, TableEvent, TableOpened, ends_round
from croupier.tables.evolving import evolve
from croupier.tables.state import Table

__all__ = ["Difference", "Verification", "verify"]


class Difference(msgspec.Struct, frozen=True):
    """Where the journal and the rules part for the first time in a stream."""

    stream: str
    version: int
    message: str


class Verification(msgspec.Struct, frozen=True):
    streams: int
    entries: int
    rounds: int
    differences: tuple[Difference, ...]

    @property
    def valid(self) -> bool:
        return not self.differences


class _Found(Exception):
    """Something does not agree at the entry at hand."""


class _AwardKey(NamedTuple):
    table: str
    round: int
    seat: int


class _Books:
    """What one walk over the journal gathers for the checks between streams."""

    def __init__(self) -> None:
        self.balances: dict[str, int] = {}
        self.awards: dict[_AwardKey, int] = {}
        self.corrected: dict[str, list[Pointer]] = {}
        self.pointed: dict[str, list[Pointer]] = {}
        self.entries = 0
        self.rounds = 0


def verify(store: Store, told: Callable[[int], None] = lambda _: None) -> Verification:
    """Walk the whole journal as it stands now. `told` hears how many entries have been walked."""
    picture = store.picture()
    books = _Books()
    differences: list[Difference] = []
    # Links first: what a meter paid is looked up when the table that paid it out is walked.
    for stream in sorted(picture.heads, key=lambda name: (not name.startswith("link:"), name)):
        found = _walk(store, stream, picture, books, told)
        if found is not None:
            differences.append(found)
    differences += _mentioned(picture)
    if not differences:
        differences += _unpaid(books)
        differences += _unindexed(books)
        differences += _balances(picture, books)
    return Verification(len(picture.heads), books.entries, books.rounds, tuple(differences))


def _walk(
    store: Store, stream: str, picture: Picture, books: _Books, told: Callable[[int], None]
) -> Difference | None:
    replay = _replay(store, stream, books, picture.indexed.get(stream, 0))
    head = picture.heads[stream]
    version = 0
    last = Head(0, GENESIS)
    try:
        for entry in store.read(stream, up_to=head.version):
            version = entry.version
            last = check_chain([entry], last)
            changes(entry.transfers, books.balances)
            books.entries += 1
            if books.entries % 1000 == 0:
                told(books.entries)
            replay.entry(entry)
        if last != head:
            raise ChainBroken(stream, last.version + 1, "it is missing: the stream ends before")
        replay.end()
    except ChainBroken as error:
        return Difference(stream, error.version, error.what)
    except _Found as error:
        return Difference(stream, version, str(error))
    except StoreUnavailable as error:
        found = _first_unreadable(store, stream, version, head)
        if found is None:
            raise
        return Difference(stream, found, f"it cannot be read: {error.message}")
    except CroupierError as error:
        clause = f" [{error.clause}]" if error.clause else ""
        message = f"the rules refuse what is written here: {error.message}{clause}"
        return Difference(stream, version, message)
    return None


def _first_unreadable(store: Store, stream: str, after: int, head: Head) -> int | None:
    """Where the database itself stumbles; nothing if it is simply not there any more."""
    store.streams(stream)
    for version in range(after + 1, head.version + 1):
        try:
            list(store.read(stream, after=version - 1, up_to=version))
        except StoreUnavailable:
            return version
    return None


class _Replay:
    """A stream whose entries are only chained, such as that of refused attempts."""

    def entry(self, entry: Entry) -> None:
        pass

    def end(self) -> None:
        pass


def _replay(store: Store, stream: str, books: _Books, indexed: int) -> _Replay:
    if stream.startswith("table:"):
        return _TableReplay(store, stream, books, indexed)
    if stream.startswith("corrections:"):
        return _CorrectionsReplay(stream, books)
    return _LinkReplay(store, stream, books) if stream.startswith("link:") else _Replay()


def _same(what: str, written: object, expected: object) -> None:
    if written != expected:
        raise _Found(f"{what}: {_told(written)} is written, but the rules give {_told(expected)}")


def _told(value: object) -> str:
    return plain(to_json(value).decode(), 400)


class _TableReplay(_Replay):
    def __init__(self, store: Store, stream: str, books: _Books, indexed: int) -> None:
        self._books = books
        self._store = store
        self._stream = stream
        self._indexed = indexed
        self._table: Table | None = None
        self._due: deque[TableEvent] = deque()
        self._began = ""
        self._chapters = store.chapters(stream, newest_first=False)
        self._snapshot = store.snapshot(stream)

    def entry(self, entry: Entry) -> None:
        record = record_of(entry)
        event = record.event
        _same("the text", entry.body.decode(), to_json(record).decode())
        _same("the kind", entry.kind, type(event).__struct_config__.tag)
        _same("the event", event, self._expected(event, record.by, seconds(entry.at)))
        if isinstance(event, BettingOpened):
            self._began = entry.at
            _check_seal(event)
        self._table, moves = evolve(self._table, event)
        _same("the transfers", entry.transfers, ledger_transfers(self._table.id, moves))
        if ends_round(event):
            self._end_round(self._table, entry)
        if isinstance(event, Corrected):
            self._corrects(self._table, event, entry.version)
        _check_snapshot(self._snapshot, entry.version, lambda: to_json(self._table))

    def _expected(self, event: TableEvent, by: str, at: int) -> TableEvent:
        """What the rules give here: the rest of the last command's events, or a new command's."""
        if not self._due:
            actor = actor_of(by)
            command = command_behind(event, self._table)
            if self._table is None or isinstance(event, TableOpened):
                self._due.extend(open_table(command, actor, self._table))
            else:
                meters = self._reading(event)
                self._due.extend(decide(self._table, command, actor, meters, at=at))
        return self._due.popleft()

    def _reading(self, event: TableEvent) -> dict[str, int]:
        """What the meter must have shown for the award that the link's journal knows of."""
        table = self._table
        if not isinstance(event, ProgressivePaid) or not event.line.from_meter or table is None:
            return {}
        claim = table.round.claim
        paid = self._books.awards.pop(_AwardKey(table.id, table.round.number, event.seat), None)
        if paid is None or claim is None:
            raise _Found(f"seat {event.seat} was paid from a meter that paid nothing to it")
        return {claim.meter: -(-paid * 100 // claim.percent)}

    def _corrects(self, table: Table, event: Corrected, version: int) -> None:
        if event.round != table.round.number:
            check_correction(finished_round(self._store, table.id, event.round), event)
        pointers = self._books.corrected.setdefault(table.id, [])
        pointers.append(Pointer(event.round, version))

    def _end_round(self, table: Table, entry: Entry) -> None:
        self._books.rounds += 1
        expected = chapter_of(
            table.id, table.round, table.began, entry.version, self._began, entry.at
        )
        found: Chapter | None = next(self._chapters, None)
        _same(f"the index of round {table.round.number}", found, expected)
        for mark in expected.marks:
            self._indexed -= fingerprint(expected.number, mark.name, mark.value)

    def end(self) -> None:
        if self._due:
            raise _Found(f"the journal ends before {_told(self._due[0])}")
        if self._indexed:
            self._tell_where_the_index_differs()

    def _tell_where_the_index_differs(self) -> None:
        """Between what rounds are recalled by and what they were."""
        marked = self._store.marked(self._stream)
        for chapter in self._store.chapters(self._stream, newest_first=False):
            found = marked.pop(chapter.number, set())
            odd = sorted(found ^ set(chapter.marks), key=lambda mark: (mark.name, mark.value))
            if odd:
                what = plain(f"{odd[0].name} {odd[0].value}", 100)
                how = "which it was not" if odd[0] in found else "as it should"
                verb = "is" if odd[0] in found else "is not"
                raise _Found(f"round {chapter.number} {verb} recalled by {what}, {how}")
        number = min(marked, default=0)
        raise _Found(f"the index speaks of round {number}, which was not played")


def _check_seal(event: BettingOpened) -> None:
    if event.commitment and not opens(event.commitment, event.salt, event.deck):
        raise _Found("the deck is not the one that the commitment was made for")


def _check_snapshot(snapshot: Snapshot | None, version: int, state: Callable[[], bytes]) -> None:
    if snapshot is not None and snapshot.version == version and snapshot.body != state():
        raise _Found("the snapshot kept for this entry is not the state after it")


class _CorrectionsReplay(_Replay):
    def __init__(self, stream: str, books: _Books) -> None:
        self._pointed = books.pointed.setdefault(stream.removeprefix("corrections:"), [])

    def entry(self, entry: Entry) -> None:
        self._pointed.append(from_json(entry.body, Pointer))


class _LinkReplay(_Replay):
    def __init__(self, store: Store, stream: str, books: _Books) -> None:
        self._books = books
        self._link: Link | None = None
        self._due: deque[progressives.Event] = deque()
        self._opened: progressives.LinkOpened | None = None
        self._snapshot = store.snapshot(stream)

    def entry(self, entry: Entry) -> None:
        event: progressives.Event = from_json(entry.body, progressives.Event)
        _same("the kind", entry.kind, type(event).__struct_config__.tag)
        if not isinstance(event, progressives.LinkOpened):
            _same("the event", event, self._expected(event))
        before = self._link
        after = self._link = progressives.evolve(before, event)
        made = tuple([Transfer(*move) for move in progressives.transfers(before, after, event)])
        _same("the transfers", entry.transfers, made)
        if isinstance(event, progressives.Awarded):
            self._books.awards[_AwardKey(event.table, event.round, event.seat)] = event.cents
        _check_snapshot(self._snapshot, entry.version, lambda: progressives.to_json(after))
        self._opened = event if isinstance(event, progressives.LinkOpened) else None

    def _expected(self, event: progressives.Event) -> progressives.Event:
        if self._opened is not None and isinstance(event, progressives.TableJoined):
            opened, joined = progressives.decide(None, opening_of(self._opened, event))
            _same("the event before", self._opened, opened)
            return joined
        if not self._due:
            self._due.extend(progressives.decide(self._link, link_command_behind(event)))
        return self._due.popleft()

    def end(self) -> None:
        if self._due:
            raise _Found(f"the journal ends before {_told(self._due[0])}")


def _mentioned(picture: Picture) -> Iterator[Difference]:
    """A stream cut off at its end is known by the records that speak of what is missing."""
    for stream, version, source in picture.mentioned:
        head = picture.heads.get(stream)
        reached = head.version if head is not None else 0
        if version > reached:
            message = f"it is missing: {source} of the stream speak of entry {version}"
            yield Difference(stream, reached + 1, message)


def _unpaid(books: _Books) -> Iterator[Difference]:
    for key, cents in books.awards.items():
        message = f"round {key.round}, seat {key.seat}: a meter paid {dollars(cents)}"
        yield Difference(f"table:{key.table}", 0, f"{message} that no player received")


def _unindexed(books: _Books) -> Iterator[Difference]:
    for table in sorted(books.corrected.keys() | books.pointed.keys()):
        if books.corrected.get(table, []) != books.pointed.get(table, []):
            message = "the corrections listed are not those that the table's journal has"
            yield Difference(f"corrections:{table}", 0, message)


def _balances(picture: Picture, books: _Books) -> Iterator[Difference]:
    for account in sorted(books.balances.keys() | picture.balances.keys()):
        stored, computed = picture.balances.get(account, 0), books.balances.get(account, 0)
        if stored != computed:
            message = (
                f"the balance of {plain(account, 200)} is stored as {dollars(stored)}, but the "
                f"transfers give {dollars(computed)}"
            )
            yield Difference("balances", 0, message)
