"""Is the journal what happened? Every chain walked, every command given again, every cent counted.

Each entry must be what the rules give for its command and the state before it: events, settlements,
transfers, chapters, snapshots and balances are all worked out anew and compared byte for byte. One
pass over each stream, in flat memory. Everything that differs comes back: after a difference the
walk goes on from what is written, so that one does not hide another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from croupier import progressives
from croupier.errors import BadData, CroupierError, plain
from croupier.ledger.accounts import add_transfers
from croupier.ledger.chain import GENESIS, ChainBroken, hash_of
from croupier.ledger.checkpoints import Checkpoint
from croupier.ledger.differences import Difference
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
from croupier.ledger.machine_key import is_public_key
from croupier.ledger.older_text import is_state_of, is_text_of
from croupier.ledger.past_rounds import finished_round, standing
from croupier.ledger.rules_texts import RULES, rules_text
from croupier.ledger.schema import missing_triggers
from croupier.ledger.sealing import RoundSeal, is_key_of, sealed_part
from croupier.ledger.signed_past import SignedPast, SignedWalk
from croupier.ledger.table_entries import (
    Attempt,
    LinkRecord,
    Pointer,
    RequestAnswer,
    TableRecord,
    answers,
    chapter_of,
    ledger_transfers,
    link_record,
    record_text,
    shown_text,
    table_record,
    tells_no_secret,
)
from croupier.money import dollars
from croupier.progressives import Link
from croupier.randomness.shuffling import matches_seal
from croupier.rounds.commands import VoidRound
from croupier.rounds.declaration import FLOOR, tag_of
from croupier.rounds.events import OpenBetting, ProgressivePaid, RoundVoided
from croupier.rounds.records import from_json, to_json
from croupier.tables.commands import OpenTable
from croupier.tables.deciding import check_correction, decide, open_table
from croupier.tables.events import Corrected, TableEvent, ends_round
from croupier.tables.evolving import evolve, next_entry
from croupier.tables.planning import asks_of_link
from croupier.tables.state import Table, rules_of

__all__ = ["Difference", "Verification", "Walk", "verify"]


_IN_ROUNDS: Final = (
    progressives.Contribute,
    progressives.Award,
    progressives.ReverseRound,
    progressives.FinishRound,
)
"""What a table tells its link while it plays."""


class Verification(msgspec.Struct, frozen=True):
    streams: int
    entries: int
    rounds: int
    differences: tuple[Difference, ...]
    signed: SignedPast = SignedPast()
    """How far checkpoints reach."""
    notes: tuple[Difference, ...] = ()
    """What could not be looked at, and is no difference."""

    @property
    def valid(self) -> bool:
        return not self.differences


class _AwardKey(NamedTuple):
    table: str
    round: int
    seat: int


class _Award(NamedTuple):
    cents: int
    reading: int | None = None
    """What the meter showed; nothing where the link's journal cannot be played."""


class _Books:
    """What one walk over the journal gathers for the checks between streams."""

    def __init__(self) -> None:
        self.balances: dict[str, int] = {}
        self.awards: dict[_AwardKey, _Award] = {}
        self.corrected: dict[str, list[Pointer]] = {}
        self.pointed: dict[str, list[Pointer]] = {}
        self.asked: dict[tuple[str, str], int] = {}
        """By link and table: the sum over what the link's journal was told in the table's rounds,
        less what these rounds give."""
        self.notes: list[Difference] = []
        """What nobody can look at, and nobody has to: rounds in play that are sealed."""
        self.unknown: set[str] = set()
        """Links and tables of which some entries could not be played."""
        self.entries = 0
        self.rounds = 0

    def ask(self, link: str, asked: progressives.Command, *, was_told: bool) -> None:
        if not isinstance(asked, _IN_ROUNDS):
            return
        number = fingerprint(asked.round, asked.table, to_json(asked).decode())
        place = (link, asked.table)
        self.asked[place] = self.asked.get(place, 0) + (number if was_told else -number)


