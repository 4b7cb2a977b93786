"""Benchmarks compare their ratios with those of the last release."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import figures
from benchmarks.__main__ import BENCHMARKS
from benchmarks.figures import KEPT, Ratio, last_release, table_of, worse
from tests.commands.program import ROOT


def test_only_what_is_worse_by_a_tenth_is_named() -> None:
    before = {"speed": 40.0, "cost": 2.0, "gone": 1.0}
    now = [Ratio("speed", 36.5), Ratio("cost", 2.1, more_is_better=False), Ratio("new", 1)]
    assert not list(worse(now, before))
    assert list(worse([Ratio("speed", 30)], before)) == ["speed: 40 → 30 (-25%)"]
    assert list(worse([Ratio("cost", 4, more_is_better=False)], before)) == ["cost: 2 → 4 (-50%)"]


def test_the_last_release_is_the_one_before_this_version(tmp_path: Path) -> None:
    for version in ("0.2.0", "0.9.0", "0.10.0", "1.0.0"):
        (tmp_path / f"{version}.json").write_text(json.dumps({"engine": {"md-uth": 1.0}}))
    assert last_release(tmp_path, "0.10.0")[0] == "0.9.0"
    assert last_release(tmp_path, "0.11.0") == ("0.10.0", {"engine": {"md-uth": 1.0}})
    assert last_release(tmp_path, "0.2.0") == ("", {})


def test_a_report_says_what_got_slower_and_collects_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "0.0.1.json").write_text(json.dumps({"engine": {"md-uth": 40.0}}))
    monkeypatch.setattr(figures, "KEPT", tmp_path)
    monkeypatch.setenv(figures.RESULTS, str(tmp_path / "results"))
    figures.report("engine", ("", "ratio"), [("md-uth", "20")], [Ratio("md-uth", 20)])
    said = "slower than in 0.0.1: engine: md-uth: 40 → 20 (-50%)\n"
    assert capsys.readouterr().out.endswith(said)
    assert (tmp_path / "results").read_text("utf-8") == said


def test_a_table_is_markdown() -> None:
    assert table_of(("", "a"), [("b", "")]) == "| | a |\n| --- | ---: |\n| b | |"


def test_every_benchmark_has_its_place_on_the_page_and_kept_figures_are_of_benchmarks() -> None:
    page = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    for name in BENCHMARKS:
        assert f"<!-- {name}: written by `python -m benchmarks.{name} --write` -->" in page, name
        assert f"<!-- end of {name} -->" in page, name
    for path in KEPT.glob("*.json"):
        assert set(json.loads(path.read_text("utf-8"))) <= set(BENCHMARKS), path
