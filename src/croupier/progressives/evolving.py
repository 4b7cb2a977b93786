"""Apply an event to a link. Pure; nothing is refused here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from croupier.progressives.links import Link, Member, OpenRound
from croupier.progressives.messages import (
    Awarded,
    Contributed,
    Event,
    LinkClosed,
    LinkOpened,
    MoneyReceived,
    RoundFinished,
    RoundReversed,
    TableJoined,
    TableLeft,
    TermsChanged,
)
from croupier.progressives.meters import MICRO, Column, LinkMeter, opened_meter


def evolve(link: Link | None, event: Event) -> Link:
    """Return the link after the event. Only `LinkOpened` happens without a link."""
    if isinstance(event, LinkOpened):
        meters = {name: opened_meter(terms) for name, terms in event.meters.items()}
        return Link(id=event.link, game=event.game, meters=meters, validate_all=event.validate_all)
    assert link is not None
    match event:
        case TableJoined():
            return _joined(link, event)
        case TableLeft():
            members = {name: m for name, m in link.members.items() if name != event.table}
            return replace(link, members=members)
        case Contributed():
            return _contributed(link, event)
        case RoundReversed():
            return _reversed(link, event)
        case Awarded():
            return _awarded(link, event)
        case RoundFinished():
            return _with_round(link, event.table, None)
        case TermsChanged():
            meter = replace(link.meters[event.meter], terms=event.terms)
            return replace(link, meters=link.meters | {event.meter: meter})
        case LinkClosed():
            out = {name: moved.microcents for name, moved in event.goes.items()}
            return replace(link, meters=_entered(link.meters, "moved_out", out), closed=True)
        case MoneyReceived():
            came = {event.meter: event.microcents}
            return replace(
                link,
                meters=_entered(link.meters, "received", came),
                received=(*link.received, f"{event.from_link}:{event.from_meter}"),
            )


def replay(events: Iterable[Event], link: Link | None = None) -> Link | None:
    for event in events:
        link = evolve(link, event)
    return link


def _joined(link: Link, event: TableJoined) -> Link:
    terms = event.table
    return replace(
        link,
        members=link.members | {terms.table: Member(terms)},
        paytables=link.paytables | {terms.rulebook: terms.paytable},
    )


def _contributed(link: Link, event: Contributed) -> Link:
    opened = OpenRound(
        number=event.round,
        stakes=event.stakes,
        rates=event.rates,
        emptied={name: meter.times_emptied for name, meter in link.meters.items()},
    )
    member = replace(link.members[event.table], round=opened)
    return replace(
        link,
        members=link.members | {event.table: member},
        meters=_entered(link.meters, "contributed", event.microcents),
        last_rounds=link.last_rounds | {event.table: event.round},
    )


def _reversed(link: Link, event: RoundReversed) -> Link:
    opened = link.members[event.table].round
    assert opened is not None
    stakes = tuple(bet for bet in opened.stakes if bet[0] not in event.seats)
    meters = _entered(link.meters, "made_good", event.made_good)
    meters = _entered(meters, "reversed", event.microcents)
    link = replace(link, meters=meters)
    return _with_round(link, event.table, replace(opened, stakes=stakes) if stakes else None)


def _awarded(link: Link, event: Awarded) -> Link:
    opened = link.members[event.table].round
    assert opened is not None
    meter = link.meters[event.meter]
    meter = (
        meter.after_full_award(event.cents, event.reset_cents)
        if event.percent == 100
        else meter.with_entry("awarded", event.cents * MICRO)
    )
    link = _with_round(link, event.table, replace(opened, awarded=(*opened.awarded, event.seat)))
    return replace(link, meters=link.meters | {event.meter: meter})


def _with_round(link: Link, table: str, opened: OpenRound | None) -> Link:
    member = replace(link.members[table], round=opened)
    return replace(link, members=link.members | {table: member})


def _entered(
    meters: Mapping[str, LinkMeter], column: Column, amounts: Mapping[str, int]
) -> dict[str, LinkMeter]:
    return {
        name: meter.with_entry(column, amounts[name]) if amounts.get(name) else meter
        for name, meter in meters.items()
    }
