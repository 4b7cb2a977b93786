"""The step that a round waits for, and the duties that go with it.

The steps are commands that a named person gives, and the round waits for each of them; so a duty
that is shown here is done, or nothing goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from croupier.rounds.card_entry import cards_to_enter
from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.stakes import live_stakes
from croupier.rounds.state import Round
from croupier.rulebooks.duties import Duty, Step, duties_of
from croupier.rulebooks.rules import Rules

__all__ = ["Moment", "duties_at", "moments_now"]

_STEPS: Final[dict[str, Step]] = {
    "over": "open_betting",
    "betting": "close_bets",
    "showdown": "show_dealer",
    "settling": "settle",
    "collecting": "collect",
}
_HANDLE_CARDS: Final = frozenset({"open_betting", "deal", "fold", "reveal", "collect"})
"""Steps whose duties are about cards in somebody's hands: virtual ones ask nothing."""


class Moment(NamedTuple):
    """A step of a round; `at` is the question, the reveal or the award, where there are several."""

    step: Step
    at: str = ""


def moments_now(state: Round, rules: Rules) -> tuple[Moment, ...]:
    """The step that the round waits for; after it, what goes on beside that step: players bet,
    folded hands are dealt with, an award that was validated is paid."""
    if state.claim is not None:
        return (Moment("validate"),)
    if state.phase == "closed":
        return (Moment("deal" if state.counted else "count_chips"),)
    if state.phase in ("deciding", "revealing"):
        waits = _in_flow(state, rules)
    else:
        waits = Moment(_STEPS[state.phase])
    return (waits, *_beside(state, rules))


def _beside(state: Round, rules: Rules) -> Iterator[Moment]:
    if state.phase == "betting":
        yield Moment("bet")
    is_folding = state.phase in ("deciding", "revealing", "showdown", "settling")
    if is_folding and any(seat.folded for seat in state.seats):
        yield Moment("fold")
    if state.phase not in ("settling", "collecting"):
        return
    # Seats are settled from the last to the first: an award is paid before the next seat.
    last = next((seat for seat in state.seats if seat.settled), None)
    progressive = flow_of(rules).progressive
    if last is not None and any((x.wager, x.result) == (progressive, "win") for x in last.lines):
        yield Moment("award", "progressive")
    if any(line.wager == "envy" for seat in state.seats for line in seat.lines):
        yield Moment("award", "envy")


def duties_at(moment: Moment, state: Round, rules: Rules) -> tuple[Duty, ...]:
    """Everybody's duties at a moment that have an occasion in this round."""
    if state.source == "virtual" and moment.step in _HANDLE_CARDS:
        return ()
    found = duties_of(rules, step=moment.step, at=moment.at)
    return tuple(duty for duty in found if _has_occasion(duty, state, rules))


def _has_occasion(duty: Duty, state: Round, rules: Rules) -> bool:
    """Whether somebody has the wager that a duty is about (without one: a wager of the main game),
    and it is not void; for folded hands, somebody who folded with it, or (`unless`) without any
    that keeps the cards on the table: their own, or a wager of somebody else that still looks at
    the hand (MD-31)."""
    if duty.step not in ("fold", "settle", "count_chips", "report"):
        return True
    seats = [seat for seat in state.seats if not seat.settled]
    if duty.step == "fold":
        seats = [seat for seat in seats if seat.folded]
    if duty.unless:
        kept = {hand.seat for hand in cards_to_enter(state, rules)}
        racked = (seat for seat in seats if seat.number not in kept)
        return any(not set(duty.unless) & live_stakes(state, seat).keys() for seat in racked)
    if not duty.wager and duty.step not in ("fold", "settle"):
        return True
    wagers = {duty.wager} if duty.wager else set(rules.required)
    return any(wagers & live_stakes(state, seat).keys() for seat in seats)


def _in_flow(state: Round, rules: Rules) -> Moment:
    step = flow_of(rules).steps[state.step]
    if isinstance(step, Ask):
        return Moment("ask", step.decision.name)
    return Moment("reveal", step.reveal.name)
