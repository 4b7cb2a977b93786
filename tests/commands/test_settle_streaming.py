"""`croupier settle` streams: memory does not grow with the number of lines."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.rounds.settle_requests import RequestSettler, RoundRequest
from croupier.rulebooks.decoding import read_json
from tests.commands.program import ROOT

CHILD = """
import sys
from croupier.commands.app import run
code = run(["settle", "--json"])
sys.stdout.flush()
shown = dict(line.split(":", 1) for line in open("/proc/self/status"))
sys.stderr.write(shown["VmHWM"].split()[0])
sys.exit(code)
"""


def request(number: int) -> dict[str, Any]:
    """A round of its own stakes and player; every hundredth is refused."""
    stake = "oops" if number % 100 == 99 else 1 + number % 500
    return {
        "rulebook": "md-wpt",
        "dealer": "Qs Qh",
        "community": "As Kd 7h 2c 2d",
        "seats": [
            {
                "seat": 1 + number % 6,
                "player": f"player {number}",
                "cards": "Ah Ad",
                "wagers": {"ante": stake, "odds": stake},
                "actions": ["check", "2x"],
            }
        ],
    }


def peak_kib(lines: Iterator[bytes], tmp_path: Path) -> tuple[int, int]:
    """The most memory the child held, and how many answers it gave."""
    told, answers = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    with told.open("wb") as file:
        file.writelines(lines)
    with told.open("rb") as stdin, answers.open("wb") as stdout:
        child = subprocess.run(
            [sys.executable, "-c", CHILD],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
            cwd=ROOT,
        )
    assert child.returncode == 2
    said = child.stderr.decode().splitlines()
    return int(said[-1]), answers.read_bytes().count(b"\n")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's /proc")
def test_memory_is_flat_over_ten_thousand_lines(tmp_path: Path) -> None:
    def lines(count: int) -> Iterator[bytes]:
        return (json.dumps(request(number)).encode() + b"\n" for number in range(count))

    few, answered = peak_kib(lines(500), tmp_path)
    assert answered == 500
    many, answered = peak_kib(lines(10_000), tmp_path)
    assert answered == 10_000
    assert many - few < 4_096, f"{few} KiB after 500 lines, {many} KiB after 10,000"


def test_the_desk_lets_go_of_rules_it_no_longer_keeps() -> None:
    """Every line may come with a submission of its own."""
    settler = RequestSettler()

    def settled(number: int) -> weakref.ref[object]:
        told = request(number) | {"submission": {"table": f"WPT {number}"}}
        _, rules, _ = settler.settle(read_json(json.dumps(told), RoundRequest))
        return weakref.ref(rules)

    first = settled(0)
    for number in range(1, 90):
        settled(number)
    assert first() is not None
    for number in range(300):
        settler.rules("md-wpt", json.dumps({"operator": f"house {number}"}).encode())
    gc.collect()
    assert first() is None
