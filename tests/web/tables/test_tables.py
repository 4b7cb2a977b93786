"""The lobby, the rules, and commands: done once, or refused with a problem and nothing changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from croupier.rulebooks.bundled import BUNDLED, DOCUMENTS
from croupier.rulebooks.bundled import GAMES as OTHER_GAMES
from croupier.runtime.dealer import Pace
from croupier.web.accounts.roles import PersonRole
from croupier.web.tables.views import Onlooker, table_form
from tests.tables.seated import Sitting
from tests.web.conftest import Server, Start, Starting
from tests.web.kit import GAMES, OTHER_SHAPES, Caller, check_problem


def test_the_lobby_has_a_table_for_each_document_and_each_game(server: Server) -> None:
    tables = server.stranger().get("/tables")["tables"]
    ids = [table["id"] for table in tables]
    assert ids == [*DOCUMENTS, *sorted(set(BUNDLED) - set(DOCUMENTS))]
    assert {table["id"] for table in tables if table["by_document"]} == set(GAMES)
    for table in tables:
        assert table["open_seats"] == len(table["seats"])
        assert table["summary"]
        assert table["limits"]
        assert table["meters"] or not table["by_document"]


@pytest.mark.parametrize("game", OTHER_GAMES)
def test_the_rules_of_a_game_without_a_document_are_told(server: Server, game: str) -> None:
    rules = server.stranger().get(f"/tables/{game}/rules")
    assert rules["clauses"] == {}
    assert all(wager["words"].startswith(wager["title"]) for wager in rules["wagers"])
    for decision in rules["decisions"]:
        assert decision["answers"][-1] == decision["otherwise"]
        assert set(decision["only_with"]) <= set(decision["bets"])
    assert all(bonus["paytable"]["lines"] for bonus in rules["bonuses"])


def test_what_a_hand_does_not_allow_is_told_to_its_holder_alone() -> None:
    """Others would know from it that the hand is weak."""
    sitting = Sitting("up-card", 1, 2)
    sitting.open({1: "Th Ts 4d 5d 9c", 2: "Ah Ac 2d 5c 9h"}, dealer="As Kd 9d 8d 3c")
    sitting.bet(1)
    sitting.bet(2)
    sitting.deal()
    sitting.go()

    def refused(role: PersonRole, name: str) -> dict[str, str]:
        form = table_form(sitting.table, Onlooker(role, name), meters={})
        return {one.action: one.why for one in form.actions if one.do == "cannot_say"}

    assert refused("player", "ann") == {"triple it": "triple it takes a pair of aces or better"}
    assert refused("player", "ben") == refused("dealer", "dee") == {}
    sitting.say(1, "double")
    assert refused("player", "ben") == refused("player", "ann") == {}


@pytest.mark.parametrize("game", [*GAMES, *OTHER_SHAPES])
def test_a_round_of_every_game_from_the_lobby_to_the_history(start: Start, game: str) -> None:
    from croupier.runtime.dealer import Pace

    server = start(pace=Pace(600, 0, 0, 0, 0, 900))
    ann = server.guest()
    assert ann.view(game)["me"] == {"player": ann.name, "rack": "0.00", "seats": []}
    ann.sit(game, 3)
    ann.bet(game, 3, everything=True)
    ann.ready(game, 3)
    said = []
    while (view := ann.until(game, "deciding", "over"))["round"]["phase"] == "deciding":
        bets = [action for action in view["actions"] if action["do"] == "say"]
        said.append(bets[-1]["action"])
        asked = {"decision": view["round"]["decision"]}
        ann.do(game, meant=asked, type="act", seat=3, action=said[-1])
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
    order: dict[str, Any] = {"type": "buy_in", "amount": "50.00"}
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


MALFORMED = [
    (b"", "not JSON"),
    (b"{", "not JSON"),
    (b"\xff\xfe", "not JSON"),
    (b'{"type": "tip", "amount": NaN}', "not JSON"),
    (b'{"type": "tip", "player": "\\ud800", "amount": "1"}', "not JSON"),
    (b'{"type": "take_seat", "seat": 1} x', "not JSON"),
    (b"[" * 30_000 + b"]" * 30_000, "nested too deeply"),
    (b'{"a":' * 9_000 + b"1" + b"}" * 9_000, "nested too deeply"),
    (b'{"type": "tip", "amount": ' + b"[" * 700 + b"]" * 700 + b"}", ""),
    (b"[]", "a command is an object"),
    (b"null", "a command is an object"),
    (b'"take_seat"', "a command is an object"),
    (b"{}", "a command has a type"),
    (b'{"type": 1}', "a command has a type"),
    (b'{"type": ["take_seat"]}', "a command has a type"),
    (b'{"type": "win"}', "unknown command 'win'"),
    (b'{"type": "take_seet", "seat": 1}', "did you mean 'take_seat'"),
    (b'{"type": "take_seat"}', "not a take_seat command: Object missing required field `seat`"),
    (b'{"type": "take_seat", "seat": 1, "seat": 2}', "'seat' is there twice"),
    (b'{"type": "take_seat", "type": "deal", "seat": 2}', "'type' is there twice"),
    (b'{"type": "place_wagers", "seat": 1, "wagers": {"ante": "5", "ante": "9"}}', "twice"),
    (b'{"type": "take_seat", "seat": "1"}', "Expected `int`, got `str` - at `$.seat`"),
    (b'{"type": "take_seat", "seat": 1.5}', "Expected `int`, got `float`"),
    (b'{"type": "take_seat", "seat": -1}', "Expected `int` >= 1"),
    (b'{"type": "take_seat", "seat": 21}', "Expected `int` <= 20"),
    (b'{"type": "take_seat", "seat": 1' + b"0" * 5_000 + b"}", ""),
    (b'{"type": "take_seat", "seat": true}', "Expected `int`, got `bool`"),
    (b'{"type": "take_seat", "seat": null}', "Expected `int`, got `null`"),
    (b'{"type": "take_seat", "seat": 1, "extra": true}', "unknown field `extra`"),
    (b'{"type": "take_seat", "seat": 1, "by": "ann"}', "unknown field `by`"),
    (b'{"type": "take_seat", "seat": 1, "player": ""}', "length >= 1"),
    (b'{"type": "buy_in", "amount": 50}', "write the amount as a string"),
    (b'{"type": "buy_in", "amount": 5e1}', "write the amount as a string"),
    (b'{"type": "buy_in", "amount": {}}', "write the amount as a string"),
    (b'{"type": "buy_in", "amount": null}', "write the amount as a string"),
    (b'{"type": "buy_in", "amount": "50.001"}', "is not an amount"),
    (b'{"type": "buy_in", "amount": "NaN"}', "is not an amount"),
    (b'{"type": "place_wagers", "seat": 1, "wagers": {"ante": "1e3"}}', "is not an amount"),
    (b'{"type": "place_wagers", "seat": 1, "wagers": ["ante"]}', "Expected `object`"),
    (b'{"type": "colour_up", "gives": {"five": 1}, "gets": {}}', "is not an amount"),
    (b'{"type": "enter_cards", "place": "player", "cards": ["1x"]}', "1x"),
    (b'{"type": "enter_cards", "place": "player", "cards": [5]}', "5 is not a card"),
    (b'{"type": "enter_cards", "place": "sleeve", "cards": ["As"]}', "Invalid enum value"),
    (b'{"type": "open_betting", "deck": ["As"]}', "deck is for the house to say"),
    (b'{"type": "open_betting", "number": 7}', "number is for the house to say"),
    (b'{"type": "open_betting", "salt": null, "commitment": 1}', "for the house to say"),
]


@pytest.fixture(scope="module")
def untouched(
    starting: Starting, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Caller, Caller]]:
    """A server at which nothing is ever done, a guest and a dealer."""
    with starting(tmp_path_factory.mktemp("untouched")) as start:
        server = start(pace=Pace(0, 0, 0, 0, 0, 900))
        yield server, server.guest(), server.staff("dealer")


@pytest.mark.parametrize(("body", "told"), MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_malformed_is_told_so(
    untouched: tuple[Server, Caller, Caller], body: bytes, told: str
) -> None:
    server, guest, dealer = untouched
    for who in (guest, dealer):
        found = who.call("POST", "/tables/md-uth/commands", body, {"Idempotency-Key": "k"})
        assert found.status == 400, found.body
        check_problem(found)
        # Staff say for whom: that may be missing before anything else.
        assert told in found.body["message"] or "field `player`" in found.body["message"]
        assert len(found.body["message"]) < 2_000
    assert guest.view("md-uth")["version"] == 1
    assert list(server.pit.journal.read("attempts:md-uth")) == [], "nothing was tried"


NOT_READY = [b"", b"{", b"[]", b"{}", b'{"seat": "1"}', b'{"seat": 0}', b'{"seat": 1, "x": 2}']
NOT_READY += [b"[" * 30_000 + b"]" * 30_000, b'{"seat": ' + b"[" * 30_000, b"\xff"]


@pytest.mark.parametrize("body", NOT_READY, ids=range(len(NOT_READY)))
def test_a_malformed_readiness_is_told_so(
    untouched: tuple[Server, Caller, Caller], body: bytes
) -> None:
    _, guest, _ = untouched
    found = guest.call("POST", "/tables/md-uth/ready", body)
    assert found.status == 400, found.body
    check_problem(found)


def test_a_sign_in_nested_too_deeply_is_told_so(server: Server) -> None:
    found = server.stranger().look().call("POST", "/session", b'{"name": ' + b"[" * 30_000)
    assert (found.status, found.body["code"]) == (400, "bad_data")
    check_problem(found)


@pytest.mark.parametrize("query", ["round=x", "round=-1", "round=1.5", "decision=" + "x" * 61])
def test_a_malformed_expectation_is_told_so(server: Server, query: str) -> None:
    ann = server.guest()
    body = {"type": "take_seat", "seat": 1}
    found = ann.call("POST", f"/tables/md-uth/commands?{query}", body, {"Idempotency-Key": "k"})
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
    ann.answered_with(uth, 409, "nothing_placed", lambda: ann.say_ready(uth, 2))
    ann.refused(uth, 409, "over_limit", type="buy_in", amount="10000.01")


def test_out_of_turn_and_stale(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    uth = "md-uth"
    for seat, who in ((1, ann), (2, ben)):
        who.sit(uth, seat)
        who.bet(uth, seat)
    for seat, who in ((1, ann), (2, ben)):
        who.ready(uth, seat)
    ann.until(uth, "deciding")
    ben.refused(uth, 409, "out_of_turn", type="act", seat=2, action="check")
    check: dict[str, Any] = {"type": "act", "seat": 1, "action": "check"}
    for meant in ({"round": 7}, {"decision": "flop"}):
        ann.refused(uth, 409, "stale", meant=meant, **check)
    ann.refused(uth, 422, "rule_broken", type="act", seat=1, action="5x")
    ann.refused(
        uth, 409, "not_now", type="place_wagers", seat=1, wagers={"ante": "5.00", "blind": "5.00"}
    )
    ann.do(uth, meant={"decision": "preflop", "round": 1}, **check)
    again = ann.send(uth, meant={"decision": "preflop"}, **check)
    assert again.status == 409, "a second click is not an answer to the next question"


def test_what_was_refused_is_written_down(server: Server) -> None:
    ann = server.guest()
    ann.refused("md-uth", 409, "not_seated", type="buy_in", amount="10.00")
    (entry,) = server.pit.journal.read("attempts:md-uth")
    assert ann.name.encode() in entry.body


def test_the_attempt_that_is_written_down_says_all_of_it(server: Server) -> None:
    ann = server.guest()
    told = ann.refused("md-uth", 422, "rule_broken", type="take_seat", seat=7)
    (entry,) = server.pit.journal.read("attempts:md-uth")
    attempt = json.loads(entry.body)
    assert attempt["command"] == {"type": "take_seat", "player": ann.name, "seat": 7}
    assert (attempt["code"], attempt["clause"]) == ("rule_broken", told["clause"])
    assert attempt["message"] == told["message"]
    assert told["clause"] == "2.A"


# -- playing at one table -------------------------------------------------------------------------


def test_several_people_see_their_own_cards_only(server: Server) -> None:
    people = [server.guest() for _ in range(3)]
    for seat, who in enumerate(people, 1):
        who.sit("md-uth", seat)
        who.bet("md-uth", seat)
    for seat, who in enumerate(people, 1):
        who.ready("md-uth", seat)
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
    ann.ready("md-uth", 1)
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
    assert server.pit.journal.balance(f"patron:{ann.name}") == -500
    assert sum(server.pit.journal.balances().values()) == 0
