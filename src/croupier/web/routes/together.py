"""Playing together: what guests are called, and how others are invited."""

from __future__ import annotations

import io
from typing import Annotated

import msgspec
import segno
from litestar import Controller, Response, get, post
from litestar.params import JSONBody, QueryParameter

from croupier.web.guard import visit_of
from croupier.web.problems import Denied
from croupier.web.routes.dependencies import AnyRequest, NameInPath, ThePit
from croupier.web.routes.problem_responses import PROBLEMS

__all__ = ["Together"]

MOST_ASKED = 40


class ChosenName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """At most 20 letters of one alphabet; nobody else's, and no title of the staff."""

    name: str


class NamesForm(msgspec.Struct, frozen=True):
    """By the name that the record has, what those guests want to be called who have said so."""

    names: dict[str, str]


class Together(Controller):
    path = "/api/v1"
    tags = ("people",)

    @post("/me/name", status_code=200, summary="Choose a name", responses=PROBLEMS)
    async def choose(
        self, request: AnyRequest, data: JSONBody[ChosenName], pit: ThePit
    ) -> ChosenName:
        """For guests: what others at the table see. The record keeps the guest's number."""
        person = visit_of(request).signed_in()
        if not person.guest or person.role != "player":
            raise Denied(
                "only guests who play choose a name: yours is that of your account",
                code="not_yours",
            )
        found = await pit.signing_in(lambda: pit.people.choose_name(person.name, data.name))
        return ChosenName(found)

    @get("/names", summary="What guests are called", responses=PROBLEMS)
    async def names(
        self,
        pit: ThePit,
        of: Annotated[list[str], QueryParameter(max_items=MOST_ASKED)],
    ) -> NamesForm:
        return NamesForm(await pit.looking_back(lambda: pit.people.guest_names.of(of)))

    @get(
        "/tables/{table:str}/invitation",
        summary="The table's address as a QR code",
        media_type="image/svg+xml",
        responses=PROBLEMS,
    )
    async def invitation(
        self, request: AnyRequest, table: NameInPath, pit: ThePit
    ) -> Response[bytes]:
        served = pit.table(table)
        address = f"{str(request.base_url).rstrip('/')}/tables/{served.name}"
        return Response(qr_code(address), media_type="image/svg+xml")


def qr_code(address: str) -> bytes:
    """Black on white in every theme: cameras want it so."""
    drawn = io.BytesIO()
    code = segno.make(address, error="m", micro=False)
    code.save(drawn, kind="svg", border=4, light="white", omitsize=True, svgclass="", lineclass="")
    return drawn.getvalue()
