"""The signed past: checkpoints kept elsewhere, and proofs. What each shows: test_forgeries.py."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from croupier.ledger.checkpoints.checkpoints import Checkpoint, take_checkpoint
from croupier.ledger.checkpoints.kept import kept_checkpoints
from croupier.ledger.journal import open_journal
from croupier.ledger.signatures.machine_key import MachineKey, machine_key
from croupier.ledger.verification.verify import Verification, verify
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.tables.commands import BuyIn
from tests.attacks.forgeries import Kept, make_journal
from tests.commands.program import croupier as program


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return make_journal(tmp_path_factory.mktemp("record"))


@pytest.fixture
def path(kept: Kept, tmp_path: Path) -> Path:
    return Path(shutil.copy(kept.path, tmp_path / "journal.db"))


def verified(path: Path, *since: Checkpoint) -> Verification:
    with open_journal(path) as journal:
        return verify(journal, kept=since)


def messages(found: Verification) -> str:
    return "\n".join(f"{one.stream} {one.version}: {one.message}" for one in found.differences)


def test_a_journal_that_has_grown_goes_on_from_its_checkpoint(path: Path, kept: Kept) -> None:
    found = verified(path, kept.checkpoint)
    assert found.valid, messages(found)
    assert found.signed.size == kept.checkpoint.size
    with open_journal(path) as journal:
        House(journal).do("one", BuyIn("Annabella", 100), Actor("player", "Annabella"))
        later = take_checkpoint(journal, machine_key())
        assert later is not None
        assert later.size == kept.checkpoint.size + 1
        assert verify(journal, kept=[kept.checkpoint, later]).valid


def test_an_entry_dated_after_the_checkpoint_that_covers_it(path: Path) -> None:
    """Both lie in the past by now: only their order shows it."""
    now = datetime.now(UTC)
    with open_journal(path) as journal:
        house = House(journal, clock=lambda: now + timedelta(minutes=5))
        house.do("one", BuyIn("Annabella", 100), Actor("player", "Annabella"))
        take_checkpoint(journal, machine_key(), now)
        found = verify(journal, now=now + timedelta(days=1))
    assert len(found.differences) == 1, messages(found)
    assert "but was signed at" in messages(found)


def test_clocks_that_differ_by_seconds_are_no_difference(path: Path) -> None:
    now = datetime.now(UTC)
    with open_journal(path) as journal:
        house = House(journal, clock=lambda: now + timedelta(seconds=20))
        house.do("one", BuyIn("Annabella", 100), Actor("player", "Annabella"))
        take_checkpoint(journal, machine_key(), now)
        assert verify(journal, now=now).verdict == "anchored"


# -- the command line -----------------------------------------------------------------------------


def test_checkpoints_are_kept_elsewhere_and_verify_goes_on_from_them(
    path: Path, tmp_path: Path, kept: Kept
) -> None:
    file, folder = tmp_path / "kept.jsonl", tmp_path / "kept"
    folder.mkdir()
    for place in (file, folder, file):
        assert program("checkpoint", "--journal", path, "--to", place).code == 0
    assert kept_checkpoints(str(file)) == kept_checkpoints(str(folder)) == (kept.checkpoint,)
    for place in (file, folder):
        assert program("verify", "--journal", path, "--since", place).code == 0
    ended = program("verify", "--journal", kept.early, "--since", file, "--json")
    assert ended.code == 1
    assert ended.json["valid"] is False


def test_a_proof_shows_a_round_without_the_journal(path: Path, tmp_path: Path, kept: Kept) -> None:
    proof = tmp_path / "proof.json"
    assert program("prove", "two", "2", "--journal", path, "--to", proof).code == 0
    path.unlink()
    key = ("--key", kept.checkpoint.key)
    ended = program("verify", "--proof", proof, *key, "--json")
    assert (ended.code, ended.json["table"], ended.json["round"]) == (0, "two", 2)
    assert ended.json["deck"]["dealt"] > 0, "its deck is computed again"
    assert "the deck sealed before the bets" in program("verify", "--proof", proof, *key).text
    other = MachineKey(b"y" * 32).public
    assert program("verify", "--proof", proof, "--key", other).code == 1
    assert program("verify", "--proof", proof).code == 2
    text = proof.read_text()
    for old, new in (
        ('"round":2', '"round":1'),
        ("Annabella", "Barbarina"),
        ('"place":', '"place":1'),
    ):
        proof.write_text(text.replace(old, new, 1))
        assert program("verify", "--proof", proof, *key).code == 1, old
    proof.write_text("{}")
    assert "this is not a proof" in program("verify", "--proof", proof, *key).err
