"""Shift reports: drop, win, hold, fills, pace, and tips of each table and dealer.

Drop is what people brought to the table. Win is what the table kept of it: its inventory now, plus
credits and drop, less its inventory before and fills. Hold is win divided by drop. A dealer is on
duty from their first act at a table until the next dealer's.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Final

import msgspec
from sqlalchemy import select

from croupier.errors import BadRequest
from croupier.ledger.entries import Chapter, Transfer, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.records.table_entries import attempts_stream, table_stream
from croupier.ledger.stores.schema import entries
from croupier.money import format_cents

BATCH: Final = 1000
_CASH: Final = ("drop", "fills", "credits", "tips", "opening", "cash_outs", "to_count", "win")
_decode_transfers: Final = msgspec.json.Decoder(tuple[Transfer, ...]).decode


class DealerShift(msgspec.Struct, frozen=True):
    """A dealer's time at a table. Money in dollars; `pace`: rounds an hour."""

    dealer: str
    rounds: int
    minutes: float
    pace: float
    drop: str
    win: str
    tips: str


class TableShift(msgspec.Struct, frozen=True):
    """`hold`: win in percent of drop, empty without a drop. `opening`: what the cage gave when the
    table opened. `to_count`: drop and tips sent to the count room."""

    table: str
    rounds: int
    void: int
    minutes: float
    pace: float
    drop: str
    win: str
    hold: float | None
    fills: str
    credits: str
    opening: str
    tips: str
    cash_outs: str
    to_count: str
    refused: int
    dealers: tuple[DealerShift, ...]


class ShiftReport(msgspec.Struct, frozen=True):
    since: str
    until: str
    tables: tuple[TableShift, ...]
    total: TableShift


class _Tally:
    """Totals over a shift."""

    def __init__(self) -> None:
        self.cents = dict.fromkeys(_CASH, 0)
        self.rounds = self.void = self.refused = 0
        self.seconds = 0.0

    def move(self, command: str, source: str, target: str, cents: int) -> None:
        into, out_of = _place(target), _place(source)
        add = self.cents
        match out_of, into:
            case "cage", "inventory":
                add["opening" if command == "open_table" else "fills"] += cents
            case "inventory", "cage":
                add["credits"] += cents
            case _, "drop":
                add["drop"] += cents
                add["win"] += cents
            case _, "tips":
                add["tips"] += cents
            case _, "count":
                add["to_count"] += cents
            case "rack", "patron" | "cashier":
                add["cash_outs"] += cents
            case "inventory", _:
                add["win"] -= cents
            case _, "inventory":
                add["win"] += cents
            case "cage", _:  # what the inventory could not pay
                add["win"] -= cents

    def play(self, chapter: Chapter) -> None:
        self.rounds += 1
        self.void += any(mark.name == "void" and mark.value == "yes" for mark in chapter.marks)
        began, ended = map(datetime.fromisoformat, (chapter.began, chapter.ended))
        self.seconds += max(0.0, (ended - began).total_seconds())

    def add(self, tally: _Tally) -> None:
        for name, cents in tally.cents.items():
            self.cents[name] += cents
        self.rounds += tally.rounds
        self.void += tally.void
        self.refused += tally.refused
        self.seconds += tally.seconds

    @property
    def pace(self) -> float:
        return round(self.rounds * 3600 / self.seconds, 1) if self.seconds else 0.0

    def dollars_of(self, name: str) -> str:
        return format_cents(self.cents[name])

    def form(self, table: str, dealers: dict[str, _Tally]) -> TableShift:
        drop = self.cents["drop"]
        return TableShift(
            table=table,
            rounds=self.rounds,
            void=self.void,
            minutes=round(self.seconds / 60, 1),
            pace=self.pace,
            hold=round(100 * self.cents["win"] / drop, 1) if drop else None,
            refused=self.refused,
            dealers=tuple([tally.of_dealer(name) for name, tally in sorted(dealers.items())]),
            **{name: self.dollars_of(name) for name in _CASH},
        )

    def of_dealer(self, dealer: str) -> DealerShift:
        money = self.dollars_of("drop"), self.dollars_of("win"), self.dollars_of("tips")
        return DealerShift(dealer, self.rounds, round(self.seconds / 60, 1), self.pace, *money)


