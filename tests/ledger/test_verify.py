"""`verify` lists all that differs, and `reindex` makes anew what follows from the entries."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from croupier.ledger.journal import Journal, open_journal
from croupier.ledger.maintenance.backups import restore as copy_journal
from croupier.ledger.maintenance.reindex import reindex
from croupier.ledger.signatures.chain import ChainBroken
from croupier.ledger.verification.verify import Verification, verify
from croupier.money import dollars
from croupier.rounds.declaration import Actor
from croupier.runtime.house import House
from croupier.tables.commands import BuyIn
from tests.commands.program import croupier
from tests.ledger.forgery import behind_our_back, change, read_bodies, rechain
from tests.ledger.kept_journals import machine_of_the_fixtures, restore
from tests.postgres import Server

ONE, TWO, OTHER = "table:pair-1", "table:pair-2", "table:virtual-md-uth"


@pytest.fixture(scope="module", autouse=True)
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with machine_of_the_fixtures(tmp_path_factory.mktemp("key")):
        yield


@pytest.fixture(scope="module")
def whole(machine: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with tables of every kind, links, corrections and request keys."""
    path = restore(tmp_path_factory.mktemp("verify") / "journal.db")
    with open_journal(path) as journal:
        reindex(journal)  # with snapshots too
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "journal.db"))


def settled(path: Path, stream: str) -> list[int]:
    """Entries by which a seat lost its ante."""
    query = (
        "SELECT version FROM entries WHERE stream = ? AND kind = 'settle' "
        "AND body_text(body) LIKE '%\"net\":-500%' ORDER BY version"
    )
    with closing(sqlite3.connect(path)) as raw:
        read_bodies(raw)
        return [version for (version,) in raw.execute(query, (stream,))]


def verified(path: Path) -> Verification:
    with open_journal(path) as journal:
        return verify(journal)


def places(found: Verification) -> list[tuple[str, int]]:
    return [(one.stream, one.version) for one in found.differences]


def test_a_whole_journal_is_valid(path: Path) -> None:
    found = verified(path)
    assert found.valid
    assert found.rounds == 243


def test_several_processes_find_the_same_as_one(path: Path) -> None:
    """A whole journal, and one with differences within streams and between them."""
    with open_journal(path) as journal:
        assert verify(journal, jobs=2) == verify(journal)
    with behind_our_back(path) as raw:
        change(raw, ONE, settled(path, ONE)[0], '"net":-500', '"net":500')
        rechain(raw, ONE)
        change(raw, "link:pot", 4, '"type":"round_finished"', '"type":"round_begun"')
        raw.execute("UPDATE balances SET cents = cents + 7 WHERE account = 'cage'")
        raw.execute("DELETE FROM requests")
    told: list[int] = []
    with open_journal(path) as journal:
        one, several = verify(journal), verify(journal, told.append, jobs=2)
    assert sorted(places(several)) == sorted(places(one))
    assert (several.entries, several.rounds) == (one.entries, one.rounds)
    assert told[-1] > 0


# -- everything that differs is told --------------------------------------------------------------


def test_several_differences_in_several_streams_are_all_told(path: Path) -> None:
    first, second = settled(path, ONE)[0], settled(path, ONE)[-1]
    third = settled(path, TWO)[1]
    with behind_our_back(path) as raw:
        for stream, version in ((ONE, first), (ONE, second), (TWO, third)):
            change(raw, stream, version, '"net":-500', '"net":500')
        for stream in (ONE, TWO):
            rechain(raw, stream)
        raw.execute("UPDATE balances SET cents = cents + 7 WHERE account = 'cage'")
        raw.execute(f"UPDATE chapters SET last = last + 1 WHERE stream = '{OTHER}' AND number = 2")
    found = verified(path)
    for place in ((ONE, first), (ONE, second), (TWO, third), ("balances", 0)):
        assert place in places(found), place
    messages = [one.message for one in found.differences if one.stream == OTHER]
    assert [message[:21] for message in messages] == ["the index of round 2:"]


