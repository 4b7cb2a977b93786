"""What the designer of paytables is asked, and what it answers."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import msgspec

from croupier.mathematics.questions.design.designed import DesignedTable, TableFigures

__all__ = [
    "LISTED",
    "MOST_SEARCHED",
    "MOST_SOLVED",
    "Answer",
    "DesignChoices",
    "DesignFamily",
    "DesignSearch",
    "FoundTable",
    "FoundTables",
    "OpenLine",
    "Question",
    "ReportFile",
    "SavedRulebook",
    "WantedChoices",
    "WantedReport",
    "WantedRulebook",
]

MOST_SEARCHED: Final = 20_000
MOST_SOLVED: Final = 12
LISTED: Final = 12


class OpenLine(msgspec.Struct, frozen=True):
    """`pays` in words as printed; `units` to 1, or empty where the line pays no odds."""

    hand: str
    pays: str
    units: str


class DesignFamily(msgspec.Struct, frozen=True):
    """The printed tables of a wager; `edge_of` is the wager whose edge they change."""

    family: str
    edge_of: str
    tables: dict[str, tuple[OpenLine, ...]]


class DesignChoices(msgspec.Struct, frozen=True):
    rulebook: str
    title: str
    families: tuple[DesignFamily, ...]


class FoundTable(msgspec.Struct, frozen=True):
    pays: dict[str, str]
    house_edge: float
    expected_value_exact: str
    standard_deviation: float
    hit_frequency: float


class FoundTables(msgspec.Struct, frozen=True):
    """`nearest`: if none is found, those that come nearest from below and above."""

    searched: int
    found: int
    tables: tuple[FoundTable, ...]
    nearest: tuple[FoundTable, ...] = ()


class DesignSearch(NamedTuple):
    """`vary`: `flush=4..8` for each line that is not locked; `edge` in percent, `2..2.5`."""

    table: DesignedTable
    vary: tuple[str, ...]
    edge: str


class WantedChoices(NamedTuple):
    rulebook: str


class WantedRulebook(NamedTuple):
    """The table as a rulebook file with this id."""

    table: DesignedTable
    name: str


class SavedRulebook(msgspec.Struct, frozen=True):
    name: str
    toml: str


class WantedReport(NamedTuple):
    """Of the table as a rulebook with this id; `date` stands on the title page."""

    table: DesignedTable
    name: str
    date: str


class ReportFile(NamedTuple):
    media_type: str
    content: bytes


Question: TypeAlias = DesignedTable | DesignSearch | WantedChoices | WantedRulebook
Answer: TypeAlias = TableFigures | FoundTables | DesignChoices | SavedRulebook
