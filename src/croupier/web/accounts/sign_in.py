"""Routes for signing in and out, guests, and one's own name and password."""

from __future__ import annotations

import logging
from typing import Annotated, Literal

import msgspec
from litestar import Controller, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta
from msgspec.structs import replace

from croupier.errors import CroupierError, Refusal
from croupier.ledger.records.people_accounts import ByWhom
from croupier.web.accounts.guard import COOKIE, Sessions, TheBuckets, TheSessions, visit_of
from croupier.web.accounts.people import (
    REMEMBERED_HOURS,
    People,
    Person,
    ThePeople,
    csrf_of,
    fresh_token,
)
from croupier.web.accounts.roles import PersonRole
from croupier.web.accounts.second_factors import authenticator_uri
from croupier.web.server.logs import log_fields
from croupier.web.server.pools import Pools, ThePools
from croupier.web.server.problems import PROBLEMS, Denied
from croupier.web.server.qr_code import qr_code
from croupier.web.server.requests import AnyRequest


class PersonForm(msgspec.Struct, frozen=True):
    """The caller. `csrf` goes into the header X-CSRF-Token of every request that changes
    something."""

    name: str
    role: PersonRole | None
    guest: bool
    csrf: str
    demo: bool = False
    last_sign_in: str = ""
    """When and from where this name signed in before, so that a person can notice a stranger."""
    ended: str = ""
    """The reason why this cookie's session has ended."""


class GuestForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The role in which a guest comes in. Guests who do not play work at rehearsal tables only."""

    role: Literal["player", "dealer", "floorperson", "operator", "auditor"] = "player"


_log = logging.getLogger("croupier.web")


class SignInForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    password: Annotated[str, Meta(min_length=1, max_length=200)]
    code: Annotated[str, Meta(max_length=10)] = ""
    """The six digits of an authenticator, if one is set up."""


class EnrolForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    password: Annotated[str, Meta(min_length=1, max_length=200)]


class AuthenticatorForm(msgspec.Struct, frozen=True):
    """The secret of an authenticator: `secret` is for typing, `uri` opens the authenticator on a
    telephone, and `qr` is the same address as an SVG to scan."""

    secret: str
    uri: str
    qr: str


class OwnPasswordForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    old: Annotated[str, Meta(min_length=1, max_length=200)]
    new: Annotated[str, Meta(min_length=1, max_length=200)]


class WatchingForm(msgspec.Struct, frozen=True):
    """`looks_only`: the session was inactive for so long that a command needs a new sign-in."""

    looks_only: bool
    words: str


class ClassEntry(GuestForm, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`code` is the code that the teacher has written on the board; blanks and hyphens make no
    difference."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class SignIn(Controller):
    path = "/api/v1"
    tags = ("people",)

    @get("/me", summary="Who am I?", responses=PROBLEMS)
    async def me(self, request: AnyRequest, people: ThePeople) -> Response[PersonForm]:
        """Begin here: this sets the cookie and returns the token that every change needs."""
        visit = visit_of(request)
        token = visit.token or fresh_token()
        return _known(
            request, people, token, visit.person, set_cookie=not visit.token, ended=visit.ended
        )

    @post("/me/watching", status_code=200, summary="A board is looked at", responses=PROBLEMS)
    async def watching(
        self, request: AnyRequest, people: ThePeople, pools: ThePools
    ) -> WatchingForm:
        """Sent every minute by a visible board of the floor. The board goes on showing the tables
        after long inactivity, but a command then needs a new sign-in."""
        visit = visit_of(request)
        person = visit.signed_in()
        await pools.tables.run(lambda: people.watch(visit.token))
        looks_only = person.quiet == "watching"
        words = people.settings.words_of_end(over=False) if looks_only else ""
        return WatchingForm(looks_only, words)

    @post("/me/password", status_code=200, summary="Change my password", responses=PROBLEMS)
    async def change_password(
        self,
        request: AnyRequest,
        data: JSONBody[OwnPasswordForm],
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
    ) -> Response[PersonForm]:
        """Change one's own password; the old one is required. All other devices are signed out;
        this one stays signed in."""
        visit, person = visit_of(request), _with_account(request)
        change, told_all = people.change_own_password, (person.name, data.old, data.new)
        await pools.signing_in.run(lambda: change(*told_all, visit.address))
        _log.info("password changed", extra=log_fields(person=person.name, address=visit.address))
        sessions.forget_person(person.name)
        return await _welcome(request, people, pools, sessions, person, status=200)

    @post("/guests", status_code=201, summary="Come in as a guest", responses=PROBLEMS)
    async def come_in(
        self,
        request: AnyRequest,
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
        data: JSONBody[GuestForm | None] = None,
    ) -> Response[PersonForm]:
        """In demo mode, come in as a player with play chips and no account, or try another job at
        rehearsal tables."""
        visit = visit_of(request)
        if not people.settings.demo:
            raise Refusal("this server has no guests: sign in", code="no_guests")
        if visit.person is not None:
            raise Refusal(f"you are signed in as {visit.person.name}", code="already_done")
        role = data.role if data is not None else "player"
        person = await pools.signing_in.run(lambda: people.add_guest(role))
        return await _welcome(request, people, pools, sessions, person)

    @post("/class", status_code=201, summary="Come in with a class code", responses=PROBLEMS)
    async def join_class(
        self,
        request: AnyRequest,
        data: JSONBody[ClassEntry],
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
        buckets: TheBuckets,
    ) -> Response[PersonForm]:
        """Come in as a guest with limits of one's own, not those of the class's address. A guest
        who is already here gets them from now on. Wrong codes are counted."""
        visit = visit_of(request)
        if not people.settings.demo:
            raise Refusal("this server has no guests: sign in", code="no_guests")
        if visit.person is not None and not visit.person.guest:
            raise Refusal(f"you are signed in as {visit.person.name}", code="already_done")
        counted = "class_guesses", visit.network
        buckets.take(*counted)
        try:
            person = await pools.signing_in.run(lambda: _classmate(people, data, visit.person))
        except CroupierError as refusal:
            if refusal.code != "wrong_class_code":
                buckets.give_back(*counted)
            raise
        buckets.give_back(*counted)
        if visit.person is None:
            return await _welcome(request, people, pools, sessions, person)
        sessions.forget(visit.token)  # the next request reads the class code
        return _known(request, people, visit.token, person, set_cookie=False, status=201)

    @post("/session", status_code=201, summary="Sign in", responses=PROBLEMS)
    async def sign_in(
        self,
        request: AnyRequest,
        data: JSONBody[SignInForm],
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
    ) -> Response[PersonForm]:
        visit = visit_of(request)
        sign_in, credentials = people.sign_in, (data.name, data.password, data.code)
        try:
            person = await pools.signing_in.run(lambda: sign_in(*credentials, visit.address))
        except CroupierError as refusal:
            _log.info("sign-in refused", extra=log_fields(code=refusal.code, address=visit.address))
            raise
        _log.info("signed in", extra=log_fields(person=person.name, address=visit.address))
        return await _welcome(request, people, pools, sessions, person)

    @post(
        "/session/second-factor",
        status_code=201,
        summary="Set up an authenticator",
        responses=PROBLEMS,
    )
    async def enrol(
        self, request: AnyRequest, data: JSONBody[EnrolForm], people: ThePeople, pools: ThePools
    ) -> AuthenticatorForm:
        """Return the secret of an authenticator, which becomes active with its first code at a
        sign-in."""
        address, enrol = visit_of(request).address, people.enrol
        secret = await pools.signing_in.run(lambda: enrol(data.name, data.password, address))
        uri = authenticator_uri(secret, data.name)
        return AuthenticatorForm(secret, uri, qr_code(uri).decode())

    @delete("/session", status_code=200, summary="Sign out", responses=PROBLEMS)
    async def sign_out(
        self, request: AnyRequest, people: ThePeople, pools: ThePools, sessions: TheSessions
    ) -> Response[PersonForm]:
        visit = visit_of(request)
        name = visit.person.name if visit.person is not None else ""
        await pools.tables.run(lambda: people.close_session(visit.token, name))
        sessions.forget(visit.token)
        sessions.forget_person(name)
        return _known(request, people, fresh_token(), None, set_cookie=True)

    @delete("/sessions", status_code=200, summary="Sign out on all devices", responses=PROBLEMS)
    async def sign_out_everywhere(
        self, request: AnyRequest, people: ThePeople, pools: ThePools, sessions: TheSessions
    ) -> Response[PersonForm]:
        """End this session and every other one of the same name."""
        person = _with_account(request)
        by = ByWhom(person.role, person.name)
        await pools.tables.run(lambda: people.end_sessions(person.name, by))
        _log.info("signed out everywhere", extra=log_fields(person=person.name))
        sessions.forget_person(person.name)
        return _known(request, people, fresh_token(), None, set_cookie=True)


MOST_ASKED = 40


class ChosenName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """At most 20 letters of one alphabet; not the name of somebody else, nor a title of the
    staff."""

    name: str


class NamesForm(msgspec.Struct, frozen=True):
    """The chosen names of guests, by the name in the record; guests without one are left out."""

    names: dict[str, str]


class Names(Controller):
    path = "/api/v1"
    tags = ("people",)

    @post("/me/name", status_code=200, summary="Choose a name", responses=PROBLEMS)
    async def choose(
        self, request: AnyRequest, data: JSONBody[ChosenName], people: ThePeople, pools: ThePools
    ) -> ChosenName:
        """Set the name that others at the table see for this guest. The record keeps the guest's
        number."""
        person = visit_of(request).signed_in()
        if not person.guest or person.role != "player":
            raise Denied(
                "only guests who play choose a name: yours is that of your account",
                code="not_yours",
            )
        chosen = await pools.signing_in.run(lambda: people.choose_name(person.name, data.name))
        return ChosenName(chosen)

    @get("/names", summary="What guests are called", responses=PROBLEMS)
    async def names(
        self,
        people: ThePeople,
        pools: ThePools,
        of: Annotated[list[str], QueryParameter(max_items=MOST_ASKED)],
    ) -> NamesForm:
        return NamesForm(await pools.history.run(lambda: people.guest_names.of(of)))


def _with_account(request: AnyRequest) -> Person:
    person = visit_of(request).signed_in()
    if person.guest:
        raise Denied("a guest has no account and no password", code="not_yours")
    return person


def _classmate(people: People, entry: ClassEntry, guest: Person | None) -> Person:
    """Return the guest with the class code entered, as a new guest if there is none. Blocking: run
    it in a thread."""
    codes = people.class_codes
    if guest is None:
        codes.check(entry.code)  # a wrong code creates no guest
        guest = people.add_guest(entry.role)
    return replace(guest, class_code=codes.enter(entry.code, guest.name))


async def _welcome(
    request: AnyRequest,
    people: People,
    pools: Pools,
    sessions: Sessions,
    person: Person,
    *,
    status: int = 201,
) -> Response[PersonForm]:
    """Open a session under a new token, because somebody else may have planted the old one."""
    sessions.forget(visit_of(request).token)
    token = await pools.tables.run(lambda: people.open_session(person))
    return _known(request, people, token, person, set_cookie=True, status=status)


def _known(
    request: AnyRequest,
    people: People,
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
        demo=people.settings.demo,
        last_sign_in=person.last_sign_in if person is not None else "",
        ended=ended,
    )
    cookie = Cookie(
        COOKIE,
        value=token,
        path="/",
        httponly=True,
        samesite="strict",
        secure=people.settings.secure_cookies or request.scope["scheme"] == "https",
        max_age=round((people.settings.session_hours + REMEMBERED_HOURS) * 3600),
    )
    return Response(form, status_code=status, cookies=[cookie] if set_cookie else [])
