"""`croupier people`: who may sign in at the tables on the web, and as what."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from croupier.commands.journal import opened
from croupier.commands.options import AsJson, documented
from croupier.commands.output import console, print_json, print_refusal, table
from croupier.errors import BadRequest, Refusal, not_installed, with_article

if TYPE_CHECKING:
    from croupier.ledger.journal import Journal
    from croupier.ledger.records.people_accounts import ByWhom
    from croupier.web.accounts.people import People

people = App(name="people", help="Who may sign in at the tables on the web.")

Database = Annotated[
    str | None,
    Parameter(
        help="The journal that the server runs on; by default the one named by CROUPIER_DATABASE "
        "or CROUPIER_DATABASE_FILE, else the one in the data folder."
    ),
]
Name = Annotated[str, Parameter(help="The person's name.")]


@people.command(name="add")
@documented
def add(
    name: str,
    *,
    role: Literal[
        "player", "dealer", "floorperson", "cashier", "auditor", "surveillance", "operator"
    ] = "player",
    database: Database = None,
    password_file: Path | None = None,
) -> int:
    """Let a person sign in; for a name that exists, set role and password again.

        croupier people add Olga --role operator

    Parameters
    ----------
    name
        The name to sign in with, and to sign validations with.
    role
        What the person may do.
    password_file
        The file with the password; by default it is prompted for, or read from standard input.
    """
    from croupier.ledger.data_folder import journal_to_write
    from croupier.ledger.journal import open_journal
    from croupier.runtime.signing import signing

    where = journal_to_write(database)
    opens = _accounts()
    with open_journal(where) as store, signing(store):
        person = opens(store, where).add(name, role, _password(password_file), by=_console_user())
    sys.stdout.write(f"{person.name} can sign in as {with_article(person.role)}.\n")
    return 0


@people.command(name="list")
@documented
def list_people(*, database: Database = None, json: AsJson = False) -> int:
    """Everybody who has an account, with role."""
    from rich.text import Text

    with _people(database) as accounts:
        rows = accounts.listed()
    if json:
        print_json({"people": rows})
        return 0
    if not rows:
        console().print("Nobody has an account: `croupier people add NAME --role operator`.")
        return 0
    drawn = table("name", "role", "", "since")
    for row in rows:
        drawn.add_row(Text(row.name), row.role, "disabled" if row.disabled else "", row.since[:10])
    console().print(drawn)
    return 0


@people.command(name="disable")
@documented
def disable(name: Name, *, database: Database = None) -> int:
    """Stop a person from signing in. Sessions end, the name stays in the record; the last operator
    stays."""
    with _people(database) as accounts:
        try:
            accounts.disable(name, _console_user())
        except Refusal as refusal:
            print_refusal(refusal, as_json=False)
            return 1
    sys.stdout.write(f"{name} cannot sign in any more; the name stays in the record.\n")
    return 0


@people.command(name="password")
@documented
def password(name: Name, *, database: Database = None, password_file: Path | None = None) -> int:
    """Set a new password; a person who was disabled may sign in again.

    Parameters
    ----------
    password_file
        The file with the password; by default it is prompted for, or read from standard input.
    """
    with _people(database) as accounts:
        accounts.check_known(name)
        accounts.set_password(name, _password(password_file), _console_user())
    sys.stdout.write(f"{name} has a new password; earlier sessions have ended.\n")
    return 0


@people.command(name="reset-authenticator")
@documented
def reset_authenticator(name: Name, *, database: Database = None) -> int:
    """Forget a person's authenticator: they set up another at the next sign-in."""
    with _people(database) as accounts:
        try:
            accounts.reset_second_factor(name, _console_user())
        except Refusal as refusal:
            print_refusal(refusal, as_json=False)
            return 1
    sys.stdout.write(f"{name} sets up another authenticator at the next sign-in.\n")
    return 0


@people.command(name="sign-out")
@documented
def sign_out(name: Name, *, database: Database = None) -> int:
    """Sign a person out on all devices, as after a telephone was lost. It is an entry of the
    journal."""
    with _people(database) as accounts:
        accounts.end_sessions(name, _console_user())
    sys.stdout.write(f"{name} is signed out on all devices.\n")
    return 0


@contextmanager
def _people(database: str | None) -> Iterator[People]:
    """Open the accounts of a journal, which must exist."""
    opens = _accounts()
    with opened(database) as store:
        yield opens(store, store.name)


def _accounts() -> Callable[[Journal, str], People]:
    """Return a function that opens the accounts of a journal. Passwords are hashed by a package of
    the web extra."""
    try:
        from croupier.web.accounts.people import People
        from croupier.web.server.settings import Settings
    except ImportError as error:
        raise not_installed("croupier people", error.name or error, "web") from None
    return lambda store, where: People(store, Settings(where))


def _console_user() -> ByWhom:
    """Return the user of this machine, as the journal names them."""
    from getpass import getuser

    from croupier.ledger.records.people_accounts import ByWhom

    try:
        return ByWhom("console", getuser())
    except (OSError, KeyError, ImportError):
        return ByWhom("console", "unknown")


def _password(file: Path | None) -> str:
    """Read the password from a file, from a pipe, or typed twice; never from an argument, which
    others could read."""
    from getpass import getpass

    if file is not None:
        try:
            return file.read_text("utf-8").strip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise BadRequest(f"{file} cannot be read: {error}") from None
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip("\r\n")
    typed = getpass("Password: ")
    if getpass("Again: ") != typed:
        raise BadRequest("the two passwords differ")
    return typed
