"""Comparison of the journal with its signed checkpoints.

The tree is rebuilt from the entries and compared with every checkpoint: those in the journal and
those kept elsewhere. An entry must not be dated before the checkpoint that it follows, nor after
the one that covers it, nor after now.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from croupier.errors import CroupierError, plain
from croupier.ledger.checkpoints.checkpoints import (
    CHECKPOINTS,
    Checkpoint,
    CheckpointRecord,
    Frontier,
    Leaf,
    Span,
    checkpoint_record,
    frontier_body,
    leaves,
)
from croupier.ledger.differences import Difference, Gap
from croupier.ledger.entries import Entry, StreamHead, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.chain import GENESIS
from croupier.ledger.signatures.machine_key import own_public_key
from croupier.rounds.declaration import to_json

LATE: Final = timedelta(minutes=10)
"""The longest accepted delay between an entry's time and its write to disk."""
AHEAD: Final = timedelta(minutes=1)
"""The largest accepted difference between the clocks of machines that write to one journal."""


class SignedPast(msgspec.Struct, frozen=True):
    """How far checkpoints reach, and which keys signed them."""

    size: int = 0
    """The number of entries under the last checkpoint."""
    checkpoints: int = 0
    """The number of checkpoints."""
    at: str = ""
    """The time of the last signature, in UTC."""
    keys: tuple[str, ...] = ()
    """The public keys that signed."""


def signed_words(signed: SignedPast) -> str:
    keys, checkpoints = ", ".join(signed.keys), signed.checkpoints
    return (
        f"{signed.size:,} {'entry is' if signed.size == 1 else 'entries are'} signed, by "
        f"{checkpoints:,} {'checkpoint' if checkpoints == 1 else 'checkpoints'} up to {signed.at}, "
        f"with the key{'s' * (len(signed.keys) > 1)} {keys}."
    )


