"""The decorator of this package's compiled functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

import numpy as np
from numba import njit
from numba.extending import register_jitable

from croupier.mathematics.holdem.part_compiler import PartCompiler

__all__ = ["before_loading", "kernel", "part", "whole"]

Result = TypeVar("Result")

# No kernel is called from C, and none divides by zero: neither need be compiled for.
_OPTIONS: Final[dict[str, Any]] = {
    "cache": True,
    "nogil": True,
    "no_cfunc_wrapper": True,
    "error_model": "numpy",
}


def kernel(function: Callable[..., Result]) -> Callable[..., Result]:
    """Compiled on first use, kept in numba's cache, and free of the GIL while it runs.

    Arguments are not checked against the annotations, here or by mypy: kernels pass each other
    numbers of every width.
    """
    compiled = njit(**_OPTIONS)(function)
    _load_index_safely(compiled)
    return cast(Callable[..., Result], compiled)


@contextmanager
def before_loading(hook: Callable[[Any], None]) -> Iterator[None]:
    """Inside, `hook` is called with a kernel before numba looks for it in its cache."""
    _hooks.append(hook)
    try:
        yield
    finally:
        _hooks.remove(hook)


_hooks: Final[list[Callable[[Any], None]]] = []


def _load_index_safely(compiled: Any) -> None:
    """An index that names a record of an earlier version is as good as none: numba unpickles it
    before it looks whether it is out of date, and falls over a module that has another name now."""
    file = compiled._cache._cache_file  # noqa: SLF001 - numba has no other way
    load = file._load_index  # noqa: SLF001 - numba has no other way

    def load_or_none() -> Any:
        for hook in _hooks:
            hook(compiled)
        try:
            return load()
        except (ImportError, AttributeError):
            return {}

    file._load_index = load_or_none  # noqa: SLF001 - numba has no other way


def part(function: Callable[..., Result]) -> Callable[..., Result]:
    """Compiled into the kernels that call it, and plain Python to everyone else.

    A kernel of its own would be compiled with what Python needs to call it, and written to the
    cache. Arithmetic on a number out of an array wants `whole`: plain Python keeps its width.
    """
    return register_jitable(no_cfunc_wrapper=True, pipeline_class=PartCompiler)(function)


whole: Final[Callable[[Any], int]] = cast(Callable[[Any], int], np.int64)
"""A signed integer of 64 bits: numba makes floats of mixed signs, and `int(x)` keeps them."""
