"""Rehearsal tables: live cards, software in every role that nobody takes, and nothing at stake.

They are opened on request and reused once nobody is there, at most `MOST_EACH` per game.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Final

import msgspec
from litestar import Controller, post
from litestar.params import JSONBody
from msgspec import Meta

from croupier.errors import Refusal, suggest
from croupier.tables.commands import CloseTable, OpenTable
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.people import Person
from croupier.web.accounts.roles import ROLES
from croupier.web.accounts.trial import is_rehearsal, is_trial, rehearsal_name
from croupier.web.server.problems import PROBLEMS, Denied
from croupier.web.server.requests import AnyRequest
from croupier.web.tables.demo import DEMO_TABLES, INVENTORY, OPERATOR, submission_for
from croupier.web.tables.pit import Pit, ThePit
from croupier.web.tables.served_table import ServedTable


class RehearsalForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The game to rehearse."""

    rulebook: Annotated[str, Meta(min_length=1, max_length=60)]


class RehearsalTableForm(msgspec.Struct, frozen=True):
    """The table, and the page where the asker's job is done."""

    table: str
    page: str


MOST_EACH: Final = 6
TRIAL_PAGES: Final = {role.name: role.job_page for role in ROLES if role.job_page}
"""The page for each job."""
AT_THE_TABLE: Final = tuple(name for name, page in TRIAL_PAGES.items() if "{table}" in page)
"""Roles that get a table to themselves; people in the other roles share what is open."""


async def rehearsal_table(pit: Pit, rulebook: str, person: Person) -> ServedTable:
    """Return a rehearsal table: the person's own if they have one, else an unused one opened again,
    else a new one. People who do not work at a table share an open one."""
    if rulebook not in DEMO_TABLES:
        raise suggest("rulebook", rulebook, DEMO_TABLES)
    async with pit.finding_rehearsals:
        there = {served.name: served for served in pit.tables if is_rehearsal(served.name)}
        names = [rehearsal_name(rulebook, number) for number in range(1, MOST_EACH + 1)]
        served = _own(there, names, person) or await _free(pit, rulebook, there, names)
        if person.role in AT_THE_TABLE:
            served.rehearsal.taken_by = person.name
        served.note_work(person.role)
        return served


def _own(there: dict[str, ServedTable], names: list[str], person: Person) -> ServedTable | None:
    is_open = [there[name] for name in names if name in there and there[name].table.is_open]
    shares = person.role not in AT_THE_TABLE
    return next(
        (served for served in is_open if shares or served.rehearsal.taken_by == person.name), None
    )


async def _free(
    pit: Pit, rulebook: str, there: dict[str, ServedTable], names: list[str]
) -> ServedTable:
    for name in names:
        served = there.get(name)
        if served is not None and not served.is_worked:
            served.rehearsal.clear()
            await _close(pit, served)
            return await _open(pit, rulebook, name)
    for name in names:
        if name not in there:
            return await _open(pit, rulebook, name)
    raise Refusal(
        "people work at every rehearsal table of this game just now: try again in a few minutes",
        code="not_now",
    )


async def _close(pit: Pit, served: ServedTable) -> None:
    """Close the table. Try up to three times, because a step of the software may come first."""
    for _ in range(3):
        if not served.table.is_open:
            return
        in_play = served.table.round.phase != "over"
        why = "the rehearsal begins again" if in_play else ""
        with suppress(Refusal):
            await pit.do(served.name, CloseTable(why), OPERATOR)


async def _open(pit: Pit, rulebook: str, name: str) -> ServedTable:
    known = {served.name for served in pit.tables}
    chips = 0 if name in known else INVENTORY  # a reopened table has its chips already
    command = OpenTable(name, rulebook, submission_for(rulebook), source="live", inventory=chips)
    await pit.do(name, command, OPERATOR)
    return pit.table(name)


class Rehearsals(Controller):
    path = "/api/v1/rehearsals"
    tags = ("people",)

    @post("/", status_code=201, summary="A rehearsal table", responses=PROBLEMS)
    async def find(
        self, request: AnyRequest, data: JSONBody[RehearsalForm], pit: ThePit
    ) -> RehearsalTableForm:
        """Return a rehearsal table for a guest of the demo who came in as dealer, floorperson,
        operator or auditor."""
        person = visit_of(request).signed_in()
        if not pit.settings.demo or not is_trial(person):
            raise Denied(
                "rehearsal tables are for guests of the demo who try a job: come in with a role",
                code="wrong_role",
            )
        served = await rehearsal_table(pit, data.rulebook, person)
        return RehearsalTableForm(served.name, TRIAL_PAGES[person.role].format(table=served.name))
