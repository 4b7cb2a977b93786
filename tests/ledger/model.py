"""The journal as plain lists: what both databases must agree with, and random work for them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec.structs import replace

from croupier.ledger.entries import (
    Addition,
    Chapter,
    Entry,
    Mark,
    NewEntry,
    Snapshot,
    Transfer,
    stamp,
)
from croupier.ledger.journal import Journal
from croupier.ledger.signatures.chain import GENESIS, hash_of
from tests.ledger.samples import NOON

ACCOUNTS = ("drop", "house", "player:ann", "player:bob", "meter:main")
STREAMS = ("meter/main", "table/1", "table/2")


class Model:
    """Everything a store can be asked, written in the most obvious way."""

    def __init__(self) -> None:
        self.entries: dict[str, list[Entry]] = defaultdict(list)
        self.snapshots: dict[str, Snapshot] = {}
        self.chapters: list[Chapter] = []
        self.requests: dict[tuple[str, str], list[Entry]] = {}
        self.balances: dict[str, int] = defaultdict(int)

    def copy(self) -> Model:
        other = Model()
        for stream, entries in self.entries.items():
            other.entries[stream] = list(entries)
        other.snapshots = dict(self.snapshots)
        other.chapters = list(self.chapters)
        other.requests = dict(self.requests)
        other.balances.update(self.balances)
        return other

    def add(self, *additions: Addition, at: datetime) -> tuple[Entry, ...]:
        written = []
        for one in additions:
            entries = self.entries[one.stream]
            assert one.after == len(entries)
            for new in one.entries:
                previous = entries[-1].hash if entries else GENESIS
                place = (one.stream, len(entries) + 1, stamp(at), new.kind, new.body, new.transfers)
                entries.append(Entry(*place, hash_of(previous, *place)))
                for transfer in new.transfers:
                    self.balances[transfer.source] -= transfer.cents
                    self.balances[transfer.target] += transfer.cents
            written += entries[one.after :]
            self.chapters += one.chapters
            if one.snapshot is not None:
                self.snapshots[one.stream] = Snapshot(len(entries), one.snapshot)
            if one.request is not None:
                self.requests[one.stream, one.request] = entries[one.after :]
        return tuple(written)

    def differs(self, store: Journal) -> str | None:
        """What the store has otherwise, if anything."""
        streams = {name: entries for name, entries in self.entries.items() if entries}
        if (found := store.streams()) != tuple(sorted(streams)):
            return f"streams {found}"
        for stream, entries in streams.items():
            there = bare(store.read(stream))
            if there != tuple(entries):
                return f"{stream}: {len(there)} entries, not {len(entries)}, or others"
            if store.snapshot(stream) != self.snapshots.get(stream):
                return f"{stream}: the snapshot"
        if store.balances() != dict(self.balances):
            return f"balances {store.balances()}"
        in_order = sorted(self.chapters, key=lambda one: (one.began, one.stream, one.number))
        if list(store.chapters(newest_first=False)) != in_order:
            return "chapters"
        for (stream, request), entries in list(self.requests.items())[-3:]:
            if bare(store.answered(stream, request) or ()) != tuple(entries):
                return f"{stream}: request {request}"
        return None


def bare(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Without their MACs, which the model has no key for."""
    return tuple(replace(entry, mac="") for entry in entries)


def random_work(chance: random.Random, model: Model) -> tuple[tuple[Addition, ...], datetime]:
    """Additions that fit the model as it is; the clock jumps now and then."""
    at = NOON + timedelta(seconds=chance.randrange(-10_000, 10_000))
    names = chance.sample(STREAMS, chance.choice((1, 1, 1, 2, 3)))
    return tuple(_addition(chance, model, name, at) for name in names), at


def _addition(chance: random.Random, model: Model, stream: str, at: datetime) -> Addition:
    after = len(model.entries[stream])
    entries = tuple(_entry(chance) for _ in range(chance.choice((1, 1, 2, 5))))
    last = after + len(entries)
    chapters: tuple[Chapter, ...] = ()
    if chance.random() < 0.3:
        number = sum(one.stream == stream for one in model.chapters) + 1
        marks = (Mark("player", chance.choice(("ann", "bob"))), Mark("seat", "3"))
        chapters = (Chapter(stream, number, after + 1, last, stamp(at), stamp(at), marks),)
    snapshot = chance.randbytes(chance.choice((0, 100, 9000))) if chance.random() < 0.3 else None
    request = f"request {chance.getrandbits(60)}" if chance.random() < 0.4 else None
    return Addition(stream, after, entries, chapters, snapshot, request)


def _entry(chance: random.Random) -> NewEntry:
    # Some bodies are larger than a page of the database.
    text = f"{chance.getrandbits(4 * chance.choice((1, 20, 200, 6000))):x}"
    transfers = tuple(_transfer(chance) for _ in range(chance.choice((0, 0, 1, 3))))
    return NewEntry(
        chance.choice(("bet", "deal", "paid")), b'{"x":"%s"}' % text.encode(), transfers
    )


def _transfer(chance: random.Random) -> Transfer:
    source, target = chance.sample(ACCOUNTS, 2)
    return Transfer(source, target, chance.randint(1, 10**6))
