"""Requests that no client would send: none is a fault of the program, and the server stays well."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.attacks.raw import status_of
from tests.web.kit import API, settings
from tests.web.real import Client, workers

UTH = "md-uth"
PATHS = [
    "/",
    "/tables/md-uth",
    "/static/js/api.js",
    *(f"{API}/{path}" for path in ("me", "tables", "health", "ready", "commands", "openapi.json")),
    *(f"{API}/tables/{UTH}{path}" for path in ("", "/rules", "/rounds", "/rounds/1", "/work")),
    *(
        f"{API}/tables/{UTH}{path}"
        for path in ("/commands?round=1", "/ready", "/foresee", "/advice")
    ),
    *(f"{API}/{path}" for path in ("session", "guests", "rehearsals", "submissions/check")),
    *(f"{API}/{path}" for path in ("audit/entries", "audit/verify", "people", "links/md-uth")),
]
PIECES = [
    *("%00", "%ff", "%2e%2e%2f", "..", "//", ";", "?", "&", "=", "#", "%", "\u2660", "'", '"', "<"),
    *("9007199254740993", "-1", "1e9", "null", "before", "limit=0", "since=0001-01-01T00:00Z"),
]
BODIES = [
    *(b"", b"{}", b"[]", b"null", b"0", b'"', b'{"type":"deal"}', b'{"seat":1}', b"[" * 5000),
    *(b'{"type":"take_seat","seat":1}', b'{"type":"buy_in","amount":"1e9"}', b"\xff\xfe\x00"),
    *(b'{"name":"a","password":"b"}', b'{"role":"operator"}', b'{"toml":"x = ["}'),
]
HEADERS = [
    *("Cookie", "Host", "Origin", "Content-Type", "Accept", "Idempotency-Key", "X-CSRF-Token"),
    *("Authorization", "Range", "If-None-Match", "Sec-Fetch-Site", "X-Forwarded-For", "Expect"),
]


def _mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randrange(3)):
        place = chance.randrange(len(text) + 1)
        text = text[:place] + chance.choice(PIECES) + text[place + chance.randrange(3) :]
    return text


def _request(chance: random.Random, known: Client) -> bytes:
    path = _mutated(chance.choice(PATHS), chance).replace(" ", "").encode()
    method = chance.choice(["GET", "GET", "POST", "POST", "DELETE", "PUT", "HEAD", "BREW"])
    body = chance.choice(BODIES)
    headers = {"Host": "localhost", "Content-Length": str(len(body)), "Connection": "close"}
    if chance.random() < 0.5:
        headers |= {"Cookie": known.cookie, "X-CSRF-Token": known.csrf}
    for name in chance.sample(HEADERS, chance.randrange(3)):
        headers[name] = _mutated("text/html", chance)
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return method.encode() + b" " + path + b" HTTP/1.1\r\n" + head.encode() + b"\r\n" + body


@pytest.mark.parametrize(
    ("seed", "count"),
    [(1, 400), pytest.param(2, 100_000, marks=pytest.mark.full)],
)
def test_no_request_is_a_fault_of_the_program(tmp_path: Path, seed: int, count: int) -> None:
    with workers(settings(tmp_path / "journal.db"), 1, tmp_path) as (worker,):
        known = Client(worker.port).come_in()
        chance = random.Random(seed)
        faults = []
        for _ in range(count):
            request = _request(chance, known)
            if status_of(worker.port, request) in (500, 502, 504):
                faults.append(request[:400])
        assert not faults
        assert Client(worker.port).call("GET", "/health").status == 200
    log = (tmp_path / "worker-0.log").read_text("utf-8")
    assert "Traceback" not in log, log[-3000:]
