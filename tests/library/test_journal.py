"""Journals from Python: tables, past rounds, replays and the check of everything."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import croupier
from tests.commands.program import croupier as program
from tests.ledger.forgery import unpack_bodies


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("journal") / "evening.db"
    with croupier.open_journal(where) as journal:
        for name, rulebook in (("T1", "md-uth"), ("T2", "md-235")):
            table = journal.open_table(rulebook, name=name, seed=7)
            table.sit("ann")
            table.sit("bob")
            for _ in range(5):
                table.play("first")
    return where


def printed(evening: Path, *words: str, code: int = 0) -> Any:
    ended = program(*words, "--journal", evening, "--json")
    assert ended.code == code
    return ended


def test_rounds_are_those_that_the_command_recalls(evening: Path) -> None:
    with croupier.open_journal(evening) as journal:
        assert journal.tables() == ("T1", "T2")
        found = journal.rounds()
        assert len(found) == 10
        told = [one.to_dict() for one in found]
        assert told == printed(evening, "recall").json["rounds"]
        of_one = journal.rounds("T1", player="ann", seat=1, limit=None)
        assert [one.round for one in of_one] == [5, 4, 3, 2, 1]
        assert len(journal.rounds(limit=3)) == 3
        hand = found[0].hands[0]
        assert {hand} <= set(journal.rounds(hand=hand)[0].hands)
        assert journal.rounds(until=datetime(2020, 1, 1)) == ()
        assert len(journal.rounds(since=datetime(2020, 1, 1, tzinfo=UTC))) == 10
        for asked in ({"table": "T9"}, {"hand": "five_aces"}):
            with pytest.raises(croupier.UnknownName):
                journal.rounds(**asked)  # type: ignore[arg-type]


def test_a_replay_is_the_commands(evening: Path) -> None:
    with croupier.open_journal(evening) as journal:
        for table in journal.tables():
            for number in range(1, 6):
                played = journal.replay(table, number)
                command = printed(evening, "replay", table, str(number))
                assert played.to_json() == command.text.rstrip("\n")
                assert played.settlement is not None
                assert played.is_over
        assert "no more bets" in str(played)
        assert "no more bets" in played._repr_html_()
        with pytest.raises(croupier.UnknownName):
            journal.replay("T9", 1)
        with pytest.raises(croupier.BadRequest, match="rounds 1 to 5"):
            journal.replay("T1", 6)


def test_a_whole_journal_is_valid(evening: Path) -> None:
    found = croupier.verify(evening)
    assert found
    assert found.valid
    assert found.rounds == 10
    assert found.to_json() == printed(evening, "verify").text.rstrip("\n")
    assert (found.verdict, found.gaps) == ("anchored", ())
    assert "Whole and anchored" in found._repr_html_()
    with croupier.open_journal(evening) as journal:
        assert croupier.verify(journal) == found


def test_a_changed_cent_is_found(evening: Path, tmp_path: Path) -> None:
    forged = tmp_path / "forged.db"
    with sqlite3.connect(evening) as source, sqlite3.connect(forged) as target:
        source.backup(target)
        for (guard,) in target.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            target.execute(f"DROP TRIGGER {guard}")
        unpack_bodies(target)
        forgery = "UPDATE entries SET body = replace(body, '10.00', '10.01') WHERE kind = ?"
        assert target.execute(forgery, ("place_wagers",)).rowcount
    source.close()
    target.close()
    found = croupier.verify(forged)
    assert not found
    assert "differs" in found._repr_html_()
    assert found.to_json() == printed(forged, "verify", code=1).text.rstrip("\n")


def test_a_journal_that_is_not_there_is_only_made_on_request(tmp_path: Path) -> None:
    with pytest.raises(croupier.BadRequest, match="no journal"):
        croupier.verify(tmp_path / "none.db")
    assert not list(tmp_path.iterdir())
    with croupier.open_journal(tmp_path / "new.db") as journal:
        assert journal.tables() == ()
        assert "no table yet" in repr(journal)
