"""Small things to journal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from croupier.ledger.entries import Addition, Chapter, Mark, NewEntry, StreamHead, Transfer, stamp
from croupier.ledger.journal import Journal
from croupier.ledger.verification.checks import check_balances, check_streams

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def entry(number: int, cents: int = 0) -> NewEntry:
    transfers = (Transfer("player:ann", "house", cents),) if cents else ()
    return NewEntry("noted", b'{"number":%d}' % number, transfers)


def addition(stream: str, after: int, *cents: int, request: str | None = None) -> Addition:
    entries = tuple(entry(after + place, each) for place, each in enumerate(cents, 1))
    return Addition(stream, after, entries, request=request)


def fill(store: Journal, stream: str = "table/1", count: int = 10) -> StreamHead:
    for version in range(store.head(stream).version, count):
        store.add(addition(stream, version, 100 + version), at=NOON + timedelta(seconds=version))
    return store.head(stream)


def chapter(stream: str, number: int, last: int, *marks: Mark) -> Chapter:
    time = stamp(NOON + timedelta(minutes=number))
    return Chapter(stream, number, last, last, time, time, marks)


def check_all(store: Journal) -> dict[str, StreamHead]:
    """The chain of every stream, every balance, and that no cent was made."""
    heads = check_streams(store)
    assert sum(check_balances(store).values()) == 0
    assert sum(store.balances().values()) == 0
    return heads
