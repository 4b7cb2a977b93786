"""How an event changes a table. Pure; the rules come out of the event that opened it."""

from __future__ import annotations

from msgspec.structs import replace

from croupier.rounds.evolving import evolve as evolve_round
from croupier.tables.events import (
    BoughtIn,
    CashedOut,
    ColouredUp,
    Credited,
    DropEmptied,
    Filled,
    SeatGivenUp,
    SeatTaken,
    TableClosed,
    TableEvent,
    TableOpened,
    Tipped,
)
from croupier.tables.money import Move, moved, moves
from croupier.tables.state import Table, rules_of

__all__ = ["evolve"]


def evolve(table: Table | None, event: TableEvent) -> tuple[Table, list[Move]]:
    """The table after the event, and the money that moved."""
    if table is None:
        assert isinstance(event, TableOpened), "a table begins by being opened"
        table = _opened(event)
        rules = rules_of(table)
        made = moves(table, event, rules)
        return replace(table, money=moved(table.money, made)), made
    rules = rules_of(table)
    made = moves(table, event, rules)
    money = moved(table.money, made)
    match event:
        case SeatTaken():
            seats = table.seats | {event.seat: event.player}
            return replace(table, seats=seats), made
        case SeatGivenUp():
            seats = {n: player for n, player in table.seats.items() if n != event.seat}
            return replace(table, seats=seats), made
        case TableClosed():
            return replace(table, is_open=False), made
        case TableOpened():
            return replace(_opened(event), round=table.round, seats=table.seats, money=money), made
        case BoughtIn() | CashedOut() | Tipped() | Filled() | Credited() | DropEmptied():
            return replace(table, money=money), made
        case ColouredUp():
            return table, made
        case _:
            return replace(table, round=evolve_round(table.round, event, rules), money=money), made


def _opened(event: TableOpened) -> Table:
    return Table(
        id=event.table,
        rulebook=event.rulebook,
        submission=event.submission,
        rulebook_text=event.rulebook_text,
        source=event.source,
        link=event.link,
    )
