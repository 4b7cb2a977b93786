"""A link's past, newest first: what happened, and how each meter stood afterwards."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from croupier.ledger.journal import Journal
from croupier.ledger.table_entries import link_record, link_stream
from croupier.progressives import Awarded, Link
from croupier.progressives.changes import meter_changes, round_of, told

__all__ = ["LinkMoment", "PastAward", "last_awards", "link_moments"]

_PAGE = 500


class LinkMoment(msgspec.Struct, frozen=True):
    """One event; `changes` and `readings` are in micro-cents."""

    version: int
    at: str
    kind: str
    table: str
    round: int
    words: str
    clause: str
    changes: dict[str, int]
    readings: dict[str, int]


class PastAward(msgspec.Struct, frozen=True):
    version: int
    at: str
    award: Awarded


def link_moments(journal: Journal, link: Link, version: int) -> Iterator[LinkMoment]:
    """From the link as it stands at `version` back to its opening."""
    readings = {name: meter.reading for name, meter in link.meters.items()}
    stream = link_stream(link.id)
    while version > 0:
        first = max(0, version - _PAGE)
        for entry in reversed(list(journal.read(stream, first, version))):
            for event in reversed(link_record(entry).events):
                changes = meter_changes(event)
                table, number = round_of(event)
                clause = event.clause if isinstance(event, Awarded) else ""
                kind = str(event.__struct_config__.tag)
                yield LinkMoment(
                    *(entry.version, entry.at, kind, table, number, told(event), clause),
                    changes,
                    dict(readings),
                )
                readings = {name: sum_ - changes.get(name, 0) for name, sum_ in readings.items()}
        version = first


def last_awards(journal: Journal, link: str, count: int) -> list[PastAward]:
    """The newest first."""
    found = []
    for entry in journal.newest(link_stream(link), "award", count):
        awards = [event for event in link_record(entry).events if isinstance(event, Awarded)]
        found += [PastAward(entry.version, entry.at, award) for award in awards]
    return found[:count]
