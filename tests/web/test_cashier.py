"""The cashier's desk on the web: who may, what is refused, and playing from one's account."""

from __future__ import annotations

from itertools import count

import pytest

from croupier.ledger.verify import verify
from tests.commands.program import croupier
from tests.web.conftest import Server, Start
from tests.web.kit import Answer, Caller

UTH = "md-uth"


@pytest.fixture
def house(start: Start) -> Server:
    return start(demo=False, software_dealer=False)


_keys = count(1)


def _give(who: Caller, person: str, **command: str) -> Answer:
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
    assert croupier("verify", *journal).code == 0
