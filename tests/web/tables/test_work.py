"""What waits at a table: a person who does nothing but the steps that he is shown runs a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from croupier.cards import DECK
from croupier.rounds.declaration import tag_of
from croupier.tables.commands import COMMANDS
from croupier.web.tables.demo import submission_for
from tests.web.conftest import Server
from tests.web.kit import GAMES, Caller, check_problem

TABLE = "live-1"


class _House:
    """A live table, its dealer, its floorperson and a player."""

    def __init__(self, server: Server, rulebook: str) -> None:
        self.floor = server.staff("floorperson", "Flo")
        self.dealer = server.staff("dealer", "Dan")
        self.floor.do(
            TABLE,
            type="open_table",
            table=TABLE,
            rulebook=rulebook,
            submission=submission_for(rulebook),
            source="live",
            inventory="100000.00",
        )
        for seat, name in ((1, "ann"), (2, "bob")):
            self.dealer.do(TABLE, type="take_seat", seat=seat, player=name)
            self.dealer.do(TABLE, type="buy_in", amount="1000.00", player=name)
        self.cards = [str(card) for card in DECK]
        self.done: list[str] = []

    def work(self, who: Caller) -> Any:
        return who.get(f"/tables/{TABLE}/work")

    def step(self) -> bool:
        """The first step that dealer or floorperson may do."""
        for who in (self.dealer, self.floor):
            mine = [step for step in self.work(who)["steps"] if step["mine"]]
            if mine and (mine[0]["blocks"] or who is self.dealer or len(mine) == 1):
                self._do(who, mine[0])
                return True
        return False

    def _do(self, who: Caller, step: Any) -> None:
        told = dict(step["command"])
        asked: dict[str, Callable[[], Any]] = {
            "cards": lambda: [self.cards.pop() for _ in range(step["cards"])],
            "action": lambda: step["choices"][0],
            "depth": lambda: 20,
            "player": lambda: "ann",
            "count": lambda: 52 if step["step"] == "shuffle" else self.stub(),
        }
        told |= {name: asked[name]() for name in step["asks"] if name in asked}
        if step["step"] == "remove":
            told["reason"] = "old"
        who.do(TABLE, **told)
        self.done.append(step["step"])

    def stub(self) -> int:
        raise AssertionError("no stub is counted in the first round")


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_live_round_is_played_by_the_steps_alone(server: Server, rulebook: str) -> None:
    house = _House(server, rulebook)
    while house.dealer.view(TABLE)["round"]["phase"] != "betting":
        assert house.step(), house.work(house.dealer)
    limits = house.dealer.get(f"/tables/{TABLE}/rules")
    required = [wager["name"] for wager in limits["wagers"] if wager["role"] == "required"]
    for seat, name in ((1, "ann"), (2, "bob")):
        wagers = dict.fromkeys(required, "10.00")
        house.dealer.do(TABLE, type="place_wagers", seat=seat, player=name, wagers=wagers)
    while house.dealer.view(TABLE)["round"]["phase"] != "over":
        assert house.step(), house.work(house.dealer)
    first = ("receive", "inspect", "verify", "spread", "view", "turn", "wash", "stack", "shuffle")
    assert tuple(house.done[: len(first)]) == first
    assert house.done[-2:] == ["settle", "collect"]
    assert {"open_betting", "close_bets", "deal", "ask"} <= set(house.done)


def test_who_may_do_a_step_is_told(server: Server) -> None:
    house = _House(server, "md-uth")
    house.step()
    house.step()
    dealers, floors = house.work(house.dealer)["steps"][0], house.work(house.floor)["steps"][0]
    assert dealers["step"] == floors["step"] == "verify"
    assert (dealers["mine"], floors["mine"], dealers["clause"]) == (False, True, "4.A")


def test_the_work_is_for_staff_only(server: Server) -> None:
    for who in (server.guest(), server.stranger().look()):
        found = who.call("GET", "/tables/md-uth/work")
        assert found.status in (401, 403)
        check_problem(found)
        found = who.call("POST", "/tables/md-uth/foresee", {"type": "void_round", "reason": "x"})
        assert found.status in (401, 403)


def test_nothing_is_written_by_looking_ahead(server: Server) -> None:
    house = _House(server, "md-uth")
    while house.dealer.view(TABLE)["round"]["phase"] != "betting":
        house.step()
    version = house.floor.view(TABLE)["version"]
    asked = {"type": "void_round", "reason": "a test"}
    found = house.floor.call("POST", f"/tables/{TABLE}/foresee", asked)
    assert found.status == 200
    assert found.body["told"]
    assert found.body["grave"], "a person confirms it"
    assert house.floor.view(TABLE)["version"] == version
    found = house.dealer.call("POST", f"/tables/{TABLE}/foresee", asked)
    assert (found.status, found.body["code"]) == (403, "wrong_role")
    found = house.dealer.call("POST", f"/tables/{TABLE}/foresee", {"type": "close_bets"})
    assert found.status == 400, "cards could be turned by looking"


def test_every_command_is_described_for_a_form(server: Server) -> None:
    told = {one["type"]: one for one in server.stranger().get("/commands")["commands"]}
    assert told.keys() == COMMANDS.keys()
    for tag, kind in COMMANDS.items():
        assert tag == tag_of(kind)
        names = [field["name"] for field in told[tag]["fields"]]
        filled = kind.declared.filled
        assert names == [name for name in kind.__struct_fields__ if name not in filled]
        assert told[tag]["words"] == kind.declared.help
    kinds = {field["name"]: field["kind"] for field in told["report"]["fields"]}
    assert kinds == {
        "kind": "text",
        "cards": "cards",
        "seat": "seat",
        "note": "text",
        "held": "number",
    }
    kinds = {field["name"]: field["kind"] for field in told["colour_up"]["fields"]}
    assert kinds == {"player": "text", "gives": "chips", "gets": "chips"}


def test_the_pick_lists_have_words_for_what_is_at_the_table(server: Server) -> None:
    house = _House(server, "md-uth")
    house.dealer.do(TABLE, type="call_floor", reason="Dispute")
    lists = house.floor.get(f"/tables/{TABLE}/picks")["lists"]
    words = {
        name: {pick["value"]: pick["words"] for pick in picks} for name, picks in lists.items()
    }
    assert words["seats"] == {1: "Seat 1: ann", 2: "Seat 2: bob"}
    assert [pick["player"] for pick in lists["seats"]] == ["ann", "bob"]
    assert 1 not in words["free_seats"]
    assert 3 in words["free_seats"]
    assert words["players"] == {"ann": "ann", "bob": "bob"}
    assert words["wagers"]["ante"] == "Ante"
    assert words["calls"] == {1: "Call 1: Dispute (Dan)"}
    assert "red" in words["new_decks"]
    house.dealer.do(TABLE, type="receive_deck", back="red", cover_cards=2)
    lists = house.floor.get(f"/tables/{TABLE}/picks")["lists"]
    assert lists["decks"] == [{"value": "red", "words": "Red deck"}]
    assert all(pick["value"] != "red" for pick in lists["new_decks"])
    for described in house.floor.get("/commands")["commands"]:
        for field in described["fields"]:
            name = field.get("list", "")
            assert not name or name in lists or name.startswith("reasons."), (described, name)
    check_problem(server.guest().call("GET", f"/tables/{TABLE}/picks"))
