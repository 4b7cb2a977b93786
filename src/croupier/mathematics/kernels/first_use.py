"""A listener for kernels that are needed and not compiled yet, called before they are compiled.

A program for people says that they have to wait, and may compile several at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

Sort: TypeAlias = Literal["numba", "standalone"]
_listeners: Final[list[Callable[[Sort], None]]] = []


def before_compiling(listener: Callable[[Sort], None]) -> None:
    """From now on call this, and nothing else, when a kernel is missing."""
    _listeners[:] = [listener]


def note_missing(sort: Sort) -> None:
    for listener in _listeners:
        listener(sort)
