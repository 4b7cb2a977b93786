"""Accounts as the journal has them, beside the rows that people sign in with.

The rows stand in tables of the web's, where the owner of the database could write anything. Every
change of an account is an entry, with a MAC of the password's hash and of the authenticator's
secret; a row that says something else lets nobody in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, inspect, text

from croupier.errors import plain
from croupier.ledger.entries import Entry, NewEntry
from croupier.ledger.macs import Macs, same_mac

__all__ = [
    "ACCOUNTS",
    "AccountOnRecord",
    "AccountRow",
    "account_rows",
    "accounts_noted",
    "accounts_on_record",
    "differing",
    "factor_mac",
    "password_mac",
    "session_mac",
]

ACCOUNTS: Final = "people:accounts"


class AccountOnRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """An account by its entries. `password` and `factor` are MACs; empty where there is none."""

    name: str
    role: str = ""
    password: str = ""
    factor: str = ""


class AccountRow(msgspec.Struct, frozen=True):
    """An account as the tables of the web have it."""

    name: str
    role: str
    password: str = ""
    """The hash; empty where nobody can sign in."""
    secret: str = ""
    """Of the authenticator; empty where none counts."""
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
    """Of the row of a session; `kept` is the hash of its token. A role that is changed in the
    database ends the session, too."""
    return macs.of("session", kept, name, role, ends, "guest" if guest else "")


def accounts_on_record(entries: Iterable[Entry], known: dict[str, AccountOnRecord]) -> None:
    """What the entries make of the accounts known so far."""
    for entry in entries:
        change = _decode(entry.body).command
        if change.type == "accounts_noted":
            known |= {one.name: one for one in change.accounts}
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
                continue  # of sessions, or of a later version
        known[change.name] = account


def account_rows(connection: Connection) -> list[AccountRow]:
    """Everybody in the tables of the web, if it has been served."""
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
    """The accounts as they are, at the moment from which a key vouches for them."""
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
    """What a row says and the journal does not. Passwords and authenticators take the key."""
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
