"""The operator's view of the tables: terms, money, people on duty, and the required sign."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated

import msgspec
from litestar import Controller, Response, get
from litestar.params import QueryParameter

from croupier.money import format_cents
from croupier.reports.felt import felt_svg
from croupier.reports.sheets import sheet
from croupier.reports.signs import Sign, sign_of
from croupier.rounds.explaining import line_title
from croupier.rulebooks.kept_rules import own_text
from croupier.rulebooks.rules import submission_of
from croupier.submissions.approvals import missing_approvals, needed_approvals
from croupier.submissions.starting import submission_toml
from croupier.submissions.uploads import OperatorDuty, operator_duties
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.roles import READ_THE_HOUSE
from croupier.web.accounts.trial import may_work_at
from croupier.web.server.problems import PROBLEMS
from croupier.web.server.requests import AnyRequest, NameInPath, PageNumber, PageSize
from croupier.web.tables.forms import LimitForm
from croupier.web.tables.pit import ThePit
from croupier.web.tables.served_table import ServedTable
from croupier.web.tables.views import money_forms

__all__ = ["HouseRoutes"]


class CountForm(msgspec.Struct, frozen=True):
    """A count of the chips, at opening or closing. It waits until there is a `second`."""

    when: str
    chips: dict[str, int]
    amount: str
    by: str
    second: str


class ApprovalForm(msgspec.Struct, frozen=True):
    """An approval that the table needs; without a number it is not on record."""

    name: str
    words: str
    clause: str
    number: str = ""
    date: str = ""
    authority: str = ""
    missing: bool = False


class HouseTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the house sees it. `stated` is the submission as a file, with the limits in force
    now; `submission` and `rulebook_text` are what `open_table` needs to open the table again."""

    id: str
    title: str
    jurisdiction: str
    rulebook: str
    source: str
    is_open: bool
    round: int
    phase: str
    version: int
    seats: dict[int, str]
    link: str
    meters: dict[str, str]
    money: dict[str, str]
    staff: dict[str, str]
    count: CountForm | None
    approvals: tuple[ApprovalForm, ...]
    limits: dict[str, LimitForm]
    titles: dict[str, str]
    """The display names of the wagers with limits."""
    stated: str
    submission: str
    rulebook_text: str
    yours: bool
    """The asker may change something here; a guest trying a job may do so at rehearsal tables
    only."""


class HouseTablesForm(msgspec.Struct, frozen=True):
    """A page of the tables; `next` is the address of the next page."""

    tables: tuple[HouseTable, ...]
    total: int
    page: int
    next: str | None


class DutiesForm(msgspec.Struct, frozen=True):
    duties: tuple[OperatorDuty, ...]


class HouseRoutes(Controller):
    path = "/api/v1"
    tags = ("house",)

    @get("/house/tables", summary="The tables as the house sees them", responses=PROBLEMS)
    async def tables(
        self,
        request: AnyRequest,
        pit: ThePit,
        page: PageNumber = 1,
        size: PageSize = 50,
        table: Annotated[str, QueryParameter(max_length=60, description="Only this one")] = "",
    ) -> HouseTablesForm:
        """Return the tables, starting with those where the asker may change something."""
        person = visit_of(request).working("see the books of the tables", *READ_THE_HOUSE)
        listed = [pit.table(table)] if table else pit.lobby
        listed.sort(key=lambda served: not may_work_at(person, served.name))
        shown = listed[(page - 1) * size : page * size]
        more = f"{request.url.path}?page={page + 1}&size={size}"
        return HouseTablesForm(
            tuple([_table(served, yours=may_work_at(person, served.name)) for served in shown]),
            len(listed),
            page,
            more if page * size < len(listed) else None,
        )

    @get("/tables/{table:str}/duties", summary="The operator's duties", responses=PROBLEMS)
    async def duties(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> DutiesForm:
        """Return the operator's duties under the document at this table, and where each is done."""
        visit_of(request).working("see the operator's duties", *READ_THE_HOUSE)
        return DutiesForm(operator_duties(pit.table(table).rules))

    @get("/tables/{table:str}/sign", summary="What the table must show", responses=PROBLEMS)
    async def sign(self, table: NameInPath, pit: ThePit) -> Sign:
        """Return notices, paytables and the places on the felt; `missing` lists what nobody has
        stated."""
        return _sign(pit.table(table))

    @get(
        "/tables/{table:str}/layout.svg",
        summary="The felt, drawn",
        responses=PROBLEMS,
        media_type="image/svg+xml",
    )
    async def layout(self, table: NameInPath, pit: ThePit) -> Response[str]:
        return Response(felt_svg(_sign(pit.table(table))), media_type="image/svg+xml")

    @get(
        "/tables/{table:str}/sign.pdf",
        summary="The sign, to print",
        responses=PROBLEMS,
        media_type="application/pdf",
    )
    async def printed(self, table: NameInPath, pit: ThePit) -> Response[bytes]:
        """Return the sign as a PDF. It is typeset once and cached, in a thread that no table waits
        for."""
        sign = msgspec.json.encode(_sign(pit.table(table)))
        made = await pit.looking_back(lambda: _printed(sign))
        return Response(made, media_type="application/pdf")


@lru_cache(maxsize=64)
def _printed(sign: bytes) -> bytes:
    return sheet(msgspec.json.decode(sign, type=Sign), "sign")


def _sign(served: ServedTable) -> Sign:
    stated = submission_of(served.table.submission)
    return sign_of(served.rules, operator=stated.operator, table=served.name)


def _table(served: ServedTable, *, yours: bool) -> HouseTable:
    table, rules = served.table, served.rules
    count = table.count
    stated = msgspec.structs.replace(submission_of(table.submission), rulebook=rules.book.id)
    return HouseTable(
        id=table.id,
        title=rules.book.title,
        jurisdiction=rules.book.jurisdiction,
        rulebook=table.rulebook,
        source=table.source,
        is_open=table.is_open,
        round=table.round.number,
        phase=table.round.phase,
        version=table.version,
        seats=table.seats,
        link=table.link,
        meters=money_forms(served.meters),
        money={name: format_cents(table.money.get(name, 0)) for name in _ACCOUNTS},
        staff=table.staff,
        count=None
        if count is None
        else CountForm(
            count.when,
            {format_cents(worth): many for worth, many in count.chips.items()},
            format_cents(sum(worth * many for worth, many in count.chips.items())),
            count.by,
            count.second,
        ),
        approvals=tuple(_approvals(served)),
        limits=_limits(served),
        titles={name: line_title(name, rules.book) for name in rules.limits},
        stated=submission_toml(stated),
        submission=table.submission,
        rulebook_text=own_text(table.rulebook, table.rulebook_text),
        yours=yours,
    )


def _approvals(served: ServedTable) -> Iterator[ApprovalForm]:
    rules, source = served.rules, served.table.source
    submission = submission_of(served.table.submission)
    missing = missing_approvals(rules, submission, source)
    for approval in needed_approvals(rules, source):
        approvals = submission.approvals.get(approval.name)
        if approval in missing or approvals is None:
            yield ApprovalForm(approval.name, approval.words, approval.clause, missing=True)
            continue
        refs = (str(approvals.number), str(approvals.date), str(approvals.authority))
        yield ApprovalForm(approval.name, approval.words, approval.clause, *refs)


_ACCOUNTS = ("inventory", "drop", "tips")


def _limits(served: ServedTable) -> dict[str, LimitForm]:
    return {
        name: LimitForm(
            None if low is None else format_cents(low), None if high is None else format_cents(high)
        )
        for name, (low, high) in served.rules.limits.items()
    }
