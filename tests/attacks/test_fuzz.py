"""Requests that no client would send: none is a fault of the program, and whoever plays meanwhile
does not notice."""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.ledger.journal import open_journal
from croupier.ledger.verification.verify import verify
from croupier.tables.commands import COMMANDS
from croupier.web.accounts.people import People
from tests.attacks.raw import status_of
from tests.web.conftest import Server
from tests.web.kit import API, PASSWORD, settings
from tests.web.real import Client, Worker, workers

UTH = "md-uth"
PAGES = [
    "/",
    "/tables/md-uth",
    "/static/js/shared/api.js",
    "/house",
    "/audit",
    "/cashier",
    "/metrics",
]
NAMES = {"table": UTH, "link": UTH, "name": "ann", "person": "ann", "rulebook": UTH}
PIECES = [
    *("%00", "%ff", "%2e%2e%2f", "..", "//", ";", "?", "&", "=", "#", "%", "\u2660", "'", '"', "<"),
    *("9007199254740993", "-1", "1e9", "null", "before", "limit=0", "since=0001-01-01T00:00Z"),
    *("%c0%af", "%ed%a0%80", "\x7f", "\x01", "${7*7}", "{{7*7}}", "\u202e", "a" * 300),
]
DEEP = 5000
BODIES = [
    *(b"", b"{}", b"[]", b"null", b"0", b'"', b"\xff\xfe\x00", b'{"a":"\xff"}', b'{"seat":1}'),
    *(b"[" * DEEP, b'{"a":' * DEEP, b"[" * DEEP + b"]" * DEEP, b'{"type":"deal","type":"deal"}'),
    *(b'{"type":"take_seat","seat":1}', b'{"type":"buy_in","amount":"1e9"}', b'{"type":"\\u0000"}'),
    *(b'{"type":"buy_in","amount":"1.00","account":true}', b'{"type":"deposit","amount":"-1.00"}'),
    *(b'{"name":"a","password":"b"}', b'{"role":"operator"}', b'{"toml":"x = ["}'),
    *(b'{"seat":' + b"9" * 400 + b"}", b'{"name":"' + b"a" * 100_000 + b'"}', b'"\\ud800"'),
]
HEADERS = [
    *("Cookie", "Host", "Origin", "Content-Type", "Accept", "Idempotency-Key", "X-CSRF-Token"),
    *("Authorization", "Range", "If-None-Match", "Sec-Fetch-Site", "X-Forwarded-For", "Expect"),
    *("Transfer-Encoding", "Content-Encoding", "Upgrade", "Connection", "Content-Length"),
]
VALUES = [
    *("text/html", "application/json", "localhost", "[::1", "a b", "", "chunked", "gzip", "-1"),
    *("bytes=0-", "100-continue", "websocket", "null", "croupier=x", "\u2660", "x" * 9000),
]
FIELDS = ["seat", "player", "amount", "wagers", "cards", "chips", "reason"]
QUIET_SECONDS = 0.05
PATIENT_SECONDS = 0.5
"""Some requests are never complete, and the server waits: nobody stays for it. What goes wrong
then is in its log."""
WORST = 3.0
"""Seconds that a quiet client waits at the 99th percentile, on a machine with other work."""


def _addresses(known: Client) -> list[str]:
    """Every path of the API's own description, with names that exist."""
    described = known.call("GET", "/openapi.json").body["paths"]
    named = [re.sub(r"{(\w+)[^}]*}", lambda one: NAMES.get(one[1], "1"), one) for one in described]
    assert len(named) > 40
    return [*PAGES, *named]


def _mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randrange(3)):
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(PIECES) + text[place + chance.randrange(3) :]
    return text


def _body(chance: random.Random) -> bytes:
    """Nonsense, or a command with fields that do not fit."""
    if chance.random() < 0.6:
        return chance.choice(BODIES)
    told: dict[str, object] = {"type": chance.choice([*COMMANDS, "deposit", "pay_out"])}
    for name in chance.sample(
        ["seat", "player", "amount", "wagers", "cards", "chips", "reason"], 3
    ):
        told[name] = chance.choice([1, -1, 2**63, "1.00", "x", None, [], {}, {"ante": "5.00"}, 1.5])
    return json.dumps(told).encode()


