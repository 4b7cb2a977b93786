"""The steps that the asker has to do at a table, and the list of commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from litestar import Controller, get, post

from croupier.rounds.declaration import Command, tag_of, to_json
from croupier.rounds.irregularities import irregularities_now
from croupier.rulebooks.duties import Duty
from croupier.rulebooks.rules import Rules
from croupier.runtime.clock import now
from croupier.tables.command_fields import CommandField, command_fields
from croupier.tables.commands import COMMANDS, TableCommand
from croupier.tables.duty import is_on_duty
from croupier.tables.state import Table
from croupier.tables.step_duties import shown, shown_while_betting, shown_with_report
from croupier.tables.two_people import same_person
from croupier.tables.work import WorkStep, work
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.people import Person
from croupier.web.server.problems import PROBLEMS, Denied
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.tables.forms import ForeseenForm
from croupier.web.tables.pick_lists import PickListsForm, pick_lists
from croupier.web.tables.pit import ThePit


class DutyForm(msgspec.Struct, frozen=True):
    """A duty that the document gives a person with a step. `second` confirms it; `sees` says who
    must be able to see what."""

    clause: str
    words: str
    second: str = ""
    sees: str = ""
    role: str = "dealer"


class WorkStepForm(msgspec.Struct, frozen=True):
    """A step to do. `mine`: the asker may do it. `command` does it, once the fields in `asks` are
    filled in."""

    step: str
    label: str
    words: str
    clause: str
    by: tuple[str, ...]
    mine: bool
    command: dict[str, Any]
    asks: tuple[str, ...]
    blocks: str
    seat: int
    back: str
    device: str
    place: str
    cards: int
    choices: tuple[str, ...]
    duties: tuple[DutyForm, ...]


class IrregularityForm(msgspec.Struct, frozen=True):
    """Something that can go wrong now; `asks` lists the fields of its report."""

    kind: str
    label: str
    words: str
    clause: str
    asks: tuple[str, ...]
    least_cards: int
    most_cards: int
    needs_floor: bool
    voids: bool
    duties: tuple[DutyForm, ...] = ()
    """Duties that the report shows before it is confirmed."""


class WorkForm(msgspec.Struct, frozen=True):
    """The steps that wait at a table, in order."""

    table: str
    version: int
    round: int
    phase: str
    steps: tuple[WorkStepForm, ...]
    irregularities: tuple[IrregularityForm, ...]
    commands: tuple[str, ...]
    """The commands that the asker's role may give."""
    staff: dict[str, str]
    """The people assigned to the table, by role."""
    duties: tuple[DutyForm, ...] = ()
    """The asker's duties while bets are open and no step waits for them yet."""


class CommandForm(msgspec.Struct, frozen=True):
    """A command that people give. `label` is for its button; `words` explain it on a form."""

    type: str
    label: str
    words: str
    roles: tuple[str, ...]
    foreseen: bool
    fields: tuple[CommandField, ...]


class CommandsForm(msgspec.Struct, frozen=True):
    commands: tuple[CommandForm, ...]


def work_form(table: Table, rules: Rules, who: Person, at: int) -> WorkForm:
    steps = work(table, rules, at)
    is_closing = any(step.step == "close_bets" for step in steps)
    return WorkForm(
        table.id,
        table.version,
        table.round.number,
        table.round.phase,
        tuple(_step(step, table, rules, who) for step in steps),
        tuple(
            IrregularityForm(
                next_steps.kind,
                next_steps.label,
                next_steps.words,
                next_steps.clause,
                next_steps.asks,
                next_steps.least_cards,
                next_steps.most_cards,
                "dealer" not in next_steps.by,
                next_steps.voids,
                duty_forms(shown_with_report(next_steps.kind, table, rules, who.role)),
            )
            for next_steps in irregularities_now(table.round, rules)
        ),
        tuple(tag for tag, command in COMMANDS.items() if who.role in command.declared.by),
        table.staff,
        () if is_closing else duty_forms(shown_while_betting(table, rules, who.role)),
    )


def _step(step: WorkStep, table: Table, rules: Rules, who: Person) -> WorkStepForm:
    return WorkStepForm(
        step.step,
        step.label,
        step.words,
        step.clause,
        step.by,
        _is_theirs(step, table, who),
        _outside(step.command),
        step.asks,
        step.blocks,
        step.seat,
        step.back,
        step.device,
        step.place,
        step.cards,
        step.choices,
        duty_forms(shown(step, table, rules, who.role)),
    )


def _is_theirs(step: WorkStep, table: Table, who: Person) -> bool:
    if step.proposed_by and same_person(step.proposed_by, who.name):
        return False
    return who.role in step.by and is_on_duty(table, step.command, who.role, who.name)


def duty_forms(duties: Iterable[Duty]) -> tuple[DutyForm, ...]:
    return tuple([DutyForm(d.clause, d.words, d.second, d.sees, d.role) for d in duties])


def _outside(command: TableCommand) -> dict[str, Any]:
    """Return the command as the asker sends it, without the fields that the house fills in."""
    steps: dict[str, Any] = msgspec.json.decode(to_json(command.outside()))
    return {name: value for name, value in steps.items() if name not in command.declared.filled}


def all_commands() -> CommandsForm:
    """Return every table command, from its declaration."""
    return CommandsForm(command_forms(COMMANDS))


def command_forms(kinds: Mapping[str, type[Command]]) -> tuple[CommandForm, ...]:
    return tuple(
        CommandForm(
            tag_of(command),
            command.declared.label,
            command.declared.help,
            command.declared.by,
            command.declared.foreseen,
            command_fields(command),
        )
        for command in kinds.values()
    )


def staff_of(request: AnyRequest) -> Person:
    """Return the person who asks. Refuse unless they work here."""
    person = visit_of(request).signed_in()
    if person.role == "player":
        raise Denied("this is for the people who work at the tables", code="wrong_role")
    return person


class Work(Controller):
    path = "/api/v1"
    tags = ("work",)

    @get("/commands", summary="Every command", responses=PROBLEMS)
    async def commands(self) -> CommandsForm:
        """Return the commands with the roles that may give them, and the fields of their forms."""
        return all_commands()

    @get("/tables/{table:str}/work", summary="What waits at a table", responses=PROBLEMS)
    async def work(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> WorkForm:
        """Return the steps to do now, with their clauses and the command for each."""
        person = staff_of(request)
        served = pit.table(table)
        at = int(now().timestamp())
        return work_form(served.table, served.rules, person, at)

    @get("/tables/{table:str}/picks", summary="Pick lists of a table", responses=PROBLEMS)
    async def picks(self, request: AnyRequest, table: NameInPath, pit: ThePit) -> PickListsForm:
        """Return the choices in the forms of staff: people, seats, wagers, decks, reasons."""
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
        """Return what a report, a count or a decision of the floor would do. The body is the
        command; nothing is written."""
        person = staff_of(request)
        return await pit.foresee(table, await request.body(), person)
