"""Changed paytables and their reports, computed in processes beside the tables, one person after
another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import date
from typing import Annotated, Any, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from croupier.errors import BadRequest, Refusal
from croupier.mathematics.questions.design.pricing import DesignedTable
from croupier.rulebooks.bundled import BUNDLED
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.guest_limits import queue_key
from croupier.web.server.problems import NotThere, Overloaded, TooMany
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.server.solver_process import PREPARING, Answers, SolverProcess, preparing
from croupier.web.solver.design_forms import (
    Answer,
    DesignSearch,
    DesignTogether,
    Question,
    ReportFile,
    WantedChoices,
    WantedReport,
    WantedRulebook,
)

Asked = TypeVar("Asked", bound=Hashable)
Found = TypeVar("Found")


class _Waiting(NamedTuple, Generic[Asked, Found]):
    who: str
    question: Asked
    answer: Future[Found]


class InTurns(Answers[Asked, Found]):
    """A fair queue. For each person, at most one question is being computed and one waits. The
    person served longest ago goes next, so nobody holds up the queue."""

    keeps_open = True
    most_waiting: int = 40
    """Number of people who may wait; further ones are refused."""

    def __init__(
        self, answer: Callable[[Asked], Found], process: SolverProcess | None = None
    ) -> None:
        super().__init__(answer, process)
        self._waiting: list[_Waiting[Asked, Found]] = []
        self._running: _Waiting[Asked, Found] | None = None
        self._served: dict[str, int] = {}
        self._turns = 0

    async def ask_as(self, who: str, question: Asked, patience: float = 1.0) -> Found | None:
        """Return the answer, or None if it is not ready: ask the same question again a little
        later."""
        if not self.knows(question):
            self._check(who)
            turn = _Waiting(who, question, Future[Found]())
            self.answers[question] = turn.answer
            self._waiting.append(turn)
            self._go_on()
        return await self.ask(question, patience)

    def _check(self, who: str) -> None:
        if any(waiting.who == who for waiting in self._waiting):
            raise TooMany(
                "your last question still waits for its turn: others are asking, too. Ask this "
                "one again in a moment",
                1.0,
            )
        if len(self._waiting) >= self.most_waiting:
            raise Overloaded("many people are asking just now: try again in a minute")

    def _go_on(self) -> None:
        if self._running is not None or not self._waiting:
            return
        turn = min(self._waiting, key=lambda waiting: self._served.get(waiting.who, 0))
        self._waiting.remove(turn)
        self._running, self._turns = turn, self._turns + 1
        there = {waiting.who for waiting in self._waiting}
        self._served = {who: at for who, at in self._served.items() if who in there}
        self._served[turn.who] = self._turns
        loop = asyncio.get_running_loop()

        def end(done: Future[Found]) -> None:
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._end, turn, done)

        self.run(self._answer, turn.question).add_done_callback(end)

    def _end(self, turn: _Waiting[Asked, Found], done: Future[Found]) -> None:
        if self._running is not turn:
            return  # the process has ended, and all its work with it
        self._running = None
        if done.cancelled():
            turn.answer.cancel()
        elif isinstance(error := done.exception(), BrokenProcessPool):
            self.process.stopped_at(done)
            self.forget()
            stopped = Refusal("the calculation stopped: ask again", code="not_now")
            turn.answer.set_exception(stopped)
        elif error is not None:
            turn.answer.set_exception(error)
        else:
            turn.answer.set_result(done.result())
        self._go_on()

    def forget(self) -> None:
        super().forget()
        self._waiting.clear()
        self._running = None


class Designer(InTurns[Question, Answer]):
    def __init__(self, process: SolverProcess | None = None) -> None:
        super().__init__(worked_out, process)


TheDesigner: TypeAlias = NamedDependency[Designer]


class DesignReports(InTurns[WantedReport, ReportFile]):
    """Reports on changed paytables, each about a minute of work."""

    remembered = 12  # about a megabyte each
    most_waiting = 8

    def __init__(self, process: SolverProcess | None = None) -> None:
        super().__init__(made_report, process)


TheDesignReports: TypeAlias = NamedDependency[DesignReports]


def worked_out(question: Question) -> Answer:
    """Answer a design question. Runs in the process beside the server, the only one that loads the
    solvers."""
    from croupier.web.solver.design_work import answer

    return answer(question)


def made_report(wanted: WantedReport) -> ReportFile:
    """Make a report file. Runs in the process beside the server, the only one that loads the
    solvers."""
    from croupier.web.solver.design_work import report_file

    return report_file(wanted.table, wanted.name, wanted.date)


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
    """A paytable with changed lines, in units to 1: `{"flush": "6", "straight": "7/2"}`."""

    family: Short
    table: Short
    pays: Pays = {}

    def question(self, rulebook: str) -> DesignedTable:
        return DesignedTable(rulebook, self.family, self.table, tuple(sorted(self.pays.items())))


class SearchBody(TableBody, frozen=True, forbid_unknown_fields=True):
    """A search for paytables. `vary` lists lines with their ranges, `flush=4..8`; `edge`, `hold`
    and `hit_frequency` are ranges in percent, `2..2.5`; `deviation` is in units of the wager. At
    least one of these targets is needed."""

    vary: Vary = ()
    edge: RangeText = ""
    hold: RangeText = ""
    hit_frequency: RangeText = ""
    deviation: RangeText = ""


class OpenBody(TableBody, frozen=True, forbid_unknown_fields=True):
    vary: Vary = ()


class TogetherBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search for the paytables of several wagers bet together. `stakes` are in dollars (`main` is
    every required wager) and `edges` in percent, by wager; the targets apply to a round,
    `deviation` in dollars."""

    tables: Annotated[tuple[OpenBody, ...], msgspec.Meta(min_length=1, max_length=8)]
    stakes: Amounts = {}
    edges: Amounts = {}
    hold: RangeText = ""
    hit_frequency: RangeText = ""
    deviation: RangeText = ""

    def question(self, rulebook: str) -> DesignTogether:
        return DesignTogether(
            rulebook,
            tuple((table.question(rulebook), table.vary) for table in self.tables),
            tuple(sorted(self.stakes.items())),
            tuple(sorted(self.edges.items())),
            self.hold,
            self.hit_frequency,
            self.deviation,
        )


