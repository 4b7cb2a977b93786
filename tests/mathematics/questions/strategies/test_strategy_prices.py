"""Prices on disk: the same again, found by what a strategy says, and never trusted when damaged."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from croupier.mathematics.cache import cache_folder, key_of, write_result
from croupier.mathematics.questions import strategy_prices
from croupier.mathematics.questions.registry import solver_for
from croupier.mathematics.questions.strategies.pricing import Price
from croupier.mathematics.questions.strategies.text import BadStrategy, WrittenStrategy, read_text
from tests.mathematics.dealt import rules_of

RULES = rules_of("md-235")
TEXT = """
title: Mine
three card: raise with a pair or better
    check otherwise
five card: raise with a pair or better
    check otherwise
"""


def plan(text: str = TEXT) -> WrittenStrategy:
    return read_text(text, solver_for(RULES).choices())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CROUPIER_CACHE_DIR", str(tmp_path))
    assert cache_folder() == tmp_path
    return tmp_path


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of all plans that are priced, not read."""
    titles: list[str] = []

    def price(plan: WrittenStrategy, *, mistakes: int) -> Price:
        titles.append(plan.title)
        return solver_for(RULES).price(plan, mistakes=mistakes)

    counted = SimpleNamespace(price=price)
    monkeypatch.setattr(strategy_prices, "solver_for", lambda _rules: counted)
    return titles


def test_a_price_is_read_back_as_it_was(worked_out: list[str]) -> None:
    first = strategy_prices.price_of(RULES, plan())
    again = strategy_prices.price_of(RULES, plan())
    assert worked_out == ["Mine"]
    assert again == first == solver_for(RULES).price(plan())
    assert any(first.mistakes.values())


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("otherwise", "otherwise  # as always"),
        lambda text: (
            "# a note\n" + text.replace("raise with  ", "raise with ").replace("  ", "   ")
        ),
        lambda text: text.replace("raise with a pair", "RAISE with A  Pair"),
        lambda text: text.replace("title: Mine", "title: Yours"),
    ],
    ids=["comment", "spacing", "case", "title"],
)
def test_what_only_the_eye_sees_makes_no_difference(change: object, worked_out: list[str]) -> None:
    assert callable(change)
    strategy_prices.price_of(RULES, plan())
    changed = plan(change(TEXT))
    found = strategy_prices.price_of(RULES, changed)
    assert worked_out == ["Mine"]
    assert found.title == changed.title


def test_commas_and_the_order_of_lines_make_no_difference() -> None:
    one = plan(TEXT.replace("a pair or better", "( a pair or better , an ace ), or a king", 1))
    other = plan(TEXT.replace("a pair or better", "(a pair or better, an ace), a king", 1))
    assert one.meaning == other.meaning != plan().meaning


def test_another_strategy_or_another_rule_is_another_price(worked_out: list[str]) -> None:
    first = strategy_prices.price_of(RULES, plan())
    bolder = plan(TEXT.replace("raise with a pair or better", "raise with an ace", 1))
    assert strategy_prices.price_of(RULES, bolder).value != first.value
    assert len(worked_out) == 2


def test_more_mistakes_than_are_kept_are_worked_out(worked_out: list[str]) -> None:
    assert all(
        len(found) <= 2
        for found in strategy_prices.price_of(RULES, plan(), mistakes=2).mistakes.values()
    )
    ten = strategy_prices.price_of(RULES, plan(), mistakes=10)
    assert len(worked_out) == 1
    assert max(map(len, ten.mistakes.values())) > 2
    assert strategy_prices.price_of(RULES, plan(), mistakes=12) == solver_for(RULES).price(
        plan(), mistakes=12
    )
    assert len(worked_out) == 2


def test_a_damaged_file_is_written_anew(folder: Path, worked_out: list[str]) -> None:
    first = strategy_prices.price_of(RULES, plan())
    (file,) = folder.glob("*.json")
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b'"value":"-', b'"value":"', 1))
    assert strategy_prices.price_of(RULES, plan()) == first
    assert len(worked_out) == 2
    assert file.read_bytes() == whole


def test_a_file_of_another_shape_is_written_anew(worked_out: list[str]) -> None:
    key = key_of(RULES, "price", plan().meaning)
    write_result(key, {"value": "1/0"})
    assert strategy_prices.price_of(RULES, plan()) == solver_for(RULES).price(plan())
    assert worked_out == ["Mine"]


def test_nothing_is_kept_of_a_strategy_that_contradicts_itself(folder: Path) -> None:
    wrong = plan(TEXT.replace("check otherwise", "check with a pair or better", 1))
    with pytest.raises(BadStrategy):
        strategy_prices.price_of(RULES, wrong)
    assert not list(folder.glob("*.json"))
