"""Second factors for people who decide about money: codes of an authenticator."""

from __future__ import annotations

import base64
import hmac
import re
import secrets
from datetime import UTC, datetime
from hashlib import sha1
from typing import Final
from urllib.parse import quote

from sqlalchemy import (
    Boolean,
    Column,
    Integer,
    MetaData,
    Table,
    Text,
    delete,
    insert,
    select,
    update,
)

from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.records.people_accounts import ByWhom, record_change
from croupier.ledger.side_tables import create_missing, writing
from croupier.ledger.stores.schema import NAME
from croupier.web.accounts.roles import ROLES
from croupier.web.server.problems import Denied

NEEDED_BY: Final = tuple(role.name for role in ROLES if role.second_factor)

_metadata = MetaData()
_factors = Table(
    "web_second_factors",
    _metadata,
    Column("person", NAME, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("counts", Boolean, nullable=False),
    Column("last_step", Integer, nullable=False),
    Column("since", Text, nullable=False),
)


class SecondFactors:
    """The authenticators that people have set up. Blocking: use it in a thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        create_missing(journal, _metadata)

    def enrolled(self) -> set[str]:
        """Return the names of people who sign in with a code."""
        query = select(_factors.c.person).where(_factors.c.counts.is_(True))
        with self._journal.reader() as connection:
            return {row.person for row in connection.execute(query)}

    def secret(self, name: str) -> str:
        """Return the person's active secret, or nothing if there is none."""
        query = select(_factors.c.secret).where(
            _factors.c.person == name, _factors.c.counts.is_(True)
        )
        with self._journal.reader() as connection:
            return str(connection.execute(query).scalar() or "")

    def enrol(self, name: str) -> str:
        """Return a secret that becomes active with its first correct code. Refuse if the person has
        an active one: a stolen password must not be enough to replace it."""
        c = _factors.c
        with writing(self._journal) as connection:
            row = connection.execute(select(_factors).where(c.person == name)).first()
            if row is not None and row.counts:
                raise Denied(
                    "an authenticator is set up already: an operator can reset it",
                    code="already_enrolled",
                )
            if row is not None:
                return str(row.secret)
            secret = fresh_secret()
            row_of = {"secret": secret, "counts": False, "last_step": 0}
            since = stamp(datetime.now(UTC))
            connection.execute(insert(_factors).values(person=name, since=since, **row_of))
        return secret

    def check(self, name: str, code: str, seconds: float, *, is_needed: bool) -> None:
        """Check the code, after the password. Each code can be used once."""
        c = _factors.c
        with writing(self._journal) as connection:
            row = connection.execute(select(_factors).where(c.person == name)).first()
            if row is None or not (row.counts or code):
                if is_needed:
                    raise Denied(
                        "this role signs in with an authenticator: set yours up first",
                        code="enrol_second_factor",
                    )
                return
            if not code:
                raise Denied("the six digits of your authenticator, please", code="code_needed")
            step = step_of(row.secret, code, seconds, row.last_step)
            if step is None:
                words = why_not(row.secret, code, seconds, row.last_step)
                raise Denied(words, code="wrong_code")
            connection.execute(
                update(_factors).where(c.person == name).values(counts=True, last_step=step)
            )
        if not row.counts:
            by = ByWhom("person", name)
            record_change(self._journal, "second_factor_set", name, by, secret=row.secret)

    def forget(self, name: str) -> bool:
        with writing(self._journal) as connection:
            return bool(
                connection.execute(delete(_factors).where(_factors.c.person == name)).rowcount
            )


STEP_SECONDS: Final = 30
DIGITS: Final = 6
DRIFT_STEPS: Final = 1
"""Clocks of telephones differ: the code before and the one after are valid, too."""
EARLIER_STEPS: Final = 20
"""Number of past steps whose codes are recognized as old. Codes of other steps are only reported as
wrong: if future ones were recognized, a guesser could wait for them."""


def fresh_secret() -> str:
    """Return a new secret of 160 bits, in the form that people type into an authenticator."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, step: int, digits: int = DIGITS) -> str:
    digest = hmac.new(base64.b32decode(secret), step.to_bytes(8, "big"), sha1).digest()
    place = digest[-1] & 0x0F
    number = int.from_bytes(digest[place : place + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def step_of(secret: str, code: str, seconds: float, after: int = 0) -> int | None:
    """Return the time step of a code that is valid now, else None. Only steps later than `after`,
    the last one used, count, because each code can be used once."""
    now = int(seconds) // STEP_SECONDS
    steps = _matching(secret, code, range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1))
    return next((step for step in steps if step > after), None)


def why_not(secret: str, code: str, seconds: float, after: int) -> str:
    """Return why `step_of` found no step for a code."""
    now = int(seconds) // STEP_SECONDS
    steps = _matching(secret, code, range(now - EARLIER_STEPS, now + DRIFT_STEPS + 1))
    if after in steps:
        return "this code was used already: wait for the next one"
    if steps:
        return (
            "this code is for an earlier time: take the one that the authenticator shows now, and "
            "see that the telephone's clock is right"
        )
    return "this code is wrong; if it stays so, see that the telephone's clock is right"


def _matching(secret: str, code: str, steps: range) -> list[int]:
    digits = re.sub(r"\s", "", code).encode()
    return [step for step in steps if hmac.compare_digest(code_at(secret, step).encode(), digits)]


def authenticator_uri(secret: str, name: str, house: str = "Croupier") -> str:
    """Return the address with which an authenticator app adds the secret."""
    label = quote(f"{house}:{name}", safe="")
    return f"otpauth://totp/{label}?secret={secret}&issuer={quote(house, safe='')}"
