"""The server under load, on loopback: many tables, every seat connected and playing.

Each seat is a person with a cookie, a live connection that gets every view, and commands over HTTP.
`--pace` is how long people think. Measured: rounds a second; the time from sending a command to the
arrival of the view with its effect at each client of the table; the server's processor time and
memory. Clients and server share the machine's cores, and the clients' own work is in the times.

Beside it a bare Litestar WebSocket echo: as many connections, messages of the same size at the same
rate. It keeps no books, knows no cards and asks nobody who he is: it is the floor.

    python -m benchmarks.web                                  # 200 tables, six seats, SQLite
    python -m benchmarks.web --pace 4                         # as people play
    python -m benchmarks.web --workers 2 --kill               # PostgreSQL; one worker is killed
    python -m benchmarks.web --soak 30 --tables 40 --pace 1   # half an hour, memory by the minute
    python -m benchmarks.web --short                          # 20 tables, as in `make bench`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Coroutine
from contextlib import suppress
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any, Final

import msgspec

from benchmarks.figures import Ratio, report

BOOKS: Final = ("md-uth", "ma-uth", "md-jackpot", "md-wpt", "md-235")
HERE: Final = Path(__file__).parents[1]
_keys = count(1)


class Action(msgspec.Struct):
    do: str
    seat: int
    wager: str = ""
    action: str = ""
    least: str | None = None
    stakes: tuple[str, ...] = ()


class SeatSeen(msgspec.Struct):
    number: int


class RoundSeen(msgspec.Struct):
    number: int
    phase: str
    decision: str
    seats: tuple[SeatSeen, ...]


class ViewSeen(msgspec.Struct):
    round: RoundSeen
    actions: tuple[Action, ...]


class OwnChanges(msgspec.Struct, frozen=True):
    actions: tuple[Action, ...] | None = None


class RoundChanges(msgspec.Struct, frozen=True):
    number: int | None = None
    phase: str | None = None
    decision: str | None = None


class FrameSeen(msgspec.Struct):
    """The whole view, or what changed since the frame before."""

    seq: int
    view: ViewSeen | None = None
    round: RoundChanges = RoundChanges()
    own: OwnChanges = OwnChanges()


class DoneSeen(msgspec.Struct):
    version: int = 0
    code: str = ""


_frame: Final = msgspec.json.Decoder(FrameSeen).decode
_done: Final = msgspec.json.Decoder(DoneSeen).decode
_encode: Final = msgspec.json.encode


def _applied(view: ViewSeen, frame: FrameSeen) -> ViewSeen:
    if frame.view is not None:
        return frame.view
    state, changes = view.round, frame.round
    return ViewSeen(
        RoundSeen(
            state.number if changes.number is None else changes.number,
            state.phase if changes.phase is None else changes.phase,
            state.decision if changes.decision is None else changes.decision,
            (),
        ),
        view.actions if frame.own.actions is None else frame.own.actions,
    )


class Tally:
    """What was measured since `reset`."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.began = time.perf_counter()
        self.rounds = self.commands = self.frames = self.octets = 0
        self.refused = Counter[str]()
        self.resumed = 0
        self.latencies: list[float] = []


class TableUnderLoad:
    """A table's clients: who has had which version when."""

    def __init__(self, name: str, tally: Tally) -> None:
        self.name = name
        self.tally = tally
        self.bots: list[Bot] = []
        self.round = 0
        self._open: deque[tuple[int, float, set[Bot]]] = deque()

    def arrived(self, bot: Bot, seq: int, number: int) -> None:
        now = time.perf_counter()
        bot.seen.append((seq, now))
        for version, sent, waiting in self._open:
            if version <= seq and bot in waiting:
                waiting.discard(bot)
                self.tally.latencies.append(now - sent)
        while self._open and not self._open[0][2]:
            self._open.popleft()
        if number > self.round:
            self.tally.rounds += 1
            self.round = number

    def answered(self, version: int, sent: float) -> None:
        """A frame may come before the answer: then its time is known already."""
        waiting = set()
        for bot in self.bots:
            first = next((at for seq, at in bot.seen if seq >= version and at >= sent), None)
            if first is None:
                waiting.add(bot)
            else:
                self.tally.latencies.append(first - sent)
        if waiting:
            self._open.append((version, sent, waiting))


