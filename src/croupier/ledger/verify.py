"""Is the journal what happened? Every chain walked, every command given again, every cent counted.

Each entry must be what the rules give for its command and the state before it: events, settlements,
transfers, chapters, snapshots and balances are all worked out anew and compared byte for byte. One
pass over each stream, in flat memory. Everything that differs comes back: after a difference the
walk goes on from what is written, so that one does not hide another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from croupier import progressives
from croupier.errors import CroupierError, plain
from croupier.ledger.accounts import add_transfers
from croupier.ledger.chain import GENESIS, ChainBroken, check_chain
from croupier.ledger.entries import (
    Chapter,
    Entry,
    Mark,
    Snapshot,
    StreamHead,
    Transfer,
    fingerprint,
    seconds,
)
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import ConsistentView, Journal
from croupier.ledger.past_rounds import finished_round
from croupier.ledger.table_entries import (
    Pointer,
    TableRecord,
    chapter_of,
    ledger_transfers,
    link_record,
    table_record,
)
from croupier.money import dollars
from croupier.progressives import Link
from croupier.randomness.shuffling import matches_seal
from croupier.rounds.declaration import tag_of
from croupier.rounds.events import OpenBetting, ProgressivePaid
from croupier.rounds.records import from_json, to_json
from croupier.tables.commands import OpenTable
from croupier.tables.deciding import check_correction, decide, open_table
from croupier.tables.events import Corrected, TableEvent, ends_round
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.state import Table

__all__ = ["Difference", "Verification", "verify"]


class Difference(msgspec.Struct, frozen=True):
    """Where the journal and the rules part."""

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


class _AwardKey(NamedTuple):
    table: str
    round: int
    seat: int


class _Award(NamedTuple):
    cents: int
    reading: int


class _Books:
    """What one walk over the journal gathers for the checks between streams."""

    def __init__(self) -> None:
        self.balances: dict[str, int] = {}
        self.awards: dict[_AwardKey, _Award] = {}
        self.corrected: dict[str, list[Pointer]] = {}
        self.pointed: dict[str, list[Pointer]] = {}
        self.entries = 0
        self.rounds = 0


def verify(journal: Journal, told: Callable[[int], None] = lambda _: None) -> Verification:
    """Walk the whole journal as it stands now. `told` hears how many entries have been walked."""
    picture = journal.consistent_view()
    books = _Books()
    differences: list[Difference] = []
    # Links first: what a meter paid is looked up when the table that paid it out is walked.
    for stream in sorted(picture.heads, key=lambda name: (not name.startswith("link:"), name)):
        differences += _walk(journal, stream, picture, books, told)
    differences += _mentioned(picture)
    differences += _unpaid(books)
    differences += _unindexed(books)
    differences += _balances(picture, books)
    return Verification(len(picture.heads), books.entries, books.rounds, tuple(differences))


def _walk(
    journal: Journal,
    stream: str,
    picture: ConsistentView,
    books: _Books,
    told: Callable[[int], None],
) -> Iterator[Difference]:
    """Everything that differs in a stream."""
    replay = _replay(journal, stream, books, picture.indexed.get(stream, 0))
    head, last = picture.heads[stream], StreamHead(0, GENESIS)
    entries = journal.read(stream, up_to=head.version)
    while True:
        try:
            entry = next(entries, None)
        except ChainBroken as error:
            yield Difference(stream, error.version, error.what)
            return
        except JournalUnavailable as error:
            found = _first_unreadable(journal, stream, last.version, head)
            if found is None:
                raise
            yield Difference(stream, found, f"it cannot be read: {error.message}")
            return
        if entry is None:
            break
        try:
            check_chain([entry], last)
        except ChainBroken as error:
            yield Difference(stream, error.version, error.what)
        last = StreamHead(entry.version, entry.hash)
        add_transfers(entry.transfers, books.balances)
        books.entries += 1
        if books.entries % 1000 == 0:
            told(books.entries)
        for message in replay.differs(entry):
            yield Difference(stream, entry.version, message)
    if last != head:
        message = "it is missing: the stream ends before"
        yield Difference(stream, last.version + 1, message)
    for message in replay.ended():
        yield Difference(stream, last.version, message)


def _first_unreadable(journal: Journal, stream: str, after: int, head: StreamHead) -> int | None:
    """Where the database itself stumbles; nothing if it is simply not there any more."""
    journal.streams(stream)
    for version in range(after + 1, head.version + 1):
        try:
            list(journal.read(stream, after=version - 1, up_to=version))
        except JournalUnavailable:
            return version
    return None


class _Replay:
    """A stream whose entries are only chained, such as that of refused attempts."""

    _is_lost = False
    """An entry could not be played: what follows has nothing to stand on."""

    def differs(self, entry: Entry) -> Iterator[str]:
        """What is wrong with the entry."""
        if self._is_lost:
            return
        try:
            yield from self._compare(entry)
        except CroupierError as error:
            clause = f" [{error.clause}]" if error.clause else ""
            self._is_lost = True
            yield f"the rules refuse what is written here: {error.message}{clause}"
        except Exception as error:
            self._is_lost = True
            yield f"what is written here cannot have happened ({plain(repr(error), 200)})"

    def _compare(self, entry: Entry) -> Iterator[str]:  # noqa: ARG002
        yield from ()

    def ended(self) -> Iterator[str]:
        yield from ()


def _replay(journal: Journal, stream: str, books: _Books, indexed: int) -> _Replay:
    if stream.startswith("table:"):
        return _TableReplay(journal, stream, books, indexed)
    if stream.startswith("corrections:"):
        return _CorrectionsReplay(stream, books)
    return _LinkReplay(journal, stream, books) if stream.startswith("link:") else _Replay()


def _same(what: str, written: object, expected: object) -> Iterator[str]:
    if written != expected:
        yield f"{what}: {_told(written)} is written, but the rules give {_told(expected)}"


def _told(value: object) -> str:
    return plain(to_json(value).decode(), 400)


def _award_key(event: ProgressivePaid, table: Table) -> _AwardKey:
    return _AwardKey(table.id, table.round.number, event.seat)


class _TableReplay(_Replay):
    def __init__(self, journal: Journal, stream: str, books: _Books, indexed: int) -> None:
        self._books = books
        self._journal = journal
        self._stream = stream
        self._indexed = indexed
        self._table: Table | None = None
        self._began = ""
        self._chapters = journal.chapters(stream, newest_first=False)
        self._snapshot = journal.snapshot(stream)

    def _compare(self, entry: Entry) -> Iterator[str]:
        record = table_record(entry)
        written = replace(record, command=record.command.outside())
        yield from _same("the text", entry.body.decode(), to_json(written).decode())
        yield from _same("the kind", entry.kind, tag_of(record.command))
        yield from self._decided(record, seconds(entry.at))
        table = next_entry(self._table)
        moves = []
        reading: dict[str, int] = {}
        for event in record.events:
            if isinstance(event, ProgressivePaid) and event.line.from_meter:
                reading |= self._awarded(event, table)
                yield from self._paid(event, table)
            if isinstance(event, OpenBetting):
                self._began = entry.at
                yield from _check_seal(event)
            table, made = evolve(table, event)
            moves += made
        assert table is not None, "an entry has events"
        self._table = table
        yield from _same("what the meters showed", record.meters, reading)
        yield from _same("the transfers", entry.transfers, ledger_transfers(table.id, moves))
        if any(map(ends_round, record.events)):
            yield from self._end_round(table, entry)
        for event in record.events:
            if isinstance(event, Corrected):
                self._corrects(table, event, entry.version)
        yield from _check_snapshot(self._snapshot, entry.version, lambda: to_json(table))

    def _decided(self, record: TableRecord, at: int) -> Iterator[str]:
        """The command, given again, leads to the same events byte for byte."""
        try:
            expected = self._decide(record, at)
        except CroupierError as error:
            clause = f" [{error.clause}]" if error.clause else ""
            yield f"the rules refuse what is written here: {error.message}{clause}"
            return
        if to_json(record.events) == to_json(expected):
            return
        for written, given in zip(record.events, expected, strict=False):
            yield from _same("the event", written, given)
        for event in expected[len(record.events) :]:
            yield f"{_told(event)} is missing"
        for event in record.events[len(expected) :]:
            yield f"{_told(event)} is written, but the rules give nothing more"

    def _decide(self, record: TableRecord, at: int) -> tuple[TableEvent, ...]:
        command = record.command
        if isinstance(command, OpenTable):
            return open_table(command, record.by, self._table)
        if self._table is None:
            raise CroupierError("the table has not been opened")
        return decide(self._table, command, record.by, record.meters, at=at)

    def _paid(self, event: ProgressivePaid, table: Table | None) -> Iterator[str]:
        """The link's own journal knows of the award, to the cent."""
        assert table is not None
        award = self._books.awards.pop(_award_key(event, table), None)
        paid = event.line.net + event.line.stake
        if award is None:
            yield f"seat {event.seat} was paid from a meter that paid nothing to it"
        elif award.cents != paid:
            gave = dollars(award.cents)
            yield f"seat {event.seat} got {dollars(paid)} from a meter that paid {gave}"

    def _awarded(self, event: ProgressivePaid, table: Table | None) -> dict[str, int]:
        """What the meter showed when it paid, as the link's own journal has it."""
        assert table is not None
        award = self._books.awards.get(_award_key(event, table))
        return {} if award is None else {event.line.from_meter: award.reading}

    def _corrects(self, table: Table, event: Corrected, version: int) -> None:
        if event.round != table.round.number:
            check_correction(finished_round(self._journal, table.id, event.round), event)
        pointers = self._books.corrected.setdefault(table.id, [])
        pointers.append(Pointer(event.round, version))

    def _end_round(self, table: Table, entry: Entry) -> Iterator[str]:
        self._books.rounds += 1
        expected = chapter_of(
            table.id, table.round, table.began, entry.version, self._began, entry.at
        )
        found: Chapter | None = next(self._chapters, None)
        yield from _same(f"the index of round {table.round.number}", found, expected)
        for mark in expected.marks:
            self._indexed -= fingerprint(expected.number, mark.name, mark.value)

    def ended(self) -> Iterator[str]:
        if self._indexed and not self._is_lost:
            yield from self._odd_marks()

    def _odd_marks(self) -> Iterator[str]:
        """Between what rounds are recalled by and what they were."""
        marked = self._journal.marks_of(self._stream)
        for chapter in self._journal.chapters(self._stream, newest_first=False):
            found = marked.pop(chapter.number, set())
            odd = sorted(found ^ set(chapter.marks), key=lambda mark: (mark.name, mark.value))
            for mark in odd:
                yield _odd_mark(chapter.number, mark, is_there=mark in found)
        for number in sorted(marked):
            yield f"the index speaks of round {number}, which was not played"


