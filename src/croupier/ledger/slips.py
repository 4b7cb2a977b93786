"""Fills, credits and drops of a table, out of the journal: each with its slip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, cast

import msgspec

from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal
from croupier.ledger.table_entries import table_record, table_stream

__all__ = ["SlipHistory", "WrittenSlip", "slip_at"]

SlipKind = Literal["fill", "credit", "empty_drop"]
_KINDS: Final = ("fill", "credit", "empty_drop")
_CHUNK: Final = 1000
_DEPTH: Final = 20_000
_MOST: Final = 20


class WrittenSlip(msgspec.Struct, frozen=True):
    """Entry `entry` of the table's journal. `chips`: how many of each worth, in cents; `parts`: of
    what a drop is made up."""

    entry: int
    kind: SlipKind
    slip: str
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
        self._stream = table_stream(table)
        self._version = 0
        self._slips: list[WrittenSlip] = []

    def newest(self, version: int) -> tuple[WrittenSlip, ...]:
        """Up to this version of the table, the newest first."""
        if not self._version:
            self._slips = self._back_from(version)
        elif version > self._version:
            self._slips += self._read(self._version, version)
        self._version = max(self._version, version)
        self._slips = self._slips[-_MOST:]
        return tuple(reversed(self._slips))

    def _back_from(self, head: int) -> list[WrittenSlip]:
        found: list[WrittenSlip] = []
        end = max(0, head - _DEPTH)
        while head > end and len(found) < _MOST:
            first = max(end, head - _CHUNK)
            found, head = [*self._read(first, head), *found], first
        return found

    def _read(self, after: int, up_to: int) -> Iterator[WrittenSlip]:
        for entry in self._journal.read(self._stream, after, up_to):
            if entry.kind in _KINDS:
                yield _slip(entry)


def slip_at(journal: Journal, table: str, version: int) -> WrittenSlip | None:
    """The slip of one entry, if it has one."""
    for entry in journal.read(table_stream(table), version - 1, version):
        if entry.kind in _KINDS:
            return _slip(entry)
    return None


def _slip(entry: Entry) -> WrittenSlip:
    record = table_record(entry)
    given = [slip for one in record.events if (slip := getattr(one, "slip", ""))]
    parts = {_account(one.source): one.cents for one in entry.transfers}
    return WrittenSlip(
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
