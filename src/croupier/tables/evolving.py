"""Apply an event to a table, and compute the money it moves. Pure; the rules come from the event
that opened the table. The ledger and the table use the same moves, so they cannot differ.

Accounts inside a table: `inventory`, `drop`, `tips`, `rack:PLAYER`, `layout:SEAT`. Outside: `cage`
(fills, credits and payments the inventory cannot make), `patron:PLAYER` (what people bring and
take away), `cashier:PLAYER` (what the cashier holds for them), `award` (paid out by a
progressive's meter), `count` (the count room).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, get_args

from msgspec.structs import replace

from croupier.deck_care.events import CareEvent, DealingChanged
from croupier.deck_care.evolving import after_care, after_last_player_left, after_round
from croupier.deck_care.state import Care
from croupier.rounds import events as round_events
from croupier.rounds.commands import OpenBetting
from croupier.rounds.evolving import CHANGES
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import OPENING, LineRecord, SeatInRound
from croupier.rulebooks.equipment import dealing_name
from croupier.rulebooks.rules import Rules
from croupier.tables import commands as table_commands
from croupier.tables import events as table_events
from croupier.tables.chip_counts import after_slip
from croupier.tables.commands import (
    AskFaceUp,
    Assign,
    Credit,
    Fill,
    GiveUpSeat,
    MoreTime,
    ReopenRound,
    TakeSeat,
)
from croupier.tables.events import (
    CallAnswered,
    Confirmed,
    CountSigned,
    Declined,
    DropEmptied,
    FloorCalled,
    LimitsChanged,
    Proposed,
    SlipGiven,
    TableClosed,
    TableEvent,
    TableOpened,
    TableStands,
    ends_round,
)
from croupier.tables.state import Call, Pending, Table, extensions, question_of, rules_of

_OUTSIDE = ("cage", "patron", "cashier", "award", "count", "house")


_tuple: Final = tuple.__new__
"""Makes a named tuple faster than its own constructor; a round makes many."""


class Move(NamedTuple):
    source: str
    target: str
    cents: int


def balances_after(money: dict[str, int], made: list[Move]) -> dict[str, int]:
    """Return the table's accounts after these moves. No account may be overdrawn."""
    if not made:
        return money
    after = money.copy()
    for source, target, cents in made:
        there = after.get(source)
        if there is not None or not is_outside(source):
            left = (there or 0) - cents
            assert left >= 0, f"{source} would be overdrawn by {-left} cents"
            if left:
                after[source] = left
            else:
                del after[source]
        there = after.get(target)
        if there is not None:
            after[target] = there + cents
        elif not is_outside(target):
            after[target] = cents
    return after


@lru_cache(maxsize=4096)
def is_outside(account: str) -> bool:
    return account.partition(":")[0] in _OUTSIDE


def _inventory_brought(_: Table, event: table_events.TableOpened, __: Rules) -> list[Move]:
    return [Move("cage", "inventory", event.inventory)] if event.inventory else []


def _bought_in(table: Table, event: table_commands.BuyIn, _: Rules) -> list[Move]:
    rack = f"rack:{event.player}"
    return [
        Move(_purse(event), "drop", event.amount),
        *_from_inventory(table, rack, event.amount),
    ]


def _purse(event: table_commands.BuyIn | table_events.CashedOut) -> str:
    """Return the account outside the table that pays a buy-in or receives a cash-out."""
    return f"{'cashier' if event.account else 'patron'}:{event.player}"


def _from_inventory(table: Table, target: str, cents: int, spent: int = 0) -> list[Move]:
    """Pay from the inventory; if it holds too little, the cage pays the rest."""
    there = min(cents, max(0, table.money.get("inventory", 0) - spent))
    made = [_tuple(Move, ("inventory", target, there))] if there else []
    return [*made, Move("cage", target, cents - there)] if cents > there else made


def _cashed_out(_: Table, event: table_events.CashedOut, __: Rules) -> list[Move]:
    return [Move(f"rack:{event.player}", _purse(event), event.cents)]


def _tipped(_: Table, event: table_commands.Tip, __: Rules) -> list[Move]:
    return [Move(f"rack:{event.player}", "tips", event.amount)]


def _filled(_: Table, event: table_commands.Fill, __: Rules) -> list[Move]:
    return [Move("cage", "inventory", event.amount)]


def _credited(_: Table, event: table_commands.Credit, __: Rules) -> list[Move]:
    return [Move("inventory", "cage", event.amount)]


def _corrected(table: Table, event: table_events.Corrected, _: Rules) -> list[Move]:
    account = f"rack:{event.player}"
    if event.away:
        account = f"{'cashier' if event.account else 'patron'}:{event.player}"
    if event.cents < 0:
        return [Move(account, "inventory", -event.cents)]
    return _from_inventory(table, account, event.cents)


