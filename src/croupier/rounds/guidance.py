"""Which step a round waits for, and what its people are told with it.

The steps are commands that a named person gives, and the round waits for each of them; so what is
told here is done, or nothing goes on.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from croupier.rounds.round_flow import Ask, flow_of
from croupier.rounds.state import Round
from croupier.rulebooks.duties import Duty, Step, duties_of
from croupier.rulebooks.rules import Rules

__all__ = ["Moment", "duties_now", "handles_cards", "moments_now"]

_STEPS: Final[dict[str, Step]] = {
    "over": "open_betting",
    "betting": "close_bets",
    "showdown": "show_dealer",
    "settling": "settle",
    "collecting": "collect",
}


class Moment(NamedTuple):
    """A step of a round; `at` is the question or the reveal, where there are several."""

    step: Step
    at: str = ""


def moments_now(state: Round, rules: Rules) -> tuple[Moment, ...]:
    """What the round waits for, and the folded hands that are to be dealt with meanwhile."""
    if state.claim is not None:
        return (Moment("validate"),)
    if state.phase == "closed":
        return (Moment("deal" if state.counted else "count_chips"),)
    if state.phase in ("deciding", "revealing"):
        found = _in_flow(state, rules)
    else:
        found = Moment(_STEPS[state.phase])
    is_folding = state.phase in ("deciding", "revealing", "showdown", "settling")
    has_folded = is_folding and any(seat.folded for seat in state.seats)
    return (found, Moment("fold")) if has_folded else (found,)


def handles_cards(step: str) -> bool:
    """Whether a step's duties are about cards in somebody's hands: virtual ones ask nothing."""
    return step in ("open_betting", "deal", "fold", "reveal", "collect")


def duties_now(state: Round, rules: Rules, role: str = "dealer") -> tuple[Duty, ...]:
    """What this person is told now."""
    return tuple(
        duty
        for step, at in moments_now(state, rules)
        if state.source == "live" or not handles_cards(step)
        for duty in duties_of(rules, role=role, step=step, at=at or None)
    )


def _in_flow(state: Round, rules: Rules) -> Moment:
    step = flow_of(rules).steps[state.step]
    if isinstance(step, Ask):
        return Moment("ask", step.decision.name)
    return Moment("reveal", step.reveal.name)
