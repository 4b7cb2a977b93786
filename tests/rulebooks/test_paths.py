"""Places in a rulebook file are found, and found again by what is told of them."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.rulebooks.bundled import DOCUMENTS
from croupier.rulebooks.clauses import clauses_of
from croupier.rulebooks.loader import load_rulebook
from croupier.rulebooks.readings import at_path, citing

TREE: dict[str, Any] = {
    "clause": "1",
    "reveals": [{"name": "flop", "clause": "2"}, {"name": "flop", "clause": "3"}],
    "lines": [{"hand": "pair", "pays": "1 to 1", "clause": "4"}, "5"],
    "jam": {"hands": {"6.A(1)": "Reshuffle."}, "by": {"shoe": "7"}, "clauses": ["8", "7"]},
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("clause", "1"),
        ("reveals.flop.clause", "2"),
        ("reveals[1].clause", "3"),
        ("lines.pair.pays", "1 to 1"),
        ("lines[1]", "5"),
        ("", None),
        (".clause", None),
        ("reveals.turn", None),
        ("reveals[2]", None),
        ("clause.clause", None),
        ("reveals[x]", None),
    ],
)
def test_what_stands_at_a_path(path: str, found: object) -> None:
    assert at_path(TREE, path) == found


@pytest.mark.parametrize(
    ("clause", "places"),
    [
        ("2", ["reveals.flop"]),
        ("3", ["reveals[1]"]),
        ("4", ["lines.pair"]),
        ("6.A(1)", ["jam.hands"]),
        ("7", ["jam.by.shoe", "jam.clauses"]),
        ("9", []),
    ],
)
def test_the_places_that_carry_a_clause(clause: str, places: list[str]) -> None:
    assert list(citing(TREE, clause)) == places


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_place_that_is_told_is_found_again(document: str) -> None:
    tree = {k: v for k, v in load_rulebook(document).tree.items() if k != "readings"}
    places = [place for clause in clauses_of(document) for place in citing(tree, clause)]
    assert len(places) > 100
    assert [place for place in places if at_path(tree, place) is None] == []
