"""The journal for a regulator: every entry as JSON, or every settled wager as a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from croupier.cards import format_cards
from croupier.ledger.journal import Journal
from croupier.ledger.past_rounds import Moment, moments, withheld, withheld_command
from croupier.ledger.table_entries import table_record, table_stream
from croupier.money import format_cents
from croupier.rounds import events as did
from croupier.rounds.declaration import Command
from croupier.rounds.explaining import Holdings, explanation
from croupier.rounds.records import to_json
from croupier.rounds.state import LineRecord
from croupier.tables.commands import TableCommand
from croupier.tables.events import Corrected, TableEvent
from croupier.tables.state import rules_of

__all__ = ["COLUMNS", "entries", "settled_wagers"]

COLUMNS: Final = (
    *("table", "rulebook", "round", "at", "seat", "player", "cards", "community", "dealer"),
    *("hand", "wager", "stake", "result", "net", "clause", "pays", "meter"),
    *("reason", "explanation"),
)


def entries(journal: Journal, table: str) -> Iterator[dict[str, object]]:
    """Everything that happened at a table, in order: each command with its events. The deck of a
    round in play stays sealed."""
    last = next(iter(journal.chapters(table_stream(table), limit=1)), None)
    finished = last.number if last is not None else 0
    for entry, found in groupby(moments(journal, table), key=lambda moment: moment.entry):
        happened = list(found)
        record = table_record(entry)
        yield {
            "stream": entry.stream,
            "version": entry.version,
            "at": entry.at,
            "kind": entry.kind,
            "by": str(record.by),
            "command": _written(withheld_command(happened[0], record, finished)),
            "events": [_written(withheld(moment, finished)) for moment in happened],
            "transfers": [
                {"source": t.source, "target": t.target, "amount": format_cents(t.cents)}
                for t in entry.transfers
            ],
            "hash": entry.hash,
        }


def _written(value: TableCommand | TableEvent) -> object:
    return json.loads(to_json(value.outside() if isinstance(value, Command) else value))


def settled_wagers(journal: Journal, table: str) -> Iterator[tuple[str, ...]]:
    """One row for each wager settled, under `COLUMNS`, and one for each correction."""
    for moment in moments(journal, table):
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