class Bot:
    """One person at one seat."""

    def __init__(
        self, table: TableUnderLoad, seat: int, token: str, ports: list[int], pace: float
    ) -> None:
        from croupier.web.accounts.people import csrf_of

        self.table, self.seat, self.ports, self.pace = table, seat, ports, pace
        self.seen: deque[tuple[int, float]] = deque(maxlen=40)
        self.cookie, self.csrf = f"croupier={token}", csrf_of(token)
        self.answered: tuple[int, str] = (0, "")
        self._view = ViewSeen(RoundSeen(0, "", "", ()), ())
        self._busy = asyncio.Lock()
        self._reader: Any = None
        self._writer: Any = None
        self._chance = random.Random(token)
        self._tasks: set[asyncio.Task[None]] = set()
        table.bots.append(self)

    async def run(self) -> None:
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        while True:
            after = f"&after={self.seen[-1][0]}" if self.seen else ""
            port = self.ports[hash(self.cookie) % len(self.ports)]
            address = f"ws://127.0.0.1:{port}/api/v1/tables/{self.table.name}/live?diff=1{after}"
            try:
                async with connect(
                    address,
                    additional_headers={"Cookie": self.cookie},
                    compression=None,
                    ping_interval=None,
                    open_timeout=60,
                ) as link:
                    async for text in link:
                        await self._look(text)
            except (OSError, WebSocketException, EOFError, TimeoutError):
                self.table.tally.resumed += 1
                self._writer = None
                await asyncio.sleep(0.2)

    async def _look(self, text: str | bytes) -> None:
        tally = self.table.tally
        tally.frames += 1
        tally.octets += len(text)
        frame = _frame(text)
        self._view = view = _applied(self._view, frame)
        state = view.round
        self.table.arrived(self, frame.seq, state.number)
        if state.phase == "betting":
            if self.answered != (state.number, "bet"):
                self.answered = (state.number, "bet")
                self._begin(self._bet(view))
            return
        says = [action for action in view.actions if action.do == "say"]
        here = (state.number, state.decision)
        if says and self.answered != here:
            self.answered = here
            self._begin(self._say(self._chance.choice(says).action))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Thinking and acting must not keep a client from looking."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _say(self, action: str) -> None:
        await self._think()
        await self._send(type="act", seat=self.seat, action=action)

    async def _bet(self, view: ViewSeen) -> None:
        await self._think()
        wagers = {
            a.wager: a.stakes[0] if a.stakes else a.least or "5.00"
            for a in view.actions
            if a.do == "place" and a.seat == self.seat
        }
        if wagers:
            await self._send(type="place_wagers", seat=self.seat, wagers=wagers)
            await self._send_ready()

    async def _think(self) -> None:
        if self.pace:
            await asyncio.sleep(self._chance.expovariate(1 / self.pace))

    async def _send(self, **command: Any) -> None:
        """One thing after the other."""
        async with self._busy:
            await self._post("commands", command)

    async def _send_ready(self) -> None:
        async with self._busy:
            await self._post("ready", {"seat": self.seat})

    async def _post(self, what: str, body_of: dict[str, Any]) -> None:
        """Retried under the same key until it is answered."""
        body = _encode(body_of)
        head = (
            f"POST /api/v1/tables/{self.table.name}/{what} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Cookie: {self.cookie}\r\nX-CSRF-Token: {self.csrf}\r\n"
            f"Idempotency-Key: bench-{next(_keys)}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode()
        sent = time.perf_counter()
        for _ in range(100):
            try:
                status, text = await self._exchange(head + body)
                break
            except (OSError, asyncio.IncompleteReadError):
                self._writer = None
                await asyncio.sleep(0.1)
        else:
            raise RuntimeError("no worker answers")
        done = _done(text)
        if status == 200:
            self.table.tally.commands += 1
            if what != "ready":
                self.table.answered(done.version, sent)
        else:
            self.table.tally.refused[done.code] += 1

    async def _exchange(self, request: bytes) -> tuple[int, bytes]:
        if self._writer is None:
            port = self.ports[hash(self.cookie) % len(self.ports)]
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", port)
        self._writer.write(request)
        status, length = 0, 0
        while (line := await self._reader.readuntil(b"\r\n")) != b"\r\n":
            if not status:
                status = int(line.split(b" ", 2)[1])
            elif line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, await self._reader.readexactly(length)


# -- setting up -----------------------------------------------------------------------------------


def prepare(database: str, tables: int, seats: int) -> list[tuple[str, int, str]]:
    """Tables opened, people seated with chips: table, seat and session of each."""
    from croupier.ledger.journal import open_journal
    from croupier.rounds.declaration import Actor
    from croupier.runtime.house import House
    from croupier.tables.commands import BuyIn, OpenTable, TakeSeat
    from croupier.web.accounts.people import People
    from croupier.web.server.settings import Settings
    from croupier.web.tables.demo import OPERATOR, submission_for

    people_at = []
    with open_journal(database) as store:
        house, people = House(store), People(store, Settings(database))
        for number in range(tables):
            name, book = f"t{number:03}", BOOKS[number % len(BOOKS)]
            house.do(name, OpenTable(name, book, submission_for(book), inventory=10**9), OPERATOR)
            for seat in range(1, seats + 1):
                person = people.add_guest()
                actor = Actor("player", person.name)
                house.do(name, TakeSeat(person.name, seat), actor)
                house.do(name, BuyIn(person.name, 10**8), actor)
                people_at.append((name, seat, people.open_session(person)))
    return people_at


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start_server(app: str, environment: dict[str, str]) -> tuple[subprocess.Popen[bytes], int]:
    port = free_port()
    paths = [HERE / "src", HERE, *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "uvicorn", app, "--factory", "--port", str(port)),
            *("--ws", "websockets-sansio", "--log-level", "warning", "--no-access-log"),
            *("--timeout-keep-alive", "600", "--backlog", "4096"),
            *("--ws-per-message-deflate", "false"),
        ],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), **environment},
        cwd=HERE,
    )
    for _ in range(600):
        if process.poll() is not None:
            raise RuntimeError("the server has ended")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process, port
        time.sleep(0.1)
    raise RuntimeError("the server does not answer")


