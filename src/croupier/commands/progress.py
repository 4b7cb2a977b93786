"""Progress of long work on standard error: a bar on a terminal, silence elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

__all__ = ["Progress"]

_T = TypeVar("_T")


class Progress:
    """`with Progress(3) as progress: progress.step("trips", work)`."""

    def __init__(self, steps: int) -> None:
        console = Console(stderr=True)
        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bars.add_task("", total=steps)

    def __enter__(self) -> Progress:
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bars.stop()

    def step(self, label: str, work: Callable[[], _T]) -> _T:
        self._bars.update(self._task, description=label)
        result = work()
        self._bars.advance(self._task)
        return result
