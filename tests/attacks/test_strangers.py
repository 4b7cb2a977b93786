"""A stranger's requests cost no more than their length, are counted before they are read, come one
at a time on a connection, and leave nothing behind: no memory, no log."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.server import ServerState
from websockets.server import ServerProtocol

from croupier.cards import cards_in
from croupier.errors import CroupierError
from croupier.rounds.declaration import Actor
from croupier.submissions.uploads import Upload, check_upload
from croupier.tables.command_input import command_from_json
from croupier.web.accounts.guard import MOST_ADDRESS, MOST_COOKIES
from croupier.web.accounts.people import csrf_of
from croupier.web.server import load, protocols
from croupier.web.server.logs import MOST_REPEATED, Repeats
from croupier.web.server.protocols import MOST_HEADERS, LiveProtocol
from croupier.web.server.settings import Throttles
from tests.attacks.floods import (
    ATTACKS,
    MANY_HEADERS,
    big_cookie,
    get,
    head,
    lists,
    one_byte_chunks,
)
from tests.attacks.raw import UPGRADE, RawConnection, status_of
from tests.web.conftest import Server, Start
from tests.web.kit import API, PATIENCE, settings
from tests.web.real import Client, Worker, workers

UTH = "md-uth"
TOKEN = "A" * 43


# -- what a request costs --------------------------------------------------------------------------

TRIES = 3
SLACK = 0.006
"""Seconds of the processor: what is quadratic and takes less than this does no harm."""


def check_linear(work: Callable[[int], object], size: int) -> None:
    """Twice as much takes twice as long, and four times where the cost is the square."""
    half, whole = (min(_seconds(work, n) for _ in range(TRIES)) for n in (size // 2, size))
    assert whole < 3 * half + SLACK, f"{half * 1e3:.1f} ms become {whole * 1e3:.1f} ms"


def _seconds(work: Callable[[int], object], size: int) -> float:
    began = time.thread_time()
    work(size)
    return time.thread_time() - began


def asker(app: Any, loop: asyncio.AbstractEventLoop) -> Callable[..., int]:
    """The application's status for a request, with nothing between."""

    async def asking(
        method: str, path: str, query: bytes, headers: Any, body: bytes, address: str
    ) -> int:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        scope: Any = {
            **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1"},
            **{"server": ("localhost", 80), "client": (address, 1), "scheme": "http"},
            **{"method": method, "root_path": "", "path": unquote(path), "state": {}},
            **{"raw_path": path.encode(), "query_string": query},
            "headers": [(b"host", b"localhost"), *headers],
        }
        await app(scope, receive, send)
        return int(sent[0]["status"])

    def call(
        method: str = "GET",
        path: str = "/api/v1/tables",
        query: bytes = b"",
        headers: Any = (),
        body: bytes = b"",
        address: str = "192.0.2.1",
    ) -> int:
        return loop.run_until_complete(asking(method, path, query, headers, body, address))

    return call


@pytest.fixture
def ask(start: Start) -> Iterator[Callable[..., int]]:
    loop = asyncio.new_event_loop()
    yield asker(start().client.app, loop)
    loop.close()


