"""What an answer names exists: places of the game file, symbols, readings, tests."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import croupier.reports.conformance as module
from croupier.errors import BadData
from croupier.reports.conformance import (
    Answered,
    Status,
    answer_problems,
    answer_text,
    answers_of,
    holding_tests,
    symbols,
    write_pages,
)
from croupier.rulebooks.bundled import DOCUMENTS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_name_in_every_answer_leads_somewhere(document: str) -> None:
    assert list(answer_problems(document)) == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_enforced_clause_is_told_with_a_symbol_or_a_place(document: str) -> None:
    for clause, answered in answers_of(document).items():
        if answered.status == "enforced":
            by = answer_text(document, clause)
            assert " in game.toml" in by or re.search(r"croupier(\.\w+)+:\w+", by), clause


def test_every_symbol_of_the_list_is_named_by_an_answer() -> None:
    named = {name for document in DOCUMENTS for a in answers_of(document).values() for name in a.by}
    assert {f"code:{name}" for name in symbols()} == {n for n in named if n.startswith("code:")}


def test_all_symbols_are_public_names_of_croupier() -> None:
    for symbol in symbols().values():
        assert re.fullmatch(r"croupier(\.[a-z]\w*)+:[A-Za-z]\w*(\.[a-z]\w*)?", symbol), symbol


def problems(*by: str, clause: str = "12.A", status: Status = "enforced") -> list[str]:
    return list(answer_problems("md-uth", [Answered((clause,), status, by)]))


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("game:wagers.anti", "md-uth 12.A: game.toml has nothing at 'wagers.anti'"),
        ("game:wagers..ante", "md-uth 12.A: game.toml has nothing at 'wagers..ante'"),
        ("game:", "md-uth 12.A: game.toml has nothing at ''"),
        ("game:guide[99]", "md-uth 12.A: game.toml has nothing at 'guide[99]'"),
        ("game:decisions.no_such", "md-uth 12.A: game.toml has nothing at 'decisions.no_such'"),
        ("code:made_up", "md-uth 12.A: code.toml has no 'made_up'"),
        ("reading:MD-999", "md-uth 12.A: there is no reading 'MD-999'"),
        ("reading:md-xyz/MD-48", "md-uth 12.A: there is no reading 'md-xyz/MD-48'"),
        (
            "croupier.rounds.settlement",
            "md-uth 12.A: 'croupier.rounds.settlement' is not a name: write game:, code: or "
            "reading: before it",
        ),
    ],
)
def test_a_made_up_name_is_found(name: str, problem: str) -> None:
    assert problems("game:wagers.ante", name) == [problem]


@pytest.mark.parametrize(
    "symbol",
    [
        "croupier.rounds.settlement:settel",
        "croupier.rounds.no_such_module:settle",
        "croupier.rulebooks.submission:Submission.paytabels",
        "croupier.rounds.settlement",
        "",
    ],
)
def test_a_made_up_symbol_is_found(symbol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "symbols", lambda: {"made_up": symbol})
    (problem,) = problems("code:made_up")
    assert problem.startswith(f"md-uth 12.A: there is no {symbol}: ")


def test_an_answer_that_names_nothing_is_found() -> None:
    for status in ("enforced", "guided", "shown"):
        assert problems("reading:progressive_hand", status=status)[0] == (
            f"md-uth 12.A: it is {status}, but no code and no place of the game is named"
        )
    assert problems(status="not_applicable") == []


def test_a_guided_clause_that_asks_nobody_is_found() -> None:
    assert problems("game:layout", clause="12.A", status="guided") == [
        "md-uth 12.A: it is guided, but nobody has a duty there"
    ]
    told = answer_text("md-uth", "9.A(2)(a)")
    assert told.endswith(
        "Dealer, with the step deal: Hold the deck in that same hand for the whole round."
    )


def test_an_enforced_clause_without_a_test_is_found() -> None:
    assert problems("game:layout", clause="2.B(10)") == [
        "md-uth 2.B(10): it is enforced, but no test holds it"
    ]


def test_the_answer_shows_the_lines_that_carry_the_clause() -> None:
    assert answer_text("md-uth", "12.C(3)").startswith("paytables.trips.C in game.toml; croupier.")
    assert answer_text("md-uth", "11.C").startswith("reveals in game.toml; ")
    assert answer_text("md-uth", "no such clause") == ""


def test_no_page_is_written_while_a_name_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "symbols", lambda: {})
    with pytest.raises(BadData, match=r"code\.toml has no 'settle'"):
        write_pages(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_the_tests_of_a_clause_run_the_code_that_its_answer_names(tmp_path: Path) -> None:
    """At least one symbol of each answer: another may be cached or serve another way to play."""
    tests = {test for name in DOCUMENTS for held in holding_tests(name).values() for test in held}
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"),
            *("-p", "tests.reports.calls", f"--write-calls={tmp_path / 'calls.json'}"),
            *sorted({test.partition("::")[0] for test in tests}),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-2000:]
    calls = json.loads((tmp_path / "calls.json").read_text("utf-8"))
    idle = []
    for document in DOCUMENTS:
        for clause, answered in answers_of(document).items():
            named = {name.removeprefix("code:") for name in answered.by if name.startswith("code:")}
            run = {name for test in holding_tests(document).get(clause, ()) for name in calls[test]}
            if answered.status == "enforced" and not named & run:
                idle.append(f"{document} {clause}: {sorted(named)} are not run, but {sorted(run)}")
    assert idle == []
