"""What lies face down in a round that is played is sealed at rest, until the round ends.

Every round has a key of its own, 256 random bits. Whatever an entry says that nobody may know yet
is encrypted with it (ChaCha20-Poly1305); the rest stands beside it in the clear. The entry that
opens the round has the round's key, wrapped with the key of the machine, and a commitment to it;
the entry that ends the round has the key itself, so that from then on everybody can read all.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import os
from hashlib import sha256
from typing import Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from croupier.errors import BadData, plain

__all__ = [
    "RoundSeal",
    "SealedPart",
    "clear_part",
    "commitment_to",
    "is_key_of",
    "is_sealed",
    "new_round_key",
    "sealed_part",
    "sealed_text",
    "unsealed",
    "unwrapped",
    "wrapped",
]

_BEGINNING: Final = b'{"sealed":"'
_OF_SEAL: Final = frozenset({"sealed", "round", "of", "seal"})
_NONCE: Final = 12
_STEP: Final = 512
"""Texts are filled up with blanks to a multiple of this: their length tells nothing."""


class RoundSeal(msgspec.Struct, frozen=True):
    """`commitment`: to the key of the round. `key`: the key itself, wrapped."""

    commitment: str
    key: str


class SealedPart(msgspec.Struct, frozen=True):
    """What a sealed body begins with; the rest of it is in the clear. `of` is the entry that opened
    the round, and that entry has the seal."""

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
    """The body without what is sealed."""
    fields = _decode_fields(body)
    kept = {name: part for name, part in fields.items() if name not in _OF_SEAL}
    return msgspec.json.encode(kept)


def is_sealed(body: bytes) -> bool:
    return body.startswith(_BEGINNING)


def new_round_key() -> bytes:
    return os.urandom(32)


def commitment_to(key: bytes) -> str:
    """Fixed when the round opens, so that no other key can be shown at its end."""
    return sha256(b"croupier round key 1\n" + key.hex().encode() + b"\n").hexdigest()


def sealed_text(key: bytes, stream: str, version: int, text: bytes) -> str:
    filled = text + b" " * (-len(text) % _STEP)
    return _encrypted(key, filled, _place(stream, version))


def unsealed(key: bytes, stream: str, version: int, sealed: str) -> bytes | None:
    """The text; nothing if this key did not seal it, or not for this entry."""
    found = _decrypted(key, sealed, _place(stream, version))
    return found.rstrip(b" ") if found is not None else None


def wrapped(sealing: bytes, stream: str, version: int, key: bytes) -> str:
    """The key of a round, for whoever has the key of the machine."""
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