def shift_report(
    journal: Journal, since: datetime, until: datetime, table: str | None = None
) -> ShiftReport:
    """Return the shift from `since` to `until`, of every table in the journal or of one."""
    if since >= until:
        raise BadRequest("a shift begins before it ends")
    streams = journal.streams(table_stream("")) if table is None else (table_stream(table),)
    total, tables = _Tally(), []
    everybody: dict[str, _Tally] = {}
    for stream in streams:
        name = stream.partition(":")[2]
        tally, dealers = _table(journal, name, since, until)
        tables.append(tally.form(name, dealers))
        total.add(tally)
        for dealer, tally_of_dealer in dealers.items():
            everybody.setdefault(dealer, _Tally()).add(tally_of_dealer)
    return ShiftReport(stamp(since), stamp(until), tuple(tables), total.form("", everybody))


def _table(
    journal: Journal, table: str, since: datetime, until: datetime
) -> tuple[_Tally, dict[str, _Tally]]:
    tally, dealers = _Tally(), dict[str, _Tally]()
    stream, name = table_stream(table), ""
    rounds = _ended(journal, stream, since, until)
    chapter = next(rounds, None)
    for version, command, by, transfers in _moved(journal, stream, since, until):
        name = by or name
        on_duty = dealers.setdefault(name, _Tally()) if name else _Tally()
        for transfer in _decode_transfers(transfers):
            for tally_moved in (tally, on_duty):
                tally_moved.move(command, transfer.source, transfer.target, transfer.cents)
        while chapter is not None and chapter.last <= version:
            for tally_moved in (tally, on_duty):
                tally_moved.play(chapter)
            chapter = next(rounds, None)
    tally.refused = _refused(journal, table, since, until)
    return tally, dealers


def _ended(journal: Journal, stream: str, since: datetime, until: datetime) -> Iterator[Chapter]:
    """Yield the rounds that ended in the shift, in order."""
    chapters = journal.chapters(stream, since=since, until=until, newest_first=False)
    return (chapter for chapter in chapters if stamp(since) <= chapter.ended <= stamp(until))


class _Signed(msgspec.Struct, frozen=True):
    role: str = ""
    name: str = ""


class _Body(msgspec.Struct, frozen=True):
    by: _Signed = _Signed()
    times: int = 1


_decode_body: Final = msgspec.json.Decoder(_Body).decode


def _moved(
    journal: Journal, stream: str, since: datetime, until: datetime
) -> Iterator[tuple[int, str, str, str]]:
    """Yield the entries of the shift: version, command, the dealer who gave it if there was one,
    transfers."""
    c = entries.c
    query = (
        select(c.version, c.kind, c.body, c.transfers)
        .where(c.stream == stream, c.at >= stamp(since), c.at <= stamp(until))
        .order_by(c.version)
        .limit(BATCH)
    )
    after = 0
    while True:
        with journal.reader() as connection:
            rows = connection.execute(query.where(c.version > after)).all()
        for row in rows:
            by = _decode_body(row.body).by
            yield row.version, row.kind, by.name if by.role == "dealer" else "", row.transfers
        if len(rows) < BATCH:
            return
        after = rows[-1].version


def _refused(journal: Journal, table: str, since: datetime, until: datetime) -> int:
    """Count refused attempts; an entry may stand for several."""
    c = entries.c
    query = select(c.body).where(
        c.stream == attempts_stream(table),
        c.at >= stamp(since),
        c.at <= stamp(until),
        c.body != "",
    )
    with journal.reader() as connection:
        rows = connection.execution_options(yield_per=BATCH).execute(query)
        return sum(_decode_body(row.body).times for row in rows)


def _place(account: str) -> str:
    """Return the account without its table and owner: `table:T1:rack:ann` is a rack."""
    account_type, _, rest = account.partition(":")
    return rest.partition(":")[2].partition(":")[0] if account_type == "table" else account_type
