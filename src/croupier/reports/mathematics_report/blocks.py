"""The report as a document of any form: sections of paragraphs, tables, and pictures.

A table keeps its values as numbers, so that a page prints them and a workbook computes with them.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Kind: TypeAlias = Literal["text", "count", "percent", "number", "money"]
"""The type of a value, which decides how it is printed; money is in cents."""
Cell: TypeAlias = str | int | float | None


class Words(msgspec.Struct, frozen=True, tag="words"):
    """A paragraph; `strong` begins it."""

    text: str
    strong: str = ""


class Missing(msgspec.Struct, frozen=True, tag="missing"):
    """A missing part of the report, and the reason."""

    what: str
    why: str


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """`svg` for screens; `printed_svgs` for paper, as wide as `percent` of the page, one for each
    page."""

    title: str
    svg: str
    printed_svgs: tuple[str, ...]
    percent: int = 80


class Column(msgspec.Struct, frozen=True):
    """`formula` computes the cell from others of its row, `[key]`, and from sums over a column,
    `[key:sum]`; `summed`: the sum follows the rows."""

    heading: str
    kind: Kind = "text"
    key: str = ""
    formula: str = ""
    summed: bool = False


class Result(msgspec.Struct, frozen=True):
    """A figure below a table, computed from its sums; it is printed in the last summed column."""

    label: str
    value: float
    kind: Kind
    formula: str


class Grid(msgspec.Struct, frozen=True, tag="grid"):
    """A table; `sums` are the exact sums of columns, by key."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sums: dict[str, float] = {}
    results: tuple[Result, ...] = ()
    note: str = ""
    small: bool = False
    """Printed small: long tables of many columns."""

    @property
    def result_place(self) -> int:
        """The column that holds the results."""
        return max((i for i, column in enumerate(self.columns) if column.summed), default=1)


Block: TypeAlias = Words | Missing | Picture | Grid


class Section(msgspec.Struct, frozen=True):
    title: str
    blocks: tuple[Block, ...] = ()
    parts: tuple[Section, ...] = ()
    appendix: bool = False
    new_page: bool = False


def printed(value: Cell, value_type: Kind) -> str:
    """Format a value for people."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    match value_type:
        case "count":
            return f"{value:,.0f}"
        case "percent":
            return _percent(value)
        case "money":
            return _money(value)
        case "number":
            return _number(value)
        case "text":
            return str(value)


def _percent(value: float) -> str:
    """Format a percentage with four decimals, or more for smaller values."""
    percent = abs(value) * 100
    if percent and percent < 0.01:
        return f"{value * 100:.3g}%" if percent < 0.000001 else f"{value:.8%}"
    return f"{value:.4%}"


def _number(number: float) -> str:
    value = float(number)
    if value.is_integer() and abs(value) < 1e15:
        return f"{value:,.0f}"
    if (value * 1000).is_integer():
        return f"{value:,.3f}".rstrip("0")  # odds such as 3 to 2
    return f"{value:,.6f}" if abs(value) < 1000 else f"{value:,.2f}"


def _money(cents: float) -> str:
    sign = "-" if round(cents) < 0 else ""
    dollars = abs(cents) / 100
    return f"{sign}${dollars:,.0f}" if dollars.is_integer() else f"{sign}${dollars:,.2f}"
