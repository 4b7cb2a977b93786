"""`--cluster`: the same figures from a real scheduler with two worker processes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

import pytest

from croupier.errors import BadRequest, Unsolvable
from croupier.workers import Cluster, ClusterLost, Here, Processes, using, workers
from tests.commands.program import croupier as program


class Running(NamedTuple):
    address: str
    scheduler: subprocess.Popen[str]
    workers: list[subprocess.Popen[str]]


def _started(kind: str, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + kind, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "DASK_DISTRIBUTED__DIAGNOSTICS__NVML": "False"},
    )


def _address(scheduler: subprocess.Popen[str]) -> str:
    assert scheduler.stderr is not None
    for line in scheduler.stderr:
        if found := re.search(r"Scheduler at:\s+(tcp://\S+)", line):
            return found[1]
    raise AssertionError("the scheduler did not start")


def _cluster(folder: Path, count: int) -> Running:
    scheduler = _started(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"
    )
    address = _address(scheduler)
    common = (address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
    return Running(
        address, scheduler, [_started("worker", *common, "--no-nanny") for _ in range(count)]
    )


def _ended(running: Running) -> None:
    for process in (*running.workers, running.scheduler):
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def _waited(address: str, count: int) -> None:
    """Until so many workers are there."""
    last = monotonic() + 60
    while True:
        try:
            with Cluster(address) as cluster:
                if list(cluster.map(_process, range(1))) and _known(cluster) >= count:
                    return
        except BadRequest:
            if monotonic() > last:
                raise
        sleep(0.2)


def _known(cluster: Cluster) -> int:
    return len(set(cluster.map(_slow_process, range(8))))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = _cluster(tmp_path_factory.mktemp("dask"), 2)
    _waited(running.address, 2)
    yield running
    _ended(running)


# -- work for the workers --------------------------------------------------------------------------


def _process(_: int) -> int:
    return os.getpid()


def _slow_process(_: int) -> int:
    sleep(0.05)
    return os.getpid()


def _square(number: int) -> int:
    return number * number


def _refused(number: int) -> int:
    raise Unsolvable(f"no solver for {number}", clause="12.A")


def _dies_once(mark: str) -> str:
    """The first worker that tries it is killed in the middle."""
    try:
        Path(mark).touch(exist_ok=False)
    except FileExistsError:
        return "done"
    os.kill(os.getpid(), signal.SIGKILL)
    return "never"


def _kills_the_scheduler(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    sleep(60)


# -- the workers -----------------------------------------------------------------------------------


def test_results_come_in_the_order_of_the_pieces(cluster: Running) -> None:
    pieces = range(20)
    assert list(Here().map(_square, pieces)) == [n * n for n in pieces]
    assert list(Processes(2).map(_square, pieces)) == [n * n for n in pieces]
    with using(cluster.address):
        assert workers().is_remote
        assert list(workers().map(_square, pieces)) == [n * n for n in pieces]
    assert not workers().is_remote


def test_both_workers_do_their_part(cluster: Running) -> None:
    with Cluster(cluster.address) as connected:
        assert len(set(connected.map(_slow_process, range(12)))) == 2


def test_a_refusal_travels_with_its_clause(cluster: Running) -> None:
    with Cluster(cluster.address) as connected, pytest.raises(Unsolvable) as refused:
        list(connected.map(_refused, [7]))
    assert refused.value.clause == "12.A"


@pytest.fixture(scope="module")
def doomed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A cluster of which one test takes a worker, and the next the scheduler."""
    running = _cluster(tmp_path_factory.mktemp("doomed"), 2)
    _waited(running.address, 2)
    yield running
    _ended(running)


def test_a_worker_killed_in_mid_work_costs_time_only(doomed: Running, tmp_path: Path) -> None:
    with Cluster(doomed.address) as connected:
        assert list(connected.map(_dies_once, [str(tmp_path / "mark")])) == ["done"]