def memory(process: int) -> int:
    """Resident, in bytes."""
    status = Path(f"/proc/{process}/status").read_text("utf-8")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# -- measuring ------------------------------------------------------------------------------------


MEASURED: Final[dict[str, tuple[float, float]]] = {}
"""What the table of the page shows."""


def percentiles(latencies: list[float]) -> tuple[float, float]:
    """The median and the 99th percentile, in milliseconds."""
    cuts = quantiles(latencies, n=100) if len(latencies) > 1 else [0.0] * 99
    return cuts[49] * 1e3, cuts[98] * 1e3


def conclude() -> None:
    served, echo = MEASURED["served"], MEASURED["echo"]
    rounds, busy = MEASURED["rounds"]
    rows = [
        ("rounds a second", f"{rounds:.1f}"),
        ("processor time of the server, ms a round", f"{busy:.1f}"),
        ("from the command to every client's view, p50 and p99", _milliseconds(served)),
        ("bare echo of messages of that size, p50 and p99", _milliseconds(echo)),
        ("p99 in those of the echo", f"{served[1] / echo[1]:.1f}"),
    ]
    ratio = Ratio("p99 in those of a bare echo", served[1] / echo[1], more_is_better=False)
    report("web", ("", ""), rows, [ratio])


def _milliseconds(pair: tuple[float, float]) -> str:
    return f"{pair[0]:.1f}, {pair[1]:.1f} ms"


def told(latencies: list[float]) -> str:
    if len(latencies) < 100:
        return "too few to tell"
    cuts = quantiles(latencies, n=100)
    return f"p50 {cuts[49] * 1e3:.1f} ms, p99 {cuts[98] * 1e3:.1f} ms ({len(latencies):,} views)"


