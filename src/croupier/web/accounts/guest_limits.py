"""Limits on the seats and the disk space of guests in the demo.

Guests are counted by address, guests of a class individually; every worker counts those it has
seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from typing import Final

from croupier.errors import Refusal
from croupier.runtime.clock import now
from croupier.tables.commands import TableCommand, TakeSeat
from croupier.tables.state import Table
from croupier.web.accounts.people import Person
from croupier.web.accounts.trial import is_rehearsal
from croupier.web.server.load import network_of
from croupier.web.server.memo import Memo
from croupier.web.server.problems import TooMany
from croupier.web.server.settings import Throttles

MOST_REMEMBERED: Final = 20_000
MOST_CLASS_SEATS: Final = 2
"""Seats that one guest of a class may hold."""
REQUEST_BYTES: Final = 2048
"""Bytes that a guest's request leaves on the disk in addition to what it sends: an entry with its
indexes."""
KEPT_TIMES: Final = 10
"""Weight of a new rulebook's bytes: it stays in every worker's memory, which is dearer than the
disk."""


def queue_key(person: Person, address: str) -> str:
    """Return the key of a queue: the person if they have an account or belong to a class, else the
    address."""
    return person.source(network_of(address)) if person.guest else f"person {person.name}"


class GuestLimits:
    """The seats and bytes of guests. Used from the event loop only."""

    def __init__(self, throttles: Throttles | None) -> None:
        self._throttles = throttles
        self._source_of: Memo[str, str] = Memo(MOST_REMEMBERED)
        self._day = now().date()
        self._written: Counter[str] = Counter()
        self._written_by_all = 0

    def check_seat(
        self, command: TableCommand, person: Person, address: str, tables: Iterable[Table]
    ) -> None:
        limits = self._throttles
        if limits is None or not person.guest or not isinstance(command, TakeSeat):
            return
        source = person.source(network_of(address))
        self._source_of[person.name] = source
        held = sum(
            self._source_of.get(player) == source
            for table in tables
            if not is_rehearsal(table.id)
            for player in table.seats.values()
        )
        if person.class_code and held >= MOST_CLASS_SEATS:
            raise Refusal(
                f"a guest of a class sits at {MOST_CLASS_SEATS} tables at most: leave one first",
                code="over_limit",
            )
        if not person.class_code and held >= limits.guest_seats:
            raise Refusal(
                f"guests from your address hold {held} seats: others want to play, too. If a "
                "teacher gave you a class code, enter it at /class",
                code="over_limit",
            )

    def take_room(self, person: Person | None, address: str, sent: int = 0) -> None:
        """Count what a guest is about to write, or refuse it if the day's share is used up. The
        `sent` bytes count twice, because the record has the command and its result."""
        limits = self._throttles
        if limits is None or person is None or not person.guest:
            return
        moment = now()
        if moment.date() != self._day:
            self._day = moment.date()
            self._written.clear()
            self._written_by_all = 0
        source = person.source(network_of(address))
        if self._written[source] >= limits.guest_bytes:
            raise _used_up("guests from your address have", limits.guest_bytes, moment)
        if self._written_by_all >= limits.guest_bytes_all:
            raise _used_up("guests have", limits.guest_bytes_all, moment)
        self._count(source, REQUEST_BYTES + 2 * sent)

    def keep_rulebook(self, person: Person, address: str, size: int) -> None:
        """Count the size of a new rulebook with which a guest has opened a table."""
        if self._throttles is not None and person.guest:
            self._count(person.source(network_of(address)), KEPT_TIMES * size)

    def _count(self, source: str, size: int) -> None:
        self._written[source] += size
        self._written_by_all += size


def _used_up(who: str, most: int, moment: datetime) -> TooMany:
    tomorrow = datetime.combine(moment.date() + timedelta(days=1), time(), UTC)
    return TooMany(
        f"{who} written {most / 1e6:,.0f} MB today, which is all that guests may: come back "
        f"tomorrow (after midnight UTC), or sign in with an account",
        (tomorrow - moment).total_seconds(),
    )
