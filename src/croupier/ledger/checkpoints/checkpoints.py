"""Checkpoints: signed statements that the journal had these entries and no others.

The leaves of one Merkle tree (RFC 6962, section 2.1) are the hashes of all entries of all streams.
A checkpoint appends the new entries of every stream that has grown, streams in the order of their
names. It holds the number of leaves, their root and the time, signed with the key of the machine.
Checkpoints have a stream of their own, which is not part of the tree. Anyone who keeps a checkpoint
elsewhere can detect any change to the entries that it covers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import select

from croupier.errors import BadData
from croupier.ledger.entries import Addition, Entry, NewEntry, stamp
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.chain import ChainBroken
from croupier.ledger.signatures.machine_key import MachineKey, is_signed
from croupier.ledger.signatures.macs import EntryForged, Macs
from croupier.ledger.stores.schema import entries

CHECKPOINTS: Final = "checkpoints"
_BATCH: Final = 5000
_encode: Final = msgspec.json.Encoder().encode


class Checkpoint(msgspec.Struct, frozen=True):
    """The whole journal up to a certain entry, under one signature."""

    size: int
    """The number of entries under the root."""
    root: str
    """The root of the tree of all entries, in hexadecimal."""
    at: str
    """The time of signing, in UTC."""
    key: str
    """The public key, in hexadecimal."""
    signature: str
    """The signature, in hexadecimal."""

    @property
    def text(self) -> bytes:
        """The signed text."""
        return signed_text(self.size, self.root, self.at)

    @property
    def is_signed(self) -> bool:
        """Whether the signature was made with the key."""
        return is_signed(self.text, self.signature, self.key)


class Span(msgspec.Struct, frozen=True, array_like=True):
    """Entries `first` to `last` of a stream."""

    stream: str
    first: int
    last: int


class CheckpointRecord(msgspec.Struct, frozen=True):
    """A checkpoint as the journal stores it: with the entries that it added to the tree."""

    checkpoint: Checkpoint
    spans: tuple[Span, ...]


class _FrontierState(msgspec.Struct, frozen=True):
    """The state from which the tree continues: the snapshot of the checkpoint stream."""

    size: int
    peaks: tuple[str, ...]
    reached: dict[str, int]
    """The last entry of each stream that is in the tree."""


class Leaf(NamedTuple):
    stream: str
    version: int
    at: str
    hash: str


_decode_record: Final = msgspec.json.Decoder(CheckpointRecord).decode
_decode_state: Final = msgspec.json.Decoder(_FrontierState).decode


def signed_text(size: int, root: str, at: str) -> bytes:
    return f"croupier checkpoint 1\n{size}\n{root}\n{at}\n".encode()


def checkpoint_record(entry: Entry) -> CheckpointRecord:
    try:
        return _decode_record(entry.body)
    except msgspec.DecodeError as error:
        raise BadData(f"it is no checkpoint: {error}") from None


def checkpoint_records(journal: Journal) -> Iterator[CheckpointRecord]:
    return map(checkpoint_record, journal.read(CHECKPOINTS))


def latest_checkpoint(journal: Journal) -> Checkpoint | None:
    last = journal.head(CHECKPOINTS).version
    entry = next(journal.read(CHECKPOINTS, last - 1), None) if last else None
    return checkpoint_record(entry).checkpoint if entry is not None else None


def take_checkpoint(
    journal: Journal, key: MachineKey, at: datetime | None = None
) -> Checkpoint | None:
    """Sign the entries that the journal has now. Return the last checkpoint if nothing was added
    since, None for an empty journal. `Conflict` if another process is signing as well.

    Only entries written by processes with the key of this machine are signed: a stream is left out
    from the first entry whose MAC is wrong, and `Journal.refused` names it.
    """
    macs = journal.macs_to_write()
    last = journal.head(CHECKPOINTS).version
    state = _state(journal, last)
    tree = Frontier(state.size, [bytes.fromhex(peak) for peak in state.peaks])
    spans = []
    for span in _grown(journal, state):
        signed = _add_to(tree, journal, span, macs)
        spans += [Span(span.stream, span.first, signed)] if signed >= span.first else []
    if not spans:
        return latest_checkpoint(journal)
    when = at or datetime.now(UTC)
    size, root, time = tree.size, tree.root.hex(), stamp(when)
    made = Checkpoint(size, root, time, key.public, key.sign(signed_text(size, root, time)))
    reached = state.reached | {span.stream: span.last for span in spans}
    entry = NewEntry("checkpoint", _encode(CheckpointRecord(made, tuple(spans))))
    journal.add(
        Addition(CHECKPOINTS, last, (entry,), snapshot=frontier_body(tree, reached)), at=when
    )
    return made


def _grown(journal: Journal, state: _FrontierState) -> Iterator[Span]:
    """Yield the entries added to each stream since the last checkpoint."""
    versions = journal.versions()
    for stream, reached in state.reached.items():
        if versions.get(stream, 0) < reached:
            fault = f"it is missing: {reached} entries of the stream were signed"
            journal.refuse(ChainBroken(stream, versions.get(stream, 0) + 1, fault))
    for stream, version in sorted(versions.items()):
        if stream != CHECKPOINTS and version > state.reached.get(stream, 0):
            yield Span(stream, state.reached.get(stream, 0) + 1, version)


def _add_to(tree: Frontier, journal: Journal, span: Span, macs: Macs) -> int:
    """Add the entries of a span up to the first wrong MAC; return the version of the last entry
    added."""
    version = span.first - 1
    try:
        for entry in journal.stored(span.stream, version, span.last):
            if entry.version != version + 1 or not macs.vouches_for(entry):
                raise EntryForged(span.stream, version + 1)
            tree.add(bytes.fromhex(entry.hash))
            version = entry.version
    except ChainBroken as error:
        journal.refuse(error)
    return version


def _state(journal: Journal, last: int) -> _FrontierState:
    """Return the tree after the last checkpoint: from its snapshot, or rebuilt from the entries."""
    if not last:
        return _FrontierState(0, (), {})
    kept = journal.snapshot(CHECKPOINTS)
    if kept is not None and kept.version == last:
        try:
            return _decode_state(kept.body)
        except msgspec.DecodeError:
            pass  # it is only a shortcut
    if journal.head(CHECKPOINTS).version != last:
        raise Conflict("another process has signed a checkpoint: try again")
    tree, reached = Frontier(), dict[str, int]()
    for record in checkpoint_records(journal):
        for leaf in leaves(journal, record.spans):
            tree.add(bytes.fromhex(leaf.hash))
        reached |= {span.stream: span.last for span in record.spans}
    return _decode_state(frontier_body(tree, reached))


def frontier_body(tree: Frontier, reached: dict[str, int]) -> bytes:
    """Return the body of the checkpoint stream's snapshot."""
    peaks = tuple(peak.hex() for peak in tree.peaks)
    return _encode(_FrontierState(tree.size, peaks, dict(sorted(reached.items()))))


