"""What strangers were seen to flood a server with. Each attack is one attempt on one connection;
tests look at what one costs, `benchmarks.attacks` repeats it while others play."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any, Final, TypeAlias

from croupier.rulebooks.bundled import read_bundled
from croupier.web.accounts.people import csrf_of
from croupier.web.tables.demo import submission_for
from tests.attacks.raw import UPGRADE, RawConnection

__all__ = [
    "ATTACKS",
    "MANY_HEADERS",
    "Attack",
    "big_cookie",
    "get",
    "head",
    "lists",
    "one_byte_chunks",
]

Attack: TypeAlias = Callable[[RawConnection], object]
SECONDS: Final = 2.0
"""An attacker waits for an answer no longer."""
_numbers = count()


def head(line: str, *headers: bytes) -> bytes:
    return b"\r\n".join([f"{line} HTTP/1.1".encode(), b"Host: localhost", *headers, b"", b""])


def get(path: str, *headers: bytes) -> bytes:
    return head(f"GET {path}", *headers)


MANY_HEADERS: Final = get("/api/v1/me", *[b"a:"] * 4900)


def big_cookie(size: int) -> bytes:
    """Quoted backslashes: http.cookies reads what follows each of them to its end."""
    return get("/api/v1/me", b'Cookie: croupier="%b"' % (b"\\" * size), b"Connection: close")


def one_byte_chunks(size: int) -> bytes:
    request = head("POST /api/v1/me", b"Transfer-Encoding: chunked")
    return request + b"1\r\na\r\n" * size + b"0\r\n\r\n"


def lists(size: int) -> bytes:
    """JSON that is small on the wire and large in memory, with a cookie and token that fit."""
    token, body = f"made-up-{next(_numbers)}", b"[" + b"[]," * size + b"1]"
    return (
        head(
            "POST /api/v1/guests",
            f"Cookie: croupier={token}".encode(),
            f"X-CSRF-Token: {csrf_of(token)}".encode(),
            b"Content-Type: application/json",
            b"Content-Length: %d" % len(body),
        )
        + body
    )


# -- as a guest ------------------------------------------------------------------------------------

_guests = threading.local()
"""Each attacker comes in once to each server: the cookies, by role and port."""


def _ask_as_guest(link: RawConnection, role: str, path: str, body: Any) -> None:
    """One request of somebody who came in without an account, in this job."""
    known, place = _guests.__dict__, f"{role} {link.port}"
    if place not in known:
        token = ""
        for line, sent in (("GET /api/v1/me", None), ("POST /api/v1/guests", {"role": role})):
            with RawConnection(link.port, link.source) as door:
                door.send(_signed(line, token, sent))
                found = re.search(rb"(?i)set-cookie: croupier=([\w-]+)", door.first(5 * SECONDS))
            token = found[1].decode() if found is not None else ""
        if not token:
            return  # the address has its guests: the next attempt tries again
        known[place] = token
    link.send(_signed(f"POST {path}", known[place], body))
    link.first(SECONDS)


def _signed(line: str, token: str, body: Any) -> bytes:
    sent = b"" if body is None else json.dumps(body).encode()
    headers = [f"Idempotency-Key: flood-{next(_numbers)}".encode()]
    if token:
        headers += [f"Cookie: croupier={token}".encode(), b"X-CSRF-Token: " + _csrf(token)]
    if sent:
        headers += [b"Content-Type: application/json", b"Content-Length: %d" % len(sent)]
    return head(line, *headers) + sent


def _csrf(token: str) -> bytes:
    return csrf_of(token).encode()


# -- attempts --------------------------------------------------------------------------------------


def quoted_cookie(link: RawConnection) -> None:
    link.send(big_cookie(30_000))
    link.first(SECONDS)


def many_headers(link: RawConnection) -> None:
    link.send(MANY_HEADERS * 20)
    link.first(SECONDS)


def pipelined(link: RawConnection) -> None:
    link.send(get("/api/v1/me") * 200)
    link.first(SECONDS)


def static_files(link: RawConnection) -> None:
    link.send(get("/static/js/shared/dom.js") * 50)
    for _ in range(50):
        if not link.first(SECONDS):
            return


def hung_up(link: RawConnection) -> None:
    link.send(get("/static/js/shared/dom.js") * 100)
    link.first(SECONDS)
    link.hang_up()


def tiny_chunks(link: RawConnection) -> None:
    link.send(one_byte_chunks(20_000))
    link.first(SECONDS)


def live_frames(link: RawConnection) -> None:
    """A live connection that sends nothing but empty pongs."""
    link.send(UPGRADE)
    link.first(SECONDS)
    link.send(b"\x8a\x80\0\0\0\0" * 8000)


def long_addresses(link: RawConnection) -> None:
    """Each another one, so that nothing that is remembered helps."""
    link.send(get(f"/api/v1/tables?{next(_numbers)}{'&a' * 12_000}"))
    link.first(SECONDS)


def large_bodies(link: RawConnection) -> None:
    link.send(lists(60_000))
    link.first(SECONDS)


def plain_requests(link: RawConnection) -> None:
    for _ in range(20):
        link.send(get("/api/v1/tables"))
        if not link.first(SECONDS):
            return


def opened_connections(link: RawConnection) -> None:
    with suppress(OSError):
        link.hang_up()


def own_rulebooks(link: RawConnection) -> None:
    """A rehearsal table closes, and opens with 100 KB that nobody has sent before."""
    number = next(_numbers)
    name = f"rehearsal-{threading.get_ident() % 1000}"
    text = read_bundled("caribbean-stud", "game.toml").replace("caribbean-stud", "mine")
    told = {
        **{"type": "open_table", "table": name, "rulebook": "mine", "source": "live"},
        "rulebook_text": f"{text}\n# {number} {'x' * (100_000 - len(text))}",
        "submission": submission_for("caribbean-stud"),
    }
    for asked in ({"type": "close_table"}, told):
        _ask_as_guest(link, "operator", f"/api/v1/tables/{name}/commands", asked)


def designers_questions(link: RawConnection) -> None:
    """Each another one."""
    pays = {"flush": str(next(_numbers) % 500 + 1), "straight": str(next(_numbers) % 90 + 1)}
    asked = {"family": "trips", "table": "A", "pays": pays}
    _ask_as_guest(link, "player", "/api/v1/designs/md-uth/price", asked)


ATTACKS: Final[dict[str, Attack]] = {
    "a cookie of 30 KB of quoted backslashes": quoted_cookie,
    "4,900 tiny headers, twenty times in one burst": many_headers,
    "200 requests in one burst": pipelined,
    "static files in bursts of 50": static_files,
    "a hundred files asked for, then a hang-up": hung_up,
    "a body of 20,000 tiny chunks": tiny_chunks,
    "live connections full of tiny frames": live_frames,
    "addresses with 12,000 parameters": long_addresses,
    "bodies of 60,000 empty lists": large_bodies,
    "plain requests, twenty a connection": plain_requests,
    "connections that are opened and cut": opened_connections,
    "guests who open tables with rulebooks of 100 KB": own_rulebooks,
    "guests who ask the designer, one question after another": designers_questions,
}
"""By what a reader of the figures sees. Another attack is a function above and a line here."""