def test_balances_are_told_beside_a_difference_of_the_index(path: Path) -> None:
    with behind_our_back(path) as raw:
        raw.execute(f"UPDATE chapters SET began = '2020' WHERE stream = '{ONE}' AND number = 9")
        raw.execute("UPDATE balances SET cents = cents + 1 WHERE account = 'cage'")
        raw.execute("INSERT INTO balances VALUES ('nobody', 3)")
    found = verified(path)
    stream, cage, nobody = found.differences
    assert stream.stream == ONE
    assert "the index of round 9" in stream.message
    assert "the balance of cage is stored as" in cage.message
    assert "the balance of nobody is stored as $0.03, but the transfers give $0" in nobody.message


def test_a_changed_entry_is_told_once_and_the_rest_is_still_checked(path: Path) -> None:
    first, *_, last = settled(path, ONE)
    with behind_our_back(path) as raw:
        change(raw, ONE, last, '"net":-500', '"net":500')
        rechain(raw, ONE)
        change(raw, ONE, first, '"type":"settle"', '"type":"settle" ')
    found = verified(path)
    at_first = [one.message for one in found.differences if one.version == first]
    assert len([message for message in at_first if "its hash is" in message]) == 1
    assert any("the text" in message for message in at_first)
    assert (ONE, last) in places(found)
    assert len([one for one in found.differences if "its hash is" in one.message]) == 1


def test_a_changed_hash_is_told_once(path: Path) -> None:
    with behind_our_back(path) as raw:
        raw.execute(
            f"UPDATE entries SET hash = '{'1' * 64}' WHERE stream = '{ONE}' AND version = 40"
        )
    found = verified(path)
    assert places(found) == [(ONE, 40)]
    assert "its contents give" in found.differences[0].message


@pytest.mark.parametrize(
    ("column", "value"),
    [("body", "cast(x'ff7b' AS text)"), ("body", "'{}'"), ("transfers", "'[[1]]'")],
)
def test_an_entry_that_cannot_be_read_is_told_once_and_the_rest_is_still_checked(
    path: Path, column: str, value: str
) -> None:
    last = settled(path, ONE)[-1]
    with behind_our_back(path) as raw:
        change(raw, ONE, last, '"net":-500', '"net":500')
        rechain(raw, ONE)
        raw.execute(
            f"UPDATE entries SET {column} = {value} WHERE stream = '{ONE}' AND version = 40"
        )
        raw.execute(f"UPDATE chapters SET began = '2020' WHERE stream = '{ONE}' AND number = 30")
    found = verified(path)
    here = [one for one in found.differences if one.stream == ONE]
    assert {one.version for one in here} >= {40, last}
    assert len([one for one in here if one.version == 40]) <= 2
    assert any("the index of round 30" in one.message for one in here)
    assert not any("hash" in one.message for one in here if one.version != 40)
    assert {one.stream for one in found.differences} <= {ONE, "balances", "table:pair-1"}


def test_a_missing_entry_is_told_once_and_the_rest_is_still_checked(path: Path) -> None:
    last = settled(path, ONE)[-1]
    with behind_our_back(path) as raw:
        change(raw, ONE, last, '"net":-500', '"net":500')
        rechain(raw, ONE)
        raw.execute(f"DELETE FROM entries WHERE stream = '{ONE}' AND version = 41")
    found = verified(path)
    here = [one for one in found.differences if one.stream == ONE]
    assert len([one for one in here if one.version == 41]) == 1
    assert "it is missing: entry 42" in next(one.message for one in here if one.version == 41)
    assert (ONE, last) in places(found)


def test_a_damaged_link_does_not_hide_what_its_tables_were_paid(path: Path) -> None:
    with behind_our_back(path) as raw:
        change(raw, "link:pot", 4, '"type":"round_finished"', '"type":"round_begun"')
    found = verified(path)
    assert {stream for stream, _ in places(found)} == {"link:pot"}


