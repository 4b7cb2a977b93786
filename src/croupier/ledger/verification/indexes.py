"""What rounds and requests are found by, held against the entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from croupier.errors import plain
from croupier.ledger.entries import (
    Chapter,
    Entry,
    Mark,
    fingerprint,
)
from croupier.ledger.journal import Journal
from croupier.ledger.table_entries import (
    RequestAnswer,
    answers,
)
from croupier.ledger.verification.comparing import same

__all__ = ["RequestIndex", "RoundIndex"]


class RoundIndex:
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
        yield from same(f"the index of round {expected.number}", found, expected)
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


def _odd_mark(number: int, mark: Mark, *, is_there: bool) -> str:
    what = plain(f"{mark.name} {mark.value}", 100)
    if is_there:
        return f"round {number} is recalled by {what}, which it was not"
    return f"round {number} is not recalled by {what}, as it should"


class RequestIndex:
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
            yield from same(f"the entries of request {plain(key, 200)}", found, tuple(place))
        for key, (first, _) in sorted(stored.items()):
            if first <= self._run.last:
                yield f"request {plain(key, 200)} is listed, but nothing was written for it"
