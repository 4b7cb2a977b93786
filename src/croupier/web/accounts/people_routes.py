"""Routes for operators to manage accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import JSONBody
from msgspec import Meta

from croupier.ledger.records.people_accounts import ByWhom
from croupier.web.accounts.guard import Sessions, TheSessions, visit_of
from croupier.web.accounts.people import People, PersonRow, ThePeople
from croupier.web.accounts.roles import PersonRole
from croupier.web.server.pools import Pools, ThePools
from croupier.web.server.problems import PROBLEMS, Denied
from croupier.web.server.requests import AnyRequest, NameInPath

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
    async def people(self, request: AnyRequest, people: ThePeople, pools: ThePools) -> PeopleForm:
        _operator(request)
        return await _listed(people, pools)

    @post("/", status_code=201, summary="Let somebody sign in", responses=PROBLEMS)
    async def add(
        self, request: AnyRequest, data: JSONBody[NewPersonForm], people: ThePeople, pools: ThePools
    ) -> PeopleForm:
        by, add = _operator(request), people.add
        account = (data.name, data.role, data.password)
        await pools.signing_in.run(lambda: add(*account, only_new=True, by=by))
        return await _listed(people, pools)

    @post("/{name:str}/disable", status_code=200, summary="Disable", responses=PROBLEMS)
    async def disable(
        self,
        request: AnyRequest,
        name: NameInPath,
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
    ) -> PeopleForm:
        """End the person's sessions at once; the name stays. A new password lets them sign in
        again."""
        by = _operator(request)
        return await _changed(people, pools, sessions, name, lambda: people.disable(name, by))

    @post("/{name:str}/password", status_code=200, summary="A new password", responses=PROBLEMS)
    async def password(
        self,
        request: AnyRequest,
        name: NameInPath,
        data: JSONBody[PasswordForm],
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
    ) -> PeopleForm:
        by, change = _operator(request), people.set_password
        return await _changed(
            people, pools, sessions, name, lambda: change(name, data.password, by)
        )

    @post("/{name:str}/role", status_code=200, summary="Another role", responses=PROBLEMS)
    async def role(
        self,
        request: AnyRequest,
        name: NameInPath,
        data: JSONBody[RoleForm],
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
    ) -> PeopleForm:
        by = _operator(request)
        return await _changed(
            people, pools, sessions, name, lambda: people.set_role(name, data.role, by)
        )

    @post(
        "/{name:str}/second-factor/reset",
        status_code=200,
        summary="Another authenticator",
        responses=PROBLEMS,
    )
    async def reset_factor(
        self,
        request: AnyRequest,
        name: NameInPath,
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
    ) -> PeopleForm:
        """Remove a lost authenticator: a new one is set up at the next sign-in."""
        by, reset = _operator(request), people.reset_second_factor
        return await _changed(people, pools, sessions, name, lambda: reset(name, by))

    @post(
        "/{name:str}/sign-out", status_code=200, summary="Sign out everywhere", responses=PROBLEMS
    )
    async def sign_out(
        self,
        request: AnyRequest,
        name: NameInPath,
        people: ThePeople,
        pools: ThePools,
        sessions: TheSessions,
    ) -> PeopleForm:
        """End all sessions of a person, for example after a telephone was lost."""
        by, end = _operator(request), people.end_sessions
        return await _changed(people, pools, sessions, name, lambda: end(name, by))


def _operator(request: AnyRequest) -> ByWhom:
    person = visit_of(request).signed_in()
    if person.role != "operator":
        raise Denied("accounts are for an operator to keep", code="wrong_role")
    return ByWhom(person.role, person.name)


async def _changed(
    people: People, pools: Pools, sessions: Sessions, name: str, change: Callable[[], None]
) -> PeopleForm:
    await pools.signing_in.run(change)
    sessions.forget_person(name)
    return await _listed(people, pools)


async def _listed(people: People, pools: Pools) -> PeopleForm:
    return PeopleForm(tuple(await pools.tables.run(people.listed)))
