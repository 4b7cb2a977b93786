"""Only the role that a document names may do a thing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from croupier.cards import DECK, Card, parse_cards
from croupier.ledger.records.table_entries import Attempt, attempts_stream
from croupier.ledger.verification.verify import verify
from croupier.rounds.actions import dealer_actions, floor_actions
from croupier.rounds.declaration import ROLES, from_json
from croupier.runtime.dealer import Pace
from croupier.tables.command_input import fields_of
from croupier.tables.commands import COMMANDS
from croupier.web.accounts.roles import PersonRole
from croupier.web.server.settings import Settings
from croupier.web.tables.demo import submission_for
from croupier.web.tables.views import Onlooker, Shown
from tests.commands.program import croupier
from tests.tables.command_examples import json_example
from tests.tables.seated import Sitting
from tests.web.conftest import Server, Start, Starting
from tests.web.kit import Caller, check_problem

UTH = "md-uth"
Crowd = dict[str, Caller]


def _round_in_play(server: Server) -> Caller:
    ann = server.guest()
    ann.sit(UTH, 1)
    ann.bet(UTH, 1)
    ann.ready(UTH, 1)
    ann.until(UTH, "deciding")
    return ann


def test_a_player_does_nothing_of_the_dealers_or_the_floors(server: Server) -> None:
    ann = _round_in_play(server)
    for command in (
        {"type": "deal"},
        {"type": "reveal"},
        {"type": "settle"},
        {"type": "collect"},
        {"type": "close_bets"},
        {"type": "open_betting"},
        {"type": "count_chips", "chips": 1},
        {"type": "void_round", "reason": "I lose"},
        {"type": "validate_progressive", "seat": 1},
        {"type": "refuse_progressive", "seat": 1, "reason": "no"},
        {"type": "rule_abandoned", "seat": 1},
        {"type": "fill", "amount": "100.00", "slip": "1"},
        {"type": "credit", "amount": "100.00", "slip": "1"},
        {"type": "empty_drop", "slip": "1"},
        {"type": "close_table"},
    ):
        ann.refused(UTH, 403, "wrong_role", **command)


@pytest.mark.parametrize("role", ["auditor", "surveillance"])
def test_who_audits_looks_and_does_nothing_and_the_attempt_is_recorded(
    server: Server, role: str
) -> None:
    _round_in_play(server)
    otto = server.staff(role, "otto")
    seen = otto.view(UTH)["round"]["seats"][0]["cards"]
    assert seen == [None, None], "face down is face down until the round is over"
    otto.refused(UTH, 403, "wrong_role", type="void_round", reason="because")
    otto.refused(UTH, 403, "wrong_role", type="take_seat", seat=2)
    otto.refused(UTH, 400, "bad_data", type="nonsense")
    tried: list[Attempt] = [
        from_json(entry.body, Attempt) for entry in server.pit.journal.read(attempts_stream(UTH))
    ]
    assert [(str(one.by), one.code) for one in tried] == [(f"{role} otto", "wrong_role")] * 2
    assert verify(server.pit.journal).valid


def test_a_dealer_does_not_void_and_a_floorperson_does_not_deal(server: Server) -> None:
    _round_in_play(server)
    dee, flo = server.staff("dealer"), server.staff("floorperson")
    dee.refused(UTH, 403, "wrong_role", type="void_round", reason="misdeal")
    flo.refused(UTH, 403, "wrong_role", type="deal")
    assert dee.view(UTH)["dealer_actions"] == []
    assert "void_round" in flo.view(UTH)["floor_actions"]
    assert flo.view(UTH)["actions"] == []


def test_a_floorperson_voids_a_round(server: Server) -> None:
    ann = _round_in_play(server)
    flo = server.staff("floorperson")
    flo.do(UTH, type="void_round", reason="a card was exposed")
    again = ann.get(f"/tables/{UTH}/rounds/1")
    assert again["views"][-1]["round"]["void"]
    assert "floorperson-1" in again["told"][-1]["words"][0]
    assert ann.view(UTH)["me"]["rack"] == "1000.00"


def test_a_floorperson_corrects_a_finished_round(server: Server) -> None:
    """`round` of the body is the one that is corrected, `round` of the query the one in play."""
    ann, flo = _round_in_play(server), server.staff("floorperson")
    ann.do(UTH, type="act", seat=1, action="4x")
    ann.until_round(UTH, lambda state: state["number"] == 2)
    before = float(ann.view(UTH)["me"]["rack"])
    told: dict[str, Any] = {"type": "correct", "round": 1, "seat": 1, "player": ann.name}
    told |= {"wager": "blind", "amount": "5.00", "reason": "paid short"}
    ann.refused(UTH, 403, "wrong_role", **told)
    flo.refused(UTH, 409, "stale", meant={"round": 1}, **told)
    flo.do(UTH, meant={"round": 2}, **told)
    assert float(ann.view(UTH)["me"]["rack"]) == before + 5
    assert verify(server.pit.journal).valid


def _royal_deck() -> tuple[Card, ...]:
    """Bonus cards, community cards, the dealer's and then the player's: a royal flush in spades on
    the flop, which wins the main progressive."""
    top = parse_cards("2c 3c 4c 5c Ts Js Qs 2d 7d 4d 9d As Ks")
    return (*top, *[card for card in DECK if card not in top])


def test_a_progressive_waits_for_a_floorperson(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is not a floorperson cannot validate it."""
    monkeypatch.setattr("croupier.runtime.session.shuffle", lambda *_: _royal_deck())
    server = start(software_floor=False, pace=Pace(600, 0, 0, 0, 0, 900))
    ann, flo, dee = server.guest(), server.staff("floorperson"), server.staff("dealer")
    ann.sit(UTH, 1)
    ann.bet(UTH, 1, everything=True)
    ann.ready(UTH, 1)
    ann.until(UTH, "deciding")
    ann.do(UTH, type="act", seat=1, action="4x")
    view = ann.until_round(UTH, lambda state: state["claim"])
    assert view["round"]["claim"]["meter"] == "main"
    (card,) = [table for table in ann.get("/tables")["tables"] if table["id"] == UTH]
    assert card["waits_for_floor"]
    for who in (ann, dee):
        told = who.refused(UTH, 403, "wrong_role", type="validate_progressive", seat=1)
        assert told["clause"] == "11.J(2)(c)"
    dee.refused(UTH, 409, "awaits_floor", type="settle")
    assert flo.view(UTH)["floor_actions"][:2] == ["validate_progressive", "refuse_progressive"]
    flo.do(UTH, type="validate_progressive", seat=1)
    after = ann.until(UTH, "over")
    assert float(after["me"]["rack"]) >= float(view["me"]["rack"]) + 10_000
    words = " ".join(" ".join(m["words"]) for m in ann.get(f"/tables/{UTH}/rounds/1")["told"])
    assert "validated by floorperson-1" in words
    assert verify(server.pit.journal).valid


