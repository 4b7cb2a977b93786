"""What people do wrong at a live table: refused with the reason and the clause, nothing changed,
and the attempt in the log.

Two floorpersons who decide at once are in test_deciding_at_once.py (a void round) and test_floor.py
(a progressive, a call).
"""

from __future__ import annotations

from typing import Any

import pytest

from croupier.ledger.records.table_entries import Attempt, attempts_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.declaration import from_json
from tests.web.conftest import Server, Start
from tests.web.crew import Crew
from tests.web.kit import Caller, check_problem

TABLE = "bad"
FLOAT = {"100.00": 900, "5.00": 2000}
"""$100,000."""


@pytest.fixture
def house(start: Start) -> Server:
    return start(software_dealer=False, software_floor=False)


@pytest.fixture
def crew(house: Server) -> Crew:
    """A live table that nobody has dealt at."""
    people = {"dealer": house.staff("dealer", "Dee"), "floorperson": house.staff("floorperson")}
    return Crew(TABLE, **people, player=house.guest()).open("md-uth")


def tried(server: Server) -> list[tuple[str, str, str | None]]:
    """Who was refused at the table, with which code and clause."""
    attempts: list[Attempt] = [
        from_json(entry.body, Attempt) for entry in server.pit.journal.read(attempts_stream(TABLE))
    ]
    assert verify(server.pit.journal).valid
    return [(one.by.name, one.code, one.clause) for one in attempts]


def refused(who: Any, status: int, code: str, **command: Any) -> Any:
    assert isinstance(who, Caller)
    return who.refused(TABLE, status, code, **command)


def test_11_J_the_wrong_role(house: Server, crew: Crew) -> None:
    told = refused(crew.dealer, 403, "wrong_role", type="validate_progressive", seat=1)
    assert told["clause"] == "11.J(2)(c)"
    assert tried(house) == [("Dee", "wrong_role", "11.J(2)(c)")]


def test_4_A_the_dealer_does_not_confirm_his_own_inspection(house: Server, crew: Crew) -> None:
    crew.sit()
    crew.work_until("verify")
    told = refused(crew.dealer, 403, "wrong_role", type="handle_deck", step="verify")
    assert told["clause"] == "4.A"
    assert tried(house) == [("Dee", "wrong_role", "4.A")]


def test_1_an_impossible_card(house: Server, crew: Crew) -> None:
    """One that lies on the layout already; and too few of them."""
    crew.cards = {"community": "As Ks Qs 2c 3c"}
    crew.sit()
    crew.work_until("open_betting")
    crew.bet()
    crew.work_until("reveal")
    step = crew.steps()[0]
    told = {"type": step["command"]["type"], "cards": ["As", "Ks", "As"]}
    refused(crew.dealer, 400, "bad_cards", **told)
    refused(crew.dealer, 400, "bad_cards", **told | {"cards": ["As", "Ks"]})
    crew.do_step(step)
    crew.work_until("reveal")
    again = {"type": "reveal", "cards": ["As", "Jd"]}
    said = refused(crew.dealer, 400, "bad_cards", **again)
    assert "As" in said["message"]
    assert [(name, code) for name, code, _ in tried(house)] == [("Dee", "bad_cards")] * 3


def test_a_second_signature_by_the_same_person(house: Server) -> None:
    ada, sue = house.staff("operator", "Ada"), house.staff("operator", "Sue")
    crew = Crew(TABLE, dealer=ada, floorperson=ada, player=ada)
    crew.open("md-uth", float=FLOAT)
    told = refused(ada, 403, "not_yours", type="sign_count", chips=FLOAT)
    assert told["message"].startswith("Ada counted first")
    other = refused(sue, 409, "counts_differ", type="sign_count", chips=FLOAT | {"5.00": 1999})
    assert "1999 x $5 against 2000" in other["message"].replace(",", "")
    sue.do(TABLE, type="sign_count", chips=FLOAT)
    assert tried(house) == [("Ada", "not_yours", None), ("Sue", "counts_differ", None)]


def test_a_float_that_does_not_add_up_opens_no_table(house: Server) -> None:
    ada = house.staff("operator", "Ada")
    told: dict[str, Any] = {"table": TABLE, "rulebook": "md-uth", "inventory": "100000.00"}
    found = ada.send(TABLE, type="open_table", **told, float={"100.00": 999})
    assert (found.status, found.body["code"]) == (409, "not_equal")
    assert "$100 less" in found.body["message"]
    check_problem(found)
    assert ada.call("GET", f"/tables/{TABLE}").status == 404
    assert tried(house) == [("Ada", "not_equal", None)]


def test_a_stale_screen(house: Server, crew: Crew) -> None:
    """A dealer with two screens: what he answers on the older one is not taken for the newer."""
    crew.sit()
    crew.work_until("open_betting")
    crew.bet()
    crew.folds = True
    crew.work_until("ask")
    view = crew.view()
    meant = {"round": view["round"]["number"], "decision": view["round"]["decision"]}
    crew.do_step(crew.steps()[0])
    crew.work_until("ask")
    refused(
        crew.dealer,
        409,
        "stale",
        meant=meant,
        type="act",
        seat=1,
        player=crew.player.name,
        action="check",
    )
    assert [(name, code) for name, code, _ in tried(house)] == [("Dee", "stale")]
