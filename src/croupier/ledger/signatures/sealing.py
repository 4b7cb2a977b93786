"""Sealing: cards that lie face down in a round are encrypted in the journal until the round ends.

Every round has its own key of 256 random bits. The secret parts of an entry are encrypted with it
(ChaCha20-Poly1305); the rest is stored beside them in the clear. The entry that opens the round has
the round's key, wrapped with the key of the machine, and a commitment to it; the entry that ends
the round has the key itself, so that from then on everybody can read all.

`RoundKeys` finds the key of a round: published in the journal, or unwrapped with the machine's key.
Without either, an entry is read without its sealed part.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import os
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from typing import Final, Protocol

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec.structs import replace

from croupier.errors import BadData, CroupierError, plain
from croupier.ledger.entries import Chapter, Entry
from croupier.ledger.signatures.machine_key import MachineKey, machine_key

_BEGINNING: Final = b'{"sealed":"'
_SEALED_OPENING: Final = _BEGINNING.decode()
_HAS_SEAL: Final = '"seal":{"'
_HAS_KEY: Final = '"opens":"'
_OF_SEAL: Final = frozenset({"sealed", "round", "of", "seal"})
_NONCE: Final = 12
_STEP: Final = 512
"""Texts are padded with blanks to a multiple of this, to hide their exact length."""


class RoundSeal(msgspec.Struct, frozen=True):
    """`commitment`: to the key of the round. `key`: the wrapped key itself."""

    commitment: str
    key: str


class SealedPart(msgspec.Struct, frozen=True):
    """The first fields of a sealed body; the rest of it is in the clear. `of` is the entry that
    opened the round; only that entry has the seal."""

    sealed: str
    round: int
    of: int
    seal: RoundSeal | None = None


_decode_part: Final = msgspec.json.Decoder(SealedPart).decode
_decode_fields: Final = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


def sealed_part(body: bytes) -> SealedPart:
    try:
        return _decode_part(body)
    except msgspec.MsgspecError as error:
        raise BadData(f"not a sealed record of ours: {plain(error, 200)}") from None


def clear_part(body: bytes) -> bytes:
    """Return the body without its sealed part."""
    fields = _decode_fields(body)
    kept = {name: part for name, part in fields.items() if name not in _OF_SEAL}
    return msgspec.json.encode(kept)


def is_sealed(body: bytes) -> bool:
    return body.startswith(_BEGINNING)


def new_round_key() -> bytes:
    return os.urandom(32)


def commitment_to(key: bytes) -> str:
    """Return the commitment to a key, fixed when the round opens so that no other key can be
    presented at its end."""
    return sha256(b"croupier round key 1\n" + key.hex().encode() + b"\n").hexdigest()


def sealed_text(key: bytes, stream: str, version: int, text: bytes) -> str:
    filled = text + b" " * (-len(text) % _STEP)
    return _encrypted(key, filled, _place(stream, version))


def unsealed(key: bytes, stream: str, version: int, sealed: str) -> bytes | None:
    """Return the text, or None if this key did not seal it for this entry."""
    filled = _decrypted(key, sealed, _place(stream, version))
    return filled.rstrip(b" ") if filled is not None else None


def wrapped(sealing: bytes, stream: str, version: int, key: bytes) -> str:
    """Return the key of a round, encrypted with the key of the machine."""
    return _encrypted(sealing, key, b"key of " + _place(stream, version))


def unwrapped(sealing: bytes, stream: str, version: int, text: str) -> bytes | None:
    return _decrypted(sealing, text, b"key of " + _place(stream, version))


def is_key_of(seal: RoundSeal, key: bytes) -> bool:
    return hmac.compare_digest(commitment_to(key).encode(), seal.commitment.encode())


def _place(stream: str, version: int) -> bytes:
    return f"{stream} {version}".encode()


def _encrypted(key: bytes, text: bytes, place: bytes) -> str:
    nonce = os.urandom(_NONCE)
    return base64.b64encode(nonce + ChaCha20Poly1305(key).encrypt(nonce, text, place)).decode()


def _decrypted(key: bytes, text: str, place: bytes) -> bytes | None:
    try:
        raw = base64.b64decode(text, validate=True)
        return ChaCha20Poly1305(key).decrypt(raw[:_NONCE], raw[_NONCE:], place)
    except (InvalidTag, ValueError, binascii.Error):
        return None


# -- the keys of rounds ----------------------------------------------------------------------------

MOST_KEPT: Final = 4000


class _Source(Protocol):
    """The parts of a journal that are needed to find a key."""

    def chapter(self, stream: str, number: int) -> Chapter | None: ...

    def stored(self, stream: str, after: int, up_to: int | None) -> Iterable[Entry]: ...


class _Opening(msgspec.Struct, frozen=True):
    """The field with the round's key, in an entry that ends a round."""

    opens: str = ""


