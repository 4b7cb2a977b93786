"""The dealing school over HTTP: who may do what, bad input, classes and reports, and the console
that is assessed against the software."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from croupier.runtime.dealer import FAST
from tests.web.conftest import Server, Start
from tests.web.kit import PATIENCE, Answer, Caller, check_problem

DRILL = {"rulebook": "md-uth", "skill": "hands.qualifies"}


def refused(found: Answer, status: int, code: str) -> None:
    assert (found.status, found.body["code"]) == (status, code), found.body
    check_problem(found)


@pytest.fixture
def server(start: Start) -> Server:
    return start(pace=FAST, software_floor=False)


def ask(who: Caller, **told: Any) -> Any:
    found = who.call("POST", "/school/exercises", DRILL | told)
    assert found.status == 200, found.body
    return found.body


def answer(who: Caller, exercise: str, choice: Any, **told: Any) -> Answer:
    body = {**DRILL, "exercise": exercise, "choice": choice} | told
    return who.call("POST", "/school/answers", body)


def test_a_guest_drills_and_is_corrected_with_the_clause(server: Server) -> None:
    who = server.stranger().come_in()
    asked = ask(who)
    told = json.dumps(asked)
    assert "seed" not in told
    assert "correction" not in told
    marked = answer(who, asked["id"], 0).body
    assert marked["correction"]["clause"]
    assert marked["is_right"] == (marked["right"] == 0)
    assert marked["standing"]["done"] == 1
    refused(answer(who, asked["id"], marked["right"]), 409, "already_answered")
    assert who.get("/school")["standings"][0]["done"] == 1


def test_nonsense_and_strangers_are_refused(server: Server) -> None:
    stranger = server.stranger().look()
    refused(stranger.call("POST", "/school/exercises", DRILL), 401, "signed_out")
    assert len(stranger.get("/school")["games"]) == 14
    who = server.stranger().come_in()
    asked = ask(who)
    for choice in (-1, 99, "one", None, 1.5, True):
        assert answer(who, asked["id"], choice).status in (400, 422), choice
    assert answer(who, asked["id"], 0, seconds=0.1).status in (400, 422), "nobody tells the time"
    assert who.call("POST", "/school/exercises", {"rulebook": "md-uht"}).status == 422
    assert who.call("POST", "/school/exercises", DRILL | {"skill": "luck"}).status == 422
    assert ask(who)["standing"]["done"] == 0
    other = server.stranger().come_in()
    refused(answer(other, asked["id"], 0), 409, "nothing_there")


def test_amounts_are_typed_and_paytables_chosen(server: Server) -> None:
    who = server.stranger().come_in()
    game = {"rulebook": "md-uth:trips=D", "skill": "payout.amount"}
    asked = ask(who, **game)
    assert asked["question"]["typed"]
    assert asked["question"]["choices"] == []
    assert "Trips D" in asked["question"]["scene"]["told"][0]
    for nonsense in ("", "lots", "1.005", 3, None, "9" * 61):
        assert answer(who, asked["id"], nonsense, **game).status in (400, 422), nonsense
    marked = answer(who, asked["id"], "$0.01", **game).body
    assert (marked["is_right"], marked["right"], marked["answer"][0]) == (False, None, "$")
    told = who.get("/school")
    assert [one["rulebook"] for one in told["standings"]] == ["md-uth:trips=D"]
    families = next(one for one in told["games"] if one["rulebook"] == "md-uth")["paytables"]
    assert {"family": "trips", "title": "Trips", "tables": ["A", "B", "C", "D", "E"]} in families
    assert "md-uth" in {one["table"] for one in told["tables"]}
    refused(who.call("POST", "/school/exercises", {"rulebook": "md-uth:trips"}), 400, "bad_request")
    found = who.call("POST", "/school/exercises", {"rulebook": "md-uth:trips=Z"})
    assert "known are: A, B, C, D, E" in found.body["message"]


def test_exam_and_challenge_over_http(server: Server) -> None:
    who = server.stranger().come_in()
    begun = who.call("POST", "/school/exams", {"rulebook": "md-235", "skills": ["hands.category"]})
    assert begun.status == 201, begun.body
    path = f"/school/exams/{begun.body['id']}"
    assert len(begun.body["commitment"]) == 64
    assert who.call("POST", f"{path}/answers", {"number": 0, "choice": 0}).body["number"] == 1
    refused(
        who.call("POST", f"{path}/answers", {"number": 0, "choice": 0}), 409, "already_answered"
    )
    refused(who.call("GET", f"{path}/certificate"), 409, "not_now")
    refused(server.stranger().come_in().call("GET", path), 409, "nothing_there")
    run = who.call("POST", "/school/challenges", {"rulebook": "md-235", "kind": "hands"}).body
    said = {"rulebook": "md-235", "kind": "hands", "challenge": run["id"], "number": 0, "choice": 0}
    assert who.call("POST", "/school/challenges/answers", said).body["number"] == 1
    refused(who.call("POST", "/school/challenges/answers", said), 409, "already_answered")


def test_teachers_set_classes_and_nobody_else_reads_them(server: Server) -> None:
    flo, dan = server.staff("floorperson", "Flo"), server.staff("dealer", "Dan")
    eve, olga = server.staff("floorperson", "Eve"), server.staff("operator", "Olga")
    asked = {
        "title": "Spring",
        "rulebook": "md-uth",
        "skills": ["hands.qualifies"],
        "people": ["Dan"],
    }
    refused(dan.call("POST", "/school/classes", asked), 403, "wrong_role")
    assert flo.call("POST", "/school/classes", asked | {"people": ["Nobody"]}).status == 422
    made = flo.call("POST", "/school/classes", asked)
    assert made.status == 201, made.body
    path = f"/school/classes/{made.body['id']}"
    assert [one["title"] for one in dan.get("/school")["courses"]] == ["Spring"]
    answer(dan, ask(dan)["id"], 0)
    assert flo.get(path)["people"][0]["skills"][0]["done"] == 1
    assert olga.get(path)["course"]["title"] == "Spring"
    refused(eve.call("GET", path), 403, "wrong_role")
    refused(dan.call("GET", path), 403, "wrong_role")
    assert flo.call("GET", f"{path}/report.csv").body.splitlines()[1].startswith("Dan,md-uth,")
    assert flo.call("GET", f"{path}/report.pdf").headers["content-type"] == "application/pdf"
    refused(flo.call("GET", f"{path}/report.exe"), 404, "not_found")
    assert flo.get("/school/people/Dan")["begun"] == 1
    assert dan.get("/school/people/Dan")["begun"] == 1
    refused(eve.call("GET", "/school/people/Dan"), 403, "wrong_role")
    refused(dan.call("GET", "/school/people/Flo"), 403, "wrong_role")
    begun = dan.call("POST", "/school/exams", {"rulebook": "md-235", "course": made.body["id"]})
    assert begun.body["rulebook"] == "md-uth", "a class's exam is the one that was set"
    refused(
        eve.call("POST", "/school/exams", {"rulebook": "md-uth", "course": made.body["id"]}),
        403,
        "wrong_role",
    )
    refused(eve.call("POST", f"{path}/close"), 409, "nothing_there")
    assert flo.call("POST", f"{path}/close").body["closed_at"]


def test_a_guest_who_tries_a_job_teaches_nobody(server: Server) -> None:
    who = guest(server, "operator")
    refused(who.call("GET", "/school/classes"), 403, "wrong_role")
    refused(who.call("GET", "/school/people/Dan"), 403, "wrong_role")
    assert ask(who)["question"]["choices"]


# -- the console ----------------------------------------------------------------------------------


def guest(server: Server, role: str) -> Caller:
    who = server.stranger().look()
    found = who.call("POST", "/guests", {"role": role})
    who.csrf, who.name = found.body["csrf"], found.body["name"]
    return who


def assessed(who: Caller, task: str) -> tuple[str, str]:
    begun = who.call("POST", "/school/assessments", {"rulebook": "md-uth", "task": task})
    assert begun.status == 201, begun.body
    return begun.body["table"], f"/school/assessments/{begun.body['id']}"


def choose(who: Caller, path: str, table: str, label: str) -> Any:
    found = who.call("POST", f"{path}/steps?table={table}", {"label": label})
    assert found.status == 200, found.body
    return found.body


def mine(who: Caller, table: str) -> Any:
    """The next step that waits for the dealer; the others act by themselves."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        steps = [one for one in who.get(f"/tables/{table}/work")["steps"] if one["mine"]]
        if steps and steps[0]["step"] != "ask":
            return steps[0]
        time.sleep(0.02)
    raise AssertionError("nothing waits for the dealer")


