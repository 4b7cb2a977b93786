"""Lock-outs after wrong passwords, longer each time.

They are counted by name and address, and by name over all addresses; the second count does not lock
out a person at an address where they have signed in before. Unknown names are counted as well, so
that a lock-out does not show which names exist.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    MetaData,
    Table,
    Text,
    delete,
    func,
    insert,
    select,
    update,
)

from croupier.ledger.entries import stamp
from croupier.ledger.journal import Journal
from croupier.ledger.side_tables import create_missing, writing
from croupier.ledger.stores.schema import NAME
from croupier.web.accounts.names import name_key
from croupier.web.server.problems import TooMany
from croupier.web.server.settings import Settings

LONGEST_SECONDS: Final = 3600.0
FORGOTTEN_HOURS: Final = 24
OF_EVERYBODY: Final = 10
"""The limit over all addresses, as a multiple of the limit of one address."""

_metadata = MetaData()
_guesses = Table(
    "web_guesses",
    _metadata,
    Column("name", NAME, primary_key=True),
    Column("address", NAME, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("failed_at", Text, nullable=False),
    Column("right_at", Text, nullable=False),
)


def _kept(name: str) -> str:
    """Return the hash of a typed name, which is stored instead of it because people may type a
    password there. Names that differ only in case share their attempts."""
    return sha256(name_key(name).encode("utf-8", "backslashreplace")).hexdigest()


class Guesses:
    """The wrong passwords per name and address. Blocking: use it in a thread."""

    def __init__(self, journal: Journal, settings: Settings) -> None:
        self._journal = journal
        self._settings = settings
        create_missing(journal, _metadata)

    def check(self, name: str, address: str, now: datetime) -> None:
        """Refuse during a lock-out, before the password is checked."""
        c, kept = _guesses.c, _kept(name)
        with self._journal.reader() as connection:
            own = connection.execute(
                select(_guesses).where(c.name == kept, c.address == address)
            ).first()
            failures, last = 0, ""
            if own is None or not own.right_at:  # not known at this address: count all of them
                since = stamp(now - timedelta(hours=1))
                failures, last = connection.execute(
                    select(func.sum(c.failures), func.max(c.failed_at)).where(
                        c.name == kept, c.failed_at > since
                    )
                ).one()
        left = self._left(failures or 0, last or "", OF_EVERYBODY, now)
        if left > 0:
            raise _locked("many wrong passwords from several places", left, now)
        if own is not None and (left := self._left(own.failures, own.failed_at, 1, now)) > 0:
            raise _locked(f"{own.failures} wrong passwords", left, now)

    def _left(self, failures: int, last: str, times: int, now: datetime) -> float:
        over = failures - self._settings.failures_allowed * times
        if over < 0 or not last:
            return 0.0
        seconds = min(LONGEST_SECONDS, self._settings.lock_seconds * 2.0 ** min(over, 20))
        return seconds - (now - datetime.fromisoformat(last)).total_seconds()

    def wrong(self, name: str, address: str, now: datetime) -> None:
        old = stamp(now - timedelta(hours=FORGOTTEN_HOURS))
        with writing(self._journal) as connection:
            _one_at_a_time(connection, name)
            c = _guesses.c
            connection.execute(delete(_guesses).where(c.failed_at < old, c.right_at == ""))
            mine = (c.name == _kept(name), c.address == address)
            done = connection.execute(
                update(_guesses).where(*mine).values(failures=c.failures + 1, failed_at=stamp(now))
            )
            if not done.rowcount:
                self._insert(connection, name, address, failures=1, failed_at=stamp(now))

    def right(self, name: str, address: str, now: datetime) -> None:
        """Record that the person has signed in from this address, and reset its failures."""
        c = _guesses.c
        values = {"failures": 0, "failed_at": "", "right_at": stamp(now)}
        with writing(self._journal) as connection:
            _one_at_a_time(connection, name)
            mine = (c.name == _kept(name), c.address == address)
            if not connection.execute(update(_guesses).where(*mine).values(**values)).rowcount:
                self._insert(connection, name, address, **values)

    def forget(self, name: str) -> None:
        """Reset all counts of a name, because it has a new password."""
        with writing(self._journal) as connection:
            connection.execute(delete(_guesses).where(_guesses.c.name == _kept(name)))

    def _insert(self, connection: Connection, name: str, address: str, **failure: object) -> None:
        row = {"failures": 0, "failed_at": "", "right_at": "", **failure}
        connection.execute(insert(_guesses).values(name=_kept(name), address=address, **row))


def _locked(after: str, seconds: float, now: datetime) -> TooMany:
    """Return the refusal, which is the same for a name that nobody has."""
    until = now + timedelta(seconds=seconds, minutes=1, microseconds=-1)  # never too early
    words = f"locked until {until:%H:%M} UTC after {after} for this name"
    return TooMany(f"{words}: try again in {max(1, round(seconds))} s", seconds, code="locked")


def _one_at_a_time(connection: Connection, name: str) -> None:
    """Lock the name, so that two attempts at the same moment do not both insert the row. SQLite has
    only one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext(%s))", (_kept(name),))
