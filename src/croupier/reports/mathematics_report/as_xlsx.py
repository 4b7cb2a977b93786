"""The report as a workbook (the extra `reports`): a sheet for each section, sums as live formulas.

Every formula is written with its value, so a reader without a spreadsheet program sees the same
figures, and a spreadsheet program can recompute them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from croupier.errors import not_installed
from croupier.reports.mathematics_report.as_html import SIGNED_BY, front_facts, headline, number_of
from croupier.reports.mathematics_report.blocks import (
    Block,
    Cell,
    Column,
    Grid,
    Kind,
    Missing,
    Picture,
    Section,
    Words,
)
from croupier.reports.mathematics_report.record import Report
from croupier.reports.mathematics_report.sections import sections_of

_MADE: Final = datetime(2000, 1, 1, tzinfo=UTC).replace(tzinfo=None)
"""Written instead of the time, so that the same report has the same bytes."""
_FORMATS: Final[dict[Kind, str]] = {
    "text": "@",
    "count": "#,##0",
    "percent": "0.000000%",
    "number": "#,##0.000000",
    "money": "$#,##0.00",
}
_NARROW: Final = 14
_TEXT_COLUMNS: Final = 6
_TEXT_LETTERS: Final = 80
"""The number of columns that a paragraph spans, and the letters that fit in a line."""
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\']")
_PLACE: Final = re.compile(r"\[(\w+)(:sum)?\]")


def xlsx_report(report: Report) -> bytes:
    return _Workbook(report).made()


def load_xlsxwriter() -> ModuleType:
    try:
        return import_module("xlsxwriter")
    except ImportError:
        raise not_installed("workbooks", "xlsxwriter", "reports") from None


class _Workbook:
    def __init__(self, report: Report) -> None:
        self.report = report
        self.buffer = io.BytesIO()
        self.book = load_xlsxwriter().Workbook(self.buffer, {"in_memory": True})
        who = report.identity
        self.book.set_properties(
            {
                "title": f"{who.title}, mathematics report",
                "author": who.operator,
                "comments": f"{who.program}, rules {who.rules_hash}",
                "created": _MADE,
            }
        )
        self.formats: dict[tuple[str, bool], Any] = {}
        self.wrap = self.book.add_format({"text_wrap": True, "valign": "top"})
        self.head = self.book.add_format(
            {"bold": True, "bottom": 1, "text_wrap": True, "valign": "bottom"}
        )
        self.title = self.book.add_format({"bold": True, "font_size": 14, "font_color": "#14573f"})
        self.bold = self.book.add_format({"bold": True})
        self.soft = self.book.add_format(
            {"italic": True, "font_color": "#5f6763", "text_wrap": True, "valign": "top"}
        )
        self.names: set[str] = set()

    def made(self) -> bytes:
        self._front()
        sections = sections_of(self.report)
        for place, section in enumerate(sections):
            number = number_of(place, sections)
            if section.blocks or not section.parts:
                self._sheet(f"{number} {section.title}", section)
            for below, part in enumerate(section.parts, 1):
                self._sheet(f"{number}.{below} {part.title}", part)
        self.book.close()
        return self.buffer.getvalue()

    def format(self, value_type: Kind, *, bold: bool = False) -> Any:
        if (value_type, bold) not in self.formats:
            how: dict[str, Any] = {"num_format": _FORMATS[value_type], "valign": "top"}
            if value_type == "text":
                how = {"text_wrap": True, "valign": "top"}
            if bold:
                how |= {"bold": True, "top": 1}
            self.formats[value_type, bold] = self.book.add_format(how)
        return self.formats[value_type, bold]

    def _name(self, wanted: str) -> str:
        """Return a unique title that is short enough for a sheet."""
        base = _FORBIDDEN.sub(" ", wanted)[:31].strip()
        name, again = base, 2
        while name.lower() in self.names:
            name = f"{base[:28]} {again}"
            again += 1
        self.names.add(name.lower())
        return name

    def _front(self) -> None:
        sheet = self.book.add_worksheet(self._name("Report"))
        who = self.report.identity
        sheet.set_column(0, 0, 24)
        sheet.set_column(1, 1, 72)
        sheet.write_string(0, 0, "Mathematics report", self.soft)
        sheet.write_string(1, 0, who.title, self.title)
        sheet.write_string(2, 0, f"{who.jurisdiction}: {who.document}")
        row = 4
        for label, value in front_facts(who):
            sheet.write_string(row, 0, label, self.bold)
            sheet.write_string(row, 1, value)
            row += 1
        sheet.set_column(2, 3, 18)
        row = self._grid(sheet, row + 1, headline(self.report))
        for label in SIGNED_BY:
            row += 2
            sheet.write_string(row, 0, label, self.bold)
            sheet.write_string(row, 1, "_" * 60)

    # -- a section ---------------------------------------------------------------------------------

    def _sheet(self, name: str, section: Section) -> None:
        sheet = self.book.add_worksheet(self._name(name))
        grids = [part for part in section.blocks if isinstance(part, Grid)]
        for place, wide in enumerate((*_widths(grids), *[_NARROW] * _TEXT_COLUMNS)):
            sheet.set_column(place, place, wide)
        sheet.write_string(0, 0, name, self.title)
        row = 2
        for block in section.blocks:
            row = self._block(sheet, row, block)

    def _block(self, sheet: Any, row: int, block: Block) -> int:
        """Write a block from this row on; return the next free row."""
        match block:
            case Words():
                return self._text(sheet, row, f"{block.strong}{block.text}", self.wrap) + 1
            case Missing():
                sentence = f"{block.what}: not computed, because {block.why}."
                return self._text(sheet, row, sentence, self.soft) + 1
            case Picture():
                return row  # a workbook has the figures; plots are in the other forms
            case Grid():
                return self._grid(sheet, row, block)

    def _grid(self, sheet: Any, row: int, grid: Grid) -> int:
        if grid.title:
            sheet.write_string(row, 0, grid.title, self.bold)
            row += 1
        for place, column in enumerate(grid.columns):
            sheet.write_string(row, place, column.heading, self.head)
        first = row + 1
        places = _Places(grid.columns, first, first + len(grid.rows))
        for line, cells in enumerate(grid.rows):
            for place, (cell, column) in enumerate(zip(cells, grid.columns, strict=True)):
                self._cell(sheet, first + line, place, cell, column, places)
        row = places.total
        if grid.sums:
            self._sums(sheet, row, grid, places)
            row += 1
        for result in grid.results:
            sheet.write_string(row, 0, result.label, self.bold)
            formula = places.filled(result.formula, row)
            sheet.write_formula(row, 1, formula, self.format(result.kind), result.value)
            row += 1
        if grid.note:
            row = self._text(sheet, row, grid.note, self.soft)
        return row + 1

    def _text(self, sheet: Any, row: int, text: str, how: Any) -> int:
        """Write a paragraph across several columns; return the next free row."""
        sheet.merge_range(row, 0, row, _TEXT_COLUMNS - 1, "", how)
        sheet.write_string(row, 0, text, how)
        sheet.set_row(row, 15 * -(-len(text) // _TEXT_LETTERS))
        return row + 1

    def _cell(
        self, sheet: Any, row: int, place: int, cell: Cell, column: Column, places: _Places
    ) -> None:
        how = self.format(column.kind)
        if cell is None:
            return
        if isinstance(cell, str):
            sheet.write_string(row, place, cell, self.format("text"))
            return
        value = cell / 100 if column.kind == "money" else cell
        if column.formula:
            sheet.write_formula(row, place, places.filled(column.formula, row), how, value)
        else:
            sheet.write_number(row, place, value, how)

    def _sums(self, sheet: Any, row: int, grid: Grid, places: _Places) -> None:
        for place, column in enumerate(grid.columns):
            how = self.format(column.kind, bold=True)
            if place == 0:
                sheet.write_string(row, 0, "Sum", self.format("text", bold=True))
            elif column.summed:
                value = grid.sums[column.key]
                value = value / 100 if column.kind == "money" else value
                sheet.write_formula(row, place, places.sum_of(column.key), how, value)


class _Places:
    """The cells of a table: its rows start at `first`, their sums are in row `total`."""

    def __init__(self, columns: Sequence[Column], first: int, total: int) -> None:
        self.letters = {
            column.key: _letter(place) for place, column in enumerate(columns) if column.key
        }
        self.first, self.total = first, total

    def filled(self, formula: str, row: int) -> str:
        """Return the formula with cell addresses; rows count from 0 here and from 1 in a sheet."""

        def address(match: re.Match[str]) -> str:
            letter = self.letters[match[1]]
            return f"{letter}${self.total + 1}" if match[2] else f"{letter}{row + 1}"

        return _PLACE.sub(address, formula)

    def sum_of(self, key: str) -> str:
        letter = self.letters[key]
        return f"=SUM({letter}{self.first + 1}:{letter}{self.total})"


def _letter(place: int) -> str:
    return chr(ord("A") + place)


def _widths(grids: Sequence[Grid]) -> Iterator[float]:
    """Return widths for most of what a column holds, at most half a page."""
    many = max((len(table.columns) for table in grids), default=1)
    for place in range(many):
        longest = 12
        for grid in grids:
            if place < len(grid.columns):
                texts = [row[place] for row in grid.rows if isinstance(row[place], str)]
                longest = max(longest, *(len(str(text)) for text in texts), 12)
                if grid.columns[place].kind != "text":
                    longest = max(longest, 18)
        yield min(longest + 2, 60)
