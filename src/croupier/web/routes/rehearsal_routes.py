"""A rehearsal table for a guest who tries a job."""

from __future__ import annotations

from litestar import Controller, post
from litestar.params import JSONBody

from croupier.web.forms import RehearsalForm, RehearsalTableForm
from croupier.web.guard import visit_of
from croupier.web.problems import Denied
from croupier.web.rehearsals import TRIAL_PAGES, rehearsal_table
from croupier.web.routes.dependencies import AnyRequest, ThePit
from croupier.web.routes.problem_responses import PROBLEMS
from croupier.web.trial import is_trial

__all__ = ["Rehearsals"]


class Rehearsals(Controller):
    path = "/api/v1/rehearsals"
    tags = ("people",)

    @post("/", status_code=201, summary="A rehearsal table", responses=PROBLEMS)
    async def find(
        self, request: AnyRequest, data: JSONBody[RehearsalForm], pit: ThePit
    ) -> RehearsalTableForm:
        """In demo mode, for guests who came in as dealer, floorperson, operator or auditor."""
        person = visit_of(request).signed_in()
        if not pit.settings.demo or not is_trial(person):
            raise Denied(
                "rehearsal tables are for guests of the demo who try a job: come in with a role",
                code="wrong_role",
            )
        served = await rehearsal_table(pit, data.rulebook, person)
        return RehearsalTableForm(served.name, TRIAL_PAGES[person.role].format(table=served.name))
