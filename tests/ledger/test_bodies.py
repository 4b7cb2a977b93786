"""Bodies of entries in SQLite: compressed, read again byte for byte, and never a way in."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from croupier.ledger import stores
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.journal import open_journal
from croupier.ledger.signatures.chain import ChainBroken
from croupier.ledger.stores import bodies
from croupier.ledger.stores.bodies import SHORT, packed, text_of, unpacked
from croupier.ledger.verification.verify import verify
from tests.ledger.forgery import behind_our_back
from tests.ledger.kept_journals import TABLES, restore
from tests.ledger.samples import NOON

DICTIONARY = "f370a41a9864d8cab7de95a8a33e0bb46eef5826257ef8503652a56ce7292b77"
LONG = b'{"type":"seat_settled","seat":3,"player":"player 3","lines":[]}' * 12


def test_the_dictionary_never_changes() -> None:
    """What was compressed with it could not be read any more."""
    phrases = files(stores).joinpath("bodies-1.txt").read_bytes()
    assert sha256(phrases).hexdigest() == DICTIONARY


@given(some.text(some.characters(exclude_characters="\0", codec="utf-8"), max_size=2000))
def test_every_text_comes_back(text: str) -> None:
    stored = packed(text.encode())
    assert text_of(stored) == text
    assert isinstance(stored, str) == (len(text.encode()) < SHORT)


@pytest.mark.parametrize(
    "stored",
    [
        b"",
        b"\x01",
        b"\x02" + packed(LONG)[1:],  # type: ignore[operator]
        packed(LONG)[:-1],
        packed(LONG) + b"\0",  # type: ignore[operator]
        zlib.compress(LONG),
        b"\x01\xff\xff",
    ],
)
def test_nothing_else_is_a_body(stored: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpacked(stored)


def test_a_forged_body_does_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = packed(b"0" * 100_000)
    assert isinstance(stored, bytes)
    monkeypatch.setattr(bodies, "MOST_BYTES", 50_000)
    with pytest.raises(ValueError, match="not a compressed body"):
        unpacked(stored)


def test_long_bodies_take_less_than_half(tmp_path: Path) -> None:
    source = restore(tmp_path / "old.db", TABLES)
    with closing(sqlite3.connect(source)) as raw:
        texts = [body.encode() for (body,) in raw.execute("SELECT body FROM entries")]
    assert all(text_of(packed(text)).encode() == text for text in texts)
    long = [text for text in texts if len(text) >= SHORT]
    assert len(long) > 500
    assert sum(map(len, long)) > 2 * sum(len(packed(text)) for text in long)


def test_a_damaged_body_is_a_difference_of_its_entry(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path) as journal:
        journal.add(Addition("notes", 0, (NewEntry("noted", LONG),) * 3), at=NOON)
        assert [entry.body for entry in journal.read("notes")] == [LONG] * 3
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT DISTINCT typeof(body) FROM entries").fetchall() == [("blob",)]
    with behind_our_back(path) as raw:
        raw.execute("UPDATE entries SET body = x'010203' WHERE version = 2")
    with open_journal(path) as journal:
        with pytest.raises(ChainBroken, match="cannot be read"):
            list(journal.read("notes"))
        assert [(one.stream, one.version) for one in verify(journal).differences] == [("notes", 2)]
