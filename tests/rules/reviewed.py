"""The words of guided duties as a person has read them against their clauses.

`python -m tests.rules.reviewed` writes `reviewed_duties/` anew. Read the difference: a word more or
less can tell a dealer the opposite.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from croupier.reports.answers import answers_of
from croupier.rulebooks.clauses import DOCUMENTS
from croupier.rulebooks.duties import Duty, all_duties

FOLDER = Path(__file__).parent / "reviewed_duties"


def lines(document: str) -> list[str]:
    """The duties of guided clauses as they are now."""
    answers = answers_of(document)
    return [
        _line(duty)
        for duty in all_duties(document)
        if duty.clause in answers and answers[duty.clause].status == "guided"
    ]


@cache
def written(document: str) -> dict[str, list[str]]:
    """The lines as they were read, by clause."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / f"{document}.tsv").read_text("utf-8").splitlines():
        found.setdefault(line.split("\t")[0], []).append(line)
    return found


def _line(duty: Duty) -> str:
    step = f"{duty.step} ({duty.at})" if duty.at else duty.step
    second = f"{duty.role} with {duty.second}" if duty.second else duty.role
    return "\t".join((duty.clause, second, step, duty.words))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for document in DOCUMENTS:
        text = "".join(f"{line}\n" for line in lines(document))
        (FOLDER / f"{document}.tsv").write_text(text, "utf-8")
