"""Past rounds from the journal: search by what happened in them, and replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.errors import BadRequest, plain, suggest
from croupier.ledger.entries import Chapter, Entry, Mark
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    Pointer,
    TableRecord,
    corrections_stream,
    public,
    public_command,
    table_record,
    table_stream,
)
from croupier.ledger.signatures.chain import ChainBroken
from croupier.rounds.commands import OpenBetting
from croupier.rounds.declaration import Actor, from_json
from croupier.rounds.events import CardsDealt, Revealed
from croupier.rounds.state import OPENING, Round
from croupier.tables.commands import OpenTable, TableCommand
from croupier.tables.events import Corrected, TableEvent, TableStands
from croupier.tables.evolving import Move, evolve, evolve_all, next_entry
from croupier.tables.state import Table, rules_of
from croupier.tables.step_duties import OnRecord, on_record

MOST_REPLAYED: Final = 10_000
"""The most entries that are replayed to show one of them."""


class Moment(NamedTuple):
    """An event of a table's journal, replayed: the table before and after it."""

    entry: Entry
    event: TableEvent
    actor: Actor
    before: Table | None
    after: Table
    moves: list[Move]

    @property
    def by(self) -> str:
        return str(self.actor)

    @property
    def event_name(self) -> str:
        return str(type(self.event).__struct_config__.tag)


def duties_on_record(moment: Moment) -> OnRecord:
    """Return the duties that the person who gave the command confirmed with it, and those shown to
    the others; `moment` is the first one of the command."""
    record = table_record(moment.entry)
    table = moment.before if moment.before is not None else moment.after
    # A table that opens again may open under other rules.
    rules = rules_of(moment.after if isinstance(record.command, OpenTable) else table)
    at = int(datetime.fromisoformat(moment.entry.at).timestamp())
    confirmed = (record.command, record.by, table, rules, at, record.events)
    return on_record(*confirmed, on_screen=record.on_screen)


def moments(journal: Journal, table: str) -> Iterator[Moment]:
    """Yield every event of a table, in order, in constant memory."""
    return played(journal.read(table_stream(table)), None)


def played(entries: Iterable[Entry], state: Table | None) -> Iterator[Moment]:
    """Replay the entries on a table in this state and yield each event."""
    for entry in entries:
        record = table_record(entry)
        state = next_entry(state)
        for event in record.events:
            before = state
            state, moves = evolve(before, event)
            yield Moment(entry, event, record.by, before, state, moves)


def round_moments(journal: Journal, table: str, number: int) -> Iterator[Moment]:
    """Yield the events of a round from its opening to its end, or up to now if it is still open.

    A round of last year takes no longer than the last one: the journal stores with every round the
    state of the table when it opened.
    """
    stream = table_stream(table)
    chapter = journal.chapter(stream, number)
    if chapter is None:
        return _open_round(journal, table, number)
    state = standing(journal, stream, chapter.first)
    if state.round.number != number - 1:
        # The index is not authenticated, and corrections are bounded by the stakes of this round.
        raise ChainBroken(stream, chapter.first, f"round {number} does not open here: run reindex")
    return played(journal.read(stream, chapter.first - 1, chapter.last), state)


def entry_moments(journal: Journal, stream: str, version: int) -> list[Moment]:
    """Return the events of one entry of a table, replayed from the round before it. Empty if that
    would replay more than `MOST_REPLAYED` entries."""
    chapter = chapter_up_to(journal, stream, version)
    after = chapter.first - 1 if chapter is not None else 0
    if version - after > MOST_REPLAYED:
        return []
    state = standing(journal, stream, chapter.first) if chapter is not None else None
    moments = played(journal.read(stream, after, version), state)
    return [moment for moment in moments if moment.entry.version == version]


def chapter_up_to(journal: Journal, stream: str, version: int) -> Chapter | None:
    """Return the last finished round that began at or before this entry. Rounds are numbered
    without gaps, so a binary search finds it."""
    newest = next(journal.chapters(stream, limit=1), None)
    if newest is None or newest.first <= version:
        return newest
    low, high, last = 0, newest.number, None
    while high - low > 1:
        middle = (low + high) // 2
        chapter = journal.chapter(stream, middle)
        if chapter is not None and chapter.first > version:
            high = middle
        else:
            low, last = middle, chapter or last
    return last


