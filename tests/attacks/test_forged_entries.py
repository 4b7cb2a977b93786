"""A thief who can write to the database, but has no key of the machine: an entry that is put in or
changed is not played, not paid and not signed, and `verify` names it."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
import pytest

import croupier
from croupier.cashier import Deposit, PayOut
from croupier.errors import CroupierError
from croupier.ledger.checkpoints.checkpoints import checkpoint_records, take_checkpoint
from croupier.ledger.entries import Addition, NewEntry
from croupier.ledger.journal import Journal, open_journal, open_to_read
from croupier.ledger.maintenance.adopting import adopt
from croupier.ledger.signatures.chain import ChainBroken
from croupier.ledger.signatures.machine_key import machine_key
from croupier.ledger.signatures.macs import AnotherKey, EntryForged
from croupier.ledger.stores.bodies import text_of
from croupier.ledger.verification.verify import Verification, verify
from croupier.rounds.declaration import Actor
from croupier.runtime.cashier_session import CashierSession
from croupier.runtime.house import House
from croupier.runtime.signing import JournalSigner
from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
from tests.commands.program import croupier as program
from tests.ledger.forgery import behind_our_back, read_bodies

CLEO, OLGA, ANN = Actor("cashier", "Cleo"), Actor("operator", "Olga"), Actor("player", "ann")
ACCOUNT = "cashier:ann"
Execute = Callable[..., Any]


@pytest.fixture
def house(url: str) -> Iterator[Journal]:
    """A running process: an account with $100, and a table."""
    with open_journal(url) as journal:
        CashierSession(journal, "ann").carry_out(Deposit(100_00, "R-1"), CLEO)
        tables = House(journal)
        tables.do("T1", OpenTable("T1", "md-uth", '{"offered": []}', inventory=10_000_00), OLGA)
        tables.do("T1", TakeSeat("ann", 1), ANN)
        yield journal


@contextmanager
def thief(url: str) -> Iterator[Execute]:
    """Statements of somebody else, with `?` for values."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as lite:
            read_bodies(lite)
            yield lambda statement, *values: lite.execute(statement, values).fetchall()
        return

    def execute(statement: str, *values: object) -> Any:
        found = connection.execute(statement.replace("?", "%s"), values or None)
        return found.fetchall() if found.description else []

    with psycopg.connect(url, autocommit=True) as connection:
        yield execute


def off_guard(url: str, execute: Execute) -> None:
    """Whoever owns the database drops its triggers."""
    if url.startswith("sqlite"):
        for (name,) in execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            execute(f"DROP TRIGGER {name}")
        execute("UPDATE entries SET body = body_text(body) WHERE typeof(body) = 'blob'")
    else:
        execute("ALTER TABLE entries DISABLE TRIGGER ALL")


