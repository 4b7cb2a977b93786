"""The floor over the API: who may look, what waits since when, evidence, decks and slips."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.deck_care.state import Care, Deck
from croupier.ledger.history.floor_records import DeckHistory
from croupier.rulebooks.duties import all_duties
from croupier.runtime.dealer import Pace
from croupier.tables.work import work
from croupier.web.tables.deck_board import deck_board
from croupier.web.tables.table_watch import TableWatch
from tests.web.conftest import Server, Start
from tests.web.crew import Crew
from tests.web.kit import Caller

CARED_FOR = ("md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235")


@pytest.fixture
def by_people(start: Start) -> Server:
    """Nothing is done by software."""
    return start(software_dealer=False, software_floor=False)


@pytest.fixture
def crew(by_people: Server) -> Crew:
    """A live table whose people do everything themselves."""
    return _crew(by_people)


def _crew(server: Server) -> Crew:
    return Crew(
        "T1",
        dealer=server.staff("dealer", "Dan"),
        floorperson=server.staff("floorperson", "Flo"),
        player=server.guest(),
    )


def _row(who: Any, table: str = "T1") -> Any:
    return next(row for row in who.get("/floor")["tables"] if row["id"] == table)


@pytest.mark.parametrize(
    "path",
    [
        "/floor",
        "/tables/md-uth/floor",
        "/tables/md-uth/decks",
        "/tables/md-uth/slips",
        "/tables/md-uth/slips/1",
    ],
)
def test_only_staff_look_at_the_floor(server: Server, path: str) -> None:
    for who, status in ((server.stranger().look(), 401), (server.guest(), 403)):
        found = who.call("GET", path)
        assert found.status == status, found
    for role in ("dealer", "floorperson", "operator", "auditor"):
        assert server.staff(role).call("GET", path).status in (200, 404)


def test_what_waits_says_for_whom_and_since_when(crew: Crew) -> None:
    crew.open("md-uth").sit()
    crew.work_until("verify")
    row = _row(crew.floor)
    (step,) = [one for one in row["waits"] if one["step"] == "verify"]
    assert (step["who"], step["by"], step["mine"]) == ("Dan", ["floorperson", "operator"], True)
    inspected = next(s for s in crew.decks()["decks"][0]["steps"] if s["step"] == "inspect")
    assert step["since"] == inspected["at"], "it waits since the inspection, not since this look"
    assert row["dealer"] == "Dan"
    assert not next(s for s in _row(crew.dealer)["waits"] if s["step"] == "verify")["mine"]


def test_a_call_waits_for_the_floor_and_two_cannot_answer_it(by_people: Server, crew: Crew) -> None:
    crew.open("md-235").sit()
    crew.dealer.do("T1", type="call_floor", reason="a player disputes the count")
    row = _row(crew.floor)
    (call,) = row["calls"]
    assert (call["name"], call["role"], call["reason"]) == (
        "Dan",
        "dealer",
        "a player disputes the count",
    )
    fred = by_people.staff("floorperson", "Fred")
    meant = {"seen": row["version"]}
    given = {"type": "answer_call", "number": call["number"]}
    fred.do("T1", meant=meant, decided="counted again", **given)
    assert isinstance(crew.floor, Caller)
    told = crew.floor.refused("T1", 409, "stale", meant=meant, **given)
    assert told["message"].startswith("already decided by Fred")
    assert not _row(crew.floor)["calls"]


@pytest.mark.parametrize("rulebook", CARED_FOR)
def test_what_the_document_asks_of_a_floorperson_is_told_at_each_step(
    crew: Crew, rulebook: str
) -> None:
    """Shuffles and cuts to order, wagers abandoned, progressives, disputes: with their clauses."""
    crew.open(rulebook)
    assert _row(crew.floor)["duties"] == {}, "the list of all tables stays small"
    told = crew.floor.call("GET", "/tables/T1/floor").body["duties"]
    known = {duty.step: duty.clause for duty in all_duties(rulebook) if duty.screen == "floor"}
    elsewhere = {"verify", "validate", "rule_abandoned"}  # with a deck, an award, a player who left
    assert set(told) == set(known) - elsewhere
    for step, duties in told.items():
        assert all(duty["clause"] and duty["words"] for duty in duties), step


def test_people_assigned_to_a_table_are_shown(by_people: Server, crew: Crew) -> None:
    crew.open("md-wpt")
    by_people.staff("dealer", "Dora")
    crew.floor.do("T1", type="assign", role="dealer", name="Dora")
    crew.floor.do("T1", type="assign", role="floorperson", name="Flo")
    row = _row(crew.floor)
    assert (row["dealer"], row["floorperson"]) == ("Dora", "Flo")


# -- a progressive --------------------------------------------------------------------------------


def _royal_deck() -> tuple[Card, ...]:
    top = parse_cards("As Ks Qs Js Ts")
    return (*top, *[card for card in DECK if card not in top])


@pytest.fixture
def claimed(start: Start, monkeypatch: pytest.MonkeyPatch) -> tuple[Server, Caller]:
    """At 235 Stud somebody has a royal flush, and the progressive waits."""
    monkeypatch.setattr("croupier.runtime.session.shuffle", lambda *_: _royal_deck())
    server = start(software_floor=False, pace=Pace(600, 0, 0, 0, 0, 900))
    ann = server.guest()
    ann.sit("md-235", 1)
    ann.bet("md-235", 1, everything=True)
    ann.ready("md-235", 1)
    for _ in range(2):
        ann.until("md-235", "deciding")
        ann.do("md-235", type="act", seat=1, action="raise")
    ann.until_round("md-235", lambda state: state["claim"])
    return server, ann


def test_the_evidence_of_a_progressive(claimed: tuple[Server, Caller]) -> None:
    """md-235 11.D(5)(c): hand, light, meter, amount, who dealt, and where it is written."""
    server, ann = claimed
    flo = server.staff("floorperson", "Flo")
    claim = _row(flo, "md-235")["claim"]
    assert (claim["seat"], claim["player"], claim["light"]) == (1, ann.name, True)
    assert (claim["hand"], claim["meter"], claim["dealt_by"]) == (
        "royal_flush",
        "main",
        "software",
    )
    assert claim["amount"] == claim["reading"]
    won = next(
        entry
        for entry in server.pit.journal.read("table:md-235")
        if b"progressive_won" in entry.body
    )
    assert (claim["entry"], claim["at"]) == (won.version, won.at)


def test_11_D_what_would_follow_is_shown_before_a_progressive_is_decided(
    claimed: tuple[Server, Caller],
) -> None:
    server, ann = claimed
    flo = server.staff("floorperson", "Flo")
    version = flo.view("md-235")["version"]

    def foreseen(**command: Any) -> str:
        found = flo.call("POST", "/tables/md-235/foresee", command)
        assert found.status == 200, found
        return " ".join(found.body["told"])

    claim = _row(flo, "md-235")["claim"]
    paid = foreseen(type="validate_progressive", seat=1)
    assert f"{ann.name} gets ${float(claim['amount']):,.2f}" in paid
    denied = foreseen(type="refuse_progressive", seat=1, reason="a card is marked")
    assert "gets" not in denied.split("a card is marked")[0]
    assert flo.view("md-235")["version"] == version, "nothing is written"
    assert (
        ann.call(
            "POST", "/tables/md-235/foresee", {"type": "validate_progressive", "seat": 1}
        ).status
        == 403
    )


def test_two_floorpersons_decide_a_progressive_and_the_first_is_heard(
    claimed: tuple[Server, Caller],
) -> None:
    server, ann = claimed
    flo, fred = server.staff("floorperson", "Flo"), server.staff("floorperson", "Fred")
    meant = {"seen": flo.view("md-235")["version"]}
    flo.do("md-235", meant=meant, type="refuse_progressive", seat=1, reason="a card is marked")
    rack = ann.view("md-235")["me"]["rack"]
    told = fred.refused("md-235", 409, "stale", meant=meant, type="validate_progressive", seat=1)
    assert told["message"].startswith("already decided by Flo: Deny the progressive")
    assert told["clause"] == "11.D(5)(c)"
    assert ann.view("md-235")["me"]["rack"] == rack


# -- decks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", CARED_FOR)
def test_4_A_the_board_names_who_inspected_and_who_verified(crew: Crew, rulebook: str) -> None:
    crew.open(rulebook).sit()
    crew.work_until("open_betting")
    (deck,) = crew.decks()["decks"][:1]
    assert (deck["inspected_by"], deck["verified_by"]) == ("Dan", "Flo")
    steps = {step["step"]: step for step in deck["steps"]}
    assert list(steps)[:8] == [
        "receive",
        "inspect",
        "verify",
        "spread",
        "view",
        "turn",
        "wash",
        "stack",
    ]
    assert {step["state"] for step in steps.values()} == {"done"}
    assert steps["view"]["player"] == crew.player.name
    assert steps["verify"]["entry"] > steps["inspect"]["entry"]
    # Massachusetts sets none; World Poker Tour is dealt from the hand here (3.C(1)).
    hours = {"ma-uth": None, "md-wpt": 4 * 3600}.get(rulebook, 8 * 3600)
    assert (deck["life"], bool(deck["life_clause"])) == (hours, hours is not None)


def test_a_new_deck_shows_which_step_is_next(crew: Crew) -> None:
    crew.open("md-uth").sit()
    crew.work_until("verify")
    (deck,) = crew.decks()["decks"]
    assert [(s["step"], s["state"]) for s in deck["steps"]][:4] == [
        ("receive", "done"),
        ("inspect", "done"),
        ("verify", "next"),
        ("spread", "later"),
    ]
    assert not deck["verified_by"]


def test_3_C_the_age_of_a_deck_runs_against_its_hours(by_people: Server, crew: Crew) -> None:
    """3.C(2): the board counts on from the last entry; past its hours the deck must go."""
    crew.open("md-uth").sit()
    crew.work_until("open_betting")
    served = by_people.pit.table("T1")
    history = DeckHistory(by_people.pit.journal, "T1").of(served.table)
    later = int((datetime.now(UTC) + timedelta(hours=9)).timestamp())
    (deck,) = deck_board(served.table, served.rules, history, later).decks
    assert deck.life == 8 * 3600
    assert deck.age > deck.life


def test_a_deck_of_a_color_that_was_here_before_has_its_own_history(crew: Crew) -> None:
    crew.open("md-uth").sit()
    crew.work_until("open_betting")
    crew.floor.do("T1", type="remove_deck", back="red", reason="a corner is bent")
    assert crew.decks()["decks"] == []
    crew.work_until("verify")
    (deck,) = crew.decks()["decks"]
    assert (deck["back"], deck["verified_by"]) == ("red", "")
    assert len([one for one in crew.decks()["told"] if "verifies" in one["words"]]) == 0


def test_the_board_is_read_anew_after_a_restart(by_people: Server, crew: Crew) -> None:
    """What a fresh process reads backwards equals what was followed forwards."""
    crew.open("md-jackpot").sit()
    crew.work_until("open_betting")
    crew.decks()
    crew.floor.do("T1", type="order_shuffle", reason="a player asks")
    crew.work_until("open_betting")
    pit = by_people.pit
    served = pit.table("T1")
    followed = served.watch.deck_history(served.table)
    assert DeckHistory(pit.journal, "T1").of(served.table) == followed
    assert any("orders" in one["words"] for one in crew.decks()["told"])


def test_a_virtual_table_has_no_decks_to_care_for(server: Server) -> None:
    assert server.staff("dealer").get("/tables/md-uth/decks")["kept"] is False


def test_13_J_a_device_is_reported_marked_and_repaired_on_the_board(crew: Crew) -> None:
    crew.open("md-uth").sit()
    crew.work_until("open_betting")

    def status() -> str:
        devices = crew.decks()["devices"]
        return str(next(one["status"] for one in devices if one["device"] == "shoe"))

    assert status() == "in_use"
    crew.dealer.do("T1", type="report_malfunction", device="shoe")
    assert status() == "failed"
    crew.floor.do("T1", type="mark_out_of_order", device="shoe", how="sign")
    assert status() == "sign"
    crew.floor.do("T1", type="change_dealing", method="hand")
    board = crew.decks()
    assert (board["way"], board["usual"]) == ("hand", "automated_shoe")
    crew.floor.do("T1", type="repair_device", device="shoe")
    assert status() == "in_use"


def test_deck_without_history_is_still_shown() -> None:
    """A board never fails for want of a journal: it says less."""
    from croupier.rulebooks.rules import rules_for
    from croupier.tables.state import Table

    table = Table("T1", "md-uth", care=Care("hand", decks=(Deck("red"),)))
    (deck,) = deck_board(table, rules_for("md-uth", "", "{}"), (), 0).decks
    assert (deck.back, deck.verified_by) == ("red", "")


# -- slips ----------------------------------------------------------------------------------------


def test_fill_credit_and_drop_have_numbered_slips(crew: Crew) -> None:
    crew.open("md-wpt").sit()
    chips = {"25.00": 4, "5.00": 20}
    entry = crew.floor.do("T1", type="fill", amount="200.00", chips=chips)
    crew.floor.do("T1", type="credit", amount="50.00", chips={"5.00": 10})
    crew.floor.do("T1", type="empty_drop")
    slips = crew.floor.call("GET", "/tables/T1/slips").body["slips"]
    assert [slip["kind"] for slip in slips] == ["empty_drop", "credit", "fill"]
    assert len({slip["number"] for slip in slips}) == 3
    assert all(slip["number"] and slip["by"] == "Flo" for slip in slips)
    assert slips[0]["amount"] == "1000.00", "what the player bought in for"
    one = crew.floor.call("GET", f"/tables/T1/slips/{entry}").body
    assert (one["amount"], one["chips"]) == ("200.00", {"25.00": 4, "5.00": 20})
    missing = crew.floor.call("GET", "/tables/T1/slips/1")
    assert missing.status == 404


def test_the_pace_is_rounds_in_an_hour(server: Server) -> None:
    ann, flo = server.guest(), server.staff("floorperson")
    assert _row(flo, "md-uth")["pace"] is None
    ann.sit("md-uth", 1)
    ann.bet("md-uth", 1)
    ann.ready("md-uth", 1)
    ann.until("md-uth", "deciding")
    ann.do("md-uth", type="act", seat=1, action="4x")
    ann.until_round("md-uth", lambda state: state["number"] == 2)
    assert _row(flo, "md-uth")["pace"] > 0


def test_a_watch_that_looked_away_knows_the_same_as_a_fresh_one(server: Server) -> None:
    """Rounds pass between two looks: what waits, since when and who dealt come out the same."""
    ann, flo = server.guest(), server.staff("floorperson")
    ann.sit("md-wpt", 1)
    _row(flo, "md-wpt")
    for _ in range(3):
        ann.bet("md-wpt", 1)
        ann.ready("md-wpt", 1)
        ann.until("md-wpt", "deciding")
        number = ann.view("md-wpt")["round"]["number"]
        while ann.view("md-wpt")["round"]["number"] == number:
            view = ann.view("md-wpt")
            says = [one["action"] for one in view["actions"] if one["do"] == "say"]
            if says:
                ann.send("md-wpt", type="act", seat=1, action=says[0])
    served, now = server.pit.table("md-wpt"), datetime.now(UTC)
    steps = work(served.table, served.rules, int(now.timestamp()))
    fresh = TableWatch(server.pit.journal, "md-wpt").look(served.table, steps, now)
    assert served.watch.look(served.table, steps, now) == fresh


def test_a_table_that_was_closed_and_opened_again_is_shown(by_people: Server, crew: Crew) -> None:
    crew.open("md-uth").sit()
    crew.work_until("open_betting")
    crew.bet()
    crew.work_until("collect")
    crew.do_step(crew.steps()[0])
    crew.floor.do("T1", type="close_table")
    assert _row(crew.floor)["is_open"] is False
    crew.open("md-uth")
    row = _row(crew.floor)
    assert row["is_open"]
    served, now = by_people.pit.table("T1"), datetime.now(UTC)
    steps = work(served.table, served.rules, int(now.timestamp()))
    fresh = TableWatch(by_people.pit.journal, "T1").look(served.table, steps, now)
    assert fresh.since.keys() == served.watch.look(served.table, steps, now).since.keys()


def test_no_answer_for_the_floor_names_a_card_that_lies_face_down(
    claimed: tuple[Server, Caller], crew: Crew
) -> None:
    """Not even the evidence of a progressive: cards come with the table's view alone."""
    server, _ = claimed
    flo = server.staff("floorperson", "Fran")
    for path in ("/floor", "/tables/md-235/floor", "/tables/md-235/decks", "/tables/md-235/slips"):
        assert not re.search(r'"[2-9TJQKA][cdhs]\b', json.dumps(flo.get(path))), path
    crew.open("md-wpt").sit()
    crew.work_until("open_betting")
    crew.bet()
    crew.work_until("ask")
    for path in ("/floor", "/tables/T1/floor", "/tables/T1/decks"):
        found = crew.floor.call("GET", path)
        assert not re.search(r'"[2-9TJQKA][cdhs]\b', json.dumps(found.body)), path


