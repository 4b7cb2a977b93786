"""Pay a settlement through a link, and check that both give the same amounts.

`settle` lowers and resets meters as plain numbers; a link does so by events. For the same round and
readings both must end at the same cents.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from croupier.errors import CroupierError
from croupier.progressives.deciding import decide
from croupier.progressives.evolving import evolve
from croupier.progressives.links import Link
from croupier.progressives.messages import Award, Event
from croupier.rounds.settlement import Settlement
from croupier.rulebooks.rules import Rules


class DueAward(NamedTuple):
    """A line of a settlement that is paid from a meter."""

    seat: int
    hand: str
    cents: int


def rules_on_link(rules: Rules, link: Link) -> Rules:
    """Return the table's rules with the reset amounts now in force on the link."""
    return replace(rules, resets=link.resets(), prepared={})


def awards_due(settlement: Settlement, rules: Rules) -> tuple[DueAward, ...]:
    """Return the awards in the order of payment: seats counterclockwise, highest number first."""
    due = []
    for seat in sorted(settlement.seats, key=lambda seat: -seat.seat):
        for line in seat.lines:
            if not line.from_meter:
                continue
            taken = rules.book.wagers[line.wager].taken_before_deal
            stake = line.stake if taken or line.stake_lost else 0
            due.append(DueAward(seat.seat, line.reason.line, line.net + line.forgone + stake))
    return tuple(due)


def pay_awards(
    link: Link, table: str, number: int, settlement: Settlement, rules: Rules, validated_by: str
) -> tuple[Link, tuple[Event, ...]]:
    """Pay every award of a round that was settled with `link.shown()`; return the link afterwards,
    and its events.

    If an award or a meter differs from the settlement by a cent, nothing is paid: an award that
    differs is refused (`meter_moved`); a meter that differs is an error in this program.
    """
    events: list[Event] = []
    for due in awards_due(settlement, rules):
        command = Award(
            table=table,
            round=number,
            seat=due.seat,
            hand=due.hand,
            validated_by=validated_by,
            expected_cents=due.cents,
        )
        for event in decide(link, command):
            link = evolve(link, event)
            events.append(event)
    if link.shown() != settlement.meters:
        raise CroupierError(
            f"the meters show {link.shown()}, but the settlement says {settlement.meters}",
            code="internal",
        )
    return link, tuple(events)
