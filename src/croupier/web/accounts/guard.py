"""Checks before every request: session, origin, CSRF token, rate limits; and security headers."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, TypeAlias

from anyio import to_thread
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from croupier.errors import BadRequest, CroupierError, Refusal
from croupier.web.accounts.guest_limits import GuestLimits
from croupier.web.accounts.people import People, Person, csrf_of
from croupier.web.accounts.trial import check_trial_request
from croupier.web.server.load import Load, network_of
from croupier.web.server.memo import Memo
from croupier.web.server.pools import pause
from croupier.web.server.problems import (
    MEDIA_TYPE,
    Denied,
    HeadTooLarge,
    NotThere,
    Problem,
    TooMany,
    problem_of,
    retry_after,
    wants_page,
)
from croupier.web.server.settings import Settings, Throttles
from croupier.web.server.static_files import is_static, unless_kept

COOKIE: Final = "croupier"
SAFE: Final = ("GET", "HEAD", "OPTIONS")
REMEMBER_SECONDS: Final = 5.0
MOST_REMEMBERED: Final = 20_000
MOST_BODY: Final = 192 * 1024
"""Bytes. The largest bundled rulebook has 43 thousand, and an operator's own is sent as JSON."""
MOST_COOKIES: Final = 4096
"""Bytes. Our cookie has 52; the others belong to other programs under the same host name."""
MOST_ADDRESS: Final = 4096
MOST_PARAMETERS: Final = 100
"""Bytes of a path with its query, and parameters of the query. Litestar caches a thousand of
each."""
MOST_NAME: Final = 255
"""Bytes of one part of a path: file systems allow no longer names."""
DEVICES: Final = "/shoe"
"""The end of the only path that a device may call with its own token."""
WATCHING: Final = "/api/v1/me/watching"
"""Called by an open board every minute. It does not count as activity."""
_BOARD: Final = re.compile(r"/api/v1/(floor|tables/[^/]+)")
"""What a board reads. A session that only watches gets nothing else without a new sign-in."""

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

_WRITTEN: Final = tuple(
    (name.lower().encode(), value.encode())
    for name, value in {**HEADERS, "Cache-Control": "no-store"}.items()
)
_HTTPS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000")
_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255})(?::[0-9]{1,5})?")
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,100}")


class Visit:
    """The sender of a request. `token` is the session cookie's, or empty; `bearer` is the token of
    a device."""

    def __init__(self, token: str, person: Person | None, address: str, bearer: str = "") -> None:
        self.token = token
        self.bearer = bearer
        self.person = person
        self.address = address
        self.network = network_of(address)
        """The network under which the address is counted."""
        self.ended = ""
        """The reason why this cookie's session has ended."""

    @property
    def csrf(self) -> str:
        return csrf_of(self.token) if self.token else ""

    @property
    def key(self) -> str:
        """The key for rate limits: the device, the person if the session exists, else the address.
        An invented cookie therefore counts for its address."""
        if self.bearer:
            return f"device {self.bearer}"
        return f"address {self.network}" if self.person is None else f"person {self.person.name}"

    @property
    def source(self) -> str:
        """The key for limits per address: the address, or the person if they are a guest of a
        class, whose members share one address."""
        return self.network if self.person is None else self.person.source(self.network)

    def signed_in(self) -> Person:
        if self.person is None:
            words = self.ended or "sign in or come in as a guest first"
            raise Denied(words, code="signed_out")
        return self.person

    def working(self, doing: str, *roles: str) -> Person:
        """Return the person if they have one of these roles; otherwise refuse `doing`."""
        person = self.signed_in()
        if person.role not in roles:
            takes = " or ".join(f"an {role}" if role[0] in "ao" else f"a {role}" for role in roles)
            raise Refusal(
                f"you are signed in as {person.role} and may not {doing}: that takes {takes}",
                code="wrong_role",
            )
        return person


def visit_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Visit:
    visit = connection.scope["state"]["visit"]
    assert isinstance(visit, Visit)
    return visit


