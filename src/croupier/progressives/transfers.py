"""The money that each event moves, in whole cents as the meters show them.

The balance of the account `meter:<link>:<name>` is always what that meter shows. Parts of a cent
stay with the house until they add up to a cent.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.progressives.links import Link
from croupier.progressives.messages import Awarded, Event, LinkClosed, MoneyReceived, MoveTo
from croupier.progressives.meters import MICRO

HOUSE = "house"


class MeterTransfer(NamedTuple):
    source: str
    target: str
    cents: int


def meter_account(link: str, meter: str) -> str:
    return f"meter:{link}:{meter}"


def award_account(table: str) -> str:
    """Return the account from which the table pays its winner."""
    return f"award:{table}"


def transfers(before: Link | None, after: Link, event: Event) -> tuple[MeterTransfer, ...]:
    """Return the event's transfers from account to account; each transfer sums to zero.

    Awards and money moved between links have accounts of their own. Every other change of a meter
    (seed, contribution, reversal, reset) is a transfer between the meter and the house.
    """
    moves = _apart(after.id, event)
    for name, meter in after.meters.items():
        account = meter_account(after.id, name)
        was = 0 if before is None else before.meters[name].shown_cents
        done = sum((m.target == account) * m.cents - (m.source == account) * m.cents for m in moves)
        left = meter.shown_cents - was - done
        if left > 0:
            moves.append(MeterTransfer(HOUSE, account, left))
        elif left < 0:
            moves.append(MeterTransfer(account, HOUSE, -left))
    return tuple(moves)


def _apart(link: str, event: Event) -> list[MeterTransfer]:
    match event:
        case Awarded():
            source = meter_account(link, event.meter)
            moves = [MeterTransfer(source, award_account(event.table), event.cents)]
        case LinkClosed():
            moves = [
                MeterTransfer(
                    meter_account(link, name),
                    f"{'moving' if isinstance(moved.to, MoveTo) else 'disposed'}:{link}:{name}",
                    moved.microcents // MICRO,
                )
                for name, moved in event.goes.items()
            ]
        case MoneyReceived():
            source = f"moving:{event.from_link}:{event.from_meter}"
            target = meter_account(link, event.meter)
            moves = [MeterTransfer(source, target, event.microcents // MICRO)]
        case _:
            moves = []
    return [move for move in moves if move.cents]
