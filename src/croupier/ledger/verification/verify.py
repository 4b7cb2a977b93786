"""Verification of a whole journal: every chain walked, every command decided again, every cent
counted.

Each entry must be what the rules give for its command and the state before it: events, settlements,
transfers, chapters, snapshots and balances are all recomputed and compared byte for byte. It takes
one pass over each stream, in constant memory. Every difference is reported: after one, the walk
continues from what is written, so that one does not hide another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

import msgspec

from croupier.errors import plain
from croupier.ledger.checkpoints.checkpoints import Checkpoint
from croupier.ledger.checkpoints.signed_past import SignedPast, SignedWalk
from croupier.ledger.differences import Difference, Gap, Verdict, verdict_of
from croupier.ledger.journal import ConsistentView, Journal
from croupier.ledger.records.cashier_entries import account_stream
from croupier.ledger.verification.comparing import Books
from croupier.ledger.verification.database import database_differences, mac_notes
from croupier.ledger.verification.walks import ClusterWalk, Processes, walk_stream
from croupier.money import dollars
from croupier.workers import workers


class Verification(msgspec.Struct, frozen=True):
    streams: int
    entries: int
    rounds: int
    differences: tuple[Difference, ...]
    signed: SignedPast = SignedPast()
    """How far checkpoints reach."""
    notes: tuple[Difference, ...] = ()
    """Facts that could not be checked and are not differences."""
    gaps: tuple[Gap, ...] = ()
    """What keeps the journal from being anchored."""

    @property
    def verdict(self) -> Verdict:
        return verdict_of(len(self.differences), self.gaps)

    @property
    def valid(self) -> bool:
        return not self.differences


class Walk:
    """A verification in progress. `progress` receives the number of entries walked; an exception
    that it raises ends the walk. `kept` are checkpoints from elsewhere that the journal must
    continue; `keys` are the public keys with which its own must be signed; if none are named, this
    machine's key is trusted. `jobs` is the number of processes. `now` replaces the clock in
    tests."""

    def __init__(
        self,
        journal: Journal,
        progress: Callable[[int], None] = lambda _: None,
        kept: Sequence[Checkpoint] = (),
        keys: Iterable[str] = (),
        jobs: int = 1,
        now: datetime | None = None,
    ) -> None:
        self._journal = journal = journal.as_stored()
        self._told = progress
        self._jobs = jobs
        self._picture = journal.consistent_view()
        self._books = Books()
        self._signed = SignedWalk(journal, self._picture.heads, kept, keys, now)
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

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """What keeps the journal from being anchored; valid after the walk."""
        return self._signed.gaps()

    def differences(self) -> Iterator[Difference]:
        """Yield each difference as it is found, without collecting them."""
        picture, books = self._picture, self._books
        yield from database_differences(self._journal)
        yield from _stray(picture)
        yield from self._walk()
        yield from _mentioned(picture)
        yield from _unpaid(books)
        yield from _untold(books)
        yield from _undrawn(books)
        yield from _unindexed(books)
        yield from _balances(picture, books)
        yield from self._signed.differences()
        books.notes += mac_notes(self._journal, books.unchecked)
        for stream, version in sorted(books.pruned.items()):
            if version > self._signed.reached.get(stream, 0):
                yield Difference(stream, version, "its text is gone, and no checkpoint covers it")

    def _walk(self) -> Iterator[Difference]:
        """Walk links first: the payment of a meter is looked up when the table that paid it out is
        walked."""
        picture, books = self._picture, self._books
        links = [name for name in sorted(picture.heads) if name.startswith("link:")]
        others = [name for name in sorted(picture.heads) if not name.startswith("link:")]
        if workers().is_remote:
            cluster = ClusterWalk(self._journal.database.address, workers(), self._told)
            for streams in (links, others):
                yield from cluster.walk(streams, picture, books)
            return
        if self._jobs > 1:
            with Processes(self._journal.database.address, self._jobs, self._told) as processes:
                for streams in (links, others):
                    yield from processes.walk(streams, picture, books)
            return
        for stream in (*links, *others):
            yield from walk_stream(self._journal, stream, picture, books, self._told)


def verify(
    journal: Journal,
    progress: Callable[[int], None] = lambda _: None,
    kept: Sequence[Checkpoint] = (),
    keys: Iterable[str] = (),
    jobs: int = 1,
    now: datetime | None = None,
) -> Verification:
    """Verify the whole journal as it is now. `progress` receives the number of entries walked."""
    walk = Walk(journal, progress, kept, keys, jobs, now)
    differences = tuple(walk.differences())
    counts = (walk.streams, walk.entries, walk.rounds)
    return Verification(*counts, differences, walk.signed, walk.notes, walk.gaps)


_PLAIN: Final = ("attempts:", "corrections:")
"""Streams without request keys and without snapshots."""


def _stray(picture: ConsistentView) -> Iterator[Difference]:
    """Report index rows with no matching stream, or of streams that cannot have them."""
    for stream, version, source in picture.mentioned:
        if version < 1 or stream.startswith(_PLAIN):
            yield Difference(stream, 0, f"{source} speak of it, which has none")
    for stream in sorted(picture.indexed):
        if not stream.startswith("table:") or stream not in picture.heads:
            yield Difference(stream, 0, "rounds are recalled of it, which has none")


def _mentioned(picture: ConsistentView) -> Iterator[Difference]:
    """Report streams cut off at their end: other records mention the missing entries."""
    for stream, version, source in picture.mentioned:
        head = picture.heads.get(stream)
        reached = head.version if head is not None else 0
        if version > reached:
            message = f"it is missing: {source} of the stream speak of entry {version}"
            yield Difference(stream, reached + 1, message)


def _unpaid(books: Books) -> Iterator[Difference]:
    for key, award in books.awards.items():
        message = f"round {key.round}, seat {key.seat}: a meter paid {dollars(award.cents)}"
        yield Difference(f"table:{key.table}", 0, f"{message} that no player received")


def _untold(books: Books) -> Iterator[Difference]:
    """Compare the commands that tables produced with those that moved the meters."""
    for (link, table), left in sorted(books.requests.items()):
        if left and f"link:{link}" not in books.unknown and f"table:{table}" not in books.unknown:
            message = (
                f"what was entered for table {plain(table)} is not what its rounds gave to the "
                "meters"
            )
            yield Difference(f"link:{link}", 0, message)


def _undrawn(books: Books) -> Iterator[Difference]:
    """Compare the accounts' entries about tables with the tables' own, and the accounts' balances
    with the transfers."""
    for (person, table), left in sorted(books.drawn.items()):
        stream = account_stream(person)
        if left and stream not in books.unknown and f"table:{table}" not in books.unknown:
            message = (
                f"what is entered for table {plain(table)} is not what {plain(person)} bought in "
                "and cashed out there"
            )
            yield Difference(stream, 0, message)
    for person, cents in sorted(books.held.items()):
        moved = books.balances.get(f"cashier:{person}", 0)
        if moved != cents and not books.unknown:
            message = (
                f"the account holds {dollars(cents)} by its last entry, but the transfers give "
                f"{dollars(moved)}"
            )
            yield Difference(account_stream(person), 0, message)


def _unindexed(books: Books) -> Iterator[Difference]:
    for table in sorted(books.corrected.keys() | books.pointed.keys()):
        if books.corrected.get(table, []) != books.pointed.get(table, []):
            message = "the corrections listed are not those that the table's journal has"
            yield Difference(f"corrections:{table}", 0, message)


def _balances(picture: ConsistentView, books: Books) -> Iterator[Difference]:
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
