"""The application: `create_app` puts the pit, the people and the routes together."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread
from litestar import Litestar, Router
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.static_files import create_static_files_router

from croupier import __version__
from croupier.ledger.journal import open_journal
from croupier.ledger.search import index_by_time
from croupier.runtime.play_chips import claim_chips
from croupier.runtime.player_questions import Played
from croupier.runtime.program_log import note_program
from croupier.runtime.selfcheck import check_installation
from croupier.runtime.signing import RoundSigner
from croupier.web.advising import Adviser
from croupier.web.demo import open_demo_tables
from croupier.web.description import DescriptionPlugin
from croupier.web.designing import Designer
from croupier.web.guard import MOST_BODY, Buckets, Guard, Sessions
from croupier.web.handbook import handbook_router
from croupier.web.load import Load
from croupier.web.metrics import Metrics
from croupier.web.people import People
from croupier.web.pit import Pit
from croupier.web.practice import Practice
from croupier.web.routes.audit_routes import Audit
from croupier.web.routes.cashier_routes import Cashier
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
from croupier.web.school import School
from croupier.web.settings import Settings, from_environment
from croupier.web.shoes import Shoes
from croupier.web.verifying import Verifications
from croupier.web.wager_figures import Figures

__all__ = ["create_app"]

HERE: Final = Path(__file__).parent
DAY_SECONDS: Final = 86400
_log = logging.getLogger("croupier.web")

_DESCRIPTION: Final = """Casino poker tables run by the regulators' documents.

Begin with `GET /api/v1/me`: it sets the session's cookie and gives the token that goes into the
header `X-CSRF-Token` of everything that changes something. Views come live by WebSocket from
`/api/v1/tables/{table}/live?after=SEQ`; each frame is `{"seq", "view", "happened"}`. Money is
written as a string of dollars, a card as `As`, a card face down as `null`. Every refusal is a
problem document (RFC 9457) with a code, a sentence for people and the clause of the document."""


def _settle_the_process() -> None:
    """For a process that serves tables and nothing else."""
    # What is there now stays: looking for garbage in it again and again would only stop play.
    gc.collect()
    gc.freeze()
    # Whoever waited for the disk goes on within a millisecond, however busy the loop is.
    sys.setswitchinterval(0.001)


async def _keep_checking(pit: Pit) -> None:
    """Is the program what was installed? When it starts, and once a day."""
    while True:
        try:
            found = await pit.looking_back(check_installation)
            await pit.looking_back(partial(note_program, pit.journal, found))
        except Exception:
            _log.exception("the program's files cannot be checked")
        else:
            pit.program_state = found.state
            if found.state == "differs":
                files = (*found.changed, *found.missing, *found.added)
                _log.error("the program is not as it was installed: %s", ", ".join(files[:20]))
        await asyncio.sleep(DAY_SECONDS)


def _played(pit: Pit) -> list[Played]:
    """The games that are played here."""
    tables = [served.table for served in pit.tables]
    return [Played(one.rulebook, one.rulebook_text, one.submission) for one in tables]


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


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Croupier",
        version=f"1 ({__version__})",
        description=_DESCRIPTION,
        path="/api/v1/description",
        render_plugins=[DescriptionPlugin()],
        use_handler_docstrings=True,
    )


def _files(settings: Settings) -> list[Router]:
    found = [create_static_files_router("/static", [HERE / "static"])]
    if settings.handbook:
        found.append(handbook_router(Path(settings.handbook)))
    return found


def create_app(settings: Settings | None = None) -> Litestar:
    """An ASGI application with its tables loaded and dealt as soon as it is started."""
    alone = settings is None  # made by the server program, in a process that does nothing else
    settings = settings or from_environment()
    journal = open_journal(settings.database)
    claim_chips(journal, "play" if settings.demo else "money")
    index_by_time(journal)
    people = People(journal, settings)
    if settings.demo_tables:
        open_demo_tables(journal)
    pit = Pit(journal, people, settings)
    sessions = Sessions(people)
    pit.session_ended = sessions.forget_person
    buckets, load = Buckets(settings.throttles), Load(settings.throttles)
    metrics = Metrics()
    verifications = Verifications(journal, settings.database)
    adviser, figures, designer = Adviser(), Figures(), Designer()
    shoes = Shoes(journal)
    school = School(journal)
    practice = Practice(journal)
    signer = RoundSigner(journal)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        signer.start()
        await pit.start()
        if alone:
            _settle_the_process()
        tasks = [asyncio.create_task(load.watch())]
        if alone:
            tasks.append(asyncio.create_task(_keep_checking(pit)))
        if settings.prepares_advice:
            tasks.append(asyncio.create_task(adviser.prepare(_played(pit))))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            adviser.close()
            figures.close()
            designer.close()
            practice.close()
            verifications.close()
            await pit.stop()
            await to_thread.run_sync(signer.stop)
            journal.close()

    app = Litestar(
        route_handlers=[*_ROUTES, *_files(settings)],
        lifespan=[lifespan],
        dependencies={
            "pit": Provide(lambda: pit, sync_to_thread=False),
            "school": Provide(lambda: school, sync_to_thread=False),
            "shoes": Provide(lambda: shoes, sync_to_thread=False),
            "adviser": Provide(lambda: adviser, sync_to_thread=False),
            "practice": Provide(lambda: practice, sync_to_thread=False),
            "figures": Provide(lambda: figures, sync_to_thread=False),
            "designer": Provide(lambda: designer, sync_to_thread=False),
            "verifications": Provide(lambda: verifications, sync_to_thread=False),
            "sessions": Provide(lambda: sessions, sync_to_thread=False),
        },
        exception_handlers=HANDLERS,
        openapi_config=_openapi(),
        request_max_body_size=MOST_BODY,
    )
    app.state.pit, app.state.load, app.state.metrics = pit, load, metrics
    # Around everything: a middleware of Litestar's would not see requests that lead nowhere.
    app.asgi_handler = Guard(
        app.asgi_handler,
        sessions=sessions,
        buckets=buckets,
        load=load,
        settings=settings,
        answered=metrics.answered,
        page_of=partial(problem_text, settings),
    )
    return app
