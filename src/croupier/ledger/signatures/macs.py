"""MACs: they show which entries a process with the key of this machine wrote.

Anyone who can write to the database can compute hashes. The MAC of an entry is a keyed BLAKE2b of
its hash and its contents; its key is derived from the machine's key and the name of the journal.
Nobody without that key can insert an entry or change one.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from hashlib import blake2b
from typing import Final, NamedTuple

import msgspec

from croupier.errors import CroupierError
from croupier.ledger.entries import Entry
from croupier.ledger.signatures.chain import (
    ChainBroken,
    contents_of,
)
from croupier.ledger.signatures.machine_key import KeyUnavailable, MachineKey, machine_key

SIZE: Final = 16
KEYS: Final = "keys"


class EntryForged(ChainBroken):
    """An entry that no process with the key of this machine wrote."""

    code = "entry_forged"

    def __init__(self, stream: str, version: int) -> None:
        super().__init__(stream, version, FORGED)


FORGED: Final = (
    "its MAC is wrong: it was put in or changed by something that does not have the key of this "
    "machine. Nothing is played or paid from it; `croupier verify` lists all such entries"
)


class AnotherKey(CroupierError):
    """The journal's entries are vouched for by a key that this machine does not have."""

    code = "another_key"


class Identity(NamedTuple):
    """The random name of a journal, and the public key of the machine that vouches for it."""

    journal: str
    key: str


class Vouched(msgspec.Struct, frozen=True, omit_defaults=True):
    """An entry of the stream `keys`: from here on `key` vouches for the journal. `entries` existed
    before, up to the versions in `reached`, under the key `before`. The hashes of `left` of them do
    not follow from the entry before; those got no MAC."""

    key: str
    entries: int
    reached: dict[str, int]
    before: str = ""
    left: int = 0


class Macs:
    """Makes and checks the MACs of one journal."""

    def __init__(self, key: bytes) -> None:
        self._entry = blake2b(key=key, digest_size=SIZE, person=b"entry")
        self._other = blake2b(key=key, digest_size=SIZE, person=b"other")

    def of_contents(self, digest: str, text: bytes) -> str:
        """Return an entry's MAC; `digest` is the entry's own hash, `text` its contents."""
        mac = self._entry.copy()
        mac.update(b"%d:%b\n" % (len(digest), digest.encode()))
        mac.update(text)
        return mac.hexdigest()

    def of_entry(self, entry: Entry) -> str:
        return self.of_contents(entry.hash, contents_of(entry))

    def vouches_for(self, entry: Entry) -> bool:
        return same_mac(self.of_entry(entry), entry.mac)

    def of(self, purpose: str, *parts: str | bytes) -> str:
        """Return the MAC of anything else that is kept beside the entries: a snapshot, a session, a
        password."""
        made = self._other.copy()
        for part in (purpose, *parts):
            text = part.encode() if isinstance(part, str) else part
            made.update(b"%d:%b" % (len(text), text))
        return made.hexdigest()

    def of_snapshot(self, stream: str, version: int, body: bytes) -> str:
        return self.of("snapshot", stream, str(version), body)


def same_mac(right: str, written: str) -> bool:
    return hmac.compare_digest(right.encode(), written.encode())


class JournalMacs:
    """The MACs of a journal, if this process can make and check them."""

    def __init__(self, identity: Callable[[], Identity | None]) -> None:
        self._identity = identity
        self._macs: Macs | None = None
        self._why_not: str | None = None

    def to_check(self) -> Macs | None:
        """Return the MACs, or None if the key is not available: then the journal can be read, not
        written to."""
        if self._macs is None and self._why_not is None:
            self._look(make=False)
        return self._macs

    def to_make(self) -> Macs:
        """Return the MACs; raises `AnotherKey` if this machine does not vouch for the journal."""
        if self._macs is None:
            self._look(make=True)
        if self._macs is None:
            raise AnotherKey(
                f"{self._why_not}: put its own key in place (CROUPIER_KEY_FILE), or take the "
                "journal over with `croupier journal adopt`; nothing was written"
            )
        return self._macs

    @property
    def why_not(self) -> str:
        """Why MACs cannot be checked here; empty if they can."""
        self.to_check()
        return self._why_not or ""

    def forget(self) -> None:
        """Look up the key again at the next use, because the journal's form or its key has
        changed."""
        self._macs = self._why_not = None

    def _look(self, *, make: bool) -> None:
        identity = self._identity()
        if identity is None:
            self._why_not = "its table `identity` is empty: it names no key"
            return
        whose = f"the entries are vouched for with the key {identity.key[:16]}…"
        try:
            machine = machine_key(make=make)
        except KeyUnavailable as error:
            if make:
                raise
            self._why_not = f"{whose}, and this machine's cannot be used ({error.message})"
            return
        if machine.public == identity.key:
            self._macs, self._why_not = macs_of(machine, identity), None
        else:
            self._why_not = f"{whose}, and this machine has the key {machine.public[:16]}…"


def macs_of(machine: MachineKey, identity: Identity) -> Macs:
    return Macs(machine.macs_of(identity.journal))
