"""How long people at a table wait while a stranger attacks the server, beside what they wait
undisturbed.

Twenty people play at five tables of a real server with its usual limits, by live connections and
commands. Each attack is repeated from another address, by a process of its own, for some seconds;
before, between and after the attacks nobody attacks. All share the machine's cores. An attempt
follows the one before it after a pause, so that the attackers do not simply take the cores away.

    python -m benchmarks.attacks                     # all attacks, ten seconds each
    python -m benchmarks.attacks --only cookie       # those with this word in their name
    python -m benchmarks.attacks --write             # and the table into docs/benchmarks.md
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import msgspec

from benchmarks.web import Bot, TableUnderLoad, Tally, free_port, memory, prepare, processor_seconds

HERE: Final = Path(__file__).parents[1]
PAGE: Final = HERE / "docs" / "benchmarks.md"
START: Final = "<!-- attacks: written by `python -m benchmarks.attacks --write` -->"
STOP: Final = "<!-- end of attacks -->"
SERVE: Final = """
import sys
from croupier.web.serving import run_server
from croupier.web.settings import from_environment
run_server(from_environment(), port=int(sys.argv[1]))
"""
ATTACK: Final = "import sys; from benchmarks.attacks import attack; attack(*sys.argv[1:])"
TABLES: Final = 5
SEATS: Final = 4
THINKING: Final = 0.1
"""Seconds on average: people are answered many times a second, and remain within their limits."""
ATTACKERS: Final = 8
PAUSE: Final = 0.05
MOST_ATTEMPTS: Final = 5000
FROM: Final = "127.0.0.2"


class Measured(msgspec.Struct):
    name: str
    attempts: int
    latencies: list[float]
    busy: float
    grown: int

    def join(self, later: Measured) -> None:
        """Measured in turns with the attacks, so that all saw the same machine."""
        self.latencies += later.latencies
        self.grown += later.grown
        self.busy += (later.busy - self.busy) / 2

    @property
    def p99(self) -> float:
        return quantiles(self.latencies, n=100)[98] if len(self.latencies) >= 100 else float("nan")

    @property
    def p50(self) -> float:
        return quantiles(self.latencies, n=2)[0] if len(self.latencies) >= 100 else float("nan")


@contextmanager
def served(database: str) -> Iterator[tuple[int, int]]:
    """The server program as it is run; its process and port."""
    from croupier.runtime.dealer import Pace
    from croupier.web.settings import VARIABLE, Settings

    pace = Pace(0.05, 0.05, 0.05, 0.05, 0.05, 10**6)
    told = Settings(database, demo_tables=True, software_floor=True, pace=pace)
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(port)],
        env={**_environment(), VARIABLE: msgspec.json.encode(told).decode()},
        cwd=HERE,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process.pid, port
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE / "src"), str(HERE)])}


def attack(name: str, port: str, seconds: str) -> None:
    """In a process of its own: so many attackers at once, each attempt on another connection."""
    from tests.attacks.floods import ATTACKS
    from tests.attacks.raw import RawConnection

    end, attempts = time.monotonic() + float(seconds), [0] * ATTACKERS

    def go_on(number: int) -> None:
        while time.monotonic() < end and attempts[number] < MOST_ATTEMPTS // ATTACKERS:
            with suppress(OSError), RawConnection(int(port), FROM) as link:
                attempts[number] += 1
                ATTACKS[name](link)
            time.sleep(PAUSE)

    crowd = [threading.Thread(target=go_on, args=(number,)) for number in range(ATTACKERS)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    print(sum(attempts))


class Run:
    def __init__(self, process: int, port: int, tally: Tally, seconds: float) -> None:
        self._process, self._port = process, port
        self._tally, self._seconds = tally, seconds

    async def measure(self, name: str, attack: str = "") -> Measured:
        words = [sys.executable, "-c", ATTACK, attack, str(self._port), str(self._seconds)]
        began = None
        if attack:
            began = await asyncio.create_subprocess_exec(
                *words, env=_environment(), cwd=HERE, stdout=subprocess.PIPE
            )
            await asyncio.sleep(0.5)  # it has to start
        self._tally.reset()
        before, size = processor_seconds(self._process), memory(self._process)
        await asyncio.sleep(self._seconds)
        found = Measured(
            name,
            0,
            list(self._tally.latencies),
            (processor_seconds(self._process) - before) / self._seconds,
            memory(self._process) - size,
        )
        if began is not None:
            text, _ = await began.communicate()
            found.attempts = int(text or 0)
        return found


async def run(only: str, seconds: float) -> list[Measured]:
    from tests.attacks.floods import ATTACKS

    found: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        database = f"{folder}/journal.db"
        people = prepare(database, TABLES, SEATS)
        with served(database) as (process, port):
            await _answering(port)
            tally = Tally()
            tables = {name: TableUnderLoad(name, tally) for name, _, _ in people}
            bots = [
                Bot(tables[name], seat, token, [port], THINKING) for name, seat, token in people
            ]
            playing = [asyncio.create_task(bot.run()) for bot in bots]
            await asyncio.sleep(5)
            one = Run(process, port, tally, seconds)
            quiet = await one.measure("nobody attacks")
            for name in [name for name in ATTACKS if only in name]:
                found.append(await one.measure(name, name))
                print(_row(found[-1], quiet), flush=True)
                await asyncio.sleep(2)
                quiet.join(await one.measure("nobody attacks"))
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    return [quiet, *found]


async def _answering(port: int) -> None:
    for _ in range(600):
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.1)
    raise RuntimeError("the server does not answer")


def _row(one: Measured, quiet: Measured) -> str:
    times = f"{one.p99 / quiet.p99:.1f}" if one is not quiet else "1"
    return (
        f"| {one.name} | {one.attempts:,} | {one.p50 * 1e3:.1f} | {one.p99 * 1e3:.1f} | {times} | "
        f"{one.busy:.2f} | {one.grown / 2**20:+.0f} |"
    )


def table_of(found: list[Measured]) -> str:
    head = (
        "| | attempts | p50, ms | p99, ms | p99 in undisturbed ones | server, cores | memory, MB |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    )
    return "\n".join([*head, *[_row(one, found[0]) for one in found]])


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    arguments: Any = parser.parse_args(["--seconds", "4"] if words is None else words)
    print(f"== attacks: {arguments.seconds:g} s each, {ATTACKERS} attackers", flush=True)
    text = table_of(asyncio.run(run(arguments.only, arguments.seconds)))
    print(text)
    if arguments.write:
        page = PAGE.read_text("utf-8")
        before, _, rest = page.partition(START)
        _, _, after = rest.partition(STOP)
        PAGE.write_text(f"{before}{START}\n\n{text}\n\n{STOP}{after}", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