HEADER = 30_000
VALUES: dict[str, Callable[[int], bytes]] = {
    "commas": lambda n: b"," * n,
    "words": lambda n: b"a," * (n // 2),
    "semicolons": lambda n: b";" * n,
    "blanks": lambda n: b"a" + b" " * n + b"b",
    "blanks after a semicolon": lambda n: b"a;" + b" " * n,
    "quotes": lambda n: b'"' * n,
    "open quotes": lambda n: b';a="' * (n // 4),
    "quoted backslashes": lambda n: b'croupier="' + b"\\" * n + b'"',
    "octal signs": lambda n: b'croupier="' + b"\\101" * (n // 4) + b'"',
    "digits": lambda n: b"9" * n,
    "parameters": lambda n: b"multipart/form-data" + b"; a=b" * (n // 5),
    "a boundary": lambda n: b"multipart/form-data; boundary=" + b"-" * n,
    "a quality": lambda n: b"text/html;q=0." + b"9" * n,
    "ranges": lambda n: b"bytes=" + b"0-1," * (n // 4),
    "tags": lambda n: b'W/"a",' * (n // 6),
    "not text": lambda n: b"\xff" * n,
}
NAMES = [
    *("cookie", "host", "origin", "content-type", "accept", "accept-encoding", "range"),
    *("if-none-match", "authorization", "idempotency-key", "x-csrf-token", "content-length"),
    *("sec-fetch-site", "x-forwarded-for", "content-encoding"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_header_costs_no_more_than_its_length(ask: Callable[..., int], name: str) -> None:
    known = [(b"cookie", b"croupier=" + TOKEN.encode()), (b"x-csrf-token", csrf_of(TOKEN).encode())]
    for to in (("GET", "/static/js/shared/dom.js"), ("POST", "/api/v1/session")):
        others = [one for one in known if one[0] != name.encode()]
        for value in VALUES.values():

            def send(n: int, value: Any = value, others: Any = others, to: Any = to) -> None:
                assert ask(*to, b"", [*others, (name.encode(), value(n))], b"{}") < 500

            check_linear(send, HEADER)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        *[("/" * 9, ""), ("/a", ""), ("/..", ""), ("/%41", ""), ("/static/a/..", "")],
        *[("", "a&"), ("", "="), ("", "%41"), ("", "of=a&"), ("", "+"), ("", "9")],
    ],
)
def test_an_address_costs_no_more_than_its_length(
    ask: Callable[..., int], path: str, query: str
) -> None:
    def send(n: int) -> int:
        times = n // len(path or query)
        where = "/api/v1/names" if query else path * times
        status = ask("GET", where, (query * times).encode() if query else b"")
        assert 400 <= status < 500
        return status

    check_linear(send, HEADER)


BODY = 150_000
JSON: dict[str, Callable[[int], str]] = {
    "a word": lambda n: '"' + "a" * n + '"',
    "escapes": lambda n: '"' + "\\u0041" * (n // 6) + '"',
    "surrogates": lambda n: '"' + "\\ud83d\\ude00" * (n // 12) + '"',
    "backslashes": lambda n: '"' + "\\\\" * (n // 2) + '"',
    "marks": lambda n: '"a' + "\u0300\u0316" * (n // 4) + '"',
    "one letter that becomes eighteen": lambda n: '"' + "\ufdfa" * (n // 3) + '"',
    "a whole number": lambda n: "9" * n,
    "a fraction": lambda n: "0." + "1" * n,
    "an exponent": lambda n: "1e" + "9" * n,
    "zeros": lambda n: "0." + "0" * n + "1",
    "digits as text": lambda n: '"' + "9" * n + '"',
    "a large exponent as text": lambda n: '"1e' + "9" * n + '"',
    "a ratio": lambda n: '"1/' + "9" * n + '"',
    "numbers": lambda n: "[" + "1," * (n // 2) + "1]",
    "names": lambda n: "{" + ",".join(f'"k{one}":1' for one in range(n // 9)) + "}",
    "a long name": lambda n: '{"' + "a" * n + '":1}',
    "quotes of an error": lambda n: '{"' + "Expected `" * (n // 10) + '":1}',
    "cards": lambda n: '"' + "As" * (n // 2) + '"',
    "halves of cards": lambda n: '"' + "10" * (n // 2) + '"',
    "blanks": lambda n: " " * n + "1",
    "brackets": lambda n: "[" * n,
}


@pytest.mark.parametrize("shape", JSON)
def test_json_costs_no_more_than_its_length(ask: Callable[..., int], shape: str) -> None:
    """As a body, and as the value of a field, an amount, a card, a name."""
    known = [(b"cookie", b"croupier=" + TOKEN.encode()), (b"x-csrf-token", csrf_of(TOKEN).encode())]
    made = JSON[shape]
    for form in ('{"name":%s,"password":"x"}', "%s"):

        def send(n: int, form: str = form) -> int:
            status = ask("POST", "/api/v1/session", b"", known, (form % made(n)).encode())
            assert 400 <= status < 500
            return status

        check_linear(send, BODY)
    for form in (
        '{"type":"buy_in","amount":%s}',
        '{"type":"enter_cards","place":"player","seat":1,"cards":%s}',
        '{"type":"place_wagers","seat":1,"wagers":%s}',
    ):

        def read(n: int, form: str = form) -> None:
            with pytest.raises(CroupierError):
                command_from_json((form % made(n)).encode(), Actor("player", "ann"))

        check_linear(read, BODY)


@pytest.mark.parametrize("text", ["As", "10", "10h ", "1", "tjqka", "A\u2660"])
def test_cards_cost_no_more_than_their_number(text: str) -> None:
    def read(n: int) -> None:
        with pytest.raises(CroupierError):
            cards_in(text * (n // len(text)) + "?")

    check_linear(read, BODY)


FORMS = {
    "multipart/form-data; boundary=b": b"--b\r\n",
    "multipart/form-data; boundary=c": b"--c\r\nContent-Disposition: form-data\r\n\r\nx\r\n",
    "application/x-www-form-urlencoded": b"a=%41&",
    "application/x-msgpack": b"\x91",
}


@pytest.mark.parametrize("kind", FORMS)
def test_no_form_is_read(ask: Callable[..., int], kind: str) -> None:
    """What is not JSON is refused as JSON, and costs no more than its length."""
    known = [(b"cookie", b"croupier=" + TOKEN.encode()), (b"x-csrf-token", csrf_of(TOKEN).encode())]
    headers = [*known, (b"content-type", kind.encode())]

    def send(n: int) -> int:
        body = FORMS[kind] * (n // len(FORMS[kind]))
        status = ask("POST", "/api/v1/session", b"", headers, body)
        assert status == 400
        return status

    check_linear(send, BODY)


TOML: dict[str, Callable[[int], str]] = {
    "a long key": lambda n: "a." * (n // 2) + "a=1",
    "keys": lambda n: "".join(f"k{one}=1\n" for one in range(n // 9)),
    "tables": lambda n: "".join(f"[k{one}]\n" for one in range(n // 8)),
    "one table again and again": lambda n: "[[a]]\n" * (n // 6),
    "a list": lambda n: "a=[" + "1," * (n // 2) + "]",
    "backslashes": lambda n: 'a="' + "\\\\" * (n // 2) + '"',
    "quotes in a text": lambda n: 'a="""' + '""a' * (n // 3) + '"""',
    "an open text": lambda n: 'a="' + "x" * n,
    "a number": lambda n: "a=0x" + "f" * n,
    "words almost too long": lambda n: ("a" * 999 + " ") * (n // 1000),
    "keys almost too long": lambda n: ("a" * 61 + ".") * (n // 62),
    "a moment": lambda n: "a=1979-05-27T07:32:00." + "9" * n,
    "dotted keys": lambda n: "".join(f"a.k{one}=1\n" for one in range(n // 10)),
    "unknown wagers": lambda n: (
        'rulebook = "md-uth"\n[paytables]\n' + "".join(f"zz{one} = 'x'\n" for one in range(n // 12))
    ),
}


@pytest.mark.parametrize("shape", TOML)
def test_a_file_costs_no_more_than_its_length(shape: str) -> None:
    for field in ("toml", "rulebook_text"):

        def check(n: int, field: str = field) -> None:
            text = TOML[shape](n)
            upload = Upload(toml=text) if field == "toml" else Upload(rulebook_text=text)
            assert not check_upload(upload).valid

        check_linear(check, BODY // 2)


@pytest.mark.parametrize("value", ["127.0.0.1,", "10.0.0.1:9,", "[::1]:9,", ",", "a,", "9" * 9])
def test_forwarded_addresses_cost_no_more_than_their_length(value: str) -> None:
    """Uvicorn reads them before us, if a proxy sends them."""

    async def nothing(*_: Any) -> None: ...

    proxied: Any = ProxyHeadersMiddleware(nothing, ["127.0.0.1", "10.0.0.0/8"])

    def send(n: int) -> None:
        text = (value * (n // len(value))).encode()
        scope: Any = {"type": "http", "client": ("127.0.0.1", 1), "scheme": "http"}
        asyncio.run(proxied(scope | {"headers": [(b"x-forwarded-for", text)]}, None, None))

    check_linear(send, HEADER)


@pytest.mark.parametrize("name", ["Connection", "Sec-WebSocket-Extensions", "X"])
@pytest.mark.parametrize("value", [b"a,", b",", b'a="', b"a;b=c,", b" "])
def test_the_opening_of_a_live_connection_costs_no_more_than_its_length(
    name: str, value: bytes
) -> None:
    def send(n: int) -> None:
        more = name.encode() + b": a" + value * (n // len(value)) + b"b\r\n\r\n"
        link = ServerProtocol(max_size=4096)
        link.receive_data(UPGRADE[:-2] + more)
        for request in link.events_received():
            link.accept(request)  # type: ignore[arg-type]

    check_linear(send, 8000)


# -- cookies and addresses -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "croupier={}",
        "theme=dark; croupier={}; other=1",
        "theme=dark;croupier={}",
        'a="; croupier={}',
        "a; b=; =c; croupier={} ",
        "croupier=old; croupier={}",
    ],
)
def test_our_cookie_is_found_among_others(server: Server, header: str) -> None:
    guest = server.guest()
    guest.cookie = header.format(guest.cookie.removeprefix("croupier="))
    assert guest.get("/me")["name"] == guest.name


@pytest.mark.parametrize("value", ['"{}"', "{}x", "x{}", "{}\\", "", "{}=", "a" * 101])
def test_what_cannot_be_our_cookie_is_none(server: Server, value: str) -> None:
    guest = server.guest()
    guest.cookie = "croupier=" + value.format(guest.cookie.removeprefix("croupier="))
    assert guest.get("/me")["name"] == ""


def test_too_many_cookies_are_refused_with_what_to_do(server: Server) -> None:
    guest = server.guest()
    guest.cookie += "; a=" + "x" * (MOST_COOKIES - len(guest.cookie) - 4)
    assert guest.get("/me")["name"] == guest.name
    guest.cookie += "x"
    found = guest.call("GET", "/me")
    assert (found.status, found.body["code"]) == (431, "cookies_too_large")
    assert "delete the cookies of this site" in found.body["message"]
    page = server.client.get("/", headers={"Cookie": guest.cookie, "Accept": "text/html"})
    assert page.status_code == 431
    assert "elete the cookies of this site" in page.text


def test_an_address_that_nobody_needs_is_refused(server: Server) -> None:
    """Litestar remembers a thousand addresses and queries, however long they are."""
    found = server.client.get(f"{API}/tables?q={'a' * MOST_ADDRESS}")
    assert (found.status_code, found.json()["code"]) == (431, "address_too_long")
    assert server.client.get(f"{API}/tables?{'a&' * 100}").status_code == 400
    assert server.client.get(f"{API}/tables?{'a&' * 99}").status_code == 200


def test_a_length_of_many_digits_is_too_large(server: Server) -> None:
    guest = server.guest()
    found = guest.call("POST", "/guests", b"{}", {"Content-Length": "9" * 5000})
    assert (found.status, found.body["code"]) == (403, "too_large")


# -- everything is counted -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("GET", f"{API}/tables", {}),
        ("GET", "/static/js/shared/dom.js", {}),
        ("GET", "/nothing", {}),
        ("GET", "/", {"Host": "[::1"}),
        ("GET", "/", {"Cookie": "x" * 9000}),
        ("POST", f"{API}/guests", {"Origin": "https://elsewhere.example"}),
        ("POST", f"{API}/tables/{UTH}/shoe", {"Authorization": "Bearer guess"}),
    ],
)
def test_a_request_is_counted_before_it_is_read(
    start: Start, monkeypatch: pytest.MonkeyPatch, method: str, path: str, headers: dict[str, str]
) -> None:
    monkeypatch.setattr(load, "HOLD_SECONDS", 0.01)
    client = start(throttles=Throttles(requests=(3, 0.001))).client
    statuses = [client.request(method, path, headers=headers).status_code for _ in range(5)]
    assert 429 not in statuses[:3]
    assert statuses[3:] == [429, 429]


def test_an_ipv6_network_is_counted_as_one_address(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "HOLD_SECONDS", 0.01)
    app, loop = start(throttles=Throttles(requests=(2, 0.001))).client.app, asyncio.new_event_loop()
    ask = asker(app, loop)
    mine = [ask(address=f"2001:db8:1:2::{host}") for host in (1, 2, 3)]
    assert (mine, ask(address="2001:db8:1:3::1")) == ([200, 200, 429], 200)
    loop.close()


def test_live_connections_are_counted_like_requests(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "HOLD_SECONDS", 0.01)
    client = start(throttles=Throttles(requests=(2, 0.001))).client
    path = f"{API}/tables/{UTH}/live"
    for _ in range(2):
        with client.websocket_connect(path) as socket:
            assert socket.receive()["type"] == "websocket.send"
    with pytest.raises(Exception, match="too many requests"), client.websocket_connect(path):
        pass


def test_files_at_once_have_an_end() -> None:
    """Of an address; whoever is signed in has no others."""
    limits = load.Load(Throttles(at_once=1, at_once_address=2))
    with limits.file("1"), limits.file("1"):
        with pytest.raises(CroupierError), limits.file("1"):
            pass
        with limits.file("2"):
            assert limits.in_flight == 3
    limits.late = 4.0
    with pytest.raises(CroupierError), limits.file("1"):
        pass


def test_whoever_asks_too_much_waits_for_the_refusal() -> None:
    """So nobody is refused faster than their connections allow; but not everybody waits."""

    async def crowd() -> float:
        limits = load.Load(Throttles())
        began = time.monotonic()
        waiting = [asyncio.create_task(limits.hold("1")) for _ in range(load.MOST_HELD)]
        await asyncio.sleep(0)
        await limits.hold("1")
        assert time.monotonic() - began < load.HOLD_SECONDS
        await asyncio.gather(*waiting)
        return time.monotonic() - began

    assert asyncio.run(crowd()) >= load.HOLD_SECONDS


# -- on a connection -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def worker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("strangers")
    plenty = (1e6, 1e6)
    limits = Throttles(open_connections=40, queries=plenty, requests=plenty, connections=plenty)
    told = settings(folder / "journal.db", throttles=limits)
    with workers(told, 1, folder) as (one,):
        yield one


def _log(worker: Worker) -> str:
    return Path(worker._log.name).read_text("utf-8")


def _busy(worker: Worker) -> float:
    """Seconds of the processor so far."""
    fields = Path(f"/proc/{worker.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(worker: Worker) -> int:
    """Megabytes."""
    pages = Path(f"/proc/{worker.process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") // 2**20


def _is_well(worker: Worker) -> bool:
    return Client(worker.port).call("GET", "/health").status == 200


def test_a_cookie_of_backslashes_takes_no_time(worker: Worker) -> None:
    before = _busy(worker)
    assert status_of(worker.port, big_cookie(30_000)) == 431
    assert _busy(worker) - before < 0.3


@pytest.mark.parametrize(("count", "status"), [(MOST_HEADERS - 2, 200), (MOST_HEADERS + 1, 431)])
def test_a_request_has_so_many_headers(worker: Worker, count: int, status: int) -> None:
    with RawConnection(worker.port) as link:
        link.send(get(f"{API}/health", *[b"a: b"] * count, b"Connection: close"))
        answer = link.answer()
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:300]
    assert (b"more than 100 headers" in answer) == (status == 431)


def test_bursts_of_tiny_headers_leave_nothing_behind(worker: Worker) -> None:
    """They once kept the server from answering for seconds, and left 170 MB."""
    before, memory = _busy(worker), _memory(worker)
    for _ in range(20):
        with RawConnection(worker.port) as link:
            link.send(MANY_HEADERS * 20)
            link.first(PATIENCE)
    assert _is_well(worker)
    assert _busy(worker) - before < 0.4
    assert _memory(worker) - memory < 10


def test_requests_in_one_burst_are_answered_one_after_the_other(worker: Worker) -> None:
    """In their order, bodies among them, however they are cut on the way."""
    body = b'{"name":"x"}'
    paths = [f"/nothing-{number}" for number in range(20)]
    burst = b"".join(
        head(f"POST {path}", b"Content-Length: %d" % len(body)) + body if number % 3 else get(path)
        for number, path in enumerate(paths)
    )
    for size in (len(burst), 7):
        with RawConnection(worker.port) as link:
            for start in range(0, len(burst), size):
                link.send(burst[start : start + size])
            link.send(get(f"{API}/health", b"Connection: close"))
            answer = link.answer()
        statuses = [part[:3] for part in answer.split(b"HTTP/1.1 ")[1:]]
        assert statuses == [b"403" if n % 3 else b"404" for n in range(20)] + [b"200"]


def test_while_a_request_is_answered_no_more_are_read(worker: Worker) -> None:
    """What is sent behind it waits with its sender; too much of it is not kept."""
    with RawConnection(worker.port) as link:
        link.send(get(f"{API}/health") + get(f"{API}/health", b"X: " + b"x" * 20_000) * 50)
        answer = link.answer(PATIENCE)
    assert b"HTTP/1.1 200 " in answer
    assert answer.count(b"HTTP/1.1 200 ") < 50
    assert b"connection: close" in answer


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (one_byte_chunks(1), 411),
        (head("POST /", b"Upgrade: x", b"Connection: upgrade", b"Content-Length: 1") + b"x", 400),
        (b"\x16\x03\x01\x02", 400),
        (b"get / HTTP/1.1\r\n", 400),
        (b"\r\n\r\n" + get(f"{API}/health", b"Connection: close"), 200),
        (b"GET / HTTP/1.1\nHost: localhost\n\n" + get(f"{API}/health"), 400),
    ],
    ids=["chunks", "upgrade with a body", "TLS", "lower case", "empty lines", "bare newlines"],
)
def test_how_a_request_may_begin(worker: Worker, request_: bytes, status: int) -> None:
    assert status_of(worker.port, request_) == status


def test_a_body_that_nobody_wants_is_not_read_for_ever(worker: Worker) -> None:
    """It was refused for its length; a little more is read, so that its sender learns why."""
    with RawConnection(worker.port) as link:
        link.send(head("POST /api/v1/guests", b"Content-Length: 99999999"))
        assert link.is_ended(PATIENCE / 4)


def test_whoever_hangs_up_writes_no_log(worker: Worker) -> None:
    """A hundred requests behind one another, each once wrote a traceback to nobody."""
    before, size = _busy(worker), len(_log(worker))
    for path in ("/static/js/shared/dom.js", "/static/css/felt.css", "/", f"{API}/tables"):
        for patience in (0.0, 0.005, 0.02) * 4:
            link = RawConnection(worker.port)
            link.send(get(path) * 100)
            time.sleep(patience)
            link.hang_up()
    assert _is_well(worker)
    assert _log(worker)[size:] == ""
    assert _busy(worker) - before < 3, "nobody is answered who has gone"


@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_writes_a_log_or_leaves_memory(worker: Worker, name: str) -> None:
    size, memory = len(_log(worker)), [_memory(worker)]
    for _ in range(2):
        for _ in range(5):
            with RawConnection(worker.port) as link:
                ATTACKS[name](link)
        assert _is_well(worker)
        memory.append(_memory(worker))
    assert _log(worker)[size:] == ""
    # The heap may grow once, by less than the 107 MB that a burst of headers left behind.
    assert (memory[1] - memory[0] < 60, memory[2] - memory[1] < 20) == (True, True), memory


@pytest.mark.parametrize("pings", [False, True], ids=["full", "no answer to pings"])
def test_a_live_connection_that_reads_nothing_ends(
    monkeypatch: pytest.MonkeyPatch, pings: bool
) -> None:
    """It stayed for ever, with what lay unread: a close waits for its reader."""
    monkeypatch.setattr(protocols, "UNREAD_SECONDS", 60.0 if pings else 0.2)
    monkeypatch.setattr(protocols, "CLOSING_SECONDS", 0.2)

    async def flood(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        for _tries in range(400):
            await send({"type": "websocket.send", "text": "x" * 30_000})

    async def ends() -> bool:
        given: dict[str, Any] = {"ws_ping_interval": 0.2, "ws_ping_timeout": 0.2} if pings else {}
        config = uvicorn.Config(flood, ws=LiveProtocol, log_config=None, lifespan="off", **given)
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: LiveProtocol(config, state, {}), "127.0.0.1", 0
        )
        async with server:
            with RawConnection(server.sockets[0].getsockname()[1]) as link:
                link.send(UPGRADE)
                for tries in range(int(PATIENCE * 2)):
                    await asyncio.sleep(0.1)
                    if tries > 10 and not state.connections:
                        return True
        return False

    assert asyncio.run(ends())


def test_bodies_of_many_lists_are_refused(worker: Worker) -> None:
    assert status_of(worker.port, lists(70_000), PATIENCE) == 403
    assert status_of(worker.port, lists(60_000), PATIENCE) == 400


# -- the log ---------------------------------------------------------------------------------------


def _record(message: str, level: int = logging.ERROR) -> logging.LogRecord:
    return logging.LogRecord("croupier.web", level, "", 1, message, (), None)


def test_the_same_error_is_not_written_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    repeats, now = Repeats(), time.monotonic()
    monkeypatch.setattr("croupier.web.server.logs.time.monotonic", lambda: now)
    written = [repeats.filter(_record("a request failed")) for _ in range(MOST_REPEATED + 5)]
    assert written == [True] * MOST_REPEATED + [False] * 5
    assert repeats.filter(_record("another"))
    assert all(repeats.filter(_record("signed in", logging.INFO)) for _ in range(100))
    now += 61
    last = _record("a request failed")
    assert repeats.filter(last)
    assert last.getMessage() == "a request failed (5 more like it)"
