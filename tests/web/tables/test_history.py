"""Rounds of the past: listed from the end, page by page, whatever page is asked for."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from croupier.web.tables.demo import submission_for
from tests.web.conftest import Server, Start
from tests.web.hidden import CARD
from tests.web.kit import Caller

STUD = "md-235"


def _play(ann: Caller, rounds: int) -> None:
    """All by software but the bet and the answers."""
    ann.sit(STUD, 1)
    for number in range(1, rounds + 1):
        ann.until_round(STUD, partial(_is_betting, number))
        ann.bet(STUD, 1)
        ann.ready(STUD, 1)
        while True:
            view = ann.until_round(STUD, partial(_goes_on, number))
            if view["round"]["phase"] != "deciding" or view["round"]["number"] > number:
                break
            answers = [one for one in view["actions"] if one["do"] == "say"]
            if answers:
                ann.send(STUD, type="act", seat=1, action=answers[-1]["action"])
    ann.until_round(STUD, lambda now: now["number"] > rounds or now["phase"] == "over")


def _goes_on(number: int, now: Any) -> bool:
    """Past the bets of this round: the dealer closes them in his own time."""
    return bool(now["number"] > number or now["phase"] in ("deciding", "over"))


def _is_betting(number: int, now: Any) -> bool:
    return bool(now["number"] == number and now["phase"] == "betting")


def test_pages_of_rounds_meet_without_a_gap(start: Start) -> None:
    server = start()
    _play(server.guest(), 4)
    stranger = server.stranger()
    first = stranger.get(f"/tables/{STUD}/rounds?limit=3")
    assert [one["number"] for one in first["rounds"]] == [4, 3, 2]
    rest = stranger.get(f"/tables/{STUD}/rounds?limit=3&before={first['before']}")
    assert [one["number"] for one in rest["rounds"]] == [1]
    assert rest["before"] is None


def test_a_page_far_beyond_the_last_round_is_the_last_page_at_once(server: Server) -> None:
    """Sixteen strangers who ask for it keep nobody waiting."""
    far = f"/tables/{STUD}/rounds?before={2**53}"
    began = time.monotonic()
    with ThreadPoolExecutor(16) as people:
        asked = [people.submit(server.stranger().get, far) for _ in range(16)]
        assert all(one.result()["rounds"] == [] for one in asked)
    assert time.monotonic() - began < 20


# -- hands laid out again for a dispute -----------------------------------------------------------

LIVE = "live"
ANNS, BENS, DEALERS = ["7h", "2d"], ["As", "Kd"], ["Qd", "Qs"]
BOARD = ["3c", "8d", "9s", "Jh", "Kc"]


def _live_table(server: Server) -> tuple[Caller, Caller, Caller]:
    operator, dee = server.staff("operator"), server.staff("dealer")
    ann, ben = server.guest(), server.guest()
    opening = {"type": "open_table", "table": LIVE, "rulebook": "md-uth", "source": "live"}
    terms = {"submission": submission_for("md-uth"), "inventory": "10000.00"}
    operator.do(LIVE, **opening, **terms, care=False)
    for seat, who in ((1, ann), (2, ben)):
        who.do(LIVE, type="take_seat", seat=seat)
        who.do(LIVE, type="buy_in", amount="1000.00")
    return ann, ben, dee


def _ann_folds(ann: Caller, ben: Caller, dee: Caller, **sides: str) -> None:
    """A live round in which Ann folds; with a side bet her hand is entered, without one nobody
    needs it."""
    dee.do(LIVE, type="open_betting")
    ann.bet(LIVE, 1)
    if sides:
        ann.do(LIVE, type="place_wagers", seat=1, wagers=sides)
    ben.bet(LIVE, 2)
    dee.do(LIVE, type="close_bets")
    if dee.view(LIVE)["dealer_actions"] == ["count_chips"]:
        dee.do(LIVE, type="count_chips", chips=0)
    dee.do(LIVE, type="deal")
    for said, turned in (("check", BOARD[:3]), ("check", BOARD[3:])):
        for seat, who in ((1, ann), (2, ben)):
            who.do(LIVE, type="act", seat=seat, action=said)
        dee.do(LIVE, type="reveal", cards=turned)
    ann.do(LIVE, type="act", seat=1, action="fold")
    ben.do(LIVE, type="act", seat=2, action="1x")
    dee.do(LIVE, type="show_dealer", cards=DEALERS)
    dee.do(LIVE, type="enter_cards", place="player", seat=2, cards=BENS)
    if sides:
        dee.do(LIVE, type="enter_cards", place="player", seat=1, cards=ANNS)
    dee.do(LIVE, type="settle", every=True)
    dee.do(LIVE, type="collect")


@pytest.mark.clause("md-uth", "11.K")
@pytest.mark.clause("ma-uth", "9(i)")
def test_11_K_the_floor_lays_out_every_hand_that_was_settled(start: Start) -> None:
    """Folded ones too, when the round is over; a hand that was never entered is shown as such.
    Neither players nor a dealer see a folded hand that way."""
    server = start(software_dealer=False)
    ann, ben, dee = _live_table(server)
    _ann_folds(ann, ben, dee, trips="5.00")
    _ann_folds(ann, ben, dee)
    flo, otto = server.staff("floorperson"), server.staff("auditor", "otto")
    for who in (flo, server.staff("operator"), otto, server.staff("surveillance", "sue")):
        told = who.get(f"/tables/{LIVE}/rounds/1")
        hands = {hand["place"]: hand for hand in told["hands"]}
        assert list(hands) == ["seat 1", "seat 2", "dealer", "board"]
        assert (hands["seat 1"]["cards"], hands["seat 1"]["folded"]) == (ANNS, True)
        assert (hands["seat 1"]["hand"], hands["seat 1"]["note"]) == ("king high", "")
        assert (hands["seat 2"]["cards"], hands["seat 2"]["folded"]) == (BENS, False)
        assert (hands["dealer"]["cards"], hands["board"]["cards"]) == (DEALERS, BOARD)
        assert told["views"][-1]["round"]["seats"][0]["cards"] == ANNS
        hand = who.get(f"/tables/{LIVE}/rounds/2")["hands"][0]
        assert (hand["cards"], hand["note"], hand["hand"]) == ([], "not entered", "")
    trial = server.stranger().look()
    assert trial.call("POST", "/guests", {"role": "floorperson"}).status == 201
    for who in (ben, dee, server.guest(), server.stranger(), trial):
        told = who.get(f"/tables/{LIVE}/rounds/1")
        assert told["hands"] == []
        assert not set(ANNS) & set(CARD.findall(json.dumps(told)))
    own = ann.get(f"/tables/{LIVE}/rounds/1")
    assert own["hands"] == []
    assert own["views"][-1]["round"]["seats"][0]["cards"] == ANNS


def test_while_a_round_is_in_play_nobody_lays_it_out(start: Start) -> None:
    server = start(software_dealer=False)
    ann, ben, dee = _live_table(server)
    dee.do(LIVE, type="open_betting")
    ann.bet(LIVE, 1)
    ben.bet(LIVE, 2)
    for role in ("floorperson", "operator"):
        assert server.staff(role).call("GET", f"/tables/{LIVE}/rounds/1").status == 404