def test_a_round_in_the_index_that_was_not_played_is_told(path: Path) -> None:
    with behind_our_back(path) as raw:
        raw.execute(
            f"INSERT INTO chapters SELECT stream, 999, first, last, began, ended, '[]' "
            f"FROM chapters WHERE stream = '{ONE}' AND number = 1"
        )
        raw.execute(f"DELETE FROM chapters WHERE stream = '{TWO}' AND number = 3")
        raw.execute(f"DELETE FROM marks WHERE stream = '{OTHER}' AND number = 1 AND name = 'void'")
    messages = {one.stream: one.message for one in verified(path).differences}
    assert messages[ONE] == "the index lists round 999, which was not played"
    assert "the index of round 3: null is written" in messages[TWO]
    assert messages[OTHER] == "round 1 is not recalled by void no, as it should"


def test_request_keys_are_held_against_the_entries(path: Path) -> None:
    with behind_our_back(path) as raw:
        (gone,) = raw.execute(
            f"SELECT min(request) FROM requests WHERE stream = '{ONE}'"
        ).fetchone()
        raw.execute("DELETE FROM requests WHERE stream = ? AND request = ?", (ONE, gone))
        raw.execute(f"INSERT INTO requests VALUES ('{ONE}', 'never asked', 3, 3)")
        raw.execute(f"UPDATE requests SET first = 2, last = 2 WHERE stream = '{TWO}'")
    found = verified(path)
    messages = [one.message for one in found.differences if one.stream == ONE]
    assert len(messages) == 2
    assert f"the entries of request {gone}: null is written" in messages[0]
    assert messages[1] == "request never asked is listed, but nothing was written for it"
    assert any(one.stream == TWO for one in found.differences)


