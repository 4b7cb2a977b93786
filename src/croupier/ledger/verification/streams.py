"""One stream: its chain, and its entries given to the replay of its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from croupier.errors import plain
from croupier.ledger.accounts import add_transfers
from croupier.ledger.cashier_entries import account_stream
from croupier.ledger.chain import GENESIS, ChainBroken, hash_of
from croupier.ledger.differences import Difference
from croupier.ledger.entries import (
    Entry,
    StreamHead,
)
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import ConsistentView, Journal
from croupier.ledger.rules_texts import RULES
from croupier.ledger.verification.books import Books
from croupier.ledger.verification.replays import (
    AccountReplay,
    AttemptsReplay,
    CorrectionsReplay,
    LinkReplay,
    Replay,
    RulesReplay,
)
from croupier.ledger.verification.table_replay import TableReplay

__all__ = ["TOLD_EVERY", "walk_stream"]

TOLD_EVERY: Final = 1000
_FORGED: Final = "its MAC is wrong: nothing that has the key of this machine wrote it"


def walk_stream(
    journal: Journal,
    stream: str,
    picture: ConsistentView,
    books: Books,
    told: Callable[[int], None],
) -> Iterator[Difference]:
    """Everything that differs in a stream."""
    replay = _replay(journal, stream, picture, books)
    head, links, macs = picture.heads[stream], _Chain(), journal.macs.to_check()
    for found in _entries(journal, stream, head):
        if isinstance(found, Difference):
            links.lose(found.version)
            replay.miss()
            yield found
            continue
        broken = list(links.differ(found))
        for message in broken:
            yield Difference(stream, links.missing or found.version, message)
        if links.missing:
            replay.miss()
        if macs is None:
            books.unchecked += 1
        elif not (broken or macs.vouches_for(found)):
            yield Difference(stream, found.version, _FORGED)
        add_transfers(found.transfers, books.balances)
        books.entries += 1
        if books.entries % TOLD_EVERY == 0:
            told(books.entries)
        for message in replay.differs(found):
            yield Difference(stream, found.version, message)
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


class _Chain:
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
        elif not given or entry.hash in given or entry.is_pruned:
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
