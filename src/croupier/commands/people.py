"""`croupier people`: who may sign in at the tables on the web, and as what."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getpass, getuser
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.table import Table as Grid
from rich.text import Text

from croupier.commands.journal import opened
from croupier.commands.output import console, print_json
from croupier.commands.stderr import print_refusal
from croupier.errors import BadRequest, Refusal, with_article
from croupier.ledger.data_folder import journal_to_write
from croupier.ledger.journal import open_journal
from croupier.runtime.signing import signing

if TYPE_CHECKING:
    from croupier.ledger.records.people_accounts import ByWhom
    from croupier.web.accounts.people import People

__all__ = [
    "add_person",
    "disable_person",
    "list_people",
    "new_password",
    "reset_second_factor",
    "sign_out",
]


def add_person(name: str, *, role: str, database: str | None, password_file: Path | None) -> int:
    from croupier.web.accounts.people import People
    from croupier.web.server.settings import Settings

    where = journal_to_write(database)
    with open_journal(where) as store, signing(store):
        people = People(store, Settings(where))
        person = people.add(name, role, _password(password_file), by=_me())
    sys.stdout.write(f"{person.name} can sign in as {with_article(person.role)}.\n")
    return 0


@contextmanager
def _people(database: str | None) -> Iterator[People]:
    """Those of a journal that is there."""
    from croupier.web.accounts.people import People
    from croupier.web.server.settings import Settings

    with opened(database) as store:
        yield People(store, Settings(store.name))


def list_people(database: str | None, *, as_json: bool) -> int:
    with _people(database) as people:
        rows = people.listed()
    if as_json:
        print_json({"people": msgspec.to_builtins(rows)})
        return 0
    if not rows:
        console().print("Nobody has an account: `croupier people add NAME --role operator`.")
        return 0
    grid = Grid("name", "role", "", "since", box=None, padding=(0, 2, 0, 0))
    for row in rows:
        grid.add_row(Text(row.name), row.role, "disabled" if row.disabled else "", row.since[:10])
    console().print(grid)
    return 0


def disable_person(name: str, *, database: str | None) -> int:
    with _people(database) as people:
        try:
            people.disable(name, _me())
        except Refusal as refusal:
            print_refusal(refusal, as_json=False)
            return 1
    sys.stdout.write(f"{name} cannot sign in any more; the name stays in the record.\n")
    return 0


def new_password(name: str, *, database: str | None, password_file: Path | None) -> int:
    with _people(database) as people:
        people.check_known(name)
        people.set_password(name, _password(password_file), _me())
    sys.stdout.write(f"{name} has a new password; sessions of before have ended.\n")
    return 0


def reset_second_factor(name: str, *, database: str | None) -> int:
    with _people(database) as people:
        try:
            people.reset_second_factor(name, _me())
        except Refusal as refusal:
            print_refusal(refusal, as_json=False)
            return 1
    sys.stdout.write(f"{name} sets up another authenticator at the next sign-in.\n")
    return 0


def sign_out(name: str, *, database: str | None) -> int:
    with _people(database) as people:
        people.end_sessions(name, _me())
    sys.stdout.write(f"{name} is signed out on all devices.\n")
    return 0


def _me() -> ByWhom:
    """Whoever runs the program, as the journal names him."""
    from croupier.ledger.records.people_accounts import ByWhom

    try:
        return ByWhom("console", getuser())
    except (OSError, KeyError, ImportError):
        return ByWhom("console", "unknown")


def _password(file: Path | None) -> str:
    """From a file, from a pipe, or typed twice; never an argument, which others could read."""
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
