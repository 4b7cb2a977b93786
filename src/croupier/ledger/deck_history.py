"""Who did what with the decks that are at a table now, out of the journal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, get_args

from croupier.care.commands import CareCommand
from croupier.care.events import CareEvent, DeckReceived
from croupier.ledger.journal import Journal
from croupier.ledger.table_entries import table_record, table_stream
from croupier.rounds.declaration import tag_of
from croupier.tables.state import Table

__all__ = ["DeckHistory", "DeckMoment"]

_KINDS: Final = frozenset(tag_of(command) for command in get_args(CareCommand))
_EVENTS: Final = get_args(CareEvent)
_CHUNK: Final = 1000


class DeckMoment(NamedTuple):
    """A step with a deck or a device: entry `version` of the table's journal, at this time."""

    version: int
    at: str
    event: CareEvent


class DeckHistory:
    """Of one table. Read backwards as far as the oldest deck of the table reaches, and from then on
    only what is new."""

    def __init__(self, journal: Journal, table: str) -> None:
        self._journal = journal
        self._stream = table_stream(table)
        self._version = 0
        self._moments: list[DeckMoment] = []

    def of(self, table: Table) -> tuple[DeckMoment, ...]:
        """Everything since the oldest deck came, in order."""
        backs = {deck.back for deck in table.care.decks} if table.care is not None else set()
        if not self._version:
            self._moments = self._back_to(backs, table.version)
        elif table.version > self._version:
            self._moments += self._read(self._version, table.version)
        self._version = max(self._version, table.version)
        self._moments = self._moments[_start(self._moments, backs) :]
        return tuple(self._moments)

    def _back_to(self, backs: set[str], head: int) -> list[DeckMoment]:
        found: list[DeckMoment] = []
        missing = set(backs)
        while missing and head > 0:
            first = max(0, head - _CHUNK)
            chunk = list(self._read(first, head))
            missing -= {m.event.back for m in chunk if isinstance(m.event, DeckReceived)}
            found, head = [*chunk, *found], first
        return found

    def _read(self, after: int, up_to: int) -> Iterator[DeckMoment]:
        for entry in self._journal.read(self._stream, after, up_to):
            if entry.kind in _KINDS:
                for event in table_record(entry).events:
                    if isinstance(event, _EVENTS):
                        yield DeckMoment(entry.version, entry.at, event)


def _start(moments: list[DeckMoment], backs: set[str]) -> int:
    """The place of the first deck that is still here; a colour may have come more than once."""
    came = {
        moment.event.back: place
        for place, moment in enumerate(moments)
        if isinstance(moment.event, DeckReceived) and moment.event.back in backs
    }
    return min(came.values(), default=len(moments))