class SavedBody(TableBody, frozen=True, forbid_unknown_fields=True):
    name: Short = "mine"


class ReportBody(SavedBody, frozen=True, forbid_unknown_fields=True):
    """A request for a report. `date` appears on the title page, as in 2026-03-01."""

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
        return _told(await designer.ask_as(who, data.question(_known(rulebook))))

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
        search = DesignSearch(
            data.question(_known(rulebook)),
            data.vary,
            data.edge,
            data.hold,
            data.hit_frequency,
            data.deviation,
        )
        return _told(await designer.ask_as(who, search))

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
        return _told(await designer.ask_as(who, data.question(_known(rulebook))))

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
            await designer.ask_as(who, WantedRulebook(data.question(_known(rulebook)), data.name))
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
        """Return the report as PDF if the server can make one, otherwise as a web page. It takes up
        to a minute; until then the status is 202."""
        who = _who(request)
        wanted = WantedReport(data.question(_known(rulebook)), data.name, _date(data.date))
        file = await design_reports.ask_as(who, wanted)
        if file is None:
            return preparing()
        headers = {"Content-Disposition": "attachment"}
        return Response(file.content, media_type=file.media_type, headers=headers)


def _who(request: AnyRequest) -> str:
    """Return the person's key in the queue. Guests of the same address share one."""
    visit = visit_of(request)
    return queue_key(visit.signed_in(), visit.address)


def _told(answer: Answer | None) -> Response[Any]:
    return preparing() if answer is None else Response(answer)


def _date(text: str) -> str:
    try:
        return text and date.fromisoformat(text).isoformat()
    except ValueError:
        raise BadRequest("date: write year, month and day, as in 2026-03-01") from None


def _known(rulebook: str) -> str:
    if rulebook not in BUNDLED:
        raise NotThere(f"there is no rulebook {rulebook[:60]!r}: GET /api/v1/rulebooks")
    return rulebook
