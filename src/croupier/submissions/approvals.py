"""The regulator's approvals that a table needs, and those that a submission states."""

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
"""The approval of a link with tables of another game title. A submission for any document may state
it."""


def needed_approvals(rules: Rules, source: Literal["virtual", "live"]) -> tuple[Approval, ...]:
    """Return the approvals that the document requires with these choices."""
    return tuple(
        approval for approval in rules.book.approvals if _is_needed(approval, rules, source)
    )


def _is_needed(approval: Approval, rules: Rules, source: str) -> bool:
    if approval.live and source != "live":
        return False
    if approval.dealing and dealing_name(rules) not in approval.dealing:
        return False
    return not approval.option or rules.options.get(approval.option) is True


def missing_approvals(
    rules: Rules, submission: Submission, source: Literal["virtual", "live"]
) -> list[Approval]:
    """Return the approvals that are needed but not stated, or stated incorrectly."""
    good = {
        name for name, approval in submission.approvals.items() if not any(_faults(name, approval))
    }
    return [approval for approval in needed_approvals(rules, source) if approval.name not in good]


def approval_findings(book: Rulebook, submission: Submission) -> Iterator[Finding]:
    clauses = {approval.name: approval.clause for approval in book.approvals} | {
        LINK: book.link_clause
    }
    for name, terms in submission.approvals.items():
        if name not in clauses:
            yield error(suggest("approval", name, clauses).message)
            continue
        for fault in _faults(name, terms):
            yield error(fault, clauses[name])


def link_approval(submission: Submission) -> str:
    """Return the link's approval as its journal records it, or an empty string if none is validly
    stated."""
    terms = submission.approvals.get(LINK)
    if terms is None or any(_faults(LINK, terms)):
        return ""
    return f"{terms.number}, {_day(terms)}, {terms.authority}"


def _faults(name: str, terms: ApprovalTerms) -> Iterator[str]:
    """Yield what is wrong with an approval: its number, date and authority must be present and
    printable."""
    for part in ("number", "authority"):
        value = getattr(terms, part)
        is_there = isinstance(value, str | int) and not isinstance(value, bool)
        text = str(value).strip() if is_there else ""
        if not text or len(text) > 100 or not text.isprintable():
            fault = "left out" if value is None else f"{shown(value)}, which is not one"
            yield f"approvals.{name}.{part} is {fault}"
    if _day(terms) is None:
        fault = "left out" if terms.date is None else f"{shown(terms.date)}, which is not a day"
        yield f"approvals.{name}.date is {fault}: write it as 2026-11-15"


def _day(terms: ApprovalTerms) -> date | None:
    if isinstance(terms.date, date):
        return terms.date
    try:
        return date.fromisoformat(terms.date) if isinstance(terms.date, str) else None
    except ValueError:
        return None
