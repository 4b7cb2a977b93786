"""Which test holds which clause, as the tests themselves say."""

from __future__ import annotations

import pytest

__all__ = ["CLAUSES", "clauses_held"]

CLAUSES = pytest.StashKey[dict[str, str] | None]()
"""What `clauses_held` found, where a run collected all tests."""


def clauses_held(items: list[pytest.Item]) -> dict[str, str]:
    """Which test holds which clause: a table of text for each document."""
    rows = {
        (mark.args[0], clause, item.nodeid.partition("[")[0])
        for item in items
        for mark in item.iter_markers("clause")
        for clause in mark.args[1:]
    }
    told: dict[str, str] = {}
    for document in sorted({document for document, _, _ in rows}):
        found = sorted((clause, test) for this, clause, test in rows if this == document)
        told[document] = "\n".join(["clause\ttest", *("\t".join(row) for row in found)]) + "\n"
    return told
