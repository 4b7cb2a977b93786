"""The progressive controller over HTTP: who may look, who may tell a link what, and once only."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import Start
from tests.web.kit import Answer, Caller, check_problem


def tell(who: Caller, link: str, key: str, **command: Any) -> Answer:
    return who.call("POST", f"/links/{link}/commands", command, {"Idempotency-Key": key})


def test_staff_see_every_link_with_its_history(start: Start) -> None:
    server = start()
    for role in ("dealer", "floorperson", "operator", "auditor", "surveillance"):
        who = server.staff(role)
        listed = who.get("/links")
        assert {row["link"] for row in listed["links"]} >= {"md-uth", "md-235"}
        may = [one["type"] for one in listed["commands"]]
        is_floor = role in ("floorperson", "operator")
        assert may == (["change_terms", "close_link"] if is_floor else [])
        found = who.get("/links/md-uth?limit=1")
        assert found["meters"]["main"]["shown"] == "10000.00"
        (newest,) = found["history"]
        assert newest["words"].startswith("opened: main: seed")
        assert [member["table"] for member in found["members"]] == ["md-uth"]


def test_players_and_strangers_do_not_see_the_controller(start: Start) -> None:
    server = start()
    for who, status in ((server.guest(), 403), (server.stranger().look(), 401)):
        for path in ("/links", "/links/md-uth"):
            found = who.call("GET", path)
            assert found.status == status
            check_problem(found)


def test_terms_change_once_and_everybody_sees_them(start: Start) -> None:
    server = start()
    olga = server.staff("operator")
    change = {"type": "change_terms", "meter": "main", "rate": "0.06", "reason": "promotion"}
    assert tell(olga, "md-uth", "k1", **change).body["repeated"] is False
    assert tell(olga, "md-uth", "k1", **change).body["repeated"] is True
    found = server.staff("auditor").get("/links/md-uth")
    assert found["meters"]["main"]["rate"] == "0.06"
    assert found["history"][0]["by"] == "operator operator-1"


@pytest.mark.parametrize(
    "command",
    [
        {"type": "change_terms", "meter": "main", "rate": "0.06", "reason": "x"},
        {"type": "close_link", "reason": "x"},
    ],
)
def test_nobody_but_the_floor_tells_a_link_anything(start: Start, command: Any) -> None:
    server = start()
    before = server.staff("operator").get("/links/md-uth")
    for role in ("player", "dealer", "auditor", "surveillance"):
        found = tell(server.staff(role), "md-uth", "k1", **command)
        assert (found.status, found.body["code"]) == (403, "wrong_role"), role
        check_problem(found)
    assert tell(server.guest(), "md-uth", "k1", **command).status == 403
    assert tell(server.stranger().look(), "md-uth", "k1", **command).status == 401
    assert server.staff("operator").get("/links/md-uth") == before


@pytest.mark.parametrize(
    ("role", "link", "command", "status", "code"),
    [
        ("dealer", "md-uth", {"rate": "0.06", "reason": "x"}, 403, "wrong_role"),
        ("auditor", "md-uth", {"rate": "0.06", "reason": "x"}, 403, "wrong_role"),
        ("operator", "nowhere", {"rate": "0.06", "reason": "x"}, 404, "not_found"),
        ("operator", "md-uth", {"rate": "lots", "reason": "x"}, 400, "bad_amount"),
        ("operator", "md-uth", {"rate": "0.06"}, 400, "bad_data"),
        ("operator", "md-uth", {"reset": "1.00", "reason": "x"}, 422, "below_minimum"),
        ("operator", "md-uth", {"reset": 5, "reason": "x"}, 400, "bad_amount"),
    ],
)
def test_what_a_link_is_told_wrongly(
    start: Start, role: str, link: str, command: dict[str, Any], status: int, code: str
) -> None:
    who = start().staff(role)
    found = tell(who, link, "k1", type="change_terms", meter="main", **command)
    assert (found.status, found.body["code"]) == (status, code), found.body
    check_problem(found)
