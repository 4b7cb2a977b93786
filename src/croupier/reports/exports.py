"""The journal for a regulator: every entry as JSON, or every settled wager as a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from croupier.cards import format_cards
from croupier.ledger.chapters import table_stream
from croupier.ledger.store import Store
from croupier.money import format_cents
from croupier.rounds import events as did
from croupier.rounds.explaining import Holdings, explanation
from croupier.rounds.records import to_json
from croupier.rounds.state import LineRecord
from croupier.runtime.recall import Moment, moments, withheld
from croupier.tables.events import Corrected
from croupier.tables.state import rules_of

__all__ = ["COLUMNS", "entries", "settled_wagers"]

COLUMNS: Final = (
    *("table", "rulebook", "round", "at", "seat", "player", "cards", "community", "dealer"),
    *("hand", "wager", "stake", "result", "net", "clause", "pays", "meter"),
    *("reason", "explanation"),
)


def entries(store: Store, table: str) -> Iterator[dict[str, object]]:
    """Everything that happened at a table, in order. The deck of a round in play stays sealed."""
    last = next(iter(store.chapters(table_stream(table), limit=1)), None)
    finished = last.number if last is not None else 0
    for moment in moments(store, table):
        entry = moment.entry
        yield {
            "stream": entry.stream,
            "version": entry.version,
            "at": entry.at,
            "kind": entry.kind,
            "by": moment.by,
            "event": json.loads(to_json(withheld(moment, finished))),
            "transfers": [
                {"source": t.source, "target": t.target, "amount": format_cents(t.cents)}
                for t in entry.transfers
            ],
            "hash": entry.hash,
        }


def settled_wagers(store: Store, table: str) -> Iterator[tuple[str, ...]]:
    """One row for each wager settled, under `COLUMNS`, and one for each correction."""
    for moment in moments(store, table):
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
