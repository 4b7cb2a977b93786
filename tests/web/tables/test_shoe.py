"""A reading shoe: every card to its place in the order of dealing, or refused with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from croupier.cards import DECK
from croupier.errors import BadRequest
from croupier.rounds.dealing import deal_order
from croupier.web.tables.demo import submission_for
from tests.web.conftest import Server, Start
from tests.web.hidden import cards_in
from tests.web.kit import PASSWORD, Answer, Caller

NAMES = [str(card) for card in DECK]


class LiveTable:
    """Two players and a dealer at a live table of this game, the cards about to be dealt."""

    def __init__(self, server: Server, game: str = "md-uth", **options: Any) -> None:
        self.server = server
        told = json.loads(submission_for(game))
        told["options"] = {**told.get("options", {}), **options}
        self.operator, self.dee = server.staff("operator"), server.staff("dealer")
        opening = {"type": "open_table", "table": "live", "rulebook": game, "source": "live"}
        opening |= {"submission": json.dumps(told), "inventory": "10000.00"}
        self.operator.do("live", **opening, care=False)
        self.players = [server.guest(), server.guest()]
        for seat, who in enumerate(self.players, 1):
            who.do("live", type="take_seat", seat=seat)
            who.do("live", type="buy_in", amount="1000.00")
        self.dee.do("live", type="open_betting")
        for seat, who in enumerate(self.players, 1):
            who.bet("live", seat)
        self.dee.do("live", type="close_bets")
        if self.dee.view("live")["dealer_actions"] == ["count_chips"]:
            self.dee.do("live", type="count_chips", chips=0)

    @property
    def state(self) -> Any:
        return self.server.pit.table("live").table.round

    def deal(self) -> None:
        self.dee.do("live", type="deal")

    def token(self, name: str = "S-17") -> str:
        made = self.operator.call("POST", "/tables/live/shoes", {"name": name})
        assert made.status == 201, made
        return str(made.body["token"])

    def reads(self, cards: Any, key: str = "", who: Caller | None = None) -> Answer:
        body = cards if isinstance(cards, bytes) else " ".join(cards).replace(" ", "\n").encode()
        sent = {"Idempotency-Key": key or f"k-{len(cards)}-{body[:20].hex()}"}
        return (who or self.dee).call("POST", "/tables/live/shoe", body, sent)

    def shoe_reads(self, cards: list[str], token: str, key: str) -> Answer:
        headers = {"Idempotency-Key": key, "Authorization": f"Bearer {token}"}
        stranger = self.server.stranger()
        return stranger.call("POST", "/tables/live/shoe", "\n".join(cards).encode(), headers)


@pytest.mark.parametrize("dealing", ["hand", "manual_shoe", "automated_shoe"])
def test_cards_go_where_this_way_of_dealing_sends_them(start: Start, dealing: str) -> None:
    live = LiveTable(start(software_dealer=False), dealing=dealing)
    live.deal()
    rules = live.server.pit.table("live").rules
    order = deal_order(rules, [1, 2])
    count = sum(delivery.count for delivery in order)
    for n, card in enumerate(NAMES[:count]):
        got = live.reads([card], key=f"card-{n}")
        assert got.status == 200, got
    wanted: dict[tuple[str, int], list[str]] = {}
    cards = iter(NAMES)
    for delivery in order:
        for _ in range(delivery.count):
            wanted.setdefault((delivery.place, delivery.seat), []).append(next(cards))
    state = live.state
    for seat in state.seats:
        assert [str(card) for card in seat.cards] == wanted["player", seat.number]
    assert [str(card) for card in state.dealer] == wanted["dealer", 0]
    assert [str(card) for card in state.community] == wanted.get(("community", 0), [])


def test_a_shoe_with_a_token_enters_a_hand_when_it_is_complete(start: Start) -> None:
    live = LiveTable(start(software_dealer=False), dealing="manual_shoe")
    token = live.token()
    live.deal()
    first = live.shoe_reads(["As"], token, "1")
    assert first.status == 200, first
    assert first.body["waiting"] == 1
    assert not any(seat.cards for seat in live.state.seats)
    rules = live.server.pit.table("live").rules
    rest = sum(delivery.count for delivery in deal_order(rules, [1, 2])) - 1
    others = [name for name in NAMES if name != "As"][:rest]
    assert live.shoe_reads(others, token, "2").body["waiting"] == 0
    assert "As" in map(str, live.state.seats[0].cards)
    entry = live.server.pit.journal.head("table:live")
    assert entry.version > 0


def test_a_retry_is_read_once(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    live.deal()
    assert live.reads(["As"], key="again").body["taken"] == 1
    assert live.reads(["As"], key="again").body == {
        "version": live.server.pit.table("live").table.version,
        "taken": 0,
        "waiting": 0,
        "repeated": True,
    }


def test_a_card_that_was_seen_is_refused_and_nothing_is_taken(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    live.deal()
    live.reads(["As"], key="1")
    twice = live.reads(["Kd", "As"], key="2")
    assert (twice.status, twice.body["code"]) == (400, "bad_cards")
    assert "card 2, As" in twice.body["message"]
    assert twice.body["clause"]
    assert live.reads(["Kd"], key="3").body["taken"] == 1, "the king was not taken before"


@pytest.mark.parametrize(
    "body",
    [b"", b"Zz", b'{"cards": 7}', b"[1, 2]", "♠".encode(), b"[" * 5000, b"As As", b"{}"],
)
def test_what_is_no_card_is_refused(start: Start, body: bytes) -> None:
    live = LiveTable(start(software_dealer=False))
    live.deal()
    got = live.reads(body, key="odd")
    assert got.status in (400, 422), got
    assert got.body["message"]


def test_json_is_read_as_well(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    live.deal()
    assert live.reads(b'["As", "Kd"]', key="j1").body["taken"] == 2
    assert live.reads(b'{"cards": ["Qd"]}', key="j2").body["taken"] == 1


def test_no_more_cards_are_read_than_can_have_come_out(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    early = live.reads(["As"], key="early")
    assert (early.status, early.body["code"]) == (409, "not_now")
    assert "confirms the deal" in early.body["message"]
    live.deal()
    many = live.reads(NAMES[:30], key="many")
    assert (many.status, many.body["code"]) == (409, "not_now")
    assert many.body["clause"]


def test_only_the_dealer_and_the_shoes_of_the_table_are_heard(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    token = live.token()
    live.deal()
    for who in (live.players[0], live.operator, live.server.staff("floorperson")):
        got = live.reads(["As"], key="x", who=who)
        assert (got.status, got.body["code"]) == (403, "wrong_role")
    assert live.shoe_reads(["As"], "nonsense", "1").status == 401
    anew = live.token()
    assert live.shoe_reads(["As"], token, "2").status == 401, "an old token is worth nothing"
    assert live.shoe_reads(["As"], anew, "3").status == 200
    gone = live.operator.call("DELETE", "/tables/live/shoes/S-17")
    assert gone.status == 200
    assert live.shoe_reads(["Kd"], anew, "4").status == 401
    for who in (live.dee, live.players[0]):
        got = who.call("POST", "/tables/live/shoes", {"name": "mine"})
        assert (got.status, got.body["code"]) == (403, "wrong_role")
    listed = live.operator.call("GET", "/tables/live/shoes")
    assert listed.body == {"shoes": []}


def test_a_shoes_token_opens_nothing_else(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    headers = {"Authorization": f"Bearer {live.token()}", "Idempotency-Key": "z"}
    stranger = live.server.stranger()
    got = stranger.call("POST", "/tables/live/commands", {"type": "deal"}, headers)
    assert got.status == 403
    assert live.state.phase == "closed"


def test_nobody_is_told_what_a_shoe_has_read(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    live.deal()
    rules = live.server.pit.table("live").rules
    count = sum(delivery.count for delivery in deal_order(rules, [1, 2]))
    answers = [live.reads([card], key=f"c-{card}") for card in NAMES[:count]]
    assert not cards_in(json.dumps([one.body for one in answers]))
    people = [live.dee, live.operator, live.server.guest(), live.server.stranger()]
    for who in people:
        with who.live("live", after=0) as socket:
            assert not cards_in(socket.receive_text())
        assert not cards_in(json.dumps(who.view("live")))


def test_a_shoe_reads_for_the_dealer_who_is_assigned(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    token, floor = live.token(), live.server.staff("floorperson")
    live.deal()
    live.server.staff("dealer", "somebody")
    floor.do("live", type="assign", role="dealer", name="somebody")
    for n, card in enumerate(NAMES):
        got = live.shoe_reads([card], token, f"card-{n}")
        if got.status != 200:
            break
    assert got.body["code"] == "not_now", "everything that was dealt is read"
    assert all(seat.cards for seat in live.state.seats)
    typed = live.dee.send("live", type="enter_cards", place="burn", cards=["As"])
    assert (typed.status, typed.body["code"]) == (409, "not_on_duty")
    other = live.dee.send("live", type="open_betting")
    assert (other.status, other.body["code"]) == (409, "not_on_duty")


def test_nobody_is_called_like_a_shoe(start: Start) -> None:
    server = start(software_dealer=False)
    with pytest.raises(BadRequest, match="cannot be a person's name"):
        server.pit.people.add("shoe S-17", "dealer", PASSWORD)


def test_payouts_are_for_staff_and_tell_the_chips(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    live.deal()
    dee = live.dee
    for seat, who in enumerate(live.players, 1):
        dee.do("live", type="act", seat=seat, player=who.name, action="4x")
    dee.do("live", type="reveal", cards=["2c", "7d", "9h"])
    dee.do("live", type="reveal", cards=["Jc", "4s"])
    dee.do("live", type="show_dealer", cards=["2d", "5h"])
    dee.do("live", type="enter_cards", place="player", seat=1, cards=["As", "Ad"])
    dee.do("live", type="enter_cards", place="player", seat=2, cards=["3s", "6d"])
    (coming,) = dee.get("/tables/live/payouts")["seats"]
    assert (coming["seat"], coming["state"], coming["takes"]) == (2, "next", "30.00")
    dee.do("live", type="settle", every=True)
    paid = dee.get("/tables/live/payouts")
    by_seat = {seat["seat"]: seat for seat in paid["seats"]}
    assert list(by_seat) == [2, 1], "from the dealer's right"
    assert by_seat[1]["pays"] == "25.00"
    assert by_seat[1]["chips"] == "one green"
    assert by_seat[2]["takes"] == "30.00"
    assert all(line["clause"] for seat in paid["seats"] for line in seat["lines"])
    for who in (live.players[0], live.server.stranger()):
        assert who.call("GET", "/tables/live/payouts").status in (401, 403)


def test_what_is_refused_to_a_shoe_is_noted(start: Start) -> None:
    live = LiveTable(start(software_dealer=False))
    token = live.token()
    early = live.shoe_reads(["As"], token, "early")
    live.deal()
    live.shoe_reads(["As"], token, "1")
    twice = live.shoe_reads(["Kd", "As"], token, "2")
    many = live.shoe_reads(NAMES[:30], token, "3")
    found = live.operator.call("GET", "/audit/attempts?table=live").body["attempts"]
    noted = [one for one in found if one["name"] == "shoe S-17"]
    assert {one["code"] for one in noted} == {"not_now", "bad_cards"}
    assert {one["type"] for one in noted} == {"enter_cards"}
    told = "".join(one["message"] for one in noted)
    assert early.body["message"] in told
    assert many.body["message"] in told
    assert twice.status == 400
    assert not cards_in(json.dumps(noted)), "the round is in play"
    assert live.server.pit.journal.head("attempts:live").version == 3