class Correction(NamedTuple):
    entry: Entry
    event: Corrected
    actor: Actor


def corrections(journal: Journal, table: str, number: int | None = None) -> Iterator[Correction]:
    """Yield the corrections that disputes made to a past round, or to any round if `number` is
    None, in order."""
    for pointed in journal.read(corrections_stream(table)):
        pointer: Pointer = from_json(pointed.body, Pointer)
        if number in (None, pointer.round):
            (entry,) = journal.read(table_stream(table), pointer.entry - 1, pointer.entry)
            record = table_record(entry)
            for event in record.events:
                if isinstance(event, Corrected):
                    yield Correction(entry, event, record.by)


def finished_round(journal: Journal, table: str, number: int) -> Round:
    """Return a past round as it was at its end."""
    return table_after(journal, table, number).round


def table_after(journal: Journal, table: str, number: int) -> Table:
    """Return the table as it was at the end of a past round, with the terms of that time."""
    *_, last = round_moments(journal, table, number)
    return last.after


def standing(journal: Journal, stream: str, first: int) -> Table:
    """Return the table just before the entry that opened the round, computed from that entry and
    the one that opened the table."""
    (opening,) = journal.read(stream, first - 1, first)
    opened, stands = table_record(opening).events
    assert isinstance(opened, OpenBetting)
    assert isinstance(stands, TableStands)
    (entry,) = journal.read(stream, stands.opened - 1, stands.opened)
    table = evolve_all(None, table_record(entry).events)
    changed = stands.submission not in ("", table.submission)
    return replace(
        table,
        seats=stands.seats,
        money=stands.money,
        round=replace(OPENING, number=opened.number - 1),
        version=first - 1,
        opened=stands.opened,
        care=stands.care,
        submission=stands.submission or table.submission,
        staff=stands.staff,
        calls=stands.calls,
        last_call=stands.last_call,
        count=stands.count,
        slips=stands.slips,
        pending=stands.pending,
        reopened=stands.reopened,
        new_limits=changed and stands.care is None,
    )


def _open_round(journal: Journal, table: str, number: int) -> Iterator[Moment]:
    stream = table_stream(table)
    if not journal.head(stream).version:
        names = (name.removeprefix("table:") for name in journal.streams("table:"))
        raise suggest("table", table, names)
    last = next(iter(journal.chapters(stream, limit=1)), None)
    for entry in journal.read(stream, after=last.last if last is not None else 0):
        event = table_record(entry).events[0]
        if isinstance(event, OpenBetting) and event.number == number:
            state = standing(journal, stream, entry.version)
            return played(journal.read(stream, entry.version - 1), state)
    rounds = f"rounds 1 to {last.number}" if last is not None else "no round yet"
    raise BadRequest(f"table {plain(table)} has played {rounds}, not round {number}")


def recall(
    journal: Journal,
    *,
    table: str | None = None,
    marks: Sequence[Mark] = (),
    since: datetime | None = None,
    until: datetime | None = None,
    limit: int | None = None,
) -> Iterator[Chapter]:
    """Yield the rounds that have all these marks, newest first."""
    stream = table_stream(table) if table is not None else None
    return journal.chapters(stream, marks, since, until, limit)


def withheld(moment: Moment, last_finished: int) -> TableEvent:
    """Return the event as it may be disclosed outside: while a round is in play, its deck stays
    sealed and the cards that were dealt or burned lie face down."""
    is_over = moment.after.round.number <= last_finished
    return moment.event if is_over else public(moment.event, moment.after)


def face_down(event: TableEvent) -> TableEvent:
    """Return an event of a round in play without the parts that stay secret until the round is
    over."""
    if isinstance(event, OpenBetting):
        return replace(event, salt="", deck=())
    if isinstance(event, Revealed):
        return replace(event, burned=(), dealer=(), box=(), discarded=())
    return CardsDealt(event.drawn) if isinstance(event, CardsDealt) else event


def withheld_command(first: Moment, record: TableRecord, last_finished: int) -> TableCommand:
    """Return the command as it may be disclosed outside: the command that opens the bets contains
    the deck."""
    is_over = first.after.round.number <= last_finished
    return record.command if is_over else public_command(record.command)
