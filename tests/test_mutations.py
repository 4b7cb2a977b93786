"""Break a rule, and the test that holds its clause must fail.

A sample of the rules that stand in the rulebook files: each is changed in a copy of the package,
and the tests marked with its clause are run against the copy. A mutant that survives is named.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from croupier.reports.answers import holding_tests
from croupier.rulebooks.bundled import read_bundled
from croupier.rulebooks.clauses import DOCUMENTS

ROOT = Path(__file__).parents[1]
SAMPLE = 12


class Mutant(NamedTuple):
    document: str
    clause: str
    place: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.document}-{self.clause}: {self.old.strip()} -> {self.new.strip()}"


def _one_more(match: re.Match[str]) -> str:
    return f'pays = "{int(match[1]) + 1} {match[2]} {match[3]}"'


_CHANGES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r'pays = "(\d+) (to|for) (\d+)"'), _one_more),
    (re.compile(r'effect = "goes_on"'), lambda _: 'effect = "void"'),
    (re.compile(r'card = "set_aside"'), lambda _: 'card = "next"'),
    (re.compile(r'do = "return"'), lambda _: 'do = "collect"'),
    (re.compile(r'do = "collect"'), lambda _: 'do = "return"'),
    (re.compile(r"cards = 3, clause"), lambda _: "cards = 2, clause"),
    (re.compile(r'to = \["players", "dealer"\]'), lambda _: 'to = ["dealer", "players"]'),
    (re.compile(r'to = \["burn"\]'), lambda _: 'to = ["discard"]'),
    (re.compile(r"minimum = (\d+)"), lambda m: f"minimum = {int(m[1]) - 1}"),
    (re.compile(r'bets = \{ "2x" = 2 \}'), lambda _: 'bets = { "2x" = 3 }'),
)


def _mutants(document: str) -> Iterator[Mutant]:
    """Every change of one line, with the clause that stands in it or just after."""
    lines = read_bundled(document, "game.toml").splitlines()
    for place, line in enumerate(lines):
        for pattern, change in _CHANGES:
            match = pattern.search(line)
            clause = _clause_near(lines, place)
            if match is not None and clause is not None:
                new = line[: match.start()] + change(match) + line[match.end() :]
                yield Mutant(document, clause, place, line, new)


def _clause_near(lines: list[str], place: int) -> str | None:
    for near in (place, place - 1, place - 2, place - 3, place - 4):
        if near < 0 or not lines[near].strip():
            return None
        if found := re.search(r'\bclause = "([^"]+)"', lines[near]):
            return found[1]
    return None


def _sample(seed: int) -> list[Mutant]:
    chosen: list[Mutant] = []
    for document in DOCUMENTS:
        every = [m for m in _mutants(document) if m.clause in holding_tests(document)]
        chosen += Random(f"{seed} {document}").sample(every, min(SAMPLE, len(every)))
    return chosen


@pytest.mark.full
@pytest.mark.parametrize("mutant", _sample(seed=1), ids=str)
def test_a_broken_rule_fails_the_test_of_its_clause(mutant: Mutant, tmp_path: Path) -> None:
    package = tmp_path / "src" / "croupier"
    shutil.copytree(
        ROOT / "src" / "croupier", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    path = package / "rulebooks" / mutant.document / "game.toml"
    lines = path.read_text("utf-8").splitlines()
    assert lines[mutant.place] == mutant.old
    lines[mutant.place] = mutant.new
    path.write_text("\n".join(lines) + "\n", "utf-8")
    tests = sorted(set(holding_tests(mutant.document)[mutant.clause]))
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{tmp_path / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
    )
    # Where the loader refuses the copy, the tests cannot even be collected.
    is_refused = ran.returncode in (2, 4) and "croupier.errors.BadData" in ran.stdout
    assert ran.returncode == 1 or is_refused, f"survived:\n{mutant}\n{ran.stdout[-500:]}"


def test_the_sample_is_there_to_be_broken() -> None:
    """Enough rules to choose from in every document, and each with a test to fail."""
    assert len(_sample(seed=1)) == SAMPLE * len(DOCUMENTS)
