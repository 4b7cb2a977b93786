"""A thief who can write to the database leaves the entries alone and changes what stands beside
them: accounts, sessions, triggers, views."""

from __future__ import annotations

import importlib
import pkgutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import MetaData, create_engine, inspect

import croupier
from croupier.cards import Card
from croupier.ledger.history.search import index_by_time
from croupier.ledger.journal import open_journal
from croupier.ledger.side_tables import SIDE_INDEXES, SIDE_TABLES
from croupier.ledger.stores import schema
from croupier.ledger.verification.verify import verify
from croupier.rounds.reading_shoe import ShoePlace
from croupier.runtime.leases import PostgresLeases
from croupier.web.accounts.people import People
from croupier.web.accounts.second_factors import STEP_SECONDS, code_at, fresh_secret
from croupier.web.server.settings import Settings
from croupier.web.tables.shoes import ReadCard, Shoes
from tests.attacks.test_forged_entries import messages, thief
from tests.web.conftest import Server, Start
from tests.web.kit import PASSWORD, Caller

# -- accounts and sessions ------------------------------------------------------------------------


def changed(server: Server, *statements: str) -> None:
    with closing(sqlite3.connect(server.pit.journal.name, isolation_level=None)) as raw:
        for statement in statements:
            assert raw.execute(statement).rowcount > 0, statement


def refused(server: Server, name: str) -> str:
    """The code of the refusal with which a right password is answered."""
    caller = server.stranger().look()
    found = caller.call("POST", "/session", {"name": name, "password": PASSWORD})
    assert found.status in (401, 403), found
    return str(found.body["code"])


def differences(server: Server) -> str:
    return messages(verify(server.pit.journal))


ACCOUNT_CHANGES = {
    "a role": ("UPDATE web_people SET role = 'operator' WHERE name = 'dan'", "was given dealer"),
    "a password": (
        "UPDATE web_people SET password = (SELECT password FROM web_people WHERE name = 'eve')"
        " WHERE name = 'dan'",
        "dan has a password that nobody gave them",
    ),
    "an account": (
        "INSERT INTO web_people (name, role, password, guest, made_at, failures, locked_until)"
        " SELECT 'mallory', 'operator', password, 0, made_at, 0, '' FROM web_people"
        " WHERE name = 'dan'",
        "mallory has an account that nobody gave them",
    ),
    "an authenticator": (
        "INSERT INTO web_second_factors VALUES ('dan', 'JBSWY3DPEHPK3PXP', 1, 0, '2026')",
        "the authenticator of dan was changed",
    ),
}


@pytest.mark.parametrize("what", ACCOUNT_CHANGES)
def test_nobody_signs_in_with_what_a_thief_wrote(start: Start, what: str) -> None:
    server = start()
    for name in ("dan", "eve"):
        server.staff("dealer", name)
    statement, message = ACCOUNT_CHANGES[what]
    changed(server, statement)
    assert refused(server, "mallory" if what == "an account" else "dan") == "not_on_record"
    assert message in differences(server)
    server.pit.people.set_password("eve", PASSWORD)
    assert Caller(server.client).sign_in("eve").name == "eve", "others sign in"


def test_somebody_disabled_does_not_come_back(start: Start) -> None:
    server = start()
    server.staff("dealer", "dan")
    with closing(sqlite3.connect(server.pit.journal.name)) as raw:
        query = "SELECT password FROM web_people WHERE name = 'dan'"
        (hashed,) = raw.execute(query).fetchone()
    server.pit.people.disable("dan")
    changed(server, f"UPDATE web_people SET password = '{hashed}' WHERE name = 'dan'")
    assert refused(server, "dan") == "not_on_record"
    assert "dan has a password that nobody gave them" in differences(server)


