"""Compiling ahead in a second process: taken over when it went well, forgotten when it did not."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.mathematics.holdem import compile_ahead, kernels

Started = list[subprocess.Popen[bytes]]


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Started:
    """As on the first use: no kernel's index is there, and the second process writes one."""
    index = tmp_path / "numba" / "sweep.nbi"
    monkeypatch.setattr(compile_ahead, "_index", lambda _kernel: index)
    monkeypatch.setattr(compile_ahead, "cores", lambda: 2)
    processes = Started()

    def remembered(*given: Any, **more: Any) -> Any:
        processes.append(subprocess.Popen(*given, **more))
        return processes[-1]

    own = SimpleNamespace(**{**vars(subprocess), "Popen": remembered})
    monkeypatch.setattr(compile_ahead, "subprocess", own)
    return processes


def program(*, makes: bool = True, waits: float = 0, sleeps: int = 0) -> str:
    made = (
        "(folder / 'sweep.nbi').write_text('index')\n"
        f"time.sleep({waits})\n"
        "(folder / 'sweep.1.nbc').write_text('code')\n"
    )
    return (
        "import os, pathlib, time\n"
        "folder = pathlib.Path(os.environ['NUMBA_CACHE_DIR'], 'holdem_1')\n"
        "folder.mkdir()\n"
        f"{made if makes else ''}"
        f"time.sleep({sleeps})\n"
    )


def need(kernel: Any = compile_ahead._KERNELS[0]) -> None:
    """As numba does when a kernel is called for the first time."""
    for hook in kernels._hooks:
        hook(kernel)


@pytest.mark.parametrize("waits", [0, 0.5], ids=["at once", "index first, code later"])
def test_what_was_compiled_is_taken_over_when_it_is_needed(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: float
) -> None:
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program(waits=waits, sleeps=600))
    with compile_ahead.second_process():
        assert compile_ahead.is_first_use()
        need(kernel=need)  # one that is not compiled ahead
        assert not (tmp_path / "numba").exists()
        need()
        assert not compile_ahead.is_first_use()
    assert sorted(path.name for path in (tmp_path / "numba").iterdir()) == [
        "sweep.1.nbc",
        "sweep.nbi",
    ]
    with compile_ahead.second_process():
        pass
    assert len(started) == 1
    assert not kernels._hooks


def test_a_block_within_a_block_has_the_same_process(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program(sleeps=600))
    with compile_ahead.second_process():
        with compile_ahead.second_process():
            pass
        assert started[0].poll() is None
        need()
    assert len(started) == 1
    assert (tmp_path / "numba" / "sweep.nbi").exists()


def test_a_process_that_makes_nothing_is_not_waited_for(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program(makes=False))
    with compile_ahead.second_process():
        need()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    with compile_ahead.second_process():
        need()
    assert len(started) == 1
    assert not (tmp_path / "numba").exists()


@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_no_process_outlives_its_block(
    started: Started, monkeypatch: pytest.MonkeyPatch, error: type[BaseException] | None
) -> None:
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program(sleeps=600))
    with suppress(KeyboardInterrupt), compile_ahead.second_process():
        if error is not None:
            raise error
    assert [process.returncode for process in started] == [-9]


_FIRST_USE = """
from croupier.mathematics.holdem import compile_ahead
from croupier.mathematics.holdem.figures import holdem_figures
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

compile_ahead.cores = lambda: 2
print(holdem_figures(put_in_force(load_rulebook("md-uth"), Submission())).expected_value)
for kernel in compile_ahead._KERNELS:
    print(kernel.__name__, *kernel.stats.cache_hits.values(), *kernel.stats.cache_misses.values())
"""


@pytest.mark.full
def test_the_second_process_compiles_what_a_game_needs(tmp_path: Path) -> None:
    """With the same types: else it would all be compiled once more, and nobody would notice."""
    empty = {"NUMBA_CACHE_DIR": str(tmp_path / "numba"), "CROUPIER_CACHE_DIR": str(tmp_path / "c")}
    env = {**os.environ, **empty}
    said = subprocess.run(
        [sys.executable, "-c", _FIRST_USE], env=env, check=True, capture_output=True, text=True
    )
    value, *kernels_used = said.stdout.splitlines()
    assert value == "-50643648973/2317817502000"
    assert kernels_used == [f"{kernel.__name__} 1" for kernel in compile_ahead._KERNELS]


def test_numba_keeps_its_index_where_we_look() -> None:
    """The names are numba's own and not public: this fails when they change."""
    compile_ahead.compile_later_kernels()
    for kernel in compile_ahead._KERNELS:
        index = compile_ahead._index(kernel)
        assert index is not None
        assert index.exists()


def test_an_index_of_another_version_is_passed_over() -> None:
    """It names records that are gone: numba would fall over it before it sees that it is old."""

    class File:
        def _load_index(self) -> dict[str, str]:
            raise ModuleNotFoundError("croupier.mathematics.gone")

    compiled = SimpleNamespace(_cache=SimpleNamespace(_cache_file=File()))
    kernels._load_index_safely(compiled)
    assert compiled._cache._cache_file._load_index() == {}
