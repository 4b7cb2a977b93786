"""Comparisons of the journal with the rules: texts, indexes, sums between streams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from croupier import progressives
from croupier.cashier import FromTable, ToTable
from croupier.errors import BadData, CroupierError, plain
from croupier.ledger.differences import Difference
from croupier.ledger.entries import (
    Chapter,
    Entry,
    Mark,
    Snapshot,
    fingerprint,
)
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    Pointer,
    RequestAnswer,
    answers,
)
from croupier.rounds.declaration import to_json


def same(subject: str, written: object, expected: object) -> Iterator[str]:
    if written != expected:
        rules_give = shown_value(expected)
        yield f"{subject}: {shown_value(written)} is written, but the rules give {rules_give}"


def same_text(entry: Entry, expected: bytes) -> Iterator[str]:
    if entry.body != expected:
        yield from same("the text", entry.body.decode(), expected.decode())


def shown_value(value: object) -> str:
    return plain(to_json(value).decode(), 400)


def refused(error: CroupierError) -> str:
    clause = f" [{error.clause}]" if error.clause else ""
    return f"the rules refuse what is written here: {error.message}{clause}"


def check_snapshot(
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


# -- between streams -------------------------------------------------------------------------------


class AwardKey(NamedTuple):
    table: str
    round: int
    seat: int


class Award(NamedTuple):
    cents: int
    reading: int | None = None
    """The meter's reading; None if the link's journal cannot be replayed."""


_IN_ROUNDS: Final = (
    progressives.Contribute,
    progressives.Award,
    progressives.ReverseRound,
    progressives.FinishRound,
)
"""The commands that a table sends to its link during rounds."""


class Books:
    """The sums and notes that one walk over the journal collects for the checks between streams."""

    def __init__(self) -> None:
        self.balances: dict[str, int] = {}
        self.awards: dict[AwardKey, Award] = {}
        self.corrected: dict[str, list[Pointer]] = {}
        self.pointed: dict[str, list[Pointer]] = {}
        self.requests: dict[tuple[str, str], int] = {}
        """By link and table: the sum of the fingerprints of the commands in the link's journal for
        the table's rounds, minus those of the commands that these rounds produce."""
        self.held: dict[str, int] = {}
        """By person: the balance of their cashier account, from its last entry."""
        self.drawn: dict[tuple[str, str], int] = {}
        """By person and table: the sum of the fingerprints of the moves between account and table
        in the account's entries, minus those of the moves in the table's entries."""
        self.notes: list[Difference] = []
        """Facts that are not differences, such as sealed rounds in play, which cannot be checked
        yet."""
        self.unknown: set[str] = set()
        """Streams with entries that could not be replayed."""
        self.pruned: dict[str, int] = {}
        """The last attempt of each stream that has lost its text."""
        self.unchecked = 0
        """The number of entries whose MACs cannot be checked with the key of this machine."""
        self.entries = 0
        self.rounds = 0

    def take(self, books: Books) -> None:
        """Add what a walk over other streams has collected."""
        for account, cents in books.balances.items():
            self.balances[account] = self.balances.get(account, 0) + cents
        for place, number in books.requests.items():
            self.requests[place] = self.requests.get(place, 0) + number
        for place, number in books.drawn.items():
            self.drawn[place] = self.drawn.get(place, 0) + number
        self.held |= books.held
        self.awards |= books.awards
        self.corrected |= books.corrected
        self.pointed |= books.pointed
        self.unknown |= books.unknown
        self.pruned |= books.pruned
        self.notes += books.notes
        self.unchecked += books.unchecked
        self.entries += books.entries
        self.rounds += books.rounds

    def ask(self, link: str, command: progressives.Command, *, was_told: bool) -> None:
        if not isinstance(command, _IN_ROUNDS):
            return
        number = fingerprint(command.round, command.table, to_json(command).decode())
        place = (link, command.table)
        self.requests[place] = self.requests.get(place, 0) + (number if was_told else -number)

    def draw(self, person: str, moved: ToTable | FromTable, *, by_account: bool) -> None:
        number = fingerprint(moved.entry, moved.table, to_json(moved).decode())
        place = (person, moved.table)
        self.drawn[place] = self.drawn.get(place, 0) + (number if by_account else -number)


# -- indexes ---------------------------------------------------------------------------------------


class RoundIndex:
    """Compares the index of rounds with the replay: the chapters of a stream and their marks."""

    def __init__(self, journal: Journal, stream: str, head: int, indexed: int) -> None:
        self._journal = journal
        self._stream = stream
        self._head = head
        self._indexed = indexed
        self._chapters = journal.chapters(stream, newest_first=False)
        self._next = next(self._chapters, None)
        self.skips = False
        """Some rounds could not be replayed, so their expected chapters are unknown."""

    def compare(self, expected: Chapter) -> Iterator[str]:
        """Compare the index with the round just replayed."""
        yield from self._unplayed(expected.number)
        chapter: Chapter | None = None
        if self._next is not None and self._next.number == expected.number:
            chapter, self._next = self._next, next(self._chapters, None)
        yield from same(f"the index of round {expected.number}", chapter, expected)
        for mark in expected.marks:
            self._indexed -= fingerprint(expected.number, mark.name, mark.value)

    def ended(self) -> Iterator[str]:
        yield from self._unplayed(None)
        if self._indexed:
            yield from self._odd_marks()

    def _unplayed(self, before: int | None) -> Iterator[str]:
        """Report chapters before the expected one, since their rounds were not played. Those of
        rounds that ended after the walk began are ignored."""
        while self._next is not None and (before is None or self._next.number < before):
            if not self.skips and self._next.last <= self._head:
                yield f"the index lists round {self._next.number}, which was not played"
            self._next = next(self._chapters, None)

    def _odd_marks(self) -> Iterator[str]:
        """Report the marks that differ between the index and the chapters."""
        marked = self._journal.marks_of(self._stream)
        for chapter in self._journal.chapters(self._stream, newest_first=False):
            marks = marked.pop(chapter.number, set())
            odd = sorted(marks ^ set(chapter.marks), key=lambda mark: (mark.name, mark.value))
            for mark in odd:
                yield _odd_mark(chapter.number, mark, is_there=mark in marks)
        for number in sorted(marked):
            yield f"the index lists round {number}, which was not played"


def _odd_mark(number: int, mark: Mark, *, is_there: bool) -> str:
    words = plain(f"{mark.name} {mark.value}", 100)
    if is_there:
        return f"round {number} is recalled by {words}, which it was not"
    return f"round {number} is not recalled by {words}, as it should"


class RequestIndex:
    """Compares the index of request keys with the entries."""

    def __init__(
        self, journal: Journal, stream: str, requested: int, key_of: Callable[[Entry], str]
    ) -> None:
        self._journal = journal
        self._stream = stream
        self._requested = requested
        self._key_of = key_of
        self._run = RequestAnswer("", 0, 0)
        self.skips = False
        """Some entries could not be read, so their keys are unknown."""

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
        for key, *place in answers((self._key_of(entry), entry.version) for entry in entries):
            written = stored.pop(key, None)
            yield from same(f"the entries of request {plain(key, 200)}", written, tuple(place))
        for key, (first, _) in sorted(stored.items()):
            if first <= self._run.last:
                yield f"request {plain(key, 200)} is listed, but nothing was written for it"
