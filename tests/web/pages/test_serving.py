"""The commands, the clocks of the dealer by software, and pages for those who lost their way."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.commands import app, serve
from croupier.errors import BadRequest
from croupier.ledger.journal import open_journal
from croupier.randomness.shuffling import seal, shuffle
from croupier.rounds.commands import CloseBets, OpenBetting, PlaceWagers
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import DEALER, Pace, Times, due
from croupier.runtime.session import TableSession
from croupier.tables.commands import BuyIn, TakeSeat
from croupier.tables.planning import plan_opening
from croupier.web.accounts.people import People
from croupier.web.server.settings import Throttles
from croupier.web.tables.demo import OPERATOR, submission_for
from tests.web.conftest import Server, Start
from tests.web.kit import PASSWORD, settings

NOW = datetime(2026, 11, 15, 20, 0, tzinfo=UTC)


def test_people_are_added_from_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = str(tmp_path / "journal.db")
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    code = app.run(["people", "add", "flo", "--role", "floorperson", "--database", database])
    assert code == 0
    assert capsys.readouterr().out == "flo can sign in as a floorperson.\n"
    with open_journal(database) as store:
        assert People(store, settings(database)).sign_in("flo", PASSWORD).role == "floorperson"


def test_a_password_that_is_too_short_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("short\n", "utf-8")
    words = ["--database", str(tmp_path / "j.db"), "--password-file", str(secret)]
    assert app.run(["people", "add", "flo", *words]) == 2
    assert "10 to 200 characters" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("workers", "port", "told"),
    [(0, 8235, "one at least"), (2, 8235, "PostgreSQL"), (1, 99999, "65535")],
)
def test_a_server_that_cannot_be(tmp_path: Path, workers: int, port: int, told: str) -> None:
    with pytest.raises(BadRequest, match=told):
        serve.serve(port=port, database=str(tmp_path / "j.db"), workers=workers)


# -- what a person in a browser reads when something goes wrong -----------------------------------

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def _check_page(found: Any, status: int) -> None:
    assert found.status_code == status
    assert found.headers["content-type"].startswith("text/html")
    assert 'href="/"' in found.text
    assert "urn:croupier" not in found.text
    assert "default-src" in found.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing", "/tables/nothing", "/learn/nothing", "/static/nothing.js", "/static/js/"),
        "/practice/nothing",
        *(f"/tables/{'A' * 300}", f"/static/{'A' * 300}", f"/{'A' * 300}", "/docs/nothing"),
    ],
)
def test_who_follows_a_dead_link_gets_a_page_and_a_way_back(server: Server, path: str) -> None:
    found = server.client.get(path, headers=HTML)
    _check_page(found, 404)
    assert "This page does not exist" in found.text
    assert server.client.get(path).headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("PUT", "/", {}, 403),
        ("POST", "/cashier", {}, 403),
        ("GET", "/?a=%00", {}, 400),
        ("GET", "/", {"Host": "[::1"}, 400),
        ("GET", "/floor/md-uth/slip/first", {}, 404),
    ],
)
def test_whatever_is_refused_is_told_on_a_page(
    server: Server, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    _check_page(server.client.request(method, path, headers=HTML | headers), status)


def test_a_fault_of_the_program_is_told_on_a_page(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """And where the page itself is at fault, in a document."""
    monkeypatch.setattr(server.pit, "table", lambda _: 1 / 0)
    found = server.client.get("/tables/md-uth", headers=HTML)
    _check_page(found, 500)
    assert "fault of the program" in found.text
    monkeypatch.setattr("croupier.web.pages.error_handlers.problem_text", lambda *_: 1 / 0)
    found = server.client.get("/tables/md-uth", headers=HTML)
    assert (found.status_code, found.json()["code"]) == (500, "internal")


def test_who_asks_too_much_is_told_on_a_page(start: Start) -> None:
    server = start(throttles=Throttles(queries=(1, 0.001)))
    assert server.client.get("/", headers=HTML).status_code == 200
    found = server.client.get("/", headers=HTML)
    _check_page(found, 429)
    assert "Wait a moment" in found.text
    assert int(found.headers["retry-after"]) > 0


# -- the dealer's clocks --------------------------------------------------------------------------


def _table(*players: str, bets: int) -> TableSession:
    from croupier.tables.commands import OpenTable

    command = OpenTable("one", "md-uth", submission_for("md-uth"), inventory=10**8)
    made = plan_opening(command, OPERATOR, with_link=True)
    running = TableSession(made.table, made.link)
    for seat, name in enumerate(players, 1):
        running.do(TakeSeat(name, seat), Actor("player", name))
        running.do(BuyIn(name, 100_000), Actor("player", name))
    sealed = seal(shuffle())
    running.do(OpenBetting(1, "virtual", sealed.commitment, sealed.salt, sealed.order), DEALER)
    for seat, name in list(enumerate(players, 1))[:bets]:
        wagers = {"ante": 500, "blind": 500}
        running.do(PlaceWagers(seat, name, wagers), Actor("player", name))
    return running


@pytest.mark.parametrize(
    ("players", "bets", "ready", "seconds"),
    [
        (1, 0, (), None),
        (1, 1, (), None),
        (1, 1, (1,), 0),
        (2, 1, (), 30),
        (2, 1, (1,), 30),
        (2, 1, (1, 2), 0),
        (2, 2, (1,), 30),
        (2, 2, (1, 2), 0),
    ],
)
def test_when_bets_close(
    players: int, bets: int, ready: tuple[int, ...], seconds: float | None
) -> None:
    running = _table(*("ann", "ben")[:players], bets=bets)
    found = due(running.table, running.rules, Times(NOW, NOW if bets else None), ready, Pace())
    if seconds is None:
        assert found is None
    else:
        assert found is not None
        assert found.at == NOW + timedelta(seconds=seconds)
        assert isinstance(found.command, CloseBets)


def test_where_people_deal_software_does_nothing() -> None:
    running = _table("ann", bets=1)
    for table in (replace(running.table, is_open=False), replace(running.table, source="live")):
        assert due(table, running.rules, Times(NOW, NOW), (1,), Pace()) is None


def test_a_server_without_a_software_dealer_has_nothing_due(start: Start) -> None:
    server = start(software_dealer=False, pace=Pace())
    server.guest().do("md-uth", type="take_seat", seat=1)
    served = server.pit.table("md-uth")
    opening = due(served.table, served.rules, Times(NOW, NOW), (), Pace())
    assert opening is not None, "a dealer by software would open the bets"
    assert served.due() is None
    assert served.table.round.number == 0
