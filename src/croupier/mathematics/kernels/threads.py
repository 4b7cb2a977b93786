"""Kernels on all cores: plain threads, because every kernel releases the GIL.

Numba's parallel kernels are not used: they may not be entered from two threads at once and do not
survive a fork. Results do not depend on the order of the work, because all of it is addition of
integers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Task = TypeVar("Task")


def cores() -> int:
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, 8) or 1


def spread(tasks: Iterable[Task], work: Callable[[int, Task], None], threads: int) -> None:
    """Run `work(thread, task)` for every task; each thread takes the next task when it is free."""
    waiting = iter(list(tasks))  # a list's iterator is safe to share

    def run(thread: int) -> None:
        for task in waiting:
            work(thread, task)

    if threads == 1:
        run(0)
        return
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(run, thread) for thread in range(threads)]:
            done.result()


def ranges(total: int, step: int) -> list[tuple[int, int]]:
    return [(at, min(at + step, total)) for at in range(0, total, step)]
