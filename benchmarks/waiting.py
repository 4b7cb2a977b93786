"""How long one waits for `croupier analyze md-uth --wager main`, the whole process.

Three times: with nothing compiled, with nothing solved, and with everything solved. Beside the
seconds stands the time on the processors, which a busy machine changes less, and both as a multiple
of what Python takes to do nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

TURNS = 5
COMMAND = (sys.executable, "-m", "croupier", "analyze", "md-uth", "--wager", "main")
NOTHING = (sys.executable, "-c", "pass")


class Waited(NamedTuple):
    seconds: float
    on_processors: float


def waited(command: tuple[str, ...], folder: Path) -> Waited:
    """One run with the caches of this folder."""
    caches = {"CROUPIER_CACHE_DIR": str(folder / "solved"), "NUMBA_CACHE_DIR": str(folder / "code")}
    used, began = _used(), perf_counter()
    subprocess.run(command, env=os.environ | caches, stdout=subprocess.DEVNULL, check=True)
    return Waited(perf_counter() - began, _used() - used)


def _used() -> float:
    """By processes that have ended, and by those that they started."""
    times = os.times()
    return times.children_user + times.children_system


def with_nothing_solved(folder: Path) -> Waited:
    for kept in (folder / "solved").iterdir():
        kept.unlink()
    return waited(COMMAND, folder)


def main() -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        taken = {"nothing compiled": [waited(COMMAND, folder)]}
        for _ in range(TURNS):
            taken.setdefault("nothing solved", []).append(with_nothing_solved(folder))
            taken.setdefault("everything solved", []).append(waited(COMMAND, folder))
            taken.setdefault("python -c pass", []).append(waited(NOTHING, folder))
    bare = [median(column) for column in zip(*taken["python -c pass"], strict=True)]
    print(f"\n{' '.join(COMMAND[2:])}: whole processes, medians; load {os.getloadavg()[0]:.1f}")
    print(f"{'':20}{'s':>9}{'of bare':>9}{'s of CPU':>10}{'of bare':>9}")
    for label, runs in taken.items():
        wall, used = (median(column) for column in zip(*runs, strict=True))
        ratios = wall / bare[0], used / bare[1]
        print(f"{label:20}{wall:9.2f}{ratios[0]:9.1f}{used:10.2f}{ratios[1]:9.1f}")


if __name__ == "__main__":
    main()
