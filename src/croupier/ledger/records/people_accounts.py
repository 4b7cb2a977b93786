"""Accounts of people in the journal, compared with the rows they sign in with.

The rows are in tables of the web server, where the owner of the database could write anything.
Every change of an account is an entry, with a MAC of the password's hash and of the authenticator's
secret; nobody can sign in with a row that differs from its entries.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from threading import Lock
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, inspect, text

from croupier.errors import Refusal, plain
from croupier.ledger.entries import Addition, Entry, NewEntry
from croupier.ledger.faults import Conflict
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.macs import Macs, same_mac

ACCOUNTS: Final = "people:accounts"


class AccountOnRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """An account according to its entries. `password` and `factor` are MACs; empty if there is
    none."""

    name: str
    role: str = ""
    password: str = ""
    factor: str = ""


class AccountRow(msgspec.Struct, frozen=True):
    """An account according to the tables of the web server."""

    name: str
    role: str
    password: str = ""
    """The hash of the password; empty if nobody can sign in."""
    secret: str = ""
    """The secret of the authenticator; empty if none is active."""
    guest: bool = False


class _Change(msgspec.Struct, frozen=True):
    type: str
    name: str = ""
    role: str = ""
    password: str = ""
    factor: str = ""
    accounts: tuple[AccountOnRecord, ...] = ()


class _Body(msgspec.Struct, frozen=True):
    command: _Change


_decode: Final = msgspec.json.Decoder(_Body).decode


def password_mac(macs: Macs, name: str, hashed: str) -> str:
    return macs.of("password", name, hashed) if hashed else ""


def factor_mac(macs: Macs, name: str, secret: str) -> str:
    return macs.of("second factor", name, secret) if secret else ""


def session_mac(macs: Macs, kept: str, name: str, role: str, ends: str, *, guest: bool) -> str:
    """Return the MAC of a session's row; `kept` is the hash of its token. It includes the role, so
    changing the role in the database also ends the session."""
    return macs.of("session", kept, name, role, ends, "guest" if guest else "")


def accounts_on_record(entries: Iterable[Entry], known: dict[str, AccountOnRecord]) -> None:
    """Update the known accounts with these entries."""
    for entry in entries:
        change = _decode(entry.body).command
        if change.type == "accounts_noted":
            known |= {noted.name: noted for noted in change.accounts}
            continue
        account = known.get(change.name) or AccountOnRecord(change.name)
        match change.type:
            case "person_added":
                account = replace(account, role=change.role, password=change.password)
            case "password_set":
                account = replace(account, password=change.password)
            case "person_disabled":
                account = replace(account, password="")
            case "role_changed":
                account = replace(account, role=change.role)
            case "second_factor_set":
                account = replace(account, factor=change.factor)
            case "second_factor_reset":
                account = replace(account, factor="")
            case _:
                continue  # a change of sessions, or one from a later version
        known[change.name] = account


def account_rows(connection: Connection) -> list[AccountRow]:
    """Return everyone in the tables of the web server; empty if those tables do not exist."""
    there = set(inspect(connection).get_table_names())
    if "web_people" not in there:
        return []
    secrets: dict[str, str] = {}
    if "web_second_factors" in there:
        query = "SELECT person, secret, counts FROM web_second_factors"
        for row in connection.execute(text(query)):
            secrets |= {row.person: str(row.secret)} if row.counts else {}
    query = "SELECT name, role, password, guest FROM web_people ORDER BY name"
    return [_row(row, secrets) for row in connection.execute(text(query))]


def _row(row: Any, secrets: dict[str, str]) -> AccountRow:
    name = str(row.name)
    secret = secrets.pop(name, "")
    return AccountRow(name, str(row.role), str(row.password or ""), secret, bool(row.guest))


def accounts_noted(connection: Connection, macs: Macs) -> NewEntry | None:
    """Return an entry that records all accounts as they are, for the moment from which a key
    vouches for them; None if there are none."""
    accounts = [
        AccountOnRecord(
            row.name,
            row.role,
            password_mac(macs, row.name, row.password),
            factor_mac(macs, row.name, row.secret),
        )
        for row in account_rows(connection)
        if not row.guest
    ]
    if not accounts:
        return None
    command = {"type": "accounts_noted", "accounts": accounts}
    by = {"role": "console", "name": "house"}
    return NewEntry("accounts_noted", msgspec.json.encode({"command": command, "by": by}))


def differing(macs: Macs | None, row: AccountRow, known: AccountOnRecord | None) -> Iterator[str]:
    """Yield how a row differs from the journal. Passwords and authenticators can only be compared
    with the key."""
    name = plain(row.name)
    if row.guest:
        if row.password:
            yield f"{name} is a guest and has a password"
        return
    if known is None:
        yield f"{name} has an account that nobody gave them"
        return
    if row.role != known.role:
        yield f"{name} has the role {plain(row.role)}, but was given {plain(known.role)}"
    if macs is None:
        return
    if not same_mac(password_mac(macs, row.name, row.password), known.password):
        yield f"{name} has a password that nobody gave them: it was changed in the database"
    if not same_mac(factor_mac(macs, row.name, row.secret), known.factor):
        yield f"the authenticator of {name} was changed or taken away in the database"


# -- changes of accounts ---------------------------------------------------------------------------

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
    """The person who made a change: an operator on the page, the people themselves, or (`console`)
    the person who ran the program."""

    role: str
    name: str


def record_change(
    journal: Journal,
    change: AccountChange,
    name: str,
    by: ByWhom,
    *,
    role: str = "",
    hashed: str = "",
    secret: str = "",
) -> None:
    """Write a change of an account to the journal. It blocks, so call it in a thread.

    `hashed` is the hash of a new password, `secret` that of a new authenticator: only MACs of them
    are written, which reveal nothing without the machine's key.
    """
    macs = journal.macs_to_write()
    command = {
        "type": change,
        "name": name,
        "role": role,
        "password": password_mac(macs, name, hashed),
        "factor": factor_mac(macs, name, secret),
    }
    command = {key: value for key, value in command.items() if value}
    body = {"command": command, "by": {"role": by.role, "name": by.name}}
    entry = NewEntry(change, msgspec.json.encode(body))
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
    """The accounts according to their entries; each check reads the new entries."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._known: dict[str, AccountOnRecord] = {}
        self._version = 0
        self._lock = Lock()

    def check(self, row: AccountRow) -> None:
        """Refuse a person whose row in the database differs from the journal."""
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
    """Whether the house has made an account for this player, with or without money in it."""
    known: dict[str, AccountOnRecord] = {}
    accounts_on_record(journal.read(ACCOUNTS), known)
    return name in known and known[name].role == "player"


