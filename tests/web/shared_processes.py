"""The processes beside a server, where the mathematics is done and uploads are checked: one that a
server of a test leaves idle is taken by the next, which need not load the solvers again."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from croupier.web.server.solver_process import SolverProcess
from croupier.web.tables.submission_checker import Checker

__all__ = ["SharedProcesses"]


class SharedProcesses:
    def __init__(self) -> None:
        self._pools: list[ProcessPoolExecutor] = []
        self._checkers: list[tuple[Any, Any]] = []

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Inside, servers take a process that is idle before they start one, and leave theirs."""
        begin_pool, end_pool = SolverProcess._started, SolverProcess.close
        begin_checker, end_checker = Checker._started, Checker.close

        def pool_of(beside: SolverProcess) -> ProcessPoolExecutor:
            if beside._pool is None and self._pools:
                beside._pool = self._pools.pop()
                beside._known_rules.clear()
            return begin_pool(beside)

        def leave_pool(beside: SolverProcess) -> None:
            pool = beside._pool
            if pool is not None and not pool._broken and not pool._pending_work_items:
                self._pools.append(pool)
                beside._pool = None
            end_pool(beside)

        def checker_of(checker: Checker) -> Any:
            if checker._wire is None and self._checkers:
                checker._process, checker._wire = self._checkers.pop()
            return begin_checker(checker)

        def leave_checker(checker: Checker) -> None:
            process, wire = checker._process, checker._wire
            if process is not None and wire is not None and process.is_alive():
                self._checkers.append((process, wire))
                checker._process = checker._wire = None
            end_checker(checker)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(SolverProcess, "_started", pool_of)
            patch.setattr(SolverProcess, "close", leave_pool)
            patch.setattr(Checker, "_started", checker_of)
            patch.setattr(Checker, "close", leave_checker)
            yield

    def end(self) -> None:
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for process, wire in self._checkers:
            process.kill()
            process.join()
            wire.close()
