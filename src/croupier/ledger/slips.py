"""Fills, credits and drops of a table, out of the journal: each with its slip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, cast, get_args

import msgspec

from croupier.errors import suggest
from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal
from croupier.ledger.table_entries import table_record, table_stream

__all__ = ["SlipHistory", "SlipKind", "WrittenSlip", "slip_at", "slip_numbered"]

SlipKind = Literal["fill", "credit", "empty_drop"]
_KINDS: Final = get_args(SlipKind)
_CHUNK: Final = 1000
_DEPTH: Final = 20_000
_MOST: Final = 20


class WrittenSlip(msgspec.Struct, frozen=True):
    """Entry `entry` of the table's journal. `chips`: how many of each worth, in cents; `parts`: of
    what a drop is made up."""

    table: str
    entry: int
    kind: SlipKind
    number: str
    at: str
    by: str
    role: str
    cents: int
    chips: dict[int, int]
    parts: dict[str, int]


class SlipHistory:
    """The newest slips of one table: looked for backwards once, and from then on only what is
    new."""

    def __init__(self, journal: Journal, table: str) -> None:
        self._journal = journal
        self._table = table
        self._version = 0
        self._slips: list[WrittenSlip] = []

    def newest(self, version: int) -> tuple[WrittenSlip, ...]:
        """Up to this version of the table, the newest first."""
        if not self._version:
            self._slips = self._back_from(version)
        elif version > self._version:
            self._slips += _read(self._journal, self._table, self._version, version)
        self._version = max(self._version, version)
        self._slips = self._slips[-_MOST:]
        return tuple(reversed(self._slips))

    def _back_from(self, head: int) -> list[WrittenSlip]:
        found: list[WrittenSlip] = []
        end = max(0, head - _DEPTH)
        while head > end and len(found) < _MOST:
            first = max(end, head - _CHUNK)
            found, head = [*_read(self._journal, self._table, first, head), *found], first
        return found


def slip_at(journal: Journal, table: str, version: int) -> WrittenSlip | None:
    """The slip of one entry, if it has one."""
    return next(_read(journal, table, version - 1, version), None)


def slip_numbered(journal: Journal, table: str, number: str) -> WrittenSlip:
    found = {slip.number: slip for slip in _read(journal, table)}
    if number not in found:
        raise suggest(f"slip of table {table}", number, found)
    return found[number]


def _read(
    journal: Journal, table: str, after: int = 0, up_to: int | None = None
) -> Iterator[WrittenSlip]:
    for entry in journal.read(table_stream(table), after, up_to):
        if entry.kind in _KINDS:
            yield _slip(table, entry)


def _slip(table: str, entry: Entry) -> WrittenSlip:
    record = table_record(entry)
    given = [slip for one in record.events if (slip := getattr(one, "slip", ""))]
    parts = {_account(one.source): one.cents for one in entry.transfers}
    return WrittenSlip(
        table,
        entry.version,
        cast(SlipKind, entry.kind),
        getattr(record.command, "slip", "") or (given[0] if given else ""),
        entry.at,
        record.by.name,
        record.by.role,
        sum(parts.values()),
        dict(getattr(record.command, "chips", {})),
        parts if entry.kind == "empty_drop" else {},
    )


def _account(name: str) -> str:
    return name.rpartition(":")[2]
