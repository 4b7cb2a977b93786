"""A sign in the terminal: the rules, the paytables, and the felt as a list."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from croupier.reports.notices import Notice
from croupier.reports.signs import FeltArea, FeltSpot, PayTable, Sign


def heading(sign: Sign) -> Text:
    who = ", ".join(part for part in (sign.operator, sign.table) if part)
    return Text(f"{sign.title}{f' ({who})' if who else ''}", style="bold")


def sign_told(sign: Sign) -> Iterator[RenderableType]:
    for notice in sign.notices:
        yield _told(notice)
    for table in sign.paytables:
        yield Text()
        yield _paytable(table)
        for note in table.notes:
            yield Text(f"  {note}", style="dim")
    yield Text()
    clauses = [table.asked_by for table in sign.paytables]
    if posted := _clauses(*clauses, sign.sign_clause):
        yield Text("Posted at the table, where the felt does not say it ") + posted
    if sign.odds_worded_by:
        yield Text("Odds are worded with “to” ") + _clauses(sign.odds_worded_by)


def layout_told(sign: Sign) -> Iterator[RenderableType]:
    """Return the felt from the dealer's edge outwards."""
    seats = f"The layout: {sign.positions} positions, seen from the players' side "
    yield Text(seats, style="bold") + _clauses(sign.positions_clause, sign.layout_clause)
    drawn = Table("at the table", "row", "across", "clause", box=None, pad_edge=False)
    for area in sorted(sign.areas, key=lambda area: (area.row, area.across)):
        if not area.each:
            drawn.add_row(Text(_area(area, sign)), str(area.row), _across(area.across), area.clause)
    yield drawn
    yield Text()
    drawn = Table("at each position", "row", "across", "clause", box=None, pad_edge=False)
    each: list[FeltSpot | FeltArea] = [*sign.spots, *(area for area in sign.areas if area.each)]
    for spot in sorted(each, key=lambda spot: (spot.row, spot.across)):
        title, clause = (spot.words, spot.clause) if isinstance(spot, FeltArea) else _spot(spot)
        drawn.add_row(Text(title), str(spot.row), _across(spot.across), clause)
    yield drawn
    yield Text("Row 1 is nearest the dealer; + is to the player's right.", style="dim")
    yield Text()
    yield Text("Inscriptions", style="bold")
    for notice in sign.inscriptions:
        yield _told(notice)


def missing_told(sign: Sign) -> Iterator[RenderableType]:
    for notice in sign.missing:
        yield Text("missing ", style="bold yellow") + _told(notice)


def _told(notice: Notice) -> Text:
    return Text(f"{notice.words} ") + _clauses(notice.asked_by, notice.rule)


def _clauses(*ids: str) -> Text:
    listed = ", ".join(dict.fromkeys(id_ for id_ in ids if id_))
    return Text(f"[{listed}]" if listed else "", style="dim")


def _paytable(table: PayTable) -> Table:
    title = Text(table.title, style="bold")
    if table.paytable:
        title.append(f" (paytable {table.paytable})", style="not bold")
    title.append(f"  {table.on} ", style="not bold dim")
    drawn = Table(title=title, title_justify="left", box=None, pad_edge=False, title_style="")
    drawn.show_header = bool(table.columns)
    drawn.add_column("")
    for column in table.columns or ("",):
        drawn.add_column(column, justify="right")
    drawn.add_column("", style="dim")
    for row in table.rows:
        clauses = dict.fromkeys(cell.clause for cell in row.cells if cell.clause)
        cells = [Text(cell.says) for cell in row.cells]
        drawn.add_row(Text(row.hand), *cells, Text(", ".join(clauses)))
    return drawn


def _across(places: float) -> str:
    return f"{places:+g}" if places else "0"


def _area(area: FeltArea, sign: Sign) -> str:
    if area.holds == "name" and sign.operator:
        return f"{area.words}: {sign.operator}"
    return f"{area.words} ({area.cards})" if area.cards > 1 else area.words


def _spot(spot: FeltSpot) -> tuple[str, str]:
    symbol = f", then “{spot.symbol}”" if spot.symbol else ""
    device = ", with a device" if spot.device_clause else ""
    clauses = dict.fromkeys(clause for clause in (spot.clause, spot.device_clause) if clause)
    return f"{spot.title}{device}{symbol}", ", ".join(clauses)
