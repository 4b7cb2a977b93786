"""Conformance: every clause with its kind, status, answer, and tests.

The answers are written by hand (`answers.toml` of each document). The tests that hold a clause are
collected from their `clause` marks into `tests.tsv` (`make conformance`), so that a test and its
clause cannot drift apart.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import msgspec

from croupier.reports.answers import (
    Answered,
    Status,
    answer_text,
    answers_of,
    holding_tests,
)
from croupier.reports.screens import reached
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.duties import Duty, all_duties


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """`by` names the code or data; `reason` says why a clause does not apply. `reached`: for each
    person with a duty here, the screen and step that show it."""

    kind: str
    status: Status
    by: str
    tests: tuple[str, ...]
    reason: str = ""
    reached: dict[str, str] = {}


@cache
def matrix(document: str) -> dict[str, Answer]:
    """Return the answer to each clause in the order of the document. A clause without an answer is
    open, and so is one with a duty that no screen shows."""
    answers, tests = answers_of(document), holding_tests(document)
    nothing = Answered((), "open")
    duties: dict[str, list[Duty]] = {}
    for duty in all_duties(document):
        duties.setdefault(duty.clause, []).append(duty)
    matrix_rows: dict[str, Answer] = {}
    for clause in clauses_of(document).values():
        answered = answers.get(clause.id, nothing)
        met = reached(duties.get(clause.id, ()))
        matrix_rows[clause.id] = Answer(
            kind=clause.kind,
            status=answered.status if all(met.values()) else "open",
            by=answer_text(document, clause.id),
            tests=tests.get(clause.id, ()),
            reason=answered.reason,
            reached=met,
        )
    return matrix_rows


def summary(document: str) -> dict[str, Counter[Status]]:
    """Count the clauses by kind and status."""
    counts: dict[str, Counter[Status]] = {}
    for answer in matrix(document).values():
        counts.setdefault(answer.kind, Counter())[answer.status] += 1
    return counts
