"""The services of one server: created from its settings, started and stopped."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from anyio import to_thread

from croupier.ledger.history.search import index_by_time
from croupier.ledger.journal import open_journal
from croupier.runtime.house_terms import claim_chips
from croupier.runtime.player_questions import Played
from croupier.runtime.selfcheck import check_installation, note_program
from croupier.runtime.signing import JournalSigner
from croupier.web.accounts.guard import Buckets, Sessions
from croupier.web.accounts.people import People
from croupier.web.server.load import Load
from croupier.web.server.metrics import AllFigures, Metrics, SharedFigures, WorkerFigures
from croupier.web.server.settings import Settings
from croupier.web.server.solver_process import SolverPool
from croupier.web.solver.advice import Adviser
from croupier.web.solver.certificates import CertificateChecks
from croupier.web.solver.design import Designer, DesignReports
from croupier.web.solver.practice import Practice
from croupier.web.solver.school import School
from croupier.web.solver.wager_figures import Figures
from croupier.web.tables.demo import open_demo_tables
from croupier.web.tables.pit import Pit
from croupier.web.tables.shoes import Shoes
from croupier.web.tables.verification import Verifications

DAY_SECONDS: Final = 86400
FIGURES_SECONDS: Final = 1.0
_log = logging.getLogger("croupier.web")


class Services:
    """The pit and the other services that requests use."""

    def __init__(self, settings: Settings, *, alone: bool = False) -> None:
        """Create the services; `alone` means that the process serves tables and does nothing
        else."""
        self.settings = settings
        self._alone = alone
        self.journal = open_journal(settings.database)
        self.journal.macs_to_write()
        claim_chips(self.journal, "play" if settings.demo else "money")
        index_by_time(self.journal)
        self.people = people = People(self.journal, settings)
        if settings.demo_tables:
            open_demo_tables(self.journal)
        self.pit = Pit(self.journal, people, settings)
        self.pools = self.pit.pools
        self.sessions = Sessions(people)
        self.pit.session_ended = self.sessions.forget_person
        self.buckets, self.load = Buckets(settings.throttles), Load(settings.throttles)
        self.metrics = Metrics()
        self.shared_figures = SharedFigures(settings.figures) if settings.figures else None
        self.verifications = Verifications(self.journal, settings.database)
        solvers = self.solvers = SolverPool()
        self.adviser, self.figures = Adviser(solvers.quick), Figures(solvers.quick)
        self.designer = Designer(solvers.designs)
        self.design_reports = DesignReports(solvers.long)
        self.certificate_checks = CertificateChecks(self.buckets, solvers.long)
        self.shoes = Shoes(self.journal)
        self.school = School(self.journal)
        self.practice = Practice(self.journal, solvers.quick)
        self.signer = JournalSigner(self.journal)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self.signer.start()
        await self.pit.start()
        tasks = [asyncio.create_task(self.load.watch())]
        if self._alone:
            _settle_the_process()
            tasks.append(asyncio.create_task(_keep_checking(self.pit)))
        if self.shared_figures is not None:
            tasks.append(asyncio.create_task(self._leave_figures()))
        if self.settings.prepares_advice:
            tasks.append(asyncio.create_task(self.adviser.prepare(_played(self.pit))))
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            self.solvers.close()
            self.verifications.close()
            if self.shared_figures is not None:
                self.shared_figures.close(self._own_figures())
            await self.pit.stop()
            await to_thread.run_sync(self.signer.stop)
            self.journal.close()

    def _own_figures(self) -> WorkerFigures:
        pit = self.pit
        tables = list(pit.tables)
        return self.metrics.figures(
            self.load,
            pit.pools,
            {
                "dealt_here": pit.dealt_here,
                "watching": sum(len(served.audience.subscribers) for served in tables),
                "is_ready": pit.last_probe is None or pit.last_probe.is_ready,
                "differs": pit.program_state == "differs",
                "tables_open": sum(served.table.is_open for served in tables),
                "seats": sum(len(served.table.seats) for served in tables),
                "rounds": sum(served.table.round.number for served in tables),
                "entries": sum(served.table.version for served in tables),
            },
        )

    async def figures_of_all(self) -> AllFigures:
        """Return the figures of this worker and of the others at the same address."""
        own = self._own_figures()
        if self.shared_figures is None:
            return AllFigures([own])
        return await to_thread.run_sync(self.shared_figures.exchange, own)

    async def _leave_figures(self) -> None:
        while True:
            try:
                await self.figures_of_all()
            except OSError:
                _log.exception("the figures of this worker cannot be written")
            await asyncio.sleep(FIGURES_SECONDS)


def _played(pit: Pit) -> list[Played]:
    """Return the games that the tables here play."""
    tables = [served.table for served in pit.tables]
    return [Played(table.rulebook, table.rulebook_text, table.submission) for table in tables]


def _settle_the_process() -> None:
    # These objects live as long as the process: searching them for garbage would only delay play.
    gc.collect()
    gc.freeze()
    # A thread that waited for the disk continues within a millisecond, even if the loop is busy.
    sys.setswitchinterval(0.001)


async def _keep_checking(pit: Pit) -> None:
    """Compare the program's files with those installed, at the start and once a day."""
    while True:
        try:
            check = await pit.looking_back(check_installation)
            await pit.looking_back(partial(note_program, pit.journal, check))
        except Exception:
            _log.exception("the program's files cannot be checked")
        else:
            pit.program_state = check.state
            if check.state == "differs":
                files = (*check.changed, *check.missing, *check.added)
                _log.error("the program is not as it was installed: %s", ", ".join(files[:20]))
        await asyncio.sleep(DAY_SECONDS)
