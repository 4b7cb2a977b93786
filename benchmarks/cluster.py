"""Two workers of a dask cluster against one, and one against no cluster at all."""

from __future__ import annotations

import logging
from functools import partial
from time import perf_counter
from typing import Any

from benchmarks.figures import Ratio, report
from croupier.simulation.playing import RunTotals, play_stretch, prepare, stretches
from croupier.simulation.run_setting import Setting, setting_for
from croupier.workers import Cluster, Here, Workers

ROUNDS = 24_000


def main() -> None:
    from distributed import LocalCluster

    setting, _ = setting_for("md-uth", seats=6, strategy="first")
    prepare(setting)
    here, expected = _timed(Here(), setting)
    print(f"simulate, {ROUNDS:,} rounds of six seats in stretches of 2,000")
    rows, ratios = [("this process", f"{here:.1f}", "1.00")], list[Ratio]()
    connect: Any = LocalCluster
    for count in (1, 2):
        options = {"n_workers": count, "threads_per_worker": 1, "dashboard_address": None}
        with (
            connect(**options, silence_logs=logging.CRITICAL) as local,
            Cluster(local.scheduler_address) as cluster,
        ):
            list(cluster.map(_warm, range(2 * count)))
            seconds, found = _timed(cluster, setting)
        assert found.players == expected.players, "the result depends on who did the work"
        name = f"{count} of a cluster"
        rows.append((name, f"{seconds:.1f}", f"{seconds / here:.2f}"))
        ratios.append(Ratio(name, seconds / here, more_is_better=False))
    report("cluster", ("workers", "s", "in this process"), rows, ratios)


def _warm(_: int) -> None:
    import croupier.simulation  # noqa: F401


def _timed(workers: Workers, setting: Setting) -> tuple[float, RunTotals]:
    began = perf_counter()
    total = RunTotals()
    for one in workers.map(partial(play_stretch, setting), stretches(ROUNDS)):
        total.add(one)
    return perf_counter() - began, total


if __name__ == "__main__":
    main()