def do(who: Caller, table: str, step: Any) -> None:
    command = dict(step["command"])
    if step["step"] == "cut":
        command["depth"] = 26
    if step["step"] == "shuffle" and "count" in step["asks"]:
        command["count"] = 52
    shown = {"duties": ",".join(duty["clause"] for duty in step["duties"])}
    assert who.send(table, meant=shown, **command).status == 200


def test_4_A_an_opening_is_assessed_with_what_was_forgotten_and_whose_it_was(
    server: Server,
) -> None:
    who = guest(server, "dealer")
    table, path = assessed(who, "deck")
    early = choose(who, path, table, "Deal")
    assert (early["kind"], early["due"], early["due_clause"]) == (
        "forgotten",
        "Receive a deck",
        "4.A",
    )
    assert early["clause"] == "4.A"
    other = choose(who, path, table, "Verify the inspection of the cards")
    assert (other["kind"], other["clause"]) == ("somebody_else", "4.A")
    assert "floorperson" in other["words"]
    while not who.get(f"{path}?table={table}")["is_complete"]:
        step = mine(who, table)
        assert choose(who, path, table, step["label"])["kind"] == "right"
        do(who, table, step)
    result = who.call("POST", f"{path}/finish?table={table}").body
    assert [one["kind"] for one in result["mistakes"]] == ["forgotten", "somebody_else"]
    assert result["left"] == []
    assert result["score"] == 100 * result["right"] // (result["right"] + 2)
    done = {one["label"]: one for one in result["done"]}
    assert {"Inspect the cards", "Wash the cards", "Shuffle"} <= set(done)
    assert any(clause == "4.C(2)" for _, clause in done["Wash the cards"]["duties"])
    assert who.get(f"/school/people/{who.name}")["assessments"][0]["mistakes"] == 2


