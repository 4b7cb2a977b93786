"""For auditors, surveillance and the operator: all that was written, and nothing to write."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, get
from litestar.params import FromPath, PathParameter, QueryParameter
from msgspec.structs import replace

from croupier.ledger.search import Sought
from croupier.money import parse_cents
from croupier.tables.state import Table
from croupier.web.audit import (
    AttemptsForm,
    Current,
    EntriesForm,
    OpenedEntry,
    attempts,
    found_entries,
    opened,
    rounds_of,
    streams_of,
)
from croupier.web.guard import visit_of
from croupier.web.people import Person
from croupier.web.pit import Pit
from croupier.web.problems import Denied
from croupier.web.routes.dependencies import AnyRequest, ThePit
from croupier.web.routes.problem_responses import PROBLEMS
from croupier.web.routes.round_routes import time_of

__all__ = ["Audit", "auditor_of"]

MAY_LOOK = ("auditor", "surveillance", "operator")
Text = Annotated[str, QueryParameter(max_length=200)]
Version = Annotated[int, PathParameter(ge=1, le=2**53)]


def auditor_of(request: AnyRequest) -> Person:
    """Who asks, if he may see everything."""
    person = visit_of(request).signed_in()
    if person.role not in MAY_LOOK:
        raise Denied("this is for auditors, surveillance and the operator", code="wrong_role")
    return person


class Audit(Controller):
    path = "/api/v1/audit"
    tags = ("audit",)

    @get("/entries", summary="Entries of the journal", responses=PROBLEMS)
    async def entries(
        self,
        request: AnyRequest,
        pit: ThePit,
        kind: Annotated[
            str, QueryParameter(max_length=60, description="tables, links, attempts, corrections")
        ] = "",
        stream: Text = "",
        table: Text = "",
        round_number: Annotated[int, QueryParameter(name="round", ge=0, le=2**53)] = 0,
        person: Text = "",
        role: Text = "",
        command: Text = "",
        clause: Text = "",
        amount: Annotated[str, QueryParameter(max_length=30, description="in dollars")] = "",
        words: Text = "",
        since: Annotated[str, QueryParameter(max_length=40)] = "",
        until: Annotated[str, QueryParameter(max_length=40)] = "",
        before: Annotated[str, QueryParameter(max_length=300)] = "",
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
    ) -> EntriesForm:
        """The newest first. A page looks at a bounded number of entries: where it finds fewer than
        it was asked for, `before` goes on from there."""
        auditor_of(request)
        sought = Sought(
            kinds=(kind,) if kind else (),
            command=command,
            person=person,
            role=role,
            clause=clause,
            cents=parse_cents(amount) if amount else None,
            words=words,
            since=time_of(since, "since"),
            until=time_of(until, "until"),
        )

        def look() -> EntriesForm:
            now = _current(pit)
            if round_number:
                place = rounds_of(pit.journal, table, round_number, now)
                wanted = replace(sought, streams=place.streams, first=place.first, last=place.last)
            else:
                wanted = replace(sought, streams=streams_of(pit.journal, table, stream, now))
            return found_entries(pit.journal, wanted, before, limit, now)

        return await pit.looking_back(look)

    @get("/entries/{stream:str}/{version:int}", summary="An entry whole", responses=PROBLEMS)
    async def entry(
        self, request: AnyRequest, stream: FromPath[str], version: Version, pit: ThePit
    ) -> OpenedEntry:
        """What was asked, by whom, what happened in words, which money moved, and its place in the
        chain."""
        auditor_of(request)
        return await pit.looking_back(lambda: opened(pit.journal, stream, version, _current(pit)))

    @get("/attempts", summary="What was refused", responses=PROBLEMS)
    async def attempts(self, request: AnyRequest, pit: ThePit, table: Text = "") -> AttemptsForm:
        """Who tried what, why not, and how often."""
        auditor_of(request)
        return await pit.looking_back(lambda: attempts(pit.journal, table))


def _current(pit: Pit) -> Current:
    """Tables as they stand."""
    tables = {served.name: served for served in pit.tables}

    def now(name: str) -> Table | None:
        served = tables.get(name)
        return served.table if served is not None else None

    return now