def put_in_deposit(execute: Execute, cents: int = 5000_00) -> int:
    """A deposit as the house would have written it, with a chain that holds and a balance."""
    version, previous, body = execute(
        "SELECT version, hash, body FROM entries WHERE stream = ? ORDER BY version DESC LIMIT 1",
        ACCOUNT,
    )[0]
    record = json.loads(text_of(body))
    record["command"]["amount"] = f"{cents / 100:.2f}"
    record["balance"] += cents
    told = (
        *(ACCOUNT, version + 1, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"), "deposit"),
        json.dumps(record, separators=(",", ":")),
        f'[["patron:ann","{ACCOUNT}",{cents}]]',
    )
    fields = [str(part).encode() for part in (previous, *told)]
    digest = sha256(b"".join(b"%d:%b\n" % (len(f), f) for f in fields)).hexdigest()
    execute(
        "INSERT INTO entries (stream, version, at, kind, body, transfers, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        *(*told, digest),
    )
    for account, moved in (("patron:ann", -cents), (ACCOUNT, cents)):
        execute("UPDATE balances SET cents = cents + ? WHERE account = ?", moved, account)
    return int(version) + 1


def messages(found: Verification) -> str:
    return "\n".join(f"{one.stream} {one.version}: {one.message}" for one in found.differences)


def signed(journal: Journal, stream: str) -> int:
    spans = [span for record in checkpoint_records(journal) for span in record.spans]
    return max((span.last for span in spans if span.stream == stream), default=0)


# -- put in, changed, taken away ------------------------------------------------------------------


def test_one_forged_account_does_not_hide_the_others(tmp_path: Path) -> None:
    """`cashier list` ended at the first entry with a wrong MAC."""
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    with open_journal(url) as journal:
        for name in ("ann", "bob"):
            CashierSession(journal, name).carry_out(Deposit(100_00, "R-1"), CLEO)
    with thief(url) as execute:
        put_in_deposit(execute)
    told = program("cashier", "list", "--json", "--journal", url)
    assert (told.code, told.json["accounts"]) == (1, {"bob": "100.00"})
    assert "entry 2: its MAC is wrong" in told.json["damaged"]["ann"]
    shown = program("cashier", "list", "--journal", url)
    assert (shown.code, "bob" in shown.text, "$5,100" in shown.text) == (1, True, False)
    assert "cashier:ann, entry 2" in shown.err


def test_a_deposit_put_in_is_not_paid_played_or_signed(
    house: Journal, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with thief(url) as execute:
        version = put_in_deposit(execute)
    account = CashierSession(house, "ann")
    with pytest.raises(EntryForged, match=f"{ACCOUNT}, entry {version}: its MAC is wrong"):
        _ = account.held
    with pytest.raises(EntryForged):
        account.carry_out(PayOut(5000_00), CLEO)
    with pytest.raises(EntryForged):
        House(house).do("T1", BuyIn("ann", 5000_00, account=True), ANN)
    with caplog.at_level(logging.ERROR):
        JournalSigner(house).sign(by_others=True)
    assert signed(house, ACCOUNT) == version - 1, "what the house wrote is signed, and no more"
    assert signed(house, "table:T1") == 2
    assert (ACCOUNT, version) in house.refused
    found = verify(house)
    assert [(one.stream, one.version) for one in found.differences] == [(ACCOUNT, version)]
    assert "its MAC is wrong" in messages(found)


def test_the_command_line_does_not_sign_it_and_says_so(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    where = ("--journal", tmp_path / "journal.db")
    given = ("deposit", "ann", "100", "--receipt", "R-1", "--as", "cashier:Cleo")
    with open_journal(url):
        pass
    assert program("cashier", *given, *where).code == 0
    with thief(url) as execute:
        put_in_deposit(execute)
    ended = program("checkpoint", *where)
    assert ended.code == 1
    assert "not signed: cashier:ann, entry 2: its MAC is wrong" in ended.err
    assert program("cashier", "pay-out", "ann", "5000", "--as", "cashier:Cleo", *where).code != 0
    assert program("verify", *where).code == 1


def test_an_entry_changed_in_place_is_not_paid_from(house: Journal, url: str) -> None:
    """Its hash is left as it was: nobody recomputes the chain for each payment."""
    with thief(url) as execute:
        off_guard(url, execute)
        execute("UPDATE entries SET body = replace(body, '10000', '9910000')")
    with pytest.raises(EntryForged):
        CashierSession(house, "ann").carry_out(PayOut(5000_00), CLEO)
    with open_journal(url) as another, pytest.raises(EntryForged):
        CashierSession(another, "ann").carry_out(PayOut(5000_00), CLEO)


def test_a_payment_taken_out_is_not_paid_again(house: Journal, url: str) -> None:
    account = CashierSession(house, "ann")
    account.carry_out(PayOut(100_00), CLEO)
    with thief(url) as execute:
        off_guard(url, execute)
        execute("DELETE FROM entries WHERE stream = ? AND version = 2", ACCOUNT)
    with pytest.raises(ChainBroken, match="it is missing"):
        account.carry_out(PayOut(100_00), CLEO)


def test_a_cut_below_what_was_signed_is_told_by_the_signer(house: Journal, url: str) -> None:
    CashierSession(house, "ann").carry_out(PayOut(100_00), CLEO)
    take_checkpoint(house, machine_key())
    with thief(url) as execute:
        off_guard(url, execute)
        execute("DELETE FROM entries WHERE stream = ? AND version = 2", ACCOUNT)
    with open_journal(url) as another:
        JournalSigner(another).sign(by_others=True)
        assert "2 entries of the stream were signed" in str(another.refused[ACCOUNT, 2])


def test_a_snapshot_that_was_changed_counts_for_nothing(house: Journal, url: str) -> None:
    """The money of a table that a process loads comes from the entries."""
    house.add(
        Addition(ACCOUNT, 1, (NewEntry("noted", b"{}"),), snapshot=b'{"rack":1}'),
        at=datetime.now(UTC),
    )
    assert house.snapshot(ACCOUNT) is not None
    with thief(url) as execute:
        execute("UPDATE snapshots SET body = ? WHERE stream = ?", b'{"rack":9}', ACCOUNT)
        forged = b'{"id":"T1"}'
        execute("INSERT INTO snapshots (stream, version, body) VALUES ('table:T1', 2, ?)", forged)
    assert house.snapshot(ACCOUNT) is None
    with open_journal(url) as another:
        assert another.snapshot("table:T1") is None
        assert House(another).session("T1").table.money["inventory"] == 10_000_00
        assert "its snapshot has a wrong MAC" in messages(verify(another))


def test_what_was_written_into_another_journal_cannot_be_carried_over(
    tmp_path: Path, house: Journal, url: str
) -> None:
    """A demo beside the house has the same key, and chips that guests made from nothing."""
    with open_journal(tmp_path / "demo.db") as demo:
        demo.add(Addition("cashier:eve", 0, (NewEntry("deposit", b"{}"),)), at=datetime.now(UTC))
    with closing(sqlite3.connect(tmp_path / "demo.db")) as raw:
        query = "SELECT * FROM entries WHERE stream = 'cashier:eve'"
        cursor = raw.execute(query)
        names = [column[0] for column in cursor.description]
        row = cursor.fetchone()
    with thief(url) as execute:
        marks = ", ".join("?" * len(names))
        execute(f"INSERT INTO entries ({', '.join(names)}) VALUES ({marks})", *row)
    with pytest.raises(EntryForged):
        list(house.read("cashier:eve"))


def test_the_index_of_another_round_serves_no_correction(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with croupier.open_journal(path) as journal:
        table = journal.open_table("md-uth", name="one", seed=1)
        table.sit("Ann", 1, buy_in=500)
        for _ in range(2):
            table.play("random", {"ante": 5, "blind": 5})
    with behind_our_back(path) as raw:
        first, last = raw.execute("SELECT first, last FROM chapters WHERE number = 2").fetchone()
        raw.execute("UPDATE chapters SET first = ?, last = ? WHERE number = 1", (first, last))
    with (
        croupier.open_journal(path) as journal,
        pytest.raises(CroupierError, match="round 1 does not open here"),
    ):
        journal.replay("one", 1)


def test_everything_that_a_server_writes_has_a_mac(start: Callable[..., Any]) -> None:
    """Through the batched writer, the journal's own, and the signer."""
    server = start()
    ann = server.guest()
    ann.sit("md-uth", 1)
    ann.bet("md-uth", 1)
    ann.ready("md-uth", 1)
    ann.until("md-uth", "deciding")
    journal = server.pit.journal
    server.sign()
    assert signed(journal, "table:md-uth") >= 3, "no round has ended"
    found = verify(journal)
    assert not found.differences, messages(found)
    assert found.signed.size > 0
    with journal.reader() as connection:
        query = "SELECT count(*) FROM entries WHERE length(mac) <> 32"
        assert connection.exec_driver_sql(query).scalar() == 0


def test_the_floor_sees_it_on_the_board(start: Callable[..., Any]) -> None:
    server = start()
    flo = server.staff("floorperson", "flo")
    journal = server.pit.journal
    with closing(sqlite3.connect(journal.name, isolation_level=None)) as raw:
        raw.execute(
            "INSERT INTO entries (stream, version, at, kind, body, transfers, hash)"
            " VALUES ('house:limits', 1, '2026-11-15T18:00:00.000000Z', 'limits', '{}', '[]', 'x')"
        )
    JournalSigner(journal).sign(by_others=True)
    (use,) = [use for use in flo.get("/floor")["uses"] if "its MAC is wrong" in use["words"]]
    assert "house:limits, entry 1" in use["words"]


# -- journals of another machine ------------------------------------------------------------------


def test_macs_taken_away_come_back_never(house: Journal, url: str) -> None:
    """A database put back into a form without MACs is refused, on either database."""
    house.close()
    with thief(url) as execute:
        off_guard(url, execute)
        for table in ("entries", "snapshots"):
            execute(f"ALTER TABLE {table} DROP COLUMN mac")
        execute("DROP TABLE identity")
        execute("UPDATE migrations SET version = 2")
    for opening in (open_journal, open_to_read):
        with pytest.raises(CroupierError, match="has form 2, which no release wrote"):
            opening(url)


def test_an_emptied_identity_switches_nothing_off(house: Journal, url: str) -> None:
    take_checkpoint(house, machine_key())
    house.close()
    with thief(url) as execute:
        execute("DELETE FROM identity")
    with open_journal(url) as journal:
        assert "its table identity is empty" in messages(verify(journal))
        with pytest.raises(AnotherKey):
            CashierSession(journal, "ann").carry_out(PayOut(100_00), CLEO)
        with pytest.raises(CroupierError, match="somebody emptied it"):
            adopt(journal)


def test_it_is_written_to_only_where_its_key_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, house: Journal, url: str
) -> None:
    take_checkpoint(house, machine_key())
    before = machine_key().public
    entries = sum(house.versions().values())
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(tmp_path / "another.key"))
    with open_journal(url) as moved:
        found = verify(moved)
        assert found.valid, messages(found)
        note = found.notes[-1].message
        assert f"the MACs of {entries} entries cannot be checked" in note
        assert before[:16] in note
        assert CashierSession(moved, "ann").held.cents == 100_00, "it can be read"
        with pytest.raises(AnotherKey, match="`croupier journal adopt`"):
            CashierSession(moved, "ann").carry_out(PayOut(100_00), CLEO)
        with pytest.raises(AnotherKey):
            take_checkpoint(moved, machine_key())
        taken = adopt(moved)
        assert (taken.before, taken.key) == (before, machine_key().public)
        assert CashierSession(moved, "ann").carry_out(PayOut(100_00), CLEO).cents == 0
        found = verify(moved)
        assert found.valid, messages(found)
        assert f"before that with the key {before[:16]}" in found.notes[-1].message
        assert signed(moved, "keys") == 1
        with pytest.raises(CroupierError, match="nothing to adopt"):
            adopt(moved)


def test_what_differs_is_not_adopted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path) as journal:
        CashierSession(journal, "ann").carry_out(Deposit(100_00, "R-1"), CLEO)
    with behind_our_back(path) as raw:
        raw.execute("UPDATE entries SET body = body || ' ' WHERE stream = ?", (ACCOUNT,))
    monkeypatch.setenv("CROUPIER_KEY_FILE", str(tmp_path / "another.key"))
    ended = program("journal", "adopt", "--journal", path)
    assert ended.code == 1
    assert "is not adopted" in ended.err
    with open_journal(path) as journal, pytest.raises(AnotherKey):
        journal.macs_to_write()


def test_a_key_named_by_a_thief_switches_nothing_off(house: Journal, url: str) -> None:
    """With another key in `identity` nobody could check MACs: nobody writes or adopts then."""
    take_checkpoint(house, machine_key())
    with thief(url) as execute:
        execute("UPDATE identity SET key = ?", "0" * 64)
        put_in_deposit(execute)
    with pytest.raises(EntryForged):
        _ = CashierSession(house, "ann").held
    with open_journal(url) as again:
        with pytest.raises(AnotherKey):
            CashierSession(again, "ann").carry_out(PayOut(5000_00), CLEO)
        with pytest.raises(CroupierError, match="somebody changed it"):
            adopt(again)
        assert "the last checkpoint was signed with the key of this machine" in messages(
            verify(again)
        )


# -- signing --------------------------------------------------------------------------------------


def test_what_moved_no_round_is_signed_as_well(house: Journal) -> None:
    """Deposits and buy-ins of an evening without a round stood unsigned until the next one."""
    signer = JournalSigner(house)
    CashierSession(house, "ann").carry_out(Deposit(20_00, "R-2"), CLEO)
    signer.sign()
    assert signed(house, ACCOUNT) == 2


def test_a_server_signs_at_its_start_and_what_others_have_added(url: str, house: Journal) -> None:
    with open_journal(url) as another:
        signer = JournalSigner(another, every_seconds=60)
        signer.start()
        signer.stop()
        assert signed(another, ACCOUNT) == 1, "it was there before the server"
    CashierSession(house, "ann").carry_out(Deposit(20_00, "R-2"), CLEO)
    with open_journal(url) as another:
        JournalSigner(another).sign(by_others=True)
        assert signed(another, ACCOUNT) == 2


def test_a_command_line_that_writes_signs_before_it_ends(tmp_path: Path) -> None:
    where = ("--journal", tmp_path / "journal.db")
    secret = tmp_path / "secret"
    secret.write_text("correct horse battery", "utf-8")
    ended = program(
        *("people", "add", "olga", "--role", "operator", "--password-file", secret),
        *("--database", tmp_path / "journal.db"),
    )
    assert ended.code == 0, ended.err
    given = ("deposit", "ann", "100", "--receipt", "R-1", "--as", "cashier:Cleo")
    assert program("cashier", *given, *where).code == 0
    assert program("cashier", "limits", "--deposit", "500", *where).code == 0
    with open_to_read(tmp_path / "journal.db") as journal:
        for stream in ("people:accounts", ACCOUNT, "house:limits"):
            assert signed(journal, stream) == journal.versions()[stream], stream


def test_a_server_plays_on_elsewhere(start: Callable[..., Any]) -> None:
    """An entry put into the stream of one table stops that table and no other."""
    server = start()
    ann, bob = server.guest(), server.guest()
    ann.sit("md-uth", 1)
    bob.sit("ma-uth", 1)
    with closing(sqlite3.connect(server.pit.journal.name, isolation_level=None)) as raw:
        raw.execute(
            "INSERT INTO entries (stream, version, at, kind, body, transfers, hash)"
            " SELECT stream, version + 1, at, kind, body, transfers, hash FROM entries"
            " WHERE stream = 'table:md-uth' ORDER BY version DESC LIMIT 1"
        )
    found = ann.send("md-uth", type="buy_in", amount="100.00")
    assert (found.status, found.body["code"]) == (503, "entry_forged"), found.body
    bob.bet("ma-uth", 1)
    bob.ready("ma-uth", 1)
    assert bob.until("ma-uth", "deciding", "over")
    assert ann.get("/tables/md-uth")["version"] > 0, "it can be looked at as it was"