# -- what was void --------------------------------------------------------------------------------


def test_every_void_is_on_the_board_with_who_why_and_the_money(crew: Crew) -> None:
    crew.open("md-uth")
    crew.sit()
    crew.work_until("open_betting")
    crew.bet()
    assert crew.floor.call("GET", "/floor").body["voids"] == []
    crew.floor.do("T1", type="void_round", reason="the fire alarm")
    (void,) = crew.floor.call("GET", "/floor").body["voids"]
    assert (void["table"], void["round"], void["what"]) == ("T1", 1, "round")
    assert (void["by"], void["role"], void["reason"]) == ("Flo", "floorperson", "the fire alarm")
    assert (void["money"], void["clause"]) == ("10.00", "")
    assert void["entry"] == crew.view()["version"]
    crew.work_until("open_betting")
    crew.bet()
    crew.work_until("ask")
    crew.dealer.do("T1", type="report", kind="wrong_count", note="four cards at seat 1")
    newest, *earlier = crew.dealer.call("GET", "/floor").body["voids"]
    assert earlier == [void]
    assert (newest["by"], newest["role"], newest["clause"]) == ("Dan", "dealer", "13.E")
    assert newest["reason"].endswith("wrong number of cards: four cards at seat 1")
    assert newest["money"] == "10.00"