def test_a_correction_of_a_wager_that_was_not_there_is_told_and_play_goes_on(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        query = f"SELECT min(version) FROM entries WHERE stream = '{ONE}' AND kind = 'correct'"
        (version,) = raw.execute(query).fetchone()
    with behind_our_back(path) as raw:
        change(raw, ONE, version, '"wager":"ante"', '"wager":"trips"')
        rechain(raw, ONE)
        raw.execute("DELETE FROM snapshots")
    found = verified(path)
    assert places(found) == [(ONE, version)]
    assert "nothing was on 'trips'" in found.differences[0].message


def test_the_command_line_lists_all_and_ends_with_1(path: Path) -> None:
    with behind_our_back(path) as raw:
        raw.execute(f"UPDATE chapters SET began = '2020' WHERE stream = '{ONE}' AND number < 4")
        raw.execute("UPDATE balances SET cents = cents + 1 WHERE account = 'cage'")
    ended = croupier("verify", "--journal", str(path), "--json")
    assert (ended.code, ended.json["valid"]) == (1, False)
    assert len(ended.json["differences"]) == 4


# -- reindex --------------------------------------------------------------------------------------


def spoil(path: Path) -> None:
    """Whatever follows from the entries is wrong somewhere."""
    with behind_our_back(path) as raw:
        raw.execute(f"UPDATE chapters SET began = '2020' WHERE stream = '{ONE}' AND number = 9")
        raw.execute(f"DELETE FROM chapters WHERE stream = '{TWO}' AND number = 3")
        raw.execute("INSERT INTO marks VALUES ('hand', 'royal_flush', 'table:pair-1', 4)")
        raw.execute("UPDATE balances SET cents = cents + 1 WHERE account = 'cage'")
        raw.execute("INSERT INTO balances VALUES ('nobody', 3)")
        raw.execute(f"DELETE FROM requests WHERE stream = '{ONE}'")
        raw.execute(f"INSERT INTO requests VALUES ('{TWO}', 'never asked', 3, 3)")
        raw.execute("UPDATE snapshots SET body = x'7b7d'")


def test_reindex_makes_anew_whatever_follows_from_the_entries(path: Path, whole: Path) -> None:
    spoil(path)
    assert not verified(path).valid
    ended = croupier("reindex", "--journal", str(path), "--json")
    assert (ended.code, ended.json["rounds"], ended.json["requests"]) == (0, 243, 479)
    assert verified(path).valid
    with open_journal(path) as after, open_journal(whole) as before:
        assert after.consistent_view() == before.consistent_view()
        for stream in after.streams("table:"):
            assert after.requested(stream) == before.requested(stream)
            assert list(after.chapters(stream)) == list(before.chapters(stream))
        house = House(after)
        house.do("pair-1", BuyIn("Cy", 500), Actor("player", "Cy"), request="once")
        house.do("pair-1", BuyIn("Cy", 500), Actor("player", "Cy"), request="once")
        assert verify(after).valid
    assert "rebuilt from" in croupier("reindex", "--journal", str(path)).text


def test_the_triggers_are_back(path: Path) -> None:
    croupier("reindex", "--journal", str(path))
    with closing(sqlite3.connect(path)) as raw:
        for statement in ("DELETE FROM requests", "UPDATE requests SET last = 9"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                raw.execute(statement)


def test_reindex_also_puts_back_triggers_that_somebody_took_away(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        for name in ("requests_never_change", "requests_never_go"):
            raw.execute(f"DROP TRIGGER {name}")
    with open_journal(path) as journal:
        reindex(journal)
    with closing(sqlite3.connect(path)) as raw, pytest.raises(sqlite3.DatabaseError):
        raw.execute("DELETE FROM requests")


def test_reindex_leaves_a_journal_alone_whose_chain_does_not_hold(path: Path) -> None:
    version = settled(path, ONE)[0]
    with behind_our_back(path) as raw:
        change(raw, ONE, version, '"net":-500', '"net":500')
        raw.execute("UPDATE balances SET cents = cents + 1 WHERE account = 'cage'")
    with open_journal(path) as journal:
        before = journal.consistent_view()
        with pytest.raises(ChainBroken, match=f"table:pair-1, entry {version}"):
            reindex(journal)
        assert journal.consistent_view() == before
    ended = croupier("reindex", "--journal", str(path), "--json")
    assert (ended.code, ended.json["error"]["code"]) == (1, "entry_forged")
    with closing(sqlite3.connect(path)) as raw, pytest.raises(sqlite3.IntegrityError):
        raw.execute("DELETE FROM requests")


def test_reindex_does_not_wipe_out_the_trace_of_a_cut(path: Path) -> None:
    with behind_our_back(path) as raw:
        raw.execute(f"DELETE FROM entries WHERE stream = '{TWO}' AND version > 500")
    ended = croupier("reindex", "--journal", str(path))
    assert ended.code == 1
    assert "table:pair-2, entry 501: it is missing" in ended.err
    assert croupier("reindex", "--even-if-cut", "--journal", str(path)).code == 0
    with open_journal(path) as journal:
        assert next(journal.chapters(TWO, limit=1)).last <= 500


def test_reindex_on_a_server(path: Path, postgres_server: Server) -> None:
    url = postgres_server.fresh()
    assert copy_journal(path, url).valid
    with open_journal(url) as journal:
        before = journal.consistent_view()
        _spoil_server(journal)
        assert not verify(journal).valid
        reindex(journal)
        assert verify(journal).valid
        assert journal.consistent_view() == before
        with journal.reader() as connection, pytest.raises(DBAPIError, match="append-only"):
            connection.execute(text("DELETE FROM requests"))


def _spoil_server(journal: Journal) -> None:
    with journal.reader() as connection:
        for statement in (
            "UPDATE chapters SET began = '2020' WHERE number = 1",
            "UPDATE balances SET cents = cents + 1 WHERE account = 'cage'",
            "INSERT INTO requests VALUES ('table:pair-1', 'never asked', 3, 3)",
            "DELETE FROM marks WHERE number = 2",
        ):
            connection.execute(text(statement))
        connection.commit()


# -- money that no table played -------------------------------------------------------------------


def pay_out(raw: sqlite3.Connection, stream: str) -> None:
    """$5 out of a table's inventory, in the stream's first entry and in the balances."""
    (account,) = raw.execute(
        "SELECT account FROM balances WHERE account LIKE 'table:%:inventory' ORDER BY 1"
    ).fetchone()
    moved = f'[["{account}","patron:thief",500]]'
    raw.execute(
        "UPDATE entries SET transfers = ? WHERE stream = ? AND version = 1", (moved, stream)
    )
    rechain(raw, stream)
    raw.execute("UPDATE balances SET cents = cents - 500 WHERE account = ?", (account,))
    raw.execute("INSERT INTO balances VALUES ('patron:thief', 500)")


@pytest.mark.parametrize("kind", ["attempts:", "corrections:", "elsewhere"])
def test_money_moves_only_at_tables_and_links(path: Path, kind: str) -> None:
    """The chain holds and the balances agree: only the rules know nothing of it."""
    with behind_our_back(path) as raw:
        if kind == "elsewhere":
            at = "2026-11-15T18:00:00.000000Z"
            raw.execute(
                f"INSERT INTO entries VALUES ('{kind}', 1, '{at}', 'note', '{{}}', '', '', '')"
            )
        (stream,) = raw.execute(
            "SELECT stream FROM entries WHERE stream LIKE ? LIMIT 1", (f"{kind}%",)
        ).fetchone()
        pay_out(raw, stream)
    assert (stream, 1) in places(verified(path))


def test_a_refused_attempt_is_written_as_such(path: Path) -> None:
    with behind_our_back(path) as raw:
        query = "SELECT stream FROM entries WHERE stream LIKE 'attempts:%' LIMIT 1"
        (stream,) = raw.execute(query).fetchone()
        raw.execute("UPDATE entries SET body = '{}' WHERE stream = ? AND version = 1", (stream,))
        rechain(raw, stream)
    assert places(verified(path)) == [(stream, 1)]


def test_meters_move_as_the_tables_played(path: Path) -> None:
    """The last words to a link taken out, with their money: its journal is sound in itself, but the
    tables say that they played on."""
    with behind_our_back(path) as raw:
        query = "SELECT stream, max(version) FROM entries WHERE kind = 'contribute' GROUP BY stream"
        stream, last = raw.execute(query).fetchone()
        query = "SELECT transfers FROM entries WHERE stream = ? AND version >= ?"
        for (text,) in raw.execute(query, (stream, last)).fetchall():
            for source, target, cents in json.loads(text):
                update = "UPDATE balances SET cents = cents + ? WHERE account = ?"
                raw.executemany(update, [(cents, source), (-cents, target)])
        raw.execute("DELETE FROM entries WHERE stream = ? AND version >= ?", (stream, last))
        raw.execute("DELETE FROM snapshots WHERE stream = ?", (stream,))
    found = verified(path)
    assert places(found) == [(stream, 0)]
    assert "is not what its rounds gave to the meters" in found.differences[0].message


PAID = "table:ma-uth-manual-shoe"


def paid_by_a_meter(path: Path) -> int:
    """The entry by which 10% of a meter that shows $50,000.40 were paid: $5,000.04."""
    query = "SELECT version FROM entries WHERE stream = ? AND kind = 'validate_progressive'"
    with closing(sqlite3.connect(path)) as raw:
        ((version,),) = raw.execute(query, (PAID,)).fetchall()
    return int(version)


@pytest.mark.parametrize("net", [499404, 499503, 499505, 509504])
def test_what_a_seat_was_paid_from_a_meter_is_what_the_meter_paid(path: Path, net: int) -> None:
    """Less is told like more: the rest would be somebody else's."""
    version = paid_by_a_meter(path)
    with behind_our_back(path) as raw:
        change(raw, PAID, version, '"net":499504', f'"net":{net}')
        rechain(raw, PAID)
    messages = [one.message for one in verified(path).differences if one.version == version]
    words = f"seat 2 got {dollars(net + 500)} from a meter that paid $5,000.04"
    assert words in messages


def test_what_a_meter_showed_is_what_it_paid_from(path: Path) -> None:
    """Of another reading 10% are the same cents, so that no payment looks wrong."""
    version = paid_by_a_meter(path)
    with behind_our_back(path) as raw:
        change(raw, PAID, version, '"meters":{"main":5000040}', '"meters":{"main":5000049}')
        rechain(raw, PAID)
    found = verified(path)
    assert places(found) == [(PAID, version)]
    assert "what the meters showed" in found.differences[0].message


def test_a_command_that_reads_no_meter_has_none_on_record(path: Path) -> None:
    version = settled(path, ONE)[0]
    with closing(sqlite3.connect(path)) as raw:
        read_bodies(raw)
        query = "SELECT body_text(body) FROM entries WHERE stream = ? AND version = ?"
        (body,) = raw.execute(query, (ONE, version)).fetchone()
    assert '"meters"' not in body
    with behind_our_back(path) as raw:
        change(raw, ONE, version, body, body[:-1] + ',"meters":{"main":1}}')
        rechain(raw, ONE)
    messages = [one.message for one in verified(path).differences if one.version == version]
    assert any("what the meters showed" in message for message in messages)


# -- the database itself --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        *("entries_never_change", "entries_never_go", "entries_in_order"),
        *("requests_never_change", "requests_never_go", "requests_once"),
    ],
)
def test_a_trigger_that_was_taken_away_is_told(path: Path, name: str) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"DROP TRIGGER {name}")
    (only,) = verified(path).differences
    assert (only.stream, name in only.message) == ("database", True)


