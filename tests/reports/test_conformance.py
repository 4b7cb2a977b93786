"""The conformance matrix has no hole: every clause is there, every claim has a test behind it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from croupier.reports.conformance import STATUSES, matrix, summary, write_pages
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clauses_of
from tests.held import CLAUSES

ROOT = Path(__file__).parents[2]
COUNTS = {"md-uth": 294, "ma-uth": 150, "md-jackpot": 239, "md-wpt": 260, "md-235": 238}


@cache
def names_in(path: str) -> frozenset[str]:
    """The functions of a test module, and its texts: the rows of clause tables are among them."""
    nodes = list(ast.walk(ast.parse((ROOT / path).read_text("utf-8"))))
    functions = (node.name for node in nodes if isinstance(node, ast.FunctionDef))
    texts = (str(node.value) for node in nodes if isinstance(node, ast.Constant))
    return frozenset((*functions, *texts))


def test_all_1181_clauses_are_in_the_matrix() -> None:
    assert {document: len(matrix(document)) for document in DOCUMENTS} == COUNTS
    assert sum(COUNTS.values()) == 1181


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_clause_has_its_kind_and_a_known_status(document: str) -> None:
    for clause, answer in matrix(document).items():
        assert answer.kind == clauses_of(document)[clause].kind
        assert answer.status in STATUSES


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_enforced_clause_names_code_and_an_existing_test(document: str) -> None:
    for clause, answer in matrix(document).items():
        if answer.status == "enforced":
            assert answer.by, clause
            assert answer.tests, clause
        for test in answer.tests:
            path, _, name = test.partition("::")
            function, _, row = name.partition("[")
            assert function in names_in(path), f"{clause}: {test}"
            assert row.partition("-")[0].rstrip("]") in names_in(path) | {""}, f"{clause}: {test}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_does_not_apply_says_why(document: str) -> None:
    for clause, answer in matrix(document).items():
        assert bool(answer.reason) == (answer.status == "not_applicable"), clause


@pytest.mark.parametrize("document", DOCUMENTS)
def test_open_clauses_claim_nothing(document: str) -> None:
    assert not any(a.by for a in matrix(document).values() if a.status == "open")
    assert sum(sum(kinds.values()) for kinds in summary(document).values()) == COUNTS[document]


def test_the_pages_in_docs_are_those_of_the_present_matrix(tmp_path: Path) -> None:
    for page in write_pages(tmp_path):
        there = ROOT / "docs" / "conformance" / page.name
        assert there.read_text("utf-8") == page.read_text("utf-8"), "run `make conformance`"


def test_the_list_of_tests_is_what_the_tests_themselves_say(request: pytest.FixtureRequest) -> None:
    """Of those that pytest collected for this run, before it left the long ones out."""
    collected = request.config.stash[CLAUSES]
    if collected is None:
        pytest.skip("only where all tests are collected")
    for document in DOCUMENTS:
        kept = ROOT / "src/croupier/rulebooks" / document / "tests.tsv"
        assert kept.read_text("utf-8") == collected[document], "run `make conformance`"
