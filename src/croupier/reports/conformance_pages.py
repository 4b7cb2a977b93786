"""The conformance report as Markdown pages that a regulator can read."""

from __future__ import annotations

from pathlib import Path

from croupier.errors import BadData
from croupier.reports.answers import answer_problems
from croupier.reports.conformance import STATUSES, Answer, matrix, summary
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.loader import load_rulebook

__all__ = ["write_pages"]

_MEANING = """\
| status | meaning |
| --- | --- |
| enforced | the software makes it so, and a test fails when it does not |
| guided | the software asks for it, records who did it, and waits until it is done |
| shown | a screen, sign or report carries it |
| not applicable | with the reason |
| open | not answered yet |
"""


def write_pages(folder: Path) -> list[Path]:
    """An overview and a page for each document; the files written.

    Nothing is written while an answer names something that does not exist.
    """
    problems = [problem for document in DOCUMENTS for problem in answer_problems(document)]
    if problems:
        raise BadData("the answers name what does not exist:\n  " + "\n  ".join(problems))
    folder.mkdir(parents=True, exist_ok=True)
    pages = {folder / "README.md": _overview()}
    pages |= {folder / f"{document}.md": _page(document) for document in DOCUMENTS}
    for path, text in pages.items():
        path.write_text(text, "utf-8")
    return list(pages)


def _overview() -> str:
    head = " | ".join(status.replace("_", " ") for status in STATUSES)
    rows = []
    for document in DOCUMENTS:
        counts = [sum(kinds[status] for kinds in summary(document).values()) for status in STATUSES]
        cells = " | ".join(map(str, counts))
        rows.append(f"| [{document}]({document}.md) | {sum(counts)} | {cells} |")
    return (
        "# Conformance\n\n"
        "Written by `make conformance`; do not edit. What answers each clause of the five "
        "documents.\n\n"
        f"{_MEANING}\n"
        f"| document | clauses | {head} |\n| --- |{' ---: |' * (len(STATUSES) + 1)}\n"
        + "\n".join(rows)
        + "\n"
    )


def _page(document: str) -> str:
    book = load_rulebook(document).default
    answers = matrix(document)
    rows = [
        _row(clause.id, clause.gist, answers[clause.id]) for clause in clauses_of(document).values()
    ]
    return (
        f"# {book.title}, {book.jurisdiction} ({document})\n\n"
        f"{_by_kind(document)}\n"
        "| clause | kind | what it is about | status | answered by | reached | proven by |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n" + "\n".join(rows) + "\n"
    )


def _by_kind(document: str) -> str:
    head = " | ".join(status.replace("_", " ") for status in STATUSES)
    rows = [
        f"| {kind} | " + " | ".join(str(counts[status]) for status in STATUSES) + " |"
        for kind, counts in sorted(summary(document).items())
    ]
    return f"| kind | {head} |\n| --- |{' ---: |' * len(STATUSES)}\n" + "\n".join(rows) + "\n"


def _row(clause: str, gist: str, answer: Answer) -> str:
    tests = "<br>".join(f"`{test.rpartition('::')[2]}`" for test in answer.tests)
    by = answer.by or answer.reason
    met = "<br>".join(f"{role}, {place}" for role, place in answer.reached.items())
    cells = (clause, answer.kind, gist, answer.status.replace("_", " "), by, met, tests)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