class Sessions:
    """The database's sessions, cached for a few seconds, so that signing out elsewhere takes effect
    soon enough."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._known: Memo[str, tuple[float, Person | None]] = Memo(MOST_REMEMBERED)
        self._asked: dict[str, asyncio.Future[Person | None]] = {}
        self._asking: asyncio.Task[None] | None = None
        self._active: set[str] = set()
        self._ended: dict[str, asyncio.Event] = {}

    def knows(self, token: str) -> bool:
        """Return whether the cache has a person for this token, so that the database need not be
        asked."""
        known = self._known.get(token)
        return known is not None and known[1] is not None and known[0] > time.monotonic()

    async def changed(self, name: str, seconds: float | None) -> None:
        """Wait until a session of this person has ended, at most `seconds`."""
        await pause(self._ended.setdefault(name, asyncio.Event()), seconds)

    async def find(self, token: str, *, active: bool = False) -> Person | None:
        """Return the person of this session. `active` means that they are doing something and not
        idle."""
        if active:
            self._active.add(token)
        known = self._known.get(token)
        if known is not None and known[0] > time.monotonic():
            return known[1]
        future = self._asked.get(token)
        if future is None:
            future = self._asked[token] = asyncio.get_running_loop().create_future()
            if self._asking is None or self._asking.done():
                self._asking = asyncio.create_task(self._ask())
        return await future

    async def _ask(self) -> None:
        """Look up all waiting tokens in one query; requests that arrive meanwhile wait for the next
        query."""
        while self._asked:
            waiting, self._asked = self._asked, {}
            active = self._active & waiting.keys()
            self._active -= active
            if len(self._active) > MOST_REMEMBERED:
                self._active.clear()
            try:
                people = await to_thread.run_sync(self._people.find_sessions, list(waiting), active)
            except Exception as error:
                for future in waiting.values():
                    if not future.done():
                        future.set_exception(error)
                continue
            until = time.monotonic() + REMEMBER_SECONDS
            for token, future in waiting.items():
                person = people.get(token)
                self._known[token] = until, person
                if not future.done():
                    future.set_result(person)

    def forget(self, token: str) -> None:
        self._known.pop(token, None)

    def forget_person(self, name: str) -> None:
        """Drop the person's sessions from the cache and wake everybody who waits in `changed`,
        because one or all of them have ended."""
        event = self._ended.pop(name, None)
        if event is not None:
            event.set()
        for token, (_, person) in list(self._known.items()):
            if person is not None and person.name == name:
                del self._known[token]


TheSessions: TypeAlias = NamedDependency[Sessions]


class Buckets:
    """Token bucket per key."""

    def __init__(self, throttles: Throttles | None) -> None:
        self._throttles = throttles
        self._left: Memo[tuple[str, str], tuple[float, float]] = Memo(MOST_REMEMBERED)

    def take(self, bucket: str, key: str) -> None:
        if self._throttles is None:
            return
        burst, rate = getattr(self._throttles, bucket)
        now = time.monotonic()
        left, at = self._left.get((bucket, key), (burst, now))
        left = min(burst, left + (now - at) * rate)
        if left < 1:
            seconds = (1 - left) / rate
            raise TooMany(f"too many requests: try again in {seconds:.0f} seconds", seconds)
        self._left[bucket, key] = left - 1, now

    def give_back(self, bucket: str, key: str) -> None:
        """Return a token to the bucket, because the request does not count after all."""
        left = self._left.get((bucket, key))
        if left is not None:
            self._left[bucket, key] = left[0] + 1, left[1]


TheBuckets: TypeAlias = NamedDependency[Buckets]


class Guard:
    """Wraps the whole application: every request passes these checks before it reaches a
    handler."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        sessions: Sessions,
        buckets: Buckets,
        load: Load,
        guests: GuestLimits,
        settings: Settings,
        answered: Callable[[int, float], None],
        page_of: Callable[[Problem], str],
    ):
        """`page_of` makes the page that shows a refusal to a person in a browser."""
        self.app = app
        self._sessions = sessions
        self._buckets = buckets
        self._load = load
        self._guests = guests
        self._settings = settings
        self._answered = answered
        self._page_of = page_of

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):
            await self.app(scope, receive, send)
            return
        is_http = scope["type"] == ScopeType.HTTP
        answer = _Answer(send, self._answered, scope["scheme"]) if is_http else None
        sending: Send = send if answer is None else answer
        client = scope.get("client")
        address = client[0][:MOST_NAME] if client else "local"
        try:
            self._buckets.take("requests", network_of(address))
        except TooMany as error:  # before any part of the request is read
            await self._load.hold(network_of(address))
            if is_http:
                await _refuse(error, sending, None)
            else:
                await _turn_away(error, receive, send)
            return
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            visit = await self._admit(scope, headers, address, is_http=is_http)
            with self._at_once(scope["path"], visit, is_http=is_http):
                scope.setdefault("state", {})["visit"] = visit
                inner = sending
                if answer is not None:
                    answer.is_admitted = True
                    if is_static(scope["path"]):
                        inner = unless_kept(sending, headers.get(b"if-none-match", ""))
                await self.app(scope, receive, inner)
        except CroupierError as error:
            if answer is not None:
                answer.is_admitted = False
            if not is_http:
                await _turn_away(error, receive, send)
                return
            page_of = self._page_of if _wants_page(scope, headers) else None
            await _refuse(error, sending, page_of)

    def _at_once(self, path: str, visit: Visit, *, is_http: bool) -> AbstractContextManager[None]:
        if not is_http:
            return self._load.live(visit.source)
        if is_static(path):
            return self._load.file(visit.network)
        return self._load.request(visit.key, visit.source, stranger=visit.person is None)

    async def _admit(
        self, scope: Scope, headers: dict[bytes, str], address: str, *, is_http: bool
    ) -> Visit:
        self._check_host(headers)
        _check_address(scope)
        unsafe = not is_http or scope.get("method") not in SAFE
        if unsafe:
            self._check_origin(scope, headers)
        token = _cookie(scope)
        path = scope["path"]
        bearer = _bearer(headers.get(b"authorization", "")) if path.endswith(DEVICES) else ""
        if bearer and not token:
            self._buckets.take(
                "queries", network_of(address)
            )  # a guessed token has no bucket of its own
            self._buckets.take("commands", bearer)
            _check_length(headers.get(b"content-length", "0"))
            return Visit("", None, address, bearer)
        visit = Visit(token, None, address)
        if not is_static(path):
            visit.person = await self._person(token, address, active=_is_doing(path, unsafe))
            self._throttle(path, visit, unsafe=unsafe, is_http=is_http)
            self._end_quiet(visit, is_board=is_http and _is_board(path, unsafe))
        check_trial_request(visit.person, path, unsafe=unsafe and is_http)
        if unsafe and is_http:
            _check_token(headers.get(b"x-csrf-token", ""), token)
            _check_length(headers.get(b"content-length", "0"))
            if not path.endswith("/session"):  # anybody can sign out
                self._guests.take_room(visit.person, address)
        return visit

    async def _person(self, token: str, address: str, *, active: bool) -> Person | None:
        if not token:
            return None
        if not self._sessions.knows(token):
            self._buckets.take("lookups", network_of(address))  # before the database is asked
        return await self._sessions.find(token, active=active)

    def _end_quiet(self, visit: Visit, *, is_board: bool) -> None:
        """Sign out a person whose session is over or was inactive for too long. An open board goes
        on showing the floor, but cannot change anything."""
        person = visit.person
        if person is None or not person.quiet or (is_board and person.quiet == "watching"):
            return
        visit.person = None
        visit.ended = self._settings.words_of_end(over=person.quiet == "over")

    def _throttle(self, path: str, visit: Visit, *, unsafe: bool, is_http: bool) -> None:
        if not is_http:
            self._buckets.take("connections", visit.source)
        elif not unsafe:
            self._buckets.take("queries", visit.key)
        elif path.endswith("/session"):
            self._buckets.take("sign_ins", visit.network)
        elif path.endswith("/guests"):
            self._buckets.take("guests", visit.network)
        else:
            self._buckets.take("commands", visit.key)

    def _check_host(self, headers: dict[bytes, str]) -> None:
        """Refuse host names that are not in `Settings.hosts`, if any are: a page elsewhere must not
        reach us under a name of its own (DNS rebinding)."""
        said = headers.get(b"host", "")
        match = _HOST.fullmatch(said)
        if match is None and said:
            raise BadRequest("the header Host is no host name")
        host = match[1].strip("[]").lower() if match is not None else ""
        if self._settings.hosts and host not in self._settings.hosts:
            raise Denied("this server does not go by that name", code="unknown_host")

    def _check_origin(self, scope: Scope, headers: dict[bytes, str]) -> None:
        """Refuse changes and live connections that do not come from our own pages."""
        origin = headers.get(b"origin")
        site = headers.get(b"sec-fetch-site", "same-origin")
        if origin is None and site in ("same-origin", "none"):
            return
        secure = scope["scheme"] in ("https", "wss")
        own = f"{'https' if secure else 'http'}://{headers.get(b'host', '')}"
        if origin != own and origin not in self._settings.origins:
            raise Denied("this request comes from another site", code="foreign_origin")


