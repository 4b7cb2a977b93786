"""The HTML pages: shells that the modules in static/ fill through the API."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, get_args

import jinja2
from litestar import Controller, MediaType, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from markupsafe import Markup, escape

from croupier import __version__
from croupier.deck_care.state import Device
from croupier.rulebooks.bundled import BUNDLED
from croupier.rulebooks.rules import rules_for
from croupier.school.practice.hands import GAMES, SUBMISSION
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.people import Person
from croupier.web.accounts.trial import is_rehearsal
from croupier.web.pages import declared
from croupier.web.pages.declared import Page
from croupier.web.pages.description import description_of, description_text
from croupier.web.server.problems import NotThere, Problem
from croupier.web.server.requests import AnyRequest, NameInPath
from croupier.web.server.settings import Settings
from croupier.web.tables.pit import Pit, ThePit

SCHOOL_ROOMS: Final = ("drill", "challenge", "exam", "class", "report")
TEMPLATES: Final = Path(__file__).parents[1] / "templates"
_QUOTED: Final = re.compile(r"`([^`]+)`")


@lru_cache(maxsize=1)
def templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["with_code"] = _with_code
    return environment


def _with_code(text: str) -> Markup:
    """Return the text as HTML, with the parts between backquotes as code."""
    return Markup(_QUOTED.sub(r"<code>\1</code>", str(escape(text))))


def _page(request: AnyRequest, pit: Pit, name: str, **context: object) -> Response[str]:
    """Render a page. `table`, if there is one, is its id."""
    text = _text(pit.settings, name, visit_of(request).person, **context)
    return Response(text, media_type=MediaType.HTML)


def _text(settings: Settings, name: str, person: Person | None, **more: object) -> str:
    """Render a template. `person` is None for somebody who has not come in."""
    context = {
        "page": name,
        "site": Markup(declared.site_text(declared.PAGES)),
        "version": __version__,
        "demo": settings.demo,
        "has_handbook": bool(settings.handbook),
        "person": person,
        "table": "",
        "rulebook": "",
    }
    context |= more
    context["is_rehearsal"] = is_rehearsal(str(context["table"]))
    return templates().get_template(f"{name}.html").render(context)


def problem_text(settings: Settings, problem: Problem, person: Person | None = None) -> str:
    """Return a page that says what went wrong and where to go from there."""
    return _text(settings, "problem", person, problem=problem)


def page_routes() -> list[HTTPRouteHandler]:
    """Return a route for each declared page."""
    return [_route(page) for page in declared.PAGES]


def _route(page: Page) -> HTTPRouteHandler:
    path = re.sub(r"{(\w+)}", r"{\1:str}", page.path)

    async def plain(request: AnyRequest, pit: ThePit) -> Response[str]:
        return _page(request, pit, page.template)

    async def of_table(request: AnyRequest, pit: ThePit, table: NameInPath) -> Response[str]:
        served = pit.table(table)
        context = {"table": served.name, "rulebook": served.table.rulebook}
        return _page(request, pit, page.template, **context)

    async def of_link(request: AnyRequest, pit: ThePit, link: NameInPath) -> Response[str]:
        return _page(request, pit, page.template, link=link)

    handler: Any = of_table if "{table}" in page.path else plain
    if "{link}" in page.path:
        handler = of_link
    route: HTTPRouteHandler = get(path, include_in_schema=False)(handler)
    return route


class Pages(Controller):
    include_in_schema = False

    @get("/practice/{game:str}")
    async def practice(self, request: AnyRequest, pit: ThePit, game: NameInPath) -> Response[str]:
        if game not in GAMES:
            raise NotThere(f"there is no game {game[:60]!r} to practice: choose one in the lobby")
        title = rules_for(game, "", SUBMISSION).book.title
        return _page(request, pit, "practice", rulebook=game, title=title)

    @get("/tables/{table:str}")
    async def table(self, request: AnyRequest, pit: ThePit, table: NameInPath) -> Response[str]:
        served = pit.table(table)
        rulebook = served.table.rulebook
        context = {"rulebook": rulebook, "practiced": rulebook in GAMES}
        return _page(request, pit, "table", table=served.name, **context)

    @get("/learn/{rulebook:str}")
    async def learn(self, request: AnyRequest, pit: ThePit, rulebook: NameInPath) -> Response[str]:
        if rulebook not in {served.table.rulebook for served in pit.tables}:
            raise NotThere(f"no table plays {rulebook[:60]!r}")
        return _page(request, pit, "learn", rulebook=rulebook)

    @get("/design/{rulebook:str}")
    async def design(self, request: AnyRequest, pit: ThePit, rulebook: NameInPath) -> Response[str]:
        if rulebook not in BUNDLED:
            raise NotThere(
                f"there is no rulebook {rulebook[:60]!r} to change: choose a game in the lobby"
            )
        return _page(request, pit, "design", rulebook=rulebook)

    @get("/school/{room:str}")
    async def school_room(
        self, request: AnyRequest, pit: ThePit, room: NameInPath
    ) -> Response[str]:
        """Return the page of a school room: drill, challenge, exam, class or report."""
        if room not in SCHOOL_ROOMS:
            raise NotThere(f"the school has no {room[:60]!r}: {', '.join(SCHOOL_ROOMS)}")
        return _page(request, pit, f"school-{room}")

    @get("/floor/{table:str}/sign/{device:str}")
    async def out_of_order(
        self, request: AnyRequest, pit: ThePit, table: NameInPath, device: NameInPath
    ) -> Response[str]:
        """Return the sign to print for a device that cannot be used."""
        served = pit.table(table)
        if device not in get_args(Device):
            raise NotThere(f"no table has a {device[:60]!r}: there is a shuffler or a shoe")
        book = served.rules.book
        clause = book.care.sign_clause if book.care is not None else ""
        context = {"device": device, "title": book.title, "clause": clause}
        return _page(request, pit, "out-of-order", table=served.name, **context)

    @get("/floor/{table:str}/slip/{entry:int}")
    async def slip(
        self, request: AnyRequest, pit: ThePit, table: NameInPath, entry: FromPath[int]
    ) -> Response[str]:
        served = pit.table(table)
        title = served.rules.book.title
        return _page(request, pit, "slip", table=served.name, entry=entry, title=title)

    @get("/api/v1/openapi.json")
    async def openapi(self, request: AnyRequest) -> Response[bytes]:
        return Response(description_text(request.app), media_type=MediaType.JSON)

    @get("/api")
    async def api(self, request: AnyRequest, pit: ThePit) -> Response[str]:
        return _page(request, pit, "api", schema=description_of(request.app))
