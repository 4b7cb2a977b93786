"""A journal of 0.1 becomes one of today: the same rounds, money and people, or none at all."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, MetaData, NullPool, Table, create_engine

from croupier.errors import BadRequest
from croupier.ledger import Journal, migration, open_journal
from croupier.ledger.chain import ChainBroken
from croupier.ledger.migration import Migrated, migrate_journal
from croupier.ledger.past_rounds import Moment, corrections, moments, round_moments
from croupier.ledger.regrouping import Differs
from croupier.ledger.table_entries import (
    Attempt,
    attempts_stream,
    link_record,
    table_record,
    table_stream,
)
from croupier.ledger.verify import verify
from croupier.rounds.commands import Act
from croupier.rounds.declaration import Actor
from croupier.rounds.records import from_json, to_json
from croupier.rounds.state import Round
from croupier.runtime.house import House
from tests.commands.program import WHOLE, croupier
from tests.ledger.journal_0_1 import HERE, expected, restore
from tests.postgres import Server

PEOPLE = """
CREATE TABLE web_people (name VARCHAR NOT NULL, role TEXT NOT NULL, password TEXT,
    guest BOOLEAN NOT NULL, failures INTEGER NOT NULL, PRIMARY KEY (name));
CREATE TABLE web_sessions (token TEXT NOT NULL, person VARCHAR NOT NULL, PRIMARY KEY (token));
CREATE INDEX ix_web_sessions_person ON web_sessions (person);
INSERT INTO web_people VALUES ('Zoë', 'player', 'hash', 0, 2), ('ann', 'dealer', NULL, 1, 0);
INSERT INTO web_sessions VALUES ('token', 'Zoë');
"""


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = restore(tmp_path_factory.mktemp("0.1") / "journal.db")
    with closing(sqlite3.connect(path)) as raw:
        raw.executescript(PEOPLE)
    return path


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the new journal goes."""
    if request.param == "sqlite":
        return str(tmp_path_factory.mktemp("new") / "journal.db")
    server: Server = request.getfixturevalue("postgres_server")
    return server.fresh()


@pytest.fixture(scope="module")
def migrated(old: Path, place: str) -> Migrated:
    return migrate_journal(str(old), place)


@pytest.fixture(scope="module")
def new(migrated: Migrated, place: str) -> Iterator[Journal]:
    assert migrated.commands
    with open_journal(place) as journal:
        yield journal


def test_it_says_what_it_did(migrated: Migrated) -> None:
    # One stream is new: the accounts, as they were.
    assert (migrated.read, migrated.streams, migrated.rounds) == (4291, 86, 243)
    assert (migrated.requests, migrated.attempts, migrated.corrections) == (480, 93, 8)
    assert migrated.commands == 3309
    assert migrated.mended == ()


def test_the_new_journal_verifies(new: Journal) -> None:
    found = verify(new)
    assert found.differences == ()
    assert (found.streams, found.rounds) == (86, 243)


def test_every_event_is_in_some_command(new: Journal) -> None:
    found = {}
    for stream in new.streams():
        entries = list(new.read(stream))
        if stream.startswith("table:"):
            found[stream] = sum(len(table_record(entry).events) for entry in entries)
        elif stream.startswith("link:"):
            found[stream] = sum(len(link_record(entry).events) for entry in entries)
        else:
            found[stream] = len(entries)
    assert found.pop("people:accounts") == 1, "the accounts of the web, as they were"
    assert found == {name: told["entries"] for name, told in expected()["streams"].items()}


def test_the_commands_are_those_that_were_given(new: Journal) -> None:
    """The README counted them when the journal was made."""
    text = (HERE / "README.md").read_text("utf-8")
    given = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", text, re.MULTILINE))
    given |= dict(re.findall(r"^\| `(\w+)` \| `\w+` \| (\d+) \|", text, re.MULTILINE))
    found = Counter(
        entry.kind
        for stream in (*new.streams("table:"), *new.streams("link:"))
        for entry in new.read(stream)
    )
    assert found == {kind: int(count) for kind, count in given.items()}


