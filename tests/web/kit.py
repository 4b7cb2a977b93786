"""What the tests of the web share: people who call the server, and tables at full speed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from litestar.testing import TestClient
from msgspec.structs import replace

from croupier.ledger.journal import Journal
from croupier.rounds.declaration import Actor
from croupier.runtime.dealer import FAST
from croupier.runtime.house import House
from croupier.tables.commands import OpenTable
from croupier.web.server.settings import Settings
from croupier.web.tables.demo import DEMO_TABLES, INVENTORY, submission_for

API = "/api/v1"
GAMES = ("md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235")
OTHER_SHAPES = ("caribbean-stud", "let-it-ride", "crazy-4-poker")
"""A dealer's card that is seen; bets taken back and no dealer; bets for strong hands only."""
OLGA = Actor("operator", "olga")
PASSWORD = "correct horse battery"
PATIENCE = 120.0
"""Seconds until a test gives up waiting; a machine may be busy with other work."""
_keys = count(1)


def settings(path: Path | str, **told: Any) -> Settings:
    """A quick server: nobody waits, passwords are cheap, nothing is throttled."""
    plain = Settings(
        str(path), pace=FAST, throttles=None, software_floor=True, password_memory_kib=64
    )
    return replace(plain, **told)


class Later:
    """Instead of the clock, `seconds` ahead of it."""

    fromisoformat = datetime.fromisoformat
    seconds = 0.0

    @classmethod
    def now(cls, zone: tzinfo) -> datetime:
        return datetime.now(zone) + timedelta(seconds=cls.seconds)


class Answer(NamedTuple):
    status: int
    body: Any
    headers: Any


