"""The regulator's approvals that a table needs, and those that a submission names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final, Literal

from croupier.errors import shown, suggest
from croupier.rulebooks.equipment import dealing_name
from croupier.rulebooks.rules import Rules
from croupier.rulebooks.schema import Approval, Rulebook
from croupier.rulebooks.submission import ApprovalTerms, Submission
from croupier.submissions.findings import Finding, error

LINK: Final = "link"
"""The approval of a link with tables of another game title. Every document may have it."""


def needed_approvals(rules: Rules, source: Literal["virtual", "live"]) -> tuple[Approval, ...]:
    """What the document asks for, with these choices."""
    return tuple(one for one in rules.book.approvals if _is_needed(one, rules, source))


def _is_needed(one: Approval, rules: Rules, source: str) -> bool:
    if one.live and source != "live":
        return False
    if one.dealing and dealing_name(rules) not in one.dealing:
        return False
    return not one.option or rules.options.get(one.option) is True


def missing_approvals(
    rules: Rules, submission: Submission, source: Literal["virtual", "live"]
) -> list[Approval]:
    """Those that are needed, and not named or not as they must be."""
    good = {name for name, one in submission.approvals.items() if not any(_faults(name, one))}
    return [one for one in needed_approvals(rules, source) if one.name not in good]


def approval_findings(book: Rulebook, submission: Submission) -> Iterator[Finding]:
    clauses = {one.name: one.clause for one in book.approvals} | {LINK: book.link_clause}
    for name, given in submission.approvals.items():
        if name not in clauses:
            yield error(suggest("approval", name, clauses).message)
            continue
        for fault in _faults(name, given):
            yield error(fault, clauses[name])


def link_approval(submission: Submission) -> str:
    """As the link's journal keeps it; empty where none is named."""
    given = submission.approvals.get(LINK)
    if given is None or any(_faults(LINK, given)):
        return ""
    return f"{given.number}, {_day(given)}, {given.authority}"


def _faults(name: str, given: ApprovalTerms) -> Iterator[str]:
    """A number, a day and an authority, each in words that can be told."""
    for part in ("number", "authority"):
        value = getattr(given, part)
        is_there = isinstance(value, str | int) and not isinstance(value, bool)
        text = str(value).strip() if is_there else ""
        if not text or len(text) > 100 or not text.isprintable():
            what = "left out" if value is None else f"{shown(value)}, which is not one"
            yield f"approvals.{name}.{part} is {what}"
    if _day(given) is None:
        what = "left out" if given.date is None else f"{shown(given.date)}, which is no day"
        yield f"approvals.{name}.date is {what}: write it as 2026-11-15"


def _day(given: ApprovalTerms) -> date | None:
    if isinstance(given.date, date):
        return given.date
    try:
        return date.fromisoformat(given.date) if isinstance(given.date, str) else None
    except ValueError:
        return None
