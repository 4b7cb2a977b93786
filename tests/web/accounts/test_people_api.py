"""Accounts: kept by operators, never the last one gone, nobody by himself."""

from __future__ import annotations

from pathlib import Path

import pytest
from litestar.exceptions import WebSocketDisconnect

from croupier.web.accounts import guard
from croupier.web.tables import live
from tests.commands.program import croupier
from tests.web.conftest import Server, Start
from tests.web.kit import PASSWORD, Answer, Caller, check_problem

NEW = "another long password"


def refused(found: Answer, status: int, code: str) -> None:
    assert (found.status, found.body["code"]) == (status, code), found.body
    check_problem(found)


def names(who: Caller) -> dict[str, str]:
    rows = who.get("/people")["people"]
    return {row["name"]: "disabled" if row["disabled"] else row["role"] for row in rows}


def test_an_operator_keeps_the_accounts(start: Start) -> None:
    server = start()
    olga = server.staff("operator", "Olga")
    made = {"name": "Dan", "role": "dealer", "password": PASSWORD}
    assert olga.call("POST", "/people", made).status == 201
    refused(olga.call("POST", "/people", made), 409, "already_done")
    assert names(olga) == {"Dan": "dealer", "Olga": "operator"}
    assert olga.call("POST", "/people/Dan/role", {"role": "surveillance"}).status == 200
    assert names(olga)["Dan"] == "surveillance"
    refused(olga.call("POST", "/people/Dan/role", {"role": "surveillance"}), 409, "already_done")
    assert olga.call("POST", "/people/Dan/password", {"password": NEW}).status == 200
    assert Caller(server.client).sign_in("Dan", NEW).name == "Dan"
    assert "Dan" not in {row["name"] for row in olga.get("/people")["people"] if row["disabled"]}


def test_whoever_is_disabled_is_out_at_once_and_stays_in_the_list(start: Start) -> None:
    server = start()
    olga, dan = server.staff("operator", "Olga"), server.staff("dealer", "Dan")
    assert dan.get("/tables/md-uth/work")
    with dan.live("md-uth") as connection:
        connection.receive_json()
        assert olga.call("POST", "/people/Dan/disable").status == 200
        with pytest.raises(WebSocketDisconnect, match="this session has ended"):
            connection.receive()
    refused(dan.call("GET", "/tables/md-uth/work"), 401, "signed_out")
    again = Caller(server.client).look()
    signing = {"name": "Dan", "password": PASSWORD}
    refused(again.call("POST", "/session", signing), 401, "wrong_password")
    assert names(olga) == {"Dan": "disabled", "Olga": "operator"}
    refused(olga.call("POST", "/people/Dan/disable"), 409, "already_done")
    assert olga.call("POST", "/people/Dan/password", {"password": NEW}).status == 200
    assert Caller(server.client).sign_in("Dan", NEW).name == "Dan"


def test_a_connection_ends_when_another_worker_disables_the_person(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (live, guard):
        monkeypatch.setattr(module, "REMEMBER_SECONDS", 0.05)
    server = start()
    server.staff("operator", "Olga")
    dan = server.staff("dealer", "Dan")
    with dan.live("md-uth") as connection:
        connection.receive_json()
        server.pit.people.disable("Dan")  # this server is not told
        with pytest.raises(WebSocketDisconnect, match="this session has ended"):
            connection.receive()


def test_an_operator_is_always_left(start: Start) -> None:
    server = start()
    olga = server.staff("operator", "Olga")
    refused(olga.call("POST", "/people/Olga/disable"), 403, "not_yours")
    refused(olga.call("POST", "/people/Olga/role", {"role": "dealer"}), 403, "not_yours")
    oscar = server.staff("operator", "Oscar")
    assert olga.call("POST", "/people/Oscar/disable").status == 200
    refused(oscar.call("POST", "/people/Olga/disable"), 401, "signed_out")
    with pytest.raises(Exception, match="last operator") as last:
        server.pit.people.disable("Olga")
    assert last.value.code == "last_operator"  # type: ignore[attr-defined]
    with pytest.raises(Exception, match="last operator"):
        server.pit.people.set_role("Olga", "dealer")


@pytest.mark.parametrize("role", ["player", "dealer", "floorperson", "auditor", "surveillance"])
def test_nobody_else_keeps_accounts(server: Server, role: str) -> None:
    who = server.staff(role)
    refused(who.call("GET", "/people"), 403, "wrong_role")
    made = {"name": "Eve", "role": "operator", "password": PASSWORD}
    refused(who.call("POST", "/people", made), 403, "wrong_role")
    refused(who.call("POST", f"/people/{who.name}/role", {"role": "operator"}), 403, "wrong_role")


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("", {"name": "guest-1", "role": "dealer", "password": PASSWORD}, 400, "bad_request"),
        ("", {"name": "Dan", "role": "boss", "password": PASSWORD}, 400, "bad_data"),
        ("", {"name": "Dan", "role": "dealer", "password": "short"}, 400, "bad_request"),
        ("/Nobody/disable", None, 422, "unknown_name"),
        ("/Nobody/role", {"role": "dealer"}, 422, "unknown_name"),
    ],
)
def test_accounts_that_cannot_be(
    server: Server, path: str, body: object, status: int, code: str
) -> None:
    olga = server.staff("operator", "Olga")
    refused(olga.call("POST", f"/people{path}", body), status, code)


def test_accounts_from_the_command_line(tmp_path: Path) -> None:
    path, word = tmp_path / "journal.db", tmp_path / "word"
    word.write_text(PASSWORD)
    said = ("--database", path)
    for name, role in (("Olga", "operator"), ("Sue", "surveillance")):
        made = ("people", "add", name, "--role", role, *said, "--password-file", word)
        assert croupier(*made).code == 0
    assert croupier("people", "disable", "Sue", *said).code == 0
    assert croupier("people", "disable", "Sue", *said).code == 1
    assert croupier("people", "disable", "Olga", *said).code == 1, "the last operator"
    assert croupier("people", "disable", "Zoe", *said).code == 2
    rows = croupier("people", "list", *said, "--json").json["people"]
    assert [(row["name"], row["disabled"]) for row in rows] == [("Olga", False), ("Sue", True)]
    assert croupier("people", "password", "Sue", *said, "--password-file", word).code == 0
    assert b"disabled" not in croupier("people", "list", *said).out
