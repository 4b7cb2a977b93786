"""Every clause of every document with its kind, its status, what answers it, and its tests.

The answers are written by hand (`answers.toml` of each document). Which tests hold a clause is
collected from the tests' own `clause` marks into `tests.tsv` (`make conformance`), so a test and
the clause it holds cannot drift apart.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import msgspec

from croupier.reports.answers import (
    STATUSES,
    Answered,
    Status,
    answer_text,
    answers_of,
    holding_tests,
)
from croupier.rulebooks.clauses import clauses_of

__all__ = ["STATUSES", "Answer", "Status", "matrix", "summary"]


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """`by` names the code or data; `reason` why a clause does not apply."""

    kind: str
    status: Status
    by: str
    tests: tuple[str, ...]
    reason: str = ""


@cache
def matrix(document: str) -> dict[str, Answer]:
    """Each clause in the order of the document; what nobody has answered is open."""
    answers, tests = answers_of(document), holding_tests(document)
    nothing = Answered((), "open")
    return {
        clause.id: Answer(
            kind=clause.kind,
            status=answers.get(clause.id, nothing).status,
            by=answer_text(document, clause.id),
            tests=tests.get(clause.id, ()),
            reason=answers.get(clause.id, nothing).reason,
        )
        for clause in clauses_of(document).values()
    }


def summary(document: str) -> dict[str, Counter[Status]]:
    """For each kind of clause, how many have which status."""
    counts: dict[str, Counter[Status]] = {}
    for answer in matrix(document).values():
        counts.setdefault(answer.kind, Counter())[answer.status] += 1
    return counts
