"""The software dealer: the next command at a table, and when it is due.

`dealer_command` is the dealer's next command by the procedure, for live tables, practice, lessons
and simulation. `due` adds the pace. It is pure: deadlines depend on the times of entries in the
journal, so every worker shows the same clock, and a worker that takes over a table continues with
it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from croupier.rounds.actions import dealer_actions
from croupier.rounds.card_entry import missing_cards
from croupier.rounds.commands import (
    Act,
    CloseBets,
    Collect,
    CountChips,
    Deal,
    OpenBetting,
    RevealCards,
    Settle,
    ShowDealer,
    ValidateProgressive,
)
from croupier.rounds.deciding import can_settle, standing
from croupier.rounds.declaration import SOFTWARE, Actor
from croupier.rounds.players_randomness import waits_for_values
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import TableCommand
from croupier.tables.state import Table, extensions, is_waited_for

DEALER: Final = Actor("dealer", SOFTWARE)
FLOOR: Final = Actor("floorperson", SOFTWARE)

_OPEN: Final = OpenBetting()
_DEAL: Final = Deal()
_REVEAL: Final = RevealCards()
_SHOW: Final = ShowDealer()
_COLLECT: Final = Collect()
_SETTLE_ALL: Final = Settle(every=True)
_SETTLE_ONE: Final = Settle()


# -- what is next ---------------------------------------------------------------------------------


def software_may_deal(table: Table) -> bool:
    """Return whether software may deal: nobody else is assigned to deal, and the table is not a
    strict live table."""
    if table.strict and table.by_people_only:
        return False
    return table.staff.get("dealer", SOFTWARE) == SOFTWARE


def dealer_command(table: Table, rules: Rules, *, every_seat: bool = False) -> TableCommand | None:
    """Return the dealer's next command outside betting and decisions; None while people must act or
    live cards must be entered. With `every_seat` one command settles all seats."""
    step = _STEPS.get(table.round.phase)
    return step(table, rules, every_seat) if step is not None else None


def _over(table: Table, _: Rules, __: bool) -> TableCommand | None:
    is_counted = table.count is None or not table.count.waits
    return _OPEN if table.seats and is_counted else None


def _closed(table: Table, rules: Rules, _: bool) -> TableCommand | None:
    if table.round.counted:
        return _DEAL
    if table.round.differing_chips is not None:
        return None
    progressive = flow_of(rules).progressive
    return CountChips(sum([progressive in seat.wagers for seat in table.round.seats]))


def _revealing(table: Table, rules: Rules, every_seat: bool) -> TableCommand | None:
    state = table.round
    if can_settle(state, rules):
        return _settling(table, rules, every_seat)
    if state.source == "live":
        step = flow_of(rules).steps[state.step]
        assert not isinstance(step, Ask)
        if len(state.community) < state.exposed + step.reveal.community:
            return None
    return _REVEAL


def _showdown(table: Table, rules: Rules, _: bool) -> TableCommand | None:
    state = table.round
    known = state.source == "virtual" or (
        state.dealer and len(state.community) == rules.book.cards.community
    )
    return _SHOW if known else None


def _settling(table: Table, rules: Rules, every_seat: bool) -> TableCommand | None:
    state = table.round
    if state.claim is not None or missing_cards(state, rules):
        return None
    return _SETTLE_ALL if every_seat else _SETTLE_ONE


def _collecting(_: Table, __: Rules, ___: bool) -> TableCommand:
    return _COLLECT


_STEPS: Final[dict[str, Callable[[Table, Rules, bool], TableCommand | None]]] = {
    "over": _over,
    "closed": _closed,
    "revealing": _revealing,
    "showdown": _showdown,
    "settling": _settling,
    "collecting": _collecting,
}


# -- when -----------------------------------------------------------------------------------------


class Pace(msgspec.Struct, frozen=True):
    """The waits of the software dealer between steps, in seconds, so that people can follow. The
    time that players have is the table's clock, see `rulebooks.clock`."""

    after_round: float = 1.5
    """From the collected cards to the next round. Pages show the last round until the next deal."""
    step: float = 1.1
    """Between two steps of the dealer."""
    settle: float = 1.6
    collect: float = 2.5
    validate: float = 10.0
    """Until a software floorperson validates a progressive award."""
    idle: float = 900.0
    """Seconds without a bet after which a player loses the seat."""
    reveal: float = 3.0
    """From "no more bets" to the deal while a player has not revealed the randomness that they
    committed to."""


FAST: Final = Pace(0, 0, 0, 0, 0, 900)
"""No waits between steps: for tests."""

PaceName: TypeAlias = Literal["casino", "quick", "turbo"]
_NEVER: Final = float("inf")
PACES: Final[dict[PaceName, Pace]] = {
    "casino": Pace(*[_NEVER] * 7),
    "quick": Pace(0.5, 0.45, 0.6, 0.8, 4.0, _NEVER, _NEVER),
    "turbo": Pace(0.0, 0.07, 0.1, 0.15, 1.0, _NEVER, _NEVER),
}
"""Paces that players may choose, slowest first; `casino` is the pace that the house has set."""
AT_ONCE: Final = Pace(0.0, 0.0, 0.0, 0.05, 0.0, _NEVER, _NEVER)
"""The pace for players who skip. Results stay on screen before the cards are collected."""


