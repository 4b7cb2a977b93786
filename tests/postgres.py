"""A real PostgreSQL server for tests, started when the first test asks for one.

A folder of tests imports the fixtures into its conftest.py:

    from tests.postgres import postgres_server, postgres_url

`postgres_url` is a fresh, empty place for tables; `postgres_server` can be killed and started
again. The server belongs to the test session: its data are in a private folder, and it can be
reached by a socket in there only.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

from tests.ports import free_port

__all__ = ["Server", "postgres_server", "postgres_url"]

_numbers = count(1)


class Server:
    """A server of our own, syncing to the disk as in production."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self.folder = folder
        self._data = folder / "data"
        self._log = folder / "log"
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        self._run(
            *("initdb", "-D", str(self._data), "-U", "postgres", "-A", "trust", "-E", "UTF8"),
            *("--no-sync", "--locale=C.UTF-8"),
        )

    def start(self, listen: str = "", port: int = 5432) -> None:
        """`listen`: an address to be reached at by TCP, too."""
        options = f"-c port={port} -c listen_addresses='{listen}'"
        options += f" -c unix_socket_directories='{self.folder}'"
        self._run(
            *("pg_ctl", "-D", str(self._data), "-l", str(self._log), "-w", "-t", "180"),
            *("-o", options, "start"),
        )

    def stop(self) -> None:
        with suppress(RuntimeError):
            self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def kill(self) -> None:
        """SIGKILL, to every process of the server at once: nothing can be tidied up."""
        first = int((self._data / "postmaster.pid").read_text("utf-8").split("\n", 1)[0])
        os.kill(first, signal.SIGSTOP)  # so that it does not start new ones meanwhile
        family = [first, *_children(first)]
        for process in family:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + 20
        while any(_alive(process) for process in family) and time.monotonic() < deadline:
            time.sleep(0.01)
        # Where nobody reaps orphans, the dead process keeps its number and looks alive to pg_ctl.
        for lock in (self._data / "postmaster.pid", self.folder / ".s.PGSQL.5432.lock"):
            lock.unlink(missing_ok=True)

    def url(self, schema: str = "public") -> str:
        path = f"-csearch_path%3D{schema}"
        return f"postgresql://postgres@/postgres?host={self.folder}&options={path}"

    def fresh(self) -> str:
        """The URL of an empty place: a schema of its own, which is quicker than a database."""
        name = f"test_{next(_numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return self.url(name)

    @contextmanager
    def over_tcp(self, address: str) -> Iterator[str]:
        """The URL of an empty place, by TCP at this address of loopback."""
        name = self.fresh().rpartition("%3D")[2]
        port = free_port(address)
        self.stop()
        self.start(address, port)
        try:
            place = f"{address}:{port}/postgres?options=-csearch_path%3D{name}"
            yield f"postgresql://postgres@{place}"
        finally:
            self.stop()
            self.start()

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            command = ["runuser", "-u", "postgres", "--", *command]
        out = self.folder.parent / f"{self.folder.name}.{program}"
        # Into a file: the server inherits a pipe and would keep it open for ever.
        with out.open("wb") as told:
            done = subprocess.run(
                command, stdout=told, stderr=told, cwd="/", check=False, timeout=240
            )
        text = out.read_text("utf-8", "replace")
        out.unlink()
        if done.returncode:
            log = self._log.read_text("utf-8", "replace")[-2000:] if self._log.exists() else ""
            raise RuntimeError(f"{' '.join(command)} failed: {text}\n{log}")


def _children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(stat.parent.name))
    return found


def _alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("utf-8", "replace")
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def find_programs() -> Path | None:
    """The newest server on this machine."""
    places = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4])
    )
    on_path = shutil.which("postgres")
    if places:
        return places[-1].parent
    return Path(on_path).resolve().parent if on_path else None


def _install() -> None:
    if os.geteuid() == 0 and shutil.which("apt-get"):
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                ["apt-get", "install", "-y", "-qq", "postgresql"],
                env=environment,
                capture_output=True,
                check=False,
                timeout=300,
            )


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    programs = find_programs()
    if programs is None:
        _install()
        programs = find_programs()
    if programs is None:
        reason = "PostgreSQL IS NOT TESTED: no server here (apt-get install postgresql)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    # Not pytest's tmp_path: the user postgres may not enter it, and a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="croupier-pg-"))
    server = Server(programs, folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: Server) -> str:
    return postgres_server.fresh()
