"""The decorator of this package's compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit

__all__ = ["kernel", "whole"]

Result = TypeVar("Result")


def kernel(function: Callable[..., Result]) -> Callable[..., Result]:
    """Compiled on first use, kept in numba's cache, and free of the GIL while it runs.

    Arguments are not checked against the annotations, here or by mypy: kernels pass each other
    numbers of every width.
    """
    return cast(Callable[..., Result], njit(cache=True, nogil=True)(function))


@kernel
def whole(number: Any) -> int:
    """A signed integer of 64 bits: numba makes floats of mixed signs, and `int(x)` keeps them."""
    return np.int64(number)  # type: ignore[return-value]
