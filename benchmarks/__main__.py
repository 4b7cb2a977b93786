"""Run every benchmark, each in a process of its own: what one keeps in memory is not another's."""

from __future__ import annotations

import subprocess
import sys

BENCHMARKS = (
    "evaluators",
    "settlement",
    "engine",
    "environment",
    "solver",
    "waiting",
    "design",
    "knowing",
    "cluster",
    "journal",
    "tables",
    "trust",
    "web",
    "attacks",
)


def main() -> None:
    for name in BENCHMARKS:
        program = f"from benchmarks.{name} import main; main()"
        subprocess.run([sys.executable, "-c", program], check=True)


if __name__ == "__main__":
    main()