class Walk:
    """A verification under way. `told` hears how many entries have been walked; what it raises ends
    the walk. `kept` are checkpoints from elsewhere that the journal must go on from; `keys` are the
    public keys by which its own must be signed."""

    def __init__(
        self,
        journal: Journal,
        told: Callable[[int], None] = lambda _: None,
        kept: Sequence[Checkpoint] = (),
        keys: Iterable[str] = (),
    ) -> None:
        self._journal = journal
        self._told = told
        self._picture = journal.consistent_view()
        self._books = _Books()
        self._signed = SignedWalk(journal, self._picture.heads, kept, keys)
        self.streams = len(self._picture.heads)
        self.total = sum(head.version for head in self._picture.heads.values())

    @property
    def entries(self) -> int:
        return self._books.entries

    @property
    def rounds(self) -> int:
        return self._books.rounds

    @property
    def signed(self) -> SignedPast:
        return self._signed.past

    @property
    def notes(self) -> tuple[Difference, ...]:
        return tuple(self._books.notes)

    def differences(self) -> Iterator[Difference]:
        """Everything that differs, as it is found: nothing is gathered."""
        picture, books = self._picture, self._books
        yield from _unguarded(self._journal)
        yield from _stray(picture)
        # Links first: what a meter paid is looked up when the table that paid it out is walked.
        for stream in sorted(picture.heads, key=lambda name: (not name.startswith("link:"), name)):
            yield from _walk(self._journal, stream, picture, books, self._told)
        yield from _mentioned(picture)
        yield from _unpaid(books)
        yield from _untold(books)
        yield from _unindexed(books)
        yield from _balances(picture, books)
        yield from self._signed.differences()


def verify(
    journal: Journal,
    told: Callable[[int], None] = lambda _: None,
    kept: Sequence[Checkpoint] = (),
    keys: Iterable[str] = (),
) -> Verification:
    """Walk the whole journal as it stands now. `told` hears how many entries have been walked."""
    walk = Walk(journal, told, kept, keys)
    found = tuple(walk.differences())
    counts = (walk.streams, walk.entries, walk.rounds)
    return Verification(*counts, found, walk.signed, walk.notes)


def _walk(
    journal: Journal,
    stream: str,
    picture: ConsistentView,
    books: _Books,
    told: Callable[[int], None],
) -> Iterator[Difference]:
    """Everything that differs in a stream."""
    replay = _replay(journal, stream, picture, books)
    head, links = picture.heads[stream], _Links()
    for found in _entries(journal, stream, head):
        if isinstance(found, Difference):
            links.lose(found.version)
            replay.miss()
            yield found
            continue
        for message in links.differ(found):
            yield Difference(stream, links.missing or found.version, message)
        if links.missing:
            replay.miss()
        add_transfers(found.transfers, books.balances)
        books.entries += 1
        if books.entries % 1000 == 0:
            told(books.entries)
        for message in replay.differs(found):
            yield Difference(stream, found.version, message)
    if links.version < head.version:
        yield Difference(stream, links.version + 1, "it is missing: the stream ends before")
    for message in replay.ended():
        yield Difference(stream, links.version, message)


def _entries(journal: Journal, stream: str, head: StreamHead) -> Iterator[Entry | Difference]:
    """A stream as far as it can be read: what cannot be is told, and the next is tried."""
    after = 0
    while after < head.version:
        try:
            for entry in journal.read(stream, after, head.version):
                yield entry
                after = entry.version
            return
        except ChainBroken as error:
            after = max(after + 1, error.version)
            yield Difference(stream, after, error.what)
        except JournalUnavailable as error:
            bad = _first_unreadable(journal, stream, after, head)
            if bad is None:
                raise
            after = bad
            yield Difference(stream, after, f"it cannot be read: {error.message}")


