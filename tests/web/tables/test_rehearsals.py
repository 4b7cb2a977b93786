"""Anybody may try a job in the demo, at rehearsal tables and nowhere else."""

from __future__ import annotations

import time
from typing import Any

import pytest

from croupier.ledger.records.table_entries import Attempt, attempts_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import from_json
from croupier.runtime.dealer import FAST
from croupier.web.tables.rehearsals import MOST_EACH
from tests.web.conftest import Server, Start
from tests.web.kit import GAMES, OTHER_SHAPES, PATIENCE, Caller, check_problem

ROLES = ("dealer", "floorperson", "operator", "auditor")
STAFF = ("dealer", "floorperson", "operator")


@pytest.fixture
def server(start: Start) -> Server:
    return start(pace=FAST, software_floor=False)


def _try(server: Server, role: str, rulebook: str = "md-uth") -> tuple[Caller, str]:
    """Somebody who tries a job, and his table."""
    who = server.stranger().look()
    found = who.call("POST", "/guests", {"role": role})
    assert found.status == 201, found
    assert (found.body["role"], found.body["guest"]) == (role, True)
    who.csrf, who.name = found.body["csrf"], found.body["name"]
    table = who.call("POST", "/rehearsals", {"rulebook": rulebook})
    assert table.status == 201, table
    return who, table.body["table"]


def _until(who: Caller, table: str, wanted: Any) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = wanted(who.view(table))
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{table} is stuck: {who.view(table)['round']}")


@pytest.mark.parametrize("role", ROLES)
def test_one_click_leads_to_a_rehearsal_table_and_the_page_of_the_job(
    server: Server, role: str
) -> None:
    who, table = _try(server, role)
    assert table == "rehearsal-md-uth-1"
    view = who.view(table)
    assert (view["source"], view["rehearsal"]) == ("live", True)
    assert not who.view("md-uth")["rehearsal"]
    _, other = _try(server, role)
    assert (other == table) == (role in ("operator", "auditor")), "those who look share a table"
    again = who.call("POST", "/rehearsals", {"rulebook": "md-uth"})
    assert again.body["table"] == table, "he comes back to his own"


def _deal(dealer: Caller, table: str, step: Any, deck: list[str]) -> None:
    """What a dealer does at his console: the step's command with what is asked for."""
    command = dict(step["command"])
    for name in step["asks"]:
        match name:
            case "cards":
                command["cards"] = [deck.pop() for _ in range(step["cards"])]
            case "count":
                command["count"] = 52
            case "depth":
                command["depth"] = 20
    dealer.do(table, **command)


@pytest.mark.parametrize("game", [*GAMES, *OTHER_SHAPES])
def test_a_guest_alone_deals_a_whole_round(server: Server, game: str) -> None:
    """He does what waits for a dealer; software sits, bets, answers, and is the floorperson."""
    dealer, table = _try(server, "dealer", game)
    end = time.monotonic() + PATIENCE
    done: list[str] = []
    deck = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]
    while time.monotonic() < end:
        found = dealer.get(f"/tables/{table}/work")
        mine = [one for one in found["steps"] if one["mine"] and one["step"] not in ("ask", "view")]
        if found["round"] == 1 and found["phase"] == "over":
            break
        if not mine or (mine[0]["step"] == "close_bets" and not _all_bet(dealer, table)):
            time.sleep(0.02)
            continue
        _deal(dealer, table, mine[0], deck)
        done.append(mine[0]["step"])
    else:
        raise AssertionError(f"stuck after {done}")
    assert {"open_betting", "close_bets", "deal", "settle", "collect"} <= set(done)
    assert "verify" not in done, "that takes a floorperson, who was software"
    assert verify(server.pit.journal).valid


def _all_bet(dealer: Caller, table: str) -> bool:
    view = dealer.view(table)
    seated = {seat["player"] for seat in view["seats"] if seat["player"]}
    return seated == {seat["player"] for seat in view["round"]["seats"]}


def _wait_for_step(who: Caller, table: str, step: str) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if step in [one["step"] for one in who.get(f"/tables/{table}/work")["steps"]]:
            return
        time.sleep(0.02)
    raise AssertionError(f"{step} never waits at {table}")


@pytest.mark.parametrize("role", ["floorperson", "auditor"])
def test_where_nobody_deals_software_does(server: Server, role: str) -> None:
    who, table = _try(server, role)
    if role == "floorperson":
        _wait_for_step(who, table, "verify")
        who.do(table, type="handle_deck", step="verify")
    _until(who, table, lambda view: _second_round(who, role, table, view))
    assert verify(server.pit.journal).valid


def _second_round(who: Caller, role: str, table: str, view: Any) -> bool:
    """A progressive that the cards happen to win waits for whoever tries the floor's job."""
    claim = view["round"]["claim"]
    if claim is not None and role == "floorperson":
        who.do(table, type="validate_progressive", seat=claim["seat"])
    return bool(view["round"]["number"] >= 2)


# -- what they may not ----------------------------------------------------------------------------


