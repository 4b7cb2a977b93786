"""A progressive link in full: its meters with their reasons, its tables and lights, the last
awards, and the history of every fraction of a cent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from croupier import progressives
from croupier.errors import CroupierError, plain
from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import LinkRecord, link_record, link_stream
from croupier.money import dollars, format_cents
from croupier.progressives import MICRO, Awarded, Link, LinkMeter
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import progressive_wager
from croupier.tables.state import Table, rules_of

LAST_AWARDS: Final = 25
BATCH: Final = 500
_MICRO_DOLLAR: Final = 100 * MICRO


class MeterForm(msgspec.Struct, frozen=True):
    """`shown` is what players see, `exact` the reading with fractions of a cent. `explained` lists
    what came in and went out, column by column."""

    shown: str
    exact: str
    rate: str
    seed: str
    reset: str
    explained: dict[str, str]
    emptied: int


class LinkRow(msgspec.Struct, frozen=True):
    link: str
    version: int
    closed: bool
    rulebook: str
    title: str
    tables: tuple[str, ...]
    meters: dict[str, MeterForm]


class LightForm(msgspec.Struct, frozen=True):
    """A seat's light is on if the system accepted its wager for the round (11.J(2)(b)); the chips
    on the layout are counted against the lights."""

    seat: int
    player: str
    light: bool
    accepted: str
    chips: str


class MemberForm(msgspec.Struct, frozen=True):
    table: str
    rulebook: str
    paytable: str
    round: int
    lights: tuple[LightForm, ...]
    counted: bool
    """Whether the dealer counted the chips and the count matched the lights."""


class AwardRow(msgspec.Struct, frozen=True):
    version: int
    at: str
    table: str
    round: int
    seat: int
    hand: str
    meter: str
    percent: int
    paid: str
    reset: str
    clause: str
    validated_by: str


class HistoryRow(msgspec.Struct, frozen=True):
    """An entry: the report to the link, who gave it, and what each meter gained or lost. `after` is
    each meter's exact reading afterwards."""

    version: int
    at: str
    what: str
    by: str
    words: str
    changes: dict[str, str]
    after: dict[str, str]


class LinkForm(msgspec.Struct, frozen=True):
    link: str
    version: int
    closed: bool
    rulebook: str
    title: str
    stakes: tuple[str, ...]
    meters: dict[str, MeterForm]
    members: tuple[MemberForm, ...]
    awards: tuple[AwardRow, ...]
    history: tuple[HistoryRow, ...]
    received: tuple[str, ...]


def link_row(link: Link, version: int) -> LinkRow:
    meters = {name: _meter(meter) for name, meter in link.meters.items()}
    return LinkRow(
        link.id,
        version,
        link.closed,
        link.game.rulebook,
        _title(link.game.rulebook),
        tuple(sorted(link.members)),
        meters,
    )


def link_form(
    journal: Journal,
    link: Link,
    version: int,
    tables: Mapping[str, Table],
    before: int | None = None,
    limit: int = 100,
) -> LinkForm:
    """Return the link in full. `tables` are its tables as they stand; `before` and `limit` select
    the history."""
    row = link_row(link, version)
    return LinkForm(
        row.link,
        row.version,
        row.closed,
        row.rulebook,
        row.title,
        tuple(format_cents(stake) for stake in link.game.stakes),
        row.meters,
        tuple(_member(link, name, tables.get(name)) for name in row.tables),
        tuple(awards(journal, link.id, version)),
        tuple(history(journal, link, version, before, limit)),
        link.received,
    )


def _title(rulebook: str) -> str:
    try:
        return load_rulebook(rulebook).default.title
    except CroupierError:  # a rulebook of the house's own is known by its id
        return rulebook


def _meter(meter: LinkMeter) -> MeterForm:
    terms, totals = meter.terms, meter.explain()
    return MeterForm(
        shown=format_cents(meter.shown_cents),
        exact=_exact(meter.reading),
        rate=_rate(terms.rate_millionths),
        seed=format_cents(terms.seed_cents),
        reset=format_cents(terms.reset_cents),
        explained={
            name: _exact(getattr(totals, name))
            for name in totals.__struct_fields__
            if name != "reading"
        },
        emptied=meter.times_emptied,
    )


def _rate(millionths: int) -> str:
    whole, part = divmod(millionths, MICRO)
    return f"{whole}.{part:06d}".rstrip("0").rstrip(".")


def _exact(microcents: int) -> str:
    """Format dollars with every fraction of a cent: `10000.25`, `0.0125`."""
    sign = "-" if microcents < 0 else ""
    whole, part = divmod(abs(microcents), _MICRO_DOLLAR)
    return f"{sign}{whole}.{f'{part:08d}'.rstrip('0').ljust(2, '0')}"


def _member(link: Link, name: str, table: Table | None) -> MemberForm:
    terms, opened = link.members[name].terms, link.members[name].round
    lights: list[LightForm] = []
    counted = opened is not None
    if table is not None and table.round.phase not in ("over", "betting"):
        wager = progressive_wager(rules_of(table).book) or ""
        accepted = dict(opened.stakes) if opened is not None else {}
        for seat in table.round.seats:
            if wager in seat.wagers:
                light = opened is None or seat.number in accepted
                cents = accepted.get(seat.number, seat.wagers[wager] if light else 0)
                lights.append(
                    LightForm(
                        seat.number,
                        seat.player,
                        light,
                        format_cents(cents),
                        format_cents(seat.wagers[wager]),
                    )
                )
    number = table.round.number if table is not None else link.last_rounds.get(name, 0)
    return MemberForm(name, terms.rulebook, terms.paytable, number, tuple(lights), counted)