def test_times_actors_and_seals_are_kept(old: Path, new: Journal) -> None:
    was: dict[str, list[tuple[str, str]]] = {}
    seals = {}
    with closing(sqlite3.connect(old)) as raw:
        query = (
            "SELECT stream, at, body FROM events WHERE stream LIKE 'table:%' ORDER BY 1, version"
        )
        for stream, at, body in raw.execute(query):
            told = json.loads(body)
            was.setdefault(stream, []).append((at, told["by"]))
            if told["event"]["type"] == "betting_opened":
                event = told["event"]
                key = (stream, event["number"])
                seals[key] = (event["commitment"], event["salt"], event["deck"])
    now = {
        stream: [(m.entry.at, m.by) for m in moments(new, stream.removeprefix("table:"))]
        for stream in new.streams("table:")
    }
    assert now == was
    for (stream, number), sealed in seals.items():
        first = next(round_moments(new, stream.removeprefix("table:"), number))
        opened = json.loads(to_json(first.event))
        assert (opened["commitment"], opened["salt"], opened["deck"]) == sealed


def test_tables_rounds_and_settled_lines_are_those_on_record(new: Journal) -> None:
    house = House(new)
    for name, told in expected()["tables"].items():
        table = house.table(name)
        found: dict[str, Any] = {
            "rulebook": table.rulebook,
            "source": table.source,
            "open": table.is_open,
            "phase": table.round.phase,
            "seats": {str(number): player for number, player in table.seats.items()},
            "money": dict(sorted(table.money.items())),
            "rounds": list(_rounds(new, name, table.round)),
            "corrections": [_correction(one.event) for one in corrections(new, name)],
            "refused": list(_refused(new, name)),
        }
        for part, value in found.items():
            assert value == told[part], (name, part)
        assert found.keys() == told.keys()


def _rounds(journal: Journal, table: str, last: Round) -> Iterator[dict[str, Any]]:
    for chapter in journal.chapters(table_stream(table), newest_first=False):
        *_, end = round_moments(journal, table, chapter.number)
        yield _round(end.after.round)
    if last.phase != "over":
        yield _round(last) | {"state": "in play"}


def _round(played: Round) -> dict[str, Any]:
    void = played.void or bool(played.void_by)
    return {
        "number": played.number,
        "state": "void" if void else "over",
        "seats": {str(seat.number): seat.player for seat in played.seats},
        "lines": [
            [seat.number, line.wager, line.stake, line.result, line.net, line.clause]
            for seat in played.seats
            for line in seat.lines
        ],
    }


def _correction(event: Any) -> list[object]:
    whom = [event.round, event.seat, event.player, event.wager]
    return [*whom, event.cents, event.reason, event.by]


def _refused(journal: Journal, table: str) -> Iterator[list[object]]:
    for entry in journal.read(attempts_stream(table)):
        attempt: Attempt = from_json(entry.body, Attempt)
        command = json.loads(bytes(attempt.command))
        yield [str(attempt.by), command["type"], attempt.code, attempt.clause]


def test_refused_commands_are_written_as_they_are_today(new: Journal) -> None:
    bodies = [entry.body.decode() for entry in new.read("attempts:pair-1")]
    assert '"by":{"role":"floorperson","name":"Flo"}' in bodies[3]
    assert '"amount":"1.00"' in bodies[3]
    assert "cents" not in bodies[3]


def _alone(moment: Moment) -> bytes:
    after = moment.after
    return to_json(replace(after, round=replace(after.round, last=())))


def test_every_round_can_be_played_alone_as_in_the_whole(new: Journal) -> None:
    """Also where the decks are kept: the round says how they stood when it opened. Only the bets of
    the round before, kept to be repeated, are not told with it."""
    for stream in new.streams("table:"):
        table = stream.removeprefix("table:")
        whole = [(m.entry.version, _alone(m)) for m in moments(new, table)]
        for chapter in new.chapters(stream):
            alone = round_moments(new, table, chapter.number)
            assert [(m.entry.version, _alone(m)) for m in alone] == [
                one for one in whole if chapter.first <= one[0] <= chapter.last
            ], (table, chapter.number)


