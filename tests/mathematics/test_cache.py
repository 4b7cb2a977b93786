"""Solved results are kept under a key made of the rules, and never trusted when damaged."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from croupier.mathematics.cache import (
    keeping_nothing,
    key_of,
    read_arrays,
    read_result,
    write_result,
)
from croupier.mathematics.counters.boards import rulebook
from croupier.mathematics.questions.analysis import Asked, analyze
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission
from tests.commands.program import croupier as program
from tests.mathematics.counters.boards.examples import solve, ultimate


def rules(paytables: dict[str, str] | None = None, **readings: str) -> Rules:
    submission = Submission(paytables=paytables or {}, readings=readings)
    return put_in_force(load_rulebook("md-wpt"), submission)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CROUPIER_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_result_is_kept_and_read_again(empty_cache: Path) -> None:
    first = analyze(rules(), "pocket_bonus")
    [kept] = empty_cache.iterdir()
    stamp = kept.stat().st_mtime_ns
    assert analyze(rules(), "pocket_bonus") == first
    assert kept.stat().st_mtime_ns == stamp


def test_what_is_looked_at_once_is_not_kept(empty_cache: Path) -> None:
    with keeping_nothing():
        first = analyze(rules(), "pocket_bonus")
    assert not empty_cache.exists()
    assert analyze(rules(), "pocket_bonus") == first
    assert len(list(empty_cache.iterdir())) == 1


@pytest.mark.parametrize("damage", [b"", b"x", b"0" * 64 + b"{}", None])
def test_a_damaged_file_is_rebuilt(empty_cache: Path, damage: bytes | None) -> None:
    first = analyze(rules(), "pocket_bonus")
    [kept] = empty_cache.iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1] + b"!" if damage is None else damage)
    assert analyze(rules(), "pocket_bonus") == first
    assert kept.read_bytes() == whole


def test_another_rule_is_another_key() -> None:
    keys = {
        key_of(rules(), "main"),
        key_of(rules(), "trips_plus"),
        key_of(rules({"bad_beat_bonus": "B"}), "main"),
        key_of(rules(bad_beat_keeps_odds="no"), "main"),
    }
    assert len(keys) == 4


def test_another_question_is_another_key() -> None:
    one = analyze(rules(), "progressive", Asked(meters={"main": 500_000}))
    other = analyze(rules(), "progressive", Asked(meters={"main": 900_000}))
    assert one["house_edge"] != other["house_edge"]


def test_a_folder_that_cannot_be_written_only_costs_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("CROUPIER_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert analyze(rules(), "pocket_bonus")["house_edge"] == pytest.approx(10 / 221)


def test_what_is_not_there_is_nothing() -> None:
    assert read_result("0" * 64) is None
    assert read_arrays("0" * 64) is None


def _write(folder: Path, name: str, size: int, used: int) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name * 64}.npz"
    path.write_bytes(b"x" * size)
    os.utime(path, (used, used))
    return path


def test_beyond_the_limit_the_longest_unused_goes(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE_MB", "1")
    old = _write(empty_cache, "a", 700_000, 1_000)
    newer = _write(empty_cache, "b", 700_000, 2_000)
    foreign = empty_cache / "notes.txt"
    foreign.write_text("somebody's")
    write_result("c" * 64, {"kept": True})
    assert not old.exists()
    assert newer.exists()
    assert foreign.exists()
    assert read_result("c" * 64) == {"kept": True}


def test_what_is_read_counts_as_used(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_CACHE_MB", "1")
    write_result("a" * 64, {"a": "x" * 500_000})
    write_result("b" * 64, {"b": "x" * 500_000})
    for name, used in (("a", 1_000), ("b", 2_000)):
        os.utime(empty_cache / f"{name * 64}.json", (used, used))
    assert read_result("a" * 64) is not None
    write_result("c" * 64, {"c": "x" * 500_000})
    assert [read_result(name * 64) is not None for name in "abc"] == [True, False, True]


def test_the_command_tells_and_clears(empty_cache: Path) -> None:
    write_result("a" * 64, {"a": 1})
    told = json.loads(program("cache", "--json").out)
    assert told["files"] == 1
    assert told["limit_bytes"] == 1024 << 20
    cleared = json.loads(program("cache", "--clear", "--json").out)
    assert (cleared["removed"], cleared["files"]) == (1, 0)
    assert list(empty_cache.iterdir()) == []


@pytest.mark.parametrize("more", [0, 2_000_000], ids=["32 bits", "64 bits"])
def test_a_solution_comes_back_from_the_disk_as_it_was(more: int) -> None:
    """Numbers are stored in 32 bits where they fit."""
    game = ultimate()
    solution = solve(replace(game, required=game.required + more, fold=game.fold + more))
    stored = rulebook._arrays(solution)
    flop = [
        numbers for name, numbers in stored.items() if name.startswith("3.") and numbers.size > 1
    ]
    assert {numbers.dtype for numbers in flop} == {np.dtype(np.int64 if more else np.int32)}
    back = rulebook._restored(solution.game, stored)
    assert back is not None
    assert back.value == solution.value
    for seen, stage in solution.stages.items():
        again = back.stages[seen]
        assert again.onward.keys() == stage.onward.keys()
        for path, numbers in stage.onward.items():
            assert again.onward[path].dtype == numbers.dtype
            assert np.array_equal(again.onward[path], numbers)
        assert (again.level, again.ways) == (stage.level, stage.ways)
