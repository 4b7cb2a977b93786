"""`croupier guide`: the sheet a dealer reads."""

from __future__ import annotations

import pytest

from croupier.rulebooks.bundled import DOCUMENTS
from tests.commands.program import EXAMPLES, croupier


@pytest.mark.parametrize("rulebook", [*DOCUMENTS, str(EXAMPLES / "harbour-holdem.toml")])
def test_every_game_has_its_sheet(rulebook: str) -> None:
    ran = croupier("guide", rulebook)
    assert ran.code == 0
    for words in ("No more bets", "Deal", "Decision", "Settle", "Collect"):
        assert words in ran.text


def test_the_sheet_follows_the_way_of_dealing() -> None:
    by_hand = croupier("guide", "md-uth", "--dealing", "hand", "--json").json
    clauses = [step["clause"] for step in by_hand["steps"]]
    assert "9.A(2)" in clauses
    assert "8.D(1)" not in clauses
    assert clauses.index("9.A(3)") < clauses.index("9.A(2)") < clauses.index("11.B(1)")


def test_nonsense_is_refused() -> None:
    assert croupier("guide", "md-uth", "--dealing", "by mail").code == 2
    assert croupier("guide", "nothing").code == 2
