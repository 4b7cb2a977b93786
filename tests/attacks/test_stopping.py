"""A stranger tries to stop the server: slow, large, broken, and very many requests."""

from __future__ import annotations

import asyncio
import http.client
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from croupier.rounds.declaration import Actor
from croupier.tables.commands import BuyIn
from croupier.web.server.load import Load
from croupier.web.server.problems import Overloaded, TooMany
from croupier.web.server.protocols import LIVE_BURST, MOST_HEAD
from croupier.web.server.settings import Throttles
from croupier.web.tables import command_queue
from tests.attacks.raw import UPGRADE, RawConnection, status_of
from tests.web.conftest import Server, Start
from tests.web.kit import API, PATIENCE, settings
from tests.web.real import Client, Worker, workers

UTH = "md-uth"
LAST = 2**53


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """A real server with its limits, and less patience than usual."""
    folder = tmp_path_factory.mktemp("attacked")
    told = settings(
        folder / "journal.db", throttles=Throttles(open_connections=40), request_seconds=1
    )
    with workers(told, 1, folder) as (one,):
        yield one


@pytest.fixture(autouse=True)
def _the_server_is_well(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test of the real server did: afterwards it answers at once."""
    yield
    if "worker" in request.fixturenames:
        one: Worker = request.getfixturevalue("worker")
        assert Client(one.port).call("GET", "/health").status == 200


# -- questions that take long ----------------------------------------------------------------------


def test_the_last_round_of_all_asked_for_sixteen_times(worker: Worker) -> None:
    """`before=9007199254740992` once counted down from there."""
    path = f"/tables/{UTH}/rounds?before={LAST}&limit=100"
    with ThreadPoolExecutor(16) as pool:
        statuses = list(pool.map(lambda _: Client(worker.port).call("GET", path).status, range(16)))
    assert set(statuses) <= {200, 429}
    assert 200 in statuses


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"/tables/{UTH}/rounds?before={LAST + 1}", 400),
        (f"/tables/{UTH}/rounds?limit=101", 400),
        (f"/tables/{UTH}/rounds/{LAST + 1}", 400),
        (f"/tables/{UTH}/rounds/{'9' * 400}", 404),
    ],
)
def test_numbers_beyond_all_rounds_are_no_numbers(worker: Worker, path: str, status: int) -> None:
    assert Client(worker.port).call("GET", path).status == status


def test_whoever_looks_back_takes_no_thread_from_the_others(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play and sign-in go on; and whoever comes to a full queue is told when to come back."""
    goes_on, statuses = threading.Event(), []
    monkeypatch.setattr("croupier.web.tables.history.listed", lambda *_: goes_on.wait(60))
    history = server.pit.pools.history
    history._most_waiting = 5

    def look_back() -> None:
        statuses.append(server.stranger().call("GET", f"/tables/{UTH}/rounds").status)

    crowd = [threading.Thread(target=look_back) for _ in range(8)]
    for one in crowd:
        one.start()
    end = time.monotonic() + PATIENCE
    while history.waiting < 5 and time.monotonic() < end:
        time.sleep(0.01)
    server.guest().do(UTH, type="take_seat", seat=1)
    server.staff("dealer", "dee")
    found = server.stranger().call("GET", f"/tables/{UTH}/rounds")
    goes_on.set()
    for one in crowd:
        one.join()
    assert (found.status, found.body["code"]) == (503, "overloaded")
    assert int(found.headers["retry-after"]) >= 1
    assert len(statuses) == 8


# -- requests that are slow or large ---------------------------------------------------------------


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        b"POST /api/v1/guests HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_a_request_that_never_comes_is_not_waited_for(worker: Worker, begun: bytes) -> None:
    with RawConnection(worker.port) as connection:
        connection.send(begun)
        assert connection.is_ended(20)


@pytest.mark.parametrize(
    "head",
    [
        b"X: " + b"a" * (MOST_HEAD * 10),
        b"".join(b"X%d: a\r\n" % n for n in range(20_000)),
    ],
    ids=["one header", "many headers"],
)
def test_a_head_has_an_end(worker: Worker, head: bytes) -> None:
    request = b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n\r\n"
    assert status_of(worker.port, request) in (400, 431, 0)


def test_an_address_that_is_too_long_is_told_in_a_sentence(worker: Worker) -> None:
    with RawConnection(worker.port) as connection:
        long = b"a" * (MOST_HEAD + 100)
        connection.send(b"GET /?" + long + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        told = connection.answer()
    assert told.startswith(b"HTTP/1.1 431 ")
    assert b"Shorten the address" in told


def test_a_head_that_goes_on_for_ever_is_cut_off(worker: Worker) -> None:
    with RawConnection(worker.port) as connection:
        connection.send(b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\nX: ")
        for _ in range(20):
            connection.send(b"a" * 4096)
            time.sleep(0.01)
        assert connection.is_ended(PATIENCE)


def test_a_client_that_floods_pings_is_cut_off(worker: Worker) -> None:
    """Each ping wants a pong; who reads none would fill the memory."""
    ping = bytes([0x89, 0x80 | 125, 0, 0, 0, 0]) + b"p" * 125
    with RawConnection(worker.port) as connection:
        connection.send(UPGRADE)
        for _ in range(2 * LIVE_BURST // len(ping)):
            connection.send(ping)
        assert connection.is_ended(PATIENCE)


def test_one_address_has_so_many_connections_and_no_more(worker: Worker) -> None:
    crowd = [RawConnection(worker.port) for _ in range(60)]
    try:
        statuses = [one.answer(2)[9:12] for one in crowd[-5:]]
    finally:
        for one in crowd:
            one.close()
    assert set(statuses) == {b"503"}
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if Client(worker.port).call("GET", "/health").status == 200:
                return
        except (OSError, http.client.HTTPException, ValueError):
            time.sleep(0.05)
    raise AssertionError("nobody is let in when the crowd has gone")


# -- requests that are broken ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        *("/static/%00", "/%00", "/tables/%00", f"{API}/tables/%00/rounds", f"{API}/lessons/%00"),
        *(f"{API}/tables/{UTH}/rounds?player=%00", "/static/%ff%fe", f"{API}/tables/%ed%a0%80"),
        *("/static/..%2f..%2fapp.py", "/floor/x/slip/99999999999999999999", "//", "/?%00"),
    ],
)
def test_no_address_is_a_fault_of_the_program(worker: Worker, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
    assert 200 <= status_of(worker.port, request) < 500


@pytest.mark.parametrize(
    "host", [b"[", b"]", b"[::1", b"a@b", b"a/b", b"\xff", b"a:b:c", b"[::1]x", b"a b", b"a\tb"]
)
def test_a_broken_host_is_refused(worker: Worker, host: bytes) -> None:
    request = b"GET /api/v1/me HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n"
    assert status_of(worker.port, request) in (400, 403)


BROKEN = {
    "deep": b"[" * 100_000,
    "deep objects": b'{"name":' * 20_000,
    "no text": b"\xff\xfe",
    "bad UTF-8": b'{"type":"\xff"}',
    "half a character": b'"\\ud800"',
    "NUL": b"\0",
    "NUL inside": b'{"type":"call_floor","reason":"\\u0000"}',
    "endless": b'{"type":"take_seat","seat":1e999}',
}


def test_no_body_is_a_fault_of_the_program(server: Server) -> None:
    guest, faults = server.guest(), []
    for path in ("/session", "/guests", "/submissions/check", f"/tables/{UTH}/commands"):
        for name, body in BROKEN.items():
            found = guest.call("POST", path, body, {"Idempotency-Key": "one"})
            if not 400 <= found.status < 500:
                faults.append((path, name, found))
    assert not faults


def test_a_name_with_a_nul_is_nobodys_on_postgres(start: Start, postgres_url: str) -> None:
    server = start(database=postgres_url, demo_tables=False)
    found = server.stranger().look().call("POST", "/session", {"name": "a\0", "password": "b\0"})
    assert (found.status, found.body["code"]) == (401, "wrong_password")


# -- very many requests ----------------------------------------------------------------------------


def test_made_up_cookies_are_counted_by_address(start: Start) -> None:
    """Each has a bucket of its own only once a session is found for it."""
    server = start(throttles=Throttles(queries=(10, 0.001)))
    statuses = []
    for n in range(15):
        eve = server.stranger()
        eve.cookie = f"croupier=made-up-{n}"
        statuses.append(eve.call("GET", "/tables").status)
    assert statuses[-1] == 429
    limits = Throttles(queries=(1000, 1000), lookups=(10, 0.001))
    server = start(throttles=limits)
    for n in range(15):
        eve = server.stranger()
        eve.cookie = f"croupier=made-up-{n}"
        last = eve.call("GET", "/tables").status
    assert last == 429, "before the database is asked"


def test_guests_of_one_address_do_not_take_every_seat(start: Start) -> None:
    server = start(throttles=Throttles(guest_seats=3))
    crowd = [server.guest() for _ in range(4)]
    for seat, one in enumerate(crowd[:3], 1):
        one.do(UTH, type="take_seat", seat=seat)
    crowd[3].refused("md-235", 409, "over_limit", type="take_seat", seat=1)
    crowd[0].do(UTH, type="give_up_seat", seat=1)
    crowd[3].do("md-235", type="take_seat", seat=1)


def test_one_address_gets_so_many_guests(start: Start) -> None:
    server = start(throttles=Throttles(guests=(3, 0.001)))
    statuses = [server.stranger().look().call("POST", "/guests", {}).status for _ in range(4)]
    assert statuses == [201, 201, 201, 429]


def test_requests_at_once_have_an_end() -> None:
    load = Load(Throttles(at_once=2, at_once_address=3, in_flight=4, live_connections=1))

    def ask(key: str, address: str) -> Any:
        return load.request(key, address, stranger=False)

    with ask("ann", "1"), ask("ann", "1"):
        with pytest.raises(TooMany), ask("ann", "1"):
            pass
        with ask("ben", "1"):
            with pytest.raises(TooMany), ask("cal", "1"):
                pass
            with ask("cal", "2"), pytest.raises(Overloaded), ask("dan", "3"):
                pass
    assert load.in_flight == 0
    with load.live("1"):
        with pytest.raises(TooMany), load.live("1"):
            pass
        with load.live("2"):
            pass


def test_a_late_loop_sends_strangers_away_first() -> None:
    load = Load(Throttles())
    load.late = 2.0
    with pytest.raises(Overloaded), load.request("1", "1", stranger=True):
        pass
    with load.request("ann", "1", stranger=False):
        pass
    load.late = 4.0
    with pytest.raises(Overloaded), load.request("ann", "1", stranger=False):
        pass
    assert load.shed == 2


def test_a_table_with_a_long_queue_sends_people_away(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_queue, "MOST_QUEUED", 0)
    found = server.guest().send(UTH, type="take_seat", seat=1)
    assert (found.status, found.body["code"]) == (503, "overloaded")
    ann = Actor("player", "ann")
    with pytest.raises(Overloaded):
        asyncio.run(server.pit.table(UTH).do(BuyIn("ann", 1), ann, request="one"))


def test_the_description_is_written_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    first = server.client.get(f"{API}/openapi.json")
    monkeypatch.setattr("croupier.web.pages.description._with_commands", None)
    monkeypatch.setattr("croupier.web.pages.description.msgspec", None)
    for path in ("openapi.json", "description"):
        assert server.client.get(f"{API}/{path}").content == first.content
