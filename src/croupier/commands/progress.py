"""Progress of long work on standard error: a bar on a terminal, silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress as Bars

__all__ = ["Progress"]

_T = TypeVar("_T")


class Progress:
    """`with Progress(3) as progress: progress.step("trips", work)`."""

    def __init__(self, steps: int) -> None:
        self._bars = _bars() if sys.stderr.isatty() else None
        self._task = self._bars.add_task("", total=steps) if self._bars else None

    def __enter__(self) -> Progress:
        if self._bars:
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bars:
            self._bars.stop()

    def step(self, label: str, work: Callable[[], _T]) -> _T:
        if self._bars is None or self._task is None:
            return work()
        self._bars.update(self._task, description=label)
        result = work()
        self._bars.advance(self._task)
        return result


def _bars() -> Bars:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    return Bars(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
