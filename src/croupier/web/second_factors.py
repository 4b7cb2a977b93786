"""The second factor of people who decide about money: codes of an authenticator."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

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
from croupier.web.problems import Denied
from croupier.web.totp import fresh_secret, step_of, why_not

__all__ = ["NEEDED_BY", "SecondFactors"]

NEEDED_BY: Final = ("floorperson", "operator", "cashier", "auditor", "surveillance")

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
    """Blocking: for a thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        create_missing(journal, _metadata)

    def enrolled(self) -> set[str]:
        """Who signs in with a code."""
        query = select(_factors.c.person).where(_factors.c.counts.is_(True))
        with self._journal.reader() as connection:
            return {row.person for row in connection.execute(query)}

    def secret(self, name: str) -> str:
        """The one that counts; nothing where none does."""
        query = select(_factors.c.secret).where(
            _factors.c.person == name, _factors.c.counts.is_(True)
        )
        with self._journal.reader() as connection:
            return str(connection.execute(query).scalar() or "")

    def enrol(self, name: str) -> str:
        """A secret that counts as soon as its first code was given. Whoever has one that counts
        gets no other: a stolen password must not replace it."""
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
        """After the password. A code counts once."""
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