class _Links:
    """The chain of a stream, followed past an entry that does not hold: what comes after it may
    follow from the hash that is stored there, or from the one that it should have."""

    def __init__(self) -> None:
        self.version = 0
        self.missing = 0
        """The first entry that is not there, where the last one came too early."""
        self._hashes = {GENESIS}

    def lose(self, version: int) -> None:
        """An entry cannot be read: the next one is taken as it is."""
        self.version, self._hashes = version, set()

    def differ(self, entry: Entry) -> Iterator[str]:
        expected, self.version = self.version + 1, entry.version
        self.missing = expected if entry.version != expected else 0
        given = {_hash(previous, entry) for previous in self._hashes}
        if self.missing:
            yield f"it is missing: entry {entry.version} of {plain(entry.stream)} comes instead"
            self._hashes = {entry.hash}
        elif not given or entry.hash in given:
            self._hashes = {entry.hash}
        else:
            yield f"its hash is {plain(entry.hash, 64)}, but its contents give {min(given)}"
            self._hashes = given | {entry.hash}


def _hash(previous: str, entry: Entry) -> str:
    at, kind, body, transfers = entry.at, entry.kind, entry.text, entry.transfers
    return hash_of(previous, entry.stream, entry.version, at, kind, body, transfers)


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
    """A stream whose entries are only chained, and move no money."""

    _is_lost = False
    """An entry could not be played: what follows has nothing to stand on."""

    def lose(self) -> None:
        self._is_lost = True

    def miss(self) -> None:
        """An entry is missing or cannot be read."""
        self.lose()

    def differs(self, entry: Entry) -> Iterator[str]:
        """What is wrong with the entry."""
        try:
            yield from self._compare(entry)
        except CroupierError as error:
            self.lose()
            yield _refused(error)
        except Exception as error:
            self.lose()
            yield f"what is written here cannot have happened ({plain(repr(error), 200)})"

    def _compare(self, entry: Entry) -> Iterator[str]:
        """Money moves only by what is played at a table or told to a link."""
        yield from _same("the transfers", entry.transfers, ())
        seconds(entry.at)

    def ended(self) -> Iterator[str]:
        yield from ()


def _refused(error: CroupierError) -> str:
    clause = f" [{error.clause}]" if error.clause else ""
    return f"the rules refuse what is written here: {error.message}{clause}"


def _replay(journal: Journal, stream: str, picture: ConsistentView, books: _Books) -> _Replay:
    if stream.startswith("table:"):
        return _TableReplay(journal, stream, picture, books)
    if stream.startswith("corrections:"):
        return _CorrectionsReplay(stream, books)
    if stream.startswith("attempts:"):
        return _AttemptsReplay()
    if stream.startswith("link:"):
        return _LinkReplay(journal, stream, picture, books)
    return _RulesReplay() if stream == RULES else _Replay()


def _same(what: str, written: object, expected: object) -> Iterator[str]:
    if written != expected:
        yield f"{what}: {_told(written)} is written, but the rules give {_told(expected)}"


def _same_text(entry: Entry, anew: bytes) -> Iterator[str]:
    if not is_text_of(entry.body, anew):
        yield from _same("the text", entry.body.decode(), anew.decode())


def _told(value: object) -> str:
    return plain(to_json(value).decode(), 400)


def _award_key(event: ProgressivePaid, table: Table) -> _AwardKey:
    return _AwardKey(table.id, table.round.number, event.seat)


