"""Clauses as choices: the one that the engine cites, and others that it does not."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clause_named
from croupier.rulebooks.rules import Rules
from croupier.school.drills.drill import NoDrill, Option

__all__ = ["clause_choices", "gist_of", "told_clause"]


def clause_choices(rules: Rules, right: str, others: Iterable[str]) -> tuple[Option, list[Option]]:
    """A clause that is part of the right one, or that it is part of, is no wrong answer, and is
    left out."""
    wrong = sorted({one for one in others if one and not is_related(one, right)})
    if not right or not wrong:
        raise NoDrill(f"no other clause of {rules.book.id} can be told from {right or 'none'}")
    gist = gist_of(rules, right)
    told = [one for one in wrong if not gist or gist_of(rules, one) != gist]
    return Option.of(told_clause(rules, right)), [
        Option.of(told_clause(rules, one)) for one in told
    ]


def is_related(one: str, other: str) -> bool:
    """The same clause, or one within the other: 7.F(2) in 7.F."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and long[len(short) : len(short) + 1] in ("", "(", "[", "'", ".")


def gist_of(rules: Rules, clause: str) -> str:
    """What the clause is about, in our words; empty where no document is behind the game."""
    if not clause or rules.book.id not in DOCUMENTS:
        return ""
    found = clause_named(rules.book.id, clause)
    return "" if found is None else found.gist


def told_clause(rules: Rules, clause: str) -> str:
    gist = gist_of(rules, clause)
    return f"{clause}: {gist}" if gist else clause
