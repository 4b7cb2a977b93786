"""How long one waits for a command, the whole process, and for a solution within a process.

    python -m benchmarks.waiting                        # prints
    python -m benchmarks.waiting --beside FOLDER        # in turns with another checkout
    python -m benchmarks.waiting --beside FOLDER --write  # and the tables into docs/benchmarks.md

Beside the seconds stands the time on the processors, which a busy machine changes less, and both as
a multiple of what Python takes to do nothing, or of what the other checkout takes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from benchmarks import ROOT, write_section
from benchmarks.figures import Ratio, compare

TURNS = 5
BARE = "python -c pass"
SOLVED, UNSOLVED, UNCOMPILED = "everything solved", "nothing solved", "nothing compiled"
WORK = {
    f"md-uth, {UNCOMPILED}": (UNCOMPILED, "analyze md-uth --wager main"),
    f"md-uth, {UNSOLVED}": (UNSOLVED, "analyze md-uth --wager main"),
    f"md-uth, {SOLVED}": (SOLVED, "analyze md-uth --wager main"),
    f"md-uth --all, {UNSOLVED}": (UNSOLVED, "analyze md-uth --all"),
    f"md-235, {UNSOLVED}": (UNSOLVED, "analyze md-235 --wager main"),
    f"casino-holdem, {UNSOLVED}": (UNSOLVED, "analyze casino-holdem --wager main"),
    f"three-card-poker, {UNSOLVED}": (UNSOLVED, "analyze three-card-poker --wager main"),
}

_SOLVES = """
from time import perf_counter, process_time
try:
    from croupier.mathematics.counters.boards.rulebook import holdem_game as game_of
    from croupier.mathematics.counters.boards.solver import solve_holdem as solve
except ImportError:  # up to 2edad9a0
    from croupier.mathematics.counters.boards.rulebook import game_of
    from croupier.mathematics.counters.boards.solver import solve
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission

game = game_of(put_in_force(load_rulebook("md-uth"), Submission()))
for _ in range(6):
    began, used = perf_counter(), process_time()
    solve(game)
    print(perf_counter() - began, process_time() - used)
"""


class Run(NamedTuple):
    seconds: float
    on_processors: float
    gibibytes: float


class Checkout:
    """A version of the project, with caches of its own."""

    def __init__(self, source: Path, folder: Path) -> None:
        self._solved = folder / "solved"
        self._solved.mkdir(parents=True)
        kept = {name: text for name, text in os.environ.items() if name not in _UNWANTED}
        caches = {"CROUPIER_CACHE_DIR": str(self._solved), "NUMBA_CACHE_DIR": str(folder / "code")}
        self._env = kept | caches | {"PYTHONPATH": str(source)}
        self.runs: dict[str, list[Run]] = {}

    def run(self, label: str) -> None:
        state, words = WORK.get(label, (BARE, ""))
        if state == UNSOLVED:
            shutil.rmtree(self._solved)
            self._solved.mkdir()
        command = ("-m", "croupier", *words.split(), "--json") if words else ("-c", "pass")
        self._note(label, self._waited(*command))

    def solve(self) -> None:
        """Within a process: the first solution, and the median of the next."""
        command = [sys.executable, "-c", _SOLVES]
        done = subprocess.run(command, env=self._env, capture_output=True, text=True, check=True)
        first, *further = [_solution(line) for line in done.stdout.splitlines()]
        self._note("first solution of a process", first)
        self._note("a further solution", _middle(further))

    def _waited(self, *words: str) -> Run:
        began = perf_counter()
        process = subprocess.Popen(
            [sys.executable, *words], env=self._env, stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(words)} ended with {process.returncode}")
        return Run(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 2**20)

    def _note(self, label: str, run: Run) -> None:
        self.runs.setdefault(label, []).append(run)

    def middle(self, label: str) -> Run:
        return _middle(self.runs[label])


def _solution(line: str) -> Run:
    seconds, on_processors = line.split()
    return Run(float(seconds), float(on_processors), 0)


def _middle(runs: list[Run]) -> Run:
    seconds, on_processors, gibibytes = zip(*runs, strict=True)
    return Run(median(seconds), median(on_processors), median(gibibytes))


_UNWANTED = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")


def measure(checkouts: list[Checkout], turns: int) -> None:
    """Everything in turns, so that all see the same machine."""
    steps: list[Callable[[Checkout], None]] = [_step(label) for label in (*WORK, BARE)]
    for checkout in checkouts:
        for label in WORK:  # what is compiled here is not compiled again
            checkout.run(label)
            if WORK[label][0] != UNCOMPILED:
                checkout.runs.pop(label)
    for _ in range(turns):
        for step in (*steps[1:], Checkout.solve):
            for checkout in checkouts:
                step(checkout)


def _step(label: str) -> Callable[[Checkout], None]:
    return lambda checkout: checkout.run(label)


def rows(now: Checkout, before: Checkout | None) -> Iterator[tuple[str, ...]]:
    bare = now.middle(BARE)
    for label in now.runs:
        run = now.middle(label)
        memory = f"{run.gibibytes:.2f}" if run.gibibytes > 0.05 else ""
        row: tuple[str, ...] = (
            label,
            f"{run.seconds:.2f}",
            f"{run.on_processors:.2f}",
            f"{run.seconds / bare.seconds:,.0f}",
            memory,
        )
        if before is not None:
            earlier = before.middle(label)
            row += (
                f"{run.seconds / earlier.seconds:.2f}",
                f"{run.on_processors / earlier.on_processors:.2f}",
            )
        yield row


HEAD = ("", "s waited", "s on processors", "in bare Pythons", "GiB at most")
BESIDE = ("waited, of before", "on processors, of before")


def table(now: Checkout, before: Checkout | None) -> str:
    head = HEAD if before is None else HEAD + BESIDE
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows(now, before)]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.waiting")
    parser.add_argument("--beside", type=Path, help="the folder of another checkout")
    parser.add_argument("--turns", type=int, default=TURNS)
    parser.add_argument("--write", action="store_true", help="the table of docs/benchmarks.md")
    asked = parser.parse_args([] if arguments is None else arguments)
    with TemporaryDirectory() as name:
        now = Checkout(ROOT / "src", Path(name) / "now")
        before = asked.beside and Checkout(asked.beside / "src", Path(name) / "before")
        load = os.getloadavg()[0]
        measure([now, before] if before else [now], asked.turns)
    text = table(now, before or None)
    print(f"{text}\n\nMedians of {asked.turns}; load average {load:.1f} before, ", end="")
    print(f"{os.getloadavg()[0]:.1f} after.")
    bare = now.middle(BARE).on_processors
    compare(
        "waiting",
        [
            Ratio(label, now.middle(label).on_processors / bare, more_is_better=False)
            for label in now.runs
            if label != BARE
        ],
    )
    if asked.write:
        write_section("waiting", text)


if __name__ == "__main__":
    main(sys.argv[1:])
