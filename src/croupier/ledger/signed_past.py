"""Is the journal's past the one that was signed?

The tree is built anew from the entries and compared with every checkpoint: those that the journal
has, and those that somebody has kept elsewhere. Entries that came later must not be dated earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec

from croupier.errors import CroupierError, plain
from croupier.ledger.chain import GENESIS
from croupier.ledger.checkpoints import (
    CHECKPOINTS,
    Checkpoint,
    CheckpointRecord,
    Leaf,
    Span,
    checkpoint_record,
    frontier_body,
    leaves,
)
from croupier.ledger.differences import Difference
from croupier.ledger.entries import StreamHead, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.merkle import Frontier

__all__ = ["SignedPast", "SignedWalk"]

LATE: Final = timedelta(minutes=10)
"""So long an entry may wait between its time and the disk."""


class SignedPast(msgspec.Struct, frozen=True):
    """`size`: so many entries are under the last checkpoint. `keys`: what signed them."""

    size: int = 0
    checkpoints: int = 0
    at: str = ""
    keys: tuple[str, ...] = ()


class SignedWalk:
    """All checkpoints of a journal in order, held against its entries as far as `heads`.

    `kept`: checkpoints that somebody kept elsewhere. With them, or with `keys`, every checkpoint of
    the journal must be signed by one of these keys.
    """

    def __init__(
        self,
        journal: Journal,
        heads: dict[str, StreamHead],
        kept: Sequence[Checkpoint] = (),
        keys: Iterable[str] = (),
    ) -> None:
        self._journal = journal
        self._heads = heads
        self._kept = sorted(kept, key=lambda one: one.size)
        self._trusted = {*keys, *(one.key for one in kept)}
        self._tree = Frontier()
        self.reached: dict[str, int] = {}
        """How far checkpoints cover each stream."""
        self._odd = 0
        self.past = SignedPast()
        """How far the walk has come."""

    def differences(self) -> Iterator[Difference]:
        yield from self._forged()
        last = self._heads[CHECKPOINTS].version if CHECKPOINTS in self._heads else 0
        for entry in self._journal.read(CHECKPOINTS, up_to=last):
            try:
                record = checkpoint_record(entry)
            except CroupierError as error:
                yield Difference(CHECKPOINTS, entry.version, error.message)
                continue
            for message in self._signature(record.checkpoint):
                yield Difference(CHECKPOINTS, entry.version, message)
            for message in self._listed(record.spans):
                yield Difference(CHECKPOINTS, entry.version, message)
            yield from self._grow(record)
            for message in self._same_root(record):
                yield Difference(CHECKPOINTS, entry.version, message)
        for message in self._left():
            yield Difference(CHECKPOINTS, last, message)
        yield from self._unsigned()

    def _forged(self) -> Iterator[Difference]:
        for one in self._kept:
            if not one.is_signed:
                message = f"of what was kept, {_named(one)} is not signed by its key"
                yield Difference(CHECKPOINTS, 0, message)

    def _signature(self, checkpoint: Checkpoint) -> Iterator[str]:
        key = plain(checkpoint.key, 64)
        if not checkpoint.is_signed:
            yield f"{_named(checkpoint)} is not signed by its key {key}"
        if self._trusted and checkpoint.key not in self._trusted:
            yield f"{_named(checkpoint)} is signed with the key {key}, which nobody named"

    def _listed(self, spans: tuple[Span, ...]) -> Iterator[str]:
        """Every span goes on where the one before ended, and what it lists is still there."""
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
        """The entries of a checkpoint come to the tree. They are not older than the checkpoint
        before; a clock that was set back shows in the time of the checkpoint itself."""
        checkpoint, before = record.checkpoint, self.past.at
        bound = _earlier(min(before, checkpoint.at))
        size = self._tree.size
        for leaf in leaves(self._journal, record.spans):
            self._tree.add(_bytes(leaf.hash))
            yield from _back_dated(leaf, bound, before)
        for span in record.spans:
            size += span.last - span.first + 1
            self.reached[span.stream] = max(self.reached.get(span.stream, 0), span.last)
        while self._tree.size < size:  # the places of those that are gone
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
        """What came after the last checkpoint."""
        spans = tuple(
            Span(stream, self.reached.get(stream, 0) + 1, head.version)
            for stream, head in sorted(self._heads.items())
            if stream != CHECKPOINTS and head.version > self.reached.get(stream, 0)
        )
        bound = _earlier(self.past.at)
        for leaf in leaves(self._journal, spans) if bound else ():
            yield from _back_dated(leaf, bound, self.past.at)


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


def _earlier(at: str) -> str:
    try:
        return stamp(datetime.fromisoformat(at) - LATE)
    except (ValueError, CroupierError, OverflowError):
        return ""


def _back_dated(leaf: Leaf, bound: str, signed: str) -> Iterator[Difference]:
    if leaf.at < bound:
        message = f"it is dated {plain(leaf.at)}, but came after the checkpoint of {plain(signed)}"
        yield Difference(leaf.stream, leaf.version, message)