async def load(arguments: argparse.Namespace, database: str) -> tuple[float, float]:
    """Gives frames a second and their mean size, for the floor."""
    from croupier.runtime.dealer import Pace
    from croupier.web.server.settings import VARIABLE, Settings

    began = time.perf_counter()
    people = prepare(database, arguments.tables, arguments.seats)
    print(f"{arguments.tables} tables, {len(people):,} seats, made in {_since(began):.0f} s")
    pace = Pace(0, 0, 0, 0, 0, 10**6)
    settings = Settings(database, demo_tables=False, software_floor=True, pace=pace, throttles=None)
    environment = {VARIABLE: _encode(settings).decode()}
    servers = [
        start_server("croupier.web.app:create_app", environment) for _ in range(arguments.workers)
    ]
    await asyncio.sleep(2)
    ports = [port for _, port in servers]
    pids = [process.pid for process, _ in servers]
    empty = sum(map(memory, pids))
    tally, tables = Tally(), dict[str, TableUnderLoad]()
    bots = []
    for name, seat, token in people:
        table = tables.setdefault(name, TableUnderLoad(name, tally))
        bots.append(Bot(table, seat, token, ports, arguments.pace))
    tasks = []
    for number, bot in enumerate(bots):
        tasks.append(asyncio.create_task(bot.run()))
        if number % 20 == 19:
            await asyncio.sleep(0.05)
    await asyncio.sleep(arguments.warm)
    full = sum(map(memory, pids))
    print(
        f"memory: {empty / 2**20:.0f} MB before, {full / 2**20:.0f} MB with everybody connected: "
        f"{(full - empty) / len(bots) / 1024:.1f} KB a client"
    )
    if arguments.soak:
        await soak(arguments.soak, tally, pids)
    else:
        await measure(arguments.seconds, tally, pids)
    rate = tally.frames / _since(tally.began), tally.octets / max(1, tally.frames)
    if arguments.kill:
        await kill_one(servers, ports, tally)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for process, _ in servers:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
    check_books(database)
    return rate


def _since(began: float) -> float:
    return time.perf_counter() - began


async def measure(seconds: float, tally: Tally, pids: list[int]) -> None:
    tally.reset()
    before, own = sum(map(processor_seconds, pids)), time.process_time()
    await asyncio.sleep(seconds)
    seconds = _since(tally.began)
    busy = sum(map(processor_seconds, pids)) - before
    MEASURED["served"] = percentiles(tally.latencies)
    MEASURED["rounds"] = (tally.rounds / seconds, busy * 1e3 / max(1, tally.rounds))
    print(
        f"{tally.rounds / seconds:.1f} rounds/s, {tally.commands / seconds:.0f} commands/s by "
        f"players (refused: {dict(tally.refused) or 'none'}), "
        f"{tally.frames / seconds:.0f} views/s of {tally.octets / max(1, tally.frames):.0f} bytes\n"
        f"  from the command to every client's view: {told(tally.latencies)}\n"
        f"  processor: server {busy / seconds:.2f} cores, "
        f"{busy * 1e3 / max(1, tally.rounds):.0f} ms a round; clients "
        f"{(time.process_time() - own) / seconds:.2f} cores; server memory "
        f"{sum(map(memory, pids)) / 2**20:.0f} MB; load average {os.getloadavg()[0]:.0f}",
        flush=True,
    )


