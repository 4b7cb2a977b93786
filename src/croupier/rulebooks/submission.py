"""An operator's Rules Submission: the choices a document leaves open, as data.

The same form is read from a TOML file (`croupier check`) and from the `submission` object of a
settlement request. This module reads; `rules` puts the choices into force, and
`croupier.submissions` checks them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from croupier.errors import plain
from croupier.rulebooks.clock import ClockTerms
from croupier.rulebooks.decoding import into_form
from croupier.rulebooks.loader import read_toml

Amount: TypeAlias = str | int | float
"""A value as written. Floats are accepted only to be refused with a clear message."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The smallest and the largest stake the table takes on a wager."""

    minimum: Amount | None = None
    maximum: Amount | None = None


class MeterTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A meter's start, reset amount and contribution rate."""

    seed: Amount | None = None
    reset: Amount | None = None
    rate: Amount | None = None


class LinkedTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another table on the same progressive."""

    table: str
    rulebook: str
    paytable: str
    stake: Amount
    decks: int = 1


class ProgressiveTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stakes: tuple[Amount, ...] = ()
    meters: dict[str, MeterTerms] = {}
    linked: tuple[LinkedTable, ...] = ()


class ApprovalTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An approval of the regulator, as written; `submissions` checks it."""

    number: Any = None
    date: Any = None
    authority: Any = None


class Submission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An operator's choices; an omitted one takes the document's first choice, or its default."""

    rulebook: str = ""
    operator: str = ""
    table: str = ""
    offered: tuple[str, ...] | None = None
    paytables: dict[str, str] = {}
    readings: dict[str, str] = {}
    options: dict[str, Amount | bool] = {}
    limits: dict[str, Limits] = {}
    progressive: ProgressiveTerms = ProgressiveTerms()
    clock: ClockTerms = ClockTerms()
    """If it is left out, there is no time limit."""
    approvals: dict[str, ApprovalTerms] = {}


def read_submission(path: Path) -> Submission:
    return into_form(read_toml(path), Submission, plain(path, 200))
