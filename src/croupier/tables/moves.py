"""Which money an event moves, from account to account. The ledger and the table both use it, so
that they cannot differ.

Inside a table: `inventory`, `drop`, `tips`, `rack:PLAYER`, `layout:SEAT`. Outside: `cage` (fills,
credits and payments the inventory cannot make), `patron:PLAYER` (what people bring and take away),
`cashier:PLAYER` (what the cashier holds for them),
`award` (paid out by a progressive's meter), `count` (the count room).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from croupier.rounds import events as of_rounds
from croupier.rounds.round_flow import flow_of
from croupier.rounds.state import LineRecord, SeatInRound
from croupier.rulebooks.rules import Rules
from croupier.tables import events as of_tables
from croupier.tables.state import Table

__all__ = ["MOVES", "Move", "balances_after", "chips_needed", "is_outside", "seat_of"]

_OUTSIDE = ("cage", "patron", "cashier", "award", "count", "house")


_tuple: Final = tuple.__new__
"""Makes a named tuple faster than its own constructor: a round makes many."""


class Move(NamedTuple):
    source: str
    target: str
    cents: int


def balances_after(money: dict[str, int], made: list[Move]) -> dict[str, int]:
    """The table's accounts after these moves. None may be overdrawn."""
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


def _opened(_: Table, event: of_tables.TableOpened, __: Rules) -> list[Move]:
    return [Move("cage", "inventory", event.inventory)] if event.inventory else []


def _bought_in(table: Table, event: of_tables.BuyIn, _: Rules) -> list[Move]:
    rack = f"rack:{event.player}"
    return [
        Move(_purse(event), "drop", event.amount),
        *_from_inventory(table, rack, event.amount),
    ]


def _purse(event: of_tables.BuyIn | of_tables.CashedOut) -> str:
    """Where a player's money comes from, and goes to."""
    return f"{'cashier' if event.account else 'patron'}:{event.player}"


def _from_inventory(table: Table, target: str, cents: int, spent: int = 0) -> list[Move]:
    """Pay from the inventory; if it holds too little, the cage pays the rest."""
    there = min(cents, max(0, table.money.get("inventory", 0) - spent))
    made = [_tuple(Move, ("inventory", target, there))] if there else []
    return [*made, Move("cage", target, cents - there)] if cents > there else made


def _cashed_out(_: Table, event: of_tables.CashedOut, __: Rules) -> list[Move]:
    return [Move(f"rack:{event.player}", _purse(event), event.cents)]


def _tipped(_: Table, event: of_tables.Tip, __: Rules) -> list[Move]:
    return [Move(f"rack:{event.player}", "tips", event.amount)]


def _filled(_: Table, event: of_tables.Fill, __: Rules) -> list[Move]:
    return [Move("cage", "inventory", event.amount)]


def _credited(_: Table, event: of_tables.Credit, __: Rules) -> list[Move]:
    return [Move("inventory", "cage", event.amount)]


def _corrected(table: Table, event: of_tables.Corrected, _: Rules) -> list[Move]:
    account = f"rack:{event.player}"
    if event.away:
        account = f"{'cashier' if event.account else 'patron'}:{event.player}"
    if event.cents < 0:
        return [Move(account, "inventory", -event.cents)]
    return _from_inventory(table, account, event.cents)


def _emptied(_: Table, event: of_tables.DropEmptied, __: Rules) -> list[Move]:
    boxes = (("drop", event.drop), ("tips", event.tips))
    return [Move(box, "count", cents) for box, cents in boxes if cents]


def chips_needed(table: Table, event: of_rounds.WagersPlaced) -> int:
    """What the event takes from the player's rack: the difference to the bets already placed; below
    0 if it gives chips back."""
    total = sum(event.wagers.values())
    seat = table.round.seat(event.seat)
    return total if seat is None else total - sum([seat.wagers.get(n, 0) for n in event.wagers])


def _placed(table: Table, event: of_rounds.WagersPlaced, _: Rules) -> list[Move]:
    change = chips_needed(table, event)
    rack, spot = f"rack:{event.player}", f"layout:{event.seat}"
    if change > 0:
        return [_tuple(Move, (rack, spot, change))]
    return [Move(spot, rack, -change)] if change else []