@pytest.mark.parametrize(("demo", "by_software"), [(True, True), (False, False)])
def test_11_J_2_c_outside_the_demo_no_software_validates_a_progressive(
    demo: bool, by_software: bool
) -> None:
    """Whatever the settings ask for: there it takes a floorperson or above."""
    settings = Settings("", demo=demo, software_floor=True)
    assert settings.validates_by_software is by_software
    assert not Settings("", demo=demo).validates_by_software


def test_11_J_2_c_serve_refuses_a_floor_by_software_outside_the_demo(tmp_path: Path) -> None:
    ran = croupier("serve", "--no-demo", "--floor", "software", "--database", tmp_path / "j.db")
    assert ran.code == 2
    assert "outside the demo" in ran.err
    assert "11.J(2)(c)" in ran.err


def test_people_deal_where_software_does_not(start: Start) -> None:
    server = start(software_dealer=False, software_floor=False)
    ann, dee = server.guest(), server.staff("dealer")
    ann.do(UTH, type="take_seat", seat=1)
    ann.do(UTH, type="buy_in", amount="1000.00")
    assert dee.view(UTH)["dealer_actions"] == ["open_betting"]
    dee.do(UTH, type="open_betting")
    ann.bet(UTH, 1)
    while (view := dee.view(UTH))["round"]["phase"] != "over":
        if view["round"]["phase"] == "deciding":
            ann.do(UTH, type="act", seat=1, action=ann.view(UTH)["actions"][0]["action"])
            continue
        (tag,) = view["dealer_actions"]
        dee.do(UTH, type=tag, **({"chips": 0} if tag == "count_chips" else {}))
    assert view["round"]["number"] == 1
    assert verify(server.pit.journal).valid