def test_a_hand_that_is_void_is_on_the_board_with_its_wagers(crew: Crew) -> None:
    """ma-uth 14(d): one hand of two is void, and comes back when it is settled."""
    crew.open("ma-uth")
    crew.sit()
    crew.floor.do("T1", type="assign", role="dealer", name="Dan")
    crew.dealer.do("T1", type="take_seat", player="Ben", seat=2)
    crew.dealer.do("T1", type="buy_in", player="Ben", amount="500.00")
    crew.work_until("open_betting")
    crew.bet()
    wagers = {"ante": "15.00", "blind": "15.00"}
    crew.dealer.do("T1", type="place_wagers", player="Ben", seat=2, wagers=wagers)
    crew.work_until("ask")
    crew.dealer.do("T1", type="report", kind="wrong_count", seat=2, held=3)
    (void,) = crew.floor.call("GET", "/floor").body["voids"]
    assert (void["what"], void["seat"], void["money"]) == ("hand", 2, "30.00")
    assert void["clause"] == "14(d)"


def test_voids_of_yesterday_are_off_the_board(crew: Crew, by_people: Server) -> None:
    crew.open("md-uth")
    crew.sit()
    crew.work_until("open_betting")
    crew.bet()
    crew.floor.do("T1", type="void_round", reason="the fire alarm")
    served = by_people.pit.table("T1")
    version = served.table.version
    assert served.watch.voids(version, "2000-01-01T00:00:00.000000Z")
    assert not served.watch.voids(version, "2999-01-01T00:00:00.000000Z")
