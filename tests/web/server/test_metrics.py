"""Figures of a server with several workers, whichever of them is asked."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from croupier.web.server.metrics import FOLDER, NEW_SECONDS, shared_folder
from tests.ports import free_port
from tests.postgres import _children
from tests.web.kit import API, PATIENCE

OK = 'croupier_requests_total{status="2xx"}'


def get(port: int, path: str) -> str:
    """Over a connection of its own, so that any worker may answer."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        link.request("GET", path)
        answer = link.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, text
        return text
    finally:
        link.close()


def scrape(port: int) -> dict[str, float]:
    lines = (line for line in get(port, "/metrics").splitlines() if not line.startswith("#"))
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def folders() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob(f"{FOLDER}*"))


@contextmanager
def served(database: str, folder: Path, *words: str) -> Iterator[tuple[int, int]]:
    """`croupier serve` with two workers: its port, and its process."""
    port = free_port()
    log = folder / "log"
    environment = {**os.environ, "CROUPIER_DATABASE": database, "CROUPIER_DATA_DIR": str(folder)}
    told = [
        sys.executable,
        "-m",
        "croupier",
        "serve",
        "--workers",
        "2",
        "--port",
        str(port),
        *words,
    ]
    with log.open("wb") as written:
        process = subprocess.Popen(told, stdout=written, stderr=written, env=environment)
    try:
        until(lambda: answers(port), log)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(60)


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def until(holds: object, log: Path) -> None:
    assert callable(holds)
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, log.read_text("utf-8")
        time.sleep(0.1)


def _ask_all(port: int, times: int) -> None:
    """Many at once: both workers have to take some."""
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: get(port, f"{API}/tables"), range(times)))


def test_two_workers_count_as_one(postgres_url: str, tmp_path: Path) -> None:
    """The counters of whichever worker answered once jumped up and down between two scrapes."""
    before = folders()
    with served(postgres_url, tmp_path) as (port, process):
        log, own = tmp_path / "log", folders() - before
        until(lambda: scrape(port)["croupier_workers"] == 2, log)
        time.sleep(2)  # each worker leaves its figures once a second
        first = scrape(port)[OK]
        seen: list[dict[str, float]] = []
        for _ in range(20):
            _ask_all(port, 5)
            seen.append(scrape(port))
        for name in (OK, "croupier_request_seconds_count", "croupier_table_entries_total"):
            values = [figures[name] for figures in seen]
            assert values == sorted(values), name
        time.sleep(2)
        asked = 1 + 20 * (5 + 1)  # that scrape, and those since
        last = scrape(port)
        assert last[OK] - first == asked
        assert (
            last["croupier_request_seconds_count"]
            == last['croupier_request_seconds_bucket{le="+Inf"}']
        )
        assert last["croupier_workers_ended_total"] == 0
        assert last["croupier_tables_open"] > 4, "and a table is not counted twice"
        assert last["croupier_tables_open"] == seen[0]["croupier_tables_open"]

        # One dies: what it counted stays counted, and its files are cleared away.
        worker = next(one for one in _children(process) if _is_worker(one))
        os.kill(worker, signal.SIGKILL)
        until(lambda: scrape(port)["croupier_workers_ended_total"] == 1, log)
        until(lambda: scrape(port)["croupier_workers"] == 2, log)
        assert scrape(port)[OK] > last[OK]
        (place,) = own
        names = sorted(path.name for path in place.iterdir())
        assert len([name for name in names if name.endswith(".lock") and "-" in name]) == 2
        assert not [name for name in names if name.startswith(f"{worker}-")]
    assert not own & folders(), "nothing is left behind"


def _is_worker(process: int) -> bool:
    command = Path(f"/proc/{process}/cmdline").read_bytes()
    return b"multiprocessing" in command and b"resource_tracker" not in command


def test_folders_of_servers_that_were_killed_are_removed() -> None:
    left = Path(tempfile.mkdtemp(prefix=FOLDER))
    new = Path(tempfile.mkdtemp(prefix=FOLDER))
    (left / "7-x.json").write_text("{}")
    (left / "server.lock").write_text("")
    old = time.time() - 2 * NEW_SECONDS
    os.utime(left, (old, old))
    try:
        with shared_folder() as first:
            assert not left.exists()
            assert new.exists(), "its server is just starting"
            os.utime(first, (old, old))
            with shared_folder():
                assert Path(first).exists(), "its server is running"
        assert not Path(first).exists()
    finally:
        for folder in (left, new):
            shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is Debian's prometheus")
def test_prometheus_itself_reads_the_figures(postgres_url: str, tmp_path: Path) -> None:
    with served(postgres_url, tmp_path) as (port, _):
        text = get(port, "/metrics")
    done = subprocess.run(
        ["promtool", "check", "metrics"], input=text.encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