def _odd_mark(number: int, mark: Mark, *, is_there: bool) -> str:
    what = plain(f"{mark.name} {mark.value}", 100)
    if is_there:
        return f"round {number} is recalled by {what}, which it was not"
    return f"round {number} is not recalled by {what}, as it should"


def _check_seal(event: OpenBetting) -> Iterator[str]:
    if event.commitment and not matches_seal(event.commitment, event.salt, event.deck):
        yield "the deck is not the one that the commitment was made for"


def _check_snapshot(
    snapshot: Snapshot | None, version: int, state: Callable[[], bytes]
) -> Iterator[str]:
    if snapshot is not None and snapshot.version == version and snapshot.body != state():
        yield "the snapshot kept for this entry is not the state after it"


class _CorrectionsReplay(_Replay):
    def __init__(self, stream: str, books: _Books) -> None:
        self._pointed = books.pointed.setdefault(stream.removeprefix("corrections:"), [])

    def _compare(self, entry: Entry) -> Iterator[str]:
        self._pointed.append(from_json(entry.body, Pointer))
        yield from ()


class _LinkReplay(_Replay):
    def __init__(self, journal: Journal, stream: str, books: _Books) -> None:
        self._books = books
        self._link: Link | None = None
        self._snapshot = journal.snapshot(stream)

    def _compare(self, entry: Entry) -> Iterator[str]:
        record = link_record(entry)
        command = record.command
        yield from _same("the text", entry.body.decode(), to_json(record).decode())
        yield from _same("the kind", entry.kind, command.__struct_config__.tag)
        try:
            expected = tuple(progressives.decide(self._link, command))
        except CroupierError as error:
            yield f"the rules refuse what is written here: {error.message}"
        else:
            yield from _same("the events", record.events, expected)
        made: list[Transfer] = []
        for event in record.events:
            before, self._link = self._link, progressives.evolve(self._link, event)
            if isinstance(event, progressives.Awarded) and before is not None:
                key = _AwardKey(event.table, event.round, event.seat)
                self._books.awards[key] = _Award(event.cents, before.shown()[event.meter])
            moved = progressives.transfers(before, self._link, event)
            made += [Transfer(*move) for move in moved]
        yield from _same("the transfers", entry.transfers, tuple(made))
        after = self._link
        assert after is not None, "an entry has events"
        yield from _check_snapshot(
            self._snapshot, entry.version, lambda: progressives.to_json(after)
        )


