"""Surveillance and auditors: everything found, nothing changed, no card before its time."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from croupier.cards import Card
from croupier.ledger.history import search as searching
from croupier.ledger.history.past_rounds import finished_round, moments
from croupier.ledger.records.table_entries import table_stream
from croupier.runtime.dealer import Pace
from tests.web.conftest import Server, Start
from tests.web.hidden import Sight, cards_in
from tests.web.kit import GAMES, Caller

UTH = "md-uth"
BY_HAND = Pace(600, 0, 0, 0, 0, 900)


def entries(who: Caller, **asked: Any) -> list[Any]:
    return list(who.get(f"/audit/entries?{urlencode(asked)}")["entries"])


def whole(who: Caller, row: Any) -> Any:
    return who.get(f"/audit/entries/{quote(row['stream'])}/{row['version']}")


def play_round(ann: Caller, game: str, watch: Callable[[], None] = lambda: None) -> None:
    """One round of one player, who folds where he can."""
    ann.bet(game, 1)
    watch()
    ann.ready(game, 1)
    while (view := ann.until(game, "deciding", "over"))["round"]["phase"] == "deciding":
        watch()
        said = [one["action"] for one in view["actions"] if one["do"] == "say"]
        asked = {"decision": view["round"]["decision"]}
        action = "fold" if "fold" in said else said[-1]
        ann.do(game, meant=asked, type="act", seat=1, action=action)


@pytest.fixture
def played(start: Start) -> tuple[Server, Caller]:
    """A round is over, and somebody has tried what he may not."""
    server = start(pace=BY_HAND)
    ann = server.guest()
    ann.sit(UTH, 1)
    play_round(ann, UTH)
    ann.refused(UTH, 403, "wrong_role", type="fill", amount="70.00", slip="F-1")
    server.staff("floorperson", "flo").do(UTH, type="fill", amount="2500.00", slip="F-7")
    server.sign()
    return server, ann


# -- who may look ----------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["auditor", "surveillance", "operator"])
def test_those_who_audit_see_every_stream(played: tuple[Server, Caller], role: str) -> None:
    server, _ = played
    otto = server.staff(role, "otto")
    kinds = {row["stream"].partition(":")[0] for row in entries(otto, limit=100)}
    assert {"table", "link", "attempts"} <= kinds


def test_nobody_else_sees_the_journal(played: tuple[Server, Caller]) -> None:
    server, ann = played
    paths = ("/audit/entries", f"/audit/entries/table:{UTH}/1", "/audit/attempts")
    for who in (ann, server.staff("dealer"), server.staff("floorperson")):
        for path in paths:
            found = who.call("GET", path)
            assert (found.status, found.body["code"]) == (403, "wrong_role")
    assert server.stranger().call("GET", paths[0]).status == 401


# -- finding ---------------------------------------------------------------------------------------


def test_entries_are_found_by_what_they_say(played: tuple[Server, Caller]) -> None:
    server, ann = played
    otto = server.staff("auditor", "otto")
    (fill,) = entries(otto, command="fill", kind="tables")
    assert (fill["role"], fill["name"], fill["moved"]) == ("floorperson", "flo", "2500.00")
    assert entries(otto, amount="2500") == [fill]
    assert entries(otto, words="slip F-7") == [fill]
    assert entries(otto, role="floorperson", kind="tables") == [fill]
    assert entries(otto, person="flo", kind="tables") == [fill]
    (account,) = entries(otto, person="flo", kind="people")
    assert account["type"] == "person_added"
    assert {row["name"] for row in entries(otto, person=ann.name, role="player")} == {ann.name}
    (tried,) = entries(otto, kind="attempts", amount="70.00")
    assert (tried["type"], tried["name"]) == ("fill", ann.name)
    assert "a player may not" in tried["refused"]
    round_1 = entries(otto, table=UTH, round=1, limit=100)
    assert [row["type"] for row in round_1][-1] == "open_betting"
    assert {row["round"] for row in round_1} == {1}
    clause = next(row["clauses"][0] for row in round_1 if row["clauses"])
    by_clause = entries(otto, clause=clause[:3], stream=table_stream(UTH), limit=100)
    assert {row["version"] for row in by_clause} == {
        row["version"]
        for row in entries(otto, stream=table_stream(UTH), limit=100)
        if any(one.startswith(clause[:3]) for one in row["clauses"])
    }
    assert entries(otto, stream="link:md-uth")


def test_the_time_of_an_entry_is_looked_for(played: tuple[Server, Caller]) -> None:
    otto = played[0].staff("auditor", "otto")
    everything = entries(otto, limit=100)
    times = [row["at"] for row in everything]
    assert times == sorted(times, reverse=True)
    middle = times[len(times) // 2]
    later = entries(otto, since=middle, limit=100)
    earlier = entries(otto, until=middle, limit=100)
    assert [row["at"] for row in later] == [at for at in times if at >= middle]
    assert earlier[0]["at"] == middle
    assert entries(otto, since=datetime(2100, 1, 1, tzinfo=UTC).isoformat()) == []


@pytest.mark.parametrize("asked", [{}, {"stream": table_stream(UTH)}, {"kind": "tables"}])
def test_pages_meet_without_a_gap_or_a_repetition(
    played: tuple[Server, Caller], asked: dict[str, str]
) -> None:
    otto = played[0].staff("auditor", "otto")
    everything = entries(otto, limit=100, **asked)
    found: list[Any] = []
    before: str | None = ""
    while before is not None:
        query = urlencode({**asked, "limit": 7, "before": before})
        page = otto.get(f"/audit/entries?{query}")
        found += page["entries"]
        before = page["before"]
    assert found[:100] == everything
    places = [(row["stream"], row["version"]) for row in found]
    assert len(set(places)) == len(places)


def test_a_page_is_bounded_and_says_how_far_it_looked(
    played: tuple[Server, Caller], monkeypatch: pytest.MonkeyPatch
) -> None:
    otto = played[0].staff("auditor", "otto")
    everything = entries(otto, limit=100)
    monkeypatch.setattr(searching, "WINDOW", 5)
    page = otto.get("/audit/entries?command=open_table")
    assert page["entries"] == []
    assert page["back_to"] == everything[4]["at"]
    assert page["before"].startswith(page["back_to"])


WRONG = ["before=x", "before=a+b+c", "amount=7.555", "since=yesterday", "kind=secrets", "round=1"]
WRONG += ["limit=0", "limit=101", "round=-1", "before=a+b+" + "9" * 40]


@pytest.mark.parametrize("query", WRONG)
def test_a_search_that_makes_no_sense_is_told_so(server: Server, query: str) -> None:
    otto = server.staff("auditor", "otto")
    found = otto.call("GET", f"/audit/entries?{query}")
    assert found.status == 400
    assert found.body["message"]


def test_what_is_not_there_is_told_so(server: Server) -> None:
    otto = server.staff("auditor", "otto")
    for path in ("entries/table:nothing/1", "entries/table:md-uth/999", "entries?table=nothing"):
        assert otto.call("GET", f"/audit/{path}").status == 404


# -- one entry -------------------------------------------------------------------------------------


def test_an_entry_is_told_whole(played: tuple[Server, Caller]) -> None:
    server, _ = played
    otto = server.staff("auditor", "otto")
    (row,) = entries(otto, command="fill", kind="tables")
    found = whole(otto, row)
    assert found["row"] == row
    assert found["words"][0].startswith("fill of $2,500 on slip F-7")
    assert found["transfers"] == [
        {"source": "cage", "target": f"table:{UTH}:inventory", "amount": "2500.00"}
    ]
    assert found["request"].startswith("floorperson flo:key-")
    assert found["holds"] is True
    before = otto.get(f"/audit/entries/table:{UTH}/{row['version'] - 1}")
    assert found["previous"] == before["hash"]
    assert found["newest"] == row["version"]


def test_every_entry_of_every_stream_can_be_opened(played: tuple[Server, Caller]) -> None:
    otto = played[0].staff("auditor", "otto")
    for row in entries(otto, limit=100):
        found = whole(otto, row)
        assert found["holds"], row
        assert found["row"]["label"]
        assert found["words"] or row["stream"].startswith("table:"), row


def test_what_was_refused_is_counted(played: tuple[Server, Caller]) -> None:
    server, ann = played
    for _ in range(3):
        ann.refused(UTH, 403, "wrong_role", type="deal")
    found = server.staff("auditor", "otto").get("/audit/attempts")
    assert [(one["type"], one["times"], one["name"]) for one in found["attempts"]] == [
        ("deal", 3, ann.name),
        ("fill", 1, ann.name),
    ]
    assert found["left_out"] == 0


# -- cards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["auditor", "surveillance"])
@pytest.mark.parametrize("game", GAMES)
def test_no_answer_shows_a_card_of_a_round_in_play(start: Start, game: str, role: str) -> None:
    server = start(pace=BY_HAND)
    ann, otto = server.guest(), server.staff(role, "otto")
    ann.sit(game, 1)
    looked = 0

    def look() -> None:
        nonlocal looked
        allowed = _open_cards(server, game)
        texts = [otto.call("GET", f"/audit/entries?limit=100&table={game}").body]
        texts += [whole(otto, row) for row in texts[0]["entries"]]
        texts += [otto.get("/audit/attempts"), otto.view(game)]
        assert cards_in(json.dumps(texts)) <= allowed
        state = server.pit.table(game).table.round
        assert not state.salt or state.salt not in json.dumps(texts)
        hidden = [card for seat in state.seats for card in seat.cards if card not in allowed]
        for card in hidden:
            assert entries(otto, person=str(card), table=game) == []
            for row in entries(otto, words=str(card), stream=table_stream(game)):
                said = json.dumps([row, whole(otto, row)["command"]]).lower()
                assert str(card).lower() in said, "found by what is shown, not by its cards"
        looked += len(hidden)

    play_round(ann, game, look)
    assert looked, "there was something to hide"


def _open_cards(server: Server, game: str) -> frozenset[Card]:
    sight = Sight(2 if game == "md-235" else 99, folds=game != "md-235")
    for moment in moments(server.pit.journal, game):
        sight.take_in(moment.event)
    return sight.may_see(None)


def test_cards_that_a_live_dealer_enters_are_not_found_before_they_lie_open(start: Start) -> None:
    from croupier.web.tables.demo import submission_for

    server = start(software_dealer=False)
    dee, ann, otto = server.staff("dealer"), server.guest(), server.staff("surveillance", "otto")
    opening: dict[str, Any] = {"type": "open_table", "table": "live", "rulebook": UTH}
    opening |= {"submission": submission_for(UTH), "inventory": "10000.00", "care": False}
    server.staff("operator").do("live", **opening, source="live")
    ann.do("live", type="take_seat", seat=1)
    ann.do("live", type="buy_in", amount="1000.00")
    dee.do("live", type="open_betting")
    ann.bet("live", 1)
    dee.do("live", type="close_bets")
    dee.do("live", type="deal")
    dee.do("live", type="enter_cards", place="player", seat=1, cards=["As", "Kd"])
    again = dee.send("live", type="enter_cards", place="player", seat=1, cards=["As", "2c"])
    assert again.status >= 400
    rows = entries(otto, table="live", limit=100)
    texts = [rows, *[whole(otto, row) for row in rows], otto.get("/audit/attempts")]
    assert "enter_cards" in json.dumps(texts)
    assert not cards_in(json.dumps(texts))
    assert entries(otto, person="As", stream="table:live") == []
    assert entries(otto, words="Kd", stream="table:live") == []


@pytest.mark.parametrize("role", ["auditor", "surveillance"])
@pytest.mark.parametrize("game", GAMES)
def test_a_finished_round_is_replayed_with_all_cards(start: Start, game: str, role: str) -> None:
    server = start(pace=BY_HAND)
    ann = server.guest()
    ann.sit(game, 1)
    play_round(ann, game)
    played = finished_round(server.pit.journal, game, 1)
    dealt = [*played.seats[0].cards, *played.dealer, *played.community]
    seen = server.staff(role, "otto").get(f"/tables/{game}/rounds/1")
    last = seen["views"][-1]["round"]
    assert last["seats"][0]["cards"] == [str(card) for card in played.seats[0].cards]
    assert {str(card) for card in dealt} <= {str(card) for card in cards_in(json.dumps(last))}
    if played.seats[0].folded:
        stranger = server.stranger().get(f"/tables/{game}/rounds/1")
        assert None in stranger["views"][-1]["round"]["seats"][0]["cards"]


def test_looking_back_takes_no_thread_from_the_tables(server: Server) -> None:
    """However many look back at once, a bet is answered."""
    otto, ann = server.staff("auditor", "otto"), server.guest()
    waits, goes_on = threading.Event(), threading.Event()
    real = server.pit.journal.chapters

    def slow(*given: Any, **named: Any) -> Any:
        waits.set()
        goes_on.wait(30)
        return real(*given, **named)

    server.pit.journal.chapters = slow
    people = [threading.Thread(target=otto.call, args=("GET", "/audit/entries")) for _ in range(20)]
    for one in people:
        one.start()
    assert waits.wait(30)
    ann.do(UTH, type="take_seat", seat=1)
    goes_on.set()
    for one in people:
        one.join()


def test_4_A_the_duties_confirmed_with_a_command_stand_with_its_entry(start: Start) -> None:
    from croupier.web.tables.demo import submission_for

    server = start(software_dealer=False)
    otto = server.staff("auditor", "otto")
    opening: dict[str, Any] = {"type": "open_table", "table": "live", "rulebook": UTH}
    opening |= {"submission": submission_for(UTH), "inventory": "10000.00", "source": "live"}
    server.staff("operator").do("live", **opening)
    dee = server.staff("dealer", "dee")
    dee.do("live", type="receive_deck", back="red", cover_cards=2)
    dee.do("live", type="handle_deck", step="inspect")
    seen = {"duties": "4.A,13.E,no clause"}
    verified = server.staff("floorperson").send(
        "live", meant=seen, type="handle_deck", step="verify"
    )
    assert verified.status == 200
    row, unseen = entries(otto, command="handle_deck", stream="table:live")
    assert whole(otto, unseen)["duties"] == [], "the dealer gave it without a screen"
    found = whole(otto, row)
    assert {one["clause"] for one in found["duties"]} == {"4.A"}
    assert any(one["clause"].startswith("4.A") for one in found["duties"]), found
    assert all(one["words"] for one in found["duties"])
