"""The slip of a fill, a credit or a drop, made from its entry: as text and as a piece of a page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

import msgspec

from croupier.errors import suggest
from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal
from croupier.ledger.table_entries import TableRecord, table_record, table_stream
from croupier.money import dollars, format_cents
from croupier.tables.commands import Credit, EmptyDrop, Fill
from croupier.tables.events import DropEmptied, SlipGiven

__all__ = ["Slip", "find_slip", "slip_html", "slip_text", "slips"]

_TITLES: Final = {
    "fill": "Fill: cage to table",
    "credit": "Credit: table to cage",
    "empty_drop": "Drop: table to count room",
}
_SIGNED: Final = ("Dealer", "Floorperson", "Cage or count room")
_WIDTH: Final = 44


class Slip(msgspec.Struct, frozen=True):
    """`chips` are how many of each worth, where they were counted; amounts in dollars."""

    number: str
    kind: str
    title: str
    table: str
    at: str
    by: str
    entry: int
    amount: str
    parts: dict[str, str] = {}
    chips: dict[str, int] = {}


def slips(journal: Journal, table: str) -> Iterator[Slip]:
    """Every slip of a table, in the order in which they were written."""
    for entry in journal.read(table_stream(table)):
        if entry.kind in _TITLES:
            yield _slip(table, entry, table_record(entry))


def find_slip(journal: Journal, table: str, number: str) -> Slip:
    found = {slip.number: slip for slip in slips(journal, table)}
    if number not in found:
        raise suggest(f"slip of table {table}", number, found)
    return found[number]


def _slip(table: str, entry: Entry, record: TableRecord) -> Slip:
    command = record.command
    assert isinstance(command, Fill | Credit | EmptyDrop)
    number, parts, cents = command.slip, {}, 0
    for event in record.events:
        if isinstance(event, SlipGiven | DropEmptied):
            number = event.slip
        if isinstance(event, DropEmptied):
            parts = {"drop": format_cents(event.drop), "tips": format_cents(event.tips)}
            cents = event.drop + event.tips
    if not isinstance(command, EmptyDrop):
        cents = command.amount
    return Slip(
        number,
        entry.kind,
        _TITLES[entry.kind],
        table,
        entry.at,
        str(record.by),
        entry.version,
        format_cents(cents),
        parts,
        {
            format_cents(worth): command.chips[worth]
            for worth in sorted(command.chips, reverse=True)
        },
    )


def _rows(slip: Slip) -> list[tuple[str, str]]:
    rows = [("Table", slip.table), ("Date", slip.at[:19].replace("T", " ")), ("By", slip.by)]
    for worth, count in slip.chips.items():
        cents = int(worth.replace(".", ""))
        rows.append((f"{count:,} x {dollars(cents)}", dollars(cents * count)))
    rows += [
        (name.capitalize(), dollars(int(cents.replace(".", ""))))
        for name, cents in slip.parts.items()
    ]
    return [
        *rows,
        ("Total", dollars(int(slip.amount.replace(".", "")))),
        ("Entry", str(slip.entry)),
    ]


def slip_text(slip: Slip) -> str:
    """For a printer of slips: 44 characters wide."""
    lines = [slip.title, f"No. {slip.number}", "-" * _WIDTH]
    for name, value in _rows(slip):
        lines.append(f"{name} {value:>{max(1, _WIDTH - len(name) - 1)}}")
    lines += ["-" * _WIDTH, *(f"{who}: {'_' * (_WIDTH - len(who) - 2)}" for who in _SIGNED)]
    return "\n".join(lines) + "\n"


def slip_html(slip: Slip) -> str:
    """A piece of a page, to be printed."""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in _rows(slip)
    )
    signed = "".join(f"<p>{escape(who)}</p>" for who in _SIGNED)
    return (
        f'<article class="slip"><h2>{escape(slip.title)}</h2><p>No. {escape(slip.number)}</p>'
        f'<table>{rows}</table><div class="signatures">{signed}</div></article>\n'
    )
