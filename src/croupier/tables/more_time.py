"""More time for a question, where a clock runs because somebody else waits."""

from __future__ import annotations

from collections.abc import Collection

from croupier.errors import Refusal, plain
from croupier.rulebooks.clock import MOST_EXTENSIONS
from croupier.rulebooks.rules import Rules
from croupier.tables.commands import MoreTime
from croupier.tables.state import Question, Table

__all__ = ["check_more_time", "extensions", "is_waited_for", "question_of"]


def question_of(table: Table) -> Question:
    """What is open now: the bets of a round, or what one seat is asked."""
    state = table.round
    return state.number, state.step, state.turn if state.phase == "deciding" else 0


def extensions(table: Table) -> int:
    """How often the open question was given more time."""
    question, times = table.extended
    return times if question == question_of(table) else 0


def is_waited_for(table: Table, player: str, away: Collection[str] = ()) -> bool:
    """Is anybody else at the table, and not `away`?"""
    playing = {seat.player for seat in table.round.seats if not seat.left}
    if table.round.phase == "over":
        playing = set()
    return bool((playing | set(table.seats.values())) - {player, *away})


def check_more_time(table: Table, command: MoreTime, rules: Rules) -> None:
    """Refuse where no clock runs for the player, or where it was put back often enough."""
    state, clock = table.round, rules.clock
    asked = {"betting": clock and clock.betting, "deciding": clock and clock.decision}
    if clock is None or not asked.get(state.phase, True):
        raise Refusal("no clock runs here: take your time", code="no_clock")
    if state.phase not in asked:
        raise Refusal("nobody is asked anything now", code="not_now")
    if state.phase == "betting":
        theirs = table.seats.get(command.seat)
    else:
        seat = state.seat(command.seat)
        theirs = seat.player if seat is not None else None
        if command.seat != state.turn:
            raise Refusal(f"seat {state.turn} is asked now, not {command.seat}", code="not_now")
    if theirs != command.player:
        raise Refusal(f"seat {command.seat} is not {plain(command.player)}'s", code="not_yours")
    if not is_waited_for(table, command.player):
        raise Refusal("nobody waits for you: no clock runs", code="no_clock")
    if extensions(table) >= MOST_EXTENSIONS:
        raise Refusal(
            f"more time was given {MOST_EXTENSIONS} times already: after that a player who does "
            "not answer declines",
            code="over_limit",
        )
