"""Only people act at a live table; assignment picks those who hold the role."""

from __future__ import annotations

from datetime import timedelta

import pytest

from croupier.ledger.records.table_entries import attempts_stream
from croupier.runtime.clock import now
from croupier.runtime.dealer import Pace
from tests.web.conftest import Server, Start
from tests.web.crew import Crew


@pytest.fixture
def server(start: Start) -> Server:
    """Virtual tables deal themselves, and whoever is idle for long loses the seat there."""
    return start(pace=Pace(0, 0, 0, 0, 0, 900))


def _crew(server: Server, table: str) -> Crew:
    return Crew(
        table,
        dealer=server.staff("dealer", "Dan"),
        floorperson=server.staff("floorperson", "Flo"),
        player=server.guest(),
    )


def _attempts(server: Server, table: str) -> int:
    return int(server.pit.journal.head(attempts_stream(table)).version)


def test_software_gives_up_no_seat_of_a_live_table(server: Server) -> None:
    """Nobody is assigned, and the players have not bet for hours."""
    crew = _crew(server, "T1").open("md-uth")
    crew.sit()
    ann, later = server.guest(), now() + timedelta(hours=5)
    ann.sit("md-uth", 1)
    assert server.pit.table("md-uth").idle(later) == [(1, ann.name)], "virtual: the clock's"
    assert server.pit.table("T1").idle(later) == []


def test_who_does_not_hold_the_role_is_not_assigned(server: Server) -> None:
    crew = _crew(server, "T1").open("md-uth")
    server.staff("operator", "Olga")
    staff = crew.floor.call("GET", "/tables/T1/picks").body["lists"]["staff"]
    listed = {(pick["value"], pick["role"]) for pick in staff}
    assert ("Dan", "dealer") in listed
    assert ("Flo", "dealer") not in listed
    assert {("Flo", "floorperson"), ("Olga", "floorperson")} <= listed
    for role, name in (("dealer", "Flo"), ("floorperson", "Dan"), ("dealer", "Nobody")):
        before = _attempts(server, "T1")
        answer = crew.floor.send("T1", type="assign", role=role, name=name)
        assert (answer.status, answer.body["code"]) == (409, "not_in_role")
        assert _attempts(server, "T1") == before + 1
    assert server.pit.table("T1").table.staff == {}
    crew.floor.do("T1", type="assign", role="dealer", name="Dan")
    crew.floor.do("T1", type="assign", role="floorperson", name="Olga")
    crew.floor.do("T1", type="assign", role="dealer", name="")
    assert server.pit.table("T1").table.staff == {"floorperson": "Olga"}


def test_somebody_who_left_the_house_is_not_assigned(server: Server) -> None:
    crew = _crew(server, "T1").open("md-uth")
    server.staff("dealer", "Dee")
    server.pit.people.disable("Dee")
    answer = crew.floor.send("T1", type="assign", role="dealer", name="Dee")
    assert answer.body["code"] == "not_in_role"


def test_a_dealer_at_two_live_tables_takes_the_floors_word(server: Server) -> None:
    first, second = _crew(server, "T1").open("md-uth"), _crew(server, "T2").open("md-235")
    flo = first.floor
    flo.do("T1", type="assign", role="dealer", name="Dan")
    before = _attempts(server, "T2")
    answer = second.floor.send("T2", type="assign", role="dealer", name="Dan")
    assert (answer.status, answer.body["code"]) == (409, "deals_elsewhere")
    assert "Dan deals live table T1" in answer.body["message"]
    assert _attempts(server, "T2") == before + 1
    elsewhere = second.dealer.send("T2", type="open_betting")
    assert elsewhere.body["code"] == "deals_elsewhere", "nor without being assigned"
    second.floor.do("T2", type="assign", role="dealer", name="Dan", also=True)
    assert server.pit.table("T2").table.staff == {"dealer": "Dan"}
    second.floor.do("T2", type="assign", role="dealer", name="")
    flo.do("T1", type="assign", role="dealer", name="")
    second.floor.do("T2", type="assign", role="dealer", name="Dan")


def test_a_virtual_table_beside_a_live_one_is_no_second_live_table(server: Server) -> None:
    crew = _crew(server, "T1").open("md-uth")
    crew.floor.do("T1", type="assign", role="dealer", name="Dan")
    crew.floor.do("md-235", type="assign", role="dealer", name="Dan")
    crew.floor.do("md-235", type="assign", role="dealer", name="software")
    answer = crew.floor.send("T1", type="assign", role="dealer", name="software")
    assert answer.body["code"] == "not_in_role"
