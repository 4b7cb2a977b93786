"""`croupier serve --submission` and `--rules`: one table at once, or the findings and exit 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.commands.serve import open_served_table
from croupier.ledger.journal import open_journal
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.tables.commands import ChangeLimits, CloseTable
from tests.commands.program import EXAMPLES, croupier

SUBMISSION = EXAMPLES / "submissions/maryland-uth.toml"
FLO = Actor("floorperson", "Flo")


def test_a_submission_opens_its_table_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_journal(tmp_path / "journal.db") as store:
        assert open_served_table(store, str(SUBMISSION))
        (name,) = House(store).tables()
        house = House(store)
        assert house.table(name).is_open
        assert house.table(name).strict
        house.do(name, ChangeLimits({"ante": 2_000}), FLO)
        assert open_served_table(store, str(SUBMISSION)), "it is open already"
        house.do(name, CloseTable(), FLO)
        assert open_served_table(store, str(SUBMISSION)), "and opens again"
        other = tmp_path / SUBMISSION.name
        other.write_text(
            SUBMISSION.read_text("utf-8").replace("adjacent_boxes = 2", "adjacent_boxes = 3"),
            "utf-8",
        )
        assert not open_served_table(store, str(other))
        assert "is open on other terms: close it first" in capsys.readouterr().err


def test_a_rulebook_opens_a_table_of_its_name(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.db") as store:
        assert open_served_table(store, "md-235")
        assert open_served_table(store, str(EXAMPLES / "harbour-holdem.toml"))
        assert set(House(store).tables()) == {"md-235", "harbour-holdem"}


def test_a_submission_that_breaks_a_rule_serves_nothing(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text(SUBMISSION.read_text("utf-8").replace('"C"', '"Z"'), "utf-8")
    words = ("serve", "--no-demo", "--port", "0", "--database", tmp_path / "journal.db")
    ran = croupier(*words, "--submission", bad)
    assert ran.code == 1
    assert "error [12.D(1)] unknown paytable for 'progressive' 'Z'" in ran.text
