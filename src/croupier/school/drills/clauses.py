"""Clauses as choices: the clause that the engine cites, and others that it does not."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clause_named
from croupier.rulebooks.rules import Rules
from croupier.school.drills.drill import NoDrill, Option


def clause_choices(rules: Rules, right: str, others: Iterable[str]) -> tuple[Option, list[Option]]:
    """Return the right option and the wrong ones. A clause that contains the right one, or is part
    of it, is left out."""
    wrong = sorted(
        {candidate for candidate in others if candidate and not is_related(candidate, right)}
    )
    if not right or not wrong:
        raise NoDrill(f"no other clause of {rules.book.id} can be told from {right or 'none'}")
    gist = gist_of(rules, right)
    distinct = [candidate for candidate in wrong if not gist or gist_of(rules, candidate) != gist]
    return Option.of(told_clause(rules, right)), [
        Option.of(told_clause(rules, candidate)) for candidate in distinct
    ]


def is_related(first: str, second: str) -> bool:
    """Return whether two clauses are the same or one contains the other: 7.F(2) in 7.F."""
    short, long = sorted((first, second), key=len)
    return long.startswith(short) and long[len(short) : len(short) + 1] in ("", "(", "[", "'", ".")


def gist_of(rules: Rules, clause: str) -> str:
    """Return what the clause is about, in our words; empty for a game without a document."""
    if not clause or rules.book.id not in DOCUMENTS:
        return ""
    entry = clause_named(rules.book.id, clause)
    return "" if entry is None else entry.gist


def told_clause(rules: Rules, clause: str) -> str:
    gist = gist_of(rules, clause)
    return f"{clause}: {gist}" if gist else clause
