"""How long people at a table wait while a stranger attacks the server, beside what they wait
undisturbed.

Twenty people play at five tables of a real server with its usual limits, by live connections and
commands. Each attack comes from another address, by a process of its own, in slots of two seconds;
in the slots between them nobody attacks, so that both see the same machine, whatever else it does.
All share its cores. An attempt follows the one before it after a pause, so that the attackers do
not simply take the cores away.

    python -m benchmarks.attacks                     # all attacks, ten slots of each
    python -m benchmarks.attacks --only cookie       # those with this word in their name
    python -m benchmarks.attacks --write             # and the table into docs/benchmarks.md; with
                                                     # --only these rows of it
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
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from statistics import quantiles
from typing import Any, Final

import msgspec

from benchmarks import PAGE, ROOT, write_section
from benchmarks.web import Bot, TableUnderLoad, Tally, free_port, memory, prepare, processor_seconds

SERVE: Final = """
import sys
from croupier.web.server.serving import run_server
from croupier.web.server.settings import from_environment
run_server(from_environment(), port=int(sys.argv[1]))
"""
ATTACK: Final = "import sys; from benchmarks.attacks import attack; attack(*sys.argv[1:])"
TABLES: Final = 5
SEATS: Final = 4
THINKING: Final = 0.1
"""Seconds on average: people are answered many times a second, and remain within their limits."""
ATTACKERS: Final = 8
PAUSE: Final = 0.05
SLOT: Final = 2.0
SETTLING: Final = 0.2
"""Seconds at the start of a slot that belong to neither."""
MOST_ATTEMPTS: Final = 5000
FROM: Final = "127.0.0.2"


class Measured(msgspec.Struct):
    """`quiet` and `latencies` are of the slots without and with the attack, in seconds."""

    name: str
    attempts: int = 0
    quiet: list[float] = []
    latencies: list[float] = []
    busy: float = 0.0
    grown: int = 0

    @property
    def row(self) -> str:
        before, after = _p99(self.quiet), _p99(self.latencies)
        return (
            f"| {self.name} | {self.attempts:,} | {before * 1e3:.1f} | {after * 1e3:.1f} | "
            f"{after / before:.1f} | {self.busy:.2f} | {self.grown / 2**20:+.0f} |"
        )


def _p99(latencies: list[float]) -> float:
    return quantiles(latencies, n=100)[98] if len(latencies) >= 100 else float("nan")


@contextmanager
def served(database: str) -> Iterator[tuple[int, int]]:
    """The server program as it is run; its process and port."""
    from croupier.runtime.dealer import Pace
    from croupier.web.server.settings import VARIABLE, Settings

    pace = Pace(0.05, 0.05, 0.05, 0.05, 0.05, 10**6)
    told = Settings(database, demo_tables=True, software_floor=True, pace=pace)
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(port)],
        env={**_environment(), VARIABLE: msgspec.json.encode(told).decode()},
        cwd=ROOT,
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
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}


def attack(name: str, port: str, begins: str, slots: str) -> None:
    """In a process of its own: so many attackers at once, each attempt on another connection."""
    from tests.attacks.floods import ATTACKS
    from tests.attacks.raw import RawConnection

    attempts = [0] * ATTACKERS

    def go_on(number: int) -> None:
        for slot in range(int(slots)):
            begin = float(begins) + (2 * slot + 1) * SLOT
            time.sleep(max(0.0, begin - time.time()))
            while time.time() < begin + SLOT and attempts[number] < MOST_ATTEMPTS // ATTACKERS:
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


async def measured(name: str, process: int, port: int, tally: Tally, slots: int) -> Measured:
    """Quiet and attacked slots in turns."""
    begins = time.time() + 2
    words = [sys.executable, "-c", ATTACK, name, str(port), str(begins), str(slots)]
    attackers = await asyncio.create_subprocess_exec(
        *words, env=_environment(), cwd=ROOT, stdout=subprocess.PIPE
    )
    found, size = Measured(name), memory(process)
    for slot in range(2 * slots):
        await asyncio.sleep(max(0.0, begins + slot * SLOT + SETTLING - time.time()))
        tally.reset()
        before = processor_seconds(process)
        await asyncio.sleep(begins + (slot + 1) * SLOT - time.time())
        if slot % 2:
            found.latencies += tally.latencies
            found.busy += (processor_seconds(process) - before) / (SLOT - SETTLING) / slots
        else:
            found.quiet += tally.latencies
    text, _ = await attackers.communicate()
    found.attempts, found.grown = int(text or 0), memory(process) - size
    return found


async def run(only: str, slots: int) -> list[Measured]:
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
            for name in [name for name in ATTACKS if only in name]:
                found.append(await measured(name, process, port, tally, slots))
                print(found[-1].row, flush=True)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    return found


async def _answering(port: int) -> None:
    for _ in range(600):
        with suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            return
        await asyncio.sleep(0.1)
    raise RuntimeError("the server does not answer")


def table_of(rows: Iterable[str]) -> str:
    head = (
        "| attack | attempts | p99 in quiet slots, ms | under attack, ms | times | server, cores | "
        "memory, MB |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    )
    return "\n".join([*head, *rows])


def with_other_rows(found: list[Measured]) -> str:
    """The table of the page with these rows in it; the others stay."""
    from tests.attacks.floods import ATTACKS

    _, _, rest = PAGE.read_text("utf-8").partition("<!-- attacks: ")
    old = rest.partition("<!-- end of attacks -->")[0]
    rows = {line.split("|")[1].strip(): line for line in old.splitlines() if "|" in line}
    rows |= {one.name: one.row for one in found}
    return table_of(rows[name] for name in ATTACKS if name in rows)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--slots", type=int, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    arguments: Any = parser.parse_args(["--slots", "2"] if words is None else words)
    print(f"== attacks: {arguments.slots} slots of {SLOT:g} s, {ATTACKERS} attackers", flush=True)
    found = asyncio.run(run(arguments.only, arguments.slots))
    print(table_of(one.row for one in found))
    if arguments.write:
        write_section("attacks", with_other_rows(found))


if __name__ == "__main__":
    main(sys.argv[1:])
