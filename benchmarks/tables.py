"""A table with a long past: opening it, telling an old round, verifying everything.

The past is written in batches of fifty rounds a commit, since the waiting for the disk is measured
elsewhere (`journal`); what is in the journal is what `House` would have written. Then, on that
journal: the time to open the table (a snapshot and what came after it), to tell one of its first
rounds, and to verify every entry, beside the floor of that: reading the same rows with the bare
driver and hashing them.

    python -m benchmarks.tables 100000      # so many rounds; 3,000 when left out
"""

from __future__ import annotations

import resource
import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from croupier.ledger.entries import Addition, Chapter, NewEntry, stamp
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.past_rounds import round_moments
from croupier.ledger.table_entries import chapter_of, table_stream
from croupier.ledger.verify import verify
from croupier.progressives import Link
from croupier.randomness.shuffling import Seeded
from croupier.rounds.declaration import SOFTWARE, Actor
from croupier.rounds.records import to_json
from croupier.runtime.automation import Automation, StrategyPlayer
from croupier.runtime.house import House, entry_of, link_addition
from croupier.runtime.players import by_name
from croupier.simulation import setting_for
from croupier.tables.commands import OpenTable, TakeSeat
from croupier.tables.events import ends_round
from croupier.tables.planning import LinkHappening, plan
from croupier.tables.state import Table, rules_of

ROUNDS = 3_000
BATCH = 50
SEATS = 6
OPERATOR = Actor("operator", SOFTWARE)


class Past:
    """Rounds played in memory and written a batch at a time."""

    def __init__(self, store: Journal) -> None:
        setting, rules = setting_for("md-uth")
        house = House(store)
        opening = OpenTable("T1", "md-uth", setting.submission, inventory=10**12)
        house.do("T1", opening, OPERATOR)
        names = [f"player {seat}" for seat in range(1, SEATS + 1)]
        for seat, name in enumerate(names, 1):
            house.do("T1", TakeSeat(name, seat), Actor("player", name))
        player = StrategyPlayer(by_name(rules, "random"), setting.wagers, 10_000_000)
        self._automation = Automation(players=dict.fromkeys(names, player), draw=Seeded("past"))
        self._store, self._table, self._link = store, house.table("T1"), house.link("T1")
        self._link_version = store.head("link:T1").version

    def write_all(self, rounds: int) -> None:
        for _ in range(rounds // BATCH):
            self.write(BATCH)

    def write(self, rounds: int) -> None:
        entries: list[NewEntry] = []
        chapters: list[Chapter] = []
        fed: list[LinkHappening] = []
        began = at = datetime.now(UTC)
        rules = rules_of(self._table)
        while len(chapters) < rounds:
            step = self._automation.next_command(self._table, rules)
            assert step is not None
            actor, command = step
            made = plan(self._table, self._link, command, actor)
            self._table, self._link = made.table, made.link
            entries += [entry_of("T1", happening, str(actor)) for happening in made.happenings]
            fed += made.link_happenings
            if any(map(ends_round, made.events)):
                state = self._table
                times = stamp(began), stamp(at)
                chapters.append(chapter_of("T1", state.round, state.began, state.version, *times))
        self._add(entries, chapters, fed, at)

    def _add(
        self,
        entries: list[NewEntry],
        chapters: list[Chapter],
        fed: list[LinkHappening],
        at: datetime,
    ) -> None:
        table: Table = self._table
        link: Link | None = self._link
        assert link is not None
        additions = [
            Addition(
                table_stream("T1"),
                table.version - len(entries),
                tuple(entries),
                tuple(chapters),
                to_json(table),
            ),
            link_addition(link, self._link_version, tuple(fed)),
        ]
        self._store.add(*additions, at=at)
        self._link_version += len(fed)


def timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def bare(path: Path) -> int:
    """Every row read with the driver alone and hashed once."""
    base = sqlite3.connect(path)
    rows = 0
    for body, hash_ in base.execute("select body, hash from events order by stream, version"):
        sha256(body if isinstance(body, bytes) else body.encode()).hexdigest()
        rows += len(hash_) > 0
    base.close()
    return rows


def main(rounds: int = ROUNDS) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        with open_journal(path) as store:
            past = Past(store)
            written = timed(lambda: past.write_all(rounds))
        peak = _peak()
        with open_journal(path) as store:
            opened = timed(lambda: House(store).table("T1"))
            told = timed(lambda: list(round_moments(store, "T1", 3)))
            found = []
            walked = timed(lambda: found.append(verify(store)))
        assert found[0].valid, found[0].differences
        entries = found[0].entries
        floor = timed(lambda: bare(path))
        size = path.stat().st_size
    print(f"\nA table with a past: {rounds:,} rounds, {entries:,} entries, {size / 2**20:,.0f} MiB")
    for what, figure, more in (
        ("writing it", f"{written:8.1f} s ", f"{written / rounds * 1e3:.2f} ms a round"),
        ("opening the table", f"{opened * 1e3:8.1f} ms", ""),
        ("telling round 3", f"{told * 1e3:8.1f} ms", ""),
        ("verifying all", f"{walked:8.1f} s ", f"{walked / entries * 1e6:.0f} µs an entry"),
        ("bare driver and sha256", f"{floor:8.1f} s ", f"verify takes {walked / floor:.0f} times"),
        ("memory grown in verify", f"{(_peak() - peak) / 2**20:8.1f} MiB", ""),
    ):
        print(f"  {what:26}{figure}  {more}")


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
