"""Pruning: the text of old refused attempts is removed; the proof that they existed stays.

An attempt's body is emptied if the checkpoint that covers it was signed long enough before the last
checkpoint. Both times are signed, and at most a week counts between one checkpoint and the next, so
a clock that was set forward erases nothing, even if checkpoints were signed by it. The attempt's
row, time and hash stay, so the chain and the tree are unchanged. The stream `pruned` records up to
which entry, and `verify` accepts no other gap.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, bindparam, func, select, update

from croupier.errors import BadData, BadRequest, plain
from croupier.ledger.checkpoints.checkpoints import checkpoint_records
from croupier.ledger.checkpoints.signed_past import AHEAD
from croupier.ledger.entries import Addition, NewEntry, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.chain import entry_of
from croupier.ledger.signatures.macs import Macs
from croupier.ledger.stores.bodies import BodyText
from croupier.ledger.stores.schema import entries, rewriting
from croupier.rounds.declaration import from_json, to_json

PRUNED: Final = "pruned"
LEAST_DAYS: Final = 30
"""Attempts younger than this are never pruned."""
LONGEST_STEP: Final = timedelta(days=7)
"""The most that counts of the time between two checkpoints: a longer gap may come from a wrong
clock."""


class PrunedSpan(msgspec.Struct, frozen=True):
    """The attempts of `stream` up to entry `up_to` have no text; a checkpoint signed no later than
    `before` covers them."""

    stream: str
    up_to: int
    before: str


class Pruned(msgspec.Struct, frozen=True):
    """The number of entries and bytes emptied."""

    entries: int
    bytes: int


class _SignedTimes:
    """When each entry of the attempt streams and of the stream `pruned` was first signed."""

    def __init__(self, journal: Journal) -> None:
        self._covers: dict[str, list[tuple[int, int]]] = {}
        """By stream: the last entry that a checkpoint covers, and the number of that checkpoint."""
        self.at: list[str] = []
        for number, record in enumerate(checkpoint_records(journal)):
            self.at.append(record.checkpoint.at)
            for span in record.spans:
                if span.stream == PRUNED or span.stream.startswith("attempts:"):
                    self._covers.setdefault(span.stream, []).append((span.last, number))

    def covered_by(self, stream: str, version: int) -> int | None:
        """Return the number of the first checkpoint that covers this entry."""
        covers = self._covers.get(stream, [])
        place = bisect_left(covers, (version, -1))
        return covers[place][1] if place < len(covers) else None

    def old_enough(self, days: int) -> str:
        """Return the time up to which checkpoints are at least this many days older than the newest
        one, or an empty string if none is."""
        left, times = timedelta(days=days), [_moment(at) for at in self.at]
        for number in range(len(times) - 1, 0, -1):
            step = times[number] - times[number - 1]
            left -= min(max(step, timedelta(0)), LONGEST_STEP)
            if left <= timedelta(0):
                return min(self.at[number - 1], _days_before(self.at[-1], days))
        return ""

    def reached_by(self, stream: str, before: str) -> int:
        """Return the last entry of a stream that was signed no later than this."""
        signed = [
            last for last, number in self._covers.get(stream, []) if self.at[number] <= before
        ]
        return max(signed, default=0)


def prune_attempts(journal: Journal, days: int, now: datetime | None = None) -> Pruned:
    """Empty the attempts that were signed at least this many days before the last checkpoint."""
    if days < LEAST_DAYS:
        raise BadRequest(f"attempts of the last {LEAST_DAYS} days are kept whole, not of {days}")
    now = now or datetime.now(UTC)
    times = _SignedTimes(journal)
    if not times.at:
        return Pruned(0, 0)
    if times.at[-1] > stamp(now + AHEAD):
        raise BadRequest(
            f"the last checkpoint is dated {plain(times.at[-1], 40)}, which is after now: nothing "
            "is pruned before the clock is right"
        )
    before = times.old_enough(days)
    done = pruned_up_to(journal)
    reached = {name: times.reached_by(name, before) for name in journal.streams("attempts:")}
    spans = [
        PrunedSpan(stream, last, before)
        for stream, last in reached.items()
        if last > done.get(stream, 0)
    ]
    if not spans:
        return Pruned(0, 0)
    said = tuple([NewEntry("pruned", to_json(span)) for span in spans])
    journal.add(Addition(PRUNED, journal.head(PRUNED).version, said), at=now)
    c, count, size = entries.c, 0, 0
    macs = journal.macs_to_write()
    with journal.alone() as connection, rewriting(connection, "entries"):
        for span in spans:
            due = (c.stream == span.stream, c.version <= span.up_to, c.body != "")
            query = select(func.count(), func.coalesce(func.sum(func.length(BodyText(c.body))), 0))
            row = connection.execute(query.where(*due)).one()
            _empty(connection, macs, due)
            count, size = count + int(row[0]), size + int(row[1])
    return Pruned(count, size)


def _empty(connection: Connection, macs: Macs, due: tuple[ColumnElement[bool], ...]) -> None:
    """Empty the bodies of these entries and give each a MAC over what is left. An entry whose MAC
    was wrong gets none."""
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


def pruned_up_to(journal: Journal) -> dict[str, int]:
    """Return, from the stream `pruned`, up to which entry the attempts of each stream may be empty.
    An entry that breaks the rule is ignored."""
    reached: dict[str, int] = {}
    for span in _by_the_rule(journal):
        reached[span.stream] = max(reached.get(span.stream, 0), span.up_to)
    return reached


def _by_the_rule(journal: Journal) -> Iterator[PrunedSpan]:
    times: _SignedTimes | None = None
    for entry in journal.read(PRUNED):
        times = times or _SignedTimes(journal)
        signed = times.covered_by(PRUNED, entry.version)
        newest = (len(times.at) if signed is None else signed) - 1
        try:
            span: PrunedSpan = from_json(entry.body, PrunedSpan)
            covered = times.covered_by(span.stream, span.up_to)
            if covered is None or newest < covered:
                continue
            least = _days_before(times.at[newest], LEAST_DAYS)
        except BadRequest:
            continue
        if times.at[covered] <= span.before <= least:
            yield span


def _days_before(at: str, days: int) -> str:
    try:
        return stamp(_moment(at) - timedelta(days=days))
    except OverflowError:
        raise _no_time(at) from None


def _moment(at: str) -> datetime:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        raise _no_time(at) from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _no_time(at: str) -> BadData:
    return BadData(f"a checkpoint is dated {plain(at, 40)}, which is not a time")
