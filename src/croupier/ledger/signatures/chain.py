"""The chain: every entry's hash covers the entry and the hash before it.

The text that is hashed has seven fields, each written as its length in bytes, a colon, the field
and a line feed, so that no field can run into the next:

    previous hash, stream, version, at, kind, body, transfers

`transfers` is the JSON text `[["source","target",cents],…]` without spaces, `[]` when there are
none. Before version 1 the previous hash is 64 zeros. docs/ledger.md shows how to do it by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from sqlalchemy import Row

from croupier.errors import BadRequest, CroupierError, plain
from croupier.ledger.entries import Addition, Entry, StreamHead, Transfer
from croupier.ledger.stores.database import EntryRow

GENESIS: Final = "0" * 64
_FIELDS: Final = b"%d:%b\n" * 6
_encode: Final = msgspec.json.Encoder().encode
_decode_transfers: Final = msgspec.json.Decoder(tuple[Transfer, ...]).decode


class ChainBroken(CroupierError):
    """The journal is not as it was written: `version` is the first entry that differs."""

    code = "chain_broken"

    def __init__(self, stream: str, version: int, message: str) -> None:
        super().__init__(f"{plain(stream, 200)}, entry {version}: {message}")
        self.stream = stream
        self.version = version
        self.message_alone = message

    def within(self, where: str) -> CroupierError:
        return CroupierError(f"{where}: {self}", code=self.code)


def hash_of(
    previous: str,
    stream: str,
    version: int,
    at: str,
    entry_kind: str,
    body: bytes,
    transfers: Sequence[Transfer],
) -> str:
    return sha256(
        hashed_text(previous, stream, version, at, entry_kind, body, transfers)
    ).hexdigest()


def hashed_text(
    previous: str,
    stream: str,
    version: int,
    at: str,
    entry_kind: str,
    body: bytes,
    transfers: Sequence[Transfer],
) -> bytes:
    text = contents(stream, version, at, entry_kind, body, transfers_text(transfers))
    return b"%d:%b\n%b" % (len(previous), previous.encode(), text)


def transfers_text(transfers: Sequence[Transfer]) -> bytes:
    return _encode(transfers) if transfers else b"[]"


def contents(
    stream: str, version: int, at: str, entry_kind: str, body: bytes, moved: bytes
) -> bytes:
    """Return the last six fields: the content of the entry itself."""
    b, c, d, e = stream.encode(), b"%d" % version, at.encode(), entry_kind.encode()
    f, g = body, moved
    # fmt: off
    return _FIELDS % (len(b), b, len(c), c, len(d), d, len(e), e, len(f), f, len(g), g)
    # fmt: on


def contents_of(entry: Entry) -> bytes:
    """Return the same six fields of an entry that was read."""
    place = (entry.stream, entry.version, entry.at, entry.kind)
    return contents(*place, entry.text, transfers_text(entry.transfers))


def hash_after(previous: str, text: bytes) -> str:
    """Return the hash of an entry with these contents, after the entry with the hash `previous`."""
    digest = sha256(b"%d:%b\n" % (len(previous), previous.encode()))
    digest.update(text)
    return digest.hexdigest()


def chain_rows(
    mac_of: Callable[[str, bytes], str],
    previous: str,
    addition: Addition,
    at: str,
    written: list[Entry],
) -> list[EntryRow]:
    """Return the rows of an addition, chained to the hash `previous`, and append its entries to
    `written`. `mac_of` is `Macs.of_contents`. Each entry is encoded once, to be hashed and
    stored."""
    stream, version, rows = addition.stream, addition.after, []
    for new in addition.entries:
        version += 1
        entry_kind, body, transfers = new.kind, new.body, new.transfers
        _check_text(body, stream)
        moved = transfers_text(transfers)
        text = contents(stream, version, at, entry_kind, body, moved)
        previous = hash_after(previous, text)
        mac = mac_of(previous, text)
        rows.append((stream, version, at, entry_kind, body, moved.decode(), mac, previous))
        written.append(Entry(stream, version, at, entry_kind, body, transfers, previous, mac=mac))
    return rows


def _check_text(body: bytes, stream: str) -> None:
    try:
        body.decode()
    except UnicodeDecodeError:
        raise BadRequest(f"a body for {stream} is not UTF-8") from None
    if b"\0" in body:
        raise BadRequest(f"a body for {stream} is not JSON: it has a NUL character")


def check_chain(entries: Iterable[Entry], after: StreamHead | None = None) -> StreamHead:
    """Check the hashes of one stream and return its head; `after` is the head to start from."""
    version, previous = (0, GENESIS) if after is None else (after.version, after.hash)
    stream: str | None = None
    for entry in entries:
        version += 1
        if stream is None:
            stream = entry.stream
        if entry.version != version or entry.stream != stream:
            message = f"entry {entry.version} of {plain(entry.stream)} comes instead"
            raise ChainBroken(stream, version, f"it is missing: {message}")
        expected = hash_of(
            previous, stream, version, entry.at, entry.kind, entry.text, entry.transfers
        )
        if entry.is_pruned:
            expected = entry.hash
        if entry.hash != expected:
            problem = f"its hash is {plain(entry.hash, 64)}, but its contents give {expected}"
            raise ChainBroken(stream, version, problem)
        previous = expected
    return StreamHead(version, previous)


def entry_of(row: Row[*tuple[Any, ...]], expected: int) -> Entry:
    """Return the entry that a row holds; refuse a row that the journal cannot have written."""
    stream, version, at, entry_kind, body, transfers, digest, *mac = tuple(row)
    try:
        decoded = () if transfers == "[]" else _decode_transfers(transfers)
        if decoded and _encode(decoded).decode() != transfers:
            raise ChainBroken(stream, expected, "its transfers are not in the journal's form")
        texts = (at, entry_kind, digest, *mac)
        if not (all(type(text) is str for text in texts) and type(version) is int):
            raise TypeError
        body = body.encode()
        return Entry(
            stream, version, at, entry_kind, body, decoded, digest, mac=mac[0] if mac else ""
        )
    except (msgspec.DecodeError, AttributeError, TypeError, UnicodeError):
        message = "it cannot be read: the journal did not write it"
        raise ChainBroken(stream, expected, message) from None
