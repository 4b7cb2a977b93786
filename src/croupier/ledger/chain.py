"""The chain: every entry's hash covers the entry and the hash before it.

The text that is hashed has seven fields, each written as its length in bytes, a colon, the field
and a line feed, so that no field can run into the next:

    previous hash, stream, version, at, kind, body, transfers

`transfers` is the JSON text `[["source","target",cents],…]` without spaces, `[]` when there are
none. Before version 1 the previous hash is 64 zeros. docs/ledger.md shows how to do it by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

import msgspec

from croupier.errors import CroupierError, plain
from croupier.ledger.entries import Entry, StreamHead, Transfer

__all__ = ["GENESIS", "ChainBroken", "check_chain", "hash_of", "hashed_text"]

GENESIS: Final = "0" * 64
_FIELDS: Final = b"%d:%b\n" * 7
_encode: Final = msgspec.json.Encoder().encode


class ChainBroken(CroupierError):
    """The journal is not what was written: `version` is the first entry that differs."""

    code = "chain_broken"

    def __init__(self, stream: str, version: int, what: str) -> None:
        super().__init__(f"{plain(stream, 200)}, entry {version}: {what}")
        self.stream = stream
        self.version = version
        self.what = what

    def within(self, where: str) -> CroupierError:
        return CroupierError(f"{where}: {self}", code=self.code)


def hash_of(
    previous: str,
    stream: str,
    version: int,
    at: str,
    kind: str,
    body: bytes,
    transfers: Sequence[Transfer],
) -> str:
    return sha256(hashed_text(previous, stream, version, at, kind, body, transfers)).hexdigest()


def hashed_text(
    previous: str,
    stream: str,
    version: int,
    at: str,
    kind: str,
    body: bytes,
    transfers: Sequence[Transfer],
) -> bytes:
    return joined(previous, stream, version, at, kind, body, transfers_text(transfers))


def transfers_text(transfers: Sequence[Transfer]) -> bytes:
    return _encode(transfers) if transfers else b"[]"


def joined(
    previous: str, stream: str, version: int, at: str, kind: str, body: bytes, moved: bytes
) -> bytes:
    a, b, c = previous.encode(), stream.encode(), b"%d" % version
    d, e, f, g = at.encode(), kind.encode(), body, moved
    # fmt: off
    return _FIELDS % (
        len(a), a, len(b), b, len(c), c, len(d), d, len(e), e, len(f), f, len(g), g
    )
    # fmt: on


def check_chain(entries: Iterable[Entry], after: StreamHead | None = None) -> StreamHead:
    """Check the hashes of one stream and return its head; `after` is where to start."""
    version, previous = (0, GENESIS) if after is None else (after.version, after.hash)
    stream: str | None = None
    for entry in entries:
        version += 1
        if stream is None:
            stream = entry.stream
        if entry.version != version or entry.stream != stream:
            found = f"entry {entry.version} of {plain(entry.stream)} comes instead"
            raise ChainBroken(stream, version, f"it is missing: {found}")
        expected = hash_of(
            previous, stream, version, entry.at, entry.kind, entry.text, entry.transfers
        )
        if entry.is_pruned:
            expected = entry.hash
        if entry.hash != expected:
            what = f"its hash is {plain(entry.hash, 64)}, but its contents give {expected}"
            raise ChainBroken(stream, version, what)
        previous = expected
    return StreamHead(version, previous)
