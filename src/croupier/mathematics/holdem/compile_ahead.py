"""The first use: the second sweep's kernels are compiled in a second process, beside the solver's.

Numba compiles one function at a time in a process. So while this one compiles and runs the solver,
another runs the second sweep of a game with twelve cards, which has the same types, and leaves its
machine code in a folder of its own; what it made is then put where numba looks for it. A folder of
its own, since two processes that write the cache of one function at the same time may mix up its
signatures: only the kernels that nobody else calls are taken over. Whatever goes wrong costs time
and nothing else, because a kernel that is not found is compiled as usual.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from croupier.mathematics.holdem.arrivals import arrive_at_flops
from croupier.mathematics.holdem.betting import StrategyArrays, betting_of, count_arrivals
from croupier.mathematics.holdem.boards import new_ranked_boards
from croupier.mathematics.holdem.games import BetDecision, HoldemGame, payoffs
from croupier.mathematics.holdem.geometry import flops_of, orbits_of
from croupier.mathematics.holdem.numbering import RANK_BOARDS
from croupier.mathematics.holdem.outcomes import Played, plain_outcomes, suited_outcomes
from croupier.mathematics.holdem.strategies import second_sweep
from croupier.mathematics.holdem.threads import cores

__all__ = ["is_first_use", "second_process", "sweep_once"]

_KERNELS: Final[tuple[Any, ...]] = (
    arrive_at_flops,
    suited_outcomes,
    plain_outcomes,
)
_PROGRAM: Final = "from croupier.mathematics.holdem.compile_ahead import sweep_once; sweep_once()"


def is_first_use() -> bool:
    """Is there anything to compile for the second sweep?"""
    return any(index is not None and not index.exists() for index in map(_index, _KERNELS))


@contextmanager
def second_process() -> Iterator[None]:
    """On leaving, what the second process has compiled meanwhile is there, if all went well. Inside
    another such block it is the same process."""
    global _beside  # noqa: PLW0603
    if _beside is not None:
        yield
        _beside.take_over()
    elif cores() < 2 or not is_first_use():
        yield
    else:
        with (
            TemporaryDirectory(prefix="croupier-", ignore_cleanup_errors=True) as folder,
            _without_collecting(),
        ):
            _beside = _Second(Path(folder))
            try:
                yield
                _beside.take_over()
            finally:
                _beside.stop()
                _beside = None


class _Second:
    """The process that compiles, and the folder it leaves its code in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process = _start(str(folder))

    def take_over(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.wait() == 0:
            with suppress(OSError):
                _take_over(self._folder)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()


_beside: _Second | None = None


def sweep_once() -> None:
    """The second sweep of a game with the twelve cards of three ranks: all that it compiles. No
    board has been ranked, so there is nothing to count: the kernel that ranks them is compiled by
    the process that solves."""
    deck = 0b111
    decisions = (BetDecision(0, (4,)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold"))
    game = HoldemGame(decisions, payoffs([0] * 6), payoffs([0] * 6), deck=deck)
    waits = {
        0: np.full(len(orbits_of(deck, 0).size), -1, np.int8),
        3: np.full(len(flops_of(deck).hand), -1, np.int8),
    }
    with _without_collecting():
        betting = betting_of(game, StrategyArrays(waits), 1)
        played = Played(StrategyArrays(waits).river, 1, count_arrivals(game, betting, 1))
        unranked = new_ranked_boards(RANK_BOARDS)
        second_sweep(game, played, betting.rows, len(betting.kept), 1, unranked)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Compiling makes millions of small objects; to look for cycles among them again and again
    takes a twelfth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _start(folder: str) -> subprocess.Popen[bytes] | None:
    # A new interpreter, not a fork: a fork takes over locks that threads of this one hold.
    quiet = subprocess.DEVNULL
    places = os.pathsep.join(path for path in sys.path if path)
    env = {**os.environ, "NUMBA_CACHE_DIR": folder, "PYTHONPATH": places}
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], env=env, stdin=quiet, stdout=quiet, stderr=quiet
        )
    except OSError:
        return None


def _index(kernel: Any) -> Path | None:
    """The file in which numba lists what it has compiled of a kernel; None without a cache."""
    try:
        cache = kernel._cache  # noqa: SLF001 - numba has no other way
        return Path(cache.cache_path, cache._cache_file._index_name)  # noqa: SLF001 - numba has no other way
    except (AttributeError, TypeError):
        return None


def _take_over(folder: Path) -> None:
    for index in map(_index, _KERNELS):
        if index is None or index.exists():
            continue
        made = next(folder.rglob(index.name), None)
        if made is None:
            continue
        index.parent.mkdir(parents=True, exist_ok=True)
        for code in made.parent.glob(f"{made.stem}.*.nbc"):
            _put(code, index.parent / code.name)
        _put(made, index)  # last: it names the others


def _put(made: Path, place: Path) -> None:
    """Whole or not at all."""
    partial = place.with_name(f"{place.name}.{os.getpid()}")
    shutil.copyfile(made, partial)
    os.replace(partial, place)
