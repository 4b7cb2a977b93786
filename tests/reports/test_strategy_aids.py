"""The strategy at hand: the chart and the prices are those of `strategy chart` and `price`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from croupier.commands.strategy import card
from croupier.errors import BadData
from croupier.library.rulebook import load_rulebook
from croupier.library.strategies import chart
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.text import open_strategy
from croupier.mathematics.questions.strategy_prices import price_of
from croupier.reports.strategy_aids import strategy_at_hand, strategy_card


def test_it_says_what_chart_and_price_say() -> None:
    rules = load_rulebook("md-235").rules
    found = strategy_at_hand(rules)
    known = chart("md-235")
    assert found.chart is not None
    cells = {cell.hand: cell.says for row in found.chart.rows for cell in row}
    assert cells == {hand: told.best for hand, told in known.hands.items()}
    assert Fraction(found.house_edge) == known.house_edge
    for one in found.in_words:
        price = price_of(rules, open_strategy(one.name, solver_for(rules).choices()))
        assert (one.house_edge, one.cost) == (str(price.house_edge), str(price.cost))
    assert strategy_card(found) == strategy_card(found)
    assert strategy_card(found, "a4") != strategy_card(found)


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    assert card("let-it-ride", tmp_path / "card.pdf") == 0
    assert (tmp_path / "card.pdf").read_bytes().startswith(b"%PDF-")
    with pytest.raises(BadData, match="cannot be written"):
        card("let-it-ride", tmp_path / "no" / "card.pdf", json=True)
