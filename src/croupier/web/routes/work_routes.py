"""For those who work at the tables: what comes next, the commands there are, what would follow."""

from __future__ import annotations

from litestar import Controller, get, post

from croupier.runtime.clock import now
from croupier.web.guard import visit_of
from croupier.web.people import Person
from croupier.web.pick_lists import PickListsForm, pick_lists
from croupier.web.problems import Denied
from croupier.web.routes.dependencies import AnyRequest, NameInPath, ThePit
from croupier.web.routes.problem_responses import PROBLEMS
from croupier.web.work import CommandsForm, ForeseenForm, WorkForm, all_commands, work_form

__all__ = ["Work", "staff_of"]


def staff_of(request: AnyRequest) -> Person:
    """Who asks, if he works here."""
    person = visit_of(request).signed_in()
    if person.role == "player":
        raise Denied("this is for the people who work at the tables", code="wrong_role")
    return person


class Work(Controller):
    path = "/api/v1"
    tags = ("work",)

    @get("/commands", summary="Every command", responses=PROBLEMS)
    async def commands(self) -> CommandsForm:
        """With who may give it, and the fields that a form asks for."""
        return all_commands()

    @get("/tables/{table:str}/work", summary="What waits at a table", responses=PROBLEMS)
    async def work(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> WorkForm:
        """The steps to do now, with their clauses and the command that does each."""
        person = staff_of(request)
        served = pit.table(table)
        at = int(now().timestamp())
        return work_form(served.table, served.rules, person, at)

    @get("/tables/{table:str}/picks", summary="Pick lists of a table", responses=PROBLEMS)
    async def picks(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> PickListsForm:
        """What the forms of staff offer: people, seats, wagers, decks, reasons."""
        staff_of(request)
        served = pit.table(table)
        staff = {role: await pit.assignable(table, role) for role in ("dealer", "floorperson")}
        return pick_lists(served.table, served.rules, staff, int(now().timestamp()))

    @post(
        "/tables/{table:str}/foresee",
        status_code=200,
        summary="What would follow",
        responses=PROBLEMS,
    )
    async def foresee(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> ForeseenForm:
        """Of a report, a count or a decision of the floor: the body is the command. Nothing is
        written."""
        person = staff_of(request)
        return await pit.foresee(table, await request.body(), person)
