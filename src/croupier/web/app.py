"""The web application: `create_app` connects the routes to the services they use."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.static_files import create_static_files_router

from croupier import __version__
from croupier.web.accounts.guard import MOST_BODY, Guard
from croupier.web.accounts.people_routes import PeopleRoutes
from croupier.web.accounts.sign_in import Names, SignIn
from croupier.web.operations import Operations
from croupier.web.pages.description import DescriptionPlugin
from croupier.web.pages.error_handlers import HANDLERS
from croupier.web.pages.handbook import handbook_router
from croupier.web.pages.pages import Pages, page_routes, problem_text
from croupier.web.server.settings import Settings, from_environment
from croupier.web.services import Services
from croupier.web.solver.advice import AdviceRoutes
from croupier.web.solver.certificates import Certificates
from croupier.web.solver.design import Designs
from croupier.web.solver.practice import PracticeRoutes
from croupier.web.solver.school import SchoolRoutes
from croupier.web.solver.wager_figures import FigureRoutes
from croupier.web.tables.audit_routes import Audit
from croupier.web.tables.cashier import Cashier
from croupier.web.tables.dealer import DealerRoutes
from croupier.web.tables.floor import Floor
from croupier.web.tables.history import Rounds
from croupier.web.tables.house import HouseRoutes
from croupier.web.tables.lessons import Lessons
from croupier.web.tables.links import Links
from croupier.web.tables.live import live
from croupier.web.tables.rehearsals import Rehearsals
from croupier.web.tables.submissions import Submissions
from croupier.web.tables.table_routes import Tables
from croupier.web.tables.work import Work

HERE: Final = Path(__file__).parent

_DESCRIPTION: Final = """Casino poker tables run by the regulators' documents.

Begin with `GET /api/v1/me`: it sets the session's cookie and gives the token that goes into the
header `X-CSRF-Token` of everything that changes something. Views come live by WebSocket from
`/api/v1/tables/{table}/live?after=SEQ`; each frame is `{"seq", "view", "happened"}`. With
`&diff=1` a frame after the first has no `view` but only what changed: fields of the table
(`changes`), of the `round`, of your `own`; and by place entries of `seats` and of the round's
`hands` (a list if all of them are new). Money is
written as a string of dollars, a card as `As`, a card face down as `null`. Every refusal is a
problem document (RFC 9457) with a code, a sentence for people and the clause of the document."""


_ROUTES: Final = (
    SignIn,
    Names,
    Operations,
    Rehearsals,
    Tables,
    DealerRoutes,
    Rounds,
    AdviceRoutes,
    FigureRoutes,
    Audit,
    Lessons,
    PracticeRoutes,
    Designs,
    Certificates,
    Submissions,
    HouseRoutes,
    Work,
    Floor,
    Links,
    Cashier,
    PeopleRoutes,
    SchoolRoutes,
    live,
    Pages,
)

_GIVEN: Final = (
    "pit",
    "people",
    "pools",
    "buckets",
    "certificate_checks",
    "school",
    "shoes",
    "adviser",
    "practice",
    "figures",
    "designer",
    "design_reports",
    "verifications",
    "sessions",
)
"""The services that a route can take as a parameter of that name."""


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Croupier",
        version=f"1 ({__version__})",
        description=_DESCRIPTION,
        path="/api/v1/description",
        render_plugins=[DescriptionPlugin()],
        use_handler_docstrings=True,
    )


def _files(handbook: str) -> list[Router]:
    routers = [create_static_files_router("/static", [HERE / "static"])]
    if handbook:
        routers.append(handbook_router(Path(handbook)))
    return routers


def create_app(settings: Settings | None = None) -> Litestar:
    """Return the ASGI application. Its tables are loaded, and dealt, as soon as it starts."""
    alone = settings is None  # made by the server program, in a process that does nothing else
    services = Services(settings or from_environment(), alone=alone)
    return attach(bare_app(services.settings.handbook), services)


def bare_app(handbook: str = "") -> Litestar:
    """Return the application with all its routes but without services. Registering the routes is
    slow."""
    app = Litestar(
        route_handlers=[*_ROUTES, *page_routes(), *_files(handbook)],
        lifespan=[_running],
        dependencies={name: _given(name) for name in _GIVEN},
        exception_handlers=HANDLERS,
        openapi_config=_openapi(),
        request_max_body_size=MOST_BODY,
    )
    app.state.routing = app.asgi_handler
    return app


def attach(app: Litestar, services: Services) -> Litestar:
    """Connect the routes to the services of one server, replacing those attached before."""
    app.state.services = services
    # Wraps everything: a Litestar middleware would not see requests without a route.
    app.asgi_handler = Guard(
        app.state.routing,
        sessions=services.sessions,
        buckets=services.buckets,
        load=services.load,
        guests=services.pit.guests,
        settings=services.settings,
        answered=services.metrics.answered,
        page_of=partial(problem_text, services.settings),
    )
    return app


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    services: Services = app.state.services
    async with services.running():
        yield


def _given(name: str) -> Provide:
    def give(state: State) -> Any:
        return getattr(state.services, name)

    return Provide(give, sync_to_thread=False)
