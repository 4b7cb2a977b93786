"""Solved results are kept under a key made of the rules, and never trusted when damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.mathematics.analysis import Asked, analyze
from croupier.mathematics.cache import keeping_nothing, key_of, read_arrays, read_result
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.rules import Rules, put_in_force
from croupier.rulebooks.submission import Submission


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