def _mentioned(picture: ConsistentView) -> Iterator[Difference]:
    """A stream cut off at its end is known by the records that speak of what is missing."""
    for stream, version, source in picture.mentioned:
        head = picture.heads.get(stream)
        reached = head.version if head is not None else 0
        if version > reached:
            message = f"it is missing: {source} of the stream speak of entry {version}"
            yield Difference(stream, reached + 1, message)


def _unpaid(books: _Books) -> Iterator[Difference]:
    for key, award in books.awards.items():
        message = f"round {key.round}, seat {key.seat}: a meter paid {dollars(award.cents)}"
        yield Difference(f"table:{key.table}", 0, f"{message} that no player received")


def _unindexed(books: _Books) -> Iterator[Difference]:
    for table in sorted(books.corrected.keys() | books.pointed.keys()):
        if books.corrected.get(table, []) != books.pointed.get(table, []):
            message = "the corrections listed are not those that the table's journal has"
            yield Difference(f"corrections:{table}", 0, message)


def _balances(picture: ConsistentView, books: _Books) -> Iterator[Difference]:
    for account in sorted(books.balances.keys() | picture.balances.keys()):
        stored, computed = picture.balances.get(account, 0), books.balances.get(account, 0)
        if stored != computed:
            message = (
                f"the balance of {plain(account, 200)} is stored as {dollars(stored)}, but the "
                f"transfers give {dollars(computed)}"
            )
            yield Difference("balances", 0, message)
