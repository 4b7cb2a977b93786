"""A workbook read without a spreadsheet program, and its formulas computed: enough of both."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Final, NamedTuple
from xml.etree import ElementTree

__all__ = ["BookCell", "computed", "sheets_of"]

_NAMES: Final = {"s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
_RANGE: Final = re.compile(r"SUM\(([A-Z])(\d+):[A-Z](\d+)\)")
_CELL: Final = re.compile(r"([A-Z])\$?(\d+)")
_ALLOWED: Final = re.compile(r"[-+*/().0-9e ]*")


class BookCell(NamedTuple):
    value: float
    text: str
    formula: str


def sheets_of(workbook: bytes) -> Iterator[dict[str, BookCell]]:
    """The cells of each sheet by name: `B7`."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as book:
        shared = [
            "".join(node.itertext())
            for node in ElementTree.fromstring(book.read("xl/sharedStrings.xml")).findall(
                "s:si", _NAMES
            )
        ]
        for name in sorted(book.namelist()):
            if name.startswith("xl/worksheets/sheet"):
                yield _cells(ElementTree.fromstring(book.read(name)), shared)


def _cells(sheet: ElementTree.Element, shared: list[str]) -> dict[str, BookCell]:
    found = {}
    for cell in sheet.iterfind(".//s:c", _NAMES):
        value = cell.findtext("s:v", "", _NAMES)
        formula = cell.findtext("s:f", "", _NAMES)
        is_text = cell.get("t") == "s"
        text = shared[int(value)] if is_text else ""
        number = 0.0 if is_text or not value else float(value)
        found[str(cell.get("r"))] = BookCell(number, text, formula)
    return found


def computed(formula: str, cells: dict[str, BookCell]) -> float:
    """From the values in the cells; a sum over a column, and the four operations."""

    def total(found: re.Match[str]) -> str:
        rows = range(int(found[2]), int(found[3]) + 1)
        return repr(
            sum(cells[f"{found[1]}{row}"].value for row in rows if f"{found[1]}{row}" in cells)
        )

    def value(found: re.Match[str]) -> str:
        return f"({cells[found[1] + found[2]].value!r})"

    plain = _CELL.sub(value, _RANGE.sub(total, formula))
    assert _ALLOWED.fullmatch(plain), plain
    return float(eval(plain))
