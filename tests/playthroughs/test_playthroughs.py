"""Golden playthroughs: whole rounds told as stories, readable in a diff.

`make playthroughs` writes them anew; look at the diff before you commit it.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console

from croupier.reports.story import story
from croupier.rounds.settle_requests import RequestSettler, RoundRequest
from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.decoding import read_json

HERE = Path(__file__).parent
ROUNDS = sorted(HERE.glob("*.jsonl"))


def told(path: Path) -> str:
    out = io.StringIO()
    console = Console(file=out, width=120, highlight=False)
    settler = RequestSettler()
    for line in path.read_text("utf-8").splitlines():
        played, rules, settlement = settler.settle(read_json(line, RoundRequest))
        console.print(story(played, settlement, rules))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_rounds_are_settled_as_recorded(path: Path) -> None:
    golden = path.with_suffix(".txt")
    if os.environ.get("CROUPIER_WRITE_PLAYTHROUGHS"):
        golden.write_text(told(path), "utf-8")
    assert told(path) == golden.read_text("utf-8")


def test_every_document_and_kind_of_game_has_a_playthrough() -> None:
    assert {path.stem for path in ROUNDS} >= {*DOCUMENTS, "let-it-ride", "caribbean-stud"}
