"""Changes of accounts in the journal: who let whom in, as what, and who took it away."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from threading import Lock
from typing import Final, Literal, NamedTuple

import msgspec

from croupier.errors import Refusal, plain
from croupier.ledger.account_rows import (
    ACCOUNTS,
    AccountOnRecord,
    AccountRow,
    accounts_on_record,
    differing,
    factor_mac,
    password_mac,
)
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.journal import Conflict, Journal

__all__ = [
    "ACCOUNTS",
    "AccountChange",
    "ByWhom",
    "RecordedAccounts",
    "check_independent",
    "check_no_maker",
    "is_registered_player",
    "record_change",
]

TRIES: Final = 50
_log = logging.getLogger("croupier.ledger")

AccountChange = Literal[
    "person_added",
    "person_disabled",
    "password_set",
    "role_changed",
    "second_factor_set",
    "second_factor_reset",
    "sessions_ended",
]


class ByWhom(NamedTuple):
    """Who changed it: an operator on the page, people themselves, or (`console`) the person who ran
    the program."""

    role: str
    name: str


def record_change(
    journal: Journal,
    what: AccountChange,
    name: str,
    by: ByWhom,
    *,
    role: str = "",
    hashed: str = "",
    secret: str = "",
) -> None:
    """Blocking: for a thread. `hashed` is the hash of a new password, `secret` that of a new
    authenticator: only MACs of them are written, which tell nothing without the machine's key."""
    macs = journal.macs_to_write()
    told = {
        "type": what,
        "name": name,
        "role": role,
        "password": password_mac(macs, name, hashed),
        "factor": factor_mac(macs, name, secret),
    }
    told = {key: value for key, value in told.items() if value}
    body = {"command": told, "by": {"role": by.role, "name": by.name}}
    entry = NewEntry(what, msgspec.json.encode(body))
    for attempt in range(TRIES):
        try:
            addition = Addition(ACCOUNTS, journal.head(ACCOUNTS).version, (entry,))
            journal.add(addition, at=datetime.now(UTC))
        except Conflict:
            if attempt == TRIES - 1:
                raise
        else:
            return


class RecordedAccounts:
    """The accounts as their entries have them, read on whenever somebody is checked."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[str, AccountOnRecord] = {}
        self._version = 0
        self._lock = Lock()

    def check(self, row: AccountRow) -> None:
        """Refuse somebody whose row in the database is not what the journal has."""
        with self._lock:
            for entry in self._journal.read(ACCOUNTS, after=self._version):
                accounts_on_record([entry], self._known)
                self._version = entry.version
            known = self._known.get(row.name)
        for message in differing(self._journal.macs_to_write(), row, known):
            _log.error("nobody signs in: %s", message)
            raise Refusal(
                "this account is not as it was recorded, so nobody signs in with it: `croupier "
                "verify` says what differs, and `croupier people password` makes it right",
                code="not_on_record",
            )


def is_registered_player(journal: Journal, name: str) -> bool:
    """Has the house made an account for this player, with or without money in it?"""
    known: dict[str, AccountOnRecord] = {}
    accounts_on_record(journal.read(ACCOUNTS), known)
    return name in known and known[name].role == "player"


def check_independent(journal: Journal, first: str, second: str) -> None:
    """Refuse two people who could be one: who gave a password could sign in with it."""
    puppeteers = _Puppeteers(journal)
    shared = puppeteers.of(first) & puppeteers.of(second)
    if shared:
        names = ", ".join(plain(name) for name in sorted(shared))
        raise Refusal(
            f"{plain(first)} and {plain(second)} are not independent: {names} could sign in as "
            "both. A third person confirms it, or another operator, or `croupier people "
            "password`, gives one of them a new password",
            code="not_independent",
        )


def check_no_maker(journal: Journal, cashier: str, person: str) -> None:
    """Refuse a cashier who could be the person who made the account, or who can sign in to it."""
    puppeteers = _Puppeteers(journal)
    makers = puppeteers.makers(person)
    shared = puppeteers.of(cashier) & (makers | puppeteers.of(person))
    if shared:
        names = ", ".join(plain(name) for name in sorted(shared))
        raise Refusal(
            f"{plain(cashier)} handles no money of the account of {plain(person)}, because {names} "
            "set it up and could act as its cashier: another cashier does it, or `croupier people "
            "password` gives the cashier a new password",
            code="not_independent",
        )


class _Puppeteers:
    """Who could sign in under a name: the person, who gave them their password, who gave it to
    those, and so on. A new password from somebody else ends what others knew; one that people give
    themselves does not, since nobody sees who chose it."""

    def __init__(self, journal: Journal) -> None:
        self._givers: dict[str, str] = {}
        self._makers: dict[str, set[str]] = {}
        self._names: dict[str, str] = {}
        for entry in journal.read(ACCOUNTS):
            if entry.kind in ("person_added", "password_set"):
                body = msgspec.json.decode(entry.body)
                giver = str(body["by"]["name"]) if body["by"]["role"] != "console" else ""
                self._note(entry.kind, str(body["command"]["name"]), giver)

    def _note(self, kind: str, name: str, giver: str) -> None:
        key = self._key(name)
        if not giver:
            self._givers[key] = ""
        elif self._key(giver) != key:
            self._givers[key] = self._key(giver)
            if kind == "person_added":
                self._makers.setdefault(key, set()).add(self._key(giver))

    def _key(self, name: str) -> str:
        return self._names.setdefault(name.strip().casefold(), name.strip())

    def of(self, name: str) -> set[str]:
        found, person = set[str](), self._key(name)
        while person and person not in found:
            found.add(person)
            person = self._givers.get(person, "")
        return found

    def makers(self, name: str) -> set[str]:
        """Who made the account, with everybody who could have been them."""
        return set().union(*(self.of(maker) for maker in self._makers.get(self._key(name), ())))