def leaves(journal: Journal, spans: tuple[Span, ...]) -> Iterator[Leaf]:
    """Yield the entries of the spans that exist, in order; only the fields that the tree needs."""
    c = entries.c
    for span in spans:
        after = span.first - 1
        query = select(c.version, c.at, c.hash).where(c.stream == span.stream).order_by(c.version)
        while after < span.last:
            up_to = min(span.last, after + _BATCH)
            with journal.reader() as connection:
                rows = connection.execute(query.where(c.version.between(after + 1, up_to))).all()
            for row in rows:
                yield Leaf(span.stream, row.version, str(row.at), str(row.hash))
            after = up_to


# -- the Merkle tree -------------------------------------------------------------------------------


def _leaf(entry_hash: bytes) -> bytes:
    return sha256(b"\0" + entry_hash).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


class Frontier:
    """The right edge of a Merkle tree: one subtree root for each one bit of `size`."""

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        self.size = size
        self.peaks = list(peaks)

    def add(self, entry_hash: bytes) -> None:
        root, size = _leaf(entry_hash), self.size
        while size & 1:
            root = _node(self.peaks.pop(), root)
            size >>= 1
        self.peaks.append(root)
        self.size += 1

    @property
    def root(self) -> bytes:
        if not self.peaks:
            return sha256(b"").digest()
        root = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            root = _node(peak, root)
        return root


class _Subtree(NamedTuple):
    height: int
    root: bytes
    has_leaf: bool
    """Whether the leaf being located is in it."""


def path_to(place: int, entry_hashes: Iterable[bytes]) -> list[bytes]:
    """Return the sibling hashes that lead from leaf `place` to the root, from the bottom up."""
    path: list[bytes] = []
    stack: list[_Subtree] = []
    for number, entry_hash in enumerate(entry_hashes):
        new = _Subtree(0, _leaf(entry_hash), number == place)
        while stack and stack[-1].height == new.height:
            new = _joined(stack.pop(), new, path)
        stack.append(new)
    while len(stack) > 1:
        right = stack.pop()
        stack.append(_joined(stack.pop(), right, path))
    return path


def _joined(left: _Subtree, right: _Subtree, path: list[bytes]) -> _Subtree:
    if left.has_leaf:
        path.append(right.root)
    elif right.has_leaf:
        path.append(left.root)
    has_leaf = left.has_leaf or right.has_leaf
    return _Subtree(left.height + 1, _node(left.root, right.root), has_leaf)


def root_by_path(entry_hash: bytes, place: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root that a path leads to, or None if a tree of this size has no such path."""
    if not 0 <= place < size:
        return None
    root, sides = _leaf(entry_hash), list(_sides(place, size))
    if len(sides) != len(path):
        return None
    for is_right, sibling in zip(sides, path, strict=True):
        root = _node(sibling, root) if is_right else _node(root, sibling)
    return root


def _sides(place: int, size: int) -> Iterator[bool]:
    """Yield, on the way up from a leaf, whether each node is the right one of its pair. At the
    right edge of the tree a subtree without a sibling moves up unchanged."""
    last = size - 1
    while last:
        if place & 1:
            yield True
        elif place < last:
            yield False
        place, last = place >> 1, last >> 1
