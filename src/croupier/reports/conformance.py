"""Every clause of every document with what answers it.

The answers are written by hand (`answers/*.toml`): which clauses, their status and the code or data
that makes it so. Which tests hold a clause is collected from the tests' own `clause` marks into
`answers/tests.tsv` (`make conformance`), so a test and the clause it holds cannot drift apart.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

import msgspec

from croupier.errors import BadData
from croupier.rulebooks.clauses import clauses_of

__all__ = ["STATUSES", "Answer", "Status", "matrix", "summary"]

Status: TypeAlias = Literal["open", "enforced", "guided", "shown", "not_applicable"]
STATUSES: Final[tuple[Status, ...]] = ("enforced", "guided", "shown", "not_applicable", "open")


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """`by` names the code or data; `reason` why a clause does not apply."""

    kind: str
    status: Status
    by: str
    tests: tuple[str, ...]
    reason: str = ""


class _Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clauses: tuple[str, ...]
    status: Status
    by: str = ""
    reason: str = ""


class _Answers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    answers: tuple[_Group, ...]


@cache
def matrix(document: str) -> dict[str, Answer]:
    """Each clause in the order of the document; what nobody has answered is open."""
    groups: dict[str, _Group] = {}
    for group in _read(document).answers:
        for clause in group.clauses:
            if clause in groups:
                raise BadData(f"answers/{document}.toml answers {clause} twice")
            groups[clause] = group
    unknown = groups.keys() - clauses_of(document).keys()
    if unknown:
        raise BadData(f"answers/{document}.toml answers {sorted(unknown)}, which do not exist")
    tests = _tests()
    nothing = _Group((), "open")
    return {
        clause.id: Answer(
            kind=clause.kind,
            status=groups.get(clause.id, nothing).status,
            by=groups.get(clause.id, nothing).by,
            tests=tests.get((document, clause.id), ()),
            reason=groups.get(clause.id, nothing).reason,
        )
        for clause in clauses_of(document).values()
    }


def summary(document: str) -> dict[str, Counter[Status]]:
    """For each kind of clause, how many have which status."""
    counts: dict[str, Counter[Status]] = {}
    for answer in matrix(document).values():
        counts.setdefault(answer.kind, Counter())[answer.status] += 1
    return counts


def _read(document: str) -> _Answers:
    path = files(__package__).joinpath("answers", f"{document}.toml")
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), _Answers)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadData(f"answers/{document}.toml: {error}") from None


@cache
def _tests() -> dict[tuple[str, str], tuple[str, ...]]:
    text = files(__package__).joinpath("answers", "tests.tsv").read_text("utf-8")
    found: dict[tuple[str, str], list[str]] = {}
    for line in text.splitlines()[1:]:
        document, clause, test = line.split("\t")
        found.setdefault((document, clause), []).append(test)
    return {key: tuple(names) for key, names in found.items()}