_decode_opening: Final = msgspec.json.Decoder(_Opening).decode


class RoundKeys:
    """The round keys of one journal. Each is looked up once."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._machine: MachineKey | None = None
        self._known: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def opened(self, entry: Entry) -> Entry:
        """Return the entry with its sealed part decrypted; it is marked `shut` if its key is not
        available."""
        if not is_sealed(entry.body):
            return entry
        part = sealed_part(entry.body)
        key = self.key(entry.stream, part.round, part.of)
        return opened_with(entry, part, key)

    def key(self, stream: str, number: int, first: int) -> bytes | None:
        """Return the key of the round that entry `first` opened; None if the round was not sealed
        or its key is not available."""
        place = (stream, first)
        key = self._known.get(place)
        if key is None:
            seal = opening_seal(next(iter(self._source.stored(stream, first - 1, first)), None))
            if seal is None:
                return None
            key = self._published(stream, number, first, seal)
            key = key or self._unwrapped(stream, first, seal)
            if key is not None:
                self._keep(place, key)
        return key

    def _keep(self, place: tuple[str, int], key: bytes) -> None:
        self._known[place] = key
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)

    def learn(self, stream: str, bodies: Iterable[tuple[int, object]]) -> None:
        """Keep the keys published in entries that are read anyway, so that none has to be looked
        up. `bodies` are the versions and the stored bodies of consecutive entries."""
        first, seal = 0, None
        for version, body in bodies:
            if not isinstance(body, str):
                continue  # damaged
            if body.startswith(_SEALED_OPENING):
                if _HAS_SEAL in body:
                    with suppress(BadData):
                        first, seal = version, sealed_part(body.encode()).seal
            elif seal is not None and _HAS_KEY in body:
                key = _published_key(body.encode())
                if key is not None and is_key_of(seal, key):
                    self._keep((stream, first), key)
                seal = None

    def seal(self, stream: str, first: int, key: bytes) -> RoundSeal:
        """Return the seal for the entry that opens a round with this key."""
        machine = self._of_machine(make=True)
        return RoundSeal(commitment_to(key), wrapped(machine.sealing, stream, first, key))

    def _of_machine(self, *, make: bool) -> MachineKey:
        if self._machine is None:
            self._machine = machine_key(make=make)
        return self._machine

    def _published(self, stream: str, number: int, first: int, seal: RoundSeal) -> bytes | None:
        """Return the key from the entry that ended the round: the one in the index, or else the
        next entry that has a key."""
        chapter = self._source.chapter(stream, number)
        if chapter is not None and chapter.first == first:
            last = self._source.stored(stream, chapter.last - 1, chapter.last)
            key = next(iter(map(told_key, last)), None)
            if key is not None and is_key_of(seal, key):
                return key
        for entry in self._source.stored(stream, first, None):
            if is_sealed(entry.body) and _is_opening(entry):
                return None
            key = told_key(entry)
            if key is not None:
                return key if is_key_of(seal, key) else None
        return None

    def _unwrapped(self, stream: str, first: int, seal: RoundSeal) -> bytes | None:
        try:
            key = unwrapped(self._of_machine(make=False).sealing, stream, first, seal.key)
        except CroupierError:
            return None
        return key if key is not None and is_key_of(seal, key) else None


def opened_with(entry: Entry, part: SealedPart, key: bytes | None) -> Entry:
    text = None
    if key is not None:
        text = unsealed(key, entry.stream, entry.version, part.sealed)
    if text is None:
        return replace(entry, body=clear_part(entry.body), stored=entry.body, shut=True)
    return replace(entry, body=text, stored=entry.body)


def told_key(entry: Entry) -> bytes | None:
    """Return the key that an entry publishes if it ended a round, else None."""
    return _published_key(entry.body)


def _published_key(body: bytes) -> bytes | None:
    if b'"opens":"' not in body:
        return None
    try:
        return bytes.fromhex(_decode_opening(body).opens) or None
    except (msgspec.DecodeError, ValueError):
        return None


def opening_seal(entry: Entry | None) -> RoundSeal | None:
    """Return the seal if the entry, as it is stored, opened a sealed round, else None."""
    if entry is None or not is_sealed(entry.body):
        return None
    try:
        return sealed_part(entry.body).seal
    except BadData:
        return None


def _is_opening(entry: Entry) -> bool:
    return opening_seal(entry) is not None
