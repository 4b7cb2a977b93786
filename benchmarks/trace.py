"""Trace a raise: which modules a click in the browser passes, from the request to the frames.

The web server runs in this process, on a journal in a temporary file, and is called over real
sockets. Two guests sit at the table of `md-uth`, each with a live connection; the first raises over
HTTP. Everything that runs in `croupier` is traced, in all threads and on the event loop, from the
request until it is acknowledged and both have the view with its effect. The turn passes to the
second guest, so the dealer by software has nothing to do: this is the raise alone.

    python -m benchmarks.trace              # the medians of nine raises, and the modules
    python -m benchmarks.trace --rounds 25  # of more
    python -m benchmarks.trace --json       # for programs
    python -m benchmarks.trace --write      # and the table into docs/benchmarks.md

- module: a module of `croupier` in which something was called;
- call: a Python function called, comprehensions and resumed coroutines apart;
- crossing: a call whose caller (the nearest of ours, whatever foreign code lies between) is in
  another module;
- switch: control passes from one module to another, by a call, a return, an `await` or its end.

Only the HTTP API and the application's factory are used, so the figures before and after a change
of the inside can be compared. docs/benchmarks.md has them.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from statistics import median_low
from types import FrameType
from typing import Any, Final, NamedTuple

from benchmarks import write_section
from benchmarks.figures import Ratio, compare

TABLE: Final = "md-uth"
API: Final = "/api/v1"
PATIENCE: Final = 60.0
EARLIER: Final = (
    ("version 0.1 (commit 1eb9d9c)", 40, 264, 126, 320),
    ("one command, one record, one runtime", 40, 232, 110, 311),
    ("before two people (commit c48b5e0)", 60, 446, 215, 536),
    ("one mathematics (commit 2edad9a0)", 62, 490, 237, 594),
)
"""What earlier versions gave: modules, switches, crossings, calls."""
_keys = count(1)
_COMPREHENSIONS: Final = frozenset({"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"})
_RESUMABLE: Final = 0x20 | 0x80 | 0x200
"""The flags of generators, coroutines and asynchronous generators."""


def application(journal: Path) -> Any:
    """The demo tables, with a dealer who is quick and players who may think for long."""
    from croupier.runtime.dealer import Pace
    from croupier.web.app import create_app
    from croupier.web.server.settings import Settings

    pace = Pace(after_round=0, step=0, settle=0, collect=0, validate=0)
    return create_app(Settings(str(journal), pace=pace, throttles=None, software_floor=True))


def wire(step: str, seat: int, **fields: Any) -> tuple[str, dict[str, Any]]:
    """Return the path below the table and the body that the API takes. Nothing else here knows
    them."""
    if step == "ready":
        return "ready", {"seat": seat}
    commands: dict[str, dict[str, Any]] = {
        "sit": {"type": "take_seat", "seat": seat},
        "buy": {"type": "buy_in", "amount": "10000.00"},
        "bet": {"type": "place_wagers", "seat": seat, **fields},
        "say": {"type": "act", "seat": seat, **fields},
    }
    return "commands", commands[step]


# -- the trace ------------------------------------------------------------------------------------


class Traced(NamedTuple):
    modules: int
    switches: int
    crossings: int
    calls: int
    by_module: dict[str, int]


class Trace:
    """Counts while it is `on`, in every thread begun after `watch`."""

    def __init__(self) -> None:
        self.on = False
        self._begin()

    def _begin(self) -> None:
        self._calls: Counter[str] = Counter()
        self._crossings = self._switches = 0
        self._control: dict[int, str] = {}

    def watch(self) -> None:
        threading.setprofile(self._hook)

    def unwatch(self) -> None:
        threading.setprofile(None)

    @contextmanager
    def running(self) -> Iterator[None]:
        self._begin()
        self.on = True
        yield
        self.on = False

    def result(self) -> Traced:
        calls = self._calls
        by_module = dict(sorted(calls.items(), key=lambda item: (-item[1], item[0])))
        return Traced(len(calls), self._switches, self._crossings, calls.total(), by_module)

    def _hook(self, frame: FrameType, event: str, _: object) -> None:
        if not self.on or event not in ("call", "return") or not (module := _module(frame)):
            return
        below = _nearest(frame.f_back)
        if event == "return":
            self._passes_to(below)
            return
        self._passes_to(module)
        if _begins(frame) and frame.f_code.co_name not in _COMPREHENSIONS:
            self._calls[module] += 1
            self._crossings += below not in ("", module)

    def _passes_to(self, module: str) -> None:
        thread = threading.get_ident()
        last = self._control.get(thread, "")
        if module:
            self._switches += last not in ("", module)
            self._control[thread] = module


def _module(frame: FrameType) -> str:
    """Its name, if it is ours."""
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.partition(".")[0] == "croupier" else ""


def _nearest(frame: FrameType | None) -> str:
    while frame is not None:
        if module := _module(frame):
            return module
        frame = frame.f_back
    return ""


def _begins(frame: FrameType) -> bool:
    """Is the function called, and not a coroutine or a generator resumed?"""
    code = frame.f_code
    if not code.co_flags & _RESUMABLE:
        return True
    # RESUME says by its argument whether it stands at the function's start (0).
    return code.co_code[frame.f_lasti + 1] & 3 == 0


# -- the server and the people --------------------------------------------------------------------


@contextmanager
def serving(journal: Path) -> Iterator[int]:
    """The port of a server in a thread of this process."""
    import uvicorn

    config = uvicorn.Config(application(journal), ws="websockets-sansio", log_level="warning")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield int(listening.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


class Guest:
    """A player at a seat, with a cookie of their own."""

    def __init__(self, port: int, seat: int) -> None:
        self._port = port
        self.seat = seat
        self._cookie = self._csrf = ""
        self._csrf = self._call("GET", "/me")["csrf"]
        self._csrf = self._call("POST", "/guests", {})["csrf"]

    def _call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        link = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        sent_headers = {"Cookie": self._cookie, "X-CSRF-Token": self._csrf, **headers}
        sent = None
        if body is not None:
            sent, sent_headers["Content-Type"] = json.dumps(body), "application/json"
        try:
            link.request(method, API + path, sent, sent_headers)
            got = link.getresponse()
            text = got.read()
        finally:
            link.close()
        for cookie in got.headers.get_all("set-cookie") or []:
            self._cookie = cookie.partition(";")[0]
        if got.status >= 400:
            raise SystemExit(f"{method} {path}: {got.status} {text.decode()}")
        return json.loads(text)

    def do(self, step: str, **fields: Any) -> int:
        """Give a command; the table's version after it."""
        key = {"Idempotency-Key": f"trace-{next(_keys)}"}
        path, body = wire(step, self.seat, **fields)
        return int(self._call("POST", f"/tables/{TABLE}/{path}", body, **key)["version"])

    def until(self, phase: str) -> Any:
        """Return this player's view of the table once it is in this phase."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            view = self._call("GET", f"/tables/{TABLE}")
            if view["round"]["phase"] == phase:
                return view
            time.sleep(0.01)
        raise SystemExit(f"the table is stuck, {view['round']['phase']} instead of {phase}")

    def bet(self) -> None:
        """Place the smallest of every wager on offer."""
        wagers = {
            action["wager"]: action["stakes"][0] if action.get("stakes") else action["least"]
            for action in self.until("betting")["actions"]
            if action["do"] == "place" and action["seat"] == self.seat
        }
        self.do("bet", wagers=wagers)
        self.do("ready")

    def live(self) -> Any:
        from websockets.sync.client import connect

        return connect(
            f"ws://127.0.0.1:{self._port}{API}/tables/{TABLE}/live",
            additional_headers={"Cookie": self._cookie},
            open_timeout=PATIENCE,
        )


def raises(number: int) -> list[Traced]:
    """Trace this many raises, after one that is not counted because it fills the caches."""
    trace = Trace()
    trace.watch()
    try:
        with ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            port = stack.enter_context(serving(Path(folder) / "journal.db"))
            guests = Guest(port, 1), Guest(port, 2)
            for guest in guests:
                guest.do("sit")
                guest.do("buy")
            return [_raise(trace, *guests) for _ in range(number + 1)][1:]
    finally:
        trace.unwatch()


def _raise(trace: Trace, first: Guest, second: Guest) -> Traced:
    first.bet()
    second.bet()
    says = [each for each in first.until("deciding")["actions"] if each["do"] == "say"]
    action = says[0]["action"]
    with first.live() as mine, second.live() as theirs:
        for connection in (mine, theirs):
            connection.recv(timeout=PATIENCE)
        time.sleep(0.1)  # until nothing moves any more
        with trace.running():
            version = first.do("say", action=action)
            for connection in (mine, theirs):
                while json.loads(connection.recv(timeout=PATIENCE))["seq"] < version:
                    pass
            time.sleep(0.01)  # the server's last steps may come after the client has read
    traced = trace.result()
    second.do("say", action=action)
    first.until("betting")
    return traced


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trace")
    parser.add_argument("--rounds", type=int, default=9, help="how many raises are traced")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="the table of docs/benchmarks.md")
    options = parser.parse_args([] if arguments is None else arguments)
    traced = raises(options.rounds)
    middle = median_low(traced)
    if options.json:
        print(json.dumps(middle._asdict()))
        return
    print(f"A raise from the browser, the median of {len(traced)} (least to most):\n")
    for name in ("modules", "switches", "crossings", "calls"):
        values = [getattr(each, name) for each in traced]
        print(f"  {name:<10}{median_low(values):>6}   ({min(values)} to {max(values)})")
    print("\n  calls  module")
    for module, calls in middle.by_module.items():
        print(f"  {calls:>5}  {module}")
    counts = ("modules", "switches")
    compare("trace", [Ratio(name, getattr(middle, name), more_is_better=False) for name in counts])
    if options.write:
        write_section("trace", table(middle))


def table(now: Traced) -> str:
    rows = (*EARLIER, ("now", now.modules, now.switches, now.crossings, now.calls))
    head = "| | modules | switches | calls into another module | calls |\n"
    line = "| --- | ---: | ---: | ---: | ---: |\n"
    return head + line + "\n".join(f"| {' | '.join(map(str, row))} |" for row in rows)


if __name__ == "__main__":
    main(sys.argv[1:])
