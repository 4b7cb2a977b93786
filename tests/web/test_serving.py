"""The commands, the clocks of the dealer by software, and pages for those who lost their way."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

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
from croupier.web.demo import OPERATOR, submission_for
from croupier.web.people import People
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
        serve.run(
            host="127.0.0.1",
            port=port,
            database=str(tmp_path / "j.db"),
            workers=workers,
            demo=True,
            dealer="software",
            floor="auto",
            names=[],
            show=False,
            tables=[],
        )


@pytest.mark.parametrize("path", ["/nothing", "/tables/nothing", "/learn/nothing"])
def test_who_follows_a_dead_link_gets_a_page_and_a_way_back(server: Server, path: str) -> None:
    found = server.client.get(path, headers={"Accept": "text/html"})
    assert found.status_code == 404
    assert found.headers["content-type"].startswith("text/html")
    assert 'href="/"' in found.text
    assert server.client.get(path).headers["content-type"] == "application/problem+json"


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
