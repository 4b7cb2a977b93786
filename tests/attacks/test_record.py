"""Whoever owns the database rewrites it, hashes and all: a checkpoint kept elsewhere tells."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

import croupier
from croupier.ledger.checkpoints import CHECKPOINTS, Checkpoint, take_checkpoint
from croupier.ledger.journal import open_journal
from croupier.ledger.kept_checkpoints import kept_checkpoints
from croupier.ledger.machine_key import MachineKey, machine_key
from croupier.ledger.reindex import reindex
from croupier.ledger.verify import Verification, verify
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.tables.commands import BuyIn, CashOut
from tests.commands.program import croupier as program
from tests.ledger.forgery import behind_our_back, change, rechain, replace_person

WAGERS = {"ante": 5, "blind": 5}


class Kept(NamedTuple):
    folder: Path
    early: Path
    """The journal as it was two rounds ago."""
    checkpoint: Checkpoint


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Two tables, refused attempts, requests; a checkpoint lies with the auditor."""
    folder = tmp_path_factory.mktemp("record")
    path, early = folder / "journal.db", folder / "early.db"
    with croupier.open_journal(path) as journal:
        tables = [journal.open_table("md-uth", name=name, seed=name) for name in ("one", "two")]
        for table in tables:
            table.sit("Annabella", 1, buy_in=500)
            table.play("random", WAGERS)
        journal.checkpoint()
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("VACUUM INTO ?", (str(early),))
        for table in tables:
            table.play("random", WAGERS)
            table.play("random", WAGERS)
        house = House(journal.ledger)
        house.do("one", BuyIn("Annabella", 2500), Actor("player", "Annabella"), "click-1")
        with pytest.raises(croupier.CroupierError):
            house.do("one", CashOut("Annabella", 99_000_000), Actor("player", "Annabella"))
        checkpoint = journal.checkpoint()
    assert checkpoint is not None
    return Kept(folder, early, checkpoint)


@pytest.fixture
def path(kept: Kept, tmp_path: Path) -> Path:
    return Path(shutil.copy(kept.folder / "journal.db", tmp_path / "journal.db"))


def verified(path: Path, *since: Checkpoint) -> Verification:
    with open_journal(path) as journal:
        return verify(journal, kept=since)


def messages(found: Verification) -> str:
    return "\n".join(f"{one.stream} {one.version}: {one.message}" for one in found.differences)


def forget_checkpoints(raw: sqlite3.Connection) -> None:
    """The signatures that nobody can forge are taken away."""
    raw.execute("DELETE FROM entries WHERE stream = 'checkpoints'")
    raw.execute("DELETE FROM snapshots WHERE stream = 'checkpoints'")


def cover_up(path: Path) -> None:
    with open_journal(path) as journal:
        reindex(journal, even_if_cut=True)


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


def test_the_tail_cut_with_its_index(path: Path, kept: Kept) -> None:
    with behind_our_back(path) as raw:
        (first,) = raw.execute(
            "SELECT max(first) FROM chapters WHERE stream = 'table:two'"
        ).fetchone()
        raw.execute("DELETE FROM entries WHERE stream = 'table:two' AND version >= ?", (first,))
    cover_up(path)
    assert "table:two was signed with" in messages(verified(path))
    with behind_our_back(path) as raw:
        forget_checkpoints(raw)
    assert verified(path).valid  # without anything from outside nobody can know
    assert "does not go on from the checkpoint" in messages(verified(path, kept.checkpoint))


def test_an_older_copy_restored(kept: Kept) -> None:
    assert verified(kept.early).valid
    found = verified(kept.early, kept.checkpoint)
    assert "an older copy was put in its place" in messages(found)


def test_a_table_deleted(path: Path, kept: Kept) -> None:
    with behind_our_back(path) as raw:
        raw.execute("DELETE FROM entries WHERE stream IN ('table:two', 'link:two')")
        for name in ("chapters", "marks", "requests", "snapshots"):
            raw.execute(f"DELETE FROM {name} WHERE stream IN ('table:two', 'link:two')")
    cover_up(path)
    assert "table:two was signed with" in messages(verified(path))
    with behind_our_back(path) as raw:
        forget_checkpoints(raw)
    assert not verified(path, kept.checkpoint).valid


def test_a_person_replaced_throughout_with_hashes_recomputed(path: Path, kept: Kept) -> None:
    replace_person(path, "Annabella", "Barbarina")
    cover_up(path)
    found = verified(path)
    assert [one.stream for one in found.differences if one.stream != CHECKPOINTS] == []
    assert "was signed over other entries" in messages(found)
    with behind_our_back(path) as raw:
        forget_checkpoints(raw)
    assert not verified(path, kept.checkpoint).valid


def test_a_back_dated_round_put_in(path: Path, kept: Kept) -> None:
    """Played by the rules on a copy of the journal, and dated to last year."""
    with croupier.open_journal(path) as journal:
        journal.table("one").play("random", WAGERS)
    with behind_our_back(path) as raw:
        raw.execute(
            "UPDATE entries SET at = '2025' || substr(at, 5) WHERE at > ? AND stream = 'table:one'",
            (kept.checkpoint.at,),
        )
        rechain(raw, "table:one")
        raw.execute(
            f"DELETE FROM entries WHERE stream='checkpoints' AND at > '{kept.checkpoint.at}'"
        )
    cover_up(path)
    found = verified(path)
    assert "it is dated 2025-" in messages(found)
    assert "but came after the checkpoint of" in messages(found)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM requests",
        "INSERT INTO requests VALUES ('table:one', 'player Annabella:never', 3, 3)",
        "UPDATE requests SET first = first - 1",
    ],
)
def test_request_rows_deleted_or_invented(path: Path, statement: str) -> None:
    with behind_our_back(path) as raw:
        raw.execute(statement)
    assert "request" in messages(verified(path))


def test_attempts_deleted(path: Path, kept: Kept) -> None:
    with behind_our_back(path) as raw:
        raw.execute("DELETE FROM entries WHERE stream LIKE 'attempts:%'")
    assert "attempts:one was signed with 1 entries and is gone" in messages(verified(path))
    with behind_our_back(path) as raw:
        forget_checkpoints(raw)
    assert verified(path).valid
    assert not verified(path, kept.checkpoint).valid


# -- signatures -----------------------------------------------------------------------------------


def test_everything_signed_anew_with_another_key(path: Path, kept: Kept) -> None:
    replace_person(path, "Annabella", "Barbarina")
    with behind_our_back(path) as raw:
        forget_checkpoints(raw)
    cover_up(path)
    with open_journal(path) as journal:
        take_checkpoint(journal, MachineKey(b"x" * 32))
        assert verify(journal).valid
        found = verify(journal, keys=[machine_key().public])
        assert "which nobody named" in messages(found)
        assert not verify(journal, kept=[kept.checkpoint]).valid


@pytest.mark.parametrize("field", ["size", "root", "at", "signature"])
def test_a_checkpoint_that_was_changed_is_not_signed(path: Path, field: str, kept: Kept) -> None:
    value = str(getattr(kept.checkpoint, field))
    with behind_our_back(path) as raw:
        (last,) = raw.execute(
            "SELECT max(version) FROM entries WHERE stream = 'checkpoints'"
        ).fetchone()
        change(raw, "checkpoints", last, value, value[:-1] + ("1" if value[-1] != "1" else "2"))
        rechain(raw, "checkpoints")
    assert "is not signed by its key" in messages(verified(path))


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
    assert "this is no proof" in program("verify", "--proof", proof, *key).err
