"""The names that guests choose.

The journal keeps the guest number: a chosen name is only shown to the others at the table, and is
deleted with the guest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Column, Connection, MetaData, Select, Table, Text, delete, insert, select

from croupier.errors import BadRequest, Refusal, shown
from croupier.ledger.journal import Journal
from croupier.ledger.side_tables import create_missing, writing
from croupier.ledger.stores.schema import NAME
from croupier.rounds.declaration import is_software
from croupier.web.accounts.names import look_of, spelled

MOST_LETTERS: Final = 20
_STAFF: Final = (
    *("dealer", "croupier", "floorperson", "floorman", "operator", "auditor", "surveillance"),
    *("cashier", "manager", "supervisor", "pitboss", "casino", "admin", "moderator", "support"),
    *("software", "security", "regulator"),
)
"""Words that no chosen name may contain."""
_ALONE: Final = ("house", "floor", "pit", "staff", "bank", "guest", "player", "you", "me", "seat")
"""Words that may not be a whole name."""
_STAFF_LOOKS: Final = tuple(map(look_of, _STAFF))
_ALONE_LOOKS: Final = frozenset(map(look_of, _ALONE))

_metadata = MetaData()
_names = Table(
    "web_guest_names",
    _metadata,
    Column("person", NAME, primary_key=True),
    Column("name", Text, nullable=False),
    Column("look", NAME, nullable=False, unique=True),
)


class GuestNames:
    """The chosen names. Blocking: use it in a thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        create_missing(journal, _metadata)

    def choose(self, person: str, name: str, accounts: Iterable[str]) -> str:
        """Store a guest's chosen name and return it as others will see it. `accounts` are the names
        of people who sign in; no guest may take one of them."""
        name = checked_name(name)
        if _letters(name) in {_letters(account) for account in accounts}:
            raise _taken(name)
        look = look_of(name)
        with writing(self._journal) as connection:
            query = select(_names.c.person).where(_names.c.look == look, _names.c.person != person)
            if connection.execute(query).first():
                raise _taken(name)
            connection.execute(delete(_names).where(_names.c.person == person))
            connection.execute(insert(_names).values(person=person, name=name, look=look))
        return name

    def of(self, people: Iterable[str]) -> dict[str, str]:
        """Return the chosen names of the people who have one."""
        query = select(_names.c.person, _names.c.name).where(_names.c.person.in_(list(people)))
        with self._journal.reader() as connection:
            return {row.person: row.name for row in connection.execute(query)}


def forget_gone(connection: Connection, guests: Select[tuple[str]]) -> None:
    """Release the names of guests who no longer exist."""
    connection.execute(delete(_names).where(_names.c.person.not_in(guests)))


def checked_name(name: str) -> str:
    """Return the name as others will see it, or refuse it and say what would be right."""
    if len(name) > 50 * MOST_LETTERS:
        raise _too_long()
    name = spelled(name)
    if not name:
        raise BadRequest("a name has at least one letter: type what others should call you")
    if len(name) > MOST_LETTERS:
        raise _too_long()
    if not re.fullmatch(r"[\w .'’-]+", name) or not any(letter.isalpha() for letter in name):
        raise BadRequest("a name has letters, digits, blanks, dots and hyphens: leave the rest out")
    look = _letters(name)
    like_staff = any(word in look for word in _STAFF_LOOKS) or look in _ALONE_LOOKS
    if like_staff or is_software(name.lower()):
        raise BadRequest(f"{shown(name)} sounds like the staff of a casino: choose another name")
    return name


def _letters(name: str) -> str:
    """Return the letters of a name's look: a number after a name does not make it a different
    name."""
    return "".join(letter for letter in look_of(name) if letter.isalpha())


def _too_long() -> BadRequest:
    return BadRequest(f"a name has at most {MOST_LETTERS} letters: choose a shorter one")


def _taken(name: str) -> Refusal:
    refusal = f"somebody here is called {shown(name)} already: choose another name"
    return Refusal(refusal, code="already_done")
