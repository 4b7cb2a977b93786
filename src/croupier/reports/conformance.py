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
from croupier.reports.screens import reached
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.duties import Duty, all_duties

__all__ = ["STATUSES", "Answer", "Status", "matrix", "summary"]


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """`by` names the code or data; `reason` why a clause does not apply. `reached`: for each person
    with a duty here, the screen and the step where it is met."""

    kind: str
    status: Status
    by: str
    tests: tuple[str, ...]
    reason: str = ""
    reached: dict[str, str] = {}


@cache
def matrix(document: str) -> dict[str, Answer]:
    """Each clause in the order of the document. What nobody has answered is open, and so is what
    gives somebody a duty that he meets nowhere."""
    answers, tests = answers_of(document), holding_tests(document)
    nothing = Answered((), "open")
    duties: dict[str, list[Duty]] = {}
    for duty in all_duties(document):
        duties.setdefault(duty.clause, []).append(duty)
    found: dict[str, Answer] = {}
    for clause in clauses_of(document).values():
        answered = answers.get(clause.id, nothing)
        met = reached(duties.get(clause.id, ()))
        found[clause.id] = Answer(
            kind=clause.kind,
            status=answered.status if all(met.values()) else "open",
            by=answer_text(document, clause.id),
            tests=tests.get(clause.id, ()),
            reason=answered.reason,
            reached=met,
        )
    return found


def summary(document: str) -> dict[str, Counter[Status]]:
    """For each kind of clause, how many have which status."""
    counts: dict[str, Counter[Status]] = {}
    for answer in matrix(document).values():
        counts.setdefault(answer.kind, Counter())[answer.status] += 1
    return counts
