"""The first use: half of the kernels are compiled in a second process, beside the solver's.

Numba compiles one function at a time in a process. So while this one compiles and runs what ranks
and prices the boards, another calls the kernels that come later with a game of twelve cards, which
has the same types, and leaves their machine code in a folder of its own. When this process comes to
such a kernel it waits for that code and puts it where numba looks. A folder of its own, since two
processes that write the cache of one function at the same time may mix up its signatures. Whatever
goes wrong costs time and nothing else, because a kernel that is not found is compiled as usual.
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
from time import sleep
from typing import Any, Final

import numpy as np

from croupier.mathematics.holdem.arrivals import arrive_at_flops
from croupier.mathematics.holdem.betting import StrategyArrays, betting_of, count_arrivals
from croupier.mathematics.holdem.counted_boards import no_boards
from croupier.mathematics.holdem.games import BetDecision, HoldemGame, payoffs
from croupier.mathematics.holdem.geometry import flop_views, flops_of, orbits_of
from croupier.mathematics.holdem.kernel_records import RunoutSums, deck_tables, hand_rows
from croupier.mathematics.holdem.kernels import before_loading
from croupier.mathematics.holdem.numbering import CLASSES, PAIRS
from croupier.mathematics.holdem.outcomes import Played, tabulate_boards
from croupier.mathematics.holdem.showdown_prices import BASE
from croupier.mathematics.holdem.stages import FlopValues, gather_flops, total_up
from croupier.mathematics.holdem.strategies import second_sweep
from croupier.mathematics.holdem.sums import PlainValues, add_runouts, new_runout_scratch
from croupier.mathematics.holdem.threads import cores

__all__ = ["compile_later_kernels", "is_first_use", "second_process"]

_KERNELS: Final[tuple[Any, ...]] = (  # in the order in which they are needed
    add_runouts,
    gather_flops,
    total_up,
    arrive_at_flops,
    tabulate_boards,
)
_PROGRAM: Final = (
    "from croupier.mathematics.holdem import compile_ahead; compile_ahead.compile_later_kernels()"
)


def is_first_use() -> bool:
    """Is there anything to compile for the second sweep?"""
    return any(index is not None and not index.exists() for index in map(_index, _KERNELS))


@contextmanager
def second_process() -> Iterator[None]:
    """Inside, on first use, half of the kernels come from a second process. Inside another such
    block it is the same process."""
    global _compiling  # noqa: PLW0603
    if _compiling or cores() < 2 or not is_first_use():
        yield
        return
    _compiling = True
    try:
        with (
            TemporaryDirectory(prefix="croupier-", ignore_cleanup_errors=True) as folder,
            _without_collecting(),
            _started(Path(folder)) as process,
            before_loading(lambda kernel: _take_over(kernel, Path(folder), process)),
        ):
            yield
    finally:
        _compiling = False


_compiling = False


@contextmanager
def _started(folder: Path) -> Iterator[subprocess.Popen[bytes] | None]:
    # A new interpreter, not a fork: a fork takes over locks that threads of this one hold.
    quiet = subprocess.DEVNULL
    places = os.pathsep.join(path for path in sys.path if path)
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder), "PYTHONPATH": places}
    process = None
    with suppress(OSError):
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], env=env, stdin=quiet, stdout=quiet, stderr=quiet
        )
    try:
        yield process
    finally:
        if process is not None:
            process.kill()
            process.wait()


def compile_later_kernels() -> None:
    """Call every kernel of `_KERNELS` as a game does, with as good as nothing to work on."""
    deck = 0b111
    decisions = (BetDecision(0, (4,)), BetDecision(3, (2,)), BetDecision(5, (1,), "fold"))
    game = HoldemGame(decisions, payoffs([0] * 6), payoffs([0] * 6), deck=deck)
    with _without_collecting():
        _solve_nothing(game)
        _sweep_nothing(game)


def _solve_nothing(game: HoldemGame) -> None:
    flops, none = flops_of(game.deck), np.zeros(0, np.int64)
    values = PlainValues(np.zeros((0, BASE, PAIRS), np.int32), np.ones((0, BASE), np.int8))
    sums = np.zeros((0, BASE, PAIRS), np.int64)
    tables, ranks = deck_tables(game), deck_tables(game).numbering.flop_ranks
    add_runouts(0, 0, tables, ranks, values, new_runout_scratch(), sums)
    runouts = RunoutSums(np.zeros((0, PAIRS), np.int64), np.zeros((0, CLASSES), np.int32))
    gather_flops(0, 0, flops, flop_views(game.deck), hand_rows(), runouts, none)
    orbits, halves = orbits_of(game.deck, 0), np.zeros((0, 6), np.int64)
    total_up(0, 0, flops, 0, orbits.number, FlopValues(none, none, none), none, halves)


def _sweep_nothing(game: HoldemGame) -> None:
    waits = {
        0: np.full(len(orbits_of(game.deck, 0).size), -1, np.int8),
        3: np.full(len(flops_of(game.deck).hand), -1, np.int8),
    }
    betting = betting_of(game, StrategyArrays(waits), 1)
    played = Played(StrategyArrays(waits).river, 1, count_arrivals(game, betting, 1))
    second_sweep(game, played, betting.rows, len(betting.kept), 1, no_boards())


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


def _index(kernel: Any) -> Path | None:
    """The file in which numba lists what it has compiled of a kernel; None without a cache."""
    try:
        cache = kernel._cache  # noqa: SLF001 - numba has no other way
        return Path(cache.cache_path, cache._cache_file._index_name)  # noqa: SLF001 - numba has no other way
    except (AttributeError, TypeError):
        return None


def _take_over(kernel: Any, folder: Path, process: subprocess.Popen[bytes] | None) -> None:
    """Wait for what the other process compiles of a kernel, and put it where numba looks."""
    index = _index(kernel) if kernel in _KERNELS else None
    if index is None or index.exists():
        return
    while not (made := _made(index, folder)) and process is not None and process.poll() is None:
        sleep(0.01)
    with suppress(OSError):
        for file in made or _made(index, folder):
            index.parent.mkdir(parents=True, exist_ok=True)
            _put(file, index.parent / file.name)


def _made(index: Path, folder: Path) -> list[Path]:
    """The code, then the index that names it; nothing until both are there."""
    found = next(folder.rglob(index.name), None)
    code = list(found.parent.glob(f"{found.stem}.*.nbc")) if found else []
    return [*code, found] if found and code else []


def _put(made: Path, place: Path) -> None:
    """Whole or not at all."""
    partial = place.with_name(f"{place.name}.{os.getpid()}")
    shutil.copyfile(made, partial)
    os.replace(partial, place)