def _is_doing(path: str, unsafe: bool) -> bool:
    """Return whether the request counts as activity, unlike those that open pages send by
    themselves."""
    if path == WATCHING:
        return False
    return unsafe or not path.startswith("/api/") or path.startswith("/api/v1/audit")


def _is_board(path: str, unsafe: bool) -> bool:
    return path == WATCHING or (not unsafe and _BOARD.fullmatch(path) is not None)


def _check_address(scope: Scope) -> None:
    """Refuse an address that is too long, has too many parameters or has a NUL character, which no
    file, name or database accepts."""
    query = scope["query_string"]
    if len(scope["path"]) + len(query) > MOST_ADDRESS:
        raise HeadTooLarge(
            f"this address is longer than {MOST_ADDRESS} characters: shorten it",
            code="address_too_long",
        )
    if query.count(b"&") >= MOST_PARAMETERS:
        raise BadRequest(f"an address has at most {MOST_PARAMETERS} parameters: ask for less")
    if "\0" in scope["path"] or b"%00" in query or b"\0" in query:
        raise BadRequest("an address has no NUL character")
    if any(len(part.encode("utf-8", "replace")) > MOST_NAME for part in scope["path"].split("/")):
        raise NotThere(f"there is nothing at an address with a part of more than {MOST_NAME} bytes")


