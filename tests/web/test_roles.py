"""Only the role that a document names may do a thing."""

from __future__ import annotations

import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.ledger.verify import verify
from croupier.runtime.dealer import Clocks
from tests.web.conftest import Server, Start
from tests.web.kit import Caller, check_problem

UTH = "md-uth"


def _round_in_play(server: Server) -> Caller:
    ann = server.guest()
    ann.sit(UTH, 1)
    ann.bet(UTH, 1)
    ann.ready(UTH, 1)
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


def _royal_deck() -> tuple[Card, ...]:
    """Bonus cards, community cards, the dealer's and then the player's: a royal flush in spades on
    the flop, which wins the main progressive."""
    top = parse_cards("2c 3c 4c 5c Ts Js Qs 2d 7d 4d 9d As Ks")
    return (*top, *[card for card in DECK if card not in top])


def test_a_progressive_waits_for_a_floorperson(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is not a floorperson cannot validate it."""
    monkeypatch.setattr("croupier.runtime.chance.shuffle", lambda _: _royal_deck())
    server = start(software_floor=False, clocks=Clocks(600, 600, 0, 600, 0, 0, 0, 0, 900))
    ann, flo, dee = server.guest(), server.staff("floorperson"), server.staff("dealer")
    ann.sit(UTH, 1)
    ann.bet(UTH, 1, everything=True)
    ann.ready(UTH, 1)
    ann.until(UTH, "deciding")
    ann.do(UTH, type="act", seat=1, action="4x")
    view = ann.until_round(UTH, lambda state: state["claim"])
    assert view["round"]["claim"]["meter"] == "main"
    (card,) = [table for table in ann.get("/tables")["tables"] if table["id"] == UTH]
    assert card["waits_for_floor"]
    for who in (ann, dee):
        told = who.refused(UTH, 403, "wrong_role", type="validate_progressive", seat=1)
        assert told["clause"] == "11.J(2)(c)"
    dee.refused(UTH, 409, "awaits_floor", type="settle")
    assert flo.view(UTH)["floor_actions"][:2] == ["validate_progressive", "refuse_progressive"]
    flo.do(UTH, type="validate_progressive", seat=1)
    after = ann.until(UTH, "over")
    assert float(after["me"]["rack"]) >= float(view["me"]["rack"]) + 10_000
    words = " ".join(" ".join(m["words"]) for m in ann.get(f"/tables/{UTH}/rounds/1")["told"])
    assert "validated by floorperson-1" in words
    assert verify(server.pit.journal).valid


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
    assert verify(server.pit.journal).valid


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
