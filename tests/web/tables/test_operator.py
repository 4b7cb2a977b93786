"""What an operator sends: submissions and rulebooks are checked before anything opens, in bounded
time."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger.verification.verify import verify
from croupier.rulebooks.bundled import BUNDLED, read_bundled
from croupier.rulebooks.loader import load_rulebook, rulebook_from
from croupier.submissions.starting import starting_submission, submission_toml
from croupier.submissions.uploads import Upload
from croupier.web.tables.submission_checker import Checker
from tests.params import few
from tests.web.conftest import Server, Start
from tests.web.kit import GAMES, Answer, Caller, check_problem

EXAMPLES = Path(__file__).parents[3] / "examples"
PAPER = (EXAMPLES / "submissions/maryland-uth.toml").read_text()
OWN = (EXAMPLES / "harbour-holdem.toml").read_text()


def check(who: Caller, body: Any, kind: str = "application/json") -> Answer:
    return who.call("POST", "/submissions/check", body, {"Content-Type": kind})


def opening(table: str, checked: Any, **more: Any) -> dict[str, Any]:
    told = {"type": "open_table", "table": table, "rulebook": checked["rulebook"]}
    return {**told, "submission": checked["submission"], "inventory": "50000.00", **more}


def test_findings_are_those_of_croupier_check(server: Server) -> None:
    operator = server.staff("operator")
    found = check(operator, {"toml": PAPER}).body
    assert (found["valid"], found["findings"]) == (True, [])
    assert found["bounds"][0]["set_by"] == "at_least"
    as_text = check(operator, PAPER.encode(), "application/toml").body
    assert as_text == found
    worse = check(operator, {"toml": PAPER.replace("payout_limit = 50000", "payout_limit = 5")})
    assert [(one["severity"], one["clause"]) for one in worse.body["findings"]] == [
        ("error", "12.F(1)")
    ]


@pytest.mark.parametrize("role", ["player", "dealer", "auditor"])
def test_others_check_nothing(server: Server, role: str) -> None:
    who = server.guest() if role == "player" else server.staff(role)
    found = check(who, {"toml": PAPER})
    assert (found.status, found.body["code"]) == (403, "wrong_role")
    check_problem(found)
    assert check(server.stranger().look(), {"toml": PAPER}).status == 401


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"\xff\xfe rulebook", "application/toml", 400),
        (b"\xff\xfe rulebook", "application/json", 400),
        (b"[" * 50_000, "application/json", 400),
        (b'{"toml": 5}', "application/json", 400),
        (b'{"nothing": ""}', "application/json", 400),
        (b"x" * 10_000_000, "application/toml", 403),
    ],
)
def test_a_body_that_is_no_upload_is_refused_in_words(
    server: Server, body: bytes, kind: str, status: int
) -> None:
    found = check(server.staff("operator"), body, kind)
    assert found.status == status, found.body
    check_problem(found)


BOMBS = {
    "deep arrays": "x = " + "[" * 60_000,
    "deep keys": ".".join(["a"] * 60_000) + " = 1",
    "deep tables": "[" + ".".join(["a"] * 60_000) + "]",
    "many tables": "\n".join(f"[t{n}]" for n in range(15_000)),
    "a long number": "rulebook = " + "9" * 100_000,
    "a long name": 'rulebook = "' + "m" * 100_000 + '"',
}


def test_a_bomb_ends_in_findings_within_seconds(server: Server) -> None:
    operator = server.staff("operator")
    for bomb in BOMBS.values():
        for field in ("toml", "rulebook_text"):
            began = time.monotonic()
            found = check(operator, {field: bomb})
            assert (found.status, found.body["valid"]) == (200, False)
            assert all(len(one["message"]) < 2000 for one in found.body["findings"])
            assert time.monotonic() - began < 60


@pytest.mark.parametrize("huge", ["positions", "cards", "deal"])
def test_a_rulebook_of_huge_numbers_ends_in_findings(server: Server, huge: str) -> None:
    text = read_bundled("md-uth", "game.toml")
    changed = {
        "positions": text.replace("most = 6", f"most = {10**15}", 1),
        "cards": text.replace("community = 5", f"community = {10**9}", 1),
        "deal": text.replace("times = 2", f"times = {10**9}"),
    }[huge]
    began = time.monotonic()
    found = check(server.staff("operator"), {"rulebook_text": changed})
    assert (found.status, found.body["valid"]) == (200, False), found.body["findings"]
    assert time.monotonic() - began < 90


def test_a_check_that_does_not_end_is_ended() -> None:
    checker = Checker(seconds=0.0)
    try:
        found = checker.check(Upload(toml=PAPER))
        assert not found.valid
        assert "longer than" in found.findings[0].message
    finally:
        checker.close()


@pytest.mark.parametrize("game", few(GAMES, "md-uth", "md-235"))
def test_each_game_opens_from_the_submission_to_begin_from(start: Start, game: str) -> None:
    server = start(software_dealer=False)
    operator = server.staff("operator")
    offered = operator.get(f"/rulebooks/{game}")
    checked = check(operator, {"toml": offered["toml"]}).body
    assert checked["valid"], checked["findings"]
    operator.do(f"new-{game}", **opening(f"new-{game}", checked))
    assert operator.view(f"new-{game}")["rulebook"] == game
    assert verify(server.pit.journal).valid


def test_a_table_does_not_open_while_an_error_stands(server: Server) -> None:
    operator = server.staff("operator")
    checked = check(operator, {"toml": PAPER.replace("payout_limit = 50000", "payout_limit = 5")})
    found = operator.send("new", **opening("new", checked.body))
    assert (found.status, found.body["code"], found.body["clause"]) == (
        409,
        "submission_invalid",
        "12.F(1)",
    )
    assert "new" not in [table["id"] for table in operator.get("/tables")["tables"]]


def test_a_submission_for_one_game_does_not_open_another(server: Server) -> None:
    operator = server.staff("operator")
    checked = check(operator, {"toml": PAPER}).body
    found = operator.send("new", **opening("new", {**checked, "rulebook": "md-jackpot"}))
    assert (found.status, found.body["code"]) == (409, "submission_invalid")


def test_an_own_rulebook_opens_and_a_broken_one_does_not(start: Start) -> None:
    server = start(software_dealer=False)
    operator = server.staff("operator")
    toml = submission_toml(starting_submission(rulebook_from(OWN, "own")))
    checked = check(operator, {"toml": toml, "rulebook_text": OWN}).body
    assert checked["valid"], checked["findings"]
    assert checked["choices"]["title"]
    operator.do("own", **opening("own", checked, rulebook_text=OWN))
    assert operator.get("/tables/own/rules")["title"] == checked["choices"]["title"]
    broken = OWN.replace('"royal_flush"', '"no_such_hand"')
    found = operator.send("other", **opening("other", checked, rulebook_text=broken))
    assert (found.status, found.body["code"]) == (409, "submission_invalid")
    assert verify(server.pit.journal).valid


def test_an_own_rulebook_opens_with_its_first_choices(start: Start) -> None:
    operator = start(software_dealer=False).staff("operator")
    bare: dict[str, Any] = {"type": "open_table", "table": "bare", "rulebook": "harbour-holdem"}
    operator.do("bare", **bare, rulebook_text=OWN)
    wrong = operator.send("x", **{**bare, "table": "x", "rulebook": "md-uth"}, rulebook_text=OWN)
    assert (wrong.status, wrong.body["code"]) == (409, "submission_invalid")


def test_who_decides_on_a_stale_screen_is_told(server: Server) -> None:
    first, second = server.staff("operator", "Ada"), server.staff("operator", "Bo")
    seen = {"seen": first.view("md-uth")["version"]}
    new: dict[str, Any] = {"type": "change_limits", "maximum": {"ante": "400.00"}}
    assert first.send("md-uth", meant=seen, **new).status == 200
    found = second.send("md-uth", meant=seen, **{**new, "maximum": {"ante": "300.00"}})
    assert found.status == 409, found.body
    assert "Ada" in found.body["message"]
    check_problem(found)
    (limits,) = [
        one["limits"] for one in first.get("/house/tables")["tables"] if one["id"] == "md-uth"
    ]
    assert limits["ante"]["most"] == "400.00"


def test_two_operators_open_one_table_once(start: Start) -> None:
    server = start(software_dealer=False)
    first, second = server.staff("operator", "Ada"), server.staff("operator", "Bo")
    checked = check(first, {"toml": PAPER}).body
    first.do("UTH-4", **opening("UTH-4", checked))
    found = second.send("UTH-4", **opening("UTH-4", checked))
    assert (found.status, found.body["code"]) == (409, "already_done")
    check_problem(found)


def test_the_rulebooks_are_listed_and_an_unknown_one_is_not_there(server: Server) -> None:
    operator = server.staff("operator")
    assert [one["id"] for one in operator.get("/rulebooks")["rulebooks"]][:5] == [
        load_rulebook(one).default.id for one in GAMES
    ]
    assert operator.call("GET", "/rulebooks/nothing").status == 404
    assert json.dumps(operator.get("/rulebooks/md-235"))


def test_the_operators_duties_at_a_table_are_told_to_staff(server: Server) -> None:
    found = server.staff("operator").get("/tables/md-uth/duties")["duties"]
    assert {"2.B", "2.B(1)"} <= {one["clause"] for one in found}
    assert {one["screen"] for one in found} >= {"felt", "sign", "approvals", "open_a_table"}
    assert server.guest().call("GET", "/tables/md-uth/duties").status == 403


def test_the_house_sees_terms_money_and_people_of_every_table(server: Server) -> None:
    tables = {one["id"]: one for one in server.staff("operator").get("/house/tables")["tables"]}
    assert set(tables) == set(BUNDLED)
    assert tables["md-uth"]["money"]["inventory"] == "250000.00"
    assert tables["md-uth"]["limits"]["ante"] == {"least": "5.00", "most": "500.00"}
    assert 'rulebook = "md-uth"' in tables["md-uth"]["stated"]
    assert server.guest().call("GET", "/house/tables").status == 403


def test_the_sign_and_the_felt_of_a_table(server: Server) -> None:
    ann = server.guest()
    assert ann.get("/tables/md-uth/sign")["title"]
    assert ann.call("GET", "/tables/md-uth/layout.svg").body.startswith("<svg")
    assert ann.call("GET", "/tables/nothing/sign").status == 404


def test_2_B_a_live_table_of_the_house_does_not_open_without_its_approvals(start: Start) -> None:
    server = start(demo=False, software_dealer=False)
    operator = server.staff("operator")
    toml = operator.get("/rulebooks/md-uth")["toml"]
    checked = check(operator, {"toml": toml}).body
    names = [one["name"] for one in checked["approvals"]]
    assert names == ["layout", "boxes", "shoe"]
    assert all(one["missing"] for one in checked["approvals"])
    found = operator.send("new", **opening("new", checked, source="live"))
    assert (found.status, found.body["code"], found.body["clause"]) == (
        409,
        "approval_missing",
        "2.B",
    )
    given = {"number": "A-1", "date": "2026-11-02", "authority": "the Commission"}
    stated = json.loads(checked["submission"]) | {"approvals": dict.fromkeys(names, given)}
    approved = check(operator, {"submission": stated}).body
    assert not any(one["missing"] for one in approved["approvals"])
    bare = operator.send("new", **opening("new", approved, source="live"))
    assert bare.body["code"] == "not_counted", "real chips are counted by two people"
    counted = opening("new", approved, source="live") | {"float": {"100.00": 200}}
    counted.pop("inventory", None)
    operator.do("new", **counted)
    tables = {one["id"]: one for one in operator.get("/house/tables")["tables"]}
    assert [one["number"] for one in tables["new"]["approvals"]] == ["A-1"] * 3
