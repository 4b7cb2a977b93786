"""Past rounds out of the journal: found by what happened in them, and played again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec.structs import replace

from croupier.errors import BadRequest, plain, suggest
from croupier.ledger.chapters import Pointer, corrections_stream, record_of, table_stream
from croupier.ledger.entries import Chapter, Entry, Mark
from croupier.ledger.store import Store
from croupier.rounds.events import BettingOpened, CardsDealt
from croupier.rounds.records import from_json
from croupier.rounds.state import OPENING, Round
from croupier.tables.events import Corrected, TableEvent, TableStands
from croupier.tables.evolving import evolve
from croupier.tables.money import Move
from croupier.tables.state import Table

__all__ = [
    "Correction",
    "Moment",
    "corrections",
    "finished_round",
    "moments",
    "recall",
    "round_moments",
    "withheld",
]


class Moment(NamedTuple):
    """An entry of a table's journal, played: the table before and after it."""

    entry: Entry
    event: TableEvent
    by: str
    before: Table | None
    after: Table
    moves: list[Move]


def moments(store: Store, table: str) -> Iterator[Moment]:
    """Everything that ever happened at a table, in order, in flat memory."""
    return _played(store.read(table_stream(table)), None)


def _played(entries: Iterable[Entry], state: Table | None) -> Iterator[Moment]:
    for entry in entries:
        record = record_of(entry)
        before = state
        state, moves = evolve(before, record.event)
        yield Moment(entry, record.event, record.by, before, state, moves)


def round_moments(store: Store, table: str, number: int) -> Iterator[Moment]:
    """A round from its opening to its end, or as far as it has come.

    It takes no longer for a round of last year than for the last one: the journal says with every
    round how the table stood when it opened.
    """
    stream = table_stream(table)
    chapter = store.chapter(stream, number)
    if chapter is None:
        return _open_round(store, table, number)
    state = _standing(store, stream, chapter.first)
    return _played(store.read(stream, chapter.first - 1, chapter.last), state)


class Correction(NamedTuple):
    entry: Entry
    event: Corrected


def corrections(store: Store, table: str, number: int | None = None) -> Iterator[Correction]:
    """What was added to a past round (or to any) when a dispute was decided, in order."""
    for pointed in store.read(corrections_stream(table)):
        pointer: Pointer = from_json(pointed.body, Pointer)
        if number in (None, pointer.round):
            (entry,) = store.read(table_stream(table), pointer.entry - 1, pointer.entry)
            event = record_of(entry).event
            assert isinstance(event, Corrected)
            yield Correction(entry, event)


def finished_round(store: Store, table: str, number: int) -> Round:
    """A past round as it stood when it was over."""
    *_, last = round_moments(store, table, number)
    return last.after.round


def _standing(store: Store, stream: str, first: int) -> Table:
    """The table just before the entry that opened the round."""
    opening, stood = store.read(stream, first - 1, first + 1)
    opened, standing = record_of(opening).event, record_of(stood).event
    assert isinstance(opened, BettingOpened)
    assert isinstance(standing, TableStands)
    (entry,) = store.read(stream, standing.opened - 1, standing.opened)
    table, _ = evolve(None, record_of(entry).event)
    return replace(
        table,
        seats=standing.seats,
        money=standing.money,
        round=replace(OPENING, number=opened.number - 1),
        version=first - 1,
        opened=standing.opened,
    )


def _open_round(store: Store, table: str, number: int) -> Iterator[Moment]:
    stream = table_stream(table)
    if not store.head(stream).version:
        names = (name.removeprefix("table:") for name in store.streams("table:"))
        raise suggest("table", table, names)
    last = next(iter(store.chapters(stream, limit=1)), None)
    for entry in store.read(stream, after=last.last if last is not None else 0):
        event = record_of(entry).event
        if isinstance(event, BettingOpened) and event.number == number:
            state = _standing(store, stream, entry.version)
            return _played(store.read(stream, entry.version - 1), state)
    played = f"rounds 1 to {last.number}" if last is not None else "no round yet"
    raise BadRequest(f"table {plain(table)} has played {played}, not round {number}")


def recall(
    store: Store,
    *,
    table: str | None = None,
    marks: Sequence[Mark] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int | None = None,
) -> Iterator[Chapter]:
    """Rounds with all these marks, the newest first."""
    stream = table_stream(table) if table is not None else None
    return store.chapters(stream, marks, since, until, limit)


def withheld(moment: Moment, last_finished: int) -> TableEvent:
    """The event as it may leave the house: while a round is in play, its deck stays sealed and the
    cards that were dealt lie face down."""
    event = moment.event
    if moment.after.round.number <= last_finished:
        return event
    if isinstance(event, BettingOpened):
        return replace(event, salt="", deck=())
    return CardsDealt(event.drawn) if isinstance(event, CardsDealt) else event
