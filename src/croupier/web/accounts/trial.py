"""Guests who try a job, which they can do at rehearsal tables only.

Their requests are checked at the door (`check_trial_request`), and commands once more in the pit,
which records its refusals.
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
    """Return whether this is a guest who tries a job instead of playing."""
    return person.guest and person.role != "player"


def may_work_at(person: Person, table: str) -> bool:
    """Return whether the person may change anything at this table."""
    return not is_trial(person) or is_rehearsal(table)


def check_trial_request(person: Person | None, path: str, *, unsafe: bool) -> None:
    """Refuse what a guest who tries a job may not do: changes away from rehearsal tables unless
    listed above, and reading people, shoes or the cashier's accounts."""
    if person is None or not is_trial(person):
        return
    api, _, room, *rest = (*(part for part in path.split("/") if part), "", "", "")
    if api != "api":
        return
    if room != "tables":
        resource = "/".join(part for part in (room, *rest) if part)
        may = resource in _MAY_CHANGE if unsafe else room not in _MAY_NOT_READ
        may = may or room == "school"  # the school checks permissions itself
    else:
        table, action = (*rest, "", "")[:2]
        # The pit refuses commands for other tables, and records that they were sent.
        may = is_rehearsal(table) or action == "commands" or not (unsafe or action in _MAY_NOT_READ)
    if not may:
        raise _rehearsals_only(person)


def check_trial_command(person: Person, table: str, command: TableCommand) -> None:
    """Refuse commands for tables that are not rehearsals, and opening a rehearsal table on a link
    of other tables, whose meters it would move."""
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
