"""The lobby, the rules, and commands: done once, or refused with a problem and nothing changed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.conftest import Server, Start
from tests.web.kit import GAMES, Caller, check_problem


def test_the_lobby_has_a_table_for_each_document(server: Server) -> None:
    tables = server.stranger().get("/tables")["tables"]
    assert [table["id"] for table in tables] == sorted(GAMES)
    for table in tables:
        assert table["open_seats"] == 6
        assert table["summary"]
        assert table["meters"]
        assert table["limits"]


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_explain_every_wager_and_decision(server: Server, game: str) -> None:
    rules = server.stranger().get(f"/tables/{game}/rules")
    assert rules["positions"] == 6
    assert rules["clauses"]
    for wager in rules["wagers"]:
        assert wager["words"].startswith(wager["title"])
        if wager["role"] == "optional" and wager["offered"]:
            assert wager["paytable"]["lines"], wager["name"]
    for decision in rules["decisions"]:
        assert decision["bets"]
        assert decision["wager"] in {wager["name"] for wager in rules["wagers"]}
    assert rules["inscriptions"]


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_from_the_lobby_to_the_history(start: Start, game: str) -> None:
    from croupier.runtime.dealer import Clocks

    server = start(clocks=Clocks(600, 600, 0, 600, 0, 0, 0, 0, 900))
    ann = server.guest()
    assert ann.view(game)["me"] == {"player": ann.name, "rack": "0.00", "seats": []}
    ann.sit(game, 3)
    ann.bet(game, 3, everything=True)
    ann.do(game, type="ready", seat=3)
    said = []
    while (view := ann.until(game, "deciding", "over"))["round"]["phase"] == "deciding":
        bets = [action for action in view["actions"] if action["do"] == "say"]
        said.append(bets[-1]["action"])
        ann.do(game, type="act", seat=3, action=said[-1], decision=view["round"]["decision"])
    (seat,) = view["round"]["seats"]
    assert seat["actions"] == said
    assert seat["lines"]
    (listed,) = ann.get(f"/tables/{game}/rounds")["rounds"]
    assert listed["net_of_me"] == seat["net"]
    assert server.guest().get(f"/tables/{game}/rounds")["rounds"][0]["net_of_me"] is None
    again = ann.get(f"/tables/{game}/rounds/1")
    assert len(again["told"]) == len(again["views"])
    assert again["views"][-1]["round"]["seats"] == view["round"]["seats"]
    _check_seal(again)


def _check_seal(again: Any) -> None:
    from croupier.cards import Card
    from croupier.randomness.shuffling import matches_seal

    order = tuple(Card.parse(name) for name in again["order"])
    assert matches_seal(again["commitment"], again["salt"], order)


# -- once -----------------------------------------------------------------------------------------


def test_a_retried_bet_is_placed_once(server: Server) -> None:
    ann = server.guest()
    ann.sit("md-uth", 1)
    order = {"type": "buy_in", "amount": "50.00"}
    first = ann.send("md-uth", key="retry-1", **order)
    second = ann.send("md-uth", key="retry-1", **order)
    assert (first.body["repeated"], second.body["repeated"]) == (False, True)
    assert ann.view("md-uth")["me"]["rack"] == "1050.00"


def test_a_key_belongs_to_its_command_and_its_person(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    assert ann.send("md-uth", key="mine", type="take_seat", seat=1).status == 200
    other = ann.send("md-uth", key="mine", type="take_seat", seat=2)
    assert (other.status, other.body["code"]) == (422, "key_reused")
    check_problem(other)
    assert ben.send("md-uth", key="mine", type="take_seat", seat=2).status == 200


def test_a_command_needs_a_key(server: Server) -> None:
    ann = server.guest()
    found = ann.call("POST", "/tables/md-uth/commands", {"type": "take_seat", "seat": 1})
    assert (found.status, found.body["code"]) == (400, "bad_data")
    check_problem(found)
    for key in ("", "with blank", "x" * 81, 'a"b'):
        headers = {"Idempotency-Key": key}
        body = {"type": "take_seat", "seat": 1}
        assert ann.call("POST", "/tables/md-uth/commands", body, headers).status == 400


# -- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"take_seat"',
        b"{}",
        b'{"type": "win"}',
        b'{"type": "take_seat"}',
        b'{"type": "take_seat", "seat": "1"}',
        b'{"type": "take_seat", "seat": 1.5}',
        b'{"type": "take_seat", "seat": -1}',
        b'{"type": "take_seat", "seat": 1, "extra": true}',
        b'{"type": "buy_in", "amount": 50}',
        b'{"type": "buy_in", "amount": "50.001"}',
        b'{"type": "buy_in", "amount": "NaN"}',
        b'{"type": "place_wagers", "seat": 1, "wagers": {"ante": "1e3"}}',
        b'{"type": "enter_cards", "place": "player", "cards": ["1x"]}',
        b"\xff\xfe",
    ],
)
def test_what_is_malformed_is_told_so(server: Server, body: bytes) -> None:
    ann = server.guest()
    found = ann.call("POST", "/tables/md-uth/commands", body, {"Idempotency-Key": "k"})
    assert found.status == 400, found.body
    check_problem(found)
    assert ann.view("md-uth")["version"] == 1


def test_somebody_who_is_not_there_and_something_that_is_not(server: Server) -> None:
    stranger = server.stranger().look()
    found = stranger.send("md-uth", type="take_seat", seat=1)
    assert (found.status, found.body["code"]) == (401, "signed_out")
    for path in ("/tables/nothing", "/tables/nothing/rules", "/tables/md-uth/rounds/7", "/x"):
        found = stranger.call("GET", path)
        assert (found.status, found.body["code"]) == (404, "not_found")
        check_problem(found)
    found = stranger.call("PUT", "/tables")
    assert found.status == 405
    check_problem(found)


def test_refusals_have_a_code_and_a_clause(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    uth = "md-uth"
    ann.refused(uth, 409, "not_seated", type="buy_in", amount="10.00")
    ann.sit(uth, 1, "20.00")
    ann.refused(uth, 409, "already_done", type="take_seat", seat=2)
    ben.refused(uth, 409, "seat_taken", type="take_seat", seat=1)
    ben.refused(uth, 403, "not_yours", type="give_up_seat", seat=1, player=ann.name)
    told = ann.refused(uth, 422, "rule_broken", type="take_seat", seat=7)
    assert told["clause"] == "2.A"
    ann.refused(uth, 409, "not_now", type="act", seat=1, action="4x")
    wagers = {"ante": "15.00", "blind": "15.00"}
    ann.refused(uth, 409, "not_enough_money", type="place_wagers", seat=1, wagers=wagers)
    ann.refused(uth, 422, "rule_broken", type="place_wagers", seat=1, wagers={"trips": "5.00"})
    ann.refused(uth, 422, "unknown_name", type="place_wagers", seat=1, wagers={"luck": "5.00"})
    ann.refused(uth, 409, "nothing_placed", type="ready", seat=1)
    ann.refused(uth, 409, "over_limit", type="buy_in", amount="10000.01")


def test_out_of_turn_and_stale(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    uth = "md-uth"
    for seat, who in ((1, ann), (2, ben)):
        who.sit(uth, seat)
        who.bet(uth, seat)
    for seat, who in ((1, ann), (2, ben)):
        who.do(uth, type="ready", seat=seat)
    ann.until(uth, "deciding")
    ben.refused(uth, 409, "out_of_turn", type="act", seat=2, action="check")
    ann.refused(uth, 409, "stale", type="act", seat=1, action="check", round=7)
    ann.refused(uth, 409, "stale", type="act", seat=1, action="check", decision="flop")
    ann.refused(uth, 422, "rule_broken", type="act", seat=1, action="5x")
    ann.refused(
        uth, 409, "not_now", type="place_wagers", seat=1, wagers={"ante": "5.00", "blind": "5.00"}
    )
    ann.do(uth, type="act", seat=1, action="check", decision="preflop", round=1)
    again = ann.send(uth, type="act", seat=1, action="check", decision="preflop")
    assert again.status == 409, "a second click is not an answer to the next question"


def test_what_was_refused_is_written_down(server: Server) -> None:
    ann = server.guest()
    ann.refused("md-uth", 409, "not_seated", type="buy_in", amount="10.00")
    (entry,) = server.pit.store.read("attempts:md-uth")
    assert ann.name.encode() in entry.body


# -- playing at one table -------------------------------------------------------------------------


def test_several_people_see_their_own_cards_only(server: Server) -> None:
    people = [server.guest() for _ in range(3)]
    for seat, who in enumerate(people, 1):
        who.sit("md-uth", seat)
        who.bet("md-uth", seat)
    for seat, who in enumerate(people, 1):
        who.do("md-uth", type="ready", seat=seat)
    onlookers: list[Caller] = [*people, server.guest(), server.stranger()]
    onlookers[0].until("md-uth", "deciding")
    for place, who in enumerate(onlookers, 1):
        state = who.view("md-uth")["round"]
        for seat in state["seats"]:
            shown = [card is not None for card in seat["cards"]]
            assert shown == [seat["number"] == place] * 2
        assert state["dealer"] == [None, None]
        assert state["community"] == [None] * 5
        assert state["order"] == []
        assert state["salt"] == ""


def test_undo_before_no_more_bets(server: Server) -> None:
    ann = server.guest()
    ann.sit("md-uth", 1)
    ann.bet("md-uth", 1)
    ann.do("md-uth", type="take_back", seat=1)
    view = ann.view("md-uth")
    assert view["me"]["rack"] == "1000.00"
    assert view["round"]["seats"] == []


def test_changing_a_bet_takes_the_readiness_back(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    for seat, who in ((1, ann), (2, ben)):
        who.sit("md-uth", seat)
        who.bet("md-uth", seat)
    ann.do("md-uth", type="ready", seat=1)
    assert [s["ready"] for s in ann.view("md-uth")["round"]["seats"]] == [True, False]
    wagers = {"ante": "10.00", "blind": "10.00"}
    ann.do("md-uth", type="place_wagers", seat=1, wagers=wagers)
    assert [s["ready"] for s in ann.view("md-uth")["round"]["seats"]] == [False, False]


def test_everything_listed_as_an_action_is_accepted(server: Server) -> None:
    ann = server.guest()
    view = ann.sit("md-uth", 1)
    for action in [a for a in view["actions"] if a["do"] == "place" and a["seat"] == 1]:
        wagers = {"ante": "5.00", "blind": "5.00", action["wager"]: action["least"]}
        ann.do("md-uth", type="place_wagers", seat=1, wagers=wagers)


def test_the_guest_leaves_with_what_he_has(server: Server) -> None:
    ann = server.guest()
    ann.sit("md-uth", 1)
    ann.do("md-uth", type="tip", amount="5.00")
    ann.do("md-uth", type="give_up_seat", seat=1)
    ann.do("md-uth", type="cash_out")
    assert server.pit.store.balance(f"patron:{ann.name}") == -500
    assert sum(server.pit.store.balances().values()) == 0
