"""Which test holds which clause, as the tests themselves say."""

from __future__ import annotations

import pytest

CLAUSES = pytest.StashKey[dict[str, str] | None]()
"""What `clauses_held` returned, where a run collected all tests."""


def clauses_held(items: list[pytest.Item]) -> dict[str, str]:
    """Which test holds which clause: a table of text for each document. A row of a clause table
    counts as a test of its own; the parameters of other tests are left out."""
    rows = {
        (mark.args[0], clause, _name_of(item))
        for item in items
        for mark in item.iter_markers("clause")
        for clause in mark.args[1:]
    }
    tables: dict[str, str] = {}
    for document in sorted({document for document, _, _ in rows}):
        held = sorted((clause, test) for this, clause, test in rows if this == document)
        tables[document] = "\n".join(["clause\ttest", *("\t".join(row) for row in held)]) + "\n"
    return tables


def _name_of(item: pytest.Item) -> str:
    name, _, parameters = item.nodeid.partition("[")
    return item.nodeid if parameters and name.endswith("::test_clause") else name