def test_balances_and_meters_are_those_on_record(new: Journal) -> None:
    assert new.balances() == expected()["balances"]
    house = House(new)
    for name, told in expected()["links"].items():
        link = house.link(name)
        assert link is not None
        assert (link.closed, sorted(link.members)) == (told["closed"], told["tables"])
        for meter, amounts in told["meters"].items():
            account = link.explain(meter)
            assert link.shown()[meter] == amounts["shown_cents"]
            for column, microcents in amounts["microcents"].items():
                assert getattr(account, column) == microcents, (name, meter, column)


def test_request_keys_answer_with_the_same_events(old: Path, new: Journal) -> None:
    """A key covers other entries now, and the same events at the same time."""
    with closing(sqlite3.connect(old)) as raw:
        for stream, keys in expected()["requests"].items():
            for key, (first, last) in keys.items():
                entries = new.answered(stream, key)
                assert entries
                records = [table_record(entry) for entry in entries]
                assert all(record.request == key for record in records)
                assert sum(len(record.events) for record in records) == last - first + 1
                query = "SELECT at FROM events WHERE stream = ? AND version = ?"
                (at,) = raw.execute(query, (stream, first)).fetchone()
                assert {entry.at for entry in entries} == {at}
    found = {stream: len(new.requested(stream)) for stream in expected()["requests"]}
    assert found == {stream: len(keys) for stream, keys in expected()["requests"].items()}


def test_the_people_of_the_web_come_along(new: Journal) -> None:
    with new.reader() as connection:
        people = connection.exec_driver_sql("SELECT * FROM web_people ORDER BY name").fetchall()
        sessions = connection.exec_driver_sql("SELECT * FROM web_sessions").fetchall()
    assert [tuple(row) for row in people] == [
        ("Zoë", "player", "hash", False, 2),
        ("ann", "dealer", None, True, 0),
    ]
    assert [tuple(row) for row in sessions] == [("token", "Zoë")]


def test_the_old_journal_is_as_it_was(old: Path, migrated: Migrated) -> None:
    assert migrated.old == str(old)
    with closing(sqlite3.connect(old)) as raw:
        assert raw.execute("SELECT count(*) FROM events").fetchone() == (4291,)
        assert raw.execute("SELECT max(version) FROM migrations").fetchone() == (1,)


def test_play_goes_on(tmp_path: Path, old: Path) -> None:
    path = tmp_path / "journal.db"
    migrate_journal(str(old), str(path))
    with open_journal(path) as journal:
        house = House(journal)
        turn = house.table("in-play").round.turn
        player = house.table("in-play").seats[turn]
        house.do("in-play", Act(turn, player, "check"), Actor("player", player))
        assert verify(journal).valid


def test_from_a_server_to_a_file(old: Path, postgres_url: str, tmp_path: Path) -> None:
    _to_server(old, postgres_url)
    new = tmp_path / "new.db"
    found = migrate_journal(postgres_url, str(new))
    assert (found.read, found.rounds, found.requests) == (4291, 243, 480)
    with open_journal(new) as journal:
        assert journal.balances() == expected()["balances"]
        with journal.reader() as connection:
            people = connection.exec_driver_sql("SELECT name FROM web_people ORDER BY 1")
            assert [name for (name,) in people] == ["Zoë", "ann"]


def _to_server(old: Path, url: str) -> None:
    """The same old journal on a server; 0.1 gave it triggers as well, which nobody misses here."""
    tables = MetaData()
    server = url.replace("postgresql:", "postgresql+psycopg:")
    with (
        create_engine(f"sqlite:///{old}", poolclass=NullPool).connect() as source,
        create_engine(server, poolclass=NullPool).begin() as target,
    ):
        tables.reflect(source)
        for table in tables.sorted_tables:
            alike = migration._made_alike(table)
            alike.create(target)
            migration._copy_rows(source, target, table, alike)


# -- what is refused ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def as_kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return restore(tmp_path_factory.mktemp("kept") / "old.db")


@pytest.fixture
def copy(as_kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(as_kept, tmp_path))


