"""Which key opens the sealed entries of a round, and the entries opened with it.

The key of a round that is over stands in the entry that ended it. Of one that is played, whoever
has the key of the machine unwraps it. Where neither is at hand, an entry is read without what is
sealed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final, Protocol

import msgspec
from msgspec.structs import replace

from croupier.errors import BadData, CroupierError
from croupier.ledger.entries import Chapter, Entry
from croupier.ledger.machine_key import MachineKey, machine_key
from croupier.ledger.sealing import (
    RoundSeal,
    SealedPart,
    clear_part,
    commitment_to,
    is_key_of,
    is_sealed,
    sealed_part,
    unsealed,
    unwrapped,
    wrapped,
)

__all__ = ["RoundKeys", "opened_with", "opening_seal", "told_key"]

MOST_KEPT: Final = 4000


class _Source(Protocol):
    """What a journal gives to find a key by."""

    def chapter(self, stream: str, number: int) -> Chapter | None: ...

    def stored(self, stream: str, after: int, up_to: int | None) -> Iterable[Entry]: ...


class _Opening(msgspec.Struct, frozen=True):
    """Of an entry that ends a round."""

    opens: str = ""


_decode_opening: Final = msgspec.json.Decoder(_Opening).decode


class RoundKeys:
    """Of one journal. Keys are looked up once for each round."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._machine: MachineKey | None = None
        self._known: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def opened(self, entry: Entry) -> Entry:
        """The entry with all that it says; `shut` where its key is not at hand."""
        if not is_sealed(entry.body):
            return entry
        part = sealed_part(entry.body)
        key = self.key(entry.stream, part.round, part.of)
        return opened_with(entry, part, key)

    def key(self, stream: str, number: int, first: int) -> bytes | None:
        """Of the round that this entry opened; nothing where it was not sealed, or where the key is
        not at hand."""
        place = (stream, first)
        found = self._known.get(place)
        if found is None:
            seal = opening_seal(next(iter(self._source.stored(stream, first - 1, first)), None))
            if seal is None:
                return None
            found = self._published(stream, number, first, seal)
            found = found or self._unwrapped(stream, first, seal)
            if found is not None:
                self._known[place] = found
                while len(self._known) > MOST_KEPT:
                    self._known.popitem(last=False)
        return found

    def seal(self, stream: str, first: int, key: bytes) -> RoundSeal:
        """For the entry that opens a round with this key."""
        machine = self._of_machine(make=True)
        return RoundSeal(commitment_to(key), wrapped(machine.sealing, stream, first, key))

    def _of_machine(self, *, make: bool) -> MachineKey:
        if self._machine is None:
            self._machine = machine_key(make=make)
        return self._machine

    def _published(self, stream: str, number: int, first: int, seal: RoundSeal) -> bytes | None:
        """In the entry that ended the round: where the index has it, or else the next that has a
        key."""
        chapter = self._source.chapter(stream, number)
        if chapter is not None and chapter.first == first:
            last = self._source.stored(stream, chapter.last - 1, chapter.last)
            found = next(iter(map(told_key, last)), None)
            if found is not None and is_key_of(seal, found):
                return found
        for entry in self._source.stored(stream, first, None):
            if is_sealed(entry.body) and _is_opening(entry):
                return None
            found = told_key(entry)
            if found is not None:
                return found if is_key_of(seal, found) else None
        return None

    def _unwrapped(self, stream: str, first: int, seal: RoundSeal) -> bytes | None:
        try:
            found = unwrapped(self._of_machine(make=False).sealing, stream, first, seal.key)
        except CroupierError:
            return None
        return found if found is not None and is_key_of(seal, found) else None


def opened_with(entry: Entry, part: SealedPart, key: bytes | None) -> Entry:
    text = None
    if key is not None:
        text = unsealed(key, entry.stream, entry.version, part.sealed)
    if text is None:
        return replace(entry, body=clear_part(entry.body), stored=entry.body, shut=True)
    return replace(entry, body=text, stored=entry.body)


def told_key(entry: Entry) -> bytes | None:
    """The key that an entry tells, if it ended a round."""
    if b'"opens":"' not in entry.body:
        return None
    try:
        return bytes.fromhex(_decode_opening(entry.body).opens) or None
    except (msgspec.DecodeError, ValueError):
        return None


def opening_seal(entry: Entry | None) -> RoundSeal | None:
    """The seal of the round that the entry, as it is stored, opened."""
    if entry is None or not is_sealed(entry.body):
        return None
    try:
        return sealed_part(entry.body).seal
    except BadData:
        return None


def _is_opening(entry: Entry) -> bool:
    return opening_seal(entry) is not None
