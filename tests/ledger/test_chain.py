"""Tampering is found, at the right entry; and the chain can be computed without us."""

from __future__ import annotations

import hashlib
import random
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import CroupierError
from croupier.ledger.entries import Addition, Entry, NewEntry, StreamHead, Transfer
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.signatures.chain import GENESIS, ChainBroken, check_chain, hash_of, hashed_text
from croupier.ledger.verification.checks import BalanceWrong, check_balances, check_streams
from tests.ledger.forgery import unpack_bodies
from tests.ledger.samples import NOON, fill

Execute = Callable[[str], None]


@contextmanager
def raw(url: str, *, triggers: bool = False) -> Iterator[Execute]:
    """The database without us; its triggers are dropped unless they are what is tested."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as lite:
            if not triggers:
                names = lite.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
                for (name,) in names.fetchall():
                    lite.execute(f"DROP TRIGGER {name}")
                unpack_bodies(lite)
            yield lambda statement: (None, lite.execute(statement))[0]
        return
    with psycopg.connect(url, autocommit=True) as connection:
        if not triggers:
            connection.execute("ALTER TABLE entries DISABLE TRIGGER ALL")
            connection.execute("ALTER TABLE requests DISABLE TRIGGER ALL")
        yield lambda statement: (None, connection.execute(statement))[0]


CHANGES = {
    "at": "at = '2026-11-15T12:00:00.000001Z'",
    "kind": "kind = 'paid'",
    "body": "body = replace(body, '1', '2') || ' '",
    "transfers": 'transfers = \'[["player:ann","house",1]]\'',
    "no transfers": "transfers = '[]'",
    "spaces in transfers": "transfers = replace(transfers, ',', ', ')",
    "no JSON in transfers": "transfers = 'nothing'",
    "another form of transfers": "transfers = '[[1,2,3]]'",
    "hash": "hash = replace(hash, substr(hash, 1, 1), 'z')",
    "version": "version = 1000",
    "stream": "stream = 'table/2'",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("version", [1, 5, 10])
def test_any_change_is_found_where_it_is(
    url: str, store: Journal, change: str, version: int
) -> None:
    fill(store, count=10)
    with raw(url) as execute:
        execute(f"UPDATE entries SET {CHANGES[change]} WHERE version = {version}")
    if change == "stream" and version == 10:
        # The tail of one stream is gone, but the entry turns up where nothing comes before it.
        with pytest.raises(ChainBroken) as caught:
            check_streams(store)
        assert (caught.value.stream, caught.value.version) == ("table/2", 1)
        return
    if change != "stream":
        with pytest.raises(ChainBroken):
            list(store.read("table/1"))
    with pytest.raises(ChainBroken) as caught:
        check_chain(store.as_stored().read("table/1"))
    assert (caught.value.stream, caught.value.version) == ("table/1", version)
    assert f"table/1, entry {version}:" in str(caught.value)


@pytest.mark.parametrize("version", [1, 4, 9])
def test_a_deleted_entry_is_missed(url: str, store: Journal, version: int) -> None:
    fill(store, count=10)
    with raw(url) as execute:
        execute(f"DELETE FROM entries WHERE version = {version}")
    with pytest.raises(ChainBroken, match="it is missing") as caught:
        check_chain(store.read("table/1"))
    assert caught.value.version == version


def test_a_tail_cut_off_is_missed_where_anything_speaks_of_it(url: str, store: Journal) -> None:
    head = fill(store, count=10)
    new = Addition("table/1", 10, (NewEntry("noted", b"{}"),), snapshot=b"state")
    store.add(new, at=NOON)
    with raw(url) as execute:
        execute("DELETE FROM entries WHERE version = 11")
    assert check_chain(store.read("table/1")) == head  # the chain alone cannot know
    with pytest.raises(ChainBroken, match="snapshots of the stream speak of entry 11") as caught:
        check_streams(store)
    assert caught.value.version == 11


def test_entries_changing_places_are_found(store: Journal) -> None:
    fill(store, count=5)
    entries = list(store.read("table/1"))
    entries[2], entries[3] = entries[3], entries[2]
    with pytest.raises(ChainBroken) as caught:
        check_chain(entries)
    assert caught.value.version == 3


def test_a_rewritten_history_does_not_fit_a_head_kept_elsewhere(store: Journal) -> None:
    kept = fill(store, count=5)
    forged, previous = [], GENESIS
    for one in store.read("table/1"):
        previous = hash_of(previous, one.stream, one.version, one.at, "forged", one.body, ())
        forged.append(Entry(one.stream, one.version, one.at, "forged", one.body, (), previous))
    assert check_chain(forged) != kept


def test_a_wrong_balance_is_named(url: str, store: Journal) -> None:
    fill(store, count=5)
    with raw(url) as execute:
        execute("UPDATE balances SET cents = cents + 1 WHERE account = 'player:ann'")
    with pytest.raises(BalanceWrong) as caught:
        check_balances(store)
    assert caught.value.account == "player:ann"
    assert caught.value.stored_cents == caught.value.journal_cents + 1


FORBIDDEN = [
    "UPDATE entries SET body = '{}' WHERE version = 2",
    "DELETE FROM entries WHERE version = 3",
    "UPDATE requests SET last = 9",
    "DELETE FROM requests",
]
IN_SQLITE = [
    "INSERT OR REPLACE INTO entries"
    " SELECT stream, version, at, 'forged', body, transfers, hash, mac FROM entries"
    " WHERE version = 2",
    "INSERT OR REPLACE INTO requests SELECT stream, request, 1, 1 FROM requests",
    "UPDATE OR REPLACE entries SET version = 1 WHERE version = 2",
    "INSERT INTO entries"
    " SELECT stream, 99, at, kind, body, transfers, hash, mac FROM entries LIMIT 1",
]
IN_POSTGRES = [
    "TRUNCATE entries",
    "INSERT INTO entries SELECT * FROM entries WHERE version = 2"
    " ON CONFLICT (stream, version) DO UPDATE SET kind = 'forged'",
]


def test_the_database_itself_refuses_changes(url: str, store: Journal) -> None:
    new = (NewEntry("noted", b"{}", (Transfer("a", "b", 1),)),)
    store.add(Addition("table/1", 0, new * 3, request="one"), at=NOON)
    before = list(store.read("table/1")), store.answered("table/1", "one")
    with raw(url, triggers=True) as execute:
        for statement in FORBIDDEN + (IN_SQLITE if url.startswith("sqlite") else IN_POSTGRES):
            with pytest.raises((sqlite3.Error, psycopg.Error), match="append-only"):
                execute(statement)
    assert (list(store.read("table/1")), store.answered("table/1", "one")) == before


def test_the_hash_by_hand(store: Journal) -> None:
    """As docs/ledger.md says it: length, colon, field, line feed."""
    entry = store.add(
        Addition("table/1", 0, (NewEntry("bet", '{"é":1}'.encode(), (Transfer("a", "ü", 5),)),)),
        at=NOON,
    )[0]
    text = (
        f"64:{'0' * 64}\n7:table/1\n1:1\n27:2026-11-15T12:00:00.000000Z\n3:bet\n"
        '8:{"é":1}\n14:[["a","ü",5]]\n'
    ).encode()
    assert hashed_text(GENESIS, *_fields(entry)) == text
    assert entry.hash == hashlib.sha256(text).hexdigest()


def _fields(entry: Entry) -> tuple[str, int, str, str, bytes, tuple[Transfer, ...]]:
    return (entry.stream, entry.version, entry.at, entry.kind, entry.body, entry.transfers)


def _in_docs() -> str:
    docs = Path(__file__).parents[2] / "docs" / "ledger.md"
    found = re.search(r"```sql\n(SELECT '64:'.*?)```", docs.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def test_the_recipe_in_the_docs_gives_the_stored_hashes(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.db") as store:
        fill(store, count=4)
        hashes = [entry.hash for entry in store.read("table/1")]
    with closing(sqlite3.connect(tmp_path / "journal.db")) as raw_file:
        texts = [text for (text,) in raw_file.execute(_in_docs())]
    assert [hashlib.sha256(text.encode()).hexdigest() for text in texts] == hashes
    if program := shutil.which("sha256sum"):
        told = subprocess.run([program], input=texts[0].encode(), capture_output=True, check=True)
        assert told.stdout.decode().split()[0] == hashes[0]


def test_postings_are_a_view(url: str, store: Journal) -> None:
    fill(store, count=3)
    query = "SELECT stream, version, line, source, target, cents FROM postings ORDER BY version"
    rows: list[tuple[object, ...]]
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as lite:
            rows = lite.execute(query).fetchall()
    else:
        with psycopg.connect(url) as connection:
            rows = connection.execute(query).fetchall()
    assert rows == [("table/1", n + 1, 0, "player:ann", "house", 100 + n) for n in range(3)]


_text = st.text(max_size=6)
_entries = st.tuples(
    _text,
    st.integers(1, 1000),
    _text,
    _text,
    st.binary(max_size=6),
    st.lists(st.builds(Transfer, _text, _text, st.integers(1, 99)), max_size=2).map(tuple),
)


@given(_entries, _entries)
def test_different_entries_have_different_texts(one: tuple, other: tuple) -> None:  # type: ignore[type-arg]
    assert (hashed_text(GENESIS, *one) == hashed_text(GENESIS, *other)) == (one == other)


def test_random_bits_of_a_file_never_pass(tmp_path: Path) -> None:
    """Whatever sectors of the closed file are spoilt: either nothing of the journal, or noticed."""
    file = tmp_path / "journal.db"
    with open_journal(file) as store:
        head = fill(store, count=30)
        before = list(store.read("table/1"))
    whole = file.read_bytes()
    chance = random.Random(4)
    for _ in range(30):
        spoilt = bytearray(whole)
        spoilt[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        file.write_bytes(spoilt)
        try:
            with open_journal(file) as store:
                found = list(store.read("table/1"))
                same = check_chain(found) == head
        except CroupierError:
            continue
        assert not same or found == before
        assert found == before[: len(found)]


def test_an_empty_chain() -> None:
    assert check_chain([]) == StreamHead(0, GENESIS)
