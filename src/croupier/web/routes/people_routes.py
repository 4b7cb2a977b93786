"""Who may sign in, and as what: for operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import JSONBody
from msgspec import Meta

from croupier.ledger.records.people_accounts import ByWhom
from croupier.web.forms import PersonRole
from croupier.web.guard import Sessions, visit_of
from croupier.web.people import PersonRow
from croupier.web.pit import Pit
from croupier.web.problems import Denied
from croupier.web.routes.dependencies import AnyRequest, NameInPath, ThePit, TheSessions
from croupier.web.routes.problem_responses import PROBLEMS

__all__ = ["PeopleRoutes"]

Password = Annotated[str, Meta(min_length=1, max_length=200)]


class NewPersonForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    role: PersonRole
    password: Password


class PasswordForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: Password


class RoleForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: PersonRole


class PeopleForm(msgspec.Struct, frozen=True):
    people: tuple[PersonRow, ...]


class PeopleRoutes(Controller):
    path = "/api/v1/people"
    tags = ("people",)

    @get("/", summary="Everybody with an account", responses=PROBLEMS)
    async def people(self, request: AnyRequest, pit: ThePit) -> PeopleForm:
        _operator(request)
        return await _listed(pit)

    @post("/", status_code=201, summary="Let somebody sign in", responses=PROBLEMS)
    async def add(
        self, request: AnyRequest, data: JSONBody[NewPersonForm], pit: ThePit
    ) -> PeopleForm:
        by, add = _operator(request), pit.people.add
        told = (data.name, data.role, data.password)
        await pit.signing_in(lambda: add(*told, only_new=True, by=by))
        return await _listed(pit)

    @post("/{name:str}/disable", status_code=200, summary="Disable", responses=PROBLEMS)
    async def disable(
        self, request: AnyRequest, name: NameInPath, pit: ThePit, sessions: TheSessions
    ) -> PeopleForm:
        """Sessions end at once; the name stays. A new password lets the person in again."""
        by = _operator(request)
        return await _changed(pit, sessions, name, lambda: pit.people.disable(name, by))

    @post("/{name:str}/password", status_code=200, summary="A new password", responses=PROBLEMS)
    async def password(
        self,
        request: AnyRequest,
        name: NameInPath,
        data: JSONBody[PasswordForm],
        pit: ThePit,
        sessions: TheSessions,
    ) -> PeopleForm:
        by, change = _operator(request), pit.people.set_password
        return await _changed(pit, sessions, name, lambda: change(name, data.password, by))

    @post("/{name:str}/role", status_code=200, summary="Another role", responses=PROBLEMS)
    async def role(
        self,
        request: AnyRequest,
        name: NameInPath,
        data: JSONBody[RoleForm],
        pit: ThePit,
        sessions: TheSessions,
    ) -> PeopleForm:
        by = _operator(request)
        return await _changed(pit, sessions, name, lambda: pit.people.set_role(name, data.role, by))

    @post(
        "/{name:str}/second-factor/reset",
        status_code=200,
        summary="Another authenticator",
        responses=PROBLEMS,
    )
    async def reset_factor(
        self, request: AnyRequest, name: NameInPath, pit: ThePit, sessions: TheSessions
    ) -> PeopleForm:
        """The authenticator is lost: a new one is set up at the next sign-in."""
        by, reset = _operator(request), pit.people.reset_second_factor
        return await _changed(pit, sessions, name, lambda: reset(name, by))

    @post(
        "/{name:str}/sign-out", status_code=200, summary="Sign out everywhere", responses=PROBLEMS
    )
    async def sign_out(
        self, request: AnyRequest, name: NameInPath, pit: ThePit, sessions: TheSessions
    ) -> PeopleForm:
        """All sessions of a person end, as after a telephone was lost."""
        by, end = _operator(request), pit.people.end_sessions
        return await _changed(pit, sessions, name, lambda: end(name, by))


def _operator(request: AnyRequest) -> ByWhom:
    person = visit_of(request).signed_in()
    if person.role != "operator":
        raise Denied("accounts are for an operator to keep", code="wrong_role")
    return ByWhom(person.role, person.name)


async def _changed(
    pit: Pit, sessions: Sessions, name: str, change: Callable[[], None]
) -> PeopleForm:
    await pit.signing_in(change)
    sessions.forget_person(name)
    return await _listed(pit)


async def _listed(pit: Pit) -> PeopleForm:
    return PeopleForm(tuple(await pit.blocking(pit.people.listed)))