@pytest.fixture(scope="module")
def few_tables(as_kept: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only some tables of the old journal, which is quicker."""
    copy = Path(shutil.copy(as_kept, tmp_path_factory.mktemp("few")))
    keep = [
        f"{kind}:{name}"
        for kind in ("table", "link", "corrections")
        for name in ("pair-1", "pair-2", "pot", "money")
    ]
    names = ", ".join(f"'{name}'" for name in keep)
    tables = ("events", "requests", "chapters", "marks", "snapshots")
    _behind_our_back(
        copy,
        *(f"DELETE FROM {table} WHERE stream NOT IN ({names})" for table in tables),
        "DELETE FROM balances",
        "INSERT INTO balances SELECT account, sum(cents) FROM (SELECT source AS account, -cents AS "
        "cents FROM postings UNION ALL SELECT target, cents FROM postings) GROUP BY account",
    )
    return copy


@pytest.fixture
def few(few_tables: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(few_tables, tmp_path))


def _behind_our_back(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for table in ("events", "requests"):
            raw.execute(f"DROP TRIGGER IF EXISTS {table}_never_go")
            raw.execute(f"DROP TRIGGER IF EXISTS {table}_never_change")
        raw.execute("PRAGMA synchronous = OFF")
        for statement in statements:
            raw.execute(statement)


def _rechain(path: Path, stream: str) -> None:
    """Make the hashes right again, as somebody would who owns the database."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("BEGIN")
        previous = "0" * 64
        query = "SELECT version, at, kind, body, transfers FROM events WHERE stream = ? ORDER BY 1"
        for version, *told in raw.execute(query, (stream,)).fetchall():
            fields = [part.encode() for part in (previous, stream, str(version), *told)]
            text = b"".join(b"%d:%b\n" % (len(field), field) for field in fields)
            previous = sha256(text).hexdigest()
            raw.execute(
                "UPDATE events SET hash = ? WHERE stream = ? AND version = ?",
                (previous, stream, version),
            )
        raw.execute("COMMIT")


def _nothing_is_left(folder: Path) -> bool:
    return not [path for path in folder.iterdir() if path.name.startswith("new")]


def test_a_changed_entry_is_named(copy: Path) -> None:
    _behind_our_back(
        copy,
        "UPDATE events SET body = replace(body, 'Ann', 'Eve') WHERE stream = 'table:money' "
        "AND version = 3",
    )
    new = copy.with_name("new.db")
    with pytest.raises(ChainBroken, match="table:money, entry 3: its hash is"):
        migrate_journal(str(copy), str(new))
    assert _nothing_is_left(copy.parent)
    ended = croupier("journal", "migrate", str(copy), "--to", str(new), "--json")
    assert ended.code == 1
    assert ended.json["error"]["code"] == "chain_broken"
    assert "Traceback" not in ended.err


def test_a_missing_end_is_named(copy: Path) -> None:
    _behind_our_back(copy, "DELETE FROM events WHERE stream = 'table:pair-1' AND version > 600")
    with pytest.raises(ChainBroken, match="table:pair-1, entry 601: it is missing"):
        migrate_journal(str(copy), str(copy.with_name("new.db")))


OTHERWISE = [
    (  # a payment that the rules do not give, in a chain that was made to hold
        "table:pair-1",
        "UPDATE events SET body = replace(body, '\"net\":-500', '\"net\":500') "
        "WHERE stream = 'table:pair-1' AND version = 14",
        r"table:pair-1, entry 14: seat_settled: lines 1.net is written as 500, but today's rules "
        "give -500",
    ),
    (
        "table:pair-1",
        "UPDATE events SET transfers = '[]' WHERE stream = 'table:pair-1' AND version = 14",
        "table:pair-1, entry 14: the transfers are",
    ),
    (
        "table:money",
        "UPDATE events SET body = replace(body, 'seat_taken', 'seat_given_up') "
        "WHERE stream = 'table:money' AND kind = 'seat_taken' AND version < 5",
        "table:money, entry 2: today's rules refuse what is written here: seat",
    ),
    (
        "link:pot",
        "UPDATE events SET body = replace(body, '12345700', '12345800') "
        "WHERE stream = 'link:pot' AND version = 6",
        "link:pot, entry 6: contributed: microcents.main is written as 12345800",
    ),
    (
        "table:money",
        'UPDATE events SET body = replace(body, \'"seat":1\', \'"seat":"one"\') '
        "WHERE stream = 'table:money' AND version = 2",
        "table:money, entry 2: ",
    ),
    (
        "table:money",
        "UPDATE events SET body = '{}' WHERE stream = 'table:money' AND version = 2",
        "table:money, entry 2: it is not an event as 0.1 wrote them",
    ),
    (
        "table:money",
        "INSERT INTO requests VALUES ('table:money', 'again', 2, 2)",
        r"requests, entry 0: \d+ keys are listed, but",
    ),
    (
        "table:pair-2",
        "UPDATE balances SET cents = cents + 1 WHERE account = 'cage'",
        "balances, entry 0: cage holds",
    ),
    (
        "table:pair-2",
        "UPDATE chapters SET ended = '2026-11-15T12:00:00.000000Z' "
        "WHERE stream = 'table:pair-2' AND number = 4",
        "table:pair-2, entry .*the index of round 4 is",
    ),
    (
        "corrections:pair-1",
        'UPDATE events SET body = \'{"round":8,"entry":667}\' '
        "WHERE stream = 'corrections:pair-1' AND version = 1",
        "corrections:pair-1, entry 1: the corrections listed",
    ),
    (
        "link:pot",
        "DELETE FROM events WHERE stream = 'link:pot' AND version = "
        "(SELECT max(version) FROM events WHERE stream = 'link:pot')",
        "link:pot, entry .*: it is missing: today's rules give",
    ),
]


@pytest.mark.parametrize(("stream", "statement", "said"), OTHERWISE)
def test_what_todays_rules_do_not_give_is_named(
    few: Path, stream: str, statement: str, said: str
) -> None:
    _behind_our_back(few, statement)
    if stream in expected()["streams"]:
        _rechain(few, stream)
    with closing(sqlite3.connect(few, isolation_level=None)) as raw:
        raw.execute("DELETE FROM snapshots")
    new = few.with_name("new.db")
    with pytest.raises((Differs, ChainBroken), match=said):
        migrate_journal(str(few), str(new))
    assert _nothing_is_left(few.parent)


def test_a_round_that_the_index_had_begin_at_the_wrong_time_is_mended(few: Path) -> None:
    """As 0.1 could write it: issue 10, item 4."""
    wrong = "2026-11-16T04:00:00.000000Z"
    _behind_our_back(
        few,
        f"UPDATE chapters SET began = '{wrong}' WHERE stream = 'table:pair-1' AND number = 9",
    )
    new = few.with_name("new.db")
    found = migrate_journal(str(few), str(new))
    assert len(found.mended) == 1
    assert f"table:pair-1: the index had round 9 begin at {wrong}" in found.mended[0]
    with open_journal(new) as journal:
        assert verify(journal).valid


def test_clocks_that_differ_do_not_change_the_order_on_a_link(few: Path) -> None:
    """One of two tables on a link was written by a machine whose clock is an hour behind."""
    shift = "strftime('%Y-%m-%dT%H:', at, '-1 hour') || substr(at, 15)"
    _behind_our_back(
        few,
        f"UPDATE events SET at = {shift} WHERE stream = 'table:pair-2'",
        "UPDATE chapters SET began = strftime('%Y-%m-%dT%H:', began, '-1 hour') || "
        "substr(began, 15), ended = strftime('%Y-%m-%dT%H:', ended, '-1 hour') || "
        "substr(ended, 15) WHERE stream = 'table:pair-2'",
    )
    _rechain(few, "table:pair-2")
    new = few.with_name("new.db")
    migrate_journal(str(few), str(new))
    with open_journal(new) as journal, closing(sqlite3.connect(few)) as raw:
        assert verify(journal).valid
        assert journal.balances() == dict(raw.execute("SELECT * FROM balances").fetchall())


def test_bad_requests(copy: Path, tmp_path: Path) -> None:
    new, other = tmp_path / "new.db", tmp_path / "other"
    other.write_text("not a journal", "utf-8")
    migrate_journal(str(copy), str(new))
    cases = [
        (str(copy), str(new), "there is something at"),
        (str(new), str(tmp_path / "again.db"), "in today's form already"),
        (str(other), str(tmp_path / "again.db"), "it is not a SQLite database"),
        (str(tmp_path / "nowhere"), str(tmp_path / "again.db"), "there is no journal at"),
        (str(copy), str(tmp_path / "no" / "such.db"), "there is no folder"),
        (f"sqlite:///{tmp_path / 'nowhere'}", str(tmp_path / "again.db"), "there is no journal"),
        (str(copy), "sqlite://", "a journal needs a file"),
        (str(copy), f"sqlite:///{new}", "there is something at"),
        ("mysql://x", str(tmp_path / "again.db"), "unknown database"),
        (str(copy), "mysql://x", "unknown database"),
    ]
    for old, to, said in cases:
        ended = croupier("journal", "migrate", old, "--to", to, "--json")
        assert (ended.code, said in ended.json["error"]["message"]) == (2, True), ended
        assert said in ended.err
    assert sorted(path.name for path in tmp_path.iterdir() if "again" in path.name) == []
    assert not (tmp_path / "nowhere").exists()


def test_a_database_that_is_in_use_is_not_written_to(old: Path, postgres_url: str) -> None:
    open_journal(postgres_url).close()
    with pytest.raises(BadRequest, match="is not empty: it has tables balances"):
        migrate_journal(str(old), postgres_url)


def test_on_a_server_all_or_nothing(
    old: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_rows = migration._copy_rows

    def stop(source: Connection, target: Connection, table: Table, alike: Table) -> None:
        if table.name == "marks":
            raise RuntimeError("half way")
        copy_rows(source, target, table, alike)

    monkeypatch.setattr(migration, "_copy_rows", stop)
    with pytest.raises(RuntimeError, match="half way"):
        migrate_journal(str(old), postgres_url)
    monkeypatch.undo()
    assert migrate_journal(str(old), postgres_url).rounds == 243


CRASH = """
import os, sys
from croupier.ledger import migration
count = 0
def crash(words):
    global count
    count += "migrated" in words
    if count == 20:
        os._exit(9)
migration.migrate_journal(sys.argv[1], sys.argv[2], crash)
"""


def test_a_crash_half_way_leaves_no_journal_and_the_next_run_does_it(copy: Path) -> None:
    new = copy.with_name("new.db")
    done = subprocess.run(
        [sys.executable, "-c", CRASH, str(copy), str(new)], check=False, timeout=120
    )
    assert done.returncode == 9
    assert not new.exists()
    ended = croupier("journal", "migrate", str(copy), "--to", str(new))
    assert ended.code == 0, ended
    assert "It verifies." in ended.text
    assert [path.name for path in copy.parent.iterdir() if path.name.startswith("new")] == [
        "new.db"
    ]
    assert croupier("verify", "--journal", str(new)).code in WHOLE


# -- opening --------------------------------------------------------------------------------------


def test_opening_an_old_journal_names_the_command_and_touches_nothing(copy: Path) -> None:
    for command in (["verify"], ["replay", "pair-1", "1"], ["reindex"]):
        ended = croupier(*command, "--journal", str(copy), "--json")
        assert ended.code == 2
        assert ended.json["error"]["code"] == "old_journal"
        assert "croupier journal migrate OLD --to NEW" in ended.json["error"]["message"]
    with closing(sqlite3.connect(copy)) as raw:
        assert raw.execute("SELECT max(version) FROM migrations").fetchone() == (1,)
        assert raw.execute("SELECT count(*) FROM events").fetchone() == (4291,)


def test_an_old_journal_with_nothing_in_it_is_brought_up_in_place(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as raw:
        query = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_never_%'"
        triggers = [statement for (statement,) in raw.execute(query)]
    tables = ("events", "requests", "chapters", "marks", "balances", "snapshots")
    _behind_our_back(copy, *(f"DELETE FROM {table}" for table in tables), *triggers)
    with open_journal(copy) as journal:
        assert verify(journal).valid
        assert journal.streams() == ()
    with closing(sqlite3.connect(copy)) as raw:
        names = {name for (name,) in raw.execute("SELECT name FROM sqlite_master")}
        assert "events" not in names
        assert {"entries", "postings", "entries_never_go", "requests_once"} <= names
        assert raw.execute("SELECT version FROM migrations").fetchall() == [(1,), (3,)]
