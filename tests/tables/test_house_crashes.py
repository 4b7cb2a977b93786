"""A table survives its process: killed at any moment, it goes on with the same round.

The child tells each command it has been answered; what it told before it died must be there, and
the journal must be one that the rules could have written.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.runtime.house import House
from tests.tables.dealing_school import open_table, play

_CHILD = """
import sys
from random import Random
from croupier.ledger.journal import open_journal
from croupier.runtime.house import House
from tests.tables.dealing_school import play
house = House(open_journal(sys.argv[1]))
table, seed = sys.argv[2], sys.argv[3]
print("ready", flush=True)
for state in play(house, table, 1000, Random(seed)):
    print(state.version, flush=True)
"""


def _start(journal: str, table: str, seed: int) -> subprocess.Popen[str]:
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join([str(Path(root) / "src"), root])
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD, journal, table, str(seed)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": paths},
    )


def _kill_after(child: subprocess.Popen[str], answers: int) -> int:
    """Let it tell so many answers, kill it, and give back the last version it told of."""
    last = 0
    with child:
        assert child.stdout is not None
        for _ in range(answers):
            said = child.stdout.readline().strip()
            last = int(said) if said.isdigit() else last
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().split()
    return int(rest[-1]) if rest and rest[-1].isdigit() else last


def _goes_on(journal: str, table: str, told: int, seed: int) -> None:
    """Nothing told is lost, nothing is invented, and the round in play can be played to its end."""
    with open_journal(journal) as store:
        house = House(store)
        state = house.table(table)
        assert state.version >= told
        found = verify(store)
        assert found.valid, found.differences
        if state.round.phase != "over":
            number = state.round.number
            for _ in play(house, table, 0, Random(seed)):
                pass
            assert house.table(table).round.number == number
        assert verify(store).valid


def _deaths(journal: str, seed: int, times: int, book: str = "md-uth", live: bool = False) -> None:
    draw = Random(seed)
    with open_journal(journal) as store:
        open_table(House(store), "T1", book, source="live" if live else "virtual")
    for death in range(times):
        child = _start(journal, "T1", seed * 100 + death)
        told = _kill_after(child, draw.randint(2, 60))
        _goes_on(journal, "T1", told, seed)


def test_a_process_killed_in_mid_round_resumes_that_round(tmp_path: Path) -> None:
    _deaths(str(tmp_path / "journal.db"), seed=1, times=4)


@pytest.mark.parametrize("book", ["md-uth", "ma-uth"])
def test_killed_among_accidents_and_corrections(tmp_path: Path, book: str) -> None:
    """A live table where cards lie face up, stubs are counted wrong and rounds are put right."""
    _deaths(str(tmp_path / "journal.db"), seed=5, times=3, book=book, live=True)


def test_killed_on_postgresql_too(postgres_url: str) -> None:
    _deaths(postgres_url, seed=2, times=2)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_deaths(tmp_path: Path, seed: int) -> None:
    _deaths(str(tmp_path / "journal.db"), seed=seed, times=10)


@pytest.mark.full
@pytest.mark.parametrize("book", DOCUMENTS)
@pytest.mark.parametrize("seed", range(200, 205))
def test_many_deaths_among_accidents(tmp_path: Path, seed: int, book: str) -> None:
    _deaths(str(tmp_path / "journal.db"), seed=seed, times=10, book=book, live=True)


def test_two_processes_share_a_link_on_postgresql(postgres_url: str) -> None:
    """Two tables in two processes feed one set of meters; both die, and every cent is there."""
    journal = postgres_url
    with open_journal(journal) as store:
        house = House(store)
        open_table(house, "T1", "md-uth", link="pit")
        open_table(house, "T2", "md-uth", link="pit")
    children = [_start(journal, table, seed) for seed, table in enumerate(("T1", "T2"))]
    told = [_kill_after(child, 120) for child in children]
    for table, last in zip(("T1", "T2"), told, strict=True):
        _goes_on(journal, table, last, seed=3)
    with open_journal(journal) as store:
        link = House(store).link("pit")
        assert link is not None
        account = link.explain("main")
        assert account.reading == account.explained
        assert store.balance("meter:pit:main") == link.shown()["main"]
        assert store.head("link:pit").version > 6
