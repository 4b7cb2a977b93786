"""The live connection: views with a sequence, resumed where it broke off."""

from __future__ import annotations

import json
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from tests.web.conftest import Server

UTH = "md-uth"


def frames_until(socket: Any, wanted: Any, most: int = 200) -> list[Any]:
    frames = []
    for _ in range(most):
        frames.append(json.loads(socket.receive_text()))
        if wanted(frames[-1]):
            return frames
    raise AssertionError("it never came")


def test_the_first_frame_is_how_the_table_stands(server: Server) -> None:
    ann = server.guest()
    with ann.live(UTH) as socket:
        frame = json.loads(socket.receive_text())
        assert frame["view"] == ann.view(UTH)
        assert frame["seq"] == frame["view"]["version"]
        assert frame["happened"] == []


def test_everything_that_happens_comes_in_order_and_once(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    with ann.live(UTH, after=0) as socket:
        ben.sit(UTH, 2)
        ben.bet(UTH, 2)
        ben.ready(UTH, 2)
        ben.until(UTH, "deciding")
        ben.do(UTH, type="act", seat=2, action="4x")
        frames = frames_until(
            socket,
            lambda f: any(one["kind"] == "cards_collected" for one in f["happened"]),
        )
        seqs = [frame["seq"] for frame in frames]
        assert seqs == sorted(seqs)
        told = [(one["version"], one["kind"]) for frame in frames for one in frame["happened"]]
        versions = [version for version, _ in told]
        assert versions == sorted(versions), "what one command led to shares its version"
        assert len(told) == len(set(told))
        kinds = [one["kind"] for frame in frames for one in frame["happened"]]
        assert kinds.count("wagers_placed") == 1
        for frame in frames:
            assert frame["view"]["version"] == frame["seq"]
            assert all(one["version"] <= frame["seq"] for one in frame["happened"])


def test_a_lost_connection_is_resumed_without_a_gap(server: Server) -> None:
    ann = server.guest()
    with ann.live(UTH) as socket:
        last = json.loads(socket.receive_text())["seq"]
    ann.sit(UTH, 1)
    ann.bet(UTH, 1)
    with ann.live(UTH, after=last) as socket:
        frame = json.loads(socket.receive_text())
    assert [one["kind"] for one in frame["happened"]][:1] == ["take_seat"]
    assert [one["kind"] for one in frame["happened"]][-1] == "wagers_placed"
    assert frame["view"]["round"]["seats"][0]["player"] == ann.name
    with ann.live(UTH, after=frame["seq"]) as socket:
        assert json.loads(socket.receive_text())["happened"] == []


def test_who_comes_late_is_told_only_how_it_stands(server: Server) -> None:
    ann = server.guest()
    ann.sit(UTH, 1)
    with server.stranger().live(UTH) as socket:
        frame = json.loads(socket.receive_text())
    assert frame["happened"] == []
    assert frame["view"]["me"] is None
    assert frame["view"]["actions"] == []


def test_readiness_is_shown_without_anything_having_happened(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    ann.sit(UTH, 1)
    ben.sit(UTH, 2)
    ann.bet(UTH, 1)
    ben.bet(UTH, 2)
    with ben.live(UTH) as socket:
        socket.receive_text()
        ann.ready(UTH, 1)
        frames = frames_until(socket, lambda f: f["view"]["round"]["seats"][0]["ready"])
    assert all(frame["happened"] == [] for frame in frames)


@pytest.mark.parametrize("query", ["?after=-1", "?after=x", "?after=1e9", "?after=" + "9" * 30])
def test_a_bad_place_to_resume_from_is_refused(server: Server, query: str) -> None:
    ann = server.guest()
    with (
        pytest.raises(WebSocketDisconnect) as caught,
        server.client.websocket_connect(
            f"/api/v1/tables/{UTH}/live{query}", headers={"Cookie": ann.cookie}
        ) as socket,
    ):
        socket.receive_text()
    assert caught.value.code == 4400


def test_a_table_that_is_not_there(server: Server) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as caught,
        server.guest().live("nothing") as socket,
    ):
        socket.receive_text()
    assert caught.value.code == 4404


def test_a_foreign_page_gets_no_connection(server: Server) -> None:
    with (
        pytest.raises(WebSocketDisconnect) as caught,
        server.guest().live(UTH, Origin="https://evil.example") as socket,
    ):
        socket.receive_text()
    assert caught.value.code == 4403


def test_whatever_a_client_says_is_let_fall(server: Server) -> None:
    ann = server.guest()
    with ann.live(UTH) as socket:
        socket.receive_text()
        socket.send_text('{"type": "take_seat", "seat": 1}')
        socket.send_text("nonsense")
        ann.do(UTH, type="take_seat", seat=2)
        frame = json.loads(socket.receive_text())
    assert frame["view"]["seats"][0]["player"] is None
