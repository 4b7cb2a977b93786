"""`croupier journal adopt`: this machine takes over a journal that another key vouched for.

A journal that was moved can be read and verified anywhere. To continue it on a machine with another
key, adopt it once: it is verified as far as possible without the old key, all its entries get MACs
with the new one, and the stream `keys` records the time and the previous key.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, inspect, select, update

from croupier.errors import BadRequest
from croupier.ledger.checkpoints.checkpoints import Checkpoint, take_checkpoint
from croupier.ledger.differences import Difference
from croupier.ledger.entries import Addition, Entry, NewEntry, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.records.people_accounts import ACCOUNTS, accounts_noted
from croupier.ledger.signatures.chain import (
    GENESIS,
    ChainBroken,
    chain_rows,
    entry_of,
    hash_of,
)
from croupier.ledger.signatures.machine_key import MachineKey, machine_key
from croupier.ledger.signatures.macs import KEYS, Identity, Macs, Vouched, macs_of
from croupier.ledger.stores import schema
from croupier.ledger.verification.verify import verify


class Adopted(msgspec.Struct, frozen=True):
    """The result of an adoption; `before` and `key` are public keys. If there are differences,
    nothing was changed."""

    before: str
    key: str
    entries: int
    differences: tuple[Difference, ...] = ()


def adopt(journal: Journal, kept: Sequence[Checkpoint] = ()) -> Adopted:
    """Verify the journal and let this machine take it over. `kept` are checkpoints from elsewhere
    that the journal must continue."""
    machine, identity = machine_key(), journal.identity()
    if identity is None:
        raise BadRequest(
            f"the table `identity` of {journal.name} is empty: somebody emptied it. Restore a "
            "backup; nothing was changed",
            code="entry_forged",
        )
    with journal.reader() as connection:
        signer = signer_of(connection)
    before = identity.key
    if before == machine.public:
        raise BadRequest(
            f"the key of this machine vouches for {journal.name} already: nothing to adopt",
            code="already_done",
        )
    if signer == machine.public:
        raise BadRequest(
            f"the last checkpoint of {journal.name} was signed with the key of this machine, but "
            f"its table `identity` names {before[:16]}…: somebody changed it. Restore a "
            "backup; nothing was changed",
            code="entry_forged",
        )
    verified = verify(journal, kept=kept)
    if verified.valid:
        with journal.alone() as connection:
            begin_to_vouch(connection, machine, before)
        journal.macs.forget()
        take_checkpoint(journal, machine)
    return Adopted(before, machine.public, verified.entries, verified.differences)


# -- MACs for all entries --------------------------------------------------------------------------

_BATCH: Final = 1000
_log = logging.getLogger("croupier.ledger")


class _Signer(msgspec.Struct, frozen=True):
    key: str = ""


class _Signed(msgspec.Struct, frozen=True):
    checkpoint: _Signer = _Signer()


_decode_signed: Final = msgspec.json.Decoder(_Signed).decode


def signer_of(connection: Connection) -> str:
    """Return the public key of the last checkpoint, or an empty string if there is none."""
    c = schema.entries.c
    query = select(c.body).where(c.stream == "checkpoints").order_by(c.version.desc()).limit(1)
    body = connection.execute(query).scalar()
    try:
        return _decode_signed(body or "{}").checkpoint.key
    except msgspec.MsgspecError:
        return ""


def begin_to_vouch(connection: Connection, machine: MachineKey, before: str) -> None:
    """Give all entries MACs with this machine's key and record it in the stream `keys`. Call it in
    a transaction in which nobody else can write."""
    identity = Identity(secrets.token_hex(16), machine.public)
    connection.execute(delete(schema.identity))
    connection.execute(insert(schema.identity).values(**identity._asdict()))
    macs = macs_of(machine, identity)
    reached = _heads(connection)
    with schema.rewriting(connection, "entries"):
        left = sum(_vouch_for_stream(connection, macs, stream) for stream in reached)
    connection.execute(delete(schema.snapshots))  # anybody may have changed these shortcuts
    _end_sessions(connection)
    vouched = Vouched(machine.public, sum(reached.values()), reached, before, left)
    at = stamp(datetime.now(UTC))
    _append(connection, macs, KEYS, NewEntry("vouched", msgspec.json.encode(vouched)), at)
    noted = accounts_noted(connection, macs)
    if noted is not None:
        _append(connection, macs, ACCOUNTS, noted, at)
    _log.warning(
        "the key %s… vouches for this journal from now on; %s entries were there before",
        machine.public[:16],
        vouched.entries,
    )


def _heads(connection: Connection) -> dict[str, int]:
    c = schema.entries.c
    rows = connection.execute(select(c.stream, func.max(c.version)).group_by(c.stream))
    return {str(stream): int(version) for stream, version in rows}


def _vouch_for_stream(connection: Connection, macs: Macs, stream: str) -> int:
    """Give a MAC to each entry whose hash follows from the entry before; return how many have
    none."""
    c = schema.entries.c
    change = (
        update(schema.entries)
        .where(c.stream == stream, c.version == bindparam("at_version"))
        .values(mac=bindparam("new_mac"))
    )
    left, previous = 0, GENESIS
    for rows in _pages(connection, stream):
        made = []
        for row in rows:
            entry = _entry(row)
            if entry is None or not _follows(previous, entry):
                left += 1
                made.append({"at_version": row.version, "new_mac": ""})
            else:
                made.append({"at_version": row.version, "new_mac": macs.of_entry(entry)})
            previous = str(row.hash)
        connection.execute(change, made)
    return left


def _pages(connection: Connection, stream: str) -> Iterator[Any]:
    c = schema.entries.c
    query = (
        select(c.stream, c.version, c.at, c.kind, c.body, c.transfers, c.hash, c.mac)
        .where(c.stream == stream)
        .order_by(c.version)
        .limit(_BATCH)
    )
    after = 0
    while rows := connection.execute(query.where(c.version > after)).all():
        yield rows
        after = rows[-1].version


def _entry(row: Any) -> Entry | None:
    try:
        return entry_of(row, row.version)
    except ChainBroken:
        return None


def _follows(previous: str, entry: Entry) -> bool:
    at, entry_kind, text, moved = entry.at, entry.kind, entry.text, entry.transfers
    made = hash_of(previous, entry.stream, entry.version, at, entry_kind, text, moved)
    return entry.is_pruned or made == entry.hash


def _end_sessions(connection: Connection) -> None:
    """Delete sessions and shoe tokens, which the former key vouched for, if any: people sign in
    again, and shoes get new tokens."""
    there = inspect(connection).get_table_names()
    for name in ("web_sessions", "web_shoes", "web_shoe_cards"):
        if name in there:
            connection.exec_driver_sql(f"DELETE FROM {name}")


def _append(connection: Connection, macs: Macs, stream: str, entry: NewEntry, at: str) -> None:
    c = schema.entries.c
    query = select(c.version, c.hash).where(c.stream == stream).order_by(c.version.desc()).limit(1)
    last = connection.execute(query).first()
    version, previous = (0, GENESIS) if last is None else (last.version, last.hash)
    rows = chain_rows(macs.of_contents, previous, Addition(stream, version, (entry,)), at, [])
    names = ("stream", "version", "at", "kind", "body", "transfers", "mac", "hash")
    for row in rows:
        values = dict(zip(names, row, strict=True)) | {"body": entry.body.decode()}
        connection.execute(insert(schema.entries), values)
