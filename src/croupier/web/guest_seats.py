"""One address does not take every seat of the demo: where each guest comes from, and how many seats
the guests from there hold. Each worker counts those whom it has seen."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from croupier.errors import Refusal
from croupier.tables.commands import TableCommand, TakeSeat
from croupier.web.people import Person
from croupier.web.rehearsal_names import is_rehearsal
from croupier.web.served import ServedTable

__all__ = ["GuestSeats"]

MOST_REMEMBERED: Final = 20_000


class GuestSeats:
    def __init__(self, most: int | None) -> None:
        self._most = most
        self._address_of: OrderedDict[str, str] = OrderedDict()

    def check(
        self, command: TableCommand, person: Person, address: str, tables: Iterable[ServedTable]
    ) -> None:
        if self._most is None or not person.guest or not isinstance(command, TakeSeat):
            return
        self._address_of[person.name] = address
        self._address_of.move_to_end(person.name)
        while len(self._address_of) > MOST_REMEMBERED:
            self._address_of.popitem(last=False)
        held = sum(
            self._address_of.get(player) == address
            for served in tables
            if not is_rehearsal(served.name)
            for player in served.table.seats.values()
        )
        if held >= self._most:
            raise Refusal(
                f"guests from your address hold {held} seats: others want to play, too",
                code="over_limit",
            )
