"""Kernels that run without numba: the same results, kept on disk under all they were made of."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np
import pytest

from croupier.mathematics.kernels import code_store, first_use
from croupier.mathematics.kernels.code_store import place_of, read_code
from croupier.mathematics.kernels.decorators import StandaloneKernel, part, standalone_kernel, whole
from croupier.mathematics.kernels.signatures import signature_of

Array = np.ndarray[Any, Any]


class Scales(NamedTuple):
    factor: int
    by_row: Array
    pairs: tuple[Array, Array]


@part
def scaled(value: int, scales: Scales, row: int) -> int:
    return whole(value * scales.factor * scales.by_row[row])


@standalone_kernel
def add_scaled(
    start: int, stop: int, scales: Scales, extra: Array | None, doubled: bool, out: Array
) -> None:
    """out[row] += the row's pairs, scaled."""
    first, second = scales.pairs
    for row in range(start, stop):
        for column in range(first.shape[1]):
            total = first[row, column] + second[row, column]
            if extra is not None:
                total += extra[row]
            out[row] += scaled(2 * total if doubled else total, scales, row)


@standalone_kernel
def make_room(size: int, out: Array) -> None:
    room = np.zeros(size, np.int64)
    for place in range(size):
        room[size - 1 - place] = place
    for place in range(size):
        out[place] = room[place]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    code_store.code_folder.cache_clear()
    yield tmp_path / "croupier"
    code_store.code_folder.cache_clear()


def scales() -> Scales:
    rng = np.random.default_rng(26)
    pairs = rng.integers(-99, 99, (5, 4)).astype(np.int16), rng.integers(-9, 9, (5, 4))
    return Scales(3, np.arange(5, dtype=np.int32), (pairs[0], pairs[1]))


def new_kernel() -> StandaloneKernel:
    """As in a new process."""
    return StandaloneKernel(cast(StandaloneKernel, add_scaled).py_func)


def expected(extra: Array | None, doubled: bool) -> list[int]:
    """Of the rows from 1 to 3."""
    first, second = scales().pairs
    total: Array = first.astype(np.int64) + second
    if extra is not None:
        total = total + extra[:, None]
    rows: Array = total.sum(axis=1) * 3 * scales().by_row * (2 if doubled else 1)
    return [0, *rows[1:4].tolist(), 0]


@pytest.mark.parametrize("extra", [None, np.arange(5)], ids=["no extra", "extra"])
@pytest.mark.parametrize("doubled", [False, True])
def test_a_kernel_reads_records_and_writes_arrays(
    folder: Path, extra: Array | None, doubled: bool
) -> None:
    out = np.zeros(5, np.int64)
    new_kernel()(1, 4, scales(), extra, doubled, out)
    assert out.tolist() == expected(extra, doubled)
    assert len(list(folder.iterdir())) == 1


def test_what_is_on_disk_is_not_compiled_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing: list[str] = []
    monkeypatch.setattr(first_use, "_listeners", [missing.append])
    arguments = (1, 4, scales(), None, False)
    for _ in range(2):
        new_kernel()(*arguments, np.zeros(5, np.int64))
    assert missing == ["standalone"]
    (file,) = folder.iterdir()
    code = file.read_bytes()
    file.write_bytes(code[:-1] + bytes([code[-1] ^ 1]))
    assert read_code(file) is None
    out = np.zeros(5, np.int64)
    new_kernel()(*arguments, out)
    assert out.tolist() == expected(None, False)
    assert read_code(file) is not None


_SOURCE = '''
FACTOR = {factor}

def helper(value):
    """{doc}"""
    return value * FACTOR {helper}

def kernel(value, out):
    for place in range(len(out)):
        out[place] = helper(value)
'''


def kernel_of(path: Path, **changes: object) -> FunctionType:
    path.write_text(_SOURCE.format(**{"factor": 2, "doc": "Twice.", "helper": "", **changes}))
    spec = spec_from_file_location("edited", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    exec(compile(path.read_text(), path, "exec"), vars(module))
    return cast(FunctionType, module.kernel)


def test_an_edit_of_what_a_kernel_uses_compiles_it_again(tmp_path: Path) -> None:
    path, signature = tmp_path / "edited.py", signature_of((1, np.zeros(2)))
    place = place_of(kernel_of(path), signature)
    assert place_of(kernel_of(path), signature) == place
    assert place_of(kernel_of(path, doc="Two times."), signature) == place
    assert place_of(kernel_of(path, factor=3), signature) != place
    assert place_of(kernel_of(path, helper="+ 1"), signature) != place
    assert place_of(kernel_of(path), signature_of((1, np.zeros(2, np.int8)))) != place


def test_another_version_of_a_kernel_takes_the_place_of_the_former(folder: Path) -> None:
    path, out = folder.parent / "edited.py", np.zeros(2, np.int64)
    for factor in (2, 3):
        function = kernel_of(path, factor=factor)
        function.__globals__["helper"] = part(function.__globals__["helper"])
        StandaloneKernel(function)(5, out)
        assert out.tolist() == [5 * factor] * 2
        assert len(list(folder.iterdir())) == 1


def test_what_cannot_be_passed_is_refused() -> None:
    with pytest.raises(TypeError, match="C-contiguous"):
        new_kernel()(1, 4, scales(), None, False, np.zeros(10, np.int64)[::2])
    with pytest.raises(TypeError, match="cannot take a float"):
        new_kernel()(1.5, 4, scales(), None, False, np.zeros(5, np.int64))


def test_a_kernel_that_needs_numba_to_run_is_refused(folder: Path) -> None:
    with pytest.raises(TypeError, match=r"make_room cannot run without numba, .* NRT_"):
        make_room(5, np.zeros(5, np.int64))
    assert not folder.exists()


_ANALYZE = """
import sys
from croupier.commands.app import run
code = run(["analyze", "md-uth", "--wager", "main", "--json"])
sys.exit(code or "numba" in sys.modules)
"""


def test_a_game_is_solved_without_loading_numba(tmp_path: Path) -> None:
    for folder in ("first", "second"):
        env = {**os.environ, "CROUPIER_CACHE_DIR": str(tmp_path / folder)}
        done = subprocess.run(
            [sys.executable, "-c", _ANALYZE], env=env, check=False, stdout=subprocess.DEVNULL
        )
    assert done.returncode == 0
