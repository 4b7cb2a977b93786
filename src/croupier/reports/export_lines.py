"""The journal written out, line by line: everything, or a part, as JSON Lines or CSV.

The command line and the page write the same. Nothing is gathered: any journal fits.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.errors import BadRequest
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    attempts_stream,
    corrections_stream,
    link_stream,
    table_record,
    table_stream,
)
from croupier.reports.exports import COLUMNS, entries, other_entries, settled_wagers
from croupier.tables.commands import OpenTable

__all__ = ["PARTS", "Form", "Part", "csv_line", "export_lines"]

Form: TypeAlias = Literal["jsonl", "csv"]
Part: TypeAlias = Literal["entries", "wagers", "transfers", "attempts", "tables", "links"]
PARTS: Final[tuple[Part, ...]] = (
    *("entries", "wagers", "transfers"),
    *("attempts", "tables", "links"),
)
"""`entries`: all of them. `wagers`: a line for each one settled. `transfers`: every cent moved."""

ENTRY_COLUMNS: Final = ("stream", "version", "at", "kind", "by", "command", "events", "hash")
ATTEMPT_COLUMNS: Final = (
    *("stream", "version", "at", "by", "command", "code", "message", "clause"),
    "hash",
)
TRANSFER_COLUMNS: Final = ("stream", "version", "at", "kind", "source", "target", "amount")

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"-[0-9]+(\.[0-9]+)?")
_encode: Final = msgspec.json.Encoder().encode
_Line: TypeAlias = dict[str, object]


def export_lines(
    journal: Journal, form: Form, part: Part | None = None, table: str | None = None
) -> Iterator[str]:
    """What is asked for, each line with its end. Left out, JSON Lines are all entries and CSV the
    wagers."""
    part = part or ("wagers" if form == "csv" else "entries")
    if part not in PARTS:
        raise BadRequest(f"{part} cannot be exported: take {', '.join(PARTS)}")
    columns, rows = _rows(journal, part, table)
    if form == "jsonl":
        yield from (_encode(row).decode() + "\n" for row in rows)
        return
    yield csv_line(columns)
    for row in rows:
        yield csv_line([_cell(row.get(name, "")) for name in columns])


def _rows(journal: Journal, part: Part, table: str | None) -> tuple[Sequence[str], Iterator[_Line]]:
    if part == "wagers":
        return COLUMNS, _wagers(journal, table)
    found = _all_entries(journal, table, part)
    if part == "transfers":
        return TRANSFER_COLUMNS, _transfers(found)
    return (ATTEMPT_COLUMNS if part == "attempts" else ENTRY_COLUMNS), found


def _tables(journal: Journal, table: str | None) -> list[str]:
    if table is not None:
        return [table]
    return [name.removeprefix("table:") for name in journal.streams(table_stream(""))]


def _wagers(journal: Journal, table: str | None) -> Iterator[_Line]:
    for name in _tables(journal, table):
        for row in settled_wagers(journal, name):
            yield dict(zip(COLUMNS, row, strict=True))


def _all_entries(journal: Journal, table: str | None, part: Part) -> Iterator[_Line]:
    """Tables first, as ever; then what stands beside them."""
    if part in ("entries", "transfers", "tables"):
        for name in _tables(journal, table):
            yield from entries(journal, name)
    for stream in _others(journal, table):
        kind = stream.partition(":")[0]
        if part in ("entries", "transfers") or part.startswith(kind):
            yield from other_entries(journal, stream)


def _others(journal: Journal, table: str | None) -> Iterator[str]:
    if table is None:
        yield from (name for name in journal.streams() if not name.startswith("table:"))
        return
    opening = next(journal.read(table_stream(table), up_to=1), None)
    command = table_record(opening).command if opening is not None else None
    if isinstance(command, OpenTable):
        yield link_stream(command.link or table)
    yield attempts_stream(table)
    yield corrections_stream(table)


def _transfers(found: Iterator[_Line]) -> Iterator[_Line]:
    for entry in found:
        moved = entry["transfers"]
        assert isinstance(moved, list)
        for one in moved:
            yield {name: entry[name] for name in ("stream", "version", "at", "kind")} | one


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else _encode(value).decode()


def csv_line(row: Sequence[str]) -> str:
    """A line of a table that any spreadsheet reads, and takes for no formula."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(map(_harmless, row))
    return line.getvalue()


def _harmless(cell: str) -> str:
    """A name that a spreadsheet would take for a formula is written as text."""
    is_number = _NUMBER.fullmatch(cell) is not None
    return f"'{cell}" if cell.startswith(_FORMULA) and not is_number else cell
