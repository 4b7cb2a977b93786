"""How fast a table is dealt: the software's own time by its waits, never by a watch."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.rounds.actions import legal_actions
from croupier.rounds.commands import Act, PlaceWagers
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import AT_ONCE, FAST, PACES, Pace, Times, due, no_slower
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
from croupier.tables.planning import plan_opening
from croupier.web.tables.audience import Subscriber
from croupier.web.tables.demo import DEMO_TABLES, OPERATOR, submission_for
from croupier.web.tables.presence import Wish, pace_of, slowest
from croupier.web.tables.views import NOBODY
from tests.web.conftest import Server, Start
from tests.web.tables.test_live import frames_until

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANN = Actor("player", "ann")
UTH = "md-uth"


def _waits(rulebook: str, pace: Pace) -> list[float]:
    """Of the dealer by software in a round that one player plays to the end: in seconds."""
    opening = OpenTable("one", rulebook, submission_for(rulebook), inventory=10**8)
    made = plan_opening(opening, OPERATOR)
    running, at = TableSession(made.table, made.link), NOW
    running.do(TakeSeat("ann", 1), ANN)
    running.do(BuyIn("ann", 1_000_000), ANN)
    waits: list[float] = []
    while running.table.round.number < 2:
        state = running.table.round
        if state.phase == "deciding":
            said = [one for one in legal_actions(state, running.rules, 1, "ann") if one.do == "say"]
            bet = max(said, key=lambda one: (one.action != "fold", -one.cents))
            running.do(Act(1, "ann", bet.action), ANN)
        elif state.phase == "betting" and not state.seats:
            least = legal_actions(state, running.rules, 1, "ann")
            needed = {one.wager: one.least for one in least if one.wager in running.rules.required}
            running.do(PlaceWagers(1, "ann", needed), ANN)
        else:
            found = due(running.table, running.rules, Times(at, at), (1,), pace, floor=True)
            assert found is not None, state.phase
            waits.append((found.at - at).total_seconds())
            at = found.at
            running.do(found.command, found.actor)
    return waits


@pytest.mark.parametrize("rulebook", DEMO_TABLES)
def test_a_solo_round_at_turbo_takes_software_less_than_two_seconds(rulebook: str) -> None:
    """1,000 hands an hour are 3.6 s for each, decisions included."""
    turbo = _waits(rulebook, no_slower(Pace(), PACES["turbo"]))
    quick = _waits(rulebook, no_slower(Pace(), PACES["quick"]))
    casino = _waits(rulebook, no_slower(Pace(), PACES["casino"]))
    assert sum(turbo) < 1.2
    assert sum(quick) < sum(casino) / 2
    assert sum(_waits(rulebook, no_slower(Pace(), AT_ONCE))) < 0.1


def test_no_pace_is_slower_than_the_house() -> None:
    for pace in PACES.values():
        assert no_slower(FAST, pace) == FAST
    assert no_slower(Pace(), PACES["casino"]) == Pace()
    assert no_slower(Pace(), PACES["turbo"]).idle == Pace().idle


def _wish(player: str, pace: Any = "casino", *, skips: bool = False) -> Wish:
    made = Wish(player)
    made.pace, made.skips = pace, skips
    return made


def test_the_slowest_player_sets_the_pace() -> None:
    assert slowest([]) == "casino"
    assert slowest([_wish("ann", "turbo"), _wish("ben", "quick")]) == "quick"
    assert pace_of([_wish("ann", "turbo"), _wish("ben")], Pace()) == Pace()
    assert pace_of([], Pace()) == Pace()


def test_it_is_skipped_when_everybody_skips() -> None:
    ann, ben = _wish("ann", skips=True), _wish("ben")
    assert pace_of([ann], Pace()).step == 0
    assert pace_of([ann, ben], Pace()) == Pace()
    assert pace_of([ann, ben, _wish("ben", skips=True)], Pace()).step == 0, "in another window"


def test_a_page_says_its_pace_on_the_live_connection(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    ann.sit(UTH, 1)
    with ann.live(UTH) as socket:
        for nonsense in ("", "{", "[]", '{"pace": "warp"}', '{"pace": 1}', '{"more": true}'):
            socket.send_text(nonsense)
        socket.send_text('{"pace": "turbo"}')
        frames_until(socket, lambda frame: frame["view"]["pace"] == "turbo")
        ben.sit(UTH, 2)
        with ben.live(UTH):
            frames_until(socket, lambda frame: frame["view"]["pace"] == "casino")
    assert ann.view(UTH)["pace"] == "casino"


SLOW = Pace(after_round=500, step=0, settle=500, collect=500, validate=500)


def test_whoever_skips_is_told_the_settlement_and_asked_to_bet(start: Start) -> None:
    server = start(pace=SLOW)
    ann = server.guest()
    ann.sit(UTH, 1)
    ann.bet(UTH, 1)
    ann.ready(UTH, 1)
    ann.until(UTH, "deciding")
    with ann.live(UTH) as socket:
        socket.send_text('{"skip": true}')  # a question is open: nothing to skip
        ann.do(UTH, type="act", seat=1, action="4x")
        frames_until(socket, lambda frame: frame["view"]["round"]["phase"] == "settling")
        socket.send_text('{"skip": true}')
        frames = frames_until(socket, lambda frame: frame["view"]["round"]["number"] == 2)
    shown = [frame["view"]["round"] for frame in frames]
    assert any(one["seats"] and one["seats"][0]["lines"] for one in shown), "the settlement"


def test_a_house_that_sets_the_pace_itself_is_not_hurried(start: Start) -> None:
    server = start(pace=SLOW, own_pace=False)
    ann = server.guest()
    ann.sit(UTH, 1)
    served = server.pit.table(UTH)
    with ann.live(UTH) as socket:
        socket.send_text('{"pace": "turbo", "skip": true}')
        ann.bet(UTH, 1)
        ann.ready(UTH, 1)
        ann.until(UTH, "deciding")
        ann.do(UTH, type="act", seat=1, action="4x")
        ann.until(UTH, "settling")
        coming = served.due()
    assert ann.view(UTH)["pace"] == "casino"
    assert coming is not None
    assert coming.at - served.clock.times.last == timedelta(seconds=500)


def _view(name: str) -> Any:
    return SimpleNamespace(whole=json.dumps(name).encode())


def test_a_settlement_is_not_lost_on_a_client_that_falls_behind() -> None:
    slow = Subscriber(NOBODY, lambda: None)
    slow.put(1, _view("cards"), [b'"a"'])
    slow.put(2, _view("settled"), [b'"b"'], settled=True)
    slow.put(3, _view("over"), [b'"c"'])
    slow.put(4, _view("bets"), [b'"d"'])
    frames = [json.loads(slow.take() or b"null") for _ in range(3)]
    assert [frame and (frame["seq"], frame["view"]) for frame in frames] == [
        (2, "settled"),
        (4, "bets"),
        None,
    ]
    assert [frame["happened"] for frame in frames[:2]] == [["a", "b"], ["c", "d"]]
