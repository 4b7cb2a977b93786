"""Rounds of the past: listed from the end, page by page, whatever page is asked for."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from tests.web.conftest import Server, Start
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
