"""The signatures of `croupier people`: accounts of the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from croupier.commands.signatures.common import AsJson, unwrapped

__all__ = ["people"]

people = App(name="people", help="Who may sign in at the tables on the web.")

Database = Annotated[
    str | None,
    Parameter(
        help="The journal that the server runs on; if left out, the one of CROUPIER_DATABASE or "
        "CROUPIER_DATABASE_FILE, else the one in the data folder."
    ),
]


@people.command(name="add")
def people_add(
    name: str,
    *,
    role: Literal[
        "player", "dealer", "floorperson", "cashier", "auditor", "surveillance", "operator"
    ] = "player",
    database: Database = None,
    password_file: Path | None = None,
) -> int:
    """Let somebody sign in; for a name that is there, set role and password anew.

    Parameters
    ----------
    name
        The name to sign in with, and to sign validations with.
    role
        What the person may do.
    password_file
        Where the password stands; left out, it is asked for or read from standard input.
    """
    from croupier.commands import people as command

    return command.add_person(name, role=role, database=database, password_file=password_file)


@people.command(name="list")
def people_list(*, database: Database = None, json: AsJson = False) -> int:
    """Everybody who has an account, with role."""
    from croupier.commands import people as command

    return command.list_people(database, as_json=json)


@people.command(name="disable")
def people_disable(name: str, *, database: Database = None) -> int:
    """Let somebody sign in no more. Sessions end, the name stays in the record; the last operator
    stays.

    Parameters
    ----------
    name
        The person.
    """
    from croupier.commands import people as command

    return command.disable_person(name, database=database)


@people.command(name="password")
def people_password(
    name: str, *, database: Database = None, password_file: Path | None = None
) -> int:
    """Set a new password; it lets in again who was disabled.

    Parameters
    ----------
    name
        The person.
    password_file
        Where the password stands; left out, it is asked for or read from standard input.
    """
    from croupier.commands import people as command

    return command.new_password(name, database=database, password_file=password_file)


@people.command(name="reset-authenticator")
def people_reset(name: str, *, database: Database = None) -> int:
    """Forget somebody's authenticator: at the next sign-in another one is set up.

    Parameters
    ----------
    name
        The person.
    """
    from croupier.commands import people as command

    return command.reset_second_factor(name, database=database)


@people.command(name="sign-out")
def people_sign_out(name: str, *, database: Database = None) -> int:
    """Sign somebody out on all devices, as after a telephone was lost. It is an entry of the
    journal.

    Parameters
    ----------
    name
        The person.
    """
    from croupier.commands import people as command

    return command.sign_out(name, database=database)


_GIVEN = (people_add, people_list, people_disable, people_password, people_reset, people_sign_out)
for _given in _GIVEN:
    _given.__doc__ = unwrapped(_given.__doc__ or "")
