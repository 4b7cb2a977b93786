"""`croupier conformance`: what answers each clause."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.table import Table
from rich.text import Text

from croupier.commands.output import console, print_json
from croupier.errors import BadData, suggest
from croupier.reports.conformance import STATUSES, matrix, summary
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clauses_of

__all__ = ["run"]

_STYLES = {"enforced": "green", "guided": "green", "shown": "green", "open": "yellow"}


def run(rulebook: str | None, *, write: Path | None, as_json: bool) -> int:
    if rulebook is not None and rulebook not in DOCUMENTS:
        raise suggest("rulebook", rulebook, DOCUMENTS)
    documents = [rulebook] if rulebook else list(DOCUMENTS)
    if write is not None:
        _write(write)
    if as_json:
        print_json({document: msgspec.to_builtins(matrix(document)) for document in documents})
        return 0
    for document in documents:
        console().print(_summary(document))
    if rulebook is not None:
        console().print(_clauses(rulebook))
    return 0


def _write(folder: Path) -> None:
    from croupier.reports.conformance import write_pages

    try:
        write_pages(folder)
    except OSError as error:
        raise BadData(f"{folder} cannot be written: {error.strerror}") from None


def _summary(document: str) -> Table:
    drawn = Table(title=document, title_justify="left", title_style="bold", show_footer=True)
    counts = summary(document)
    drawn.add_column("kind", footer="all")
    for status in STATUSES:
        total = sum(kinds[status] for kinds in counts.values())
        drawn.add_column(status.replace("_", " "), justify="right", footer=str(total))
    total = sum(sum(kinds.values()) for kinds in counts.values())
    drawn.add_column("clauses", justify="right", footer=str(total))
    for kind, kinds in sorted(counts.items()):
        cells = [str(kinds[status] or "") for status in STATUSES]
        drawn.add_row(kind, *cells, str(sum(kinds.values())))
    return drawn


def _clauses(document: str) -> Table:
    drawn = Table("clause", "kind", "status", "what it is about", "answered by", "tests")
    clauses = clauses_of(document)
    for clause, answer in matrix(document).items():
        drawn.add_row(
            clause,
            answer.kind,
            Text(answer.status.replace("_", " "), style=_STYLES.get(answer.status, "")),
            clauses[clause].gist,
            answer.by or answer.reason,
            str(len(answer.tests) or ""),
        )
    return drawn
