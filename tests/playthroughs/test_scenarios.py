"""Golden sessions: every game and every way of dealing, told line by line.

`make playthroughs` writes them anew; look at the diff before you commit it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.equipment import dealing_in_force, dealing_name
from croupier.rulebooks.loader import load_rulebook
from croupier.scenarios import read_file, rehearse

HERE = Path(__file__).parent / "scenarios"
SCENARIOS = sorted(HERE.glob("*.rehearsal"))
EXAMPLES = sorted((HERE.parents[2] / "examples").glob("*.rehearsal"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_session_goes_as_written_and_is_told_as_recorded(path: Path) -> None:
    rehearsal = rehearse(read_file(path))
    told, golden = rehearsal.playthrough(), path.with_suffix(".txt")
    if os.environ.get("CROUPIER_WRITE_PLAYTHROUGHS"):
        golden.write_text(told, "utf-8")
    assert rehearsal.holds, told
    assert told == golden.read_text("utf-8")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_goes_as_written(path: Path) -> None:
    rehearsal = rehearse(read_file(path))
    assert rehearsal.holds, rehearsal.playthrough()


def test_every_game_has_a_session_for_every_way_and_order_of_dealing() -> None:
    wanted = set()
    for name in DOCUMENTS:
        for way, dealing in load_rulebook(name).default.dealing.items():
            wanted |= {(name, way, order) for order in dealing.variants or ("",)}
    found = set()
    for path in SCENARIOS:
        rules = read_file(path).rules
        ways = rules.book.dealing
        way = next(name for name in ways if ways[name] is dealing_in_force(rules))
        order = str(rules.options.get("deal_order") or "") if ways[way].variants else ""
        found.add((rules.book.id, way, order))
    assert wanted - found == set()


def test_every_accident_of_every_document_and_way_of_dealing_is_rehearsed() -> None:
    wanted = set()
    for name in DOCUMENTS:
        book = load_rulebook(name).default
        for kind, accident in book.irregularities.items():
            wanted |= {(name, way, kind) for way in accident.dealt_by or book.dealing}
    found = set()
    for path in SCENARIOS:
        scenario = read_file(path)
        way = dealing_name(scenario.rules)
        for result in rehearse(scenario).results:
            match = re.match(r"(?:Dan|Flo) reports ([^:(]+)", result.text)
            if match and result.verdict == "ok":
                kind = re.sub(r" at \w+$", "", match[1].strip()).replace(" ", "_")
                found.add((scenario.rules.book.id, way, kind))
    assert wanted - found == set()


def test_there_are_examples() -> None:
    assert EXAMPLES
