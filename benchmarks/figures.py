"""The figures of a benchmark: printed, compared with the last release's, written into the docs.

A benchmark ends with `report(name, table, ratios)`. The table is what docs/benchmarks.md shows; the
ratios are what a machine changes little: ours against a peer, or one part against another, measured
in turns. `--write` puts the table into the page, and the ratios into `kept/VERSION.json`, which
stands in the repository: so the next release is compared with this one.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import write_section
from croupier import __version__

KEPT: Final = Path(__file__).with_name("kept")
SLOWER: Final = 0.10
"""A ratio that is worse by less than this share is as fast as before."""
RESULTS: Final = "CROUPIER_BENCH_RESULTS"
"""`python -m benchmarks` names here the file that collects what got slower."""


class Ratio(NamedTuple):
    name: str
    value: float
    more_is_better: bool = True


def report(
    benchmark: str, head: Sequence[str], rows: Iterable[Sequence[str]], ratios: Sequence[Ratio]
) -> None:
    """Print a table and what got slower; with `--write` keep both."""
    table = table_of(head, rows)
    print(f"\n{table}\n")
    compare(benchmark, ratios)
    if "--write" in sys.argv:
        write_section(benchmark, table)


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def compare(benchmark: str, ratios: Sequence[Ratio]) -> None:
    """Print what got slower since the last release; with `--write` keep the ratios for the next."""
    version, before = last_release(KEPT, __version__)
    slower = [f"{benchmark}: {words}" for words in worse(ratios, before.get(benchmark, {}))]
    for words in slower:
        print(f"slower than in {version}: {words}")
    if path := os.environ.get(RESULTS):
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(f"slower than in {version}: {words}\n" for words in slower)
    if "--write" in sys.argv:
        _keep(benchmark, ratios)


def worse(ratios: Iterable[Ratio], before: dict[str, float]) -> Iterator[str]:
    for ratio in ratios:
        old = before.get(ratio.name)
        if old and ratio.value:
            change = ratio.value / old if ratio.more_is_better else old / ratio.value
            if change < 1 - SLOWER:
                yield f"{ratio.name}: {old:g} → {ratio.value:.3g} ({change - 1:+.0%})"


def last_release(folder: Path, current: str) -> tuple[str, dict[str, dict[str, float]]]:
    """The version before the current one, with its ratios by benchmark."""
    versions = [path.stem for path in folder.glob("*.json") if order(path.stem) < order(current)]
    if not versions:
        return "", {}
    version = max(versions, key=order)
    kept: dict[str, dict[str, float]] = json.loads((folder / f"{version}.json").read_text("utf-8"))
    return version, kept


def order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _keep(benchmark: str, ratios: Sequence[Ratio]) -> None:
    path = KEPT / f"{__version__}.json"
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    kept[benchmark] = {ratio.name: float(f"{ratio.value:.4g}") for ratio in ratios}
    path.write_text(json.dumps(kept, ensure_ascii=False, indent=1, sort_keys=True) + "\n", "utf-8")