def test_an_authenticator_taken_away_lets_nobody_in(start: Start) -> None:
    server = start()
    people = server.pit.people
    server.staff("dealer", "dan")
    secret = people.enrol("dan", PASSWORD)
    now = 1_800_000_000
    people._factors.check("dan", code_at(secret, now // STEP_SECONDS), now, is_needed=True)
    assert not differences(server)
    changed(server, "DELETE FROM web_second_factors")
    assert refused(server, "dan") == "not_on_record"
    assert "the authenticator of dan was changed or taken away" in differences(server)
    with pytest.raises(croupier.CroupierError):
        people.enrol("dan", PASSWORD)
    assert fresh_secret() != secret


def test_a_session_put_in_or_raised_is_nobody(start: Start) -> None:
    server = start()
    server.staff("operator", "olga")
    dan = server.staff("dealer", "dan")
    assert dan.get("/me")["role"] == "dealer"
    changed(server, "UPDATE web_sessions SET person = 'olga' WHERE person = 'dan'")
    server.pit.session_ended("dan")
    assert dan.call("GET", "/people").status == 401
    assert "a session of olga was put in or changed" in differences(server)
    eve = server.staff("dealer", "eve")
    changed(server, "UPDATE web_people SET role = 'operator' WHERE name = 'eve'")
    server.pit.session_ended("eve")
    assert eve.call("GET", "/people").status == 401


def test_a_shoe_put_in_enters_no_card(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path) as journal:
        shoes = Shoes(journal)
        _, token = shoes.add("T1", "left", "olga")
        _, other = shoes.add("T2", "right", "olga")
        card = ReadCard(ShoePlace("dealer"), Card.parse("As"), "r-1")
        shoes.keep("T1", 1, 0, [card])
        assert shoes.find(token) is not None
        assert shoes.read("T1", 1) == [card]
        assert verify(journal).valid
        with closing(sqlite3.connect(path, isolation_level=None)) as raw:
            raw.execute("UPDATE web_shoe_cards SET card = '2c'")
            raw.execute("UPDATE web_shoes SET game_table = 'T9' WHERE name = 'left'")
        assert shoes.find(token) is None
        assert shoes.find(other) is not None
        with pytest.raises(croupier.CroupierError, match="was changed in the database"):
            shoes.read("T1", 1)
        assert {one.stream for one in verify(journal).differences} == {
            *("web_shoes", "web_shoe_cards")
        }


# -- the form of the database ---------------------------------------------------------------------


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A journal with all tables that servers make."""
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    if request.param == "postgresql":
        url = str(request.getfixturevalue("postgres_url"))
    with open_journal(url) as journal:
        People(journal, Settings(url))
        index_by_time(journal)
        if request.param == "postgresql":
            PostgresLeases(journal)
    return url


def checked(url: str) -> str:
    with open_journal(url) as journal:
        return messages(verify(journal))


def test_what_servers_make_is_no_difference(url: str) -> None:
    assert not checked(url)


BOTH: dict[str, tuple[str, ...]] = {
    "a table": ("CREATE TABLE loot (cents integer)", "its table loot is not Croupier's"),
    "a column": ("ALTER TABLE balances ADD COLUMN loot integer", "has a column loot that is not"),
    "a column beside": ("ALTER TABLE web_people ADD COLUMN loot integer", "has a column loot"),
    "an index": ("CREATE INDEX loot ON entries (kind)", "its index loot is not Croupier's"),
    "an index gone": ("DROP INDEX chapters_by_time", "index chapters_by_time is gone or changed"),
    "a view": ("CREATE VIEW loot AS SELECT 1 AS one", "its view loot is not Croupier's"),
    "a view gone": ("DROP VIEW postings", "its view postings is gone or changed"),
    "a view changed": (
        "DROP VIEW postings",
        "CREATE VIEW postings AS SELECT stream, version, 0 AS line, 'a' AS source, 'b' AS target,"
        " 1 AS cents FROM entries",
        "its view postings is gone or changed",
    ),
}
IN_SQLITE: dict[str, tuple[str, ...]] = {
    "a trigger": (
        "CREATE TRIGGER loot AFTER INSERT ON web_sign_ins BEGIN UPDATE balances SET cents = 0; END",
        "its trigger loot is not Croupier's",
    ),
}
_FUNCTION = "CREATE FUNCTION loot() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"
IN_POSTGRES: dict[str, tuple[str, ...]] = {
    "a trigger": (
        _FUNCTION,
        "CREATE TRIGGER loot BEFORE INSERT ON entries FOR EACH ROW EXECUTE FUNCTION loot()",
        "its trigger loot is not Croupier's",
    ),
    "a trigger of another table": (
        _FUNCTION,
        "CREATE TRIGGER loot BEFORE INSERT ON web_people FOR EACH ROW EXECUTE FUNCTION loot()",
        "its trigger loot is not Croupier's",
    ),
    "a function that never raises": (
        "CREATE OR REPLACE FUNCTION croupier_append_only() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN IF false THEN RAISE EXCEPTION 'the journal is append-only'; END IF;"
        " RETURN NEW; END $$",
        "its trigger entries_never_change is gone or changed",
    ),
    "a trigger disabled": (
        "ALTER TABLE entries DISABLE TRIGGER entries_never_go",
        "its trigger entries_never_go is gone or changed",
    ),
    "a rule": (
        "CREATE RULE loot AS ON DELETE TO requests DO INSTEAD NOTHING",
        "its rule loot is not Croupier's",
    ),
}
CASES = [
    *(("sqlite", what) for what in BOTH | IN_SQLITE),
    *(("postgresql", what) for what in BOTH | IN_POSTGRES),
]


@pytest.mark.parametrize(("url", "what"), CASES, indirect=["url"])
def test_what_a_thief_adds_or_changes_is_told(url: str, what: str) -> None:
    own = IN_SQLITE if url.startswith("sqlite") else IN_POSTGRES
    *statements, message = (BOTH | own)[what]
    with thief(url) as execute:
        for statement in statements:
            execute(statement)
    assert message in checked(url)


def test_the_tables_beside_the_journal_are_those_that_the_program_makes() -> None:
    made: dict[str, tuple[str, ...]] = {}
    indexes: set[str] = set()
    for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if module.name.startswith(("croupier.web", "croupier.school")):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, MetaData) and value is not schema.metadata:
                    engine = create_engine("sqlite://")
                    value.create_all(engine)
                    looked = inspect(engine)
                    for name in looked.get_table_names():
                        made[name] = tuple(c["name"] for c in looked.get_columns(name))
                        indexes |= {str(one["name"]) for one in looked.get_indexes(name)}
    others = {"croupier_checkpoints", "runtime_leases", "runtime_workers"}
    assert made == {name: told for name, told in SIDE_TABLES.items() if name not in others}
    assert indexes == SIDE_INDEXES - {"runtime_leases_token"}