class SignedWalk:
    """Compares all checkpoints of a journal, in order, with its entries up to `heads`.

    `kept` are checkpoints kept elsewhere, `keys` the public keys that the caller named; each of
    these must have signed a checkpoint. With either, a checkpoint signed with any other key is a
    difference. If no key is named, this machine's own key is trusted as well; then a checkpoint
    signed with another key is a gap, because the journal may have been moved here.
    """

    def __init__(
        self,
        journal: Journal,
        heads: dict[str, StreamHead],
        kept: Sequence[Checkpoint] = (),
        keys: Iterable[str] = (),
        now: datetime | None = None,
    ) -> None:
        self._journal = journal
        self._heads = heads
        self._kept = sorted(kept, key=lambda checkpoint: checkpoint.size)
        self._demanded = frozenset(keys)
        self._is_strict = bool(self._demanded or kept)
        own = None if self._demanded else own_public_key()
        self._trusted = {
            *self._demanded,
            *(checkpoint.key for checkpoint in kept),
            *([own] if own else []),
        }
        self._now = now or datetime.now(UTC)
        self._tree = Frontier()
        self.reached: dict[str, int] = {}
        """The last entry of each stream that checkpoints cover."""
        self._odd = 0
        self._signed_by: Counter[str] = Counter()
        self._uncovered = 0
        self.past = SignedPast()
        """The checkpoints walked up to now."""

    def differences(self) -> Iterator[Difference]:
        yield from self._forged()
        last = self._heads[CHECKPOINTS].version if CHECKPOINTS in self._heads else 0
        for entry in self._journal.read(CHECKPOINTS, up_to=last):
            try:
                record = checkpoint_record(entry)
            except CroupierError as error:
                yield Difference(CHECKPOINTS, entry.version, error.message)
                continue
            for message in (*self._dated(entry, record), *self._signature(record.checkpoint)):
                yield Difference(CHECKPOINTS, entry.version, message)
            for message in self._listed(record.spans):
                yield Difference(CHECKPOINTS, entry.version, message)
            yield from self._grow(record)
            for message in self._same_root(record):
                yield Difference(CHECKPOINTS, entry.version, message)
        for message in self._left():
            yield Difference(CHECKPOINTS, last, message)
        for key in sorted(self._demanded - self._signed_by.keys()):
            yield Difference(CHECKPOINTS, 0, f"no checkpoint is signed with the key {key}")
        yield from self._unsigned()

    def gaps(self) -> tuple[Gap, ...]:
        """Return, after the walk, what keeps the journal from being anchored."""
        past = self.past
        if not past.checkpoints:
            return (
                Gap(
                    "it has no checkpoint",
                    "anyone who can write its database could have changed, cut off or replaced all "
                    "of it",
                ),
            )
        gaps = []
        foreign = {key: count for key, count in self._signed_by.items() if key not in self._trusted}
        if foreign:
            gaps.append(_untrusted(foreign, past.checkpoints, has_trust=bool(self._trusted)))
        if self._uncovered:
            entries = f"{self._uncovered:,} {'entry' if self._uncovered == 1 else 'entries'}"
            gaps.append(
                Gap(
                    f"no checkpoint covers {entries} after {plain(past.at, 40)}",
                    "anyone who can write its database could have changed, added or removed "
                    "entries since then",
                )
            )
        return tuple(gaps)

    def _forged(self) -> Iterator[Difference]:
        for checkpoint in self._kept:
            if not checkpoint.is_signed:
                message = f"of what was kept, {_named(checkpoint)} is not signed by its key"
                yield Difference(CHECKPOINTS, 0, message)

    def _dated(self, entry: Entry, record: CheckpointRecord) -> Iterator[str]:
        """Check that the unsigned fields repeat the signed ones, and that time does not run
        backwards."""
        at = record.checkpoint.at
        same = (entry.at, entry.kind, entry.text) == (at, "checkpoint", to_json(record))
        if not same or entry.transfers:
            yield f"the entry is not that of {_named(record.checkpoint)}, which it holds"
        if at > stamp(self._now + AHEAD):
            yield f"{_named(record.checkpoint)} is dated after now: a clock was wrong"
        if at < _shifted(self.past.at, -LATE):
            yield (
                f"{_named(record.checkpoint)} is dated before the one that it follows, of "
                f"{plain(self.past.at, 40)}: a clock was set back"
            )

    def _signature(self, checkpoint: Checkpoint) -> Iterator[str]:
        key = plain(checkpoint.key, 64)
        self._signed_by[key] += 1
        if not checkpoint.is_signed:
            yield f"{_named(checkpoint)} is not signed by its key {key}"
        if self._is_strict and checkpoint.key not in self._trusted:
            yield f"{_named(checkpoint)} is signed with the key {key}, which nobody named"

    def _listed(self, spans: tuple[Span, ...]) -> Iterator[str]:
        """Check that every span continues where the previous one ended, and that the entries it
        lists still exist."""
        for span in spans:
            stream, due = plain(span.stream, 200), self.reached.get(span.stream, 0) + 1
            if span.first != due or span.last < span.first or span.stream == CHECKPOINTS:
                yield f"it lists entries {span.first} to {span.last} of {stream} after {due - 1}"
            head = self._heads.get(span.stream)
            if head is None:
                yield f"{stream} was signed with {span.last} entries and is gone"
            elif head.version < span.last:
                yield f"{stream} was signed with {span.last} entries and has {head.version}"

    def _grow(self, record: CheckpointRecord) -> Iterator[Difference]:
        """Add the entries of a checkpoint to the tree and check that none is older than the
        previous checkpoint. A clock that was set back shows in the time of the checkpoint
        itself."""
        checkpoint, before = record.checkpoint, self.past.at
        bound = _shifted(min(before, checkpoint.at), -LATE)
        end, now = _shifted(checkpoint.at, AHEAD), stamp(self._now + AHEAD)
        size = self._tree.size
        for leaf in leaves(self._journal, record.spans):
            self._tree.add(_bytes(leaf.hash))
            yield from _back_dated(leaf, bound, before)
            if leaf.at > now:
                yield _dated_ahead(leaf, "which is after now")
            elif end and leaf.at > end:
                yield _dated_ahead(leaf, f"but was signed at {plain(checkpoint.at, 40)}")
        for span in record.spans:
            size += span.last - span.first + 1
            self.reached[span.stream] = max(self.reached.get(span.stream, 0), span.last)
        while self._tree.size < size:  # placeholders for missing entries
            self._tree.add(_bytes(GENESIS))
        count, keys = self.past.checkpoints + 1, (*self.past.keys, checkpoint.key)
        self.past = SignedPast(checkpoint.size, count, checkpoint.at, tuple(dict.fromkeys(keys)))

    def _same_root(self, record: CheckpointRecord) -> Iterator[str]:
        checkpoint = record.checkpoint
        if self._tree.size == checkpoint.size and self._tree.root.hex() == checkpoint.root:
            while self._kept and self._kept[0].size <= checkpoint.size:
                kept = self._kept.pop(0)
                if (kept.size, kept.root) != (checkpoint.size, checkpoint.root):
                    yield _not_extended(kept)
            return
        self._odd += 1
        if self._odd == 1:
            streams = ", ".join(plain(span.stream, 200) for span in record.spans[:5])
            more = f" and {len(record.spans) - 5} more" if len(record.spans) > 5 else ""
            yield (
                f"{_named(checkpoint)} was signed over other entries than the journal has now: the "
                f"first that was changed, removed or put in is in {streams}{more}"
            )

    def _left(self) -> Iterator[str]:
        if self._odd > 1:
            yield f"{self._odd - 1} later checkpoints therefore cannot be compared"
        yield from map(_not_extended, self._kept)
        snapshot = self._journal.snapshot(CHECKPOINTS)
        if snapshot is None or self._odd or snapshot.version != self.past.checkpoints:
            return
        if snapshot.body != frontier_body(self._tree, self.reached):
            yield "the snapshot kept for this entry is not the state after it"

    def _unsigned(self) -> Iterator[Difference]:
        """Check the times of the entries after the last checkpoint."""
        spans = tuple(
            Span(stream, self.reached.get(stream, 0) + 1, head.version)
            for stream, head in sorted(self._heads.items())
            if stream != CHECKPOINTS and head.version > self.reached.get(stream, 0)
        )
        self._uncovered = sum(span.last - span.first + 1 for span in spans)
        bound, now = _shifted(self.past.at, -LATE), stamp(self._now + AHEAD)
        for leaf in leaves(self._journal, spans):
            yield from _back_dated(leaf, bound, self.past.at)
            if leaf.at > now:
                yield _dated_ahead(leaf, "which is after now")


