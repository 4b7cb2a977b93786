"""`croupier warm`: what it has compiled, no command on a bundled game compiles again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.commands import app, operations
from croupier.mathematics.kernels import first_use
from croupier.mathematics.kernels.code_store import code_folder
from croupier.mathematics.kernels.listed import (
    ListedKernel,
    compile_kernels,
    listed_kernels,
    standalone,
)
from croupier.mathematics.kernels.signatures import examples, signature_of
from croupier.rulebooks.bundled import BUNDLED
from tests.commands.program import croupier

QUICK = ("md-uth", "md-235", "three-card-poker", "high-card-flush")

_CALLED = """
import json, sys
from contextlib import redirect_stdout
from croupier.commands.app import run
from croupier.mathematics.kernels.listed import compiled_so_far, listed_kernels

with open("/dev/null", "w") as nowhere, redirect_stdout(nowhere):
    for book in sys.argv[1:]:
        assert run(["analyze", book, "--json"]) == 0
called = compiled_so_far()
print(json.dumps({"called": len(called), "missing": list(set(called) - set(listed_kernels()))}))
"""


@pytest.fixture(scope="module", autouse=True)
def warm_kernels() -> None:
    """A kernel that is compiled now also shows those that it calls, which are not listed."""
    assert croupier("warm").code == 0


def called_by(tmp_path: Path, *books: str) -> dict[str, list[str]]:
    """The kernels that are not in the list, of those that these games call in a new process."""
    env = {**os.environ, "CROUPIER_CACHE_DIR": str(tmp_path)}
    command = (sys.executable, "-c", _CALLED, *books)
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    called: dict[str, list[str]] = json.loads(done.stdout)
    return called


def test_kernels_of_some_games_are_listed(tmp_path: Path) -> None:
    called = called_by(tmp_path, *QUICK)
    assert not called["missing"], "run `make kernels`"
    assert called["called"]


@pytest.mark.full
@pytest.mark.parametrize("book", sorted(set(BUNDLED) - set(QUICK)))
def test_the_kernels_of_every_game_are_listed(tmp_path: Path, book: str) -> None:
    assert not called_by(tmp_path, book)["missing"], "run `make kernels`"


def test_what_is_compiled_is_not_compiled_again() -> None:
    again = croupier("warm", "--json")
    assert (again.code, again.json) == (0, {"kernels": len(listed_kernels()), "compiled": 0})
    assert croupier("warm").text.endswith("kernels are ready, 0 of them compiled now.\n")


def test_types_survive_being_written_down() -> None:
    for listed in listed_kernels():
        assert signature_of(examples(listed.signature)) == listed.signature


def test_several_processes_compile_into_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    code_folder.cache_clear()
    try:
        alone = sorted(standalone(listed_kernels()), key=lambda listed: len(listed.signature))[:2]
        kept = ListedKernel("croupier.ranking.fast:_key_of", "uint64")
        assert sorted(compile_kernels([*alone, kept], 2)) == [True] * 3
        assert sorted(compile_kernels([*alone, kept], 2)) == [False] * 3
    finally:
        code_folder.cache_clear()


@pytest.mark.parametrize("terminal", [True, False])
def test_people_are_told_that_a_first_use_compiles(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    terminal: bool,
) -> None:
    monkeypatch.setattr(operations, "_reported", [])
    monkeypatch.setattr(first_use, "_listeners", [app._on_first_use])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setattr("croupier.mathematics.kernels.listed.listed_kernels", list)
    first_use.note_missing("numba")
    first_use.note_missing("standalone")
    said = capsys.readouterr().err
    assert said.count("first use: compiling") == terminal


_COUNTED = """
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple
from croupier.mathematics.kernels.decorators import kernel

class {record}(NamedTuple):
    number: int

@kernel
def count(record):
    return record.number

def count_in_threads():
    with ThreadPoolExecutor(4) as pool:
        print(max(pool.map(count, [{record}(3)] * 4)))
"""


def test_an_index_that_names_a_former_record_is_passed_over(tmp_path: Path) -> None:
    """Numba unpickles it before it looks whether it is out of date."""
    env = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "numba"),
        "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path)),
    }
    for record in ("Former", "Later"):
        (tmp_path / "counted.py").write_text(_COUNTED.format(record=record))
        command = [sys.executable, "-c", "import counted; counted.count_in_threads()"]
        done = subprocess.run(command, env=env, check=False, capture_output=True, text=True)
        assert (done.stdout, done.stderr) == ("3\n", "")
    assert len(list(tmp_path.rglob("counted.count-*.nbi"))) == 1
