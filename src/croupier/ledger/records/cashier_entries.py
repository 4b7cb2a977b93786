"""The form of players' accounts with the cashier in the journal: a stream per person, an entry per
transaction, each with the balance after it.

A deposit and a payment move the money themselves. Money that goes to a table or comes from one is
moved by the table's own entry, written in the same transaction; the entry here points to it.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote

import msgspec
from msgspec.structs import replace

from croupier.cashier import AccountCommand, Deposit, FromTable, PayOut, ToTable, balance_after
from croupier.ledger.entries import Addition, Entry, NewEntry, Transfer
from croupier.ledger.journal import Journal
from croupier.rounds.declaration import Actor, from_json, to_json
from croupier.tables.commands import BuyIn
from croupier.tables.events import CashedOut, Corrected, TableEvent
from croupier.tables.planning import CommandPlan

_PREFIX = "cashier:"


class AccountRecord(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A transaction of an account. `balance` is the account's balance afterwards, in cents;
    `request` the client's key."""

    command: AccountCommand
    by: Actor
    balance: int
    request: str = ""
    waits: bool = False
    """The amount needs two people: nothing moves until a second one confirms it."""


class HeldAccount(NamedTuple):
    """An account in the journal: its balance in cents after `version` entries."""

    cents: int
    version: int


def account_stream(person: str) -> str:
    """Return the stream of a person's account, with blanks escaped, which stream names cannot
    contain."""
    return _PREFIX + person.replace("%", "%25").replace(" ", "%20")


def account_of_stream(stream: str) -> str:
    return unquote(stream.removeprefix(_PREFIX))


def read_account(journal: Journal, person: str) -> HeldAccount:
    """Return the account as it is now; an account never used is empty."""
    stream = account_stream(person)
    version = journal.head(stream).version
    last = next(journal.read(stream, version - 1, version), None) if version else None
    return HeldAccount(account_record(last).balance if last is not None else 0, version)


def balance_of(balance: int, record: AccountRecord) -> int:
    """Return the balance after a record; a record that waits for a second person leaves it
    unchanged, if it is possible at all."""
    after = balance_after(balance, record.command)
    return balance if record.waits else after


# -- writing ---------------------------------------------------------------------------------------


def account_entry(person: str, record: AccountRecord) -> NewEntry:
    tag = str(record.command.__struct_config__.tag)
    return NewEntry(tag, account_text(record), account_transfers(person, record))


def account_text(record: AccountRecord) -> bytes:
    command = record.command
    outside = command.outside() if isinstance(command, Deposit | PayOut) else command
    return to_json(replace(record, command=outside))


def account_transfers(person: str, record: AccountRecord) -> tuple[Transfer, ...]:
    patron, account = f"patron:{person}", f"cashier:{person}"
    command = record.command
    match command:
        case Deposit() | PayOut() if record.waits:
            return ()
        case Deposit():
            return (Transfer(patron, account, command.amount),)
        case PayOut():
            return (Transfer(account, patron, command.amount),)
    return ()


def table_move(event: TableEvent, table: str, entry: int) -> tuple[str, ToTable | FromTable] | None:
    """Return whose account an event of a table changes, and how, or None."""
    if isinstance(event, BuyIn) and event.account:
        return event.player, ToTable(table, entry, event.amount)
    if isinstance(event, CashedOut) and event.account:
        return event.player, FromTable(table, entry, event.cents)
    if isinstance(event, Corrected) and event.account:
        return event.player, FromTable(table, entry, event.cents)
    return None


def table_additions(journal: Journal, made: CommandPlan) -> list[Addition]:
    """Return the entries that a table's plan adds to accounts. Refused if an account holds too
    little; if two commands spend the same money at once, one is written and the other has to read
    again."""
    additions = []
    for event in made.events:
        if not isinstance(event, BuyIn | CashedOut | Corrected):
            continue
        moved = table_move(event, made.table.id, made.table.version)
        if moved is None:
            continue
        person, command = moved
        held = read_account(journal, person)
        record = AccountRecord(command, made.actor, balance_after(held.cents, command))
        entry = account_entry(person, record)
        additions.append(Addition(account_stream(person), held.version, (entry,)))
    return additions


# -- reading ---------------------------------------------------------------------------------------


def account_record(entry: Entry) -> AccountRecord:
    record: AccountRecord = from_json(entry.body, AccountRecord)
    return record