class _TableReplay(_Replay):
    def __init__(
        self, journal: Journal, stream: str, picture: ConsistentView, books: _Books
    ) -> None:
        self._books = books
        self._journal = journal
        self._stream = stream
        self._head = picture.heads[stream].version
        self._table: Table | None = None
        self._began = ""
        self._given: set[int] = set()
        """The seats that contributed to the meters in this round."""
        self._index = _RoundIndex(journal, stream, self._head, picture.indexed.get(stream, 0))
        self._requests = _RequestIndex(
            journal, stream, picture.requested.get(stream, 0), lambda one: table_record(one).request
        )
        self._snapshot = journal.snapshot(stream)
        self._sealed = _SealedRound()

    def lose(self) -> None:
        super().lose()
        self._sealed = _SealedRound()
        self._index.skips = True
        self._books.unknown.add(self._stream)

    def miss(self) -> None:
        self.lose()
        self._requests.skips = True

    def _compare(self, entry: Entry) -> Iterator[str]:
        try:
            record = table_record(entry)
        except CroupierError:
            self.miss()
            raise
        self._requests.note(record.request, entry.version)
        if not entry.shut:
            yield from _same_text(entry, record_text(record))
        yield from _same("the kind", entry.kind, tag_of(record.command))
        yield from self._corrections(record, entry.version)
        if self._is_lost and not self._found_again(record, entry.version):
            return
        self._sealed.read(entry)
        if not self._sealed.is_shut or isinstance(record.command, VoidRound):
            yield from self._decided(record, seconds(entry.at))
        yield from self._played(record, entry)
        yield from self._unsealed(record, entry)

    def _unsealed(self, record: TableRecord, entry: Entry) -> Iterator[str]:
        """What stood in the clear while the round was played is what everybody could know, and its
        end tells the key to the rest."""
        assert self._table is not None
        yield from self._sealed.compare(record, entry, self._table)
        if self._table.round.phase == "over":
            yield from self._sealed.end(record)
            if self._sealed.is_shut:
                number = self._table.round.number
                words = f"round {number} was declared void without the key to its cards"
                self._books.notes.append(Difference(self._stream, entry.version, words))
            self._sealed = _SealedRound()

    def _found_again(self, record: TableRecord, version: int) -> bool:
        """Every round says how the table stood when it opened: from there it can be played."""
        if not isinstance(record.command, OpenBetting):
            return False
        try:
            self._table = standing(self._journal, self._stream, version)
        except Exception:
            return False
        self._is_lost = False
        return True

    def _played(self, record: TableRecord, entry: Entry) -> Iterator[str]:
        table = next_entry(self._table)
        moves = []
        reading: dict[str, int] = {}
        for event in record.events:
            if isinstance(event, ProgressivePaid) and event.line.from_meter:
                reading |= self._awarded(event, table, record.meters)
                yield from self._paid(event, table)
            if isinstance(event, OpenBetting):
                self._began = entry.at
                yield from () if entry.shut else _check_seal(event)
            if table is not None:
                self._tell_link(table, event)
            table, made = evolve(table, event)
            moves += made
        assert table is not None, "an entry has events"
        self._table = table
        yield from _same("what the meters showed", record.meters, reading)
        yield from _same("the transfers", entry.transfers, ledger_transfers(table.id, moves))
        if any(map(ends_round, record.events)):
            self._books.rounds += 1
            expected = chapter_of(
                table.id, table.round, table.began, entry.version, self._began, entry.at
            )
            yield from self._index.compare(expected)
        yield from _check_snapshot(
            self._snapshot,
            entry.version,
            lambda body: is_state_of(body, from_json(body, Table), table),
        )

    def _tell_link(self, table: Table, event: TableEvent) -> None:
        """What the event gives to the meters; the link's own journal must have it."""
        for asked in asks_of_link(table, event, rules_of(table), self._given):
            self._books.ask(table.link, asked, was_told=False)
            match asked:
                case progressives.Contribute():
                    self._given = {seat for seat, _ in asked.stakes}
                case progressives.ReverseRound():
                    self._given = self._given - set(asked.seats or self._given)
                case progressives.FinishRound():
                    self._given = set()

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

    def _awarded(
        self, event: ProgressivePaid, table: Table | None, written: dict[str, int]
    ) -> dict[str, int]:
        """What the meter showed when it paid, as the link's own journal has it."""
        assert table is not None
        award = self._books.awards.get(_award_key(event, table))
        if award is None:
            return {}
        meter = event.line.from_meter
        return {meter: written.get(meter, 0) if award.reading is None else award.reading}

    def _corrections(self, record: TableRecord, version: int) -> Iterator[str]:
        table = self._stream.removeprefix("table:")
        for event in record.events:
            if not isinstance(event, Corrected):
                continue
            self._books.corrected.setdefault(table, []).append(Pointer(event.round, version))
            if self._table is not None and event.round == self._table.round.number:
                continue  # checked where it is decided
            try:
                check_correction(finished_round(self._journal, table, event.round), event)
            except CroupierError as error:
                yield _refused(error)
            except Exception:
                yield f"round {event.round}, which is corrected here, cannot be played"

    def ended(self) -> Iterator[str]:
        if self._sealed.is_shut and self._table is not None:
            words = (
                f"round {self._table.round.number} is in play: its cards are sealed until its end"
            )
            self._books.notes.append(Difference(self._stream, self._head, words))
        yield from self._index.ended()
        yield from self._requests.ended()