def _request(chance: random.Random, addresses: list[str], people: list[Client]) -> bytes:
    path = _mutated(chance.choice(addresses), chance).replace(" ", "").encode()
    method = chance.choice(["GET", "GET", "POST", "POST", "POST", "DELETE", "PUT", "HEAD", "BREW"])
    body = _body(chance)
    headers = {"Host": "localhost", "Content-Length": str(len(body)), "Connection": "close"}
    if chance.random() < 0.7:
        known = chance.choice(people)
        headers |= {"Cookie": known.cookie, "X-CSRF-Token": known.csrf}
        headers |= {"Content-Type": "application/json", "Idempotency-Key": f"{chance.random()}"}
    for name in chance.sample(HEADERS, chance.choice((0, 0, 1, 2))):
        headers[name] = _mutated(chance.choice(VALUES), chance).replace("\r", "").replace("\n", "")
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return method.encode() + b" " + path + b" HTTP/1.1\r\n" + head.encode() + b"\r\n" + body


class _Quiet(threading.Thread):
    """Looks at a table again and again while others send nonsense."""

    def __init__(self, worker: Worker) -> None:
        super().__init__(daemon=True)
        self._client = Client(worker.port).come_in()
        self._over = threading.Event()
        self.waited: list[float] = []
        self.statuses: set[int] = set()

    def run(self) -> None:
        while not self._over.wait(QUIET_SECONDS):
            began = time.monotonic()
            self.statuses.add(self._client.call("GET", f"/tables/{UTH}").status)
            self.waited.append(time.monotonic() - began)

    def end(self) -> None:
        self._over.set()
        self.join()

    @property
    def worst(self) -> float:
        ordered = sorted(self.waited)
        return ordered[int(len(ordered) * 0.99) - 1]


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[Worker]:
    told = settings(tmp_path / "journal.db")
    with open_journal(told.database) as store:
        people = People(store, told)
        for name, role in (("dee", "dealer"), ("flo", "floorperson"), ("cleo", "cashier")):
            people.add(name, role, PASSWORD)
    with workers(told, 1, tmp_path) as (worker,):
        yield worker


@pytest.mark.parametrize(
    ("seed", "count"),
    [(1, 400), pytest.param(2, 100_000, marks=pytest.mark.full)],
)
def test_no_request_is_a_fault_of_the_program(
    attacked: Worker, tmp_path: Path, seed: int, count: int
) -> None:
    people = [Client(attacked.port).come_in()]
    people += [Client(attacked.port).sign_in(name) for name in ("dee", "flo", "cleo")]
    addresses, chance = _addresses(people[0]), random.Random(seed)
    quiet = _Quiet(attacked)
    quiet.start()
    faults = []
    for _ in range(count):
        request = _request(chance, addresses, people)
        status = status_of(attacked.port, request, PATIENT_SECONDS)
        if status >= 500 and status != 503:
            faults.append((status, request[:400]))
    quiet.end()
    assert not faults, faults[:10]
    assert quiet.statuses == {200}
    assert quiet.worst < WORST, f"99 of 100 within {quiet.worst:.2f} s"
    assert Client(attacked.port).call("GET", "/health").status == 200
    log = (tmp_path / "worker-0.log").read_text("utf-8")
    assert "Traceback" not in log, log[-3000:]
    with open_journal(str(tmp_path / "journal.db")) as store:
        assert verify(store).valid


@pytest.mark.parametrize("path", ["/static/js/", "/tables/", f"{API}/tables/"])
def test_a_name_that_no_file_can_have_is_refused(server: Server, path: str) -> None:
    """A file of 300 letters once was a fault of the program."""
    assert server.client.get(f"{path}{'a' * 300}").status_code == 404
    assert server.client.get(f"{path}{'%E2%99%A0' * 100}").status_code == 404
    assert server.client.get(f"{path}{'a' * 255}").status_code in (403, 404)
