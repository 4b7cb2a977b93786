"""A paytable as somebody would have it, and its figures: data, without the solvers."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

__all__ = ["DesignedTable", "TableFigures"]


class DesignedTable(NamedTuple):
    """A table of a family of a bundled rulebook, with some lines paying otherwise: units to 1."""

    rulebook: str
    family: str
    table: str
    pays: tuple[tuple[str, str], ...] = ()


class TableFigures(msgspec.Struct, frozen=True):
    """`wager` is whose edge it is. `decisions`: of all rounds, how often each word is said under
    the best play. `per_unit`: what one unit more on a line takes off the edge."""

    wager: str
    expected_value_exact: str
    house_edge: float
    standard_deviation: float
    hit_frequency: float
    pays: dict[str, str]
    decisions: dict[str, dict[str, float]] = {}
    per_unit: dict[str, float] = {}
