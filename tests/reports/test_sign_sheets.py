"""Felts and sheets: the same bytes each time, texts that stay texts, any number of positions."""

from __future__ import annotations

import copy
import os
import re
import subprocess
import sys
import tomllib
from itertools import combinations
from math import cos, hypot, radians, sin
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from croupier.errors import BadRequest
from croupier.reports.felt import _Felt, felt_svg
from croupier.reports.sheets import Paper, Part, sheet
from croupier.reports.signs import Sign, sign_of
from croupier.rulebooks.loader import RulebookFile, load_rulebook
from croupier.rulebooks.rules import put_in_force
from croupier.rulebooks.submission import Submission, read_submission
from tests.commands.contract import RULEBOOKS
from tests.commands.program import EXAMPLES, ROOT, croupier
from tests.submissions.papers import PATHS

HARBOUR = tomllib.loads((EXAMPLES / "harbour-holdem.toml").read_text("utf-8"))
NONSENSE = '</text><script>alert(1)</script>&"\'\x00\x1b[3m\ud800 #import "x": $x$ \\u{7} */ [['


def sign(rulebook: str, operator: str = "Harbour Casino") -> Sign:
    return sign_of(put_in_force(load_rulebook(rulebook), Submission()), operator=operator)


def harbour(operator: str = "", **changes: Any) -> Sign:
    tree = copy.deepcopy(HARBOUR)
    for path, value in changes.items():
        *parents, last = path.split("__")
        node = tree
        for key in parents:
            node = node[key]
        node[last] = value
    rules = put_in_force(RulebookFile(tree, "harbour.toml"), Submission())
    return sign_of(rules, operator=operator)


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return [part for element in root.iter() for part in element.itertext()]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_felt_stands_alone_and_is_well_formed(rulebook: str) -> None:
    svg = felt_svg(sign(rulebook))
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert svg.count("://") == 1, "nothing but the name space"
    assert "<script" not in svg
    assert "prefers-color-scheme: dark" in svg
    assert "prefers-color-scheme" not in felt_svg(sign(rulebook), printed=True)
    assert len(svg) < 60_000
    assert svg == felt_svg(sign(rulebook))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_position_1_is_farthest_to_the_dealers_left(rulebook: str) -> None:
    """The dealer looks at the players, so his left is the right of the drawing."""
    svg = felt_svg(sign(rulebook))
    xs = [float(part.split()[0]) for part in svg.split('transform="translate(')[1:]]
    assert xs == sorted(xs, reverse=True)
    assert len(xs) == 6


@pytest.mark.parametrize("part", ["sign", "layout"])
@pytest.mark.parametrize("rulebook", ["md-uth", "ma-uth"])
def test_a_sheet_has_the_same_bytes_each_time(rulebook: str, part: Part) -> None:
    first = sheet(sign(rulebook), part)
    assert first.startswith(b"%PDF-")
    assert first == sheet(sign(rulebook), part)
    assert first != sheet(sign(rulebook, "Bay Casino"), part)
    assert first != sheet(sign(rulebook), part, "a4")


