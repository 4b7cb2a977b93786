"""The cashier's desk on the web: who may, what is refused, and playing from one's account."""

from __future__ import annotations

from itertools import count

import pytest

from croupier.ledger.verification.verify import verify
from tests.commands.program import WHOLE, croupier
from tests.web.conftest import Server, Start
from tests.web.kit import Answer, Caller

UTH = "md-uth"


@pytest.fixture
def house(start: Start) -> Server:
    return start(demo=False, software_dealer=False)


_keys = count(1)


def _give(who: Caller, person: str, **command: object) -> Answer:
    headers = {"Idempotency-Key": f"cashier-{next(_keys)}"}
    return who.call("POST", f"/cashier/accounts/{person}/commands", command, headers)


def _refused(found: Answer, status: int, code: str) -> None:
    assert (found.status, found.body["code"]) == (status, code), found.body


def test_a_player_plays_from_the_account(house: Server) -> None:
    ann, cleo = house.staff("player", "ann"), house.staff("cashier", "cleo")
    assert _give(cleo, "ann", type="deposit", amount="500.00").body["balance"] == "500.00"
    ann.do(UTH, type="take_seat", seat=1)
    _refused(ann.send(UTH, type="buy_in", amount="100.00"), 403, "needs_cashier")
    _refused(ann.send(UTH, type="buy_in", amount="500.01", account=True), 409, "not_enough_money")
    ann.do(UTH, type="buy_in", amount="300.00", account=True)
    assert ann.get("/account")["balance"] == "200.00"
    ann.do(UTH, type="cash_out", account=True)
    own = ann.get("/account")
    assert own["balance"] == "500.00"
    assert [one["amount"] for one in own["lines"]] == ["300.00", "-300.00", "500.00"]
    assert _give(cleo, "ann", type="pay_out", amount="500.00").body["balance"] == "0.00"
    assert verify(house.pit.journal).valid


def test_who_may(house: Server) -> None:
    house.staff("player", "ann")
    for role in ("player", "dealer", "floorperson", "auditor", "surveillance"):
        who = house.staff(role, f"{role}-9")
        _refused(_give(who, "ann", type="deposit", amount="1.00"), 403, "wrong_role")
        reads = who.call("GET", "/cashier/accounts/ann").status
        assert reads == (200 if role in ("auditor", "surveillance") else 403), role
    olga = house.staff("operator", "olga")
    assert _give(olga, "ann", type="deposit", amount="1.00").status == 200
    rows = olga.get("/cashier/accounts")
    assert rows["accounts"] == [{"person": "ann", "balance": "1.00"}]
    assert [one["type"] for one in rows["commands"]] == ["deposit", "pay_out"]
    assert olga.get("/cashier/accounts?begins=b")["accounts"] == []
    assert house.stranger().look().call("GET", "/account").status == 401


def test_what_is_refused(house: Server) -> None:
    house.staff("player", "ann"), house.staff("dealer", "dee")
    cleo = house.staff("cashier", "cleo")
    for person, command, status in (
        ("nobody", {"type": "deposit", "amount": "1.00"}, 422),
        ("dee", {"type": "deposit", "amount": "1.00"}, 403),
        ("cleo", {"type": "deposit", "amount": "1.00"}, 403),
        ("ann", {"type": "deposit", "amount": "-1.00"}, 400),
        ("ann", {"type": "deposit", "amount": "0.00"}, 400),
        ("ann", {"type": "deposit", "amount": "1.005"}, 400),
        ("ann", {"type": "deposit", "amount": "1000000000.00"}, 400),
        ("ann", {"type": "to_table", "table": UTH, "entry": "1", "cents": "1"}, 400),
        ("ann", {"type": "pay_out", "amount": "1.00"}, 409),
    ):
        found = _give(cleo, person, **command)
        assert found.status == status, (person, command, found.body)
    assert verify(house.pit.journal).valid
    refused = cleo.send(UTH, type="take_seat", player="cleo", seat=1)
    _refused(refused, 403, "wrong_role")


