"""Functions that are compiled into the kernels that call them, and are plain Python elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

__all__ = ["part", "register_parts"]

Result = TypeVar("Result")
_waiting: Final[list[Callable[..., Any]]] = []


def part(function: Callable[..., Result]) -> Callable[..., Result]:
    """Compiled into the kernels that call it, and plain Python to everyone else.

    Arithmetic on a number out of an array wants `whole`: plain Python keeps its width.
    """
    _waiting.append(function)
    return function


def register_parts() -> None:
    """Show numba all parts declared so far; it is loaded for that."""
    from numba.extending import register_jitable

    while _waiting:
        register_jitable(_waiting.pop())