def _bearer(header: str) -> str:
    """Return the bearer token, or nothing if there is none. Pages of other sites cannot send one,
    so no CSRF token is needed with it."""
    scheme, _, token = header.partition(" ")
    return token if scheme.lower() == "bearer" and 0 < len(token) <= 100 and token.isascii() else ""


def _check_token(said: str, token: str) -> None:
    from hmac import compare_digest

    if not token or not compare_digest(said.encode(), csrf_of(token).encode()):
        raise Denied(
            "the header X-CSRF-Token is missing or old: GET /api/v1/me gives the right one",
            code="bad_csrf_token",
        )


def _check_length(length: str) -> None:
    if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BODY:
        raise Denied(f"a request has at most {MOST_BODY} bytes", code="too_large")


def _cookie(scope: Scope) -> str:
    """Return the value of our cookie, or nothing if it cannot be ours."""
    cookies = [value for name, value in scope["headers"] if name == b"cookie"]
    if sum(map(len, cookies)) > MOST_COOKIES:
        raise HeadTooLarge(
            f"the cookies that your browser sends here are longer than {MOST_COOKIES} bytes: "
            "delete the cookies of this site, and sign in again"
        )
    token = ""
    for pair in b";".join(cookies).decode("latin-1").split(";"):
        name, _, value = pair.partition("=")
        if name.strip() == COOKIE:
            token = value.strip()
    return token if _TOKEN.fullmatch(token) else ""


class _Answer:
    """Counts an answer and completes its headers as it is sent."""

    __slots__ = ("_answered", "_began", "_send", "is_admitted", "scheme")

    def __init__(self, send: Send, answered: Callable[[int, float], None], scheme: str) -> None:
        self._send = send
        self._answered = answered
        self._began = time.monotonic()
        self.scheme = scheme
        self.is_admitted = False
        """False for refusals by the guard, which have written their headers themselves."""

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._answered(message["status"], time.monotonic() - self._began)
            if self.is_admitted:
                headers = message["headers"] = list(message["headers"])
                there = {name.lower() for name, _ in headers}
                headers += [header for header in _WRITTEN if header[0] not in there]
                if self.scheme == "https":
                    headers.append(_HTTPS_ONLY)
        await self._send(message)


def _wants_page(scope: Scope, headers: dict[bytes, str]) -> bool:
    return wants_page(scope["path"], headers.get(b"accept", ""))


async def _refuse(
    error: CroupierError, send: Send, page_of: Callable[[Problem], str] | None
) -> None:
    import msgspec

    problem = problem_of(error)
    body = page_of(problem).encode() if page_of is not None else msgspec.json.encode(problem)
    media_type = b"text/html; charset=utf-8" if page_of is not None else MEDIA_TYPE.encode()
    headers = [
        (b"content-type", media_type),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    headers += [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
    retry = retry_after(error)
    headers += [(name.lower().encode(), value.encode()) for name, value in retry.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _turn_away(error: CroupierError, receive: Receive, send: Send) -> None:
    """Close a connection before it is accepted. No frame can be sent yet, so the close has the
    reason."""
    await receive()
    await send({"type": "websocket.close", "code": 4403, "reason": error.message[:120]})
