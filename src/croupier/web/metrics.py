"""What a worker counts, in the text form of Prometheus."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from croupier import __version__
from croupier.web.load import Load
from croupier.web.pit import Pit

__all__ = ["MEDIA_TYPE", "Metrics", "metrics_text"]

MEDIA_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Seconds."""


class Metrics:
    """Used from the event loop only."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.answers: Counter[str] = Counter()
        """By kind of status: `2xx`."""
        self._within: Counter[float] = Counter()
        self._seconds = 0.0
        self._count = 0

    def answered(self, status: int, seconds: float) -> None:
        self.answers[f"{status // 100}xx"] += 1
        self._seconds += seconds
        self._count += 1
        for most in BUCKETS:
            if seconds <= most:
                self._within[most] += 1

    @property
    def uptime(self) -> float:
        return time.monotonic() - self._began

    def histogram(self) -> Iterator[str]:
        name = "croupier_request_seconds"
        yield f"# HELP {name} Time to answer a request."
        yield f"# TYPE {name} histogram"
        for most in BUCKETS:
            yield f'{name}_bucket{{le="{most:g}"}} {self._within[most]}'
        yield f'{name}_bucket{{le="+Inf"}} {self._count}'
        yield f"{name}_sum {self._seconds:.6f}"
        yield f"{name}_count {self._count}"


class _Figure(NamedTuple):
    name: str
    kind: str
    help: str
    values: dict[str, float]
    """By label; an empty label stands alone."""


def metrics_text(metrics: Metrics, pit: Pit, load: Load) -> str:
    lines = [line for figure in _figures(metrics, pit, load) for line in _lines(figure)]
    return "\n".join([*lines, *metrics.histogram()]) + "\n"


def _figures(metrics: Metrics, pit: Pit, load: Load) -> Iterator[_Figure]:
    tables = list(pit.tables)
    answers = {f'status="{kind}"': float(n) for kind, n in sorted(metrics.answers.items())}
    waiting = {f'pool="{pool.name}"': float(pool.waiting) for pool in pit.pools.all}
    open_tables = sum(served.table.is_open for served in tables)
    seats = sum(len(served.table.seats) for served in tables)
    yield _Figure("build_info", "gauge", "The program.", {f'version="{__version__}"': 1})
    yield _Figure("uptime_seconds", "gauge", "Since this worker started.", {"": metrics.uptime})
    yield _Figure("requests_total", "counter", "Requests answered.", answers)
    yield _Figure("requests_in_flight", "gauge", "Being answered now.", {"": load.in_flight})
    yield _Figure("requests_shed_total", "counter", "Sent away: too busy.", {"": load.shed})
    yield _Figure("loop_late_seconds", "gauge", "How late the event loop is.", {"": load.late})
    yield _Figure("pool_waiting", "gauge", "Waiting for a thread.", waiting)
    yield _Figure("tables_open", "gauge", "Tables that are open.", {"": open_tables})
    yield _Figure("tables_dealt_here", "gauge", "Dealt by this worker.", {"": pit.dealt_here})
    yield _Figure("seats_taken", "gauge", "Players seated.", {"": seats})
    watching = sum(served.watching for served in tables)
    yield _Figure("live_connections", "gauge", "Live connections.", {"": watching})
    rounds = sum(served.table.round.number for served in tables)
    yield _Figure("rounds_total", "counter", "Rounds begun at all tables.", {"": rounds})
    entries = sum(served.table.version for served in tables)
    yield _Figure("table_entries_total", "counter", "Journal entries of tables.", {"": entries})
    ready = 1 if pit.last_probe is None or pit.last_probe.is_ready else 0
    yield _Figure("ready", "gauge", "Could the journal be written to when last asked?", {"": ready})


def _lines(figure: _Figure) -> Iterator[str]:
    name = f"croupier_{figure.name}"
    yield f"# HELP {name} {figure.help}"
    yield f"# TYPE {name} {figure.kind}"
    for label, value in figure.values.items():
        yield f"{name}{{{label}}} {value:g}" if label else f"{name} {value:g}"
