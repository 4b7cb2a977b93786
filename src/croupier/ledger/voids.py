"""What was void at a table, out of the journal: by whom, why, by which clause, and the money that
went back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from croupier.ledger.entries import Entry
from croupier.ledger.journal import Journal
from croupier.ledger.newest import Recent
from croupier.ledger.past_rounds import Moment, entry_moments
from croupier.ledger.table_entries import table_stream
from croupier.rounds.declaration import Actor
from croupier.rounds.events import (
    HandsVoided,
    HandVoided,
    IrregularityNoted,
    RoundVoided,
    WagersVoided,
)
from croupier.rounds.state import SeatInRound
from croupier.tables.events import Confirmed
from croupier.tables.state import Table, rules_of

__all__ = ["RecordedVoid", "recent_voids"]

_VOIDS: Final = (RoundVoided, HandsVoided, HandVoided, WagersVoided)
_TAG: Final = b"_voided"
"""Part of the tags of all of them."""


class RecordedVoid(msgspec.Struct, frozen=True):
    """Entry `entry` of the table's journal. `what` is void; `cents` go back to the players, with a
    hand or a wager when it is settled."""

    table: str
    entry: int
    at: str
    round: int
    what: Literal["round", "hands", "hand", "wagers"]
    by: str
    role: str
    reason: str
    clause: str
    cents: int
    seat: int = 0
    second: str = ""
    """Who confirmed it, where a dealer reported it."""


def recent_voids(journal: Journal, table: str) -> Recent[RecordedVoid]:
    return Recent(journal, table_stream(table), lambda entry: _voids(journal, entry))


def _voids(journal: Journal, entry: Entry) -> Iterator[RecordedVoid]:
    if _TAG not in entry.body:
        return
    reason, reported = "", None
    for moment in entry_moments(journal, entry.stream, entry.version):
        if isinstance(moment.event, Confirmed):
            reported = _reporter(moment)
        elif isinstance(moment.event, IrregularityNoted):
            reason = _accident(moment)
        elif isinstance(moment.event, _VOIDS):
            yield _void(moment, reason, reported)


def _accident(moment: Moment) -> str:
    event = moment.event
    assert isinstance(event, IrregularityNoted)
    title = rules_of(moment.after).book.irregularities[event.kind].title
    return f"{title}: {event.note}" if event.note else title


def _reporter(moment: Moment) -> Actor | None:
    """Who proposed what is confirmed here."""
    event, before = moment.event, moment.before
    assert isinstance(event, Confirmed)
    waiting = before.pending if before is not None else ()
    return next((Actor(p.role, p.name) for p in waiting if p.number == event.number), None)


def _void(moment: Moment, reason: str, reported: Actor | None) -> RecordedVoid:
    event, before = moment.event, moment.before
    assert isinstance(event, _VOIDS)
    assert before is not None, "a table begins by being opened"
    what, cents = _back(moment, before)
    by, second = moment.actor, ""
    if reported is not None:
        by, second = reported, moment.actor.name
    return RecordedVoid(
        before.id,
        moment.entry.version,
        moment.entry.at,
        before.round.number,
        what,
        by.name,
        by.role,
        reason or getattr(event, "reason", ""),
        event.clause,
        cents,
        event.seat if isinstance(event, HandVoided) else 0,
        second,
    )


def _back(moment: Moment, before: Table) -> tuple[Literal["round", "hands", "hand", "wagers"], int]:
    seats = before.round.seats
    match moment.event:
        case HandsVoided(saves=saves):
            return "hands", sum(_stakes(seat, without=saves) for seat in seats)
        case HandVoided(seat=number):
            return "hand", sum(_stakes(seat) for seat in seats if seat.number == number)
        case WagersVoided(wagers=wagers):
            return "wagers", sum(seat.wagers.get(name, 0) for seat in seats for name in wagers)
    return "round", sum(move.cents for move in moment.moves)


def _stakes(seat: SeatInRound, without: tuple[str, ...] = ()) -> int:
    """What the seat has down now."""
    down = seat.wagers | seat.decided
    return sum(c for name, c in down.items() if name not in (*without, *seat.taken_back))
