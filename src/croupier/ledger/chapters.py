"""A table in the journal: its entries, its rounds as chapters, and where past rounds are
corrected."""

from __future__ import annotations

import msgspec

from croupier.ledger.entries import Chapter, Entry, Mark, Transfer
from croupier.rounds.records import from_json
from croupier.rounds.state import Round
from croupier.tables.events import Record
from croupier.tables.money import Move, is_outside

__all__ = [
    "Pointer",
    "chapter_of",
    "corrections_stream",
    "ledger_transfers",
    "record_of",
    "table_stream",
]


def table_stream(table: str) -> str:
    return f"table:{table}"


def corrections_stream(table: str) -> str:
    """Which entries correct which rounds: there are few, and a replay of any round asks for its
    own."""
    return f"corrections:{table}"


class Pointer(msgspec.Struct, frozen=True):
    """Entry `entry` of the table's stream corrects this round."""

    round: int
    entry: int


def record_of(entry: Entry) -> Record:
    """The event of an entry in a table's stream, and who brought it about."""
    found: Record = from_json(entry.body, Record)
    return found


def chapter_of(table: str, played: Round, first: int, last: int, began: str, ended: str) -> Chapter:
    """The chapter of a round that is over, entries `first` to `last` of the table's stream."""
    return Chapter(table_stream(table), played.number, first, last, began, ended, _marks(played))


def _marks(played: Round) -> tuple[Mark, ...]:
    marks = {Mark("void", "yes" if played.void else "no")}
    if played.dealer_hand:
        marks.add(Mark("dealer", played.dealer_hand))
    for seat in played.seats:
        marks.add(Mark("player", seat.player))
        marks.add(Mark("seat", str(seat.number)))
        if seat.hand:
            marks.add(Mark("hand", seat.hand))
        for line in seat.lines:
            marks.add(Mark("wager", line.wager))
            if line.from_meter:
                marks.add(Mark("meter", line.from_meter))
    return tuple(sorted(marks, key=lambda mark: (mark.name, mark.value)))


def ledger_transfers(table: str, made: list[Move]) -> tuple[Transfer, ...]:
    """The same moves under the names the ledger knows."""
    return tuple(
        [
            Transfer(_account(table, source), _account(table, target), c)
            for source, target, c in made
        ]
    )


def _account(table: str, name: str) -> str:
    if name.startswith("award"):
        return f"award:{table}"
    return name if is_outside(name) else f"table:{table}:{name}"
