"""A Merkle tree that grows at its right end, as RFC 6962 (section 2.1) describes it.

A leaf is SHA-256(0x00, the hash of an entry), a node SHA-256(0x01, left, right). Only the roots of
the complete subtrees, a few dozen at most, are kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

__all__ = ["Frontier", "path_to", "root_by_path"]


def _leaf(entry_hash: bytes) -> bytes:
    return sha256(b"\0" + entry_hash).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


class Frontier:
    """The right edge of a tree: as many subtree roots as `size` has ones in binary."""

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        self.size = size
        self.peaks = list(peaks)

    def add(self, entry_hash: bytes) -> None:
        found, size = _leaf(entry_hash), self.size
        while size & 1:
            found = _node(self.peaks.pop(), found)
            size >>= 1
        self.peaks.append(found)
        self.size += 1

    @property
    def root(self) -> bytes:
        if not self.peaks:
            return sha256(b"").digest()
        found = self.peaks[-1]
        for peak in reversed(self.peaks[:-1]):
            found = _node(peak, found)
        return found


class _Subtree(NamedTuple):
    height: int
    root: bytes
    has_leaf: bool
    """The leaf that is looked for is in it."""


def path_to(place: int, entry_hashes: Iterable[bytes]) -> list[bytes]:
    """What has to be hashed with leaf `place` to come to the root, from the bottom up."""
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
    """The root that a path leads to; nothing where no tree of this size has such a path."""
    if not 0 <= place < size:
        return None
    found, sides = _leaf(entry_hash), list(_sides(place, size))
    if len(sides) != len(path):
        return None
    for is_right, other in zip(sides, path, strict=True):
        found = _node(other, found) if is_right else _node(found, other)
    return found


def _sides(place: int, size: int) -> Iterator[bool]:
    """On the way up from a leaf: is it the right one of two? At the right edge of the tree a
    subtree without a neighbour goes up as it is."""
    last = size - 1
    while last:
        if place & 1:
            yield True
        elif place < last:
            yield False
        place, last = place >> 1, last >> 1