def _emptied(_: Table, event: table_events.DropEmptied, __: Rules) -> list[Move]:
    boxes = (("drop", event.drop), ("tips", event.tips))
    return [Move(box, "count", cents) for box, cents in boxes if cents]


def chips_needed(table: Table, event: round_events.WagersPlaced) -> int:
    """Return the cents that the event takes from the player's rack beyond the bets already placed;
    below 0 if it gives chips back."""
    total = sum(event.wagers.values())
    seat = table.round.seat(event.seat)
    return total if seat is None else total - sum([seat.wagers.get(n, 0) for n in event.wagers])


def _placed(table: Table, event: round_events.WagersPlaced, _: Rules) -> list[Move]:
    change = chips_needed(table, event)
    rack, spot = f"rack:{event.player}", f"layout:{event.seat}"
    if change > 0:
        return [_tuple(Move, (rack, spot, change))]
    return [Move(spot, rack, -change)] if change else []


def _returned(
    table: Table, event: round_events.WagersTakenBack | round_events.WagerReturned, _: Rules
) -> list[Move]:
    seat = seat_of(table, event.seat)
    cents = sum(seat.wagers[name] for name in event.wagers)
    return [Move(f"layout:{event.seat}", f"rack:{seat.player}", cents)]


def seat_of(table: Table, number: int) -> SeatInRound:
    seat = table.round.seat(number)
    assert seat is not None, f"seat {number} is not in the round"
    return seat


def _bets_closed(table: Table, event: round_events.BetsClosed, rules: Rules) -> list[Move]:
    """Move wagers that are taken before the deal into the inventory: now, or after the chips are
    counted if the document requires a count."""
    return [] if event.chips_to_count else _collected_early(table, event.seats, rules)


def _chips_counted(table: Table, _: round_events.ChipsCounted, rules: Rules) -> list[Move]:
    return _collected_early(table, tuple([seat.number for seat in table.round.seats]), rules)


def _collected_early(table: Table, numbers: tuple[int, ...], rules: Rules) -> list[Move]:
    early = flow_of(rules).taken_before_deal
    return [
        _tuple(Move, (f"layout:{seat.number}", "inventory", seat.wagers[name]))
        for seat in table.round.seats
        if seat.number in numbers and not early.isdisjoint(seat.wagers)
        for name in seat.wagers
        if name in early
    ]


def _acted(table: Table, event: round_events.Acted, _: Rules) -> list[Move]:
    if not event.cents:
        return []
    seat = seat_of(table, event.seat)
    rack, spot = f"rack:{seat.player}", f"layout:{event.seat}"
    if event.cents < 0:
        return [Move(spot, rack, -event.cents)]
    return [_tuple(Move, (rack, spot, event.cents))]


def _answer_taken_back(table: Table, event: round_events.AnswerTakenBack, _: Rules) -> list[Move]:
    if not event.cents:
        return []
    seat = seat_of(table, event.seat)
    rack, spot = f"rack:{seat.player}", f"layout:{event.seat}"
    if event.cents < 0:
        return [Move(rack, spot, -event.cents)]
    return [Move(spot, rack, event.cents)]


def _settled(table: Table, event: round_events.SeatSettled, rules: Rules) -> list[Move]:
    return _paid(table, ((seat_of(table, event.seat), event.lines),), rules)


def _progressive(
    table: Table,
    event: round_events.ProgressivePaid | round_events.ProgressiveRefused,
    rules: Rules,
) -> list[Move]:
    return _paid(table, [(seat_of(table, event.seat), (event.line,))], rules)


def _envy(table: Table, event: round_events.EnvyPaid, rules: Rules) -> list[Move]:
    lines = [(seat_of(table, number), (line,)) for number, line in event.lines.items()]
    return _paid(table, lines, rules)


def _paid(
    table: Table, settled: Sequence[tuple[SeatInRound, tuple[LineRecord, ...]]], rules: Rules
) -> list[Move]:
    """Return the moves of settled lines: stakes off the layout, winnings to the players. Each
    player gets back the line's stake plus its net; the rest of the stake goes to the inventory."""
    early = flow_of(rules).taken_before_deal
    won: dict[str, int] = {}
    made: list[Move] = []
    for seat, lines in settled:
        returned = lost = award = paid = 0
        for line in lines:
            net = line.net
            if line.reason.code == "taken_back":
                continue  # the player has already taken these chips back
            if line.wager in early:
                more = line.stake + net
            elif net < 0:
                returned += line.stake + net
                lost -= net
                continue
            else:
                returned += line.stake
                more = net
            if line.from_meter:
                award += more
            else:
                paid += more
        rack, spot = f"rack:{seat.player}", f"layout:{seat.number}"
        if returned:
            made.append(_tuple(Move, (spot, rack, returned)))
        if lost:
            made.append(_tuple(Move, (spot, "inventory", lost)))
        if award:
            made.append(Move("award", rack, award))
        if paid:
            won[rack] = won.get(rack, 0) + paid
    return _and_pay(table, made, won) if won else made


