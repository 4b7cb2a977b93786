"""A crash at any write loses no acknowledged entry and invents none."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from croupier.errors import CroupierError
from croupier.ledger.entries import Entry
from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import Journal, open_journal
from tests.ledger.crashes import Cut, power_cuts, recover, run_power_cuts, scratch
from tests.ledger.samples import NOON, addition, check_all
from tests.postgres import Server

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("seed", range(8))
def test_power_cut(seed: int) -> None:
    assert run_power_cuts(seed) > 5


def test_the_simulator_would_notice_a_lost_acknowledgement() -> None:
    """Had SQLite not synced, the files before a commit could be all that is left after it."""
    noticed = 0
    for seed in range(1, 5):
        with scratch() as folder:
            before: Cut | None = None
            for cut in power_cuts(seed, folder):
                if before is not None and cut.what == "after the commit":
                    with scratch() as other, pytest.raises(AssertionError, match="entries, not"):
                        recover(Cut("not synced", before.disk, cut.allowed), other)
                    noticed += 1
                before = cut
    assert noticed


@pytest.mark.full
@pytest.mark.parametrize("block", range(40))
def test_power_cut_thousands(block: int) -> None:
    for seed in range(100 + block * 50, 150 + block * 50):
        try:
            run_power_cuts(seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error


def kills(first: int, last: int) -> tuple[int, int]:
    with scratch() as folder:
        told = subprocess.run(
            [sys.executable, "-m", "tests.ledger.crashes", str(folder), str(first), str(last)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=1200,
        )
    assert told.returncode == 0, told.stderr
    killed, opening = told.stdout.split()
    return int(killed), int(opening)


def test_killed_at_every_step() -> None:
    killed, opening = kills(0, 48)
    assert killed > 30
    assert opening > 5


@pytest.mark.full
@pytest.mark.parametrize("block", range(20))
def test_killed_at_every_step_thousands(block: int) -> None:
    kills(100 + block * 150, 250 + block * 150)


class Writer(threading.Thread):
    """Appends to a stream of its own and to a shared one until the server is gone."""

    def __init__(self, url: str, stream: str, first: int) -> None:
        super().__init__()
        self.stream = stream
        self.store = open_journal(url, wait_seconds=10)
        self.first = first
        self.acknowledged: list[Entry] = []
        self.fault: CroupierError | None = None

    def run(self) -> None:
        version = self.first
        try:
            while True:
                self.acknowledged += self.store.add(addition(self.stream, version, 1, 2), at=NOON)
                version += 2
        except CroupierError as error:
            self.fault = error


def kill_under_load(server: Server, url: str, seconds: float) -> None:
    with open_journal(url) as store:
        writers = [Writer(url, f"table/{n}", store.head(f"table/{n}").version) for n in range(3)]
    try:
        for writer in writers:
            writer.start()
        time.sleep(seconds)
        server.kill()
        for writer in writers:
            writer.join(60)
    finally:
        server.start()
    for writer in writers:
        assert isinstance(writer.fault, JournalUnavailable)
        _check_writer(writer)
        writer.store.close()


def _check_writer(writer: Writer) -> None:
    """By the writer's own store: it has to find the new server by itself."""
    store: Journal = writer.store
    there = list(store.read(writer.stream, writer.first))
    count = len(writer.acknowledged)
    assert count > 0
    assert there[:count] == writer.acknowledged
    assert len(there) - count in {0, 2}
    check_all(store)
    store.add(addition(writer.stream, writer.first + len(there), 5, 5), at=NOON)


@pytest.mark.parametrize("turn", range(2))
def test_server_killed_under_load(postgres_server: Server, postgres_url: str, turn: int) -> None:
    kill_under_load(postgres_server, postgres_url, 0.3 + turn * 0.17)


@pytest.mark.full
def test_server_killed_under_load_again_and_again(
    postgres_server: Server, postgres_url: str
) -> None:
    for turn in range(40):
        kill_under_load(postgres_server, postgres_url, 0.2 + turn * 0.013)