class _SealedRound:
    """What is sealed of the round in play."""

    def __init__(self) -> None:
        self._seal: RoundSeal | None = None
        self._shut: list[int] = []

    @property
    def is_shut(self) -> bool:
        """Some of its entries could not be opened."""
        return bool(self._shut)

    def read(self, entry: Entry) -> None:
        if entry.shut:
            self._shut.append(entry.version)
        self._seal = self._seal or (sealed_part(entry.stored).seal if entry.stored else None)

    def compare(self, record: TableRecord, entry: Entry, after: Table) -> Iterator[str]:
        if entry.shut or self._seal is None or after.round.phase == "over":
            return
        if not entry.stored:
            if not tells_no_secret(record, after):
                yield "what it tells lay face down: it should be sealed"
            return
        part = sealed_part(entry.stored)
        shown = shown_text(record, after, part)
        yield from _same("what stands in the clear", entry.stored.decode(), shown.decode())
        place = (after.round.number, after.began)
        yield from _same("the round it is sealed for", (part.round, part.of), place)

    def end(self, record: TableRecord) -> Iterator[str]:
        if self._seal is None:
            yield from _same("the key of the round", record.opens, "")
            return
        is_void = any(isinstance(event, RoundVoided) for event in record.events)
        if not record.opens:
            if not (self._shut and is_void):
                yield "the round is over, and the key to its cards is not told"
            return
        key = bytes.fromhex(record.opens) if is_public_key(record.opens) else b""
        if not is_key_of(self._seal, key):
            yield "the key that it tells is not the one that the round was opened with"
        elif self._shut:
            places = ", ".join(map(str, self._shut[:10]))
            yield f"what is sealed in entries {places} cannot be opened with the key of the round"


class _RoundIndex:
    """What rounds are found by: the chapters of a stream and their marks."""

    def __init__(self, journal: Journal, stream: str, head: int, indexed: int) -> None:
        self._journal = journal
        self._stream = stream
        self._head = head
        self._indexed = indexed
        self._chapters = journal.chapters(stream, newest_first=False)
        self._next = next(self._chapters, None)
        self.skips = False
        """Some rounds could not be played: nobody knows what their chapters should be."""

    def compare(self, expected: Chapter) -> Iterator[str]:
        """The round that was just played."""
        yield from self._unplayed(expected.number)
        found: Chapter | None = None
        if self._next is not None and self._next.number == expected.number:
            found, self._next = self._next, next(self._chapters, None)
        yield from _same(f"the index of round {expected.number}", found, expected)
        for mark in expected.marks:
            self._indexed -= fingerprint(expected.number, mark.name, mark.value)

    def ended(self) -> Iterator[str]:
        yield from self._unplayed(None)
        if self._indexed:
            yield from self._odd_marks()

    def _unplayed(self, before: int | None) -> Iterator[str]:
        """Chapters up to the one that is due. Those of rounds that ended after the walk began are
        left alone."""
        while self._next is not None and (before is None or self._next.number < before):
            if not self.skips and self._next.last <= self._head:
                yield f"the index speaks of round {self._next.number}, which was not played"
            self._next = next(self._chapters, None)

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


