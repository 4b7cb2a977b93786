"""Clause tables: one row for each thing that a document's clauses ask for, checked by a helper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeAlias

import pytest

Check: TypeAlias = Callable[[], None]


def clause_table(document: str, rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The parameters of `test_clause`, one for each row, with the row's name as its id.

    A row is a name, the clauses that it holds, a check, and the arguments of the check after the
    document. A row that begins with a tuple of ways to deal is checked for each of them; the way is
    then the check's second argument.
    """
    return [
        pytest.param(
            partial(check, document, *arguments),
            marks=pytest.mark.clause(document, *clauses.split()) if clauses else (),
            id=name,
        )
        for row in rows
        for name, clauses, check, *arguments in _each_dealing(row)
    ]


def _each_dealing(row: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(row[0], str):
        yield row
        return
    dealings, name, clauses, check, *arguments = row
    for dealing in dealings:
        yield f"{name}-{dealing}", clauses, check, dealing, *arguments
