"""Health, readiness and metrics, for the people who run the server."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Controller, Response, get

from croupier import __version__
from croupier.ledger.faults import JournalUnavailable
from croupier.web.accounts.guard import visit_of
from croupier.web.accounts.roles import READ_THE_JOURNAL
from croupier.web.server.metrics import MEDIA_TYPE, metrics_text
from croupier.web.server.problems import PROBLEMS, Denied
from croupier.web.server.requests import AnyRequest
from croupier.web.services import Services
from croupier.web.tables.pit import ThePit

LOCAL: Final = ("127.0.0.1", "::1", "local")


class HealthForm(msgspec.Struct, frozen=True):
    """The server's health.

    `journal` is `ok`, `low` (the disk is nearly full) or `unwritable`, as of the last probe;
    `program` is `whole`, `differs`, `unrecorded` (it runs from its sources) or `unchecked`.
    """

    status: str
    version: str
    tables: int
    journal: str
    program: str
    words: str = ""


class ReadyForm(msgspec.Struct, frozen=True):
    status: str
    words: str
    disk_free_bytes: int | None


class Operations(Controller):
    tags = ("operations",)

    @get("/api/v1/health", summary="Is the server alive?", responses=PROBLEMS)
    async def health(self, pit: ThePit) -> HealthForm:
        """Return the server's health, after reading the database. Whether people can play is
        reported by `/ready`."""
        await pit.blocking(lambda: pit.journal.head("health"))
        probe = await pit.probe()
        state = "low" if probe.is_low else "ok"
        return HealthForm(
            "ok" if probe.is_ready and not probe.is_low else "impaired",
            __version__,
            len(list(pit.tables)),
            state if probe.is_ready else "unwritable",
            pit.program_state,
            "" if state == "ok" and probe.is_ready else probe.words,
        )

    @get("/api/v1/ready", summary="Can people play?", responses=PROBLEMS)
    async def ready(self, pit: ThePit) -> ReadyForm:
        """Write a row to the journal's database; answer 503 if the disk is full or the database
        cannot be reached."""
        probe = await pit.probe()
        if not probe.is_ready:
            raise JournalUnavailable(probe.words)
        return ReadyForm("ready", probe.words, probe.disk_free_bytes)

    @get("/metrics", include_in_schema=False)
    async def metrics(self, request: AnyRequest) -> Response[str]:
        """Return the figures of all workers of this server in the Prometheus text format. Allowed
        from this machine, and for the roles that read the whole journal."""
        visit = visit_of(request)
        role = visit.person.role if visit.person is not None and not visit.person.guest else ""
        if visit.address not in LOCAL and role not in READ_THE_JOURNAL:
            raise Denied("figures are for this machine, operators and auditors", code="wrong_role")
        services: Services = request.app.state.services
        return Response(metrics_text(await services.figures_of_all()), media_type=MEDIA_TYPE)