def test_with_virtual_cards_a_dealer_seats_a_player_but_leaves_his_chips_alone(
    server: Server,
) -> None:
    dee = server.staff("dealer")
    dee.do(UTH, type="take_seat", seat=4, player="Old Tom")
    assert dee.view(UTH)["seats"][3]["rack"] == "0.00"
    dee.do(UTH, type="buy_in", amount="100.00", player="Old Tom")  # he has taken the money
    found = dee.send(UTH, type="tip", amount="100.00", player="Old Tom")
    assert (found.status, found.body["code"]) == (403, "not_yours")
    check_problem(found)


def test_staff_read_the_books(server: Server) -> None:
    operator = server.staff("operator")
    operator.do(UTH, type="fill", amount="1000.00", slip="A-17")
    found = operator.send(UTH, type="fill", amount="1000.00", slip="   ")
    assert (found.status, found.body["code"]) == (409, "no_slip")
    check_problem(found)


# -- every command --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crowd(starting: Starting, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    """One of each role, who may try one command after the other."""
    with starting(tmp_path_factory.mktemp("crowd")) as start:
        server = start(software_dealer=False)
        yield {role: server.guest() if role == "player" else server.staff(role) for role in ROLES}


@pytest.mark.parametrize("tag", COMMANDS)
def test_every_command_can_be_given_by_its_role_and_by_no_other(crowd: Crowd, tag: str) -> None:
    """It reaches the table: done, or refused by a rule; never unknown, malformed or a fault."""
    kind = COMMANDS[tag]
    body = json_example(kind, whole=False)
    if "table" in body:
        body["table"] = UTH
    for role, who in crowd.items():
        if "player" in fields_of(kind):
            body["player"] = who.name if role == "player" else "ann"
        found = who.send(UTH, **body)
        if role in kind.declared.by:
            asked_by = found.status in (200, 409, 422) or found.body["code"] == "not_yours"
            assert asked_by, found.body
        else:
            assert (found.status, found.body["code"]) == (403, "wrong_role"), found.body
        if found.status != 200:
            check_problem(found)


def test_a_table_is_opened_through_the_api_and_its_decks_are_kept(start: Start) -> None:
    server = start(software_dealer=False)
    operator, dee, ann = server.staff("operator"), server.staff("dealer"), server.guest()
    opening: dict[str, Any] = {
        "type": "open_table",
        "table": "new",
        "rulebook": UTH,
        "source": "live",
    }
    opening |= {"inventory": "10000.00", "submission": submission_for(UTH)}
    assert ann.send("new", **opening).status == 403
    assert dee.send("new", **opening).status == 403
    assert ann.send("new", type="take_seat", seat=1).status == 404
    wrong = operator.send("new", **{**opening, "rulebook": "nothing"})
    assert (wrong.status, wrong.body["code"]) == (422, "unknown_name")
    assert operator.send("new", **{**opening, "table": "other"}).status == 400
    first = operator.send("new", key="open", **opening)
    again = operator.send("new", key="open", **opening)
    assert (first.status, again.status) == (200, 200), first.body
    assert (first.body["repeated"], again.body["repeated"]) == (False, True)
    assert "new" in [table["id"] for table in ann.get("/tables")["tables"]]
    dee.do("new", type="receive_deck", back="red", cover_cards=2)
    ann.do("new", type="take_seat", seat=1)
    operator.refused("new", 409, "already_done", **opening)
    assert verify(server.pit.journal).valid


@pytest.mark.parametrize("phase", ["deciding", "settling"])
@pytest.mark.parametrize("role", [None, *get_args(PersonRole)])
def test_a_screen_offers_each_role_its_own_actions(role: PersonRole | None, phase: str) -> None:
    """The dealer's to the dealer, the floor's to the floor and the operator, to nobody else; the
    same in the view and in the frame that is written from parts."""
    table = Sitting(UTH, 1, 3)
    table.open()
    table.bet(1)
    table.bet(3)
    table.deal()
    if phase == "settling":
        table.say(1, "4x")
        table.say(3, "4x")
        table.go()
    state = table.round
    assert state.phase == phase
    floor = floor_actions(state, table.rules)
    assert "void_round" in floor
    shown, who = Shown(table.table, {}), Onlooker(role, "ann" if role == "player" else "somebody")
    form = shown.to(who)
    assert form.floor_actions == (floor if role in ("floorperson", "operator") else ())
    dealers = dealer_actions(state, table.rules) if role == "dealer" else ()
    assert form.dealer_actions == dealers
    assert bool(form.actions) == (role == "player")
    assert json.loads(shown.view_of(who).whole) == json.loads(msgspec.json.encode(form))
