"""Run every benchmark, each in a process of its own: what one keeps in memory is not another's.

python -m benchmarks           # print, and say what got slower since the last release
python -m benchmarks --write   # the same, and write docs/benchmarks.md and kept/VERSION.json
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import RESULTS

BENCHMARKS = (
    "evaluators",
    "settlement",
    "engine",
    "solver",
    "waiting",
    "design",
    "knowing",
    "cluster",
    "journal",
    "tables",
    "trust",
    "trace",
    "web",
    "attacks",
)


def main() -> None:
    with TemporaryDirectory() as folder:
        results = Path(folder) / "results"
        environment = {**os.environ, RESULTS: str(results)}
        for name in BENCHMARKS:
            command = [sys.executable, "-c", f"from benchmarks.{name} import main; main()"]
            if "--write" in sys.argv:
                short = ["--short"] if name == "web" else []
                command = [sys.executable, "-m", f"benchmarks.{name}", *short, "--write"]
            subprocess.run(command, check=True, env=environment)
        slower = results.read_text("utf-8") if results.exists() else ""
    print(f"\n{slower or 'Nothing is slower by a tenth than in the last release.'}")


if __name__ == "__main__":
    main()
