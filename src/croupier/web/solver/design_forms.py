"""Questions to the paytable designer, and its answers."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import msgspec

from croupier.mathematics.questions.design.pricing import DesignedTable, TableFigures

MOST_SEARCHED: Final = 20_000
MOST_SOLVED: Final = 12
LISTED: Final = 12


class OpenLine(msgspec.Struct, frozen=True):
    """A line of a paytable. `pays` is the printed text; `units` is the payout to 1, empty if the
    line pays no odds."""

    hand: str
    pays: str
    units: str


class DesignFamily(msgspec.Struct, frozen=True):
    """The printed paytables of a wager. `edge_of` is the wager whose edge they change. `is_bonus`:
    the family pays bonuses only, so a payout of 0 means that a line is not paid."""

    family: str
    edge_of: str
    tables: dict[str, tuple[OpenLine, ...]]
    is_bonus: bool = False


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
    hold: float = 0.0


class FoundTables(msgspec.Struct, frozen=True):
    """The paytables found. `nearest`: if none is found, those that come nearest from below and
    above."""

    searched: int
    found: int
    tables: tuple[FoundTable, ...]
    nearest: tuple[FoundTable, ...] = ()


class FoundDesign(msgspec.Struct, frozen=True):
    """The paytables of several wagers bet together. `pays` is by family and `edges` by wager; the
    mean win of the house and the deviation of a round are in dollars. Figures that were not
    computed are null."""

    pays: dict[str, dict[str, str]]
    edges: dict[str, float]
    win: float
    win_exact: str
    hold: float
    hold_exact: str
    standard_deviation: float | None
    hit_frequency: float | None


class FoundDesigns(msgspec.Struct, frozen=True):
    """The designs found. `stakes` in dollars covers every wager that is bet. `nearest`: if none is
    found, those with the nearest hold from below and above. `not_joined` says why deviation and hit
    frequency are null."""

    stakes: dict[str, str]
    searched: int
    found: int
    designs: tuple[FoundDesign, ...]
    nearest: tuple[FoundDesign, ...] = ()
    not_joined: str = ""


class DesignSearch(NamedTuple):
    """A search for paytables. `vary` has `flush=4..8` for each line that is not locked; `edge`,
    `hold` and `hit_frequency` are ranges in percent, `2..2.5`; `deviation` is in units of the
    wager. An empty target is ignored."""

    table: DesignedTable
    vary: tuple[str, ...]
    edge: str
    hold: str = ""
    hit_frequency: str = ""
    deviation: str = ""


class DesignTogether(NamedTuple):
    """A search for several paytables at once, each with its ranges, bet at `stakes` in dollars
    (`main` is every required wager), with `edges` by wager and the targets of a round."""

    rulebook: str
    tables: tuple[tuple[DesignedTable, tuple[str, ...]], ...]
    stakes: tuple[tuple[str, str], ...]
    edges: tuple[tuple[str, str], ...]
    hold: str
    hit_frequency: str
    deviation: str


class WantedChoices(NamedTuple):
    rulebook: str


class WantedRulebook(NamedTuple):
    """A request for a rulebook file with this id that holds the changed paytable."""

    table: DesignedTable
    name: str


class SavedRulebook(msgspec.Struct, frozen=True):
    name: str
    toml: str


class WantedReport(NamedTuple):
    """A request for a report on the changed paytable, as a rulebook with this id. `date` appears on
    the title page."""

    table: DesignedTable
    name: str
    date: str


class ReportFile(NamedTuple):
    media_type: str
    content: bytes


Question: TypeAlias = DesignedTable | DesignSearch | DesignTogether | WantedChoices | WantedRulebook
Answer: TypeAlias = TableFigures | FoundTables | FoundDesigns | DesignChoices | SavedRulebook
