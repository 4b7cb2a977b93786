"""What all tests share: hypothesis' patience, and the marks that tie a test to a clause."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

# The key of the machine that runs the tests is none of theirs; child processes take the same one.
os.environ["CROUPIER_KEY_FILE"] = str(Path(tempfile.mkdtemp(prefix="croupier-key-"), "machine.key"))

settings.register_profile("croupier", deadline=None, derandomize=True)
settings.load_profile("croupier")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("markexpr") == "not full":
        _same_examples_everywhere()


def _same_examples_everywhere() -> None:
    """Hypothesis also tries the constants of all modules that happen to be imported by then. Which
    those are depends on the worker and on the tests before, so that one commit could pass here and
    fail there. `make test-full` keeps them: they find things."""
    none = providers._local_constants
    providers._get_local_constants = lambda: none


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--write-clauses",
        metavar="FOLDER",
        help="write which test holds which clause, into tests.tsv of each document's folder",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Collect `@pytest.mark.clause("md-uth", "12.B(1)", …)` before anything is deselected."""
    target = config.getoption("--write-clauses")
    if target is None:
        return
    rows = {
        (mark.args[0], clause, item.nodeid.partition("[")[0])
        for item in items
        for mark in item.iter_markers("clause")
        for clause in mark.args[1:]
    }
    for document in {document for document, _, _ in rows}:
        found = sorted((clause, test) for this, clause, test in rows if this == document)
        lines = ["clause\ttest", *("\t".join(row) for row in found)]
        path = Path(target, document, "tests.tsv")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
