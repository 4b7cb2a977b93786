"""Run every benchmark that is there."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

BENCHMARKS = ("evaluators", "settlement", "engine", "solver", "journal", "tables", "web")


def main() -> None:
    for name in BENCHMARKS:
        if find_spec(f"benchmarks.{name}") is not None:
            import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
