"""Old refused attempts lose their text by rule; that they were there stays provable.

Of an attempt that is older than the rule says and under a signed checkpoint the body is emptied.
Its row, its time and its hash stay, so that the chain and the tree are as they were. The stream
`pruned` says up to which entry, and `verify` accepts no other gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, bindparam, func, select, update

from croupier.errors import BadRequest
from croupier.ledger.chain import entry_of
from croupier.ledger.checkpoints import checkpoint_records
from croupier.ledger.entries import Addition, Entry, NewEntry, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.macs import Macs
from croupier.ledger.schema import entries, rewriting
from croupier.rounds.records import from_json, to_json

__all__ = ["LEAST_DAYS", "PRUNED", "Pruned", "PrunedSpan", "prune_attempts", "pruned_up_to"]

PRUNED: Final = "pruned"
LEAST_DAYS: Final = 30
"""Nobody may prune what is younger."""


class PrunedSpan(msgspec.Struct, frozen=True):
    """The attempts of `stream` up to entry `up_to`, all from before this time, have no text."""

    stream: str
    up_to: int
    before: str


class Pruned(msgspec.Struct, frozen=True):
    """How much was emptied."""

    entries: int
    bytes: int


def prune_attempts(journal: Journal, days: int, now: datetime | None = None) -> Pruned:
    """Empty the attempts that are older than so many days."""
    if days < LEAST_DAYS:
        raise BadRequest(f"attempts of the last {LEAST_DAYS} days are kept whole, not of {days}")
    now = now or datetime.now(UTC)
    before = stamp(now - timedelta(days=days))
    spans = list(_due(journal, before))
    if not spans:
        return Pruned(0, 0)
    told = tuple([NewEntry("pruned", to_json(span)) for span in spans])
    journal.add(Addition(PRUNED, journal.head(PRUNED).version, told), at=now)
    c, count, size = entries.c, 0, 0
    macs = journal.macs_to_write()
    with journal.alone() as connection, rewriting(connection, "entries"):
        for span in spans:
            due = (c.stream == span.stream, c.version <= span.up_to, c.body != "")
            query = select(func.count(), func.coalesce(func.sum(func.length(c.body)), 0))
            found = connection.execute(query.where(*due)).one()
            _empty(connection, macs, due)
            count, size = count + int(found[0]), size + int(found[1])
    return Pruned(count, size)


def _empty(connection: Connection, macs: Macs, due: tuple[ColumnElement[bool], ...]) -> None:
    """What is left of an entry has a MAC, too. One whose MAC was wrong gets none."""
    c = entries.c
    change = (
        update(entries)
        .where(c.stream == bindparam("of"), c.version == bindparam("at_version"))
        .values(body="", mac=bindparam("new_mac"))
    )
    columns = (c.stream, c.version, c.at, c.kind, c.body, c.transfers, c.hash, c.mac)
    rows = []
    for row in connection.execute(select(*columns).where(*due)).all():
        entry = entry_of(row, row.version)
        mac = macs.of_entry(replace(entry, body=b"")) if macs.vouches_for(entry) else ""
        rows.append({"of": entry.stream, "at_version": entry.version, "new_mac": mac})
    if rows:
        connection.execute(change, rows)


def _due(journal: Journal, before: str) -> Iterator[PrunedSpan]:
    """Only what is signed: otherwise nothing would hold the hashes."""
    signed: dict[str, int] = {}
    for record in checkpoint_records(journal):
        signed |= {span.stream: span.last for span in record.spans}
    done = pruned_up_to(journal.read(PRUNED))
    c = entries.c
    for stream in journal.streams("attempts:"):
        young = select(func.min(c.version)).where(c.stream == stream, c.at >= before)
        with journal.reader() as connection:
            first = connection.execute(young).scalar()
        last = int(first) - 1 if first is not None else journal.head(stream).version
        last = min(last, signed.get(stream, 0))
        if last > done.get(stream, 0):
            yield PrunedSpan(stream, last, before)


def pruned_up_to(told: Iterable[Entry]) -> dict[str, int]:
    """From the stream `pruned`: how far the attempts of each stream may be empty. What breaks the
    rule counts for nothing."""
    found: dict[str, int] = {}
    for entry in told:
        try:
            span: PrunedSpan = from_json(entry.body, PrunedSpan)
            least = stamp(datetime.fromisoformat(entry.at) - timedelta(days=LEAST_DAYS))
        except (BadRequest, ValueError, OverflowError):
            continue
        if span.before <= least:
            found[span.stream] = max(found.get(span.stream, 0), span.up_to)
    return found
