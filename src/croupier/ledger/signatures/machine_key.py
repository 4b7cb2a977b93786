"""The key of this machine: it signs checkpoints, seals rounds in play and authenticates entries.

One file of 32 random bytes in hexadecimal, outside every database, readable by its owner only.
Separate keys to sign, to seal and to make MACs are derived from it, so that none reveals another.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.errors import BadRequest, CroupierError, plain
from croupier.ledger.data_folder import default_key

_HEX: Final = re.compile(r"[0-9a-f]{64}")


class KeyUnavailable(CroupierError):
    """The key of this machine cannot be read or created."""

    code = "key_unavailable"


class MachineKey:
    """Keys derived from one secret: Ed25519 to sign with, 256 bits each to seal and to make MACs
    with."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @cached_property
    def _signer(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self._derived("sign"))

    @cached_property
    def public(self) -> str:
        """The public key, for auditors to keep: 64 hexadecimal digits."""
        return self._signer.public_key().public_bytes_raw().hex()

    @cached_property
    def sealing(self) -> bytes:
        return self._derived("seal")

    def macs_of(self, journal: str) -> bytes:
        """Return the key for the MACs of one journal. Entries of another journal, such as the play
        chips of a demo, cannot be copied into it."""
        return sha256(b"%b\n%b" % (self._derived("mac"), journal.encode())).digest()

    def sign(self, text: bytes) -> str:
        return self._signer.sign(text).hex()

    def _derived(self, purpose: str) -> bytes:
        return sha256(b"croupier machine key 1\n%b\n%b" % (purpose.encode(), self._secret)).digest()


def is_public_key(text: str) -> bool:
    """Whether the text is 32 bytes in hexadecimal."""
    return _HEX.fullmatch(text) is not None


def is_signed(text: bytes, signature: str, public: str) -> bool:
    """Whether this text was signed with the key that belongs to this public key."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True


def machine_key(path: Path | None = None, *, make: bool = True) -> MachineKey:
    """Return the key in this file, else in the default place; with `make` it is created at first
    use."""
    path = path or default_key()
    try:
        if make:
            _make(path)
        _check_mode(path)
        text = path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise KeyUnavailable(
            f"the key {plain(path, 200)} cannot be used: {reason}; name another with "
            "CROUPIER_KEY_FILE"
        ) from None
    if not _HEX.fullmatch(text):
        raise KeyUnavailable(
            f"{plain(path, 200)} is not a machine key, which is 64 hexadecimal digits"
        )
    return MachineKey(bytes.fromhex(text))


def own_public_key() -> str | None:
    """Return the public key of this machine, or None if it has no readable key; none is created."""
    try:
        return machine_key(make=False).public
    except KeyUnavailable:
        return None


def _check_mode(path: Path) -> None:
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise KeyUnavailable(
            f"the key {plain(path, 200)} can be read by others: `chmod 600` it, and make a new one "
            "if somebody may have copied it"
        )


def _make(path: Path) -> None:
    """Create the key file atomically: if two processes create it at once, the first one wins."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        number = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(number, "w", encoding="ascii") as file:
            file.write(os.urandom(32).hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    except OSError as error:
        raise BadRequest(
            f"the key {plain(path, 200)} cannot be made: {error.strerror or error}; name another "
            "place with CROUPIER_KEY_FILE",
            code=KeyUnavailable.code,
        ) from None
    finally:
        draft.unlink(missing_ok=True)
