"""`verify` of anything that is not a journal says what it is, and leaves it as it was."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import croupier as library
from croupier.errors import BadRequest
from croupier.ledger.journal import open_journal
from croupier.ledger.stores.sqlite import APPLICATION_ID
from tests.commands.program import EXAMPLES, croupier


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("journal") / "journal.db"
    with library.open_journal(path) as found:
        table = found.open_table("md-uth", name="one", seed=1)
        table.sit("Ann", 1, buy_in=500)
        table.play("random", {"ante": 5, "blind": 5})
    return path


def told(path: Path) -> str:
    before = path.read_bytes() if path.is_file() else b""
    ended = croupier("verify", "--journal", path)
    assert ended.code == 2
    assert (path.read_bytes() if path.is_file() else b"") == before
    assert [one.name for one in path.parent.glob(f"{path.name}-*")] == []
    return ended.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "an empty file"),
        (b"   \n", "a file of blanks"),
        (b"hello\n", "but text"),
        (b'{"a": 1}', "but JSON"),
        (b"\x00\x01\x02" * 100, "no program of ours wrote"),
        (b"\xff\xfe\x00" * 100, "no program of ours wrote"),
        (gzip.compress(b"x", mtime=0), "compressed (gzip)"),
        (b"%PDF-1.7", "a PDF"),
        (b'{"stream":"table:one","version":1,"hash":"00"}\n', "an export"),
        (b'{"size":1,"root":"0","at":"","key":"","signature":""}\n', "--since"),
        (b'rulebook = "md-uth"\n', "TOML"),
        (("ü" * 3000).encode(), "but text"),
    ],
)
def test_a_file_that_is_no_journal(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert said in told(path)


def test_what_croupier_itself_wrote(tmp_path: Path, journal: Path) -> None:
    proof = tmp_path / "proof.json"
    assert croupier("prove", "one", "1", "--journal", journal, "--to", proof).code == 0
    assert "a proof of a round" in told(proof)
    export = tmp_path / "export.jsonl"
    assert croupier("export", "--journal", journal, "--to", export).code == 0
    assert "an export of a journal" in told(export)
    assert "it has journal.db" in told(journal.parent)
    assert any("TOML" in told(one) for one in EXAMPLES.rglob("*.toml"))


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE guests (name TEXT)")
    assert "another program: it has tables guests" in told(path)


FORM_1 = """
PRAGMA application_id = {application_id};
PRAGMA journal_mode = WAL;
CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL);
CREATE TABLE events (stream TEXT, version INTEGER, at TEXT, kind TEXT, body TEXT, hash TEXT);
INSERT INTO migrations VALUES (1, 'journal, requests, chapters, balances, snapshots', '');
"""


@pytest.mark.parametrize("entries", [0, 1])
def test_a_journal_of_form_1(tmp_path: Path, entries: int) -> None:
    """No release wrote one. Neither reading nor writing touches it, even when it is empty."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(FORM_1.format(application_id=APPLICATION_ID))
        raw.executemany("INSERT INTO events DEFAULT VALUES", [()] * entries)
        raw.commit()
    assert "this program reads journals from form 3 on; nothing was touched" in told(path)
    before = path.read_bytes()
    with pytest.raises(BadRequest, match="has form 1, which no release wrote") as refused:
        open_journal(path)
    assert refused.value.code == "old_journal"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "table",
    ["id INTEGER, migration TEXT", "version INTEGER, name TEXT, applied_at TEXT"],
)
def test_the_migrations_of_another_program(tmp_path: Path, table: str) -> None:
    """Many programs have a table of that name."""
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"CREATE TABLE migrations ({table})")
    assert "another program: it has tables migrations" in told(path)
    with pytest.raises(BadRequest, match="another program: it has tables migrations"):
        open_journal(path)


def test_read_only_media(tmp_path: Path, journal: Path) -> None:
    """Nothing is written: not the file, and nothing beside it."""
    copy = tmp_path / "journal.db"
    copy.write_bytes(journal.read_bytes())
    stamp = copy.stat().st_mtime_ns
    ended = croupier("verify", "--journal", copy, "--read-only", "--json")
    assert (ended.code, ended.json["valid"], ended.json["rounds"]) == (0, True, 1)
    assert copy.stat().st_mtime_ns == stamp
    assert [one.name for one in tmp_path.iterdir()] == ["journal.db"]


def test_read_only_media_with_what_was_not_yet_moved_into_the_file(tmp_path: Path) -> None:
    """A copy taken while the journal was in use has a second file, and that counts."""
    path, folder = tmp_path / "journal.db", tmp_path / "copy"
    folder.mkdir()
    with library.open_journal(path) as found:
        table = found.open_table("md-uth", name="one", seed=1)
        table.sit("Ann", 1, buy_in=500)
        table.play("random", {"ante": 5, "blind": 5})
        for name in ("journal.db", "journal.db-wal"):
            (folder / name).write_bytes((tmp_path / name).read_bytes())
    before = {one.name: one.read_bytes() for one in folder.iterdir()}
    ended = croupier("verify", "--journal", folder / "journal.db", "--read-only", "--json")
    assert (ended.code, ended.json["rounds"]) == (3, 1), "it was signed when it was closed"
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == before
