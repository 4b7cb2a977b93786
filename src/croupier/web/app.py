"""The application: `create_app` puts the routes and what they work with together."""

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
from croupier.web.description import DescriptionPlugin
from croupier.web.guard import MOST_BODY, Guard
from croupier.web.handbook import handbook_router
from croupier.web.routes.audit_routes import Audit
from croupier.web.routes.cashier_routes import Cashier
from croupier.web.routes.certificate_routes import Certificates
from croupier.web.routes.dealer_routes import DealerRoutes
from croupier.web.routes.design_routes import Designs
from croupier.web.routes.error_handlers import HANDLERS
from croupier.web.routes.floor_routes import Floor
from croupier.web.routes.house_routes import HouseRoutes
from croupier.web.routes.link_routes import Links
from croupier.web.routes.live import live
from croupier.web.routes.operations import Operations
from croupier.web.routes.pages import Pages, problem_text
from croupier.web.routes.people_routes import PeopleRoutes
from croupier.web.routes.practice_routes import PracticeRoutes
from croupier.web.routes.rehearsal_routes import Rehearsals
from croupier.web.routes.round_routes import Lessons, Rounds
from croupier.web.routes.school_routes import SchoolRoutes
from croupier.web.routes.sign_in import SignIn
from croupier.web.routes.submission_routes import Submissions
from croupier.web.routes.table_routes import Tables
from croupier.web.routes.together import Together
from croupier.web.routes.work_routes import Work
from croupier.web.services import Services
from croupier.web.settings import Settings, from_environment

__all__ = ["attach", "bare_app", "create_app"]

HERE: Final = Path(__file__).parent

_DESCRIPTION: Final = """Casino poker tables run by the regulators' documents.

Begin with `GET /api/v1/me`: it sets the session's cookie and gives the token that goes into the
header `X-CSRF-Token` of everything that changes something. Views come live by WebSocket from
`/api/v1/tables/{table}/live?after=SEQ`; each frame is `{"seq", "view", "happened"}`. Money is
written as a string of dollars, a card as `As`, a card face down as `null`. Every refusal is a
problem document (RFC 9457) with a code, a sentence for people and the clause of the document."""


_ROUTES: Final = (
    SignIn,
    Together,
    Operations,
    Rehearsals,
    Tables,
    DealerRoutes,
    Rounds,
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
"""The services that a route may ask for by name."""


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
    found = [create_static_files_router("/static", [HERE / "static"])]
    if handbook:
        found.append(handbook_router(Path(handbook)))
    return found


def create_app(settings: Settings | None = None) -> Litestar:
    """An ASGI application with its tables loaded and dealt as soon as it is started."""
    alone = settings is None  # made by the server program, in a process that does nothing else
    services = Services(settings or from_environment(), alone=alone)
    return attach(bare_app(services.settings.handbook), services)


def bare_app(handbook: str = "") -> Litestar:
    """All routes, and nothing yet that they could work with. To register them takes long."""
    app = Litestar(
        route_handlers=[*_ROUTES, *_files(handbook)],
        lifespan=[_running],
        dependencies={name: _given(name) for name in _GIVEN},
        exception_handlers=HANDLERS,
        openapi_config=_openapi(),
        request_max_body_size=MOST_BODY,
    )
    app.state.routing = app.asgi_handler
    return app


def attach(app: Litestar, services: Services) -> Litestar:
    """Give the routes what they work with: the services of one server, until others follow."""
    app.state.services = services
    # Around everything: a middleware of Litestar's would not see requests that lead nowhere.
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