def test_a_cluster_that_goes_away_is_told(doomed: Running) -> None:
    with Cluster(doomed.address) as connected, pytest.raises(ClusterLost, match="went away"):
        list(connected.map(_kills_the_scheduler, [doomed.scheduler.pid]))


def test_a_command_whose_scheduler_dies_says_so_in_one_sentence(tmp_path: Path) -> None:
    running = _cluster(tmp_path, 1)
    try:
        _waited(running.address, 1)
        words = ["simulate", "md-235", "--rounds", "400000", "--strategy", "first"]
        command = subprocess.Popen(
            [sys.executable, "-m", "croupier", *words, "--cluster", running.address],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        _until_busy(running.address)
        running.scheduler.kill()
        out, error = command.communicate(timeout=60)
    finally:
        _ended(running)
    assert command.returncode == 2
    assert not out
    (line,) = error.splitlines()
    assert line.startswith(f"croupier: the cluster at {running.address} went away: ")


def _until_busy(address: str) -> None:
    with Cluster(address) as cluster:
        last = monotonic() + 60
        while not any(cluster._client.processing().values()):
            assert monotonic() < last
            sleep(0.05)


# -- the commands ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "analyze md-uth --wager trips --wager six_card_bonus --all --json",
        "simulate md-235 --rounds 2100 --seats 1 --strategy first --seed 3 --json",
        "design md-uth --wager trips --vary flush=5..9 --edge 0..4 --json",
    ],
)
def test_figures_equal_the_local_ones(cluster: Running, words: str) -> None:
    here, there = program(*words.split()), program(*words.split(), "--cluster", cluster.address)
    assert there.code == here.code == 0, there.err
    assert json.loads(there.out) == json.loads(here.out)


@pytest.mark.full
@pytest.mark.parametrize("rulebook", ["md-wpt", "md-235"])
def test_every_paytable_equals_the_local_one(cluster: Running, rulebook: str) -> None:
    words = ("analyze", rulebook, "--all", "--json")
    here, there = program(*words), program(*words, "--cluster", cluster.address)
    assert there.code == here.code == 0, there.err
    assert there.out == here.out


def test_a_report_has_the_bytes_of_the_local_one(cluster: Running, tmp_path: Path) -> None:
    words = ("report", "three-card-poker", "--simulate", "50", "--without", "known-cards", "--to")
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    for to, more in ((here, ()), (there, ("--cluster", cluster.address))):
        ended = program(*words, str(to), *more)
        assert ended.code == 0, ended.err
    assert there.read_bytes() == here.read_bytes()


@pytest.mark.full
def test_readings_of_a_report_are_found_by_the_workers(cluster: Running, tmp_path: Path) -> None:
    words = ("report", "md-235", "--simulate", "0", "--to")
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    for to, more in ((here, ()), (there, ("--cluster", cluster.address))):
        ended = program(*words, str(to), *more)
        assert ended.code == 0, ended.err
    assert there.read_bytes() == here.read_bytes()


def test_verify_finds_the_same(cluster: Running, tmp_path: Path) -> None:
    where = str(tmp_path / "evening.db")
    played = program(
        "simulate", "md-uth", "--rounds", "6", "--strategy", "first", "--journal", where
    )
    assert played.code in (0, 1), played.err
    here = program("verify", "--journal", where, "--json")
    there = program("verify", "--journal", where, "--json", "--cluster", cluster.address)
    assert there.code == here.code == 0, there.err
    assert json.loads(there.out) == json.loads(here.out)


def test_no_scheduler_is_told() -> None:
    ended = program("analyze", "md-uth", "--wager", "trips", "--cluster", "nonsense")
    assert ended.code == 2
    assert "dask scheduler" in ended.err


def test_a_journal_is_written_by_one_process() -> None:
    words = ("simulate", "md-uth", "--journal", "x.db", "--cluster", "tcp://127.0.0.1:1")
    ended = program(*words)
    assert ended.code == 2
    assert "cluster" in ended.err
