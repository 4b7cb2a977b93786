"""Machine code on disk: a file for every kernel and signature.

A file's name depends on everything that the code was made of, so a kernel is compiled again after a
change of itself, of a function or constant it uses, of the compiler or of the processor. A file
begins with the checksum of the rest, and is written whole or not at all.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from croupier.mathematics.cache import cache_folder

ENTRY: Final = "croupier_kernel"
"""The name of the entry function in each kernel's code."""
_FORMAT: Final = 1
_SUM: Final = 32


def place_of(function: FunctionType, signature: str) -> Path:
    """Return the path of a kernel's machine code."""
    types = hashlib.sha256(signature.encode()).hexdigest()[:8]
    source = hashlib.sha256()
    for part in (_FORMAT, signature, _compiler(), *processor(), _ingredients(function)):
        source.update(f"{part}\n".encode())
    name = f"{function.__module__}.{function.__qualname__}-{types}-{source.hexdigest()[:24]}.o"
    return code_folder() / name


def read_code(place: Path) -> bytes | None:
    try:
        data = place.read_bytes()
    except OSError:
        return None
    code = data[_SUM:]
    return code if hashlib.sha256(code).digest() == data[:_SUM] else None


def write_code(place: Path, code: bytes) -> None:
    """Write a kernel's machine code, and remove what was compiled of it before it changed."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=place.parent, delete=False) as file:
            file.write(hashlib.sha256(code).digest() + code)
        os.replace(file.name, place)
        for former in place.parent.glob(f"{place.name.rpartition('-')[0]}-*.o"):
            if former != place:
                former.unlink()


@cache
def code_folder() -> Path:
    """Return the folder for code: in numba's cache if that is named, or else in the package unless
    that is read-only."""
    if named := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(named) / "croupier"
    own = Path(__file__).parent / "__pycache__"
    with suppress(OSError):
        own.mkdir(exist_ok=True)
    return own if os.access(own, os.W_OK) else cache_folder() / "code"


@cache
def _compiler() -> tuple[object, ...]:
    """Return a key of numba's version without loading numba."""
    numba = find_spec("numba")
    assert numba is not None
    assert numba.origin is not None
    status = os.stat(numba.origin)
    return llvmlite.__version__, status.st_size, status.st_mtime_ns


@cache
def processor() -> tuple[str, str]:
    """Return the processor's name and features, as LLVM writes them."""
    try:
        features = llvm.get_host_cpu_features().flatten()
    except RuntimeError:  # not known for every processor
        features = ""
    return llvm.get_host_cpu_name(), features


def _ingredients(function: FunctionType) -> str:
    """Return everything that a kernel is compiled from: its byte code, and that of all functions it
    calls."""
    seen: dict[int, str] = {}
    _add(function, seen)
    return "\n".join(seen.values())


def _add(value: Any, seen: dict[int, str]) -> None:
    value = getattr(value, "py_func", value)  # a function that numba compiles
    if id(value) in seen:
        return
    if not isinstance(value, FunctionType):
        seen[id(value)] = _constant(value)
        return
    seen[id(value)] = f"{value.__qualname__} {_code(value.__code__, value.__doc__)}"
    for name in _names(value.__code__):
        used = value.__globals__.get(name)
        if used is not None and not isinstance(used, ModuleType):
            _add(used, seen)


def _names(code: CodeType) -> list[str]:
    inner = [name for part in code.co_consts if isinstance(part, CodeType) for name in _names(part)]
    return [*code.co_names, *inner]


def _code(code: CodeType, doc: str | None) -> str:
    constants = [
        _code(part, None) if isinstance(part, CodeType) else _constant(part)
        for part in code.co_consts
        if doc is None or part != doc
    ]
    return f"{code.co_code.hex()} {constants} {code.co_names} {code.co_varnames}"


def _constant(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', ())}"
    if isinstance(value, frozenset):
        return str(sorted(map(repr, value)))
    return getattr(value, "__qualname__", None) or repr(value)
