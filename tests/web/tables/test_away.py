"""Nobody waits for a closed page: who is away is marked, sits out, and declines."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from litestar.testing import WebSocketTestSession
from msgspec.structs import replace

from croupier.web.tables import presence
from croupier.web.tables.presence import AWAY_SECONDS, Presence
from tests.web.conftest import Server, Start
from tests.web.kit import Caller
from tests.web.tables.test_live import frames_until

UTH = "md-uth"


class _Clock:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_a_player_is_away_some_time_after_his_last_page_is_closed() -> None:
    clock = _Clock()
    known = Presence(clock)
    known.came("ann")
    known.came("ann")
    clock.at += 10 * AWAY_SECONDS
    known.went("ann")
    assert known.seconds_left("ann") is None, "another window is open"
    known.went("ann")
    assert known.seconds_left("ann") == AWAY_SECONDS
    clock.at += AWAY_SECONDS
    assert known.seconds_left("ann") == 0
    known.acted("ann")
    assert known.seconds_left("ann") == AWAY_SECONDS, "a program that plays without a page"
    known.came("ann")
    assert known.seconds_left("ann") is None


def test_one_of_whom_nothing_is_known_yet_has_the_whole_time() -> None:
    clock = _Clock()
    known = Presence(clock)
    assert known.seconds_left("ann") == AWAY_SECONDS
    clock.at += AWAY_SECONDS - 1
    assert known.seconds_left("ann") == 1
    known.forget_all_but([])
    assert known.seconds_left("ann") == AWAY_SECONDS


def _two(server: Server) -> tuple[Caller, Caller]:
    ann, ben = server.guest(), server.guest()
    ann.sit(UTH, 1)
    ben.sit(UTH, 2)
    return ann, ben


def _until(socket: WebSocketTestSession, phase: str) -> Any:
    return frames_until(socket, lambda frame: frame["view"]["round"]["phase"] == phase)[-1]["view"]


def test_bets_close_without_a_player_who_is_away(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = _two(server)
    ann.bet(UTH, 1)
    with ann.live(UTH) as socket:
        monkeypatch.setattr(presence, "AWAY_SECONDS", 0.0)
        ann.ready(UTH, 1)
        view = _until(socket, "deciding")
    assert [seat["player"] for seat in view["round"]["seats"]] == [ann.name]
    assert [seat["player"] for seat in view["seats"] if seat["away"]] == [ben.name]


def test_whoever_comes_back_is_no_longer_away(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = _two(server)
    monkeypatch.setattr(presence, "AWAY_SECONDS", 0.0)
    with ann.live(UTH) as socket, ben.live(UTH):
        frames_until(socket, lambda frame: not frame["view"]["seats"][1]["away"])
    assert server.stranger().view(UTH)["seats"][1]["away"]


@pytest.mark.parametrize("demo", [True, False])
def test_in_the_demo_a_player_who_is_away_declines(
    start: Start, monkeypatch: pytest.MonkeyPatch, demo: bool
) -> None:
    """With money at stake only people, or the operator's clock, answer for him (MD-37)."""
    server = start()
    ann, ben = _two(server)
    ann.bet(UTH, 1)
    ben.bet(UTH, 2)
    ann.ready(UTH, 1)
    ben.ready(UTH, 2)
    ann.until(UTH, "deciding")
    served = server.pit.table(UTH)
    with ben.live(UTH) as socket:
        monkeypatch.setattr(presence, "AWAY_SECONDS", 0.0)
        if demo:
            served.changed.set()
            frames_until(socket, lambda frame: frame["view"]["round"]["turn"] == 2)
            assert served.table.round.seats[0].actions == ("check",)
            assert not served.table.round.seats[0].left, "his wagers stay in play"
        else:
            monkeypatch.setattr(served, "_settings", replace(server.pit.settings, demo=False))
            coming = served.due()
            assert coming is not None
            assert coming.what == "check", "the clock that the operator has set"


def test_where_several_servers_share_the_tables_nobody_is_away(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    _two(server)
    monkeypatch.setattr(presence, "AWAY_SECONDS", 0.0)
    served = server.pit.table(UTH)
    assert len(served.away) == 2
    monkeypatch.setattr(served, "_is_shared", True)
    assert not served.away


def test_at_a_live_table_nobody_needs_a_page(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    _two(server)
    monkeypatch.setattr(presence, "AWAY_SECONDS", 0.0)
    served = server.pit.table(UTH)
    assert len(served.away) == 2
    monkeypatch.setattr(type(served), "table", msgspec.structs.replace(served.table, source="live"))
    assert not served.away