class _RequestIndex:
    """Under which key each command was asked for."""

    def __init__(
        self, journal: Journal, stream: str, requested: int, key_of: Callable[[Entry], str]
    ) -> None:
        self._journal = journal
        self._stream = stream
        self._requested = requested
        self._key_of = key_of
        self._run = RequestAnswer("", 0, 0)
        self.skips = False
        """Some entries could not be read: nobody knows their keys."""

    def note(self, key: str, version: int) -> None:
        same = key == self._run.request
        if not same:
            self._close()
        self._run = RequestAnswer(key, self._run.first if same else version, version)

    def _close(self) -> None:
        key, first, last = self._run
        if key:
            self._requested -= fingerprint(first, key, str(last))

    def ended(self) -> Iterator[str]:
        self._close()
        if not self._requested or self.skips:
            return
        stored = self._journal.requested(self._stream)
        entries = self._journal.read(self._stream, up_to=self._run.last)
        for key, *place in answers((self._key_of(one), one.version) for one in entries):
            found = stored.pop(key, None)
            yield from _same(f"the entries of request {plain(key, 200)}", found, tuple(place))
        for key, (first, _) in sorted(stored.items()):
            if first <= self._run.last:
                yield f"request {plain(key, 200)} is listed, but nothing was written for it"


def _odd_mark(number: int, mark: Mark, *, is_there: bool) -> str:
    what = plain(f"{mark.name} {mark.value}", 100)
    if is_there:
        return f"round {number} is recalled by {what}, which it was not"
    return f"round {number} is not recalled by {what}, as it should"


def _check_seal(event: OpenBetting) -> Iterator[str]:
    if event.commitment and not matches_seal(event.commitment, event.salt, event.deck):
        yield "the deck is not the one that the commitment was made for"


def _check_snapshot(
    snapshot: Snapshot | None, version: int, is_state: Callable[[bytes], bool]
) -> Iterator[str]:
    if snapshot is None or snapshot.version != version:
        return
    try:
        is_right = is_state(snapshot.body)
    except BadData:
        is_right = False
    if not is_right:
        yield "the snapshot kept for this entry is not the state after it"


class _CorrectionsReplay(_Replay):
    def __init__(self, stream: str, books: _Books) -> None:
        self._pointed = books.pointed.setdefault(stream.removeprefix("corrections:"), [])

    def _compare(self, entry: Entry) -> Iterator[str]:
        pointer: Pointer = from_json(entry.body, Pointer)
        self._pointed.append(pointer)
        yield from _same_text(entry, to_json(pointer))
        yield from _same("the kind", entry.kind, "corrected")
        yield from super()._compare(entry)


class _AttemptsReplay(_Replay):
    def _compare(self, entry: Entry) -> Iterator[str]:
        attempt: Attempt = from_json(entry.body, Attempt)
        yield from _same_text(entry, to_json(attempt))
        yield from _same("the kind", entry.kind, "refused")
        yield from super()._compare(entry)


class _RulesReplay(_Replay):
    """A rulebook whose text was changed has another hash, and no table refers to it any more."""

    def _compare(self, entry: Entry) -> Iterator[str]:
        yield from _same_text(entry, to_json(rules_text(entry)))
        yield from _same("the kind", entry.kind, "rulebook")
        yield from super()._compare(entry)


