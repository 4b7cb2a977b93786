"""A stranger in a house with money wants to know who plays, with how much, and how they fared."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Annotated, Any, get_args, get_origin

import msgspec
import pytest
from litestar import Litestar
from litestar.routes import HTTPRoute

from croupier.tables.commands import COMMANDS
from croupier.tables.events import TableEvent
from croupier.web.tables.outsiders import veiled_event
from tests.tables.command_examples import json_example
from tests.web.conftest import Server, Start
from tests.web.kit import API, Answer, Caller

UTH = "md-uth"
PEOPLE = ("zephyrine", "quillon", "floxanne", "deedrick")
RACKS = ("1777.00", "1,777", "2999.00", "2,999", "177700", "299900")
"""What the two have before they bet, however it is written."""
SECRET = re.compile("|".join(map(re.escape, (*PEOPLE, *RACKS))), re.IGNORECASE)
_keys = count(1)


@dataclass
class House:
    server: Server
    zephyrine: Caller
    quillon: Caller
    floor: Caller

    def onlookers(self) -> dict[str, Caller]:
        """Who does not sit at the table: nobody, and a player with an account."""
        other = self.server.staff("player", "olivia")
        other.do("md-235", type="take_seat", seat=1)
        return {"a stranger": self.server.stranger().look(), "another player": other}


@pytest.fixture
def house(start: Start) -> House:
    """Two players with money; dealt by software, and a floorperson and a dealer are on duty."""
    server = start(demo=False)
    cashier, floor = server.staff("cashier"), server.staff("floorperson", "floxanne")
    server.pit.people.add("deedrick", "dealer", "a dealer's long password")
    players = []
    for seat, (name, deposit) in enumerate((("zephyrine", "1777.00"), ("quillon", "2999.00")), 1):
        player = server.staff("player", name)
        headers = {"Idempotency-Key": f"deposit-{next(_keys)}"}
        given = {"type": "deposit", "amount": deposit}
        made = cashier.call("POST", f"/cashier/accounts/{name}/commands", given, headers)
        assert made.status == 200, made.body
        player.do(UTH, type="take_seat", seat=seat)
        player.do(UTH, type="buy_in", amount=deposit, account=True)
        players.append(player)
    floor.do(UTH, type="assign", role="floorperson", name="floxanne")
    return House(server, players[0], players[1], floor)


def _bet(house: House) -> None:
    for seat, player in enumerate((house.zephyrine, house.quillon), 1):
        player.bet(UTH, seat)
        player.ready(UTH, seat)
    house.zephyrine.until(UTH, "deciding")


def _finish(house: House) -> None:
    """Both stay in, and the round is over."""
    for seat, player in enumerate((house.zephyrine, house.quillon), 1):
        player.until_round(UTH, partial(_is_turn_of, seat))
        player.do(UTH, type="act", seat=seat, action="4x")
    house.zephyrine.until_round(UTH, lambda state: state["number"] == 2)


def _is_turn_of(seat: int, state: Any) -> bool:
    return bool(state["turn"] == seat)


def _addresses(app: Litestar, method: str) -> Iterator[str]:
    """Every address of the API that this method is for, filled in with what is there."""
    filled = {
        "table": UTH,
        "rulebook": UTH,
        "game": UTH,
        "number": "1",
        "version": "1",
        "entry": "1",
        "wager": "ante",
        "link": UTH,
        "name": "zephyrine",
        "person": "zephyrine",
        "stream": f"table:{UTH}",
        "form": "report.csv",
        "device": "shoe",
    }
    for route in app.routes:
        if not isinstance(route, HTTPRoute) or method not in route.methods:
            continue
        if route.path.startswith(("/static", "/docs")):
            continue
        parts = [
            part if isinstance(part, str) else filled.get(part.name, "1")
            for part in route.path_components
        ]
        yield "/" + "/".join(parts)


def _told(who: Caller, method: str, address: str, body: Any = None) -> str:
    """What the server says, but for the asker's own words given back."""
    path = address.removeprefix(API)
    if path == address:
        who.client.cookies.clear()
        told = {"Cookie": who.cookie} if who.cookie else {}
        return who.client.request(method, address, headers={"Accept": "text/html", **told}).text
    found: Answer = who.call(method, path, body, {"Idempotency-Key": f"walk-{next(_keys)}"})
    text = json.dumps(found.body) if not isinstance(found.body, str) else found.body
    for own in path.split("/"):
        text = text.replace(own, "") if own in PEOPLE else text
    return text


def _check_walk(house: House, who: Caller, label: str) -> None:
    app = house.server.client.app
    addresses = [("GET", address) for address in _addresses(app, "GET")]
    assert len(addresses) > 80
    assert ("GET", f"{API}/tables/{UTH}/rounds/1") in addresses
    addresses += [("GET", f"{API}/tables?search=zephyrine"), ("GET", f"{API}/tables/{UTH}/rounds")]
    for method in ("POST", "DELETE"):
        for address in _addresses(app, method):
            if not address.endswith(("/session", "/commands")):
                addresses.append((method, address))
    for method, address in addresses:
        found = SECRET.search(_told(who, method, address, None if method == "GET" else {}))
        assert found is None, f"{label}: {method} {address} tells {found[0]}"


def _check_live(house: House, who: Caller, label: str) -> None:
    with who.live(UTH, after=0) as socket:
        frame = socket.receive_text()
    told = json.loads(frame)
    assert told["happened"], "something was told"
    assert [seat["player"] for seat in told["view"]["seats"]][:3] == ["seat 1", "seat 2", None]
    assert {seat["rack"] for seat in told["view"]["seats"][:2]} == {""}
    found = SECRET.search(frame)
    assert found is None, f"{label}: a frame tells {found[0]}"