def _and_pay(table: Table, made: list[Move], owed: dict[str, int]) -> list[Move]:
    """Add the moves that pay these racks: first from the inventory, lost stakes included, then from
    the cage."""
    for rack, cents in owed.items():
        spent = 0
        for source, target, moving in made:
            if source == "inventory":
                spent += moving
            elif target == "inventory":
                spent -= moving
        made += _from_inventory(table, rack, cents, spent)
    return made


def _voided(table: Table, _: round_events.RoundVoided, rules: Rules) -> list[Move]:
    """Return all wagers to the players; chips taken before the deal come back out of the
    inventory."""
    early = flow_of(rules).taken_before_deal
    made: list[Move] = []
    owed: dict[str, int] = {}
    for seat in table.round.seats:
        rack, spot = f"rack:{seat.player}", f"layout:{seat.number}"
        lying = table.money.get(spot, 0)
        if lying:
            made.append(Move(spot, rack, lying))
        gone = sum((seat.wagers | seat.decided).values()) - lying
        gone -= sum([(seat.wagers | seat.decided)[name] for name in seat.taken_back])
        assert gone == 0 or gone == sum(c for name, c in seat.wagers.items() if name in early)
        if gone:
            owed[rack] = owed.get(rack, 0) + gone
    return _and_pay(table, made, owed)


MOVES: dict[type, Callable[[Table, Any, Rules], list[Move]]] = {
    table_events.TableOpened: _inventory_brought,
    table_commands.BuyIn: _bought_in,
    table_events.CashedOut: _cashed_out,
    table_commands.Tip: _tipped,
    table_commands.Fill: _filled,
    table_commands.Credit: _credited,
    table_events.Corrected: _corrected,
    table_events.DropEmptied: _emptied,
    round_events.WagersPlaced: _placed,
    round_events.WagersTakenBack: _returned,
    round_events.WagerReturned: _returned,
    round_events.BetsClosed: _bets_closed,
    round_events.ChipsCounted: _chips_counted,
    round_events.Acted: _acted,
    round_events.AnswerTakenBack: _answer_taken_back,
    round_events.SeatSettled: _settled,
    round_events.ProgressivePaid: _progressive,
    round_events.ProgressiveRefused: _progressive,
    round_events.EnvyPaid: _envy,
    round_events.RoundVoided: _voided,
}


_OF_CARE: Final = frozenset(get_args(CareEvent))


def evolve(
    table: Table | None, event: TableEvent, rules: Rules | None = None, version: int = 0
) -> tuple[Table, list[Move]]:
    """Return the table after the event, and the money that moved. Pass the table's `rules` to save
    looking them up. The events of one command share an entry: pass its `version`, or raise the
    table's version first with `next_entry`."""
    if type(event) is TableOpened:
        table = _opened(event, table)
    assert table is not None, "a table begins by being opened"
    if rules is None:
        rules = rules_of(table)
    form = type(event)
    moving = MOVES.get(form)
    made = [] if moving is None else moving(table, event, rules)
    money = balances_after(table.money, made) if made else table.money
    version = version or table.version
    change = CHANGES.get(form)
    if change is None:
        table = replace(_changed(table, event), money=money, version=version)
    else:
        after = change(table.round, event, flow_of(rules))
        if form is OpenBetting:
            table = replace(table, round=after, money=money, version=version, began=version)
        else:
            table = replace(table, round=after, money=money, version=version)
    return (table if table.care is None else _kept(table, event, rules)), made


def next_entry(table: Table | None) -> Table | None:
    """Return the table with its version raised by one: the version counts entries."""
    return None if table is None else replace(table, version=table.version + 1)


def evolve_all(table: Table | None, events: Iterable[TableEvent]) -> Table:
    """Return the table after an entry with these events."""
    state = next_entry(table)
    for event in events:
        state, _ = evolve(state, event)
    assert state is not None, "an entry has events"
    return state


def _kept(table: Table, event: TableEvent, rules: Rules) -> Table:
    """Return the table with its decks updated by the event."""
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
    """Return the table with its seats, openings and closings, and slips updated; `_by_the_house`
    handles the rest. All other events only move money."""
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
    """Return the table with its staff, calls, counts and limits updated."""
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
    """Return the table with its proposals and reopened rounds updated."""
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
    """Return the table as opened. If it was open before, its people, chips and round numbers are
    kept."""
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
