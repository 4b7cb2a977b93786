"""Who am I, guests, signing in and out, one's own password."""

from __future__ import annotations

import logging
from typing import Annotated

import msgspec
from litestar import Controller, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta
from msgspec.structs import replace

from croupier.errors import CroupierError, Refusal
from croupier.ledger.records.people_accounts import ByWhom
from croupier.web.forms import GuestForm, PersonForm
from croupier.web.guard import COOKIE, Sessions, visit_of
from croupier.web.logs import told
from croupier.web.people import REMEMBERED_HOURS, Person, csrf_of, fresh_token
from croupier.web.pit import Pit
from croupier.web.problems import Denied
from croupier.web.routes.dependencies import AnyRequest, TheBuckets, ThePit, TheSessions
from croupier.web.routes.problem_responses import PROBLEMS
from croupier.web.routes.together import qr_code
from croupier.web.totp import authenticator_uri

__all__ = ["SignIn"]

_log = logging.getLogger("croupier.web")


class SignInForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    password: Annotated[str, Meta(min_length=1, max_length=200)]
    code: Annotated[str, Meta(max_length=10)] = ""
    """The six digits of an authenticator, where one is set up."""


class EnrolForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    password: Annotated[str, Meta(min_length=1, max_length=200)]


class AuthenticatorForm(msgspec.Struct, frozen=True):
    """`secret` goes into an authenticator; on a telephone `uri` opens it. `qr` is the same as an
    SVG to scan."""

    secret: str
    uri: str
    qr: str


class OwnPasswordForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    old: Annotated[str, Meta(min_length=1, max_length=200)]
    new: Annotated[str, Meta(min_length=1, max_length=200)]


class WatchingForm(msgspec.Struct, frozen=True):
    """`looks_only`: nothing was done for so long that a command takes a new sign-in."""

    looks_only: bool
    words: str


