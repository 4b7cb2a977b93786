"""The report of a table that somebody designs: a minute of work, in a process of its own."""

from __future__ import annotations

from typing import Final

from croupier.web.beside import Beside
from croupier.web.design_forms import ReportFile, WantedReport
from croupier.web.problems import Overloaded

__all__ = ["DesignReports"]

MOST_WAITING: Final = 2


class DesignReports(Beside[WantedReport, ReportFile]):
    remembered = 4  # a megabyte each

    def __init__(self) -> None:
        super().__init__(made_report)

    async def ask(self, question: WantedReport, patience: float = 1.0) -> ReportFile | None:
        if not self.knows(question) and self.waiting(question) >= MOST_WAITING:
            raise Overloaded("other reports are being made: try again in a minute")
        return await super().ask(question, patience)


def made_report(asked: WantedReport) -> ReportFile:
    """In the process beside the server, which alone loads the solvers."""
    from croupier.web.design_work import report_file

    return report_file(asked.table, asked.name, asked.date)