def _returned(
    table: Table, event: of_rounds.WagersTakenBack | of_rounds.WagerReturned, _: Rules
) -> list[Move]:
    seat = seat_of(table, event.seat)
    cents = sum(seat.wagers[name] for name in event.wagers)
    return [Move(f"layout:{event.seat}", f"rack:{seat.player}", cents)]


def seat_of(table: Table, number: int) -> SeatInRound:
    seat = table.round.seat(number)
    assert seat is not None, f"seat {number} is not in the round"
    return seat


def _bets_closed(table: Table, event: of_rounds.BetsClosed, rules: Rules) -> list[Move]:
    """A wager that is taken before the deal goes into the inventory: now, or after its chips were
    counted where the document asks for a count."""
    return [] if event.chips_to_count else _collected_early(table, event.seats, rules)


def _chips_counted(table: Table, _: of_rounds.ChipsCounted, rules: Rules) -> list[Move]:
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


def _acted(table: Table, event: of_rounds.Acted, _: Rules) -> list[Move]:
    if not event.cents:
        return []
    seat = seat_of(table, event.seat)
    rack, spot = f"rack:{seat.player}", f"layout:{event.seat}"
    if event.cents < 0:
        return [Move(spot, rack, -event.cents)]
    return [_tuple(Move, (rack, spot, event.cents))]


def _answer_taken_back(table: Table, event: of_rounds.AnswerTakenBack, _: Rules) -> list[Move]:
    if not event.cents:
        return []
    seat = seat_of(table, event.seat)
    rack, spot = f"rack:{seat.player}", f"layout:{event.seat}"
    if event.cents < 0:
        return [Move(rack, spot, -event.cents)]
    return [Move(spot, rack, event.cents)]


def _settled(table: Table, event: of_rounds.SeatSettled, rules: Rules) -> list[Move]:
    return _paid(table, ((seat_of(table, event.seat), event.lines),), rules)


def _progressive(
    table: Table, event: of_rounds.ProgressivePaid | of_rounds.ProgressiveRefused, rules: Rules
) -> list[Move]:
    return _paid(table, [(seat_of(table, event.seat), (event.line,))], rules)


def _envy(table: Table, event: of_rounds.EnvyPaid, rules: Rules) -> list[Move]:
    lines = [(seat_of(table, number), (line,)) for number, line in event.lines.items()]
    return _paid(table, lines, rules)


def _paid(
    table: Table, settled: Sequence[tuple[SeatInRound, tuple[LineRecord, ...]]], rules: Rules
) -> list[Move]:
    """Stakes off the layout and winnings to the players. A line leaves the player with its stake
    and its net; what he does not get of the stake, the inventory does."""
    early = flow_of(rules).taken_before_deal
    won: dict[str, int] = {}
    made: list[Move] = []
    for seat, lines in settled:
        returned = lost = award = paid = 0
        for line in lines:
            net = line.net
            if line.reason.code == "taken_back":
                continue  # its chips are the player's again since he asked for them
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
    """Add the moves that pay these racks from the inventory, lost stakes included, then the
    cage."""
    for rack, cents in owed.items():
        spent = 0
        for source, target, moving in made:
            if source == "inventory":
                spent += moving
            elif target == "inventory":
                spent -= moving
        made += _from_inventory(table, rack, cents, spent)
    return made


def _voided(table: Table, _: of_rounds.RoundVoided, rules: Rules) -> list[Move]:
    """Everything goes back, chips that were taken before the deal out of the inventory."""
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
    of_tables.TableOpened: _opened,
    of_tables.BuyIn: _bought_in,
    of_tables.CashedOut: _cashed_out,
    of_tables.Tip: _tipped,
    of_tables.Fill: _filled,
    of_tables.Credit: _credited,
    of_tables.Corrected: _corrected,
    of_tables.DropEmptied: _emptied,
    of_rounds.WagersPlaced: _placed,
    of_rounds.WagersTakenBack: _returned,
    of_rounds.WagerReturned: _returned,
    of_rounds.BetsClosed: _bets_closed,
    of_rounds.ChipsCounted: _chips_counted,
    of_rounds.Acted: _acted,
    of_rounds.AnswerTakenBack: _answer_taken_back,
    of_rounds.SeatSettled: _settled,
    of_rounds.ProgressivePaid: _progressive,
    of_rounds.ProgressiveRefused: _progressive,
    of_rounds.EnvyPaid: _envy,
    of_rounds.RoundVoided: _voided,
}
