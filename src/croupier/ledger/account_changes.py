"""Changes of accounts in the journal: who let whom in, as what, and who took it away."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

import msgspec

from croupier.errors import Refusal, plain
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.journal import Conflict, Journal

__all__ = [
    "ACCOUNTS",
    "AccountChange",
    "ByWhom",
    "check_independent",
    "creators_of",
    "holds_password_of",
    "record_change",
]

ACCOUNTS: Final = "people:accounts"
TRIES: Final = 50

AccountChange = Literal[
    "person_added", "person_disabled", "password_set", "role_changed", "second_factor_reset"
]


class ByWhom(NamedTuple):
    """Who changed it: an operator on the page, or the person who ran the program."""

    role: str
    name: str


def record_change(
    journal: Journal, what: AccountChange, name: str, by: ByWhom, *, role: str = ""
) -> None:
    """Blocking: for a thread. No password, and nothing made of one, is written."""
    told = {"type": what, "name": name} | ({"role": role} if role else {})
    body = {"command": told, "by": {"role": by.role, "name": by.name}}
    entry = NewEntry(what, msgspec.json.encode(body))
    for attempt in range(TRIES):
        try:
            addition = Addition(ACCOUNTS, journal.head(ACCOUNTS).version, (entry,))
            journal.add(addition, at=datetime.now(UTC))
        except Conflict:
            if attempt == TRIES - 1:
                raise
        else:
            return


def holds_password_of(journal: Journal, name: str) -> str:
    """Return the operator who gave this person their password last, and could sign in under their
    name; empty if it was given on the command line."""
    givers = _givers(journal, name, "person_added", "password_set")
    return givers[-1] if givers else ""


def check_independent(journal: Journal, first: str, second: str) -> None:
    """Refuse two people who could be one: who gave a password could sign in with it."""
    givers = {first: holds_password_of(journal, first), second: holds_password_of(journal, second)}
    for person, other in ((first, second), (second, first)):
        if givers[person] == other:
            raise Refusal(
                f"{plain(other)} gave {plain(person)} their password, so the two are not "
                "independent: a third person confirms it",
                code="not_independent",
            )
    if givers[first] and givers[first] == givers[second]:
        raise Refusal(
            f"{plain(givers[first])} gave both {plain(first)} and {plain(second)} their passwords, "
            "so the two are not independent: another operator, or `croupier people password`, "
            "gives one of them a new one",
            code="not_independent",
        )


def creators_of(journal: Journal, name: str) -> tuple[str, ...]:
    """Return the operators who made this person's account."""
    return tuple([giver for giver in _givers(journal, name, "person_added") if giver])


def _givers(journal: Journal, name: str, *kinds: AccountChange) -> tuple[str, ...]:
    """The operators who did this on the page, in order; empty for the command line."""
    bodies = [
        msgspec.json.decode(entry.body) for entry in journal.read(ACCOUNTS) if entry.kind in kinds
    ]
    return tuple(
        [
            str(body["by"]["name"]) if body["by"]["role"] == "operator" else ""
            for body in bodies
            if body["command"]["name"] == name
        ]
    )