def test_a_sheet_has_the_same_bytes_in_another_process_at_another_time() -> None:
    words = [sys.executable, "-m", "croupier", "sign", "md-235", "--format", "pdf"]
    elsewhere = {"TZ": "Asia/Tokyo", "LANG": "C", "SOURCE_DATE_EPOCH": "1"}
    one, other = (
        subprocess.run(
            words, capture_output=True, check=True, cwd=ROOT, env={**os.environ, **more}
        ).stdout
        for more in ({}, elsewhere)
    )
    assert one == other == sheet(sign("md-235", ""), "sign")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_signs_of_the_examples_fit_on_one_page(rulebook: str) -> None:
    submission = read_submission(PATHS[rulebook])
    rules = put_in_force(load_rulebook(rulebook), submission)
    shown = sign_of(rules, operator=submission.operator, table=submission.table)
    papers: tuple[Paper, ...] = ("letter", "a4")
    for paper in papers:
        made = sheet(shown, "sign", paper)
        assert len(re.findall(rb"/Type\s*/Page(?!s)", made)) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"title": NONSENSE.replace("\ud800", "").replace("\x00", "")},
        {"wagers__ante__title": NONSENSE},
        {"wagers__lighthouse__title": "x" * 3000},
        {"wagers__lighthouse__title": ""},
        {"wagers__lighthouse__title": " \t\n "},
        {"wagers__lighthouse__title": "ランプ 灯台 🗼 שלום"},
    ],
)
def test_titles_stay_texts(changes: dict[str, str]) -> None:
    (title,) = changes.values()
    shown = harbour(NONSENSE, **changes)
    svg = felt_svg(shown)
    root = ElementTree.fromstring(svg)
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert any("alert(1)" in text for text in texts(svg)), "it is there, as text"
    for part in ("sign", "layout"):
        assert sheet(shown, part).startswith(b"%PDF-")
    assert isinstance(title, str)


def centers(shown: Sign) -> list[tuple[float, float]]:
    """Where the spots and third cards of all positions lie on the drawing."""
    felt = _Felt(shown)
    places = [(spot.across * 84, felt._row(spot.row)) for spot in shown.spots]
    places += [(area.across * 84, felt._row(area.row)) for area in shown.areas if area.each]
    found = []
    for angle in felt.angles:
        turn = radians(angle - 90)
        for x, y in places:
            out = felt.radius + y
            found.append((x * cos(turn) - out * sin(turn), x * sin(turn) + out * cos(turn)))
    return found


def apart(shown: Sign) -> bool:
    return all(hypot(x - u, y - v) >= 64 for (x, y), (u, v) in combinations(centers(shown), 2))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_no_spot_overlaps_another(rulebook: str) -> None:
    assert apart(sign(rulebook))
    bare = put_in_force(load_rulebook(rulebook), Submission(offered=()))
    assert apart(sign_of(bare))


@pytest.mark.parametrize("positions", [1, 2, 5, 7, 12])
def test_any_number_of_positions_is_drawn(positions: int) -> None:
    shown = harbour(positions__most=positions)
    svg = felt_svg(shown)
    assert svg.count("translate(") == positions
    assert svg.count("<title>Ante [2.1]</title>") == positions
    assert apart(shown)


def test_without_a_layout_the_sign_is_made_all_the_same() -> None:
    tree = copy.deepcopy(HARBOUR)
    del tree["layout"]
    shown = sign_of(put_in_force(RulebookFile(tree, "harbour.toml"), Submission()))
    assert {spot.wager for spot in shown.spots} == set(HARBOUR["wagers"])
    assert shown.missing == ()
    assert next(n.words for n in shown.notices) == (
        "The dealer qualifies with a pair of sixes or better"
    )
    ElementTree.fromstring(felt_svg(shown))
    assert sheet(shown, "sign").startswith(b"%PDF-")


def test_without_typst_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(BadRequest) as caught:
        sheet(sign("md-uth"), "sign")
    assert caught.value.code == "not_installed"
    assert "pip install '.[reports]'" in caught.value.message


@pytest.mark.parametrize("rulebook", [*RULEBOOKS, "harbour-holdem"])
def test_the_pictures_in_docs_are_those_drawn_today(rulebook: str) -> None:
    words: list[str | Path] = ["sign", rulebook]
    words += [PATHS[rulebook]] if rulebook in PATHS else []
    if rulebook not in PATHS:
        words[1] = EXAMPLES / f"{rulebook}.toml"
    drawn = croupier(*words, "--format", "svg").out
    there = ROOT / "docs" / "pictures" / f"layout-{rulebook}.svg"
    assert there.read_bytes() == drawn, f"croupier {words} --format svg --to {there}"