@pytest.mark.parametrize("role", STAFF)
def test_a_guest_who_tries_a_job_cannot_touch_a_players_table(server: Server, role: str) -> None:
    ann = server.guest()
    ann.sit("md-uth", 1)
    who, _ = _try(server, role)
    before = who.view("md-uth")["version"]
    commands: list[dict[str, Any]] = [
        {"type": "close_bets"},
        {"type": "void_round", "reason": "because"},
        {"type": "close_table", "void_reason": "because"},
        {"type": "buy_in", "player": ann.name, "amount": "5.00"},
    ]
    for command in commands:
        found = who.send("md-uth", **command)
        assert (found.status, found.body["code"]) == (403, "rehearsal_only")
        check_problem(found)
        assert "rehearsal tables only" in found.body["message"]
    assert who.view("md-uth")["version"] == before
    noted: list[Attempt] = [
        from_json(entry.body, Attempt)
        for entry in server.pit.journal.read(attempts_stream("md-uth"))
    ]
    assert [(one.by.name, one.code) for one in noted[-4:]] == [(who.name, "rehearsal_only")] * 4


def test_a_guest_operator_opens_rehearsal_tables_only_and_on_no_link_of_others(
    server: Server,
) -> None:
    who, table = _try(server, "operator")
    opening: dict[str, Any] = {
        "type": "open_table",
        "rulebook": "md-uth",
        "source": "live",
        "submission": "{}",
    }
    asked: list[tuple[str, dict[str, Any]]] = [
        ("mine", {"table": "mine"}),
        ("rehearsal-mine", {"table": "mine"}),
        ("rehearsal-mine", {"table": "rehearsal-mine", "link": "md-uth"}),
    ]
    for name, told in asked:
        found = who.send(name, **opening, **told)
        assert (found.status, found.body["code"]) == (403, "rehearsal_only"), found.body
    for _ in range(50):  # the round goes on meanwhile
        in_play = who.view(table)["round"]["phase"] != "over"
        if who.send(table, type="close_table", void_reason="late" if in_play else "").status == 200:
            break
    assert not who.view(table)["is_open"]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/people"),
        ("GET", "//people/"),
        ("POST", "/people"),
        ("POST", "/people/ann/password"),
        ("POST", "/links/md-uth/close"),
        ("GET", "/tables/md-uth/shoes"),
        ("POST", "/tables/md-uth/shoes"),
        ("POST", "/tables/md-uth/foresee"),
    ],
)
def test_a_guest_who_tries_a_job_is_shut_out_of_what_is_the_houses(
    server: Server, role: str, method: str, path: str
) -> None:
    who, _ = _try(server, role)
    found = who.call(method, path, None if method == "GET" else {})
    assert (found.status, found.body["code"]) == (403, "rehearsal_only")


def test_guests_in_a_role_are_for_the_demo(start: Start) -> None:
    who = start(demo=False).stranger().look()
    found = who.call("POST", "/guests", {"role": "dealer"})
    assert (found.status, found.body["code"]) == (409, "no_guests")


@pytest.mark.parametrize("body", [{"role": "surveillance"}, {"role": "king"}, {"rolle": "dealer"}])
def test_a_role_that_guests_cannot_have(server: Server, body: Any) -> None:
    found = server.stranger().look().call("POST", "/guests", body)
    assert found.status == 400


def test_without_a_body_a_guest_plays(server: Server) -> None:
    found = server.stranger().look().call("POST", "/guests")
    assert (found.status, found.body["role"]) == (201, "player")


def test_players_and_staff_have_no_rehearsal_tables(server: Server) -> None:
    for who in (server.guest(), server.staff("dealer")):
        found = who.call("POST", "/rehearsals", {"rulebook": "md-uth"})
        assert (found.status, found.body["code"]) == (403, "wrong_role")


def test_two_guests_have_two_tables_and_there_are_never_too_many(server: Server) -> None:
    people = [_try(server, "dealer") for _ in range(MOST_EACH)]
    assert len({table for _, table in people}) == MOST_EACH
    late = server.stranger().look()
    found = late.call("POST", "/guests", {"role": "dealer"})
    late.csrf = found.body["csrf"]
    full = late.call("POST", "/rehearsals", {"rulebook": "md-uth"})
    assert (full.status, full.body["code"]) == (409, "not_now")
    unknown = late.call("POST", "/rehearsals", {"rulebook": "md-ut"})
    assert (unknown.status, unknown.body["code"]) == (422, "unknown_name")


def test_a_table_where_nobody_is_begins_anew_for_the_next(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, table = _try(server, "auditor")
    _until(first, table, lambda view: view["round"]["number"] >= 1)
    monkeypatch.setattr("croupier.web.tables.presence.AT_WORK", 0.0)
    monkeypatch.setattr("croupier.web.tables.presence.STAYS", 0.0)
    second, again = _try(server, "dealer")
    assert again == table
    assert not second.get(f"/tables/{table}/work")["steps"][0]["back"], "no deck is there yet"
