"""Changes of accounts in the journal: who let whom in, as what, and who took it away."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

import msgspec

from croupier.errors import Refusal, plain
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.journal import Conflict, Journal

__all__ = [
    "ACCOUNTS",
    "AccountChange",
    "ByWhom",
    "check_independent",
    "check_no_maker",
    "record_change",
]

ACCOUNTS: Final = "people:accounts"
TRIES: Final = 50

AccountChange = Literal[
    "person_added",
    "person_disabled",
    "password_set",
    "role_changed",
    "second_factor_reset",
    "sessions_ended",
]


class ByWhom(NamedTuple):
    """Who changed it: an operator on the page, people themselves, or (`console`) the person who ran
    the program."""

    role: str
    name: str


def record_change(
    journal: Journal, what: AccountChange, name: str, by: ByWhom, *, role: str = ""
) -> None:
    """Blocking: for a thread. No password, and nothing made of one, is written."""
    told = {"type": what, "name": name} | ({"role": role} if role else {})
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
