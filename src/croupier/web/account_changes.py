"""Changes of accounts in the journal: who let whom in, as what, and who took it away."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

import msgspec

from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.journal import Conflict, Journal

__all__ = ["ACCOUNTS", "AccountChange", "ByWhom", "record_change"]

ACCOUNTS: Final = "people:accounts"
TRIES: Final = 50

AccountChange = Literal[
    "person_added", "person_disabled", "password_set", "role_changed", "second_factor_reset"
]


class ByWhom(NamedTuple):
    """Who changed it: an operator on the page, or whoever ran the program."""

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
