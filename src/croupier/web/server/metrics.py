"""The counters of a server's workers, in the Prometheus text format.

Any worker can answer `/metrics` for all of them, because each writes its figures to a shared folder
once a second and before every answer. Counters of workers that have ended are kept, so that no
total ever decreases.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import msgspec

from croupier import __version__
from croupier.web.server.load import Load
from croupier.web.server.pools import Pools

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper bounds of the histogram, in seconds."""
FOLDER: Final = "croupier-metrics-"
ENDED: Final = "ended.json"
NEW_SECONDS: Final = 60


class WorkerFigures(msgspec.Struct):
    """The figures of one worker, or the totals of all workers that have ended."""

    answers: dict[str, int] = {}
    """Number of answers by class of status, such as `2xx`."""
    within: dict[float, int] = {}
    seconds: float = 0.0
    shed: int = 0
    ended: int = 0
    """Number of workers that have ended."""
    uptime: float = 0.0
    in_flight: int = 0
    late: float = 0.0
    waiting: dict[str, int] = {}
    dealt_here: int = 0
    watching: int = 0
    is_ready: bool = True
    differs: bool = False
    """Whether the program's files differ from those installed."""
    tables_open: int = 0
    seats: int = 0
    rounds: int = 0
    entries: int = 0

    def add_ended(self, worker: WorkerFigures) -> None:
        """Add the counters of a worker that has ended; gauges are dropped."""
        self.answers = dict(Counter(self.answers) + Counter(worker.answers))
        self.within = dict(Counter(self.within) + Counter(worker.within))
        self.seconds += worker.seconds
        self.shed += worker.shed
        self.ended += 1


class AllFigures(NamedTuple):
    """The figures of all workers of one server."""

    workers: list[WorkerFigures]
    ended: WorkerFigures = WorkerFigures()


class Metrics:
    """The counters of this worker. Used from the event loop only."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._answers: Counter[str] = Counter()
        self._within: Counter[float] = Counter()
        self._seconds = 0.0

    def answered(self, status: int, seconds: float) -> None:
        self._answers[f"{status // 100}xx"] += 1
        self._seconds += seconds
        for most in BUCKETS:
            if seconds <= most:
                self._within[most] += 1

    def figures(self, load: Load, pools: Pools, tables: Mapping[str, Any]) -> WorkerFigures:
        """Return this worker's counters, its load, and the figures of its tables."""
        return WorkerFigures(
            answers=dict(self._answers),
            within=dict(self._within),
            seconds=self._seconds,
            shed=load.shed,
            uptime=time.monotonic() - self._began,
            in_flight=load.in_flight,
            late=load.late,
            waiting={pool.name: pool.waiting for pool in pools.all},
            **tables,
        )


# -- between the workers ---------------------------------------------------------------------------


@contextmanager
def shared_folder() -> Iterator[str]:
    """Yield a folder for the figures of several workers while the server runs. Folders left behind
    by servers that were killed are removed."""
    if os.name != "posix":
        yield ""
        return
    for left in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
        with suppress(OSError):
            status = left.stat()
            is_new = time.time() - status.st_mtime < NEW_SECONDS  # its lock is about to be taken
            if status.st_uid == os.getuid() and not is_new and _is_free(left / "server.lock"):
                shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=FOLDER) as folder, _locked(f"{folder}/server.lock"):
        yield folder


class SharedFigures:
    """One worker's files in the shared folder. Its lock is released with the process, however that
    ends.

    Blocking: use it in a thread.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._name = f"{os.getpid()}-{os.urandom(4).hex()}"
        self._lock = _lock(self._folder / f"{self._name}.lock")

    def exchange(self, own: WorkerFigures) -> AllFigures:
        """Write this worker's figures and return those of all workers."""
        with _locked(self._folder / "all.lock"):
            _write(self._folder / f"{self._name}.json", own)
            ended, living = _read(self._folder / ENDED), [own]
            for lock in sorted(self._folder.glob("*-*.lock")):
                file = lock.with_suffix(".json")
                if lock.stem == self._name:
                    continue
                if _is_free(lock):
                    ended.add_ended(_read(file))
                    _write(self._folder / ENDED, ended)
                    file.unlink(missing_ok=True)
                    lock.unlink()
                elif file.exists():
                    living.append(_read(file))
            return AllFigures(living, ended)

    def close(self, own: WorkerFigures) -> None:
        """Write the last figures, then release the lock: the worker counts as ended."""
        with suppress(OSError):
            self.exchange(own)
        self._lock.close()