class _LinkReplay(_Replay):
    def __init__(
        self, journal: Journal, stream: str, picture: ConsistentView, books: _Books
    ) -> None:
        self._books = books
        self._stream = stream
        self._link: Link | None = None
        self._requests = _RequestIndex(
            journal, stream, picture.requested.get(stream, 0), _link_request
        )
        self._snapshot = journal.snapshot(stream)

    def lose(self) -> None:
        super().lose()
        self._books.unknown.add(self._stream)

    def miss(self) -> None:
        self.lose()
        self._requests.skips = True

    def ended(self) -> Iterator[str]:
        yield from self._requests.ended()

    def _compare(self, entry: Entry) -> Iterator[str]:
        try:
            record = link_record(entry)
        except CroupierError:
            self.miss()
            raise
        command = record.command
        self._requests.note(record.request, entry.version)
        yield from _signed(record)
        yield from _same_text(entry, to_json(record))
        yield from _same("the kind", entry.kind, command.__struct_config__.tag)
        self._books.ask(self._stream.removeprefix("link:"), command, was_told=True)
        seconds(entry.at)
        for event in record.events:
            if isinstance(event, progressives.Awarded):
                key = _AwardKey(event.table, event.round, event.seat)
                self._books.awards[key] = _Award(event.cents)
        if self._is_lost:
            return
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
            self._snapshot,
            entry.version,
            lambda body: is_state_of(body, progressives.from_json(body), after),
        )


def _link_request(entry: Entry) -> str:
    return link_record(entry).request


def _signed(record: LinkRecord) -> Iterator[str]:
    """What a person told a link stands under the name of somebody who may."""
    if record.by is None:
        return
    if record.by.role not in FLOOR:
        yield f"a {record.by.role} tells a link nothing: {_told(record.by)}"
    yield from _same("who told it", getattr(record.command, "by", ""), record.by.name)


def _unguarded(journal: Journal) -> Iterator[Difference]:
    """Without its triggers the database would let anybody change what is written."""
    with journal.reader() as connection:
        missing = missing_triggers(connection)
    for name in missing:
        message = f"its trigger {name} is gone or changed: what is written could be changed"
        yield Difference("database", 0, message)


_PLAIN: Final = ("attempts:", "corrections:")
"""Streams without request keys and without snapshots."""


def _stray(picture: ConsistentView) -> Iterator[Difference]:
    """Rows beside the entries that speak of what their stream cannot have."""
    for stream, version, source in picture.mentioned:
        if version < 1 or stream.startswith(_PLAIN):
            yield Difference(stream, 0, f"{source} speak of it, which has none")
    for stream in sorted(picture.indexed):
        if not stream.startswith("table:") or stream not in picture.heads:
            yield Difference(stream, 0, "rounds are recalled of it, which has none")


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


def _untold(books: _Books) -> Iterator[Difference]:
    """Between what tables played and what moved the meters."""
    for (link, table), left in sorted(books.asked.items()):
        if left and f"link:{link}" not in books.unknown and f"table:{table}" not in books.unknown:
            message = (
                f"what was entered for table {plain(table)} is not what its rounds gave to the "
                "meters"
            )
            yield Difference(f"link:{link}", 0, message)


def _unindexed(books: _Books) -> Iterator[Difference]:
    for table in sorted(books.corrected.keys() | books.pointed.keys()):
        if books.corrected.get(table, []) != books.pointed.get(table, []):
            message = "the corrections listed are not those that the table's journal has"
            yield Difference(f"corrections:{table}", 0, message)


def _balances(picture: ConsistentView, books: _Books) -> Iterator[Difference]:
    for account in sorted(books.balances.keys() | picture.balances.keys()):
        stored, computed = picture.balances.get(account, 0), books.balances.get(account, 0)
        if account not in books.balances and not stored:
            message = f"a balance of {plain(account, 200)} is stored, which nothing was moved to"
            yield Difference("balances", 0, message)
        if stored != computed:
            message = (
                f"the balance of {plain(account, 200)} is stored as {dollars(stored)}, but the "
                f"transfers give {dollars(computed)}"
            )
            yield Difference("balances", 0, message)
