"""Paytables designed in the browser: what a change does, which tables hit a target."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import JSONBody

from croupier.errors import BadRequest
from croupier.mathematics.questions.design.pricing import DesignedTable
from croupier.rulebooks.bundled import BUNDLED
from croupier.web.design_forms import (
    Answer,
    DesignSearch,
    DesignTogether,
    WantedChoices,
    WantedReport,
    WantedRulebook,
)
from croupier.web.guard import visit_of
from croupier.web.guest_limits import queue_key
from croupier.web.problems import NotThere
from croupier.web.routes.dependencies import AnyRequest, NameInPath, TheDesigner, TheDesignReports
from croupier.web.routes.round_routes import PREPARING, preparing

__all__ = ["Designs"]

Short = Annotated[str, msgspec.Meta(max_length=60)]
Pays = Annotated[
    dict[Short, Annotated[str, msgspec.Meta(max_length=20)]], msgspec.Meta(max_length=40)
]

Vary = Annotated[
    tuple[Annotated[str, msgspec.Meta(max_length=80)], ...], msgspec.Meta(max_length=20)
]
RangeText = Annotated[str, msgspec.Meta(max_length=40)]
Amounts = Annotated[dict[Short, RangeText], msgspec.Meta(max_length=20)]


class TableBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lines that pay otherwise than printed, in units to 1: `{"flush": "6", "straight": "7/2"}`."""

    family: Short
    table: Short
    pays: Pays = {}

    def asked(self, rulebook: str) -> DesignedTable:
        return DesignedTable(rulebook, self.family, self.table, tuple(sorted(self.pays.items())))


class SearchBody(TableBody, frozen=True, forbid_unknown_fields=True):
    """`vary`: lines with their ranges, `flush=4..8`; `edge`, `hold` and `hit_frequency`: ranges in
    percent, `2..2.5`; `deviation` in units of the wager. At least one of these targets."""

    vary: Vary = ()
    edge: RangeText = ""
    hold: RangeText = ""
    hit_frequency: RangeText = ""
    deviation: RangeText = ""


class OpenBody(TableBody, frozen=True, forbid_unknown_fields=True):
    vary: Vary = ()


class TogetherBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tables of several wagers, bet together: `stakes` in dollars (`main` is every required wager),
    `edges` in percent by wager, and the targets of a round, `deviation` in dollars."""

    tables: Annotated[tuple[OpenBody, ...], msgspec.Meta(min_length=1, max_length=8)]
    stakes: Amounts = {}
    edges: Amounts = {}
    hold: RangeText = ""
    hit_frequency: RangeText = ""
    deviation: RangeText = ""

    def asked(self, rulebook: str) -> DesignTogether:
        return DesignTogether(
            rulebook,
            tuple((table.asked(rulebook), table.vary) for table in self.tables),
            tuple(sorted(self.stakes.items())),
            tuple(sorted(self.edges.items())),
            self.hold,
            self.hit_frequency,
            self.deviation,
        )


class SavedBody(TableBody, frozen=True, forbid_unknown_fields=True):
    name: Short = "mine"


class ReportBody(SavedBody, frozen=True, forbid_unknown_fields=True):
    """`date`: of the title page, as in 2026-03-01."""

    date: Annotated[str, msgspec.Meta(max_length=10)] = ""


class Designs(Controller):
    path = "/api/v1/designs"
    tags = ("mathematics",)

    @get("/{rulebook:str}", summary="Paytables that can be changed", responses=PREPARING)
    async def choices(
        self, rulebook: NameInPath, request: AnyRequest, designer: TheDesigner
    ) -> Response[Any]:
        who = _who(request)
        return _told(await designer.ask_as(who, WantedChoices(_known(rulebook))))

    @post(
        "/{rulebook:str}/price",
        status_code=200,
        summary="Exact figures of a changed table",
        responses=PREPARING,
    )
    async def price(
        self,
        rulebook: NameInPath,
        request: AnyRequest,
        data: JSONBody[TableBody],
        designer: TheDesigner,
    ) -> Response[Any]:
        who = _who(request)
        return _told(await designer.ask_as(who, data.asked(_known(rulebook))))

    @post(
        "/{rulebook:str}/search",
        status_code=200,
        summary="Tables that hit a target",
        responses=PREPARING,
    )
    async def search(
        self,
        rulebook: NameInPath,
        request: AnyRequest,
        data: JSONBody[SearchBody],
        designer: TheDesigner,
    ) -> Response[Any]:
        who = _who(request)
        asked = DesignSearch(
            data.asked(_known(rulebook)),
            data.vary,
            data.edge,
            data.hold,
            data.hit_frequency,
            data.deviation,
        )
        return _told(await designer.ask_as(who, asked))

    @post(
        "/{rulebook:str}/together",
        status_code=200,
        summary="Tables of several wagers that hit a target together",
        responses=PREPARING,
    )
    async def together(
        self,
        rulebook: NameInPath,
        request: AnyRequest,
        data: JSONBody[TogetherBody],
        designer: TheDesigner,
    ) -> Response[Any]:
        who = _who(request)
        return _told(await designer.ask_as(who, data.asked(_known(rulebook))))

    @post(
        "/{rulebook:str}/rulebook",
        status_code=200,
        summary="A rulebook file with the changed table",
        responses=PREPARING,
    )
    async def rulebook(
        self,
        rulebook: NameInPath,
        request: AnyRequest,
        data: JSONBody[SavedBody],
        designer: TheDesigner,
    ) -> Response[Any]:
        who = _who(request)
        return _told(
            await designer.ask_as(who, WantedRulebook(data.asked(_known(rulebook)), data.name))
        )

    @post(
        "/{rulebook:str}/report",
        status_code=200,
        summary="The mathematics report of the changed table",
        responses=PREPARING,
    )
    async def report(
        self,
        rulebook: NameInPath,
        request: AnyRequest,
        data: JSONBody[ReportBody],
        design_reports: TheDesignReports,
    ) -> Response[Any]:
        """As PDF, else as a page. Takes up to a minute: 202 until it is there."""
        who = _who(request)
        asked = WantedReport(data.asked(_known(rulebook)), data.name, _date(data.date))
        found = await design_reports.ask_as(who, asked)
        if found is None:
            return preparing()
        headers = {"Content-Disposition": "attachment"}
        return Response(found.content, media_type=found.media_type, headers=headers)


def _who(request: AnyRequest) -> str:
    """Whose turn it is: a guest shares theirs with the other guests of their address."""
    visit = visit_of(request)
    return queue_key(visit.signed_in(), visit.address)


def _told(found: Answer | None) -> Response[Any]:
    return preparing() if found is None else Response(found)


def _date(text: str) -> str:
    try:
        return text and date.fromisoformat(text).isoformat()
    except ValueError:
        raise BadRequest("date: write year, month and day, as in 2026-03-01") from None


def _known(rulebook: str) -> str:
    if rulebook not in BUNDLED:
        raise NotThere(f"there is no rulebook {rulebook[:60]!r}: GET /api/v1/rulebooks")
    return rulebook