class ClassEntry(GuestForm, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`code`: what the teacher has written on the board; blanks and hyphens make no difference."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class SignIn(Controller):
    path = "/api/v1"
    tags = ("people",)

    @get("/me", summary="Who am I?", responses=PROBLEMS)
    async def me(self, request: AnyRequest, pit: ThePit) -> Response[PersonForm]:
        """Begin here: it sets the cookie and gives the token that every change needs."""
        visit = visit_of(request)
        token = visit.token or fresh_token()
        return _known(
            request, pit, token, visit.person, set_cookie=not visit.token, ended=visit.ended
        )

    @post("/me/watching", status_code=200, summary="A board is looked at", responses=PROBLEMS)
    async def watching(self, request: AnyRequest, pit: ThePit) -> WatchingForm:
        """Sent every minute by a board of the floor that can be seen. It goes on showing the tables
        when nobody has done anything for long; a command then takes a new sign-in."""
        visit = visit_of(request)
        person = visit.signed_in()
        await pit.blocking(lambda: pit.people.watch(visit.token))
        looks_only = person.quiet == "watching"
        words = pit.settings.words_of_end(over=False) if looks_only else ""
        return WatchingForm(looks_only, words)

    @post("/me/password", status_code=200, summary="Change my password", responses=PROBLEMS)
    async def change_password(
        self,
        request: AnyRequest,
        data: JSONBody[OwnPasswordForm],
        pit: ThePit,
        sessions: TheSessions,
    ) -> Response[PersonForm]:
        """It takes the old one. All other devices are signed out; this one goes on."""
        visit, person = visit_of(request), _with_account(request)
        change, told_all = pit.people.change_own_password, (person.name, data.old, data.new)
        await pit.signing_in(lambda: change(*told_all, visit.address))
        _log.info("password changed", extra=told(person=person.name, address=visit.address))
        sessions.forget_person(person.name)
        return await _welcome(request, pit, sessions, person, status=200)

    @post("/guests", status_code=201, summary="Come in as a guest", responses=PROBLEMS)
    async def come_in(
        self,
        request: AnyRequest,
        pit: ThePit,
        sessions: TheSessions,
        data: JSONBody[GuestForm | None] = None,
    ) -> Response[PersonForm]:
        """In demo mode: a player with play chips and no account, or somebody who tries another job
        at rehearsal tables."""
        visit = visit_of(request)
        if not pit.settings.demo:
            raise Refusal("this server has no guests: sign in", code="no_guests")
        if visit.person is not None:
            raise Refusal(f"you are signed in as {visit.person.name}", code="already_done")
        role = data.role if data is not None else "player"
        person = await pit.signing_in(lambda: pit.people.add_guest(role))
        return await _welcome(request, pit, sessions, person)

    @post("/class", status_code=201, summary="Come in with a class code", responses=PROBLEMS)
    async def join_class(
        self,
        request: AnyRequest,
        data: JSONBody[ClassEntry],
        pit: ThePit,
        sessions: TheSessions,
        buckets: TheBuckets,
    ) -> Response[PersonForm]:
        """As a guest whose limits are their own and not those of the class's address; or, for a
        guest who is there, from now on. Wrong codes are counted."""
        visit = visit_of(request)
        if not pit.settings.demo:
            raise Refusal("this server has no guests: sign in", code="no_guests")
        if visit.person is not None and not visit.person.guest:
            raise Refusal(f"you are signed in as {visit.person.name}", code="already_done")
        counted = "class_guesses", visit.network
        buckets.take(*counted)
        try:
            person = await pit.signing_in(lambda: _classmate(pit, data, visit.person))
        except CroupierError as refusal:
            if refusal.code != "wrong_class_code":
                buckets.give_back(*counted)
            raise
        buckets.give_back(*counted)
        if visit.person is None:
            return await _welcome(request, pit, sessions, person)
        sessions.forget(visit.token)  # the next request finds the class
        return _known(request, pit, visit.token, person, set_cookie=False, status=201)

    @post("/session", status_code=201, summary="Sign in", responses=PROBLEMS)
    async def sign_in(
        self, request: AnyRequest, data: JSONBody[SignInForm], pit: ThePit, sessions: TheSessions
    ) -> Response[PersonForm]:
        visit = visit_of(request)
        sign_in, given = pit.people.sign_in, (data.name, data.password, data.code)
        try:
            person = await pit.signing_in(lambda: sign_in(*given, visit.address))
        except CroupierError as refusal:
            _log.info("sign-in refused", extra=told(code=refusal.code, address=visit.address))
            raise
        _log.info("signed in", extra=told(person=person.name, address=visit.address))
        return await _welcome(request, pit, sessions, person)

    @post(
        "/session/second-factor",
        status_code=201,
        summary="Set up an authenticator",
        responses=PROBLEMS,
    )
    async def enrol(
        self, request: AnyRequest, data: JSONBody[EnrolForm], pit: ThePit
    ) -> AuthenticatorForm:
        """It counts from the first sign-in with one of its codes on."""
        address, enrol = visit_of(request).address, pit.people.enrol
        secret = await pit.signing_in(lambda: enrol(data.name, data.password, address))
        uri = authenticator_uri(secret, data.name)
        return AuthenticatorForm(secret, uri, qr_code(uri).decode())

    @delete("/session", status_code=200, summary="Sign out", responses=PROBLEMS)
    async def sign_out(
        self, request: AnyRequest, pit: ThePit, sessions: TheSessions
    ) -> Response[PersonForm]:
        visit = visit_of(request)
        name = visit.person.name if visit.person is not None else ""
        await pit.blocking(lambda: pit.people.close_session(visit.token, name))
        sessions.forget(visit.token)
        sessions.forget_person(name)
        return _known(request, pit, fresh_token(), None, set_cookie=True)

    @delete("/sessions", status_code=200, summary="Sign out on all devices", responses=PROBLEMS)
    async def sign_out_everywhere(
        self, request: AnyRequest, pit: ThePit, sessions: TheSessions
    ) -> Response[PersonForm]:
        """This one, and every other session of the same name."""
        person = _with_account(request)
        by = ByWhom(person.role, person.name)
        await pit.blocking(lambda: pit.people.end_sessions(person.name, by))
        _log.info("signed out everywhere", extra=told(person=person.name))
        sessions.forget_person(person.name)
        return _known(request, pit, fresh_token(), None, set_cookie=True)


def _with_account(request: AnyRequest) -> Person:
    person = visit_of(request).signed_in()
    if person.guest:
        raise Denied("a guest has no account and no password", code="not_yours")
    return person


def _classmate(pit: Pit, entry: ClassEntry, guest: Person | None) -> Person:
    """Blocking: for a thread."""
    codes = pit.people.class_codes
    if guest is None:
        codes.check(entry.code)  # nobody is made for a wrong one
        guest = pit.people.add_guest(entry.role)
    return replace(guest, class_code=codes.enter(entry.code, guest.name))


async def _welcome(
    request: AnyRequest, pit: Pit, sessions: Sessions, person: Person, *, status: int = 201
) -> Response[PersonForm]:
    """Under a new token: one that somebody planted before does not count."""
    sessions.forget(visit_of(request).token)
    token = await pit.blocking(lambda: pit.people.open_session(person))
    return _known(request, pit, token, person, set_cookie=True, status=status)


def _known(
    request: AnyRequest,
    pit: Pit,
    token: str,
    person: Person | None,
    *,
    set_cookie: bool,
    status: int = 200,
    ended: str = "",
) -> Response[PersonForm]:
    form = PersonForm(
        name=person.name if person is not None else "",
        role=person.role if person is not None else None,
        guest=person is not None and person.guest,
        csrf=csrf_of(token),
        demo=pit.settings.demo,
        last_sign_in=person.last_sign_in if person is not None else "",
        ended=ended,
    )
    cookie = Cookie(
        COOKIE,
        value=token,
        path="/",
        httponly=True,
        samesite="strict",
        secure=pit.settings.secure_cookies or request.scope["scheme"] == "https",
        max_age=round((pit.settings.session_hours + REMEMBERED_HOURS) * 3600),
    )
    return Response(form, status_code=status, cookies=[cookie] if set_cookie else [])