def test_no_answer_tells_those_who_do_not_sit_there_who_plays_and_with_what(house: House) -> None:
    """Every address, while people decide and when rounds are over; pages, frames and refusals."""
    people = house.onlookers()
    _bet(house)
    for label, who in people.items():
        _check_walk(house, who, label)
        _check_live(house, who, label)
    _finish(house)
    for label, who in people.items():
        _check_walk(house, who, label)
        _check_live(house, who, label)


def test_no_refusal_of_a_command_names_those_who_sit_there(house: House) -> None:
    """Another player sends every command there is, for the seats of the others."""
    other = house.onlookers()["another player"]
    refused = _refused_commands(other)
    house.zephyrine.bet(UTH, 1)
    wagers = {"ante": "10.00", "blind": "10.00"}
    bet = other.send(UTH, type="place_wagers", seat=1, wagers=wagers)
    assert (bet.status, SECRET.search(bet.body["message"])) == (409, None), bet.body
    for told in ({"seat": 1}, {"seat": 9}):
        assert (
            SECRET.search(json.dumps(other.call("POST", f"/tables/{UTH}/ready", told).body)) is None
        )
    house.zephyrine.ready(UTH, 1)
    house.quillon.bet(UTH, 2)
    house.quillon.ready(UTH, 2)
    house.zephyrine.until(UTH, "deciding")
    refused += _refused_commands(other)
    assert refused > 80
    act = other.send(UTH, type="act", seat=1, action="4x")
    assert act.body["code"] == "not_yours"
    assert "seat 1" in act.body["message"]
    assert SECRET.search(act.body["message"]) is None


def _refused_commands(other: Caller) -> int:
    refused = 0
    for kind in COMMANDS.values():
        for seat in (1, 2):
            command = json_example(kind, whole=False) | {"seat": seat}
            if "seat" not in kind.__struct_fields__:
                del command["seat"]
            found = other.send(UTH, **command)
            text = json.dumps(found.body)
            assert SECRET.search(text) is None, (command, text)
            refused += found.status != 200
    return refused


def test_rounds_are_not_listed_by_another_player(house: House) -> None:
    people = house.onlookers()
    _bet(house)
    _finish(house)
    for label, who in people.items():
        found = who.call("GET", f"/tables/{UTH}/rounds?player=zephyrine")
        assert (found.status, found.body["code"]) == (403, "not_yours"), label
        (card,) = who.get(f"/tables/{UTH}/rounds")["rounds"]
        assert card["players"] == ["seat 1", "seat 2"]
        assert who.get(f"/tables/{UTH}/rounds/1")["told"]
    (own,) = house.zephyrine.get(f"/tables/{UTH}/rounds?player=zephyrine")["rounds"]
    assert set(own["players"]) == {"zephyrine", "quillon"}
    assert own["net_of_me"] is not None


def test_who_sits_there_and_who_works_there_sees_the_people(house: House) -> None:
    """At the table people know each other; and the round that one played stays one's own."""
    _bet(house)
    for who in (house.zephyrine, house.floor):
        seats = who.view(UTH)["seats"][:2]
        assert [seat["player"] for seat in seats] == ["zephyrine", "quillon"]
        assert all(float(seat["rack"]) > 1000 for seat in seats)
        with who.live(UTH, after=0) as socket:
            assert "quillon buys in for $2,999" in socket.receive_text()
    _finish(house)
    told = json.dumps(house.quillon.get(f"/tables/{UTH}/rounds/1"))
    assert "zephyrine (seat 1) says 4x" in told


def test_the_lobby_shows_taken_seats_and_no_names(house: House) -> None:
    for label, who in house.onlookers().items():
        cards = {one["id"]: one for one in who.get("/tables")["tables"]}
        taken = [seat["player"] for seat in cards[UTH]["seats"][:3]]
        assert taken == ["seat 1", "seat 2", None], label
        assert cards[UTH]["open_seats"] == len(cards[UTH]["seats"]) - 2


def test_a_name_that_looks_like_a_seat_is_nobodys(house: House) -> None:
    """It would be taken for the label of a seat."""
    with pytest.raises(Exception, match="cannot be a person's name"):
        house.server.staff("player", "seat 1")


IMPERSONAL = {
    *("clause", "decision", "action", "wager", "hand", "commitment", "salt", "value", "place"),
    *("number", "source", "holds", "Revealed.name", "WagerReturned.reason"),
}
"""Fields of text in which no person can be named: the rules write them."""


@pytest.mark.parametrize("kind", get_args(TableEvent), ids=lambda kind: kind.__name__)
def test_every_event_that_names_somebody_is_withheld_or_told_without_the_name(kind: Any) -> None:
    """A new event, or a new field of text, fails here until it says what strangers are told."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.required:
            values[field.name] = {int: 1, bool: False, str: "x"}.get(_plain(field.type), ())
        if (
            _plain(field.type) is str
            and not {field.name, f"{kind.__name__}.{field.name}"} & IMPERSONAL
        ):
            values[field.name] = "zephyrine"
    seen = veiled_event(kind(**values))
    assert seen is None or "zephyrine" not in repr(seen), seen


def _plain(type_: Any) -> Any:
    """The type without its limits."""
    return get_args(type_)[0] if get_origin(type_) is Annotated else type_
