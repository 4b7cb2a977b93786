"""A listener that is called before missing kernels are compiled.

A program for people announces the wait, and may compile several kernels at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

Sort: TypeAlias = Literal["numba", "standalone"]
_listeners: Final[list[Callable[[Sort], None]]] = []


def before_compiling(listener: Callable[[Sort], None]) -> None:
    """Set the only listener for missing kernels."""
    _listeners[:] = [listener]


def note_missing(sort: Sort) -> None:
    for listener in _listeners:
        listener(sort)