def test_a_refused_command_counts_and_what_is_left_undone_does_too(server: Server) -> None:
    who = guest(server, "dealer")
    table, path = assessed(who, "round")
    assert who.send(table, type="deal").status == 409
    result = who.call("POST", f"{path}/finish?table={table}").body
    assert [one["kind"] for one in result["mistakes"]] == ["refused"]
    assert result["mistakes"][0]["clause"]
    assert result["left"]
    assert result["score"] == 0
    refused(
        who.call("POST", f"{path}/steps?table={table}", {"label": "Deal"}), 409, "already_answered"
    )


def test_an_assessment_is_the_dealers_own(server: Server) -> None:
    who = guest(server, "dealer")
    table, path = assessed(who, "deck")
    stranger = guest(server, "dealer")
    refused(stranger.call("GET", f"{path}?table={table}"), 409, "nothing_there")
    refused(
        guest(server, "floorperson").call(
            "POST", "/school/assessments", {"rulebook": "md-uth", "task": "deck"}
        ),
        403,
        "wrong_role",
    )
    assert (
        who.call("POST", "/school/assessments", {"rulebook": "md-uth", "task": "x"}).status == 422
    )
    assert who.call("POST", f"{path}/steps?table={table}", {"label": "Fly"}).status == 400


def test_another_table_does_not_count(server: Server) -> None:
    """Where another step is due, or the task is done already."""
    who, other = guest(server, "dealer"), guest(server, "dealer")
    _, path = assessed(who, "deck")
    elsewhere, _ = assessed(other, "deck")
    for table in (elsewhere, "md-uth"):
        refused(who.call("GET", f"{path}?table={table}"), 409, "nothing_there")
        found = who.call("POST", f"{path}/steps?table={table}", {"label": "Receive a deck"})
        refused(found, 409, "nothing_there")
        refused(who.call("POST", f"{path}/finish?table={table}"), 409, "nothing_there")
    refused(who.call("GET", f"{path}?table=nowhere"), 404, "not_found")


def test_a_dealer_with_an_account_is_assessed_and_the_teacher_sees_it(server: Server) -> None:
    dan, flo = server.staff("dealer", "Dan"), server.staff("floorperson", "Flo")
    table, path = assessed(dan, "deck")
    assert choose(dan, path, table, "Receive a deck")["kind"] == "right"
    assert dan.call("POST", f"{path}/finish?table={table}").status == 200
    course = {"title": "T", "rulebook": "md-uth", "skills": ["payout.odds"], "people": ["Dan"]}
    assert flo.call("POST", "/school/classes", course).status == 201
    assert flo.get("/school/people/Dan")["assessments"][0]["right"] == 1


def test_a_house_with_money_has_no_rehearsal_tables(start: Start) -> None:
    house = start(demo=False, demo_tables=False)
    dan = house.staff("dealer", "Dan")
    found = dan.call("POST", "/school/assessments", {"rulebook": "md-uth", "task": "deck"})
    refused(found, 403, "not_now")
    assert "croupier serve --demo" in found.body["message"]
    assert dan.get("/school")["rehearses"] is False


def test_an_accident_happens_and_must_be_reported(server: Server) -> None:
    who = guest(server, "dealer")
    table, path = assessed(who, "accident")
    assert choose(who, path, table, "Report what went wrong")["kind"] == "out_of_order"
    end = time.monotonic() + PATIENCE
    while not (form := who.get(f"{path}?table={table}"))["happens"]:
        assert time.monotonic() < end
        steps = [one for one in who.get(f"/tables/{table}/work")["steps"] if one["mine"]]
        if steps and steps[0]["step"] not in ("ask", "close_bets"):
            do(who, table, steps[0])
        elif steps and steps[0]["step"] == "close_bets":
            who.send(table, **steps[0]["command"])
    assert choose(who, path, table, "Report what went wrong")["kind"] == "right"
    kinds = who.get(f"/tables/{table}/work")["irregularities"]
    kind = next(one for one in kinds if f"{one['label']}." == form["happens"])
    report: dict[str, Any] = {"type": "report", "kind": kind["kind"]}
    if "cards" in kind["asks"]:
        report["cards"] = ["2c", "3c"][: kind["least_cards"]]
    if "seat" in kind["asks"]:
        report["seat"] = who.view(table)["round"]["seats"][0]["number"]
    found = who.send(table, **report)
    assert found.status == 200, found.body
    assert who.get(f"{path}?table={table}")["happens"] == ""
