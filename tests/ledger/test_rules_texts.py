"""Rules travel with the record: a journal is played again by its own rulebook."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import croupier
from croupier.ledger.journal import open_journal
from croupier.ledger.records.table_entries import table_record
from croupier.ledger.rules_texts import RULES, rules_text
from croupier.ledger.verification.verify import verify
from croupier.rulebooks import kept_rules
from croupier.rulebooks.rules import rules_for
from croupier.tables.events import TableOpened
from tests.ledger.forgery import behind_our_back, change, rechain

WAGERS = {"ante": 5, "blind": 5}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.db"
    with croupier.open_journal(path) as journal:
        for name in ("one", "two"):
            table = journal.open_table("md-uth", name=name, seed=3)
            table.sit("Ann", 1, buy_in=500)
            table.play("random", WAGERS)
    return path


@pytest.fixture
def next_release(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program whose own md-uth says something else, and which must not be asked."""
    assert path.exists()
    today = kept_rules.todays_rules("md-uth")
    later = replace(today, text=today.text + "\n# another release\n")
    monkeypatch.setattr(kept_rules, "todays_rules", lambda _: later)
    monkeypatch.setattr(kept_rules, "load_rulebook", lambda _: pytest.fail("today's rules"))
    monkeypatch.setattr(kept_rules, "_KEPT", {})
    rules_for.cache_clear()


def test_the_journal_has_the_rulebook_once_with_its_hash_and_the_version(path: Path) -> None:
    with open_journal(path) as journal:
        (kept,) = map(rules_text, journal.read(RULES))
        assert kept == kept_rules.todays_rules("md-uth")
        for name in ("one", "two"):
            (opened,) = table_record(next(journal.read(f"table:{name}"))).events
            assert isinstance(opened, TableOpened)
            assert opened.rulebook_text == f"sha256:{kept.hash}"
            assert opened.program == croupier.__version__


@pytest.mark.usefixtures("next_release")
def test_another_release_plays_it_again_and_on_by_the_journals_own_rules(path: Path) -> None:
    with croupier.open_journal(path) as journal:
        assert journal.verify().valid
        journal.table("one").play("random", WAGERS)
        assert journal.verify().valid


@pytest.mark.usefixtures("next_release")
def test_a_rulebook_that_was_changed_in_the_journal_is_told(path: Path) -> None:
    with behind_our_back(path) as raw:
        change(raw, RULES, 1, "Ultimate", "Utterly")
        rechain(raw, RULES)
    with open_journal(path) as journal:
        found = verify(journal)
    assert "is not in this journal" in found.differences[0].message
    assert "was signed over other entries" in found.differences[-1].message
