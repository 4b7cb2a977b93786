"""Running kernels on all cores: plain threads, since every kernel releases the GIL.

No parallel kernels of numba's: they may not be entered from two threads at once nor survive a fork.
Results do not depend on the order of the work, because all of it is addition of integers.
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
    """Run `work(thread, task)` for every task; a thread takes the next when it has done one."""
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