class Caller:
    """Somebody with a cookie of his own, over the one client that runs the application."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.client = client
        self.cookie = ""
        self.csrf = ""
        self.name = ""

    def call(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        told = {"X-CSRF-Token": self.csrf} | ({"Cookie": self.cookie} if self.cookie else {})
        sent = body if isinstance(body, bytes | type(None)) else json.dumps(body).encode()
        if sent is not None:
            told["Content-Type"] = "application/json"
        self.client.cookies.clear()
        got = self.client.request(
            method, API + path, content=sent, headers={**told, **(headers or {})}
        )
        self.client.cookies.clear()
        for cookie in got.headers.get_list("set-cookie"):
            self.cookie = cookie.partition(";")[0]
        is_json = got.headers.get("content-type", "").partition(";")[0].endswith("json")
        return Answer(got.status_code, got.json() if is_json else got.text, got.headers)

    def get(self, path: str) -> Any:
        found = self.call("GET", path)
        assert found.status == 200, found
        return found.body

    def look(self) -> Caller:
        self.csrf = self.get("/me")["csrf"]
        return self

    def come_in(self) -> Caller:
        self.look()
        return self._known(self.call("POST", "/guests", {}))

    def sign_in(self, name: str, password: str = PASSWORD) -> Caller:
        self.look()
        return self._known(self.call("POST", "/session", {"name": name, "password": password}))

    def _known(self, found: Answer) -> Caller:
        assert found.status == 201, found
        self.csrf, self.name = found.body["csrf"], found.body["name"]
        return self

    def send(
        self,
        table: str,
        /,
        key: str | None = None,
        meant: dict[str, Any] | None = None,
        **command: Any,
    ) -> Answer:
        """`meant` is the round, and the decision, that the person had before his eyes."""
        named = {"Idempotency-Key": key or f"key-{next(_keys)}"}
        return self.call("POST", command_path(table, meant), command, named)

    def ready(self, table: str, seat: int, **meant: Any) -> Answer:
        found = self.say_ready(table, seat, **meant)
        assert found.status == 200, found.body
        return found

    def say_ready(self, table: str, seat: int, **meant: Any) -> Answer:
        return self.call("POST", command_path(table, meant, "ready"), {"seat": seat})

    def do(self, table: str, /, **command: Any) -> int:
        found = self.send(table, **command)
        assert found.status == 200, found.body
        return int(found.body["version"])

    def refused(self, table: str, status: int, code: str, /, **command: Any) -> Any:
        """The command is answered with this problem, and the table is as it was."""
        return self.answered_with(table, status, code, lambda: self.send(table, **command))

    def answered_with(self, table: str, status: int, code: str, ask: Callable[[], Answer]) -> Any:
        before = self.get(f"/tables/{table}")["version"]
        found = ask()
        assert (found.status, found.body["code"]) == (status, code), found.body
        check_problem(found)
        assert self.get(f"/tables/{table}")["version"] == before
        return found.body

    def view(self, table: str) -> Any:
        return self.get(f"/tables/{table}")

    def until(self, table: str, *phases: str) -> Any:
        """The view as soon as the dealer by software has come so far."""
        return self.until_round(table, lambda state: state["phase"] in phases)

    def until_round(self, table: str, wanted: Callable[[Any], bool]) -> Any:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            view = self.view(table)
            if wanted(view["round"]):
                return view
            time.sleep(0.01)
        raise AssertionError(f"{table} is stuck in {view['round']['phase']}")

    def sit(self, table: str, seat: int, amount: str = "1000.00") -> Any:
        self.do(table, type="take_seat", seat=seat)
        self.do(table, type="buy_in", amount=amount)
        return self.until(table, "betting")

    def bet(self, table: str, seat: int, *, everything: bool = False) -> Any:
        """The required wagers, or everything that can be bet on."""
        view = self.until(table, "betting")
        self.do(table, type="place_wagers", seat=seat, wagers=wanted_wagers(view, seat))
        if everything:
            for _ in range(3):  # some wagers need others first
                wagers = wanted_wagers(self.view(table), seat)
                self.do(table, type="place_wagers", seat=seat, wagers=wagers)
        return self.view(table)

    def live(self, table: str, after: int | None = None, **headers: str) -> Any:
        self.client.cookies.clear()
        query = "" if after is None else f"?after={after}"
        told = {"Cookie": self.cookie} if self.cookie else {}
        return self.client.websocket_connect(
            f"{API}/tables/{table}/live{query}", headers={**told, **headers}
        )


def command_path(table: str, meant: dict[str, Any] | None, what: str = "commands") -> str:
    query = f"?{urlencode(meant)}" if meant else ""
    return f"/tables/{table}/{what}{query}"


def check_problem(found: Answer) -> None:
    assert found.headers["content-type"].startswith("application/problem+json")
    assert set(found.body) == {"type", "title", "status", "code", "message", "clause"}
    assert found.body["status"] == found.status
    assert found.body["message"]


def wanted_wagers(view: Any, seat: int) -> dict[str, str]:
    """The least of everything that may be placed at the seat now."""
    return {
        action["wager"]: action["stakes"][0] if action.get("stakes") else action["least"]
        for action in view["actions"]
        if action["do"] == "place" and action["seat"] == seat
    }


PATIENT_CLOCK = {"betting": 600, "decision": 600, "extension": 600}


def open_patient_tables(journal: Journal) -> None:
    """The demo tables as they are, but no test is hurried, and a person has opened them: they serve
    for a demo and for money."""
    house = House(journal)
    for rulebook, terms in DEMO_TABLES.items():
        told = submission_for(rulebook, {**terms, "clock": PATIENT_CLOCK})
        house.do(rulebook, OpenTable(rulebook, rulebook, told, inventory=INVENTORY), OLGA)


def applied(view: dict[str, Any], frame: dict[str, Any]) -> dict[str, Any]:
    """A client's view after a frame: whole, or with what changed since the frame before."""
    if "view" in frame:
        whole: dict[str, Any] = frame["view"]
        return whole
    before, hands = view["round"], frame.get("hands", {})
    if isinstance(hands, dict):
        hands = [hands.get(str(place), hand) for place, hand in enumerate(before["seats"])]
    changed = frame.get("seats", {})
    seats = [changed.get(str(place), seat) for place, seat in enumerate(view["seats"])]
    state = {**before, **frame.get("round", {}), "seats": hands}
    return {
        **view,
        **frame.get("changes", {}),
        **frame.get("own", {}),
        "seats": seats,
        "round": state,
    }
