"""The state of a link: its meters, its tables, and the open round of each table.

It does not grow with the number of rounds: for each table it keeps only the open round and the
number of the last one.
"""

from __future__ import annotations

import msgspec

from croupier.errors import suggest
from croupier.progressives.meters import LinkMeter, MeterTotals
from croupier.progressives.table_terms import Floor, TableClauses, TableTerms
from croupier.rulebooks.decoding import read_json


class OpenRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round from the lock-out of bets to its end: the stakes, the rates and the seats paid."""

    number: int
    stakes: tuple[tuple[int, int], ...]
    """Seat and cents, without seats whose contribution was reversed."""
    rates: dict[str, int]
    """Rates by meter at the lock-out, in millionths."""
    emptied: dict[str, int]
    """How often each meter had been emptied at the lock-out."""
    awarded: tuple[int, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(seat for seat, _ in self.stakes)

    def contributed(self, meter: str, seats: tuple[int, ...]) -> int:
        """Return what these seats contributed to the meter, in micro-cents."""
        return sum(stake for seat, stake in self.stakes if seat in seats) * self.rates[meter]


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    terms: TableTerms
    round: OpenRound | None = None


class LinkGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The terms that must be equal at all tables of a link, and the clauses of the game it was
    opened for."""

    rulebook: str
    figures: tuple[tuple[str, str], ...]
    cards: int
    stakes: tuple[int, ...]
    decks: int
    floors: dict[str, Floor]
    clauses: TableClauses


class Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    id: str
    game: LinkGame
    meters: dict[str, LinkMeter]
    validate_all: bool = True
    """Whether to validate awards even if the document leaves it to the operator."""
    paytables: dict[str, str] = {}
    """The paytable of each game title on the link."""
    members: dict[str, Member] = {}
    last_rounds: dict[str, int] = {}
    """Last round number by table, including tables that left: a round number is never used
    twice."""
    received: tuple[str, ...] = ()
    """Meters of closed links whose money was moved here."""
    closed: bool = False

    def shown(self) -> dict[str, int]:
        """Return the amounts that the meters show, in cents: the `meters` of a settlement."""
        return {name: meter.shown_cents for name, meter in self.meters.items()}

    def resets(self) -> dict[str, int]:
        return {name: meter.terms.reset_cents for name, meter in self.meters.items()}

    def explain(self, meter: str) -> MeterTotals:
        """Return the totals of everything that changed a meter."""
        if meter not in self.meters:
            raise suggest("meter", meter, self.meters)
        return self.meters[meter].explain()


_ENCODER = msgspec.json.Encoder(order="sorted")


def to_json(link: Link) -> bytes:
    """Return canonical JSON: equal links give equal bytes."""
    return _ENCODER.encode(link)


def from_json(text: bytes | str) -> Link:
    return read_json(text, Link)
