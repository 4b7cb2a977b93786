"""What each event of a link did to its meters, in numbers and in words."""

from __future__ import annotations

from croupier.money import dollars
from croupier.progressives.messages import (
    Awarded,
    Contributed,
    Event,
    LinkClosed,
    LinkOpened,
    MoneyReceived,
    MoveTo,
    RoundFinished,
    RoundReversed,
    TableJoined,
    TableLeft,
    TermsChanged,
)
from croupier.progressives.meters import MICRO

__all__ = ["meter_changes", "round_of", "told"]


def meter_changes(event: Event) -> dict[str, int]:
    """By how much each meter rose or fell, in micro-cents; meters that stayed are left out."""
    match event:
        case LinkOpened():
            found = {name: terms.seed_cents * MICRO for name, terms in event.meters.items()}
        case Contributed():
            found = dict(event.microcents)
        case RoundReversed():
            good = event.made_good
            found = {name: good.get(name, 0) - sum_ for name, sum_ in event.microcents.items()}
        case Awarded():
            found = {event.meter: (event.reset_cents - event.cents) * MICRO}
        case LinkClosed():
            found = {name: -moved.microcents for name, moved in event.goes.items()}
        case MoneyReceived():
            found = {event.meter: event.microcents}
        case _:
            found = {}
    return {name: change for name, change in found.items() if change}


def round_of(event: Event) -> tuple[str, int]:
    """The table and the round it belongs to; without them, empty and 0."""
    match event:
        case Contributed() | RoundReversed() | Awarded() | RoundFinished():
            return event.table, event.round
        case TableJoined():
            return event.table.table, 0
        case TableLeft():
            return event.table, 0
    return "", 0


def told(event: Event) -> str:
    """The event in a sentence."""
    match event:
        case LinkOpened():
            terms = "; ".join(f"{name}: {one}" for name, one in event.meters.items())
            return f"{event.by} opened the link ({terms})"
        case TableJoined():
            approved = f", approval {event.approval}" if event.approval else ""
            return f"{event.by} let table {event.table.table} onto the link{approved}"
        case TableLeft():
            return f"{event.by} took table {event.table} off the link"
        case Contributed():
            seats = ", ".join(f"seat {seat} {dollars(stake)}" for seat, stake in event.stakes)
            return f"bets of table {event.table}, round {event.round}: {seats}"
        case RoundReversed():
            seats = ", ".join(str(seat) for seat in event.seats)
            by = f"{event.by}: " if event.by else ""
            return (
                f"{by}round {event.round} of table {event.table} gives back what seats {seats} "
                f"added ({event.reason})"
            )
        case Awarded():
            return _award(event)
        case RoundFinished():
            return f"round {event.round} of table {event.table} is over"
        case TermsChanged():
            return f"{event.by} changed {event.meter} to {event.terms} ({event.reason})"
        case LinkClosed():
            return f"{event.by} closed the link ({event.reason}): {_gone(event)}"
        case MoneyReceived():
            return f"{event.by} moved the money of {event.from_link}, {event.from_meter} here"


def _award(event: Awarded) -> str:
    reset = f"; it begins again at {dollars(event.reset_cents)}" if event.reset_cents else ""
    validated = f", validated by {event.validated_by}" if event.validated_by else ""
    return (
        f"seat {event.seat} of table {event.table} won {event.percent}% of {event.meter} with "
        f"{event.hand.replace('_', ' ')}: {dollars(event.cents)}{validated}{reset}"
    )


def _gone(event: LinkClosed) -> str:
    return "; ".join(
        f"{name} {dollars(moved.microcents // MICRO)} "
        + (
            f"to {moved.to.link}, {moved.to.meter}"
            if isinstance(moved.to, MoveTo)
            else moved.to.words
        )
        for name, moved in event.goes.items()
    )
