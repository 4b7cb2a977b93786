"""The clock of one table: how long people have been waited for, who is done betting, who is
idle."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from croupier.errors import Refusal
from croupier.rounds import commands as round_commands
from croupier.rounds import events as round_events
from croupier.rounds.deciding import standing
from croupier.rulebooks.rules import Rules
from croupier.runtime.clock import now
from croupier.runtime.dealer import DueCommand, Times
from croupier.tables import commands as table_commands
from croupier.tables.events import TableEvent
from croupier.tables.state import NO_QUESTION, Table, question_of
from croupier.web.tables.forms import ClockForm


class TableClock:
    def __init__(self) -> None:
        self.times = Times(now())
        self.ready: set[int] = set()
        """Seats that are done betting."""
        self._question = NO_QUESTION
        self._acted: dict[str, datetime] = {}
        self._placed: dict[int, int] = {}

    def note(self, event: TableEvent, after: Table, at: datetime) -> None:
        at = min(at, now())  # an entry dated in the future makes nobody wait
        first, asked_at, closed = self.times.first_bet, self.times.asked_at, self.times.closed
        question = question_of(after)
        if question != self._question:
            self._question, asked_at = question, at
        match event:
            case round_commands.OpenBetting():
                first = None
                self.ready.clear()
                self._placed.clear()
            case round_events.WagersPlaced():
                first = first or at
                self.ready.discard(event.seat)
                self._placed[event.seat] = after.version
                self._acted[event.player] = at
            case round_events.BetsClosed():
                self.ready.clear()
                closed = at
            case table_commands.TakeSeat():
                self._acted[event.player] = at
                if len(set(after.seats.values())) == 2:  # from now on somebody waits
                    first, asked_at = first and at, at
            case round_events.WagersTakenBack():
                self.ready.discard(event.seat)
                first = first if after.round.seats else None
        self.times = Times(at, first, asked_at, closed)

    def set_ready(self, said: Mapping[int, int]) -> bool:
        """Note which seats are done betting, and at which version they said so; a later change of
        the bet cancels it. Return whether anything changed."""
        seats = {seat for seat, at in said.items() if at >= self._placed.get(seat, 0)}
        if seats == self.ready:
            return False
        self.ready = seats
        return True

    def idle(self, table: Table, at: datetime, seconds: float) -> list[tuple[int, str]]:
        """Return the seats whose players are not in a bet now and have neither sat down nor bet for
        `seconds`."""
        betting = {seat.player for seat in table.round.seats}
        is_over = table.round.phase == "over"
        return [
            (seat, player)
            for seat, player in table.seats.items()
            if (is_over or player not in betting)
            and (at - self._acted.setdefault(player, at)).total_seconds() > seconds
        ]


def clock_form(coming: DueCommand | None, table: Table, rules: Rules) -> ClockForm | None:
    """Return what happens next unless people act first, as a page shows it."""
    if coming is None or not coming.what:
        return None
    left = (coming.at - now()).total_seconds()
    at = coming.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    on_people = table.round.phase in ("betting", "deciding")
    more = rules.clock.extension if rules.clock is not None and on_people else 0
    return ClockForm(coming.what, at, round(max(0.0, left), 1), coming.seat, more)


def check_ready(table: Table, rules: Rules, seat: int, player: str) -> None:
    """Refuse unless this player may say that they are done betting."""
    held = table.round.seat(seat)
    if table.round.phase != "betting":
        raise Refusal("the bets are not open", code="not_now")
    if held is None and table.seats.get(seat) == player:
        return  # they sit this round out
    if held is None:
        raise Refusal(f"nothing is placed at seat {seat}", code="nothing_placed")
    if held.player != player:
        raise Refusal(f"seat {seat} is not yours", code="not_yours")
    if not standing(held, rules):
        needed = ", ".join(rules.book.wagers[name].title for name in rules.required)
        raise Refusal(
            f"these wagers cannot stand yet: the round takes {needed}",
            code="not_enough_placed",
            clause=rules.book.required_clause or None,
        )
