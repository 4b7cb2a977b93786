"""Real servers on loopback: uvicorn in processes of their own, called over real sockets."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from websockets.sync.client import ClientConnection, connect

from croupier.web.server.settings import VARIABLE, Settings
from tests.web.kit import API, PASSWORD, PATIENCE, Answer, command_path, wanted_wagers

_keys = count(1)
SERVE = """
import sys
from croupier.web.server.serving import run_server
from croupier.web.server.settings import from_environment
run_server(from_environment(), fd=int(sys.argv[1]))
"""
ROOT = Path(__file__).parents[2]


class Port:
    """A listening socket that is handed to the server: nobody can take the port meanwhile, and who
    calls too early waits instead of being turned away."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self._socket = socket.create_server((host, 0), backlog=512)
        self.number = int(self._socket.getsockname()[1])
        self.fd = self._socket.fileno()

    def close(self) -> None:
        self._socket.close()


class Worker:
    """One server process. `serve`: the program that it runs."""

    def __init__(
        self, settings: Settings, log: Path, host: str = "127.0.0.1", serve: str = SERVE
    ) -> None:
        self.host = host
        self._port = Port(host)
        self.port = self._port.number
        self._log = log.open("wb")
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-c", serve, str(self._port.fd)),
            ],
            pass_fds=(self._port.fd,),
            env={
                **os.environ,
                VARIABLE: msgspec.json.encode(settings).decode(),
                "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}",
            },
            stdout=self._log,
            stderr=self._log,
        )

    def wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended: {Path(self._log.name).read_text()}")
            with suppress(OSError):
                if Client(self.port, self.host).call("GET", "/health").status == 200:
                    return
            time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._port.close()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()
        self._port.close()
        self._log.close()


@contextmanager
def workers(settings: Settings, number: int, folder: Path) -> Iterator[list[Worker]]:
    started = [Worker(settings, folder / f"worker-{place}.log") for place in range(number)]
    try:
        for one in started:
            one.wait()
        yield started
    finally:
        for one in started:
            one.stop()


class Client:
    """A person with a cookie, who may go from worker to worker."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.port, self.host = port, host
        self.cookie = self.csrf = self.name = ""

    def call(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Answer:
        link = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        told = {"Cookie": self.cookie, "X-CSRF-Token": self.csrf, **(headers or {})}
        sent = None
        if body is not None:
            sent, told["Content-Type"] = json.dumps(body), "application/json"
        try:
            link.request(method, API + path, sent, told)
            got = link.getresponse()
            text = got.read()
        finally:
            link.close()
        for cookie in got.headers.get_all("set-cookie") or []:
            self.cookie = cookie.partition(";")[0]
        return Answer(got.status, json.loads(text), got.headers)

    def come_in(self) -> Client:
        self.csrf = self.call("GET", "/me").body["csrf"]
        return self._known(self.call("POST", "/guests", {}))

    def sign_in(self, name: str, password: str = PASSWORD) -> Client:
        self.csrf = self.call("GET", "/me").body["csrf"]
        return self._known(self.call("POST", "/session", {"name": name, "password": password}))

    def _known(self, found: Answer) -> Client:
        assert found.status == 201, found
        self.csrf, self.name = found.body["csrf"], found.body["name"]
        return self

    def send(
        self,
        table: str,
        /,
        key: str | None = None,
        meant: dict[str, Any] | None = None,
        **command: Any,
    ) -> Answer:
        named = {"Idempotency-Key": key or f"real-{os.getpid()}-{next(_keys)}"}
        return self.call("POST", command_path(table, meant), command, named)

    def say_ready(self, table: str, seat: int, number: int) -> Answer:
        path = command_path(table, {"round": number}, "ready")
        return self.call("POST", path, {"seat": seat})

    def do(self, table: str, /, **command: Any) -> int:
        found = self.send(table, **command)
        assert found.status == 200, found.body
        return int(found.body["version"])

    def live(self, table: str, after: int | None = None) -> Any:
        query = "" if after is None else f"?after={after}"
        return connect(
            f"ws://{self.host}:{self.port}{API}/tables/{table}/live{query}",
            additional_headers={"Cookie": self.cookie},
            compression=None,
            open_timeout=PATIENCE,
            ping_timeout=None,
        )


class Player:
    """Plays one seat over its live connection, and keeps every frame it was sent."""

    def __init__(self, client: Client, table: str, seat: int) -> None:
        self.client, self.table, self.seat = client, table, seat
        self.frames: list[str] = []
        self.seq: int | None = None
        self._open = ExitStack()
        self.socket: ClientConnection = self._open.enter_context(client.live(table))

    def sit(self) -> None:
        self.client.do(self.table, type="take_seat", seat=self.seat)
        self.client.do(self.table, type="buy_in", amount="5000.00")

    def resume(self, port: int, host: str = "127.0.0.1") -> None:
        """On another worker, from the last frame seen."""
        self._open.close()
        self.client.port, self.client.host = port, host
        self.socket = self._open.enter_context(self.client.live(self.table, self.seq))

    def play(self, rounds: int, seconds: float = PATIENCE) -> int:
        """Until so many rounds are over; gives the number of the last."""
        first, end = None, time.monotonic() + seconds
        while time.monotonic() < end:
            view = self.next_view()
            state = view["round"]
            first = state["number"] if first is None else first
            if state["number"] >= first + rounds and state["phase"] == "betting":
                return int(state["number"])
            self.act(view)
        raise AssertionError(f"{self.table} stands still: {self.frames[-1]}")

    def next_view(self) -> Any:
        """The next frame; a person who sees nothing move for a while looks at the table anew."""
        try:
            text = self.socket.recv(timeout=5)
        except TimeoutError:
            return self.client.call("GET", f"/tables/{self.table}").body
        assert isinstance(text, str)
        self.frames.append(text)
        frame = json.loads(text)
        self.seq = frame["seq"]
        return frame["view"]

    def act(self, view: Any) -> None:
        state = view["round"]
        mine = next((s for s in state["seats"] if s["number"] == self.seat), None)
        says = [action for action in view["actions"] if action["do"] == "say"]
        if state["phase"] == "betting" and mine is None:
            wagers = wanted_wagers(view, self.seat)
            if wagers:
                self._try(state, type="place_wagers", seat=self.seat, wagers=wagers)
        elif state["phase"] == "betting" and mine is not None and not mine["ready"]:
            found = self.client.say_ready(self.table, self.seat, state["number"])
            assert found.status in (200, 409), found.body
        elif says:
            action = says[len(self.frames) % len(says)]["action"]
            self._try(state, type="act", seat=self.seat, action=action)

    def _try(self, state: Any, **command: Any) -> None:
        """A frame may be old by the time it is answered: then the next one is on its way."""
        meant = {"round": state["number"], "decision": state["decision"]}
        found = self.client.send(self.table, meant=meant, **command)
        assert found.status in (200, 409), found.body

    def close(self) -> None:
        self._open.close()
