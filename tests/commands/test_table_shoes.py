"""`croupier table shoe`: tokens are made, listed and revoked by an operator."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.ledger.journal import open_journal
from croupier.web.tables.shoes import Shoes
from tests.commands.program import croupier

OLA = ("--as", "operator:Ola")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    ran = croupier("table", "open", "md-uth", "--name", "T1", *OLA, "--journal", path)
    assert ran.code == 0, ran
    return path


def test_a_token_is_shown_once_and_revoked(journal: Path) -> None:
    where = ("--journal", journal)
    made = croupier("table", "shoe", "add", "T1", "S-17", *OLA, *where)
    assert made.code == 0, made
    token = made.text.splitlines()[0]
    with open_journal(journal) as store:
        shoe = Shoes(store).find(token)
        assert shoe is not None
        assert (shoe.table, shoe.name, shoe.made_by) == ("T1", "S-17", "Ola")
    listed = croupier("table", "shoe", "list", "T1", *where, "--json")
    assert [one["name"] for one in listed.json["shoes"]] == ["S-17"]
    assert token not in listed.text
    assert "S-17" in croupier("table", "shoe", "list", "T1", *where).text
    gone = croupier("table", "shoe", "revoke", "T1", "S-17", *OLA, *where)
    assert gone.code == 0, gone
    again = croupier("table", "shoe", "revoke", "T1", "S-17", *OLA, *where)
    assert (again.code, "has no shoe" in again.err) == (1, True)
    with open_journal(journal) as store:
        assert Shoes(store).find(token) is None


@pytest.mark.parametrize("words", [("add", "T1", "S-17"), ("revoke", "T1", "S-17")])
def test_only_an_operator_keeps_tokens(journal: Path, words: tuple[str, ...]) -> None:
    ran = croupier("table", "shoe", *words, "--as", "dealer:Dan", "--journal", journal, "--json")
    assert ran.code == 1
    assert ran.error["code"] == "wrong_role"


def test_a_table_that_is_not_there_has_no_shoe(journal: Path) -> None:
    ran = croupier("table", "shoe", "list", "T2", "--journal", journal)
    assert (ran.code, "T1" in ran.err) == (2, True)
    odd = croupier("table", "shoe", "add", "T1", "a:b", *OLA, "--journal", journal)
    assert (odd.code, "cannot be a shoe's name" in odd.err) == (2, True)
