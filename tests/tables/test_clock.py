"""The operator's clock: only where others wait, extendable, and never a reason to take wagers."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import CroupierError, Refusal
from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.reports.notices import notices_of
from croupier.rounds.commands import Act, CloseBets, OpenBetting, PlaceWagers
from croupier.rounds.declaration import Actor
from croupier.rulebooks.rules import rules_for
from croupier.rulebooks.submission import Submission
from croupier.runtime.dealer import DEALER, FAST, DueCommand, Times, due
from croupier.runtime.house import House
from croupier.runtime.session import TableSession
from croupier.submissions.check import check_submission
from croupier.tables.commands import BuyIn, MoreTime, OpenTable, TakeSeat
from croupier.tables.planning import plan_opening

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CLOCK = {"betting": 30, "decision": 45, "extension": 20}
OPERATOR = Actor("operator", "olga")
BETS = {"ante": 500, "blind": 500}


def _table(*players: str, clock: dict[str, int] | None = CLOCK) -> TableSession:
    """Bets are open, and the players have their chips."""
    told = json.dumps({"offered": []} | ({"clock": clock} if clock else {}))
    made = plan_opening(OpenTable("one", "md-uth", told, inventory=10**8), OPERATOR)
    running = TableSession(made.table, made.link)
    for seat, name in enumerate(players, 1):
        running.do(TakeSeat(name, seat), Actor("player", name))
        running.do(BuyIn(name, 100_000), Actor("player", name))
    running.do(OpenBetting(), DEALER)
    return running


def _asked(*players: str, clock: dict[str, int] | None = CLOCK) -> TableSession:
    """The first player is asked before the flop."""
    running = _table(*players, clock=clock)
    for seat, name in enumerate(players, 1):
        running.do(PlaceWagers(seat, name, BETS), Actor("player", name))
    running.do(CloseBets(), DEALER)
    while running.table.round.phase != "deciding":
        found = _due(running)
        assert found is not None
        running.do(found.command, found.actor)
    return running


def _due(
    running: TableSession,
    ready: tuple[int, ...] = (),
    away: tuple[str, ...] = (),
    *,
    declines: bool = False,
) -> DueCommand | None:
    times = Times(NOW, NOW, NOW)
    return due(running.table, running.rules, times, ready, FAST, away=away, declines=declines)


def _seconds(running: TableSession) -> float:
    found = _due(running)
    assert found is not None
    return (found.at - NOW).total_seconds()


def _more(running: TableSession, seat: int, player: str) -> None:
    running.do(MoreTime(player, seat), Actor("player", player))


def test_without_a_clock_nobody_is_hurried() -> None:
    running = _table("ann", "ben", clock=None)
    running.do(PlaceWagers(1, "ann", BETS), Actor("player", "ann"))
    assert _due(running, ready=(1,)) is None, "ben has not bet, and nobody hurries him"
    closing = _due(running, ready=(1, 2))
    assert closing is not None, "ben sits the round out"
    assert isinstance(closing.command, CloseBets)
    assert _due(_asked("ann", "ben", clock=None)) is None


def test_no_clock_runs_for_a_player_alone() -> None:
    running = _table("ann")
    running.do(PlaceWagers(1, "ann", BETS), Actor("player", "ann"))
    assert _due(running) is None
    assert _due(_asked("ann")) is None


def test_MD_37_a_player_who_does_not_answer_declines_and_keeps_his_wagers() -> None:
    running = _asked("ann", "ben")
    found = _due(running)
    assert found is not None
    assert (found.at, found.what, found.seat) == (NOW + timedelta(seconds=45), "check", 1)
    assert found.command == Act(1, "ann", "check")
    running.do(found.command, found.actor)
    seat = running.table.round.seat(1)
    assert seat is not None
    assert not any((seat.left, seat.abandoned, seat.folded))
    assert seat.wagers == BETS


def test_more_time_is_given_three_times_for_each_question() -> None:
    running = _asked("ann", "ben")
    for seconds in (65, 85, 105):
        _more(running, 1, "ann")
        assert _seconds(running) == seconds
    with pytest.raises(Refusal, match="3 times already") as caught:
        _more(running, 1, "ann")
    assert caught.value.code == "over_limit"
    running.do(Act(1, "ann", "check"), Actor("player", "ann"))
    assert _seconds(running) == 45, "the next question has its own time"
    _more(running, 2, "ben")
    assert _seconds(running) == 65


def test_more_time_to_bet() -> None:
    running = _table("ann", "ben")
    running.do(PlaceWagers(1, "ann", BETS), Actor("player", "ann"))
    assert _seconds(running) == 30
    _more(running, 2, "ben")
    assert _seconds(running) == 50


@pytest.mark.parametrize(
    ("players", "clock", "seat", "by", "code"),
    [
        (("ann", "ben"), None, 1, "ann", "no_clock"),
        (("ann", "ben"), {"betting": 30, "extension": 20}, 1, "ann", "no_clock"),
        (("ann",), CLOCK, 1, "ann", "no_clock"),
        (("ann", "ben"), CLOCK, 2, "ben", "not_now"),
        (("ann", "ben"), CLOCK, 1, "ben", "not_yours"),
        (("ann", "ben"), CLOCK, 5, "ann", "not_now"),
    ],
)
def test_more_time_is_refused(
    players: tuple[str, ...], clock: dict[str, int] | None, seat: int, by: str, code: str
) -> None:
    running = _asked(*players, clock=clock)
    before = running.table
    with pytest.raises(Refusal) as caught:
        _more(running, seat, by)
    assert caught.value.code == code
    assert running.table == before


def test_more_time_is_in_the_journal_and_verifies(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_journal(path) as journal:
        house = House(journal)
        told = json.dumps({"offered": [], "clock": CLOCK})
        house.do("one", OpenTable("one", "md-uth", told, inventory=10**8), OPERATOR)
        for seat, name in ((1, "ann"), (2, "ben")):
            house.do("one", TakeSeat(name, seat), Actor("player", name))
        house.do("one", OpenBetting(), DEALER)
        house.do("one", MoreTime("ann", 1), Actor("player", "ann"))
        assert verify(journal).valid


# -- the submission --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"betting": 5, "extension": 20}, "clock.betting is 5 seconds"),
        ({"decision": 601, "extension": 20}, "clock.decision is 601 seconds"),
        ({"decision": 45, "extension": 0}, "clock.extension is 0 seconds"),
        ({"decision": 45}, "clock.extension is left out"),
        ({"extension": 20}, "nothing to extend"),
    ],
)
def test_a_clock_that_makes_no_sense_is_found_and_never_in_force(
    told: dict[str, Any], words: str
) -> None:
    from croupier.rulebooks.clock import ClockTerms

    findings = check_submission(Submission(rulebook="md-uth", clock=ClockTerms(**told)))
    assert any(words in one.message for one in findings if one.severity == "error")
    with pytest.raises(CroupierError, match=words):
        rules_for("md-uth", "", json.dumps({"clock": told}))


@pytest.mark.parametrize("told", [{"bets": 30}, {"betting": "30"}, {"betting": 12.5}])
def test_a_clock_is_whole_seconds_under_known_names(told: dict[str, Any]) -> None:
    with pytest.raises(CroupierError, match="clock"):
        rules_for("md-uth", "", json.dumps({"clock": told}))


def test_the_sign_tells_the_clock() -> None:
    def told(clock: dict[str, int] | None) -> list[str]:
        rules = rules_for("md-uth", "", json.dumps({"clock": clock} if clock else {}))
        return [notice.words for notice in notices_of(rules) if notice.kind == "clock"]

    assert told(None) == []
    (words,) = told(CLOCK)
    for said in ("30 seconds to bet", "45 seconds for each answer", "20 seconds", "3 times"):
        assert said in words
    assert "never counted as abandoned" in words


# -- who has gone away -----------------------------------------------------------------------------


def test_bets_close_when_everybody_who_is_there_is_ready() -> None:
    running = _table("ann", "ben")
    running.do(PlaceWagers(1, "ann", BETS), Actor("player", "ann"))
    waiting, closing = _due(running, ready=(1,)), _due(running, ready=(1,), away=("ben",))
    assert waiting is not None
    assert waiting.what == "bets close"
    assert closing is not None
    assert (closing.at, closing.what, closing.command) == (NOW, "", CloseBets())
    assert _due(running, away=("ben",)) is None, "no clock where nobody waits"
    assert _due(running, ready=(1,), away=("ann", "ben")) is None, "nobody is there to play"


def test_a_bet_of_a_player_who_is_away_stands() -> None:
    running = _table("ann", "ben")
    for seat, name in enumerate(("ann", "ben"), 1):
        running.do(PlaceWagers(seat, name, BETS), Actor("player", name))
    closing = _due(running, ready=(1,), away=("ben",))
    assert closing is not None
    running.do(closing.command, closing.actor)
    assert [seat.player for seat in running.table.round.seats] == ["ann", "ben"]


def test_MD_37_who_is_away_declines_where_software_may_and_others_wait() -> None:
    running = _asked("ann", "ben", clock=None)
    assert _due(running, away=("ann",)) is None, "with money at stake people decide"
    assert _due(running, away=("ben",), declines=True) is None, "ben is not asked"
    found = _due(running, away=("ann",), declines=True)
    assert found is not None
    assert (found.at, found.what, found.command) == (NOW, "", Act(1, "ann", "check"))
    running.do(found.command, found.actor)
    alone = _due(running, away=("ann", "ben"), declines=True)
    assert alone is not None
    assert alone.at == NOW + timedelta(seconds=FAST.idle), "nobody waits, so nobody hurries"


def test_no_clock_runs_where_only_absent_people_wait() -> None:
    running = _asked("ann", "ben")
    assert _due(running) is not None
    assert _due(running, away=("ben",)) is None
