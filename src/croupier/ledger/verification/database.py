"""What stands in the database beside the entries: its form, accounts, sessions, snapshots."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import msgspec
from sqlalchemy import Connection, inspect, select, text

from croupier.errors import CroupierError, plain
from croupier.ledger.account_rows import (
    ACCOUNTS,
    AccountOnRecord,
    account_rows,
    accounts_on_record,
    differing,
    session_mac,
)
from croupier.ledger.checkpoints import latest_checkpoint
from croupier.ledger.database_form import form_differences
from croupier.ledger.differences import Difference
from croupier.ledger.journal import Journal
from croupier.ledger.machine_key import machine_key
from croupier.ledger.macs import Macs, same_mac
from croupier.ledger.schema import latest, snapshots
from croupier.ledger.side_tables import VOUCHED, row_mac
from croupier.ledger.vouching import KEYS, Vouched

__all__ = ["database_differences", "mac_notes"]

_LOOK_AGAIN_SECONDS: Final = 0.5
_decode: Final = msgspec.json.Decoder(Vouched).decode


def database_differences(journal: Journal) -> Iterator[Difference]:
    with journal.reader() as connection:
        form = tuple(form_differences(connection, journal.form))
    yield from (Difference("database", 0, message) for message in form)
    macs = journal.macs.to_check()
    if macs is None:
        yield from _identity(journal)
        if journal.form == latest:
            yield from _accounts(journal, None)
        return
    with journal.reader() as connection:
        yield from _snapshots(connection, macs)
    yield from _accounts(journal, macs)
    with journal.reader() as connection:
        yield from _sessions(connection, macs)
        yield from _vouched(connection, macs)


def _identity(journal: Journal) -> Iterator[Difference]:
    """Somebody may have named another key, so that nobody looks at MACs."""
    identity = journal.identity()
    if identity is None:
        return
    try:
        own, last = machine_key(make=False), latest_checkpoint(journal)
    except CroupierError:
        return
    if last is not None and last.key == own.public != identity.key:
        message = (
            f"its table identity names the key {plain(identity.key[:16])}…, but the last "
            "checkpoint was signed with the key of this machine"
        )
        yield Difference("database", 0, message)


def _snapshots(connection: Connection, macs: Macs) -> Iterator[Difference]:
    query = select(snapshots.c.stream, snapshots.c.version, snapshots.c.body, snapshots.c.mac)
    for stream, version, body, mac in connection.execute(query):
        try:
            is_right = same_mac(macs.of_snapshot(stream, version, body), mac)
        except (AttributeError, TypeError):
            is_right = False  # SQLite takes any value in any column
        if not is_right:
            message = "its snapshot has a wrong MAC: nothing with the key of this machine wrote it"
            yield Difference(plain(stream, 200), 0, message)


def _accounts(journal: Journal, macs: Macs | None) -> Iterator[Difference]:
    """An account and its entry are written one after the other, so what differs is looked at
    twice."""
    found = _account_messages(journal, macs)
    if found:
        time.sleep(_LOOK_AGAIN_SECONDS)
        again = _account_messages(journal, macs)
        yield from (Difference(ACCOUNTS, 0, message) for message in found if message in again)


def _account_messages(journal: Journal, macs: Macs | None) -> list[str]:
    with journal.reader() as connection:
        rows = account_rows(connection)
    if not rows:
        return []
    known: dict[str, AccountOnRecord] = {}
    try:
        accounts_on_record(journal.read(ACCOUNTS), known)
    except (CroupierError, msgspec.MsgspecError) as error:
        return [f"the accounts cannot be compared: {plain(str(error), 200)}"]
    messages = [message for row in rows for message in differing(macs, row, known.get(row.name))]
    for name in sorted(known.keys() - {row.name for row in rows}):
        messages.append(f"the account of {plain(name)} is gone")
    return messages


def _sessions(connection: Connection, macs: Macs) -> Iterator[Difference]:
    looked = inspect(connection)
    if not looked.has_table("web_sessions"):
        return
    if "mac" not in {column["name"] for column in looked.get_columns("web_sessions")}:
        return  # of an older form: a server ends them all when it starts
    query = text(
        "SELECT token, person, role, guest, ends_at, mac FROM web_sessions"
        " LEFT JOIN web_people ON name = person"
    )
    for row in connection.execute(query):
        place = (str(row.token), str(row.person), str(row.role), str(row.ends_at))
        if not same_mac(session_mac(macs, *place, guest=bool(row.guest)), str(row.mac)):
            message = f"a session of {plain(row.person)} was put in or changed: it lets nobody in"
            yield Difference("web_sessions", 0, message)


def _vouched(connection: Connection, macs: Macs) -> Iterator[Difference]:
    """Shoes, and the cards that they have read in the round in play."""
    looked = inspect(connection)
    for table in VOUCHED:
        if not looked.has_table(table):
            continue
        if "mac" not in {column["name"] for column in looked.get_columns(table)}:
            continue  # of an older form: a server empties it when it starts
        for found in connection.execute(text(f"SELECT * FROM {table}")).mappings():
            row = {str(name): value for name, value in found.items()}
            if not same_mac(row_mac(macs, table, row), str(row["mac"])):
                message = f"a row of table {plain(row['game_table'])} was put in or changed"
                yield Difference(table, 0, message)


def mac_notes(journal: Journal, unchecked: int) -> Iterator[Difference]:
    """From which entry on MACs vouch for the journal, and whether they could be checked."""
    if unchecked:
        message = f"the MACs of {unchecked:,} entries cannot be checked: {journal.macs.why_not}"
        yield Difference(KEYS, 0, message)
    for entry in journal.read(KEYS):
        try:
            begun = _decode(entry.body)
        except msgspec.MsgspecError:
            yield Difference(KEYS, entry.version, "it cannot be read")
            continue
        with_key = f"with the key {plain(begun.key[:16])}… from {plain(entry.at)} on"
        earlier = "before that they had no MACs"
        if begun.before:
            earlier = f"before that with the key {plain(begun.before[:16])}…"
        if begun.left:
            earlier += f"; {begun.left:,} follow from no entry and have none"
        message = f"{begun.entries:,} entries are vouched for {with_key}; {earlier}"
        yield Difference(KEYS, entry.version, message)