async def soak(minutes: int, tally: Tally, pids: list[int]) -> None:
    """Memory by the minute, and how much of it came in the second half."""
    tally.reset()
    sizes = [sum(map(memory, pids))]
    for minute in range(1, minutes + 1):
        tally.latencies.clear()
        await asyncio.sleep(60)
        sizes.append(sum(map(memory, pids)))
        print(
            f"minute {minute}: {tally.rounds:,} rounds so far, server memory "
            f"{sizes[-1] / 2**20:.1f} MB, {told(tally.latencies)}",
            flush=True,
        )
    grown = sizes[-1] - sizes[len(sizes) // 2]
    print(f"a soak of {minutes} minutes: {grown / 1024:+,.0f} KB in its second half")


async def kill_one(
    servers: list[tuple[subprocess.Popen[bytes], int]], ports: list[int], tally: Tally
) -> None:
    process, port = servers[0]
    tally.reset()
    process.send_signal(signal.SIGKILL)
    ports.remove(port)
    began = time.perf_counter()
    while not tally.rounds and _since(began) < 30:
        await asyncio.sleep(0.05)
    await asyncio.sleep(10)
    print(
        f"a worker killed: {tally.resumed} connections resumed on the other, "
        f"{tally.rounds} rounds finished in the {_since(began):.0f} s after it"
    )


def check_books(database: str) -> None:
    from croupier.ledger.journal import open_journal
    from croupier.ledger.verification.verify import verify

    with open_journal(database) as store:
        began = time.perf_counter()
        found = verify(store)
        total = sum(store.balances().values())
    print(
        f"books: {found.entries:,} entries, {found.rounds:,} rounds verified in "
        f"{_since(began):.0f} s: {'whole' if found.valid else found.differences[:3]}; all accounts "
        f"sum to {total}"
    )


# -- the floor ------------------------------------------------------------------------------------


def echo_app() -> Any:
    from litestar import Litestar, WebSocket, websocket
    from litestar.exceptions import WebSocketDisconnect

    @websocket("/echo")
    async def echo(socket: WebSocket[Any, Any, Any]) -> None:
        await socket.accept()
        with suppress(WebSocketDisconnect):
            while True:
                await socket.send_data(await socket.receive_data("text"), "text")

    # Names in annotations are looked up in the module.
    globals().update(WebSocket=WebSocket)
    return Litestar([echo])


async def floor(connections: int, rate: float, size: float, seconds: float) -> None:
    from websockets.asyncio.client import connect

    process, port = start_server("benchmarks.web:echo_app", {})
    latencies: list[float] = []
    text = "x" * round(size)
    ready = asyncio.Event()

    async def client(number: int) -> None:
        async with connect(
            f"ws://127.0.0.1:{port}/echo", compression=None, ping_interval=None, open_timeout=60
        ) as link:
            await ready.wait()
            await asyncio.sleep(number / rate)
            while True:
                began = time.perf_counter()
                await link.send(text)
                await link.recv()
                latencies.append(time.perf_counter() - began)
                await asyncio.sleep(max(0.0, connections / rate - (time.perf_counter() - began)))

    tasks = []
    for number in range(connections):
        tasks.append(asyncio.create_task(client(number)))
        if number % 20 == 19:
            await asyncio.sleep(0.02)
    await asyncio.sleep(3)
    ready.set()
    before, own = processor_seconds(process.pid), time.process_time()
    await asyncio.sleep(seconds)
    busy = (processor_seconds(process.pid) - before) / seconds
    own = (time.process_time() - own) / seconds
    MEASURED["echo"] = percentiles(latencies)
    print(
        f"the floor, a bare echo at {len(latencies) / seconds:.0f} messages/s of {size:.0f} bytes "
        f"over {connections:,} connections: {told(latencies)}; server {busy:.2f} cores, clients "
        f"{own:.2f}; memory {memory(process.pid) / 2**20:.0f} MB"
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    process.terminate()
    process.wait(20)


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--soak", type=int, default=0, help="minutes, instead of --seconds")
    parser.add_argument("--short", action="store_true", help="a glance: 20 tables, a few seconds")
    parser.add_argument("--warm", type=float, default=15)
    parser.add_argument("--pace", type=float, default=0, help="mean seconds of thought")
    parser.add_argument("--workers", type=int, default=1, help="more than one: on PostgreSQL")
    parser.add_argument("--kill", action="store_true", help="one worker, at the end")
    parser.add_argument("--no-floor", action="store_true")
    parser.add_argument("--write", action="store_true", help="the table of docs/benchmarks.md")
    arguments = parser.parse_args(["--short"] if words is None else words)
    if arguments.short:
        arguments.tables, arguments.seconds, arguments.warm = 20, 8, 4
    print(
        f"== web: {arguments.workers} worker(s), {os.cpu_count()} cores (load average "
        f"{os.getloadavg()[0]:.0f}), pace {arguments.pace} s"
    )
    with tempfile.TemporaryDirectory() as folder:
        if arguments.workers == 1:
            rate, size = asyncio.run(load(arguments, f"{folder}/journal.db"))
        else:
            rate, size = _on_postgres(arguments)
    if not arguments.no_floor:
        clients = arguments.tables * arguments.seats
        asyncio.run(floor(clients, rate, size, arguments.seconds))
        if not arguments.soak:
            conclude()


def _on_postgres(arguments: argparse.Namespace) -> tuple[float, float]:
    from tests.postgres import Server, find_programs

    programs = find_programs()
    if programs is None:
        raise SystemExit("no PostgreSQL server here: apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="croupier-pg-"))
    server = Server(programs, folder)
    server.start()
    try:
        return asyncio.run(load(arguments, server.fresh()))
    finally:
        server.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