# -- the past -------------------------------------------------------------------------------------


def awards(
    journal: Journal, link: str, version: int, most: int = LAST_AWARDS
) -> Iterator[AwardRow]:
    """Yield the last awards, newest first."""
    count = 0
    for entry in _backwards(journal, link, version):
        if entry.kind != "award":
            continue
        for event in link_record(entry).events:
            if isinstance(event, Awarded):
                yield _award(entry, event)
                count += 1
        if count >= most:
            return


def _award(entry: Entry, event: Awarded) -> AwardRow:
    return AwardRow(
        entry.version,
        entry.at,
        event.table,
        event.round,
        event.seat,
        event.hand,
        event.meter,
        event.percent,
        format_cents(event.cents),
        format_cents(event.reset_cents),
        event.clause,
        event.validated_by,
    )


def history(
    journal: Journal, link: Link, version: int, before: int | None = None, limit: int = 100
) -> Iterator[HistoryRow]:
    """Yield entries from `before` backwards. Readings are computed from the present one by undoing
    each entry."""
    reading = {name: meter.reading for name, meter in link.meters.items()}
    count = 0
    for entry in _backwards(journal, link.id, version):
        if count >= limit:
            return
        record = link_record(entry)
        changes: dict[str, int] = {}
        for event in record.events:
            for meter, change in _changes(event).items():
                changes[meter] = changes.get(meter, 0) + change
        if before is None or entry.version < before:
            yield HistoryRow(
                entry.version,
                entry.at,
                entry.kind,
                _by(record),
                "; ".join(filter(None, map(_words, record.events))),
                {name: _exact(change) for name, change in changes.items() if change},
                {name: _exact(amount) for name, amount in reading.items()},
            )
            count += 1
        reading = {name: amount - changes.get(name, 0) for name, amount in reading.items()}


def _backwards(journal: Journal, link: str, version: int) -> Iterator[Entry]:
    last = version
    while last > 0:
        first = max(0, last - BATCH)
        yield from reversed(list(journal.read(link_stream(link), first, last)))
        last = first


def _by(record: LinkRecord) -> str:
    if record.by is not None:
        return str(record.by)
    said = getattr(record.command, "by", "") or getattr(record.command, "validated_by", "")
    table = getattr(record.command, "table", "")
    return said or f"table {table if isinstance(table, str) else table.table}"


def _changes(event: progressives.Event) -> dict[str, int]:
    """Return what the event adds to each meter, in millionths of a cent."""
    match event:
        case progressives.LinkOpened():
            return {name: terms.seed_cents * MICRO for name, terms in event.meters.items()}
        case progressives.Contributed():
            return dict(event.microcents)
        case progressives.RoundReversed():
            good = event.made_good
            return {name: good.get(name, 0) - amount for name, amount in event.microcents.items()}
        case progressives.Awarded():
            return {event.meter: (event.reset_cents - event.cents) * MICRO}
        case progressives.LinkClosed():
            return {name: -moved.microcents for name, moved in event.goes.items()}
        case progressives.MoneyReceived():
            return {event.meter: event.microcents}
        case _:
            return {}


def _words(event: progressives.Event) -> str:
    match event:
        case progressives.LinkOpened():
            return f"opened: {'; '.join(f'{n}: {terms}' for n, terms in event.meters.items())}"
        case progressives.TableJoined():
            approval = f" (approval {plain(event.approval)})" if event.approval else ""
            return f"table {event.table.table} joins{approval}"
        case progressives.TableLeft():
            return f"table {event.table} leaves"
        case progressives.Contributed():
            stakes = sum(stake for _, stake in event.stakes)
            return f"table {event.table}, round {event.round}: stakes of {dollars(stakes)}"
        case progressives.RoundReversed():
            return f"table {event.table}, round {event.round} taken back: {event.reason}"
        case progressives.Awarded():
            reset = f", reset to {dollars(event.reset_cents)}" if event.reset_cents else ""
            return (
                f"table {event.table}, round {event.round}, seat {event.seat}: "
                f"{event.hand.replace('_', ' ')} wins {dollars(event.cents)} "
                f"({event.percent}% of {event.meter}){reset} [{event.clause}]"
            )
        case progressives.RoundFinished():
            return f"table {event.table}, round {event.round} is finished"
        case progressives.TermsChanged():
            return f"{event.meter}: {event.terms}: {event.reason}"
        case progressives.LinkClosed():
            return f"closed: {event.reason}; {'; '.join(_goes(event))}"
        case progressives.MoneyReceived():
            return f"{event.meter} receives the money of {event.from_link}:{event.from_meter}"


def _goes(event: progressives.LinkClosed) -> Iterator[str]:
    for name, moved in event.goes.items():
        to = moved.to
        where = f"to {to.link}:{to.meter}" if isinstance(to, progressives.MoveTo) else to.words
        yield f"{dollars(moved.microcents // MICRO)} of {name}: {where}"