def no_slower(house: Pace, wanted: Pace) -> Pace:
    """Return the shorter of the two paces' waits, for each step."""
    return Pace(*map(min, msgspec.structs.astuple(house), msgspec.structs.astuple(wanted)))


class Times(NamedTuple):
    """The times of the last entry, of the round's first bet, and of the open question. The last two
    are later if a player who waits arrived only afterwards."""

    last: datetime
    first_bet: datetime | None = None
    asked_at: datetime | None = None
    closed: datetime | None = None
    """When the bets were closed."""


class DueCommand(NamedTuple):
    """A command that software gives at the time `at`. `what` is the clock's label; if it is empty,
    no clock is shown."""

    at: datetime
    what: str
    actor: Actor
    command: TableCommand
    seat: int = 0


def due(
    table: Table,
    rules: Rules,
    times: Times,
    ready: Collection[int],
    pace: Pace,
    *,
    floor: bool = False,
    away: Collection[str] = (),
    declines: bool = False,
) -> DueCommand | None:
    """Return what software does next at a virtual table, or None if people must act. With `floor`
    the floorperson is software as well. `away` lists absent players, for whom nobody waits; with
    `declines` they decline when asked."""
    if not table.is_open or table.source != "virtual":
        return None
    state = table.round
    if state.claim is not None:
        return _validation_due(table, times, pace) if floor else None
    if not software_may_deal(table):
        return None
    if state.phase == "betting":
        return _bets_due(table, rules, times, ready, away)
    if state.phase == "deciding":
        return _answer_due(table, rules, times, pace, away, declines)
    command = dealer_command(table, rules)
    if command is None:
        return None
    if isinstance(command, OpenBetting):
        first = not state.number
        at = times.last if first else _after(times.last, pace.after_round)
        return DueCommand(at, "" if first else "next round", DEALER, command)
    if isinstance(command, Deal) and waits_for_values(state, away):
        at = _after(times.closed or times.last, max(pace.step, pace.reveal))
        return DueCommand(at, "", DEALER, command)
    (tag,) = dealer_actions(state, rules)
    seconds = {"settle": pace.settle, "collect": pace.collect}.get(tag, pace.step)
    return DueCommand(_after(times.last, seconds), "", DEALER, command)


def _after(at: datetime, seconds: float) -> datetime:
    return at + timedelta(seconds=seconds)


def _bets_due(
    table: Table, rules: Rules, times: Times, ready: Collection[int], away: Collection[str]
) -> DueCommand | None:
    """Return when bets close: once everybody present is ready or sits this round out, otherwise by
    the clock, if the operator has set one and somebody who has bet is waiting. The bets of absent
    players stand, but alone they do not start a round."""
    bets = [seat for seat in table.round.seats if standing(seat, rules)]
    betting = {seat.player for seat in bets}
    if times.first_bet is None or betting <= set(away):
        return None
    sits_out = {player for number, player in table.seats.items() if number in ready}
    everybody = (betting | set(table.seats.values())).difference(away)
    is_said = all(seat.number in ready for seat in bets if seat.player not in away)
    if is_said and everybody <= betting | sits_out:
        return DueCommand(times.last, "", DEALER, CloseBets())
    clock = rules.clock
    if clock is None or clock.betting is None or len(everybody) == 1:
        return None
    seconds = clock.betting + extensions(table) * clock.extension
    return DueCommand(_after(times.first_bet, seconds), "bets close", DEALER, CloseBets())


def _answer_due(
    table: Table,
    rules: Rules,
    times: Times,
    pace: Pace,
    away: Collection[str],
    declines: bool,
) -> DueCommand | None:
    """Return the command by which a player who does not answer declines.

    An absent player declines at once if others wait; alone, after the time in which they would lose
    the seat. For players who are present the operator may have set a clock, which runs while
    somebody waits. Their wagers stay in play: only a floorperson forfeits them (MD-37).
    """
    state, clock = table.round, rules.clock
    seat = state.seat(state.turn)
    assert seat is not None
    is_away = declines and seat.player in away
    if not is_away and (clock is None or clock.decision is None):
        return None
    step = flow_of(rules).steps[state.step]
    assert isinstance(step, Ask)
    command = Act(seat.number, seat.player, step.decision.otherwise)
    waits = is_waited_for(table, seat.player, away)
    if is_away:
        at = _after(times.last, 0 if waits else pace.idle)
        return DueCommand(at, "", DEALER, command, seat.number)
    assert clock is not None
    assert clock.decision is not None
    if not waits:
        return None
    seconds = clock.decision + extensions(table) * clock.extension
    at = _after(times.asked_at or times.last, seconds)
    return DueCommand(at, command.action, DEALER, command, seat.number)


def _validation_due(table: Table, times: Times, pace: Pace) -> DueCommand:
    claim = table.round.claim
    assert claim is not None
    command = ValidateProgressive(claim.seat)
    at = _after(times.last, pace.validate)
    return DueCommand(at, "progressive validated", FLOOR, command, claim.seat)
