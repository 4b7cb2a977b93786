"""The progressive controller: meters, their tables, and where every cent came from."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import msgspec
from litestar import Controller, get
from litestar.params import QueryParameter

from croupier.ledger.link_history import last_awards, link_moments
from croupier.ledger.table_entries import link_stream
from croupier.money import format_cents
from croupier.progressives import Link, Member
from croupier.progressives.meters import MICRO, LinkMeter
from croupier.rounds.round_flow import flow_of
from croupier.web.guard import visit_of
from croupier.web.pit import Pit
from croupier.web.problems import NotThere
from croupier.web.routes.dependencies import AnyRequest, NameInPath, ThePit
from croupier.web.routes.problem_responses import PROBLEMS

__all__ = ["LinkRoutes"]

AWARDS = 25
_READERS = ("operator", "floorperson", "auditor", "dealer")


class MeterForm(msgspec.Struct, frozen=True, kw_only=True):
    """`shown` is what players see; `reading` and the columns have six more decimals. The reading is
    seeded + received + contributed + made_good + reset - reversed - awarded - moved_out."""

    name: str
    shown: str
    reading: str
    seed: str
    reset: str
    rate: str
    least: str
    clause: str
    columns: dict[str, str]


class SeatLightForm(msgspec.Struct, frozen=True):
    """A seat's light is on while its bet of this round is accepted."""

    seat: int
    player: str
    accepted: str


class MemberForm(msgspec.Struct, frozen=True, kw_only=True):
    """`accepted` counts the bets that the system took in the round; `chips_counted`: the dealer's
    count of chips agreed with it."""

    table: str
    rulebook: str
    title: str
    paytable: str
    decks: int
    seats: int
    round: int
    phase: str
    accepted: int
    chips_counted: bool
    lights: tuple[SeatLightForm, ...]
    light_clause: str
    count_clause: str


