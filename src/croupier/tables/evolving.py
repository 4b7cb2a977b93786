"""How an event changes a table. Pure; the rules come from the event that opened the table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, get_args

from msgspec.structs import replace

from croupier.deck_care.events import CareEvent, DealingChanged
from croupier.deck_care.evolving import after_care, after_last_player_left, after_round
from croupier.deck_care.state import Care
from croupier.rounds.events import OpenBetting
from croupier.rounds.evolving import CHANGES
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import OPENING
from croupier.rulebooks.equipment import dealing_name
from croupier.rulebooks.rules import Rules
from croupier.tables.chip_counts import after_slip
from croupier.tables.events import (
    AskFaceUp,
    Assign,
    CallAnswered,
    Confirmed,
    CountSigned,
    Credit,
    Declined,
    DropEmptied,
    Fill,
    FloorCalled,
    GiveUpSeat,
    LimitsChanged,
    MoreTime,
    Proposed,
    ReopenRound,
    SlipGiven,
    TableClosed,
    TableEvent,
    TableOpened,
    TableStands,
    TakeSeat,
    ends_round,
)
from croupier.tables.more_time import extensions, question_of
from croupier.tables.moves import MOVES, Move, balances_after
from croupier.tables.state import Call, Pending, Table, rules_of

__all__ = ["evolve", "evolve_all", "next_entry"]

_OF_CARE: Final = frozenset(get_args(CareEvent))


def evolve(
    table: Table | None, event: TableEvent, rules: Rules | None = None, version: int = 0
) -> tuple[Table, list[Move]]:
    """The table after the event, and the money that moved. Pass the table's `rules` to save looking
    them up. The events of one command share an entry: its `version`, or see `next_entry`."""
    kind = type(event)
    if isinstance(event, TableOpened):
        table = _opened(event, table)
    assert table is not None, "a table begins by being opened"
    if rules is None:
        rules = rules_of(table)
    moving = MOVES.get(kind)
    made = [] if moving is None else moving(table, event, rules)
    money = balances_after(table.money, made) if made else table.money
    version = version or table.version
    change = CHANGES.get(kind)
    if change is None:
        table = replace(_changed(table, event), money=money, version=version)
    else:
        after = change(table.round, event, flow_of(rules))
        if kind is OpenBetting:
            table = replace(table, round=after, money=money, version=version, began=version)
        else:
            table = replace(table, round=after, money=money, version=version)
    return (table if table.care is None else _kept(table, event, rules)), made


def next_entry(table: Table | None) -> Table | None:
    """The table with its version raised by one: the version counts entries."""
    return None if table is None else replace(table, version=table.version + 1)


def evolve_all(table: Table | None, events: Iterable[TableEvent]) -> Table:
    """The table after an entry with these events."""
    state = next_entry(table)
    for event in events:
        state, _ = evolve(state, event)
    assert state is not None, "an entry has events"
    return state


def _kept(table: Table, event: TableEvent, rules: Rules) -> Table:
    """The decks after the event."""
    care = table.care
    assert care is not None
    if type(event) in _OF_CARE:
        care = after_care(care, event, rules)  # type: ignore[arg-type]
        terms = event.submission if isinstance(event, DealingChanged) else table.submission
        wanted = table.face_up_for if care.lies_face_down else ""
        return replace(table, care=care, submission=terms, face_up_for=wanted)
    care = after_round(care, event, table.round)
    empties = isinstance(event, GiveUpSeat) or ends_round(event)
    if empties and not table.seats and table.round.phase == "over":
        care = after_last_player_left(care, rules)
    return replace(table, care=care)


def _changed(table: Table, event: TableEvent) -> Table:
    """Seats, opening and closing, slips; see `_by_the_house` for the rest. All other events only
    move money."""
    match event:
        case TakeSeat():
            return replace(table, seats=table.seats | {event.seat: event.player})
        case GiveUpSeat():
            seats = {n: player for n, player in table.seats.items() if n != event.seat}
            return replace(table, seats=seats)
        case AskFaceUp():
            return replace(table, face_up_for=event.player)
        case MoreTime():
            return replace(table, extended=(question_of(table), extensions(table) + 1))
        case TableClosed():
            return replace(table, is_open=False, count=event.count)
        case TableStands():
            assert (event.seats, event.money) == (table.seats, table.money)
        case SlipGiven() | Fill() | Credit():
            return after_slip(table, event)
        case DropEmptied():
            return after_slip(table, event)
    return _by_the_house(table, event)


def _by_the_house(table: Table, event: TableEvent) -> Table:
    """People on duty, calls, counts and limits."""
    match event:
        case Assign():
            others = {role: name for role, name in table.staff.items() if role != event.role}
            return replace(table, staff=others | ({event.role: event.name} if event.name else {}))
        case FloorCalled():
            call = Call(event.number, event.role, event.name, event.reason, event.at)
            return replace(table, calls=(*table.calls, call), last_call=event.number)
        case CallAnswered():
            left = tuple(call for call in table.calls if call.number != event.number)
            return replace(table, calls=left)
        case CountSigned():
            assert table.count is not None
            return replace(table, count=replace(table.count, second=event.by))
        case LimitsChanged():
            care = table.care
            if care is not None and event.usual_terms:
                care = replace(care, usual_terms=event.usual_terms)
            has_new = care is None
            return replace(table, submission=event.submission, care=care, new_limits=has_new)
    return _controlled(table, event)


def _controlled(table: Table, event: TableEvent) -> Table:
    """What waits for a second person, and what an auditor has reopened."""
    match event:
        case Proposed():
            pending = Pending(
                *(event.number, event.command, event.role, event.name, event.at, event.by),
                event.why,
            )
            return replace(table, pending=(*table.pending, pending))
        case Confirmed() | Declined():
            left = tuple(waiting for waiting in table.pending if waiting.number != event.number)
            return replace(table, pending=left)
        case ReopenRound():
            return replace(table, reopened=(*table.reopened, event.round))
    return table


def _opened(event: TableOpened, before: Table | None) -> Table:
    """The first opening, or a later one: then people, chips and round numbers stay."""
    table = Table(
        id=event.table,
        rulebook=event.rulebook,
        submission=event.submission,
        rulebook_text=event.rulebook_text,
        source=event.source,
        link=event.link,
        round=replace(OPENING, source=event.source),
        version=1,
        count=event.count,
        strict=event.strict,
    )
    if before is not None:
        table = replace(
            table,
            seats=before.seats,
            money=before.money,
            round=replace(before.round, source=event.source),
            version=before.version,
            began=before.began,
            calls=before.calls,
            last_call=before.last_call,
            slips=before.slips,
            own_slips=before.own_slips,
            pending=before.pending,
            reopened=before.reopened,
        )
    if event.care:
        table = replace(table, care=Care(usual=dealing_name(rules_of(table))))
    return replace(table, opened=table.version)
