"""The progressive controller: links, their meters, awards, history and commands."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Controller, get, post
from litestar.params import QueryParameter

from croupier.progressives import LINK_COMMANDS
from croupier.reports.links import LinkForm, LinkRow
from croupier.web.server.problems import PROBLEMS
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.tables.forms import DoneForm
from croupier.web.tables.pit import ThePit
from croupier.web.tables.table_routes import Key
from croupier.web.tables.work import CommandForm, command_forms, staff_of

Before = Annotated[
    int, QueryParameter(ge=0, le=2**53, description="History before this entry; 0: the newest")
]
Limit = Annotated[
    int, QueryParameter(ge=1, le=500, description="The number of entries of the history")
]


class LinksForm(msgspec.Struct, frozen=True):
    links: tuple[LinkRow, ...]
    commands: tuple[CommandForm, ...]
    """The commands that this person may give to a link."""


class Links(Controller):
    path = "/api/v1/links"
    tags = ("links",)

    @get("/", summary="Every progressive link", responses=PROBLEMS)
    async def links(self, request: AnyRequest, pit: ThePit) -> LinksForm:
        """Return, for staff, what the meters show and which tables are on each link."""
        person = staff_of(request)
        rows = await pit.blocking(pit.link_rows)
        may = {
            tag: command
            for tag, command in LINK_COMMANDS.items()
            if person.role in command.declared.by
        }
        return LinksForm(tuple(rows), command_forms(may))

    @get("/{link:str}", summary="A link with its history", responses=PROBLEMS)
    async def link(
        self,
        request: AnyRequest,
        link: NameInPath,
        pit: ThePit,
        before: Before = 0,
        limit: Limit = 100,
    ) -> LinkForm:
        """Return the meters with their terms, the tables with the lights of their seats, the last
        25 awards, and what each entry changed."""
        staff_of(request)
        form: LinkForm = await pit.blocking(lambda: pit.link_form(link, before or None, limit))
        return form

    @post("/{link:str}/commands", status_code=200, summary="Tell a link", responses=PROBLEMS)
    async def command(
        self, request: AnyRequest, link: NameInPath, key: Key, pit: ThePit
    ) -> DoneForm:
        """Carry out `change_terms` or `close_link` completely, or refuse it and change nothing."""
        person = staff_of(request)
        done = await pit.plan_for_link(link, await request.body(), person, key)
        return DoneForm(done.version, done.repeated)
