"""The dealer by software: what comes next at a table, and when.

`due` is pure, so that every worker can show the clock and the one that deals follows the same. A
deadline hangs on the time of an entry in the journal; whoever takes a table over goes on with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from croupier.randomness.shuffling import seal, shuffle
from croupier.rounds import commands as of_rounds
from croupier.rounds.actions import dealer_actions
from croupier.rounds.deciding import standing
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import SOFTWARE, Actor, TableCommand
from croupier.tables.state import Table
from croupier.web.settings import Clocks, Settings

__all__ = ["DEALER", "FLOOR", "Due", "Times", "dealer_command", "due"]

DEALER: Final = Actor("dealer", SOFTWARE)
FLOOR: Final = Actor("floorperson", SOFTWARE)


class Times(NamedTuple):
    """When the last thing happened, and when the first bet of the round was placed."""

    last: datetime
    first_bet: datetime | None = None


class Due(NamedTuple):
    """`what` is for people, empty where there is nothing to wait for; `make` gives the command."""

    at: datetime
    what: str
    actor: Actor
    make: Callable[[], TableCommand]
    seat: int = 0


def due(
    table: Table, rules: Rules, times: Times, ready: Collection[int], settings: Settings
) -> Due | None:
    """What software does next, or nothing when it is for people to act."""
    if not table.is_open or table.source != "virtual" or not settings.software_dealer:
        return None
    clocks, phase = settings.clocks, table.round.phase
    if phase == "betting":
        return _betting(table, rules, times, ready, clocks)
    if phase == "deciding":
        return _deciding(table, rules, times, clocks)
    if phase == "settling" and table.round.claim is not None:
        return _validating(table, times, settings)
    tags = dealer_actions(table.round, rules)
    if phase == "over":
        return _opening(table, times, clocks) if table.seats else None
    seconds = {"settle": clocks.settle, "collect": clocks.collect}.get(tags[0], clocks.step)
    return Due(_after(times.last, seconds), "", DEALER, lambda: dealer_command(table, rules))


def _after(at: datetime, seconds: float) -> datetime:
    return at + timedelta(seconds=seconds)


def _opening(table: Table, times: Times, clocks: Clocks) -> Due:
    first = not table.round.number
    at = times.last if first else _after(times.last, clocks.after_round)
    return Due(at, "" if first else "next round", DEALER, lambda: _open(table))


def _open(table: Table) -> TableCommand:
    sealed = seal(shuffle())
    return of_rounds.OpenBetting(
        table.round.number + 1, "virtual", sealed.commitment, sealed.salt, sealed.order
    )


def _betting(
    table: Table, rules: Rules, times: Times, ready: Collection[int], clocks: Clocks
) -> Due | None:
    """Bets close when those who have bet are ready, and the others had a moment; or by the clock,
    unless somebody plays alone: he takes the time he wants."""
    bets = [seat for seat in table.round.seats if standing(seat, rules)]
    if not bets or times.first_bet is None:
        return None
    betting = {seat.player for seat in bets}
    others = set(table.seats.values()) - betting
    if all(seat.number in ready for seat in bets):
        wait = clocks.grace if others else 0.0
        at = max(times.last, _after(times.first_bet, min(wait, clocks.betting)))
        return Due(at, "bets close" if others else "", DEALER, of_rounds.CloseBets)
    if not others and len(betting) == 1:
        return None
    return Due(_after(times.first_bet, clocks.betting), "bets close", DEALER, of_rounds.CloseBets)


def _deciding(table: Table, rules: Rules, times: Times, clocks: Clocks) -> Due:
    """Who does not answer has declined."""
    state = table.round
    step, seat = flow_of(rules).steps[state.step], state.seat(state.turn)
    assert isinstance(step, Ask)
    assert seat is not None
    command = of_rounds.Act(seat.number, seat.player, step.decision.otherwise)
    return Due(
        _after(times.last, clocks.decide),
        step.decision.otherwise,
        DEALER,
        lambda: command,
        seat.number,
    )


def _validating(table: Table, times: Times, settings: Settings) -> Due | None:
    claim = table.round.claim
    assert claim is not None
    if not settings.software_floor:
        return None
    return Due(
        _after(times.last, settings.clocks.validate),
        "progressive validated",
        FLOOR,
        lambda: of_rounds.ValidateProgressive(claim.seat, SOFTWARE),
        claim.seat,
    )


_COMMANDS: Final[dict[str, Callable[[], TableCommand]]] = {
    "close_bets": of_rounds.CloseBets,
    "deal": of_rounds.Deal,
    "reveal": of_rounds.RevealCards,
    "show_dealer": of_rounds.ShowDealer,
    "settle": of_rounds.Settle,
    "collect": of_rounds.Collect,
}


def dealer_command(table: Table, rules: Rules) -> TableCommand:
    """The one thing that the procedure leaves for the dealer to do."""
    (tag,) = dealer_actions(table.round, rules)
    if tag == "count_chips":
        name = flow_of(rules).progressive
        return of_rounds.CountChips(sum([name in seat.wagers for seat in table.round.seats]))
    return _COMMANDS[tag]()
