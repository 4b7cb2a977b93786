"""The audit finds what was changed, at the entry where it was changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from croupier.ledger.entries import Entry, Transfer
from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.signatures.chain import GENESIS, hash_of
from croupier.ledger.signatures.sealing import sealed_part, sealed_text
from croupier.ledger.verification.verify import verify
from croupier.randomness.shuffling import Seeded
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.runtime.house import House
from tests.params import few
from tests.tables.dealing_school import open_table, play


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audit") / "journal.db"
    with open_journal(path) as store:
        house = House(store, draw=Seeded(7))
        open_table(house, "T1", "md-uth", players=3)
        for _ in play(house, "T1", 25, Random(1)):
            pass
    return path


@pytest.fixture
def copy(journal: Path, tmp_path: Path) -> Path:
    target = tmp_path / "copy.db"
    with sqlite3.connect(journal) as source, sqlite3.connect(target) as kept:
        source.backup(kept)
    kept.close()
    source.close()
    return target


@pytest.mark.parametrize("rulebook", few(DOCUMENTS, "md-jackpot", "md-235"))
def test_a_journal_as_it_was_written_is_whole(rulebook: str, tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store, draw=Seeded(rulebook))
        open_table(house, "T1", rulebook, players=3)
        for _ in play(house, "T1", 22, Random(3)):
            pass
        found = verify(store)
        assert found.valid, found.differences
        assert found.rounds == 22
        assert found.entries == sum(store.head(stream).version for stream in store.streams())


def test_a_round_in_play_is_whole_too(tmp_path: Path) -> None:
    with open_journal(tmp_path / "journal.db") as store:
        house = House(store, draw=Seeded(1))
        open_table(house, "T1", "md-wpt")
        for _ in play(house, "T1", 1, Random(3)):
            assert verify(store).valid


def test_a_clock_that_jumps_changes_nothing(tmp_path: Path) -> None:
    times = iter(range(100_000))
    draw = Random(5)

    def clock() -> datetime:
        jump = timedelta(hours=draw.randint(-30, 30), seconds=next(times))
        return datetime(2026, 11, 15, tzinfo=UTC) + jump

    with open_journal(tmp_path / "journal.db") as store:
        house = House(store, clock=clock, draw=Seeded(1))
        open_table(house, "T1", "md-uth")
        for _ in play(house, "T1", 5, Random(3)):
            pass
        assert verify(store).valid
        assert [c.number for c in store.chapters("table:T1", newest_first=False)] == [1, 2, 3, 4, 5]


def _rewrite(path: Path, change: Callable[[Entry], Entry], kind: str) -> int:
    """Change an entry of this kind and hash everything after it anew: the work of an insider, who
    has the key of every round that is over."""
    with open_journal(path) as store:
        entries = list(store.read("table:T1"))
        places = [place for place, entry in enumerate(entries) if entry.kind == kind]
        place = places[len(places) // 2]
        entries[place] = _sealed_again(store, entries[place], change(entries[place]))
    base = sqlite3.connect(path)
    for (trigger,) in base.execute(
        "select name from sqlite_master where type = 'trigger'"
    ).fetchall():
        base.execute(f'drop trigger "{trigger}"')
    previous = GENESIS
    for entry in entries:
        previous = hash_of(
            previous,
            entry.stream,
            entry.version,
            entry.at,
            entry.kind,
            entry.text,
            entry.transfers,
        )
        body = entry.text.decode()
        transfers = "[" + ",".join(_text(transfer) for transfer in entry.transfers) + "]"
        base.execute(
            "update entries set body = ?, transfers = ?, hash = ? where stream = ? and version = ?",
            (body, transfers, previous, entry.stream, entry.version),
        )
    base.commit()
    base.close()
    return entries[place].version


def _sealed_again(store: Journal, before: Entry, after: Entry) -> Entry:
    if not before.stored:
        return after
    part = sealed_part(before.stored)
    key = store.keys.key(before.stream, part.round, part.of)
    assert key is not None
    sealed = sealed_text(key, before.stream, before.version, after.body)
    stored = before.stored.replace(part.sealed.encode(), sealed.encode())
    return replace(after, stored=stored)


def _text(transfer: Transfer) -> str:
    return f'["{transfer.source}","{transfer.target}",{transfer.cents}]'


def _with_body(old: str, new: str) -> Callable[[Entry], Entry]:
    def change(entry: Entry) -> Entry:
        body = entry.body.decode()
        assert old in body, body
        return Entry(
            entry.stream,
            entry.version,
            entry.at,
            entry.kind,
            body.replace(old, new, 1).encode(),
            entry.transfers,
            entry.hash,
        )

    return change


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("settle", '"net":', '"net":1'),
        ("settle", '"clause":"', '"clause":"9'),
        ("settle", ',"followed":', ',"meters":{"main":1},"followed":'),
        ("place_wagers", '"ante":1000', '"ante":2000'),
        ("place_wagers", '"ante":"10.00"', '"ante":"20.00"'),
        ("count_chips", '"chips":3', '"chips":2'),
        ("reveal", '"community":[', '"community":["As"'),
        ("show_dealer", '"qualifies":', '"qualifies":false,"ignored":'),
        ("open_betting", '"salt":"', '"salt":"00'),
        ("open_betting", '"inventory":', '"inventory":1'),
        ("collect", '"pile":["', '"pile":["As","'),
        ("collect", ',"followed":', ',"meters":{"main":1},"followed":'),
        ("buy_in", "5000.00", "4000.00"),
        ("act", '"by":{"role":"player","name":"p', '"by":{"role":"player","name":"q'),
        ("close_bets", '"by":{"role":"dealer"', '"by":{"role":"player"'),
    ],
)
def test_an_insider_who_rewrites_the_chain_is_found_by_the_rules(
    copy: Path, kind: str, old: str, new: str
) -> None:
    version = _rewrite(copy, _with_body(old, new), kind)
    with open_journal(copy) as store:
        found = verify(store)
    assert not found.valid
    first = next(d for d in found.differences if d.stream == "table:T1")
    assert first.version == version, first


def test_a_changed_entry_breaks_the_chain(copy: Path) -> None:
    _behind_our_back(copy, "update entries set at = replace(at, '2026', '2025') where version = 40")
    with open_journal(copy) as store:
        found = verify(store)
    assert {d.version for d in found.differences if d.stream == "table:T1"} == {40}


def test_a_changed_balance_is_found(copy: Path) -> None:
    base = sqlite3.connect(copy)
    base.execute("update balances set cents = cents + 1 where account = 'table:T1:drop'")
    base.commit()
    base.close()
    with open_journal(copy) as store:
        (found,) = verify(store).differences
    assert "table:T1:drop" in found.message


def test_a_changed_snapshot_is_found(copy: Path) -> None:
    base = sqlite3.connect(copy)
    text = "replace(cast(body as text), 'p1', 'p9')"
    changed = base.execute(f"update snapshots set body = cast({text} as blob)").rowcount
    base.commit()
    base.close()
    assert changed
    with open_journal(copy) as store:
        assert not verify(store).valid


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            "delete from marks where value = 'p1' and number = 7",
            "round 7 is not",
        ),
        ("update marks set value = 'p9' where value = 'p1' and number = 9", "round 9 is"),
        ("insert into marks values ('hand', 'straight', 'table:T1', 99)", "round 99"),
    ],
)
def test_an_index_that_recalls_too_much_or_too_little_is_found(
    copy: Path, change: str, told: str
) -> None:
    _behind_our_back(copy, change)
    with open_journal(copy) as store:
        every = verify(store).differences
    # Whoever writes behind our back has taken the database's triggers away, which is told too.
    found = [one for one in every if one.stream != "database"]
    assert {one.stream for one in found} == {"table:T1"}
    assert all(told in one.message for one in found), found


def test_an_entry_that_the_database_cannot_read_is_named(copy: Path) -> None:
    _behind_our_back(copy, "update entries set body = cast(x'ff7b' as text) where version = 300")
    with open_journal(copy) as store:
        found = next(d for d in verify(store).differences if d.stream == "table:T1")
    assert found.version == 300
    assert "cannot be read" in found.message


def _behind_our_back(path: Path, statement: str) -> None:
    base = sqlite3.connect(path)
    triggers = base.execute("select name from sqlite_master where type = 'trigger'").fetchall()
    for (trigger,) in triggers:
        base.execute(f'drop trigger "{trigger}"')
    assert base.execute(statement).rowcount
    base.commit()
    base.close()


def test_a_damaged_snapshot_only_costs_time(copy: Path) -> None:
    with open_journal(copy) as store:
        before = House(store).table("T1")
    base = sqlite3.connect(copy)
    base.execute("update snapshots set body = cast('{' as blob)")
    base.commit()
    base.close()
    with open_journal(copy) as store:
        assert House(store).table("T1") == before
