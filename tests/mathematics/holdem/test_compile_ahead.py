"""Compiling ahead in a second process: taken over when it went well, forgotten when it did not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.mathematics.holdem import compile_ahead, kernels

Started = list[subprocess.Popen[bytes]]


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Started:
    """As on the first use: no kernel's index is there, and the second process writes one."""
    monkeypatch.setattr(compile_ahead, "_index", lambda _kernel: tmp_path / "numba" / "sweep.nbi")
    monkeypatch.setattr(compile_ahead, "cores", lambda: 2)
    start, processes = compile_ahead._start, Started()

    def remembered(folder: str) -> Any:
        process = start(folder)
        if process is not None:
            processes.append(process)
        return process

    monkeypatch.setattr(compile_ahead, "_start", remembered)
    return processes


def program(*, fails: bool = False, sleeps: int = 0) -> str:
    return (
        "import os, pathlib, sys, time\n"
        "folder = pathlib.Path(os.environ['NUMBA_CACHE_DIR'], 'holdem_1')\n"
        "folder.mkdir()\n"
        "(folder / 'sweep.nbi').write_text('index')\n"
        "(folder / 'sweep.1.nbc').write_text('code')\n"
        f"time.sleep({sleeps})\n"
        f"sys.exit({int(fails)})\n"
    )


def test_what_was_compiled_is_taken_over(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program())
    with compile_ahead.second_process():
        assert compile_ahead.is_first_use()
    assert sorted(path.name for path in (tmp_path / "numba").iterdir()) == [
        "sweep.1.nbc",
        "sweep.nbi",
    ]
    assert not compile_ahead.is_first_use()
    with compile_ahead.second_process():
        pass
    assert len(started) == 1


def test_a_block_within_a_block_waits_for_the_same_process(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program())
    with compile_ahead.second_process():
        with compile_ahead.second_process():
            pass
        assert not compile_ahead.is_first_use()
    assert len(started) == 1
    assert (tmp_path / "numba" / "sweep.nbi").exists()


def test_a_process_that_fails_is_forgotten(
    started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program(fails=True))
    with compile_ahead.second_process():
        pass
    assert not (tmp_path / "numba").exists()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nowhere"))
    with compile_ahead.second_process():
        pass
    assert len(started) == 1


def test_no_process_outlives_an_error(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_ahead, "_PROGRAM", program(sleeps=600))
    with pytest.raises(KeyboardInterrupt), compile_ahead.second_process():
        raise KeyboardInterrupt
    assert [process.returncode for process in started] == [-9]


def test_numba_keeps_its_index_where_we_look() -> None:
    """The names are numba's own and not public: this fails when they change."""
    compile_ahead.sweep_once()
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
    kernels._forget_what_is_gone(compiled)
    assert compiled._cache._cache_file._load_index() == {}
