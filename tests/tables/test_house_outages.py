"""When the store fails, the person gets a clear word, nothing is lost, and the table goes on."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from random import Random

import pytest

from croupier.ledger.faults import JournalUnavailable
from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.tables.commands import Tip
from tests.postgres import Server
from tests.tables.dealing_school import open_table, play


def test_a_locked_database_is_said_and_the_table_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path, wait_seconds=0.2) as store:
        house = House(store)
        open_table(house, "T1", "md-uth")
        before = house.table("T1")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("begin immediate")
        with pytest.raises(JournalUnavailable) as refused:
            house.do("T1", Tip("p1", 500), Actor("player", "p1"))
        assert "Traceback" not in refused.value.message
        other.execute("rollback")
        other.close()
        assert house.table("T1") == before
        house.do("T1", Tip("p1", 500), Actor("player", "p1"))
        assert house.table("T1").rack("p1") == before.rack("p1") - 500
        assert verify(store).valid


def test_a_file_taken_away_is_said_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path) as store:
        house = House(store)
        open_table(house, "T1", "md-uth")
        path.chmod(0o600)
    away = tmp_path / "elsewhere.db"
    path.rename(away)
    with open_journal(away) as store:
        assert House(store).table("T1").seats == {1: "p1", 2: "p2"}


def test_a_server_that_dies_in_mid_round_is_found_again(
    postgres_server: Server, postgres_url: str
) -> None:
    with open_journal(postgres_url, wait_seconds=1) as store:
        house = House(store)
        open_table(house, "T1", "md-uth")
        for state in play(house, "T1", 1, Random(1)):
            if state.round.phase == "deciding":
                break
        before = house.table("T1")
        postgres_server.kill()
        with pytest.raises(JournalUnavailable):
            house.do("T1", Tip("p1", 500), Actor("player", "p1"))
        postgres_server.start()
        assert house.table("T1") == before
        for _ in play(house, "T1", 0, Random(1)):
            pass
        after = house.table("T1")
        assert (after.round.number, after.round.phase) == (before.round.number, "over")
        assert verify(store).valid
