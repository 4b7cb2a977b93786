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

from msgspec.structs import replace

from benchmarks.figures import Ratio, report
from croupier.ledger.entries import Addition
from croupier.ledger.history.past_rounds import round_moments
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.records.table_entries import table_stream
from croupier.ledger.verification.verify import verify
from croupier.randomness.shuffling import Seeded
from croupier.rounds.declaration import SOFTWARE, Actor, to_json
from croupier.runtime.automation import Automation, StrategyPlayer
from croupier.runtime.house import House
from croupier.runtime.journal_session import Draft
from croupier.runtime.players import strategy_by_name
from croupier.simulation.run_setting import setting_for
from croupier.tables.commands import OpenTable, TakeSeat
from croupier.tables.state import rules_of

ROUNDS = 3_000
BATCH = 50
SEATS = 6
OPERATOR = Actor("operator", SOFTWARE)


class Past:
    """Rounds played in memory and written a batch at a time."""

    def __init__(self, store: Journal) -> None:
        setting, rules = setting_for("md-uth")
        self._now = datetime.now(UTC)
        house = House(store, clock=lambda: self._now, draw=Seeded("past"))
        opening = OpenTable("T1", "md-uth", setting.submission, inventory=10**12)
        house.do("T1", opening, OPERATOR)
        names = [f"player {seat}" for seat in range(1, SEATS + 1)]
        for seat, name in enumerate(names, 1):
            house.do("T1", TakeSeat(name, seat), Actor("player", name))
        player = StrategyPlayer(strategy_by_name(rules, "random"), setting.wagers, 10_000_000)
        self._automation = Automation(players=dict.fromkeys(names, player))
        self._session = house.session("T1")

    def write_all(self, rounds: int) -> None:
        for _ in range(rounds // BATCH):
            self.write(BATCH)

    def write(self, rounds: int) -> None:
        """So many rounds as one chain of drafts, in one transaction."""
        self._now = datetime.now(UTC)
        session, last, drafts = self._session, None, list[Draft]()
        table = session.load().table
        goal = table.round.number + rounds
        rules = rules_of(table)
        while table.round.number < goal or table.round.phase != "over":
            step = self._automation.next_command(table, rules)
            assert step is not None
            actor, command = step
            last = session.draft(command, actor, on=last)
            drafts.append(last)
            table = last.after.table
        session.journal.add(*_merged(drafts), at=self._now)
        for draft in drafts:
            session.adopt(draft)


def _merged(drafts: list[Draft]) -> list[Addition]:
    """One addition for each stream."""
    found: dict[str, Addition] = {}
    for one in [addition for draft in drafts for addition in draft.write.additions]:
        first = found.get(one.stream)
        found[one.stream] = (
            one
            if first is None
            else replace(
                first,
                entries=first.entries + one.entries,
                chapters=first.chapters + one.chapters,
                snapshot=None,
            )
        )
    stream = table_stream("T1")
    found[stream] = replace(found[stream], snapshot=to_json(drafts[-1].after.table))
    return list(found.values())


def timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def bare(path: Path) -> int:
    """Every row read with the driver alone and hashed once."""
    base = sqlite3.connect(path)
    rows = 0
    for body, hash_ in base.execute("select body, hash from entries order by stream, version"):
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
        assert found[0].valid, found[0].differences[:3]
        entries = found[0].entries
        floor = timed(lambda: bare(path))
        size = path.stat().st_size
    print(f"\nA table with a past: {rounds:,} rounds, {entries:,} entries, {size / 2**20:,.0f} MiB")
    report(
        "tables",
        ("", "", ""),
        (
            ("writing it", f"{written:.1f} s", f"{written / rounds * 1e3:.2f} ms a round"),
            ("opening the table", f"{opened * 1e3:.1f} ms", ""),
            ("showing round 3", f"{told * 1e3:.1f} ms", ""),
            (
                "verifying everything",
                f"{walked:.1f} s",
                f"{walked / entries * 1e6:.0f} µs an entry",
            ),
            (
                "bare driver and SHA-256",
                f"{floor:.1f} s",
                f"verify takes {walked / floor:.0f} times",
            ),
            ("memory grown in verify", f"{(_peak() - peak) / 2**20:.1f} MiB", ""),
            ("journal", f"{size / 2**20:,.0f} MiB", f"{size / rounds / 1024:.0f} KB a round"),
        ),
        [
            Ratio("verify, in bare readings", walked / floor, more_is_better=False),
            Ratio("KB of journal a round", size / rounds / 1024, more_is_better=False),
        ],
    )


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2] if argument.isdigit()))
