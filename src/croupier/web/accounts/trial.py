"""Guests who try a job: they work at rehearsal tables and nowhere else.

Everything that such a guest asks for passes here: at the
door (`check_trial_request`) and, for commands, once more in the pit, which notes what it refuses.
"""

from __future__ import annotations

from typing import Final

from croupier.tables.commands import OpenTable, TableCommand
from croupier.web.accounts.people import Person
from croupier.web.server.problems import Denied

_MAY_CHANGE: Final = (
    *("session", "guests", "class", "rehearsals"),
    *("submissions/check", "audit/verify", "certificates/check"),
)
_MAY_NOT_READ: Final = ("people", "shoes", "cashier")


def is_trial(person: Person) -> bool:
    """A guest who does not play."""
    return person.guest and person.role != "player"


def may_work_at(person: Person, table: str) -> bool:
    """Is it a table where they may change something at all?"""
    return not is_trial(person) or is_rehearsal(table)


def check_trial_request(person: Person | None, path: str, *, unsafe: bool) -> None:
    """Refuse what a guest who tries a job may not do: everything of others that is not listed
    here."""
    if person is None or not is_trial(person):
        return
    api, _, room, *rest = (*(part for part in path.split("/") if part), "", "", "")
    if api != "api":
        return
    if room != "tables":
        resource = "/".join(part for part in (room, *rest) if part)
        may = resource in _MAY_CHANGE if unsafe else room not in _MAY_NOT_READ
        may = may or room == "school"  # it asks itself who may do what
    else:
        table, action = (*rest, "", "")[:2]
        # Commands for other tables are refused in the pit, which notes that they were asked.
        may = is_rehearsal(table) or action == "commands" or not (unsafe or action in _MAY_NOT_READ)
    if not may:
        raise _rehearsals_only(person)


def check_trial_command(person: Person, table: str, command: TableCommand) -> None:
    """He may not touch another table, nor the meters of one by opening a table on its link."""
    if not is_trial(person):
        return
    opens = isinstance(command, OpenTable)
    linked = command.link if isinstance(command, OpenTable) else ""
    named = command.table if isinstance(command, OpenTable) else table
    if not is_rehearsal(table) or not is_rehearsal(named):
        raise _rehearsals_only(person)
    if opens and linked and not is_rehearsal(linked):
        raise Denied(
            f"the link {linked[:60]!r} belongs to other tables: a rehearsal table has its own",
            code="rehearsal_only",
        )


def _rehearsals_only(person: Person) -> Denied:
    return Denied(
        f"a guest who tries the job of {person.role} works at rehearsal tables only: "
        "POST /api/v1/rehearsals gives one",
        code="rehearsal_only",
    )


_PREFIX: Final = "rehearsal-"


def rehearsal_name(rulebook: str, number: int) -> str:
    return f"{_PREFIX}{rulebook}-{number}"


def is_rehearsal(table: str) -> bool:
    return table.startswith(_PREFIX)
