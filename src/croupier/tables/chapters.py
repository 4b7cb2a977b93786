"""A round in the journal as a chapter: where it stands, and what it can be recalled by."""

from __future__ import annotations

from croupier.ledger.entries import Chapter, Mark
from croupier.rounds.events import CardsCollected, RoundVoided
from croupier.rounds.state import Round
from croupier.tables.events import TableEvent

__all__ = ["chapter_of", "ends_round", "table_stream"]


def table_stream(table: str) -> str:
    return f"table:{table}"


def ends_round(event: TableEvent) -> bool:
    return isinstance(event, CardsCollected | RoundVoided)


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