def check_independent(journal: Journal, first: str, second: str) -> None:
    """Refuse two names under which the same person could sign in: a person who gave a password
    could use it."""
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
    """Refuse a cashier if anyone who could sign in as them made the person's account or could sign
    in to it."""
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
    """Everyone who could sign in under a name: the person, the one who gave them their password,
    the one who gave that person theirs, and so on. A new password from somebody else ends what
    others knew; a password that people set themselves does not, since nobody sees who chose it."""

    def __init__(self, journal: Journal) -> None:
        self._givers: dict[str, str] = {}
        self._makers: dict[str, set[str]] = {}
        self._names: dict[str, str] = {}
        for entry in journal.read(ACCOUNTS):
            if entry.kind in ("person_added", "password_set"):
                body = msgspec.json.decode(entry.body)
                giver = str(body["by"]["name"]) if body["by"]["role"] != "console" else ""
                self._note(entry.kind, str(body["command"]["name"]), giver)

    def _note(self, change: str, name: str, giver: str) -> None:
        key = self._key(name)
        if not giver:
            self._givers[key] = ""
        elif self._key(giver) != key:
            self._givers[key] = self._key(giver)
            if change == "person_added":
                self._makers.setdefault(key, set()).add(self._key(giver))

    def _key(self, name: str) -> str:
        return self._names.setdefault(name.strip().casefold(), name.strip())

    def of(self, name: str) -> set[str]:
        names, person = set[str](), self._key(name)
        while person and person not in names:
            names.add(person)
            person = self._givers.get(person, "")
        return names

    def makers(self, name: str) -> set[str]:
        """Return the people who made the account, with everyone who could sign in as them."""
        return set().union(*(self.of(maker) for maker in self._makers.get(self._key(name), ())))
