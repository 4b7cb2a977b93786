"""A shift in figures: what each table took in, paid and kept, how fast it was dealt, and by whom.

Drop is what people brought to the table. Win is what the table kept of it: its inventory now, with
credits and drop, less its inventory before and fills. Hold is win in parts of drop. A dealer is on
duty from his first act at a table until the next dealer's.
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

__all__ = ["DealerShift", "ShiftReport", "TableShift", "shift_report"]

BATCH: Final = 1000
_CASH: Final = ("drop", "fills", "credits", "tips", "opening", "cash_outs", "to_count", "win")
_decode_transfers: Final = msgspec.json.Decoder(tuple[Transfer, ...]).decode


class DealerShift(msgspec.Struct, frozen=True):
    """While this dealer was at the table. Money in dollars; `pace`: rounds an hour."""

    dealer: str
    rounds: int
    minutes: float
    pace: float
    drop: str
    win: str
    tips: str


class TableShift(msgspec.Struct, frozen=True):
    """`hold`: win in percent of drop, nothing without a drop. `opening`: what the cage gave when
    the table opened. `to_count`: drop and tips that went to the count room."""

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
    """What is added up over a shift."""

    def __init__(self) -> None:
        self.cents = dict.fromkeys(_CASH, 0)
        self.rounds = self.void = self.refused = 0
        self.seconds = 0.0

    def move(self, kind: str, source: str, target: str, cents: int) -> None:
        into, out_of = _place(target), _place(source)
        add = self.cents
        match out_of, into:
            case "cage", "inventory":
                add["opening" if kind == "open_table" else "fills"] += cents
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

    def add(self, other: _Tally) -> None:
        for name, cents in other.cents.items():
            self.cents[name] += cents
        self.rounds += other.rounds
        self.void += other.void
        self.refused += other.refused
        self.seconds += other.seconds

    @property
    def pace(self) -> float:
        return round(self.rounds * 3600 / self.seconds, 1) if self.seconds else 0.0

    def told(self, name: str) -> str:
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
            **{name: self.told(name) for name in _CASH},
        )

    def of_dealer(self, dealer: str) -> DealerShift:
        told = self.told("drop"), self.told("win"), self.told("tips")
        return DealerShift(dealer, self.rounds, round(self.seconds / 60, 1), self.pace, *told)


def shift_report(
    journal: Journal, since: datetime, until: datetime, table: str | None = None
) -> ShiftReport:
    """Every table that the journal has, or one, from `since` to `until`."""
    if since >= until:
        raise BadRequest("a shift begins before it ends")
    streams = journal.streams(table_stream("")) if table is None else (table_stream(table),)
    total, found = _Tally(), []
    everybody: dict[str, _Tally] = {}
    for stream in streams:
        name = stream.partition(":")[2]
        tally, dealers = _table(journal, name, since, until)
        found.append(tally.form(name, dealers))
        total.add(tally)
        for dealer, one in dealers.items():
            everybody.setdefault(dealer, _Tally()).add(one)
    return ShiftReport(stamp(since), stamp(until), tuple(found), total.form("", everybody))


def _table(
    journal: Journal, table: str, since: datetime, until: datetime
) -> tuple[_Tally, dict[str, _Tally]]:
    tally, dealers = _Tally(), dict[str, _Tally]()
    stream, name = table_stream(table), ""
    rounds = _ended(journal, stream, since, until)
    chapter = next(rounds, None)
    for version, kind, by, transfers in _moved(journal, stream, since, until):
        name = by or name
        on_duty = dealers.setdefault(name, _Tally()) if name else _Tally()
        for transfer in _decode_transfers(transfers):
            for one in (tally, on_duty):
                one.move(kind, transfer.source, transfer.target, transfer.cents)
        while chapter is not None and chapter.last <= version:
            for one in (tally, on_duty):
                one.play(chapter)
            chapter = next(rounds, None)
    tally.refused = _refused(journal, table, since, until)
    return tally, dealers


def _ended(journal: Journal, stream: str, since: datetime, until: datetime) -> Iterator[Chapter]:
    """The rounds that ended in the shift, in order."""
    found = journal.chapters(stream, since=since, until=until, newest_first=False)
    return (chapter for chapter in found if stamp(since) <= chapter.ended <= stamp(until))


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
    """Each entry of the shift: version, kind, the dealer who gave it if one did, transfers."""
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
    """An entry may stand for several attempts."""
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
    """The account without its table, and without whose it is: `table:T1:rack:ann` is a rack."""
    kind, _, rest = account.partition(":")
    return rest.partition(":")[2].partition(":")[0] if kind == "table" else kind
