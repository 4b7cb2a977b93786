"""The sums up to which the operator lets one person act alone, kept in the journal.

They are set on the command line and not on a page: nobody who works with the limits can raise
them.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.errors import BadAmount
from croupier.ledger.entries import Addition, Entry, NewEntry
from croupier.ledger.faults import Conflict
from croupier.ledger.history.floor_records import LimitUse
from croupier.ledger.journal import Journal
from croupier.money import MOST_CENTS, dollars
from croupier.rounds.records import from_json, to_json
from croupier.runtime.clock import now
from croupier.tables.two_people import HouseLimits

__all__ = ["LIMITS", "house_limits", "limit_changes", "set_house_limits"]

LIMITS: Final = "house:limits"


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limits: HouseLimits
    by: str


def house_limits(journal: Journal) -> HouseLimits:
    """Return the limits in force: the last ones set, else the defaults."""
    version = journal.head(LIMITS).version
    if not version:
        return HouseLimits()
    (entry,) = journal.read(LIMITS, version - 1, version)
    return _record(entry).limits


def limit_changes(journal: Journal, since: str) -> list[LimitUse]:
    """Each time the limits were set since this time, for the floor's board."""
    changes = []
    for entry in journal.since(LIMITS, since):
        record = _record(entry)
        sums = ", ".join(
            f"{name.replace('_', ' ')} {dollars(getattr(record.limits, name))}"
            for name in record.limits.__struct_fields__
        )
        words = f"The limits of the house are set: {sums}"
        changes.append(LimitUse("", entry.version, entry.at, record.by, "operator", words))
    return changes


def set_house_limits(journal: Journal, by: str, **cents: int) -> HouseLimits:
    """Change the named limits, in cents; the others stay."""
    for name, value in cents.items():
        if not 0 <= value <= MOST_CENTS:
            raise BadAmount(f"{name}: {dollars(value)} is not a limit")
    while True:
        version = journal.head(LIMITS).version
        limits = replace(house_limits(journal), **cents)
        entry = NewEntry("limits", to_json(_Record(limits, by)))
        try:
            journal.add(Addition(LIMITS, version, (entry,)), at=now())
        except Conflict:
            continue  # somebody else was first: theirs are changed
        return limits


def _record(entry: Entry) -> _Record:
    record: _Record = from_json(entry.body, _Record)
    return record