def test_a_trigger_that_does_nothing_any_more_is_told(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("DROP TRIGGER entries_never_go")
        raw.execute("CREATE TRIGGER entries_never_go BEFORE DELETE ON entries BEGIN SELECT 1; END")
    (only,) = verified(path).differences
    assert "entries_never_go is gone or changed" in only.message


STRAY = {
    "marks": "INSERT INTO marks VALUES ('player', 'ann', 'table:nowhere', 1)",
    "marks of a link": "INSERT INTO marks VALUES ('player', 'ann', 'link:pair', 1)",
    "chapters": "INSERT INTO chapters VALUES ('link:pair', 1, 1, 1, '2026', '2026', '[]')",
    "requests": "INSERT INTO requests VALUES ('attempts:pair-1', 'key', 1, 1)",
    "snapshots": "INSERT INTO snapshots VALUES ('corrections:pair-1', 1, 'x', '')",
    "an early snapshot": "UPDATE snapshots SET version = 0",
    "balances": "INSERT INTO balances VALUES ('rack:nobody', 0)",
}


@pytest.mark.parametrize("what", STRAY)
def test_a_row_that_nothing_speaks_for_is_told(path: Path, what: str) -> None:
    with behind_our_back(path) as raw:
        assert raw.execute(STRAY[what]).rowcount
    assert not verified(path).valid


def test_triggers_taken_away_on_a_server_are_told(postgres_server: Server) -> None:
    with open_journal(postgres_server.fresh()) as journal:
        assert verify(journal).valid
        with journal.database.engine.begin() as connection:
            connection.execute(text("ALTER TABLE entries DISABLE TRIGGER entries_never_change"))
            connection.execute(text("DROP TRIGGER requests_never_go ON requests"))
        messages = [one.message for one in verify(journal).differences]
    assert [message.split(" ")[2] for message in messages] == [
        "entries_never_change",
        "requests_never_go",
    ]