class LinkForm(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    version: int
    closed: bool
    rulebook: str
    stakes: tuple[str, ...]
    decks: int
    clause: str
    validate_all: bool
    meters: tuple[MeterForm, ...]
    members: tuple[MemberForm, ...]


class LinksForm(msgspec.Struct, frozen=True):
    links: tuple[LinkForm, ...]


class MomentForm(msgspec.Struct, frozen=True):
    """Amounts in dollars with up to eight decimals: nothing on a meter is rounded."""

    version: int
    at: str
    kind: str
    table: str
    round: int
    words: str
    clause: str
    changes: dict[str, str]
    readings: dict[str, str]


class AwardForm(msgspec.Struct, frozen=True):
    version: int
    at: str
    table: str
    round: int
    seat: int
    hand: str
    meter: str
    percent: int
    amount: str
    validated_by: str
    clause: str


class LinkHistoryForm(msgspec.Struct, frozen=True):
    """The newest first. `more`: ask again with `before` the last one's version."""

    link: str
    moments: tuple[MomentForm, ...]
    more: bool
    awards: tuple[AwardForm, ...]


Before = Annotated[
    int, QueryParameter(ge=0, le=2**53, description="Only what is older; 0: from the newest")
]
Count = Annotated[int, QueryParameter(ge=1, le=500)]
OfTable = Annotated[str, QueryParameter(max_length=60, description="Only of this table")]
OfKind = Annotated[str, QueryParameter(max_length=30, description="Only of this kind")]


class LinkRoutes(Controller):
    path = "/api/v1/links"
    tags = ("house",)

    @get("/", summary="All progressive links", responses=PROBLEMS)
    async def links(self, request: AnyRequest, pit: ThePit) -> LinksForm:
        visit_of(request).working("see the progressive controller", *_READERS)
        found: LinksForm = await pit.blocking(lambda: _links(pit))
        return found

    @get("/{link:str}", summary="A link and its meters", responses=PROBLEMS)
    async def link(self, request: AnyRequest, link: NameInPath, pit: ThePit) -> LinkForm:
        visit_of(request).working("see the progressive controller", *_READERS)
        found: LinkForm = await pit.blocking(lambda: _form(pit, link))
        return found

    @get("/{link:str}/history", summary="Where every cent came from", responses=PROBLEMS)
    async def history(
        self,
        request: AnyRequest,
        link: NameInPath,
        pit: ThePit,
        before: Before = 0,
        count: Count = 100,
        table: OfTable = "",
        kind: OfKind = "",
    ) -> LinkHistoryForm:
        visit_of(request).working("see the progressive controller", *_READERS)
        asked = _Asked(before, count, table, kind)
        found: LinkHistoryForm = await pit.blocking(lambda: _history(pit, link, asked))
        return found


def _links(pit: Pit) -> LinksForm:
    prefix = link_stream("")
    names = [stream.removeprefix(prefix) for stream in pit.journal.streams(prefix)]
    return LinksForm(tuple([_form(pit, name) for name in names]))


def _form(pit: Pit, name: str) -> LinkForm:
    held = pit.links.read(name)
    if held is None:
        raise NotThere(f"there is no link {name[:60]!r}: GET /api/v1/links lists them")
    link = held.link
    return LinkForm(
        id=link.id,
        version=held.version,
        closed=link.closed,
        rulebook=link.game.rulebook,
        stakes=tuple([format_cents(stake) for stake in link.game.stakes]),
        decks=link.game.decks,
        clause=link.game.clauses.meter,
        validate_all=link.validate_all,
        meters=tuple([_meter(link, one, meter) for one, meter in link.meters.items()]),
        members=tuple([_member(pit, one, member) for one, member in link.members.items()]),
    )


def _meter(link: Link, name: str, meter: LinkMeter) -> MeterForm:
    floor = link.game.floors[name]
    totals = msgspec.structs.asdict(meter.explain())
    totals.pop("reading")
    return MeterForm(
        name=name,
        shown=format_cents(meter.shown_cents),
        reading=exact(meter.reading),
        seed=format_cents(meter.terms.seed_cents),
        reset=format_cents(meter.terms.reset_cents),
        rate=exact_rate(meter.terms.rate_millionths),
        least=format_cents(floor.cents),
        clause=floor.clause,
        columns={column: exact(sum_) for column, sum_ in totals.items()},
    )


def _member(pit: Pit, name: str, member: Member) -> MemberForm:
    terms = member.terms
    round_number, phase, counted = 0, "", False
    lights: list[SeatLightForm] = []
    count_clause = ""
    served = next((one for one in pit.tables if one.name == name), None)
    if served is not None:
        state, flow = served.table.round, flow_of(served.rules)
        round_number, phase, counted = state.number, state.phase, state.counted
        count_clause = flow.dealing.counts_chips
        lights = [
            SeatLightForm(seat.number, seat.player, format_cents(seat.wagers[flow.progressive]))
            for seat in state.seats
            if flow.progressive in seat.wagers and state.phase != "over"
        ]
    return MemberForm(
        table=name,
        rulebook=terms.rulebook,
        title=terms.title,
        paytable=terms.paytable,
        decks=terms.decks,
        seats=terms.seats,
        round=round_number,
        phase=phase,
        accepted=len(lights),
        chips_counted=counted,
        lights=tuple(lights),
        light_clause=terms.clauses.light,
        count_clause=count_clause,
    )


class _Asked(msgspec.Struct, frozen=True):
    before: int
    count: int
    table: str
    kind: str


def _history(pit: Pit, name: str, asked: _Asked) -> LinkHistoryForm:
    held = pit.links.read(name)
    if held is None:
        raise NotThere(f"there is no link {name[:60]!r}: GET /api/v1/links lists them")
    wanted = (
        one
        for one in link_moments(pit.journal, held.link, held.version)
        if (not asked.before or one.version < asked.before)
        and (not asked.table or one.table == asked.table)
        and (not asked.kind or one.kind == asked.kind)
    )
    found = list(islice(wanted, asked.count + 1))
    moments = [
        MomentForm(
            *(one.version, one.at, one.kind, one.table, one.round, one.words, one.clause),
            {meter: exact(change) for meter, change in one.changes.items()},
            {meter: exact(reading) for meter, reading in one.readings.items()},
        )
        for one in found[: asked.count]
    ]
    awards = [
        AwardForm(
            *(one.version, one.at, one.award.table, one.award.round, one.award.seat),
            *(one.award.hand, one.award.meter, one.award.percent, format_cents(one.award.cents)),
            *(one.award.validated_by, one.award.clause),
        )
        for one in last_awards(pit.journal, name, AWARDS)
    ]
    return LinkHistoryForm(name, tuple(moments), len(found) > asked.count, tuple(awards))


def exact(microcents: int) -> str:
    """Dollars and every part of a cent, without zeros at the end beyond the cents."""
    sign, whole = ("-" if microcents < 0 else ""), abs(microcents)
    dollars_, part = divmod(whole, 100 * MICRO)
    return (
        f"{sign}{dollars_}.{str(part).rjust(8, '0')[:2]}{str(part).rjust(8, '0')[2:].rstrip('0')}"
    )


def exact_rate(millionths: int) -> str:
    whole, part = divmod(millionths, MICRO)
    return f"{whole}.{str(part).rjust(6, '0')}".rstrip("0").rstrip(".")
