"""The decorators of compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any, Final, TypeVar, cast

import numpy as np

from croupier.mathematics.kernels.first_use import note_missing
from croupier.mathematics.kernels.parts import part, register_parts
from croupier.mathematics.kernels.standalone import StandaloneKernel

__all__ = ["Kernel", "kernel", "part", "standalone_kernel", "whole"]

Result = TypeVar("Result")

whole: Final[Callable[[Any], int]] = cast(Callable[[Any], int], np.int64)
"""A signed integer of 64 bits: numba makes floats of mixed signs, and `int(x)` keeps them."""
_lock: Final = Lock()


def kernel(function: Callable[..., Result]) -> Callable[..., Result]:
    """Compiled on first use, kept in numba's cache, and free of the GIL while it runs.

    Arguments are not checked against the annotations, here or by mypy: kernels pass each other
    numbers of every width.
    """
    return cast(Callable[..., Result], Kernel(cast(FunctionType, function)))


def standalone_kernel(function: Callable[..., None]) -> Callable[..., None]:
    """A kernel that is loaded without numba, which takes half a second: for what short commands
    run. It neither makes arrays nor raises errors, and returns nothing."""
    return StandaloneKernel(cast(FunctionType, function))


class Kernel:
    """A function that numba compiles; numba itself is loaded when it is first called."""

    def __init__(self, function: FunctionType) -> None:
        update_wrapper(self, function)
        self.py_func: Final = function
        self._dispatcher: Any = None

    def __call__(self, *arguments: object) -> Any:
        if self._dispatcher is None:
            return self._first_call(arguments)
        return self._dispatcher(*arguments)

    @property
    def is_loaded(self) -> bool:
        return self._dispatcher is not None

    @property
    def dispatcher(self) -> Any:
        """Numba's own object."""
        with _lock:
            if self._dispatcher is None:
                from numba import njit

                register_parts()
                options: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
                self._dispatcher = njit(**options)(self.py_func)
        return self._dispatcher

    def _first_call(self, arguments: tuple[object, ...]) -> Any:
        dispatcher = self.dispatcher
        indexes = [*Path(dispatcher.stats.cache_path).glob(f"*.{self.py_func.__name__}-*.nbi")]
        if not indexes:
            note_missing("numba")
        try:
            return dispatcher(*arguments)
        except (ImportError, AttributeError):
            # Numba's index names a record that an earlier version had under that name.
            for index in indexes:
                index.unlink()
            return dispatcher(*arguments)
