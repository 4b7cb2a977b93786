"""Fills, credits and drops of a table, out of the journal: each with its slip."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from croupier.errors import suggest
from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal
from croupier.ledger.newest import Newest
from croupier.ledger.table_entries import table_record, table_stream
from croupier.tables.commands import Confirm, Credit, Fill
from croupier.tables.events import DropEmptied

__all__ = ["SlipKind", "WrittenSlip", "newest_slips", "slip_at", "slip_numbered"]

SlipKind = Literal["fill", "credit", "empty_drop"]
_KINDS: Final[dict[type, SlipKind]] = {Fill: "fill", Credit: "credit", DropEmptied: "empty_drop"}
_COMMANDS: Final = (*_KINDS.values(), "confirm")
"""Commands that can lead to a slip."""
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
    second: str = ""
    """Who confirmed it on their own screen."""
    second_role: str = ""


def newest_slips(journal: Journal, table: str) -> Newest[WrittenSlip]:
    return Newest(lambda after, up_to: _read(journal, table, after, up_to), _MOST)


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
        if entry.kind in _COMMANDS:
            slip = _slip(journal, table, entry)
            if slip is not None:
                yield slip


def _slip(journal: Journal, table: str, entry: Entry) -> WrittenSlip | None:
    """What moved chips; a proposal moves none."""
    record = table_record(entry)
    kind = next((_KINDS[type(event)] for event in record.events if type(event) in _KINDS), None)
    if kind is None:
        return None
    first, second = record, None
    if isinstance(record.command, Confirm):
        number = record.command.number
        (proposal,) = journal.read(table_stream(table), number - 1, number)
        first, second = table_record(proposal), record.by
    given = [slip for event in record.events if (slip := getattr(event, "slip", ""))]
    parts = {_account(transfer.source): transfer.cents for transfer in entry.transfers}
    return WrittenSlip(
        table,
        entry.version,
        kind,
        getattr(first.command, "slip", "") or (given[0] if given else ""),
        entry.at,
        first.by.name,
        first.by.role,
        sum(parts.values()),
        dict(getattr(first.command, "chips", {})),
        parts if kind == "empty_drop" else {},
        second.name if second is not None else "",
        second.role if second is not None else "",
    )


def _account(name: str) -> str:
    return name.rpartition(":")[2]
