"""Only the role that a document names may do a thing."""

from __future__ import annotations

import time
from typing import Any

from croupier.tables.audit import verify
from croupier.web.settings import Clocks
from tests.web.conftest import Server, Start
from tests.web.kit import Caller, check_problem

UTH = "md-uth"


def _round_in_play(server: Server) -> Caller:
    ann = server.guest()
    ann.sit(UTH, 1)
    ann.bet(UTH, 1)
    ann.do(UTH, type="ready", seat=1)
    ann.until(UTH, "deciding")
    return ann


def test_a_player_does_nothing_of_the_dealers_or_the_floors(server: Server) -> None:
    ann = _round_in_play(server)
    for command in (
        {"type": "deal"},
        {"type": "reveal"},
        {"type": "settle"},
        {"type": "collect"},
        {"type": "close_bets"},
        {"type": "open_betting"},
        {"type": "count_chips", "chips": 1},
        {"type": "void_round", "reason": "I lose"},
        {"type": "validate_progressive", "seat": 1},
        {"type": "refuse_progressive", "seat": 1, "reason": "no"},
        {"type": "rule_abandoned", "seat": 1},
        {"type": "fill", "amount": "100.00", "slip": "1"},
        {"type": "credit", "amount": "100.00", "slip": "1"},
        {"type": "empty_drop", "slip": "1"},
        {"type": "close_table"},
    ):
        ann.refused(UTH, 403, "wrong_role", **command)


def test_an_auditor_looks_and_does_nothing(server: Server) -> None:
    _round_in_play(server)
    otto = server.staff("auditor")
    seen = otto.view(UTH)["round"]["seats"][0]["cards"]
    assert seen == [None, None], "face down is face down until the round is over"
    otto.refused(UTH, 403, "wrong_role", type="void_round", reason="because")
    otto.refused(UTH, 403, "wrong_role", type="take_seat", seat=2)


def test_a_dealer_does_not_void_and_a_floorperson_does_not_deal(server: Server) -> None:
    _round_in_play(server)
    dee, flo = server.staff("dealer"), server.staff("floorperson")
    dee.refused(UTH, 403, "wrong_role", type="void_round", reason="misdeal")
    flo.refused(UTH, 403, "wrong_role", type="deal")
    assert dee.view(UTH)["dealer_actions"] == []
    assert "void_round" in flo.view(UTH)["floor_actions"]
    assert flo.view(UTH)["actions"] == []


def test_a_floorperson_voids_a_round(server: Server) -> None:
    ann = _round_in_play(server)
    flo = server.staff("floorperson")
    flo.do(UTH, type="void_round", reason="a card was exposed")
    again = ann.get(f"/tables/{UTH}/rounds/1")
    assert again["views"][-1]["round"]["void"]
    assert "floorperson-1" in again["told"][-1]["words"][0]
    assert ann.view(UTH)["me"]["rack"] == "1000.00"


def _played_out(ann: Caller, table: str) -> Any:
    """The view when the round is over, or a progressive waits."""
    number = ann.view(table)["round"]["number"]
    for _ in range(1000):
        view = ann.view(table)
        if view["round"]["phase"] == "deciding":
            ann.send(table, type="act", seat=1, action="check")
        elif view["round"]["claim"] or view["round"]["number"] > number:
            return view
        else:
            time.sleep(0.005)
    raise AssertionError("the round does not end")


def test_a_progressive_waits_for_a_floorperson(start: Start) -> None:
    """Rounds are played until one wins; whoever is not a floorperson cannot validate it."""
    server = start(software_floor=False, clocks=Clocks(0, 600, 0, 600, 0, 0, 0, 0, 900))
    stud, ann = "md-235", server.guest()
    flo, dee = server.staff("floorperson"), server.staff("dealer")
    ann.sit(stud, 1, "10000.00")
    view: Any = None
    for _ in range(60):
        ann.bet(stud, 1, everything=True)
        ann.do(stud, type="ready", seat=1)
        view = _played_out(ann, stud)
        if view["round"]["claim"]:
            break
    claim = view["round"]["claim"]
    assert claim, "no progressive was won in 60 rounds"
    rack = view["me"]["rack"]
    (card,) = [t for t in ann.get("/tables")["tables"] if t["id"] == stud]
    assert card["waits_for_floor"]
    for who in (ann, dee):
        told = who.refused(stud, 403, "wrong_role", type="validate_progressive", seat=1)
        assert told["clause"]
    dee.refused(stud, 409, "awaits_floor", type="settle")
    assert flo.view(stud)["floor_actions"][:2] == ["validate_progressive", "refuse_progressive"]
    flo.do(stud, type="validate_progressive", seat=1)
    view = ann.until(stud, "betting", "over")
    assert float(view["me"]["rack"]) > float(rack)
    told = ann.get(f"/tables/{stud}/rounds?limit=1")["rounds"][0]["number"]
    words = " ".join(
        sentence
        for moment in ann.get(f"/tables/{stud}/rounds/{told}")["told"]
        for sentence in moment["words"]
    )
    assert "validated by floorperson-1" in words


def test_people_deal_where_software_does_not(start: Start) -> None:
    server = start(software_dealer=False, software_floor=False)
    ann, dee = server.guest(), server.staff("dealer")
    ann.do(UTH, type="take_seat", seat=1)
    ann.do(UTH, type="buy_in", amount="1000.00")
    assert dee.view(UTH)["dealer_actions"] == ["open_betting"]
    dee.do(UTH, type="open_betting")
    ann.bet(UTH, 1)
    while (view := dee.view(UTH))["round"]["phase"] != "over":
        if view["round"]["phase"] == "deciding":
            ann.do(UTH, type="act", seat=1, action=ann.view(UTH)["actions"][0]["action"])
            continue
        (tag,) = view["dealer_actions"]
        dee.do(UTH, type=tag, **({"chips": 0} if tag == "count_chips" else {}))
    assert view["round"]["number"] == 1
    assert verify(server.pit.store).valid


def test_a_dealer_bets_for_a_player_who_asks_him(server: Server) -> None:
    dee = server.staff("dealer")
    dee.do(UTH, type="take_seat", seat=4, player="Old Tom")
    dee.do(UTH, type="buy_in", amount="100.00", player="Old Tom")
    assert dee.view(UTH)["seats"][3] == {"number": 4, "player": "Old Tom", "rack": "100.00"}


def test_staff_read_the_books(server: Server) -> None:
    operator = server.staff("operator")
    operator.do(UTH, type="fill", amount="1000.00", slip="A-17")
    found = operator.send(UTH, type="fill", amount="1000.00", slip="   ")
    assert (found.status, found.body["code"]) == (409, "no_slip")
    check_problem(found)