def _lock(path: Path | str, *, waits: bool = True) -> IO[bytes]:
    import fcntl

    file = Path(path).open("ab")  # noqa: SIM115
    try:
        fcntl.flock(file, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise
    return file


@contextmanager
def _locked(path: Path | str) -> Iterator[None]:
    with _lock(path):
        yield


def _is_free(path: Path) -> bool:
    """Return whether the process that held this lock has ended."""
    try:
        _lock(path, waits=False).close()
    except BlockingIOError:
        return False
    return True


def _read(path: Path) -> WorkerFigures:
    try:
        return msgspec.json.decode(path.read_bytes(), type=WorkerFigures)
    except FileNotFoundError:
        return WorkerFigures()


def _write(path: Path, figures: WorkerFigures) -> None:
    draft = path.with_suffix(".draft")
    draft.write_bytes(msgspec.json.encode(figures))
    draft.replace(path)


# -- as text ---------------------------------------------------------------------------------------


class _Figure(NamedTuple):
    name: str
    type: str
    help: str
    values: dict[str, float]
    """The values by label; an empty label means a value without labels."""


def metrics_text(figures: AllFigures) -> str:
    lines = [line for figure in _figures(figures) for line in _lines(figure)]
    return "\n".join([*lines, *_histogram([*figures.workers, figures.ended])]) + "\n"


def _figures(figures: AllFigures) -> Iterator[_Figure]:
    workers, ended = figures
    # Every worker follows all tables, some with a delay: the one with the most entries is right.
    house = max(workers, key=lambda worker: worker.entries)
    answers, waiting = Counter(ended.answers), Counter[str]()
    for worker in workers:
        answers.update(worker.answers)
        waiting.update(worker.waiting)
    by_status = {f'status="{status}"': float(n) for status, n in sorted(answers.items())}
    by_pool = {f'pool="{pool}"': float(n) for pool, n in waiting.items()}
    uptime = min(worker.uptime for worker in workers)
    in_flight, shed = (
        sum(worker.in_flight for worker in workers),
        sum(worker.shed for worker in (*workers, ended)),
    )
    late = max(worker.late for worker in workers)
    dealt, watching = (
        sum(worker.dealt_here for worker in workers),
        sum(worker.watching for worker in workers),
    )
    ready = int(all(worker.is_ready for worker in workers))
    yield _Figure("build_info", "gauge", "The program.", {f'version="{__version__}"': 1})
    yield _Figure("workers", "gauge", "Processes that serve.", {"": len(workers)})
    yield _Figure("workers_ended_total", "counter", "Workers that have ended.", {"": ended.ended})
    yield _Figure("uptime_seconds", "gauge", "Since the youngest worker started.", {"": uptime})
    yield _Figure("requests_total", "counter", "Requests answered.", by_status)
    yield _Figure("requests_in_flight", "gauge", "Being answered now.", {"": in_flight})
    yield _Figure("requests_shed_total", "counter", "Sent away: too busy.", {"": shed})
    yield _Figure("loop_late_seconds", "gauge", "How late the latest event loop is.", {"": late})
    yield _Figure("pool_waiting", "gauge", "Waiting for a thread.", by_pool)
    yield _Figure("tables_open", "gauge", "Tables that are open.", {"": house.tables_open})
    yield _Figure("tables_dealt_here", "gauge", "Dealt by this server.", {"": dealt})
    yield _Figure("seats_taken", "gauge", "Players seated.", {"": house.seats})
    yield _Figure("live_connections", "gauge", "Live connections.", {"": watching})
    yield _Figure("rounds_total", "counter", "Rounds begun at all tables.", {"": house.rounds})
    entries = {"": float(house.entries)}
    yield _Figure("table_entries_total", "counter", "Journal entries of tables.", entries)
    differs = int(any(worker.differs for worker in workers))
    yield _Figure("program_differs", "gauge", "Files changed since installed?", {"": differs})
    yield _Figure("ready", "gauge", "Could the journal be written to when last asked?", {"": ready})


def _lines(figure: _Figure) -> Iterator[str]:
    name = f"croupier_{figure.name}"
    yield f"# HELP {name} {figure.help}"
    yield f"# TYPE {name} {figure.type}"
    for label, value in figure.values.items():
        yield f"{name}{{{label}}} {value:.15g}" if label else f"{name} {value:.15g}"


def _histogram(every: list[WorkerFigures]) -> Iterator[str]:
    name = "croupier_request_seconds"
    count = sum(sum(worker.answers.values()) for worker in every)
    yield f"# HELP {name} Time to answer a request."
    yield f"# TYPE {name} histogram"
    for most in BUCKETS:
        within = sum(worker.within.get(most, 0) for worker in every)
        yield f'{name}_bucket{{le="{most:g}"}} {within}'
    yield f'{name}_bucket{{le="+Inf"}} {count}'
    yield f"{name}_sum {sum(worker.seconds for worker in every):.6f}"
    yield f"{name}_count {count}"
