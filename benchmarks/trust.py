"""What sealing and signing cost: journaled rounds a second with them, and without.

Rounds are played by software through `House`, every command written and synced on its own, as at a
table. In turns, so that both see the same machine: a batch sealed and signed at its end (a server
signs every five seconds), a batch with neither.

    python -m benchmarks.trust 400      # so many rounds each; 200 when left out
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any
from unittest.mock import patch

from benchmarks.figures import Ratio, report
from croupier.ledger.entries import NewEntry
from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import SOFTWARE, Actor
from croupier.runtime.automation import Automation, StrategyPlayer
from croupier.runtime.house import House
from croupier.runtime.journal_session import JournalSession, KnownTable
from croupier.runtime.players import strategy_by_name
from croupier.runtime.signing import JournalSigner
from croupier.simulation.run_setting import setting_for
from croupier.tables.commands import OpenTable, TakeSeat
from croupier.tables.planning import CommandPlan
from croupier.tables.state import rules_of

ROUNDS = 200
BATCH = 20
SEATS = 3
OPERATOR = Actor("operator", SOFTWARE)


class Playing:
    """One table in one journal."""

    def __init__(self, path: Path) -> None:
        self.journal = open_journal(path)
        self._house = House(self.journal)
        setting, rules = setting_for("md-uth")
        opening = OpenTable("T1", "md-uth", setting.submission, inventory=10**12)
        self._house.do("T1", opening, OPERATOR)
        names = [f"player {seat}" for seat in range(1, SEATS + 1)]
        for seat, name in enumerate(names, 1):
            self._house.do("T1", TakeSeat(name, seat), Actor("player", name))
        player = StrategyPlayer(strategy_by_name(rules, "random"), setting.wagers, 10_000_000)
        self._automation = Automation(players=dict.fromkeys(names, player))
        self.signer = JournalSigner(self.journal)

    def play(self, rounds: int) -> None:
        session = self._house.session("T1")
        table = session.load().table
        rules, goal = rules_of(table), table.round.number + rounds
        while table.round.number < goal or table.round.phase != "over":
            step = self._automation.next_command(table, rules)
            assert step is not None
            session.do(step[1], step[0])
            table = session.load().table


@contextmanager
def in_the_clear() -> Iterator[None]:
    """Entries as they would be without a seal."""

    def stored(_: Any, made: CommandPlan, *rest: Any) -> tuple[KnownTable, NewEntry]:
        _, _, entry, began = rest
        return KnownTable(made.table, began), entry

    with patch.object(JournalSession, "_stored", stored):
        yield


def main(rounds: int = ROUNDS) -> None:
    with TemporaryDirectory() as folder:
        os.environ["CROUPIER_KEY_FILE"] = str(Path(folder) / "machine.key")
        sealed, clear = Playing(Path(folder) / "sealed.db"), Playing(Path(folder) / "clear.db")
        wall, busy = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
        sealed.play(2)
        with in_the_clear():
            clear.play(2)
        for _ in range(rounds // BATCH):
            for is_sealed in (True, False):
                start, began = perf_counter(), process_time()
                if is_sealed:
                    sealed.play(BATCH)
                    sealed.signer.sign()
                else:
                    with in_the_clear():
                        clear.play(BATCH)
                wall[is_sealed] += perf_counter() - start
                busy[is_sealed] += process_time() - began
        for one in (sealed, clear):
            one.journal.close()
    print(
        f"\nSealing and signing: {rounds} rounds each, {SEATS} seats, SQLite synced at each command"
    )
    rows = [
        (name, f"{rounds / wall[key]:.1f}", f"{busy[key] / rounds * 1e3:.2f}")
        for name, key in (("sealed and signed", True), ("neither", False))
    ]
    ratios = [
        Ratio("rounds a second, of those without", wall[False] / wall[True]),
        Ratio("processor time, of that without", busy[True] / busy[False], more_is_better=False),
    ]
    rows += [(ratio.name, f"{ratio.value:.2f}", "") for ratio in ratios]
    report("trust", ("", "rounds a second", "ms of a processor a round"), rows, ratios)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2] if argument.isdigit()))
