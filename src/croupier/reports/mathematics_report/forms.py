"""The forms of a report, by the ending of the file's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from croupier.errors import BadRequest, plain
from croupier.reports.mathematics_report.as_html import html_report
from croupier.reports.mathematics_report.as_pdf import pdf_report
from croupier.reports.mathematics_report.as_xlsx import load_xlsxwriter, xlsx_report
from croupier.reports.mathematics_report.record import Report
from croupier.reports.sheets import load_typst


def _json(report: Report) -> bytes:
    return msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"


FORMS: Final[dict[str, Callable[[Report], bytes]]] = {
    ".pdf": pdf_report,
    ".xlsx": xlsx_report,
    ".html": html_report,
    ".json": _json,
}

_NEEDS: Final[dict[str, Callable[[], object]]] = {".pdf": load_typst, ".xlsx": load_xlsxwriter}
"""Packages of the extra `reports`, so that a missing one is reported before any work is done."""


def form_of(path: Path) -> Callable[[Report], bytes]:
    """Return the function that makes the bytes of such a file."""
    form = FORMS.get(path.suffix.lower())
    if form is None:
        *some, last = FORMS
        raise BadRequest(
            f"--to {plain(path, 200)}: a report is written as {', '.join(some)} or {last}, by the "
            "ending of the file's name"
        )
    if path.suffix.lower() in _NEEDS:
        _NEEDS[path.suffix.lower()]()
    return form