def _named(checkpoint: Checkpoint) -> str:
    return f"the checkpoint of {checkpoint.size} entries at {plain(checkpoint.at)}"


def _not_extended(kept: Checkpoint) -> str:
    return (
        f"the journal does not go on from {_named(kept)}, which was kept: it was cut, changed, or "
        "an older copy was put in its place"
    )


def _bytes(digest: str) -> bytes:
    try:
        return bytes.fromhex(digest)
    except ValueError:
        return digest.encode()


def _shifted(at: str, by: timedelta) -> str:
    """Return the time moved by `by`, or an empty string if the time cannot be read."""
    try:
        return stamp(datetime.fromisoformat(at) + by)
    except (ValueError, CroupierError, OverflowError):
        return ""


def _untrusted(foreign: dict[str, int], checkpoints: int, *, has_trust: bool) -> Gap:
    keys = ", ".join(sorted(foreign))
    if not has_trust:
        return Gap(
            "this machine has no key, and none was named with --key",
            f"anyone could have signed its checkpoints (their key is {keys})",
        )
    return Gap(
        f"{sum(foreign.values()):,} of {checkpoints:,} checkpoints are signed with {keys}, not "
        "with this machine's key",
        "anyone could have signed them (if you know the key, name it with --key)",
    )


def _back_dated(leaf: Leaf, bound: str, signed: str) -> Iterator[Difference]:
    if leaf.at < bound:
        message = f"it is dated {plain(leaf.at)}, but came after the checkpoint of {plain(signed)}"
        yield Difference(leaf.stream, leaf.version, message)


def _dated_ahead(leaf: Leaf, why: str) -> Difference:
    return Difference(leaf.stream, leaf.version, f"it is dated {plain(leaf.at, 40)}, {why}")
