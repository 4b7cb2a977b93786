"""The values that are written to the journal and read from it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Final, NamedTuple

import msgspec

from croupier.errors import BadData, BadRequest, shown
from croupier.money import MOST_CENTS

MOST_NAME: Final = 200
MOST_VERSION: Final = 2**62
MOST_GOOD_NAMES: Final = 10_000
_good_names: set[str] = set()
_encode: Final = msgspec.json.Encoder().encode
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


class Transfer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Double entry: moves cents from `source` to `target`."""

    source: str
    """The account that pays."""
    target: str
    """The account that receives."""
    cents: int
    """The amount in cents."""


class NewEntry(msgspec.Struct, frozen=True):
    """An entry to write; `body` is canonical JSON and kept byte for byte."""

    kind: str
    body: bytes
    transfers: tuple[Transfer, ...] = ()


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An entry in the journal; `hash` covers all of it and the hash before it."""

    stream: str
    version: int
    at: str
    kind: str
    body: bytes
    transfers: tuple[Transfer, ...]
    hash: str
    stored: bytes = b""
    """The body as stored, if part of it is sealed at rest."""
    shut: bool = False
    """The key to the sealed part is not available, so the body lacks it."""
    mac: str = ""
    """The MAC, by the process that wrote the entry."""

    @property
    def is_pruned(self) -> bool:
        """Whether it is an old refused attempt whose text was pruned by rule: only its hash is
        left."""
        return not self.body and self.stream.startswith("attempts:")

    @property
    def text(self) -> bytes:
        """The body as it is stored and hashed."""
        return self.stored or self.body


class StreamHead(msgspec.Struct, frozen=True):
    """The last entry of a stream; version 0 if it has none."""

    version: int
    hash: str


class Snapshot(msgspec.Struct, frozen=True):
    """The state after entry `version`, so that a replay can start there."""

    version: int
    body: bytes


class Mark(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A key by which a chapter can be found: ("player", "ann"), ("hand", "straight_flush")."""

    name: str
    value: str


def fingerprint(number: int, name: str, value: str) -> int:
    """Return a number for a mark of a chapter. The sum over all marks shows whether an index is
    complete, in any order and in constant memory."""
    return int.from_bytes(blake2b(f"{number}\0{name}\0{value}".encode(), digest_size=16).digest())


class Chapter(msgspec.Struct, frozen=True):
    """Entries `first` to `last` of a stream that belong together, such as a round."""

    stream: str
    number: int
    first: int
    last: int
    began: str
    ended: str
    marks: tuple[Mark, ...] = ()


class Addition(msgspec.Struct, frozen=True):
    """Entries for one stream, from a writer who saw it at version `after`.

    `snapshot` is the state after the last entry. `request` is a key chosen by the client: a request
    that arrives twice is written once.
    """

    stream: str
    after: int
    entries: tuple[NewEntry, ...]
    chapters: tuple[Chapter, ...] = ()
    snapshot: bytes | None = None
    request: str | None = None


class Fence(NamedTuple):
    """The token of the lease under which something is written. It rises with each holder, so a
    process that has lost the lease writes nothing, however late it comes."""

    table: str
    token: int


class Write(NamedTuple):
    """The entries that one command writes. If the journal already has the request key, the command
    was done before, and nothing is written."""

    additions: tuple[Addition, ...]
    at: datetime
    request: str = ""
    fence: Fence | None = None


def seconds(at: datetime | str) -> int:
    """Return whole seconds since 1970, from a time or from a text by `stamp`."""
    try:
        when = datetime.fromisoformat(at) if isinstance(at, str) else at
    except ValueError:
        raise BadData(f"{shown(at)} is not a time") from None
    return int(when.timestamp() // 1)


def stamp(at: datetime) -> str:
    """Return the time as the journal writes it: `2026-11-15T18:04:05.000000Z`, always UTC."""
    if at.tzinfo is None:
        raise BadRequest(f"the time {at} has no time zone: the journal needs one")
    if at.tzinfo is not UTC:
        at = at.astimezone(UTC)
    # msgspec is five times faster than isoformat, but leaves out a zero fraction.
    text = _encode(at)[1:-1].decode()
    return text if len(text) == 27 else f"{text[:19]}.000000Z"


def check_additions(additions: tuple[Addition, ...]) -> None:
    """Refuse, before anything is written, additions that cannot be stored."""
    if len(additions) > 1 and len({added.stream for added in additions}) < len(additions):
        raise BadRequest("two additions to one stream: put their entries into one")
    for addition in additions:
        _check_name("stream", addition.stream)
        if " " in addition.stream:
            raise BadRequest(f"the stream {shown(addition.stream)} has a space in its name")
        if not 0 <= addition.after < MOST_VERSION:
            raise BadRequest(f"a stream cannot be at version {addition.after}")
        if not addition.entries:
            raise BadRequest(f"nothing to add to {addition.stream}: an addition has entries")
        if addition.request is not None:
            _check_name("request", addition.request)
        for entry in addition.entries:
            _check_name("kind", entry.kind)
            for transfer in entry.transfers:
                _check_transfer(transfer)
        for chapter in addition.chapters:
            _check_chapter(chapter, addition)


def _check_name(use: str, name: str) -> None:
    if name in _good_names:
        return
    # Printable text has no NUL and no lone surrogate, which databases treat differently.
    if not (0 < len(name) <= MOST_NAME and name.isprintable()):
        raise BadRequest(
            f"{shown(name)} is not a {use}: write 1 to {MOST_NAME} printable characters"
        )
    if use != "request" and len(_good_names) < MOST_GOOD_NAMES:
        _good_names.add(name)


def _check_transfer(transfer: Transfer) -> None:
    _check_name("account", transfer.source)
    _check_name("account", transfer.target)
    if transfer.source == transfer.target:
        raise BadRequest(f"a transfer from {shown(transfer.source)} to itself")
    if not 0 < transfer.cents <= MOST_CENTS:
        raise BadRequest(
            f"a transfer of {transfer.cents} cents from {transfer.source} to {transfer.target}: "
            f"write 1 to {MOST_CENTS}, and swap the accounts for the other direction"
        )


def _check_chapter(chapter: Chapter, addition: Addition) -> None:
    last = addition.after + len(addition.entries)
    where = f"chapter {chapter.number} of {addition.stream}"
    if chapter.stream != addition.stream:
        raise BadRequest(f"{where}: it says it is of {shown(chapter.stream)}")
    if not 0 <= chapter.number < MOST_VERSION:
        raise BadRequest(f"{where}: chapters are counted from 0")
    if not 1 <= chapter.first <= chapter.last <= last:
        raise BadRequest(
            f"{where}: entries {chapter.first} to {chapter.last} are not among 1 to {last}"
        )
    for time in (chapter.began, chapter.ended):
        if not _STAMP.fullmatch(time):
            raise BadRequest(f"{where}: {shown(time)} is not a time as `stamp` writes it")
    for mark in chapter.marks:
        _check_name("mark", mark.name)
        _check_name("mark", mark.value)


# -- balances --------------------------------------------------------------------------------------


def add_transfers(transfers: Iterable[Transfer], into: dict[str, int]) -> None:
    """Add to `into` the change that the transfers make to each account."""
    for transfer in transfers:
        into[transfer.source] = into.get(transfer.source, 0) - transfer.cents
        into[transfer.target] = into.get(transfer.target, 0) + transfer.cents