def test_a_large_sum_waits_for_a_second_cashier(house: Server) -> None:
    house.staff("player", "ann")
    cleo, cora = house.staff("cashier", "cleo"), house.staff("cashier", "cora")
    first = _give(cleo, "ann", type="deposit", amount="10000.01").body
    assert (first["balance"], first["waits"]) == ("0.00", True)
    line = cora.get("/cashier/accounts/ann")["lines"][0]
    assert (line["waits"], line["entry"], line["balance"]) == (True, first["version"], "0.00")
    second = {"type": "deposit", "amount": "10000.01", "confirms": first["version"]}
    _refused(_give(cleo, "ann", **second), 403, "not_yours")
    _refused(_give(cora, "ann", **(second | {"amount": "10000.02"})), 409, "not_equal")
    _refused(_give(cora, "ann", **(second | {"type": "pay_out"})), 409, "not_equal")
    _refused(_give(cora, "ann", **(second | {"confirms": 7})), 409, "nothing_there")
    assert _give(cora, "ann", **second).body["balance"] == "10000.01"
    _refused(_give(cora, "ann", **second), 409, "nothing_there")
    for _ in range(2):
        assert not _give(cora, "ann", type="pay_out", amount="5000.00").body["waits"]
    assert _give(cora, "ann", type="pay_out", amount="0.01").body["waits"], "in a day, together"
    assert verify(house.pit.journal).valid


def test_who_set_up_an_account_handles_no_money_of_it(house: Server) -> None:
    olga, cleo = house.staff("operator", "olga"), house.staff("cashier", "cleo")
    new = {"name": "friend", "role": "player", "password": "a long enough pass"}
    assert olga.call("POST", "/people", new).status == 201
    _refused(_give(olga, "friend", type="deposit", amount="1.00"), 403, "not_independent")
    assert _give(cleo, "friend", type="deposit", amount="1.00").status == 200
    house.staff("player", "ann")
    password = {"password": "another long pass"}
    assert olga.call("POST", "/people/ann/password", password).status == 200
    _refused(_give(olga, "ann", type="pay_out", amount="1.00"), 403, "not_independent")


def test_the_floor_cannot_turn_an_absent_players_chips_into_cash(house: Server) -> None:
    ann, cleo = house.staff("player", "ann"), house.staff("cashier", "cleo")
    flo, dee = house.staff("floorperson", "flo"), house.staff("dealer", "dee")
    _give(cleo, "ann", type="deposit", amount="3000.00")
    ann.do(UTH, type="take_seat", seat=1)
    ann.do(UTH, type="buy_in", amount="3000.00", account=True)
    for staff in (dee, flo):
        refused = staff.send(UTH, type="buy_in", player="ann", amount="999999.99")
        _refused(refused, 409, "account_only")
    flo.do(UTH, type="give_up_seat", player="ann", seat=1, reason="away for an hour")
    flo.do(UTH, type="cash_out", player="ann")
    assert ann.get("/account")["balance"] == "3000.00"


def test_in_the_demo_nobody_has_an_account(start: Start) -> None:
    """Play chips that cost nothing must not become money."""
    server = start(software_dealer=False)
    ann, cleo = server.staff("player", "ann"), server.staff("cashier", "cleo")
    ann.do(UTH, type="take_seat", seat=1)
    ann.do(UTH, type="buy_in", amount="100.00")
    _refused(ann.send(UTH, type="cash_out", account=True), 409, "only_demo")
    _refused(_give(cleo, "ann", type="deposit", amount="1.00"), 409, "only_demo")


def test_from_the_command_line(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("cashier") / "journal.db"
    journal = ["--journal", str(path)]
    croupier("people", "add", "ann", "--database", str(path), stdin=b"a long enough pass\n")
    told = croupier("cashier", "deposit", "ann", "1,500", "--as", "cashier:Cleo", *journal)
    assert told.code == 0, told.err
    assert "ann has $1,500" in told.text
    over = croupier("cashier", "pay-out", "ann", "1500.01", "--as", "cashier:Cleo", *journal)
    assert over.code == 1
    assert "holds $1,500" in over.err
    assert croupier("cashier", "deposit", "ann", "5", "--as", "dealer:Dan", *journal).code == 2
    assert croupier("cashier", "deposit", "ann", "5", *journal).code == 2
    listed = croupier("cashier", "list", "--json", *journal)
    assert listed.json["held"] == "1500.00"
    shown = croupier("cashier", "show", "ann", *journal)
    assert "cashier Cleo" in shown.text
    assert croupier("verify", *journal).code in WHOLE
