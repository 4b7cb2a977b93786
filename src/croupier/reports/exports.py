"""The journal for a regulator: every entry as JSON, or every settled wager as a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from croupier.cards import format_cards
from croupier.ledger.entries import Entry
from croupier.ledger.history.past_rounds import Moment, moments, withheld, withheld_command
from croupier.ledger.history.search import ReadEntry
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import face_up, masked, table_record, table_stream
from croupier.money import format_cents
from croupier.rounds import events as did
from croupier.rounds.declaration import Command
from croupier.rounds.explaining import Holdings, explanation
from croupier.rounds.records import to_json
from croupier.rounds.state import LineRecord
from croupier.tables.commands import TableCommand
from croupier.tables.events import Corrected, TableEvent
from croupier.tables.state import rules_of

__all__ = [
    "COLUMNS",
    "entries",
    "last_finished",
    "other_entries",
    "other_entry",
    "settled_wagers",
    "table_entry",
]

COLUMNS: Final = (
    *("table", "rulebook", "round", "at", "seat", "player", "cards", "community", "dealer"),
    *("hand", "wager", "stake", "result", "net", "clause", "pays", "meter"),
    *("reason", "explanation"),
)


def entries(journal: Journal, table: str) -> Iterator[dict[str, object]]:
    """Everything that happened at a table, in order: each command with its events. The deck of a
    round in play stays sealed."""
    finished = last_finished(journal, table)
    for _, found in groupby(moments(journal, table), key=lambda moment: moment.entry.version):
        yield table_entry(list(found), finished)


def other_entries(journal: Journal, stream: str) -> Iterator[dict[str, object]]:
    """A stream of a link, of refused attempts, or of anything else."""
    ended = _ended(journal, stream)
    for entry in journal.read(stream):
        yield other_entry(entry, ended)


def last_finished(journal: Journal, table: str) -> int:
    """The number of the last round that is over."""
    last = next(journal.chapters(table_stream(table), limit=1), None)
    return last.number if last is not None else 0


def table_entry(happened: list[Moment], finished: int) -> dict[str, object]:
    """An entry of a table, with all its moments. What lies face down in a round that is still
    played is left out, every card that nobody can see is `??`, and there is no hash yet: cards
    could be tried until they give it."""
    first, entry = happened[0], happened[0].entry
    record = table_record(entry)
    visible = None if first.after.round.number <= finished else face_up(happened[-1].after)
    return {
        "stream": entry.stream,
        "version": entry.version,
        "at": entry.at,
        "kind": entry.kind,
        "by": str(record.by),
        "command": _written(withheld_command(first, record, finished), visible),
        "events": [_written(withheld(moment, finished), visible) for moment in happened],
        "transfers": _transfers(entry),
        "hash": entry.hash if visible is None else "",
    }


def other_entry(entry: Entry, ended: str) -> dict[str, object]:
    """An entry of another stream. What was tried at a table after its last round `ended` may name
    cards that still lie face down."""
    text = entry.body.decode()
    is_open = entry.stream.startswith("attempts:") and entry.at >= ended
    read = ReadEntry(entry)
    return {
        "stream": entry.stream,
        "version": entry.version,
        "at": entry.at,
        "kind": entry.kind,
        **_data(masked(text) if is_open else text),
        "by": f"{read.role} {read.name}".strip(),
        "transfers": _transfers(entry),
        "hash": entry.hash,
    }


def _data(text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except ValueError:  # somebody else wrote it: verify says so
        found = text
    return found if isinstance(found, dict) else {"body": found}


def _ended(journal: Journal, stream: str) -> str:
    table = stream.partition(":")[2]
    last = next(journal.chapters(table_stream(table), limit=1), None)
    return last.ended if last is not None else ""


def _transfers(entry: Entry) -> list[dict[str, str]]:
    return [
        {"source": t.source, "target": t.target, "amount": format_cents(t.cents)}
        for t in entry.transfers
    ]


def _written(value: TableCommand | TableEvent, visible: frozenset[str] | None) -> object:
    text = to_json(value.outside() if isinstance(value, Command) else value).decode()
    return json.loads(text if visible is None else masked(text, visible))


def settled_wagers(journal: Journal, table: str) -> Iterator[tuple[str, ...]]:
    """One row for each wager settled, under `COLUMNS`, and one for each correction. A round is told
    when it is over: until then a folded hand lies face down beside the settled ones."""
    finished = last_finished(journal, table)
    for moment in moments(journal, table):
        is_open = moment.after.round.number > finished
        if is_open and not isinstance(moment.event, Corrected):
            continue
        match moment.event:
            case did.SeatSettled() as event:
                for line in event.lines:
                    yield _row(moment, event.seat, line)
            case did.ProgressivePaid() | did.ProgressiveRefused() as event:
                yield _row(moment, event.seat, event.line)
            case did.EnvyPaid() as event:
                for number, line in event.lines.items():
                    yield _row(moment, number, line)
            case Corrected() as event:
                yield _correction(moment, event)


def _correction(moment: Moment, event: Corrected) -> tuple[str, ...]:
    """Under the round it corrects; who corrected it, and why, stands where the odds stand
    otherwise."""
    table = moment.after
    told = (table.id, table.rulebook, str(event.round), moment.entry.at, str(event.seat))
    money = (event.wager, "0.00", "corrected", format_cents(event.cents), "")
    said = f"{event.by}: {event.reason}"
    return (*told, event.player, "", "", "", "", *money, said, "", "corrected", event.reason)


def _row(moment: Moment, number: int, line: LineRecord) -> tuple[str, ...]:
    table, played = moment.after, moment.after.round
    seat = played.seat(number)
    assert seat is not None
    return (
        table.id,
        table.rulebook,
        str(played.number),
        moment.entry.at,
        str(number),
        seat.player,
        format_cards(seat.cards),
        format_cards(played.community),
        format_cards(played.dealer),
        seat.hand,
        line.wager,
        format_cents(line.stake),
        line.result,
        format_cents(line.net),
        line.clause,
        line.pays,
        line.from_meter,
        line.reason.code,
        explanation(line, rules_of(table), Holdings.at(played, number)),
    )
