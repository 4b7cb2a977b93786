"""Journal exports: every entry as JSON, every settled wager as a row, as JSON Lines or CSV.

The command line and the page write the same lines. Everything is streamed, so a journal of any size
fits.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.cards import format_cards
from croupier.errors import BadRequest
from croupier.ledger.entries import Entry
from croupier.ledger.history.past_rounds import Moment, moments, withheld, withheld_command
from croupier.ledger.history.search import ReadEntry
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import (
    attempts_stream,
    corrections_stream,
    face_up,
    link_stream,
    masked,
    table_record,
    table_stream,
)
from croupier.money import format_cents
from croupier.rounds import events as did
from croupier.rounds.declaration import Command, to_json
from croupier.rounds.explaining import Holdings, explanation
from croupier.rounds.state import LineRecord
from croupier.tables.commands import OpenTable, TableCommand
from croupier.tables.events import Corrected, TableEvent
from croupier.tables.state import rules_of

COLUMNS: Final = (
    *("table", "rulebook", "round", "at", "seat", "player", "cards", "community", "dealer"),
    *("hand", "wager", "stake", "result", "net", "clause", "pays", "meter"),
    *("reason", "explanation"),
)


def entries(journal: Journal, table: str) -> Iterator[dict[str, object]]:
    """Yield everything that happened at a table, in order: each command with its events. The deck
    of a round in play stays sealed."""
    finished = last_finished(journal, table)
    for _, moments_of_entry in groupby(
        moments(journal, table), key=lambda moment: moment.entry.version
    ):
        yield table_entry(list(moments_of_entry), finished)


def other_entries(journal: Journal, stream: str) -> Iterator[dict[str, object]]:
    """Yield the entries of a stream of a link, of refused attempts, or of anything else."""
    ended = _ended(journal, stream)
    for entry in journal.read(stream):
        yield other_entry(entry, ended)


def last_finished(journal: Journal, table: str) -> int:
    """Return the number of the last finished round."""
    last = next(journal.chapters(table_stream(table), limit=1), None)
    return last.number if last is not None else 0


def table_entry(happened: list[Moment], finished: int) -> dict[str, object]:
    """Return an entry of a table with all its moments. During a round, face-down cards are left
    out, cards that nobody can see are `??`, and the hash is withheld: cards could be guessed from
    it."""
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
    """Return an entry of another stream. Attempts after the table's last finished round (`ended`)
    may name face-down cards."""
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
        body = json.loads(text)
    except ValueError:  # somebody else wrote it: verify says so
        body = text
    return body if isinstance(body, dict) else {"body": body}


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
    """Yield one row for each settled wager, under `COLUMNS`, and one for each correction. A round
    appears when it is over: until then a folded hand lies face down beside settled ones."""
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
    """Return the row of a correction, under its round; who corrected it and why take the place of
    the odds."""
    table = moment.after
    columns = (table.id, table.rulebook, str(event.round), moment.entry.at, str(event.seat))
    money = (event.wager, "0.00", "corrected", format_cents(event.cents), "")
    said = f"{event.by}: {event.reason}"
    return (*columns, event.player, "", "", "", "", *money, said, "", "corrected", event.reason)


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


# -- journal exports ------------------------------------------------------------------------------


Form: TypeAlias = Literal["jsonl", "csv"]
Part: TypeAlias = Literal["entries", "wagers", "transfers", "attempts", "tables", "links"]
PARTS: Final[tuple[Part, ...]] = (
    *("entries", "wagers", "transfers"),
    *("attempts", "tables", "links"),
)
"""`entries`: everything. `wagers`: a line for each settled wager. `transfers`: every cent moved."""

ENTRY_COLUMNS: Final = ("stream", "version", "at", "kind", "by", "command", "events", "hash")
ATTEMPT_COLUMNS: Final = (
    *("stream", "version", "at", "by", "command", "code", "message", "clause"),
    "hash",
)
TRANSFER_COLUMNS: Final = ("stream", "version", "at", "kind", "source", "target", "amount")

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
_NUMBER: Final = re.compile(r"-[0-9]+(\.[0-9]+)?")
_encode: Final = msgspec.json.Encoder().encode
_Line: TypeAlias = dict[str, object]


def export_lines(
    journal: Journal, form: Form, part: Part | None = None, table: str | None = None
) -> Iterator[str]:
    """Yield the requested part, each line with its end. By default, JSON Lines hold all entries and
    CSV the wagers."""
    part = part or ("wagers" if form == "csv" else "entries")
    if part not in PARTS:
        raise BadRequest(f"{part} cannot be exported: take {', '.join(PARTS)}")
    columns, rows = _rows(journal, part, table)
    if form == "jsonl":
        yield from (_encode(row).decode() + "\n" for row in rows)
        return
    yield csv_line(columns)
    for row in rows:
        yield csv_line([_cell(row.get(name, "")) for name in columns])


def _rows(journal: Journal, part: Part, table: str | None) -> tuple[Sequence[str], Iterator[_Line]]:
    if part == "wagers":
        return COLUMNS, _wagers(journal, table)
    lines = _all_entries(journal, table, part)
    if part == "transfers":
        return TRANSFER_COLUMNS, _transfer_lines(lines)
    return (ATTEMPT_COLUMNS if part == "attempts" else ENTRY_COLUMNS), lines


def _tables(journal: Journal, table: str | None) -> list[str]:
    if table is not None:
        return [table]
    return [name.removeprefix("table:") for name in journal.streams(table_stream(""))]


def _wagers(journal: Journal, table: str | None) -> Iterator[_Line]:
    for name in _tables(journal, table):
        for row in settled_wagers(journal, name):
            yield dict(zip(COLUMNS, row, strict=True))


def _all_entries(journal: Journal, table: str | None, part: Part) -> Iterator[_Line]:
    """Yield the entries of all tables, then those of the other streams."""
    if part in ("entries", "transfers", "tables"):
        for name in _tables(journal, table):
            yield from entries(journal, name)
    for stream in _others(journal, table):
        stream_type = stream.partition(":")[0]
        if part in ("entries", "transfers") or part.startswith(stream_type):
            yield from other_entries(journal, stream)


def _others(journal: Journal, table: str | None) -> Iterator[str]:
    if table is None:
        yield from (name for name in journal.streams() if not name.startswith("table:"))
        return
    opening = next(journal.read(table_stream(table), up_to=1), None)
    command = table_record(opening).command if opening is not None else None
    if isinstance(command, OpenTable):
        yield link_stream(command.link or table)
    yield attempts_stream(table)
    yield corrections_stream(table)


def _transfer_lines(lines: Iterator[_Line]) -> Iterator[_Line]:
    for entry in lines:
        moved = entry["transfers"]
        assert isinstance(moved, list)
        for transfer in moved:
            yield {name: entry[name] for name in ("stream", "version", "at", "kind")} | transfer


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else _encode(value).decode()


def csv_line(row: Sequence[str]) -> str:
    """Return a CSV line that any spreadsheet reads and does not take for a formula."""
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(map(_harmless, row))
    return line.getvalue()


def _harmless(cell: str) -> str:
    """Quote a name that a spreadsheet would take for a formula."""
    is_number = _NUMBER.fullmatch(cell) is not None
    return f"'{cell}" if cell.startswith(_FORMULA) and not is_number else cell
