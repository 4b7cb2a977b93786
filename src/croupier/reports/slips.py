"""Slips of fills, credits, and drops: as JSON, as text, and as part of a page."""

from __future__ import annotations

from html import escape
from typing import Final

import msgspec

from croupier.ledger.history.floor_records import SlipKind, WrittenSlip
from croupier.money import dollars, format_cents

_TITLES: Final[dict[SlipKind, tuple[str, str]]] = {
    "fill": ("Fill", "from the cage to the table"),
    "credit": ("Credit", "from the table to the cage"),
    "empty_drop": ("Drop", "from the table to the count room"),
}
_SIGNED: Final = ("Dealer", "Floorperson", "Cage or count room")
_WIDTH: Final = 44


class SlipForm(msgspec.Struct, frozen=True):
    """`way`: the chips' source and destination. `chips`: the number of each denomination, if
    counted; `parts`: the components of a drop."""

    number: str
    kind: SlipKind
    title: str
    way: str
    table: str
    at: str
    by: str
    role: str
    entry: int
    amount: str
    chips: dict[str, int]
    parts: dict[str, str]
    second: str = ""
    """Who confirmed it on their own screen."""
    second_role: str = ""


def slip_form(slip: WrittenSlip) -> SlipForm:
    title, way = _TITLES[slip.kind]
    return SlipForm(
        slip.number,
        slip.kind,
        title,
        way,
        slip.table,
        slip.at,
        slip.by,
        slip.role,
        slip.entry,
        format_cents(slip.cents),
        {format_cents(worth): slip.chips[worth] for worth in sorted(slip.chips, reverse=True)},
        {name: format_cents(cents) for name, cents in slip.parts.items()},
        slip.second,
        slip.second_role,
    )


def slip_text(slip: WrittenSlip) -> str:
    """Return the slip for a printer 44 characters wide."""
    lines = [_title(slip), f"No. {slip.number}", "-" * _WIDTH]
    for name, value in _rows(slip):
        lines.append(f"{name} {value:>{max(1, _WIDTH - len(name) - 1)}}")
    lines += ["-" * _WIDTH, *(f"{who}: {'_' * (_WIDTH - len(who) - 2)}" for who in _SIGNED)]
    return "\n".join(lines) + "\n"


def slip_html(slip: WrittenSlip) -> str:
    """Return the slip as part of a page to print."""
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in _rows(slip)
    )
    signed = "".join(f"<p>{escape(who)}</p>" for who in _SIGNED)
    return (
        f'<article class="slip"><h2>{escape(_title(slip))}</h2><p>No. {escape(slip.number)}</p>'
        f'<table>{rows}</table><div class="signatures">{signed}</div></article>\n'
    )


def _title(slip: WrittenSlip) -> str:
    return ": ".join(_TITLES[slip.kind])


def _rows(slip: WrittenSlip) -> list[tuple[str, str]]:
    by_worth = sorted(slip.chips.items(), reverse=True)
    return [
        ("Table", slip.table),
        ("Date", slip.at[:19].replace("T", " ")),
        ("By", f"{slip.role} {slip.by}"),
        *((f"{count:,} x {dollars(worth)}", dollars(worth * count)) for worth, count in by_worth),
        *((name.capitalize(), dollars(cents)) for name, cents in slip.parts.items()),
        ("Total", dollars(slip.cents)),
        ("Entry", str(slip.entry)),
    ]
